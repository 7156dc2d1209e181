import HarkCore
import HarkDissection

/// The texts of every field, rendered once: a writer copies bytes and looks nothing up by name.
///
/// There is one value, which lives as long as the program: its memory is never freed, and reading it
/// counts no references.
@safe struct PacketFieldTexts: @unchecked Sendable {
  /// A run of the bytes of `arena`.
  struct Piece: Sendable {
    var start: UInt32 = 0
    var count: UInt32 = 0

    var isEmpty: Bool { count == 0 }
  }

  /// How a value is written; the forms of `Field` without their payloads.
  enum Form: UInt8, Sendable {
    case decimal, signed, hex, bytes, text, address, uuid, uuidBigEndian, float, group, list
    /// A key, of which only the length is told.
    case secret
  }

  struct Texts: Sendable {
    var form = Form.decimal
    var isInLine = false
    var isTitle = false
    var hasNames = false
    var hasFlags = false
    var hasLookup = false
    /// Equal for fields whose keys are equal.
    var keyNumber: UInt16 = 0
    /// The name, with a blank behind it.
    var name = Piece()
    /// The label as a JSON key with a comma in front: `,"opcode":`; and with `_name` or `_flags`.
    var key = Piece()
    var nameKey = Piece()
    /// The names of the codes from 0 on, as pieces from this one on; larger codes are in `rare`.
    var names: UInt32 = 0
    var nameCount: UInt32 = 0
    /// The names of the bits, as 64 pieces from this one on, where there are any.
    var flags: UInt32 = 0
    /// What one unit is worth, in millionths; 0 where the number stands for itself.
    var factor: UInt64 = 0
    var unit = Piece()

    /// Whether a JSON object has a second member that tells what the value means.
    var isExplained: Bool { hasNames || hasFlags || form == .uuid || form == .uuidBigEndian }
  }

