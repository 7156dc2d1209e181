import HarkCore
import HarkCrypto

/// How a vendor carries what a phone sends: the profiles of hark that can be written as well as read.
package enum SealFraming: String, Sendable, CaseIterable {
  /// No vendor's framing: the sealed text is the notification's JSON, and nothing is transmitted.
  case none
  case pebble
  case notifbridge

  /// The cipher suite of the vendor's protocol; nil if both will do.
  package var suite: CipherSuite? {
    switch self {
    case .none: nil
    case .pebble: .p256
    case .notifbridge: .xWing
    }
  }

  /// A characteristic that takes part, with its properties as GATT has them.
  struct Characteristic {
    let uuid: String
    let properties: UInt8
    /// What the phone writes to its Client Characteristic Configuration; nil if it has none.
    var subscription: UInt8?
  }

  var service: String {
    switch self {
    case .none: ""
    case .pebble: "50000000-328E-0FBB-C642-1AA6699BDADA"
    case .notifbridge: "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44"
    }
  }

  var characteristics: [Characteristic] {
    switch self {
    case .none: []
    case .pebble:
      [
        Characteristic(
          uuid: "50000001-328E-0FBB-C642-1AA6699BDADA", properties: 0x10, subscription: 1),
        Characteristic(uuid: Self.pebbleWritten, properties: 0x0C),
      ]
    case .notifbridge:
      [
        Characteristic(uuid: Self.bridgeKeys, properties: 0x0C),
        Characteristic(uuid: Self.bridgeMessages, properties: 0x0C),
        Characteristic(
          uuid: "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C4B", properties: 0x22, subscription: 2),
      ]
    }
  }

  private static let pebbleWritten = "50000002-328E-0FBB-C642-1AA6699BDADA"
  private static let bridgeKeys = "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C46"
  private static let bridgeMessages = "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C47"

  /// The value in which the accessory announces its public key; nil if it does not.
  func announcement(_ publicKey: [UInt8]) -> [UInt8]? {
    self == .pebble ? [0x01] + publicKey : nil
  }

  /// The values that carry an encapsulated key.
  func values(
    _ exchange: SealedConversation.Exchange, identifier: String, publicKey: [UInt8], longest: Int
  ) -> [SealedConversation.Value] {
    switch self {
    case .none: return []
    case .pebble:
      let name = Array(identifier.utf8.prefix(255))
      let value = [0x02] + exchange.encapsulatedKey + [UInt8(name.count)] + name
      return [.init(characteristic: Self.pebbleWritten, bytes: value)]
    case .notifbridge:
      var text = TextBuffer()
      text.string("{\"identifier\":")
      text.json(identifier)
      text.string(",\"ciphersuite\":\"XWing\",\"version\":\"Version1\",\"encapsulatedKey\":")
      Self.base64(exchange.encapsulatedKey, to: &text)
      text.string(",\"publicKey\":")
      Self.base64(publicKey, to: &text)
      text.string("}")
      return Self.betweenSentinels(text.bytes, Self.bridgeKeys, longest)
    }
  }

  /// The values that carry a sealed message, at least two of them where `isSplit`.
  func values(
    _ blob: [UInt8], session: String, longest: Int, isSplit: Bool
  ) -> [SealedConversation.Value] {
    switch self {
    case .none: return []
    case .pebble:
      let name = Array(session.utf8.prefix(255))
      let message = [UInt8(name.count)] + name + blob
      let most = longest - 2
      let size = isSplit ? min(most, (message.count + 1) / 2) : most
      return stride(from: 0, to: message.count, by: size).map { start in
        let end = min(start + size, message.count)
        let flags: UInt8 = (start == 0 ? 2 : 0) | (end < message.count ? 1 : 0)
        return .init(
          characteristic: Self.pebbleWritten, bytes: [0x03, flags] + message[start..<end])
      }
    case .notifbridge:
      var text = TextBuffer()
      text.string("{\"sessionID\":")
      text.json(session)
      text.string(",\"data\":")
      Self.base64(blob, to: &text)
      text.string("}")
      return Self.betweenSentinels(text.bytes, Self.bridgeMessages, longest)
    }
  }

  private static func betweenSentinels(
    _ message: [UInt8], _ characteristic: String, _ longest: Int
  ) -> [SealedConversation.Value] {
    let parts = stride(from: 0, to: message.count, by: longest).map {
      Array(message[$0..<min($0 + longest, message.count)])
    }
    return ([Array("--START--".utf8)] + parts + [Array("--END--".utf8)]).map {
      .init(characteristic: characteristic, bytes: $0)
    }
  }

  private static func base64(_ bytes: [UInt8], to text: inout TextBuffer) {
    text.string("\"")
    text.append(Base64.characters(bytes, isURL: false))
    text.string(String(repeating: "=", count: (3 - bytes.count % 3) % 3))
    text.string("\"")
  }

  /// What is sealed of a notification.
  /// - Parameter number: Counted from 1.
  func plaintext(_ notification: ForwardedNotification, number: Int) throws(SealError) -> [UInt8] {
    switch self {
    case .none:
      var text = TextBuffer()
      notification.write(to: &text)
      return text.bytes
    case .pebble: return try PebblePlaintext.write(notification)
    case .notifbridge: return NotifBridgePlaintext.write(notification, number: number)
    }
  }

  /// What the vendor's plaintext does not carry of the notifications: `threadIdentifier`, `kind update (sent as add)`.
  package func losses(of notifications: [ForwardedNotification]) throws(SealError) -> [String] {
    var found: [String] = []
    for wanted in notifications {
      let carried = try notification(plaintext(wanted, number: 1))
      var lost: [String] = []
      if wanted.kind != carried.kind {
        lost.append("kind \(wanted.kind.rawValue) (sent as \(carried.kind.rawValue))")
      }
      for name in ForwardedNotification.Text.allCases
      where wanted.texts[name, default: ""] != carried.texts[name, default: ""] {
        lost.append(name.rawValue)
      }
      if wanted.shouldAlert != carried.shouldAlert { lost.append("shouldAlert") }
      if wanted.actions.count != carried.actions.count { lost.append("actions") }
      for loss in lost where !found.contains(loss) { found.append(loss) }
    }
    return found
  }

  /// The notification that a plaintext is of.
  package func notification(_ plaintext: [UInt8]) throws(SealError) -> ForwardedNotification {
    switch self {
    case .none:
      guard let first = try NotificationReader.read(plaintext).first else {
        throw SealError("it contains no notification")
      }
      return first
    case .pebble: return try PebblePlaintext.read(plaintext)
    case .notifbridge: return try NotifBridgePlaintext.read(plaintext)
    }
  }
}
