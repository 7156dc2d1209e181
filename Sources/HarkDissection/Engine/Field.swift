import Synchronization

/// A named field of a protocol: how its value is shown and what its codes mean.
///
/// A dissector declares its fields once, as the stored properties of its `Fields` structure; the
/// property's name is the last part of the path users type (`att.opcode`). A `Field` is only a
/// number, so that a tree can note it without counting references; what was declared is kept in
/// `definition`.
public struct Field: Hashable, Sendable {
  /// How a value is shown.
  public enum Form: Sendable {
    case decimal
    /// Two's complement, as wide as the bytes it was read from.
    case signed
    /// At least two digits a byte.
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
    /// As `uuid`, of the type of an attribute: names of services are none of it.
    case attributeType
    /// A UUID of 2, 4 or 16 octets, most significant octet first.
    case uuidBigEndian
    /// IEEE 754, of 4 or 8 octets.
    case float
    /// A part with parts of its own. A `list` may occur several times beside itself.
    case group
    case list
  }

  /// What a value says of a person or a single device: what is replaced before a capture is given
  /// away.
  public enum Personal: Sendable {
    /// What a device is called.
    case name
    /// A text of or for a person: a notification, a contact, a network.
    case text
    /// What is played, or a number beside it.
    case media
    case phoneNumber
    case serialNumber
    /// A key of its own, not just bytes that have one somewhere.
    case key
    /// A number that is one device's, or one bond's.
    case identifier
    /// An address of IP.
    case networkAddress
    /// What somebody sent over a network, and checksums of it.
    case traffic
    /// A number of six digits that pairing shows.
    case passkey
    /// What a model or its maker is called.
    case model
    /// What was said or played.
    case sound
    /// A file, a card, a listing or a message, or a part of one: some of its words say what it is.
    case document
    /// What was heard wrong: any text, address or key, but for some bits.
    case misheard
    /// What was typed, pressed or pointed at, what somebody entered of themselves in numbers, and where
    /// somebody is.
    case input
    /// Bytes that nobody explains: anything may be in them.
    case opaque
    /// What was measured of a person or at home: pulse, weight, where somebody ran.
    case health
  }

  public struct Definition: Sendable {
    public let name: StaticString
    public let form: Form
    public let names: [UInt64: StaticString]
    /// Gives the names of codes where there are too many for `names`.
    public let lookup: Lookup?
    /// Whether only special values have names, such as `not available`: all others are numbers.
    public let isMeasure: Bool
    /// Names of single bits, by bit number.
    public let flags: [UInt64: StaticString]
    /// What one unit of the value is, such as `1.25 ms`; the number in front is a factor.
    public let unit: StaticString
    /// Whether the value belongs into the packet's one-line summary.
    public let inLine: Bool
    /// Whether the value's name is what the packet is called in that summary: an opcode, a code.
    public let title: Bool
    /// Whether the value is a key or gives one away: it is never shown, only how long it is.
    public let secret: Bool
    /// What the value says of a person or a single device; nil where it says nothing of them, and
    /// for addresses, which their form tells.
    public internal(set) var personal: Personal?
    /// Whether the value tells nothing of a person or a device, so that it stays in a redacted capture:
    /// a channel map, an access address. Nil where form, width and names decide.
    public let structural: Bool?

    /// The checksum that the value is, of bytes in front of it; nil where it is none, or only of bytes
    /// that do not change.
    public let checksum: Checksum?

    /// Whether it holds a value, and not what says how a value is built.
    fileprivate var isMeasurement: Bool {
      switch form {
      case .decimal, .signed, .hex, .bytes, .float:
        personal == nil && structural == nil && flags.isEmpty && !title && !secret
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

  public let id: UInt16

  /// With room for the built-in protocols: it is long before all are declared.
  static let definitions: Mutex<[Definition]> = {
    var all: [Definition] = []
    all.reserveCapacity(1 << 13)
    return Mutex(all)
  }()

  /// How many fields are declared so far.
  static var count: Int { definitions.withLock(\.count) }

  /// - Parameter special: Values that are no number of the unit, and what they mean. Values of
  ///   `.signed` fields are named by their octets: 0xFF is -1.
  public init(
    _ name: StaticString, _ form: Form = .decimal, names: [UInt64: StaticString] = [:],
    lookup: Lookup? = nil, flags: [UInt64: StaticString] = [:], unit: StaticString = "",
    special: [UInt64: StaticString] = [:], inLine: Bool = false, title: Bool = false,
    secret: Bool = false, personal: Personal? = nil, structural: Bool? = nil,
    checksum: Checksum? = nil
  ) {
    let definition = Definition(
      name: name, form: form, names: names.isEmpty ? special : names, lookup: lookup,
      isMeasure: !special.isEmpty, flags: flags, unit: unit, inLine: inLine, title: title,
      secret: secret, personal: personal, structural: structural, checksum: checksum)
    id = Self.definitions.withLock { all in
      all.append(definition)
      return UInt16(exactly: all.count - 1) ?? .max
    }
  }

  /// Declares fields whose values were measured of a person or at home. Flags and codes that only say
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

  /// As in `definition`, of which no copy is made.
  var form: Form { Self.definitions.withLock { $0[Int(id)].form } }
}
