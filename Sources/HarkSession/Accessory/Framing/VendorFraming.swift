import HarkCore
import HarkCrypto

/// How one vendor carries Apple's messages over its own channels, which Apple's API deliberately
/// leaves open. Apple's own older services, which carry the same information, are framings too. A framing
/// assembles messages and names their parts; it decrypts nothing and judges nothing.
public protocol VendorFraming: Sendable {
  /// The name for people: `NotifBridge`.
  var name: String { get }

  /// The GATT service that identifies it, if it has one.
  var service: BluetoothUUID? { get }

  /// All channels of its messages. A channel belongs to one framing.
  var channels: [VendorChannel] { get }

  /// The constant values around its messages, each pair once.
  var sentinels: [Sentinels] { get }

  /// The texts that it states itself, such as names of codes: no message contains them.
  var statedTexts: Set<String> { get }

  /// Whether the channel carries private keys, so that its values must not be shown.
  func carriesKeys(_ channel: VendorChannel) -> Bool

  /// Whether its messages say themselves which responses a notification does not offer.
  var checksResponses: Bool { get }

  /// Assembles the messages of one link.
  func makeAssembler() -> any VendorAssembler

  /// Reads the vendor's plaintext. If a part cannot be read, the other parts stay.
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext

  /// The values in the vendor's plaintext, for filters and columns; none if it may contain a password.
  func values(plaintext: [UInt8], direction: MessageDirection) -> [MessageValue]
}

extension VendorFraming {
  public var sentinels: [Sentinels] { [] }

  public var statedTexts: Set<String> { [] }

  public var checksResponses: Bool { false }

  public func values(plaintext: [UInt8], direction: MessageDirection) -> [MessageValue] { [] }
}

/// The messages of a framing on one link. Lives as long as the link; `reset` ends it with
/// the link.
public protocol VendorAssembler: Sendable {
  /// Whether the last value continues a message that began in an earlier one, if values do not show this themselves.
  var continuesMessage: Bool { get }

  /// The trees of the messages that the last value completes, if requested.
  var messageValues: [MessageValues] { get }

  /// Whether it keeps values outside itself: then its copies must not receive any for a trial.
  var keepsValues: Bool { get }

  /// Takes the next value and returns what it completes.
  mutating func receive(_ value: VendorValue) -> [Framed]

  /// Forgets partial messages and reports them.
  mutating func reset(_ reason: Interruption) -> [Framed]

  /// The same for one stream of the link, when it ends or when the capture lacks bytes of it.
  /// - Parameter toServer: The direction that lacks bytes; nil for both.
  mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption
  ) -> [Framed]
}

extension VendorAssembler {
  public var continuesMessage: Bool { false }
  public var messageValues: [MessageValues] { [] }
  public var keepsValues: Bool { false }

  /// Values of characteristics belong to no stream.
  public mutating func interrupt(
    _ stream: StreamID, toServer: Bool?, _ reason: Interruption
  ) -> [Framed] { [] }
}

/// A framing that is written in Swift: an assembler whose type defines the rest.
public protocol BuiltInAssembler: VendorAssembler {
  static var name: String { get }
  static var service: BluetoothUUID { get }
  static var characteristics: [BluetoothUUID] { get }
  static func carriesKeys(characteristic: BluetoothUUID) -> Bool
  static func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext
  init()
}

extension BuiltInAssembler {
  public static func carriesKeys(characteristic: BluetoothUUID) -> Bool { false }

  /// A framing without encryption has no plaintext, so no message arrives here.
  public static func decode(
    plaintext: [UInt8], direction: MessageDirection
  ) -> DecodedPlaintext { DecodedPlaintext() }

  public static var framing: any VendorFraming { BuiltInFraming<Self>() }
}

private struct BuiltInFraming<Assembler: BuiltInAssembler>: VendorFraming {
  var name: String { Assembler.name }
  var service: BluetoothUUID? { Assembler.service }
  var channels: [VendorChannel] { Assembler.characteristics.map { .characteristic($0) } }

  func carriesKeys(_ channel: VendorChannel) -> Bool {
    if case .characteristic(let uuid) = channel {
      Assembler.carriesKeys(characteristic: uuid)
    } else {
      false
    }
  }

  var checksResponses: Bool { true }

  func makeAssembler() -> any VendorAssembler { Assembler() }

  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    Assembler.decode(plaintext: plaintext, direction: direction)
  }
}

/// Framings by the channels they use.
public struct VendorFramings: Sendable {
  /// The framings that are written in Swift; the others come from profiles.
  public static let builtIn = VendorFramings([ANCS.framing, AMS.framing])

