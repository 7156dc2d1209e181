import Synchronization

/// A named field of a protocol: how its value is shown and what its codes mean.
///
/// A dissector declares its fields once, as the stored properties of its `Fields` structure; the
/// property's name is the last part of the path users type (`att.opcode`). A `Field` is only a
/// number, so that a tree can store it without counting references; its declaration is in
/// `definition`.
public struct Field: Hashable, Sendable {
  /// How a value is shown.
  public enum Form: Sendable {
    case decimal
    /// Two's complement, with the width of the bytes it was read from.
    case signed
    /// At least two digits per byte.
    case hex
    case bytes
    /// UTF-8.
    case text
    /// UTF-16, most significant octet first.
    case utf16
    /// A Bluetooth Device Address.
    case address
    /// A UUID of 2, 4 or 16 octets, least significant octet first.
    case uuid
    /// Like `uuid`, for the type of an attribute: names of services do not apply.
    case attributeType
    /// A UUID of 2, 4 or 16 octets, most significant octet first.
    case uuidBigEndian
    /// IEEE 754, of 4 or 8 octets.
    case float
    /// SFLOAT or FLOAT of IEEE 11073-20601, with the value in IEEE 754; NaN stands for a value that the device does not have.
    case medical
    /// A part with parts of its own. There may be several lists at the same level.
    case group
    case list
  }

  /// What a value reveals about a person or a single device, which is replaced before a capture is
  /// shared.
  public enum Personal: Sendable {
    /// The name of a device.
    case name
    /// A text from or for a person: a notification, a contact, a network.
    case text
    /// Media being played, or a number about it.
    case media
    case phoneNumber
    case serialNumber
    /// A key. A value that merely contains a key is not one.
    case key
    /// A number of one device or one bond.
    case identifier
    /// An IP address.
    case networkAddress
    /// Data that a person sent over a network, and checksums of it.
    case traffic
    /// A six-digit number shown during pairing.
    case passkey
    /// The name of a model or of its vendor.
    case model
    /// Speech or other audio.
    case sound
    /// A file, a card, a listing or a message, or a part of one: some of its words name its parts.
    case document
    /// Data received with errors: any text, address or key with some bits changed.
    case misheard
    /// Input of a person: keys, buttons, pointers, numbers that describe the person, and their
    /// location; how long the media are that they play.
    case input
    /// Undecoded bytes, which may contain anything.
    case opaque
    /// Measurements of a person or at home: pulse, weight, a running route; and the local time, which shows the time zone.
    case health
  }

  /// What redaction has to know about a field besides its content.
  public enum Role: Sendable {
    /// A part of a PDU that several packets carry: the PDU decides what stays.
    case fragment
    /// The same of an L2CAP PDU, of which the first fragment has the header.
    case l2capFragment
    /// It is 1 in a packet with a fragment that continues a PDU.
    case continuation
    /// The type of the address after it, or of the address before it if none follows. Random addresses have odd types,
    /// and 0xFE.
    case addressType
    /// The type of the address before it: 2 if it is a random one.
    case managementAddressType
    /// The type of the second address of a Link Layer packet: 1 if it is a random one.
    case secondAddressType
    /// An address that is a random one, whatever precedes it.
    case randomAddress
    /// An IRK: it resolves addresses.
    case identityResolvingKey
    /// The CRC of an over-the-air LE packet, or what shows whether it is right.
    case crc, crcCheck
    /// What the CRCs of a connection begin with.
    case crcInit
    /// A number in a format that describes itself: what it is a number of is unknown.
    case element
    /// Unused bits: the bits beside them decide whether they stay.
    case reserved
    /// A text that describes a thing and names neither a person nor a device: a version, a language.
    case description
  }

