import HarkCore
import HarkCrypto
import HarkSession

/// Something that both sides show: what happened, without when.
struct Landmark: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case key(SecurityMessage.KeyType, size: Int)
    case message(MessageDirection, size: Int)
    case connected(UInt64)
    case disconnected(UInt64)
    case configuration(String)
    case eaOpened(String)
    case eaClosed(String)
    case deviceFound(UInt64)
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
      guard let direction = app[.direction].flatMap({ MessageDirection(rawValue: $0) }),
        let size = app[.size].flatMap({ Int($0) })
      else { return nil }
      kind = .message(direction, size: size)
    case .deviceConnected:
      guard let address = app.address else { return nil }
      kind = .connected(address.value)
    case .deviceDisconnected:
      guard let address = app.address else { return nil }
      kind = .disconnected(address.value)
    case .configurationUpdated:
      guard let placement = app[.placement] else { return nil }
      kind = .configuration(placement)
    case .eaSessionOpened: kind = .eaOpened(app[.eaProtocol] ?? "")
    case .eaSessionClosed: kind = .eaClosed(app[.eaProtocol] ?? "")
    default: return nil
    }
  }

  init?(_ event: Event, _ session: borrowing Session) {
    switch event.content {
    case .accessory(let accessory):
      guard let kind = Self.kind(accessory) else { return nil }
      self.kind = kind
    case .linkOpened:
      guard let address = Self.address(event, session) else { return nil }
      kind = .connected(address)
    case .linkClosed:
      guard let address = Self.address(event, session) else { return nil }
      kind = .disconnected(address)
    case .iap2(.externalAccessory(.open(let ea, _))): kind = .eaOpened(ea.protocolString ?? "")
    case .iap2(.externalAccessory(.close(let ea, _, _, _))):
      kind = .eaClosed(ea.protocolString ?? "")
    default: return nil
    }
  }

  private static func address(_ event: Event, _ session: borrowing Session) -> UInt64? {
    event.link.flatMap { session.links[Int($0.index)].peer }?.value
  }

  private static func kind(_ event: AccessoryEvent) -> Kind? {
    switch event.content {
    case .publicKey(let key):
      return .key(.publicKey, size: key.step.message.key.count)
    case .encapsulatedKey(let key):
      return .key(.encapsulatedKey, size: key.step.message.key.count)
    case .message(let message): return .message(event.direction, size: message.size)
    case .plain(let message):
      for content in message.contents {
        if case .configuration(let report) = content, report.sender == .accessoryToHost,
          report.change.members.contains(.devicePlacement),
          let placement = report.configuration?.devicePlacement
        {
          return .configuration(placement.rawValue)
        }
      }
      return nil
    default: return nil
    }
  }
}

/// When the capture shows landmarks, gathered while it is read.
public struct Landmarks: Sendable {
  private(set) var all: [(mark: Landmark, time: Timestamp)] = []
  public private(set) var first: Timestamp?
  private(set) var last: Timestamp?
  static let most = 20_000

  public init() {}

  public mutating func take(_ session: borrowing Session) {
    first = first ?? session.counts.firstTime
    last = session.counts.lastTime
    for event in session.events where all.count < Self.most {
      // What is told late happened earlier.
      if let mark = Landmark(event, session) {
        all.append((mark, event.time.adding(-event.lag)))
      }
    }
  }
}