  public let all: [any VendorFraming]
  /// The texts that the framing of this name states itself.
  package func statedTexts(of name: String) -> Set<String> {
    all.first { $0.name == name }?.statedTexts ?? []
  }

  /// Whether any of them uses channels of a link that are not characteristics.
  let usesStreams: Bool
  /// Whether a listener takes channels that no framing uses.
  let isListening: Bool
  /// The dynamic L2CAP channels that they use: few, and looked up for each SDU.
  private let psms: [UInt16]
  /// Whether any of them uses a channel by its CID.
  let usesCIDs: Bool
  /// Whether any of them uses services on the local network.
  let usesNetworkServices: Bool
  /// Whether any of them uses advertising.
  let usesAdvertising: Bool
  /// Whether any of them uses vendor-specific HCI events or commands.
  let usesVendorHCI: Bool
  /// The constant values around messages of any framing: few, because only long ones prove anything.
  let sentinels: [Sentinels]
  /// The types of attributes and channels that the user sets, regardless of the capture.
  public var assigned = AssignedPlaces()
  private let places: [VendorChannel: Int]
  private let listener: (any VendorFraming)?

  /// If two framings use one channel, the later one gets it.
  /// - Parameter listener: Gets every channel of a link that no framing uses, for callers that need the data on it.
  public init(_ all: [any VendorFraming], listener: (any VendorFraming)? = nil) {
    self.all = all
    self.listener = listener
    isListening = listener != nil
    sentinels = all.flatMap(\.sentinels).filter { $0.start.count >= 4 && !$0.end.isEmpty }
    var places: [VendorChannel: Int] = [:]
    for (place, framing) in all.enumerated() {
      for channel in framing.channels { places[channel] = place }
    }
    self.places = places
    usesStreams =
      listener != nil
      || places.keys.contains { channel in
        switch channel {
        case .psm, .cid, .service, .serverChannel, .externalAccessory, .tcpPort, .networkService:
          true
        case .characteristic, .manufacturerData, .serviceData, .vendorEvent, .vendorCommand: false
        }
      }
    psms = places.keys.compactMap { if case .psm(let psm) = $0 { psm } else { nil } }
    usesCIDs = listener != nil || places.keys.contains { if case .cid = $0 { true } else { false } }
    usesNetworkServices = places.keys.contains {
      if case .networkService = $0 { true } else { false }
    }
    usesAdvertising = places.keys.contains { $0.isAdvertised }
    usesVendorHCI = places.keys.contains { channel in
      switch channel {
      case .vendorEvent, .vendorCommand: true
      default: false
      }
    }
  }

  /// The attributes that they name by handle, and the channels by CID.
  var numbered: (handles: [UInt16], cids: [UInt16]) {
    var found: (handles: [UInt16], cids: [UInt16]) = ([], [])
    for channel in places.keys {
      switch channel {
      case .characteristic(let type): if let handle = type.handle { found.handles.append(handle) }
      case .cid(let cid): found.cids.append(cid)
      default: break
      }
    }
    return found
  }

  /// The framing identified by a GATT service.
  public func named(by service: BluetoothUUID) -> (any VendorFraming)? {
    all.first { $0.service == service }
  }

  /// The framing that uses a channel: sufficient if discovery of the service was not captured.
  public func using(_ channel: VendorChannel) -> (any VendorFraming)? {
    places[channel].map { all[$0] } ?? listener
  }

  /// Whether any of them may use the dynamic L2CAP channels of a PSM.
  func uses(psm: UInt16) -> Bool { isListening || psms.contains(psm) }

  /// Whether `using` finds a framing for the channel.
  func uses(_ channel: VendorChannel) -> Bool { isListening || places[channel] != nil }

  /// Whether one of them uses the channel.
  func hasPlace(_ channel: VendorChannel?) -> Bool { channel.map { places[$0] != nil } ?? false }

  /// As above. Characteristics assigned by the SIG belong to no vendor, and most values are values of these.
  @inline(__always)
  public func using(characteristic: BluetoothUUID) -> (any VendorFraming)? {
    characteristic.short == nil ? using(.characteristic(characteristic)) : nil
  }
}

/// Why an incomplete message ended.
public enum Interruption: Hashable, Sendable {
  case linkClosed
  /// Its channel, data link or session ended, but not the link.
  case streamClosed
  /// The capture lacks the bytes that come next.
  case dataMissing
  case captureEnded
  /// The sender began another message.
  case startedAgain
}