  /// The texts of one field where they are: handing their sixty bytes on would copy them.
  @dynamicMemberLookup @safe struct Reference {
    fileprivate let texts: UnsafePointer<Texts>

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<Texts, Value>) -> Value {
      unsafe texts.pointee[keyPath: member]
    }
  }

  private let arena: UnsafePointer<UInt8>
  private let fields: UnsafePointer<Texts>
  private let pieces: UnsafePointer<Piece>
  let count: Int
  let keyCount: Int
  private let rare: [UInt64: Piece]

  static let builtIn = PacketFieldTexts(.builtIn)

  /// Opcodes of commands take 16 bits; the codes of the Controller end below this.
  static let mostInARow: UInt64 = 0x2100

  init(_ catalog: Catalog) {
    var making = Making()
    for (id, definition) in catalog.definitions.enumerated() {
      making.add(definition, label: catalog.labels[id], id: UInt64(id))
    }
    // The pen may read past the last piece.
    let padding = [UInt8](repeating: 0, count: TextPen.padding)
    making.arena.append(padding)
    unsafe arena = Self.keep(making.arena.bytes.bindMemory(to: UInt8.self))
    unsafe fields = Self.keep(making.fields)
    unsafe pieces = Self.keep(making.pieces)
    count = making.fields.count
    keyCount = making.keys.count
    rare = making.rare
  }

  private static func keep<Element>(_ elements: some Collection<Element>) -> UnsafePointer<Element>
  {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, elements.count))
    _ = unsafe memory.initialize(fromContentsOf: elements)
    return unsafe UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
  }

  @inline(__always)
  subscript(field: Field) -> Reference {
    precondition(Int(field.id) < count, "a field was declared after the catalog was made")
    return unsafe Reference(texts: fields + Int(field.id))
  }

  /// Where `piece` begins; `TextPen.padding` bytes can be read there.
  @inline(__always)
  func start(_ piece: Piece) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(arena + Int(piece.start))
  }

  /// The name of the code `value` of the field with `texts`; empty if it has none.
  @inline(__always)
  func name(of value: UInt64, _ texts: Reference, _ id: UInt16) -> Piece {
    if value < UInt64(texts.nameCount) {
      return unsafe pieces[Int(texts.names) &+ Int(truncatingIfNeeded: value)]
    }
    return rareName(value, id)
  }

  /// The name of the bit `bit` (0 to 63) of a field with flags; empty if it has none.
  func flag(_ bit: Int, _ texts: Reference) -> Piece {
    precondition(texts.hasFlags && bit < 64, "no such bit")
    return unsafe pieces[Int(texts.flags) &+ bit]
  }

  @inline(never)
  private func rareName(_ value: UInt64, _ id: UInt16) -> Piece {
    guard value <= 0xFFFF_FFFF_FFFF else { return Piece() }
    return rare[value << 16 | UInt64(id)] ?? Piece()
  }

  private struct Making: ~Copyable {
    var arena = TextPen(reserving: 1 << 16)
    var fields: [Texts] = []
    var pieces: [Piece] = []
    var rare: [UInt64: Piece] = [:]
    var keys: [String: UInt16] = [:]

    mutating func piece(_ write: (inout TextPen) -> Void) -> Piece {
      let start = arena.count
      write(&arena)
      return Piece(start: UInt32(start), count: UInt32(arena.count - start))
    }

    mutating func add(_ definition: Field.Definition, label: String, id: UInt64) {
      var texts = Texts()
      texts.form = definition.secret ? .secret : Form(definition.form)
      texts.isInLine = definition.inLine
      texts.isTitle = definition.title
      texts.hasNames = definition.hasNames
      texts.hasLookup = definition.lookup != nil
      texts.hasFlags = !definition.flags.isEmpty
      texts.name = piece {
        $0.text(definition.name)
        $0.byte(0x20)
      }
      let suffix: StaticString =
        definition.hasNames || definition.flags.isEmpty ? "_name" : "_flags"
      texts.key = key(label, "")
      texts.nameKey = key(label, suffix)
      let keyNumber = keys[label] ?? UInt16(truncatingIfNeeded: keys.count)
      keys[label] = keyNumber
      texts.keyNumber = keyNumber
      names(definition, &texts, id)
      if texts.hasFlags {
        texts.flags = UInt32(pieces.count)
        for bit in 0..<UInt64(64) {
          pieces.append(definition.flags[bit].map { name in piece { $0.text(name) } } ?? Piece())
        }
      }
      unit(definition.unit.description, &texts)
      fields.append(texts)
    }

    private mutating func key(_ label: String, _ suffix: StaticString) -> Piece {
      piece {
        $0.text(",\"")
        $0.string(label)
        $0.text(suffix)
        $0.text("\":")
      }
    }

    private mutating func names(
      _ definition: Field.Definition, _ texts: inout Texts, _ id: UInt64
    ) {
      let inARow = definition.names.keys.filter { $0 < PacketFieldTexts.mostInARow }
      texts.names = UInt32(pieces.count)
      texts.nameCount = inARow.max().map { UInt32($0) + 1 } ?? 0
      pieces += Array(repeating: Piece(), count: Int(texts.nameCount))
      for (code, name) in definition.names {
        let piece = piece { $0.text(name) }
        if code < PacketFieldTexts.mostInARow {
          pieces[Int(texts.names) + Int(code)] = piece
        } else if code <= 0xFFFF_FFFF_FFFF {
          rare[code << 16 | id] = piece
        }
      }
    }

    /// `1.25 ms` is a factor and a unit; `dBm` is a unit alone.
    private mutating func unit(_ unit: String, _ texts: inout Texts) {
      guard !unit.isEmpty else { return }
      let parts = unit.split(separator: " ", maxSplits: 1)
      if parts.count == 2, let factor = Double(parts[0]) {
        texts.factor = UInt64((factor * 1_000_000).rounded())
        texts.unit = piece { $0.string(" " + parts[1]) }
      } else {
        texts.unit = piece { $0.string(" " + unit) }
      }
    }
  }
}

extension PacketFieldTexts.Form {
  init(_ form: Field.Form) {
    self =
      switch form {
      case .decimal: .decimal
      case .signed: .signed
      case .hex: .hex
      case .bytes: .bytes
      case .text: .text
      case .address: .address
      case .uuid: .uuid
      case .uuidBigEndian: .uuidBigEndian
      case .float: .float
      case .group: .group
      case .list: .list
      }
  }
}

extension TextPen {
  @inline(__always)
  mutating func append(_ piece: PacketFieldTexts.Piece, of texts: borrowing PacketFieldTexts) {
    unsafe append(padded: texts.start(piece), count: Int(piece.count))
  }

  /// The name of a bit, or `bit 7`.
  mutating func append(
    flag bit: Int, _ field: PacketFieldTexts.Reference, of texts: borrowing PacketFieldTexts
  ) {
    let name = texts.flag(bit, field)
    if !name.isEmpty { return append(name, of: texts) }
    text("bit ")
    decimal(bit)
  }
}

extension Tree.Node {
  /// The value of a `.signed` field.
  @inline(__always)
  var signed: Int64 {
    let shift = UInt64(64 &- min(8, max(Int(count), 1)) &* 8)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }
}
