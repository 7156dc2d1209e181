import HarkCore
import HarkCrypto

/// The framing of Pebble watches (PebbleOS and its phone side): P-256, typed values, fragments with
/// flags.
public struct Pebble: BuiltInAssembler {
  public static let name = "Pebble"
  public static let service = uuid(0)
  /// Accessory to phone, notified.
  static let transmit = uuid(1)
  /// Phone to accessory, written.
  static let receive = uuid(2)

  enum Kind: UInt8 {
    case publicKey = 0x01
    case session = 0x02
    case data = 0x03
    case response = 0x82
  }

  /// Flags of a fragment.
  private static let more: UInt8 = 0x01
  private static let first: UInt8 = 0x02
  /// Kind and flags.
  private static let fragmentHeader = 2
  /// Longer values are refused. Core Specification, Vol 3, Part F, 3.2.9.
  private static let valueLimit = 512

  private var data: PartialMessage?
  private var response: PartialMessage?

  public init() {}

  /// 5000000x-328E-0FBB-C642-1AA6699BDADA.
  static func uuid(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x5000_0000_328E_0FBB | number << 32, low: 0xC642_1AA6_699B_DADA)
  }

  public static let characteristics = [transmit, receive]

  public mutating func receive(_ value: VendorValue) -> [Framed] {
    switch value.operation {
    case .read, .subscribe, .refused, .data: return []
    case .write, .writeCommand, .notification, .indication: break
    }
    let direction: MessageDirection =
      value.characteristic == Self.receive ? .hostToAccessory : .accessoryToHost
    do throws(FramingProblem) {
      guard let code = value.bytes.first else { throw .empty }
      guard value.bytes.count <= Self.valueLimit else {
        throw .valueTooLong(size: value.bytes.count, limit: Self.valueLimit)
      }
      switch (Kind(rawValue: code), direction) {
      case (.publicKey, .accessoryToHost): return try publicKey(value, direction)
      case (.session, .hostToAccessory): return try session(value, direction)
      case (.data, .hostToAccessory): return try fragment(value, direction, &data)
      case (.response, .accessoryToHost): return try fragment(value, direction, &response)
      default: throw .unknownType(code)
      }
    } catch {
      return [unreadable(error, value.bytes, MessageOrigin(value, direction))]
    }
  }

  public mutating func reset(_ reason: Interruption) -> [Framed] {
    defer {
      data = nil
      response = nil
    }
    return [data, response].compactMap { partial in
      partial.map { Framed($0.origin, .incomplete(.moreWithoutLast(reason))) }
    }
  }

  private func unreadable(
    _ problem: FramingProblem, _ bytes: [UInt8], _ origin: MessageOrigin
  ) -> Framed {
    Framed(origin, .unreadable(UnreadableMessage(problem, bytes: bytes)))
  }

  private func checkWhole(_ value: VendorValue) throws(FramingProblem) {
    guard value.missingBytes <= 0 else { throw .cutByCapture(missingBytes: value.missingBytes) }
  }

  /// X and Y of the key; sent each time the phone subscribes.
  private func publicKey(
    _ value: VendorValue, _ direction: MessageDirection
  ) throws(FramingProblem) -> [Framed] {
    try checkWhole(value)
    let key = Array(value.bytes.dropFirst())
    let message = SecurityMessage(keyType: .publicKey, cipherSuite: .p256, key: key)
    guard message.hasExpectedSize else { throw .keySize(.publicKey, found: key.count) }
    return [Framed(MessageOrigin(value, direction), .security(SecurityStep(message)))]
  }

  /// The encapsulated key, and the identifier behind its length in one byte.
  private func session(
    _ value: VendorValue, _ direction: MessageDirection
  ) throws(FramingProblem) -> [Framed] {
    try checkWhole(value)
    let keyEnd = 1 + SecurityMessage.CipherSuite.p256.encapsulatedKeySize
    let bytes = value.bytes
    guard bytes.count >= keyEnd else {
      throw .tooShort(field: "Encapsulated Key", needed: keyEnd, available: bytes.count)
    }
    guard bytes.count > keyEnd else {
      throw .tooShort(field: "Identifier", needed: keyEnd + 1, available: bytes.count)
    }
    let length = Int(bytes[keyEnd])
    let rest = bytes.dropFirst(keyEnd + 1)
    guard rest.count >= length else {
      throw .tooShort(
        field: "Identifier", needed: keyEnd + 1 + length, available: bytes.count)
    }
    let message = SecurityMessage(
      keyType: .encapsulatedKey, cipherSuite: .p256, key: Array(bytes[1..<keyEnd]),
      identifier: String(decoding: rest.prefix(length), as: UTF8.self))
    let origin = MessageOrigin(value, direction)
    var framed = [Framed(origin, .security(SecurityStep(message)))]
    if rest.count > length {
      let offset = bytes.count - (rest.count - length)
      framed.append(
        unreadable(.trailing(offset: offset, count: rest.count - length), bytes, origin))
    }
    return framed
  }

  /// FIRST begins a message, whatever was begun before; without MORE it is whole.
  private func fragment(
    _ value: VendorValue, _ direction: MessageDirection, _ partial: inout PartialMessage?
  ) throws(FramingProblem) -> [Framed] {
    let header = Self.fragmentHeader
    if value.bytes.count < header { try checkWhole(value) }
    guard value.bytes.count >= header else {
      throw .tooShort(field: "Flags", needed: header, available: value.bytes.count)
    }
    let flags = value.bytes[1]
    var framed: [Framed] = []
    let message: PartialMessage
    if flags & Self.first != 0 {
      if let left = partial.take() {
        framed.append(Framed(left.origin, .incomplete(.moreWithoutLast(.startedAgain))))
      }
      message = PartialMessage(value, direction, header: header)
    } else if var growing = partial.take() {
      guard growing.append(value, header: header) else {
        return [Framed(growing.origin, .incomplete(.tooLarge(limit: PartialMessage.byteLimit)))]
      }
      message = growing
    } else {
      let origin = MessageOrigin(value, direction)
      return [Framed(origin, .incomplete(.continuationWithoutFirst))]
    }
    if flags & Self.more != 0 {
      partial = message
      return framed
    }
    return framed + [whole(message)]
  }

  /// The session's id behind its length in one byte, then what Apple's API gave.
  private func whole(_ message: PartialMessage) -> Framed {
    let bytes = message.bytes
    let length = bytes.first.map(Int.init) ?? 0
    guard bytes.count > length else {
      let problem: FramingProblem =
        message.missingBytes > 0
        ? .cutByCapture(missingBytes: message.missingBytes)
        : .tooShort(field: "Session ID", needed: length + 1, available: bytes.count)
      return unreadable(problem, bytes, message.origin)
    }
    let id = String(decoding: bytes[1..<1 + length], as: UTF8.self)
    let data = Array(bytes.dropFirst(1 + length))
    let frame = TransportFrame(
      TransportMessage(sessionID: id, data: data), missingBytes: message.missingBytes)
    return Framed(message.origin, .transport(frame))
  }
}
