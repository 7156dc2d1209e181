import HarkCore
import HarkDissection

/// The texts of fields, rendered when a field is met first: a writer copies bytes and looks nothing
/// up by name. Each writer has its own.
@safe struct PacketFieldTexts {
  /// A run of the bytes of a field's texts.
  struct Piece {
    var start: UInt32 = 0
    var count: UInt32 = 0

    var isEmpty: Bool { count == 0 }
  }

  /// How a value is written; the forms of `Field` without their payloads.
  enum Form: UInt8 {
    case decimal, signed, hex, bytes, text, utf16, address, uuid, attributeType, uuidBigEndian
    case float, medical, group, list
    /// A key: only its length is shown.
    case secret
  }

  @safe struct Texts {
    /// Whether all the rest is there.
    fileprivate var isMade = false
    var form = Form.decimal
    var isTitle = false
    var hasNames = false
    var hasFlags = false
    var hasLookup = false
    /// Whether values without a name are numbers.
    var isMeasure = false
    /// Equal for fields whose keys are equal.
    var keyNumber: UInt16 = 0
    /// Equal for fields whose names are equal.
    var nameNumber: UInt16 = 0
    var personal: Field.Personal?
    /// The name, with `, ` in front and a blank after it.
    var name = Piece()
    /// The label as a JSON key with a comma in front: `,"opcode":`; and with `_name` or `_flags`.
    var key = Piece()
    var nameKey = Piece()
    /// How many codes, from 0 on, have a piece in `names`; larger codes are in `rare`.
    fileprivate var nameCount: UInt32 = 0
    /// Whether there are any.
    fileprivate var hasRareNames = false
    /// What one unit is worth, in millionths; 0 if the number stands for itself.
    var factor: Int64 = 0
    var unit = Piece()
    /// What the pieces are runs of; `TextPen.padding` bytes can be read from each.
    fileprivate var bytes: UnsafePointer<UInt8>?
    fileprivate var names: UnsafePointer<Piece>?
    /// The names of the 64 bits, where there are any.
    fileprivate var flags: UnsafePointer<Piece>?

    /// Whether a JSON object has a second member with the meaning of the value.
    var isExplained: Bool { hasNames || hasFlags || isUUID }

    var isUUID: Bool { form == .uuid || form == .attributeType || form == .uuidBigEndian }
  }

  /// The texts of one field where they are: handing them on would copy them.
  @dynamicMemberLookup @safe struct Reference {
    fileprivate let texts: UnsafePointer<Texts>

    /// Whether this field and another differ only in what is personal of them.
    func isTwin(of other: Reference) -> Bool {
      self.nameNumber == other.nameNumber && self.personal != other.personal
    }

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<Texts, Value>) -> Value {
      unsafe texts.pointee[keyPath: member]
    }

    /// The name of the bit `bit` (0 to 63) of a field with flags; empty if it has none.
    func flag(_ bit: Int) -> Piece {
      guard bit < 64, let flags = unsafe texts.pointee.flags else { return Piece() }
      return unsafe flags[bit]
    }

