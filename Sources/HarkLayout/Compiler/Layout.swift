/// A compiled layout: what a `.ksy` file and the files it imports describe, ready to run.
///
/// Made by `Layout.load`; run by a `LayoutMachine`. Immutable.
public struct Layout: Sendable {
  /// `meta/id`.
  public internal(set) var id = ""
  /// `meta/title`.
  public internal(set) var title = ""
  public internal(set) var documentation = ""
  /// `doc-ref`.
  public internal(set) var references: [String] = []
  /// `-hark-attach`.
  public internal(set) var attachments: [LayoutAttachment] = []
  /// `-hark-stream`: how many bytes determine the length of a message. Nil if it is not given.
  public internal(set) var streamHeader: Int?
  /// Every member of every type, in the order of declaration.
  public internal(set) var fields: [LayoutField] = []
  public internal(set) var enums: [LayoutEnum] = []
  /// What its author should know though it works.
  public internal(set) var warnings: [Diagnostic] = []
  /// The fields that are keys (`-hark-personal: key`), and those whose values follow from one, wherever they are read.
  package internal(set) var keys: Set<Int> = []
  /// The fields that the value of a field is computed from. Numbers after those of fields are parameters of types.
  var sources: [Int: Set<Int>] = [:]
  /// Those of `to-string`.
  var sourcesOfSummary: Set<Int> = []

  var steps: [Step] = []
  var constants: [Value] = []
  /// Text and bytes of literals.
  var constantBytes: [UInt8] = []
  var types: [CompiledType] = []
  var instances: [CompiledInstance] = []
  var strips: [Strip] = []
  var encodings: [TextEncoding] = []
  /// The cases of all tables, each table in the order of its keys.
  var cases: [Case] = []
  var checksums: [ChecksumAlgorithm] = []
  /// Where expressions begin that belong to no member: probes of tests.
  var probes: [Int] = []
  /// Where `to-string` and `-hark-stream/total` begin.
  var summaryEntry: Int?
  var totalEntry: Int?

  struct CompiledType {
    /// `a::b`, below the type its file describes; empty for the layout's own.
    var name = ""
    var entry = 0
    var slotCount = 0
    /// Its members, in `Layout.fields`.
    var fields = 0..<0
  }

  struct CompiledInstance {
    var entry = 0
    var slot = 0
    var field = 0
    /// Computed from an expression.
    var isValue = false
  }

  /// Whether members of any of its types are keys.
  package var holdsKeys: Bool { !keys.isEmpty }

  /// The number of a type, for `LayoutMachine.run`: `a::b`, the names below the type the file
  /// describes, or nothing for that one.
  public func type(named name: String) -> Int? { types.firstIndex { $0.name == name } }

  package var typeNames: [String] { types.map(\.name) }

  /// The other way round.
  public func name(ofType number: Int) -> String { types[number].name }

  /// How many steps are skipped where the value of a table is `key`.
  struct Case {
    var key: Int64
    var skipped: Int
  }

  /// How to cut padding and terminator from bytes.
  struct Strip {
    var padding: UInt8?
    var terminator: UInt8?
    /// Two octets make a character, and two zeros the end.
    var width = 1
    var includes = false
    var consumes = true
    var isRequired = true
  }
}

/// A member of a type of a layout.
public struct LayoutField: Sendable {
  /// What its value is, before units and names of codes.
  public enum Form: Sendable {
    case unsigned, signed, float, bool, bytes
    /// ASCII or UTF-8.
    case text
    case encodedText
    /// An object with members of its own.
    case group
    /// Arrays, streams and what a cast makes.
    case other
  }

  /// `-hark-format`.
  public enum Format: String, Sendable, CaseIterable {
    case plain, hex, flag
    /// A Bluetooth Device Address as HCI sends it: the least significant octet first.
    case address
    /// The most significant octet first.
    case addressBigEndian = "address-be"
    /// The most significant octet first, and the least.
    case uuid
    case uuidLittleEndian = "uuid-le"
  }

  /// `-hark-personal`: what it says about a person or a single device.
  public enum Personal: String, Sendable, CaseIterable {
    case name, text, media, key, model
    case phoneNumber = "phone-number"
    case serialNumber = "serial-number"
  }

  /// `body.left`: the names of the types it is in below the layout's own, then its own.
  public internal(set) var path = ""
  /// Its id; empty if the layout leaves it out.
  public internal(set) var name = ""
  public internal(set) var form = Form.other
  public internal(set) var format = Format.plain
  public internal(set) var personal: Personal?
  /// `-hark-unit`.
  public internal(set) var unit = ""
  /// `-hark-severity`.
  public internal(set) var severity = LayoutSeverity.warning
  /// `-hark-checksum`.
  public internal(set) var checksum: ChecksumAlgorithm?
  /// `-hark-with-next`.
  public internal(set) var isWithNext = false
  /// Its place in `Layout.enums`.
  public internal(set) var enumeration: Int?
  public internal(set) var isRepeated = false
  /// Computed or read elsewhere, not in the order of `seq`.
  public internal(set) var isInstance = false
  public internal(set) var documentation = ""
  public internal(set) var references: [String] = []
  /// Where it is declared.
  public internal(set) var file = ""
  public internal(set) var location = SourceLocation(line: 1, column: 1)
}

/// An enum of a layout.
public struct LayoutEnum: Sendable {
  /// `file::type::name`.
  public internal(set) var name = ""
  /// Names and documentation by value, as its low 64 bits.
  public internal(set) var members: [UInt64: (name: String, documentation: String)] = [:]
}
