/// A member that is read or computed: of `seq` or of `instances`. KSY reference, "Attribute
/// specification" and "Instance specification".
final class Attribute {
  /// Nil if a `seq` leaves it out.
  let id: String?
  let node: SourceNode
  let isInstance: Bool

  var documentation = Documentation()
  var type = AttributeType.bytes
  var size: ExpressionKey?
  var sizeToEnd = false
  var terminator: UInt8?
  var includesTerminator = false
  var consumesTerminator = true
  var needsTerminator = true
  var padding: UInt8?
  var contents: [UInt8]?
  var encoding: SourceNode?
  var process: Process?
  var condition: ExpressionKey?
  var repetition = Repetition.none
  var validation: [Validation] = []
  var enumeration: SourceNode?
  var parent = Parent.implicit
  // Of instances only.
  var position: ExpressionKey?
  var stream: ExpressionKey?
  var value: ExpressionKey?
  /// Whether it is computed, though what computes it cannot be read.
  var isBroken = false
  var extras = AttributeExtras()

  /// Where an object keeps its value, the items' number and the last item while it repeats.
  var slot = 0
  var countSlot = 0
  var itemSlot = 0
  /// Its place among the compiled layout's fields and instances.
  var fieldIndex = 0
  var instanceIndex = 0
  /// What it was found to be; an instance's only when it is first asked for.
  var resolved: ValueType?
  var isResolving = false
  /// What computes a value instance, made when its type is first asked for.
  var valuePiece: Piece?

  init(id: String?, node: SourceNode, isInstance: Bool) {
    self.id = id
    self.node = node
    self.isInstance = isInstance
  }

  enum Repetition {
    case none
    case toEnd
    case count(ExpressionKey)
    case until(ExpressionKey)
  }

  /// `parent`: left out, `false`, or an expression.
  enum Parent {
    case implicit
    case none
    case given(ExpressionKey)
  }

  struct Process {
    enum Kind { case xor, rotateLeft, rotateRight, zlib }

    let kind: Kind
    let node: SourceNode
    let argument: ExpressionKey?
  }

  enum Validation {
    case equal(ExpressionKey)
    case least(ExpressionKey)
    case most(ExpressionKey)
    case anyOf([ExpressionKey])
    case inEnum(SourceNode)
    case expression(ExpressionKey)
  }

  /// Whether its value is read from bytes whose end is known before.
  var isDelimited: Bool { size != nil || sizeToEnd || terminator != nil }
}

/// What is in `type`.
enum AttributeType {
  /// Left out: as many bytes as are said otherwise.
  case bytes
  case one(TypeReference)
  case choice(SwitchType)
}

struct SwitchType {
  let on: ExpressionKey
  let cases: [Case]

  struct Case {
    let node: SourceNode
    /// Nil for `_`.
    let when: ExpressionKey?
    let type: TypeReference
  }
}

/// A type by its name, with the arguments of its params.
struct TypeReference {
  let node: SourceNode
  let kind: Kind
  var arguments: [Expression] = []

  enum Kind {
    /// `u4le`: octets, signedness; byte order where it is named.
    case integer(octets: Int, isSigned: Bool, isLittle: Bool?)
    case float(octets: Int, isLittle: Bool?)
    /// `b12`, `b12le`.
    case bits(Int, isLittle: Bool?)
    case string
    /// `strz`.
    case terminatedString
    case user(TypePath)
  }
}