    /// Where `piece` begins; `TextPen.padding` bytes can be read there.
    @inline(__always)
    fileprivate func start(_ piece: Piece) -> UnsafeRawPointer {
      unsafe UnsafeRawPointer(texts.pointee.bytes.unsafelyUnwrapped + Int(piece.start))
    }
  }

  private let fields: UnsafeMutablePointer<Texts>
  let count: Int
  private let maker: Maker

  /// Opcodes of commands take 16 bits; the codes of the Controller end below this.
  static let mostInARow: UInt64 = 0x2100

  /// - Parameter hasKeys: Whether labels are wanted, which take longer to find than everything else.
  init(_ catalog: Catalog, hasKeys: Bool = true) {
    maker = Maker(catalog, hasKeys)
    (unsafe fields, count) = unsafe (maker.fields, maker.count)
  }

  @inline(__always)
  subscript(field: Field) -> Reference {
    precondition(Int(field.id) < count, "a field was declared after the catalog was made")
    let texts = unsafe fields + Int(field.id)
    if unsafe !texts.pointee.isMade { maker.make(field) }
    return unsafe Reference(texts: texts)
  }

  /// The name of the code `value` of the field with `texts`; empty if it has none.
  @inline(__always)
  func name(of value: UInt64, _ texts: Reference, _ field: Field) -> Piece {
    if unsafe value < UInt64(texts.texts.pointee.nameCount) {
      return unsafe texts.texts.pointee.names.unsafelyUnwrapped[Int(truncatingIfNeeded: value)]
    }
    return unsafe texts.texts.pointee.hasRareNames ? maker.rareName(value, field) : Piece()
  }

  /// Owns the memory of all texts, and fills it.
  @safe private final class Maker {
    let fields: UnsafeMutablePointer<Texts>
    let count: Int
    private let catalog: Catalog
    private let hasKeys: Bool
    private var rare: [UInt64: Piece] = [:]
    /// The same of codes beyond 48 bits, as numbers below zero are.
    private var beyond: [Beyond: Piece] = [:]

    private struct Beyond: Hashable {
      let code: UInt64
      let field: UInt16
    }

    private var keys: [String: UInt16] = [:]
    private var nameNumbers: [String: UInt16] = [:]
    private var blocks: [UnsafeMutableRawPointer] = unsafe []

    init(_ catalog: Catalog, _ hasKeys: Bool) {
      self.catalog = catalog
      self.hasKeys = hasKeys
      count = catalog.definitions.count
      unsafe fields = .allocate(capacity: max(1, count))
      unsafe fields.initialize(repeating: Texts(), count: count)
    }

    deinit {
      for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
      unsafe fields.deallocate()
    }

    private func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
      let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
      unsafe memory.initialize(from: elements, count: elements.count)
      unsafe blocks.append(UnsafeMutableRawPointer(memory))
      return unsafe UnsafePointer(memory)
    }

    func rareName(_ value: UInt64, _ field: Field) -> Piece {
      guard value <= 0xFFFF_FFFF_FFFF else {
        return beyond[Beyond(code: value, field: field.id)] ?? Piece()
      }
      return rare[value << 16 | UInt64(field.id)] ?? Piece()
    }

    @inline(never)
    func make(_ field: Field) {
      let definition = catalog.definitions[Int(field.id)]
      let label = hasKeys ? catalog.label(of: field) : ""
      var arena = TextPen(reserving: 256)
      func piece(_ write: (inout TextPen) -> Void) -> Piece {
        let start = arena.count
        write(&arena)
        return Piece(start: UInt32(start), count: UInt32(arena.count - start))
      }
      func key(_ suffix: StaticString) -> Piece {
        piece {
          $0.text(",\"")
          $0.string(label)
          $0.text(suffix)
          $0.text("\":")
        }
      }
      var texts = Texts()
      texts.isMade = true
      texts.form = definition.secret ? .secret : Form(definition.form)
      texts.isTitle = definition.title
      texts.hasNames = definition.hasNames
      texts.hasLookup = definition.lookup != nil
      texts.isMeasure = definition.isMeasure
      texts.hasFlags = !definition.flags.isEmpty
      texts.name = piece {
        $0.text(", ")
        $0.text(definition.name)
        $0.byte(0x20)
      }
      texts.key = key("")
      texts.nameKey = key(definition.hasNames || definition.flags.isEmpty ? "_name" : "_flags")
      texts.keyNumber = keys[label] ?? UInt16(truncatingIfNeeded: keys.count)
      keys[label] = texts.keyNumber
      let name = definition.name.description
      texts.nameNumber = nameNumbers[name] ?? UInt16(truncatingIfNeeded: nameNumbers.count)
      nameNumbers[name] = texts.nameNumber
      texts.personal = definition.personal
      let inARow = definition.names.keys.lazy.filter { $0 < PacketFieldTexts.mostInARow }
      var names = [Piece](repeating: Piece(), count: inARow.max().map { Int($0) + 1 } ?? 0)
      for (code, name) in definition.names {
        let piece = piece { $0.text(name) }
        if code < PacketFieldTexts.mostInARow {
          names[Int(code)] = piece
        } else if code <= 0xFFFF_FFFF_FFFF {
          rare[code << 16 | UInt64(field.id)] = piece
        } else {
          beyond[Beyond(code: code, field: field.id)] = piece
        }
      }
      texts.nameCount = UInt32(names.count)
      texts.hasRareNames = definition.names.keys.contains { $0 >= PacketFieldTexts.mostInARow }
      unsafe texts.names = keep(names)
      if texts.hasFlags {
        let flags = (0..<UInt64(64)).map { bit in
          definition.flags[bit].map { name in piece { $0.text(name) } } ?? Piece()
        }
        unsafe texts.flags = keep(flags)
      }
      // `1.25 ms` is a factor and a unit; `dBm` is a unit alone.
      let unit = definition.unit.description
      if !unit.isEmpty {
        let parts = unit.split(separator: " ", maxSplits: 1)
        if parts.count == 2, let factor = Double(parts[0]),
          let millionths = Int64(exactly: (factor * 1_000_000).rounded())
        {
          texts.factor = millionths
          texts.unit = piece { $0.string(" " + parts[1]) }
        } else {
          texts.unit = piece { $0.string(" " + unit) }
        }
      }
      // The pen may read past the last piece.
      arena.append([UInt8](repeating: 0, count: TextPen.padding))
      unsafe texts.bytes = keep(Array(arena.bytes))
      unsafe fields[Int(field.id)] = texts
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
      case .utf16: .utf16
      case .address: .address
      case .uuid: .uuid
      case .attributeType: .attributeType
      case .uuidBigEndian: .uuidBigEndian
      case .float: .float
      case .medical: .medical
      case .group: .group
      case .list: .list
      }
  }
}

extension TextPen {
  @inline(__always)
  mutating func append(
    _ piece: PacketFieldTexts.Piece, of field: borrowing PacketFieldTexts.Reference
  ) {
    unsafe append(padded: field.start(piece), count: Int(piece.count))
  }

  /// The name of the field, as the first of a line or with a comma in front.
  @inline(__always)
  mutating func append(nameOf field: PacketFieldTexts.Reference, isFirst: Bool) {
    var piece = field.name
    if isFirst {
      piece.start &+= 2
      piece.count &-= 2
    }
    append(piece, of: field)
  }

  /// The name of a bit, or `bit 7`.
  mutating func append(flag bit: Int, _ field: PacketFieldTexts.Reference) {
    let name = field.flag(bit)
    if !name.isEmpty { return append(name, of: field) }
    text("bit ")
    decimal(bit)
  }
}

extension Tree.Node {
  /// The value of a `.signed` field. One that is inferred has no bytes, and all bits.
  @inline(__always)
  var signed: Int64 {
    if kind == .inferred { return Int64(bitPattern: value) }
    let shift = UInt64(64 &- min(8, max(Int(count), 1)) &* 8)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }
}
