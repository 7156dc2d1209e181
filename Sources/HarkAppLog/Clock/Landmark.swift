import HarkCore
import HarkCrypto
import HarkSession

/// Something that both sides show: what happened, without when.
struct Landmark: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case key(SecurityMessage.KeyType, size: Int)
    case message(MessageDirection, size: Int)
    /// The same, in a session that the log names.
    case messageIn(session: String, MessageDirection, size: Int)
    /// Where a log does not say which way it goes.
    case messageOf(session: String, size: Int)
    case connected(UInt64)
    case disconnected(UInt64)
    case configuration(String)
    case audioSource(String)
    case eaOpened(String)
    case eaClosed(String)
    case notification(String)
  }

  let kind: Kind

  init?(_ app: AppEvent) {
    switch app.kind {
    case .securityMessage:
      guard let type = app[.keyType].flatMap({ SecurityMessage.KeyType(rawValue: $0) }),
        let size = app[.size].flatMap({ Int($0) })
      else { return nil }
      kind = .key(type, size: size)
    case .transportMessage:
      guard let size = app[.size].flatMap({ Int($0) }) else { return nil }
      if let direction = app[.direction].flatMap({ MessageDirection(rawValue: $0) }) {
        kind =
          app[.session].map { .messageIn(session: $0.uppercased(), direction, size: size) }
          ?? .message(direction, size: size)
      } else if let session = app[.session] {
        kind = .messageOf(session: session.uppercased(), size: size)
      } else {
        return nil
      }
    case .notification:
      guard let identifier = app[.notification] else { return nil }
      kind = .notification(identifier)
    case .deviceConnected:
      guard let address = app.address else { return nil }
      kind = .connected(address.value)
    case .deviceDisconnected:
      guard let address = app.address else { return nil }
      kind = .disconnected(address.value)
    case .configurationUpdated:
      if let placement = app[.placement] {
        kind = .configuration(placement)
      } else if let octets = app[.primarySource].flatMap({ Hex.bytes($0.filter { $0 != ":" }) }) {
        kind = Self.audioSource(octets)
      } else {
        return nil
      }
    case .eaSessionOpened: kind = .eaOpened(app[.eaProtocol] ?? "")
    case .eaSessionClosed: kind = .eaClosed(app[.eaProtocol] ?? "")
    default: return nil
    }
  }

  private init(_ kind: Kind) { self.kind = kind }

  /// The session of a message, as far as a packet names it.
  var session: String? {
    if case .messageIn(let session, _, _) = kind, !session.isEmpty { session } else { nil }
  }

  /// What it is compared by: only a session that packets name distinguishes messages, as some framings have none.
  /// - Parameter sessions: Those that packets name.
  func compared(with sessions: Set<String>) -> Landmark {
    guard case .messageIn(let session, let direction, let size) = kind, !sessions.contains(session)
    else { return self }
    return Landmark(.message(direction, size: size))
  }

  /// Something in a packet that logs may contain, too.
  static func all(in event: Event, _ session: borrowing Session) -> [Landmark] {
    switch event.content {
    case .accessory(let accessory): kinds(accessory).map(Landmark.init)
    case .link(.opened): addresses(event, session).map { Landmark(.connected($0)) }
    case .link(.closed): addresses(event, session).map { Landmark(.disconnected($0)) }
    case .iap2(.externalAccessory(.open(let opened))):
      [Landmark(.eaOpened(opened.eaSession.protocolString ?? ""))]
    case .iap2(.externalAccessory(.close(let closed))):
      [Landmark(.eaClosed(closed.eaSession.protocolString ?? ""))]
    default: []
    }
  }

  /// What logs may call the device of a link: the address that it was reached by, and its identity.
  private static func addresses(_ event: Event, _ session: borrowing Session) -> [UInt64] {
    guard let link = event.link, let peer = session.links[Int(link.index)].peer else { return [] }
    guard let device = session.device(of: link) else { return [peer.value] }
    let identity = session.devices[Int(device.index)].address.value
    return identity == peer.value ? [peer.value] : [peer.value, identity]
  }

  private static func kinds(_ event: AccessoryEvent) -> [Kind] {
    switch event.content {
    case .publicKey(let key):
      return [.key(.publicKey, size: key.step.message.key.count)]
    case .encapsulatedKey(let key):
      return [.key(.encapsulatedKey, size: key.step.message.key.count)]
    case .blank(let blank):
      switch blank.subject {
      case .key(let type, _): return [.key(type, size: blank.size)]
      case .message(let sessionID):
        return messages(event.direction, sessionID, blank.size)
      case .value: return []
      }
    case .message(let message):
      let contents = message.opened?.decoded.contents ?? []
      return messages(event.direction, message.sessionID, message.size)
        + contents.compactMap(notification)
    case .plain(let message):
      for content in message.contents {
        guard case .configuration(let report) = content, report.sender == .accessoryToHost else {
          continue
        }
        if report.change.members.contains(.devicePlacement),
          let placement = report.configuration?.devicePlacement
        {
          return [.configuration(placement.rawValue)]
        }
        if report.change.members.contains(.primaryAudioSourceDeviceIdentifier),
          let octets = report.configuration?.primaryAudioSourceDeviceIdentifier
        {
          return [audioSource(octets)]
        }
      }
      return message.contents.compactMap(notification)
    default: return []
    }
  }

  private static func messages(
    _ direction: MessageDirection, _ sessionID: String, _ size: Int
  ) -> [Kind] {
    let session = sessionID.uppercased()
    return [
      .message(direction, size: size), .messageIn(session: session, direction, size: size),
      .messageOf(session: session, size: size),
    ]
  }

  /// Vendors and apps write the octets in either order.
  private static func audioSource(_ octets: [UInt8]) -> Kind {
    let reversed = Array(octets.reversed())
    return .audioSource(
      Hex.text(octets.lexicographicallyPrecedes(reversed) ? octets : reversed))
  }

  private static func notification(_ content: AccessoryContent) -> Kind? {
    switch content {
    case .add(let one), .update(let one), .present(let one):
      one.identifier.map { .notification($0.notificationIdentifier) }
    default: nil
    }
  }
}

/// When the capture shows landmarks, gathered while it is read.
public struct Landmarks: Sendable {
  private(set) var all: [(mark: Landmark, time: Timestamp)] = []
  public private(set) var first: Timestamp?
  private(set) var last: Timestamp?
  /// From the first to the last packet; nil if there are none.
  var span: ClosedRange<Timestamp>? {
    first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
  }

  static let most = 20_000

  public init() {}

  public mutating func take(_ session: borrowing Session) {
    first = session.counts.firstTime
    last = session.counts.lastTime.map { min($0, session.counts.latestTime ?? $0) }
    for event in session.events where all.count < Self.most {
      // What is reported late happened earlier.
      for mark in Landmark.all(in: event, session) {
        all.append((mark, event.time.adding(-event.lag)))
      }
    }
  }
}
