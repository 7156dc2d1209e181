/// A type of a layout as it is declared. Kaitai Struct documentation, KSY reference, "Type
/// specification".
final class TypeSpecification {
  let name: String
  let node: SourceNode
  /// The type it is declared in; nil for the type a file describes.
  let outer: TypeSpecification?
  let depth: Int

  var meta = Meta()
  var documentation = Documentation()
  var parameters: [Parameter] = []
  var sequence: [Attribute] = []
  var instances: [Attribute] = []
  /// In the order of the file.
  var types: [TypeSpecification] = []
  var enums: [EnumSpecification] = []
  var toString: ExpressionKey?
  /// Only of a file's own type.
  var extras = LayoutExtras()

  /// Its place in the compiled layout.
  var index = 0
  /// What a name in an expression stands for.
  var members: [String: Member] = [:]
  /// How many values an object of it holds, for its members and for what reading them needs.
  var slotCount = 0
  /// Its members, among the compiled layout's fields.
  var fields = 0..<0
  /// The type that declares a member of it, and with which `parent`.
  var users: [(type: TypeSpecification, parent: Attribute.Parent)] = []
  var parentType: ValueType?
  /// How many bits an object always takes.
  var bitSize = Size.unknown

  enum Size {
    case unknown, pending
    case known(Int?)
  }

  init(name: String, node: SourceNode, outer: TypeSpecification?) {
    self.name = name
    self.node = node
    self.outer = outer
    depth = (outer?.depth ?? -1) + 1
  }

  /// The type the file describes.
  var top: TypeSpecification {
    var type = self
    while let outer = type.outer { type = outer }
    return type
  }

  /// Types, what they declare and who uses them hold each other: once compiled, they let go.
  func letGo() {
    for type in types { type.letGo() }
    (types, enums, users, parentType) = ([], [], [], nil)
    (parameters, sequence, instances, members) = ([], [], [], [:])
  }

  /// `file::a::b`.
  var fullName: String { outer.map { $0.fullName + "::" + name } ?? name }

  enum Member {
    case parameter(Parameter)
    case attribute(Attribute)
    case instance(Attribute)
  }

  /// KSY reference, "Meta section".
  struct Meta {
    var id = ""
    var title = ""
    var imports: [SourceNode] = []
    var endian: Endian?
    var isBitLittleEndian: Bool?
    var encoding: SourceNode?
    var allowsOpaqueTypes = false
  }

  indirect enum Endian {
    case fixed(isLittle: Bool)
    /// `switch-on`; a case without an expression is `_`.
    case calculated(ExpressionKey, [(when: ExpressionKey?, isLittle: Bool)])
  }
}

/// `doc` and `doc-ref`.
struct Documentation {
  var text = ""
  var references: [String] = []
}

/// An expression, and where it stands.
struct ExpressionKey {
  let node: SourceNode
  let expression: Expression
}

/// KSY reference, "Params".
final class Parameter {
  let id: String
  let node: SourceNode
  var documentation = Documentation()
  /// Nil is raw bytes.
  var type: (node: SourceNode, name: TypeName)?
  var enumeration: SourceNode?
  var slot = 0
  var resolved: ValueType?

  init(id: String, node: SourceNode) {
    self.id = id
    self.node = node
  }
}

/// KSY reference, "Enum specification".
final class EnumSpecification {
  let name: String
  let node: SourceNode
  let outer: TypeSpecification
  var members: [Member] = []
  /// Its place in the compiled layout.
  var index = 0

  struct Member {
    let value: Integer
    let name: String
    let documentation: Documentation
  }

  init(name: String, node: SourceNode, outer: TypeSpecification) {
    self.name = name
    self.node = node
    self.outer = outer
  }

  var fullName: String { outer.fullName + "::" + name }
}