  public struct Definition: Sendable {
    public let name: StaticString
    public let form: Form
    public let names: [UInt64: StaticString]
    /// Looks up the names of codes if there are too many for `names`.
    public let lookup: Lookup?
    /// Whether only special values have names, such as `not available`: all others are numbers.
    public let isMeasure: Bool
    /// Names of single bits, by bit number.
    public var flags: [UInt64: StaticString] { flagTable?() ?? ownFlags }
    fileprivate let ownFlags: [UInt64: StaticString]
    /// Gives `flags` if they are the names of declarations that need this field.
    fileprivate let flagTable: FlagTable?
    /// The unit of the value, such as `1.25 ms`; the number before it is a factor.
    public let unit: StaticString
    /// Whether the value is part of the packet's one-line summary.
    public let inLine: Bool
    /// Whether the value's name is the packet's name in that summary: an opcode, a code.
    public let title: Bool
    /// Whether the value is or reveals a key: only its length is ever shown.
    public let secret: Bool
    /// What the value reveals about a person or a single device; nil if it reveals nothing, and
    /// for addresses, which their form shows.
    public internal(set) var personal: Personal?
    /// Whether the value reveals nothing about a person or a device and so stays in a redacted capture:
    /// a channel map, an access address. Nil if form, width and names decide.
    public let structural: Bool?
    public let role: Role?

    /// The kind of checksum that the value is, over preceding bytes; nil if it is not one, or covers only bytes
    /// that do not change.
    public let checksum: Checksum?

    /// Whether it is data, and not a description of how data is structured.
    fileprivate var isMeasurement: Bool {
      switch form {
      case .decimal, .signed, .hex, .bytes, .float:
        personal == nil && structural == nil && ownFlags.isEmpty && flagTable == nil && !title
          && !secret
      default: false
      }
    }

    /// Whether the field's values are codes with names.
    public var hasNames: Bool { !names.isEmpty || lookup != nil }

    /// The name of the code `value`, or nil.
    public func name(of value: UInt64) -> String? {
      names[value]?.description ?? lookup?(value)
    }
  }

  public typealias Checksum = @Sendable ([UInt8]) -> UInt64
  public typealias Lookup = @Sendable (UInt64) -> String?
  public typealias FlagTable = @Sendable () -> [UInt64: StaticString]

  public let id: UInt16

  /// Large enough for the built-in protocols, so that it does not grow while they are declared.
  static let definitions: Mutex<[Definition]> = {
    var all: [Definition] = []
    all.reserveCapacity(1 << 13)
    return Mutex(all)
  }()

  /// How many fields have been declared so far.
  static var count: Int { definitions.withLock(\.count) }

  /// - Parameter special: Values that are not numbers in the unit, and what they mean. Values of
  ///   `.signed` fields are named by their octets: 0xFF is -1.
  // Inlined into the thousands of declarations, it would take 3 MB of the program.
  @inline(never)
  public init(
    _ name: StaticString, _ form: Form = .decimal, names: [UInt64: StaticString] = [:],
    lookup: Lookup? = nil, flags: [UInt64: StaticString] = [:], flagTable: FlagTable? = nil,
    unit: StaticString = "",
    special: [UInt64: StaticString] = [:], inLine: Bool = false, title: Bool = false,
    secret: Bool = false, personal: Personal? = nil, structural: Bool? = nil,
    role: Role? = nil, checksum: Checksum? = nil
  ) {
    let definition = Definition(
      name: name, form: form, names: names.isEmpty ? special : names, lookup: lookup,
      isMeasure: !special.isEmpty, ownFlags: flags, flagTable: flagTable, unit: unit,
      inLine: inLine, title: title,
      secret: secret, personal: personal, structural: structural, role: role,
      checksum: checksum)
    id = Self.definitions.withLock { all in
      all.append(definition)
      return UInt16(exactly: all.count - 1) ?? .max
    }
  }

  /// Declares fields whose values are measurements of a person or at home. Flags and codes that only show
  /// which values follow stay structural.
  static func measured<Fields>(_ declare: @autoclosure () -> Fields) -> Fields {
    let first = count
    let fields = declare()
    definitions.withLock { all in
      for index in first..<all.count where all[index].isMeasurement {
        all[index].personal = .health
      }
    }
    return fields
  }

  public var definition: Definition { Self.definitions.withLock { $0[Int(id)] } }

  public var name: StaticString { definition.name }

  /// Like `definition`, without a copy.
  var form: Form { Self.definitions.withLock { $0[Int(id)].form } }
}
