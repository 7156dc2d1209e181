/// Turns the types of one or several files into one list of steps. All names are resolved here;
/// nothing is looked up by name when a layout runs.
final class Compiler {
  /// What a layout may declare at most, imports included.
  static let mostTypes = 4000
  static let mostFields = 16000
  static let mostSteps = 1 << 20
  /// Of a list that is tried one by one.
  static let mostCases = 256
  /// How far one thing's meaning may hang on another's, and that on a third's.
  static let deepest = 100

  let diagnostics: Diagnostics
  /// The files' own types by their ids: what a name may mean when no type around it does.
  let tops: [String: TypeSpecification]
  var layout = Layout()
  var types: [TypeSpecification] = []

  var depth = 0
  private var constantPlaces: [[UInt8]: Int] = [:]

  init(tops: [String: TypeSpecification], _ diagnostics: Diagnostics) {
    self.tops = tops
    self.diagnostics = diagnostics
  }

  /// Compiles `root` and all it needs; `probes` are expressions in its context that get entries of
  /// their own. Nil if there are errors.
  func compile(
    _ root: TypeSpecification, all: [TypeSpecification], probes: [SourceNode]
  ) -> Layout? {
    for top in all { register(top) }
    guard types.count <= Self.mostTypes else {
      diagnostics.error(root.node, "more than \(Self.mostTypes) types")
      return nil
    }
    // The root comes first: a machine begins with type 0.
    if let place = types.firstIndex(where: { $0 === root }) { types.swapAt(0, place) }
    for (index, type) in types.enumerated() {
      type.index = index
      allocateSlots(of: type)
    }
    guard layout.fields.count <= Self.mostFields else {
      diagnostics.error(root.node, "more than \(Self.mostFields) members")
      return nil
    }
    for type in types { collectUsers(in: type) }
    for type in types { resolveAll(in: type) }
    layout.types = types.map { _ in Layout.CompiledType() }
    for type in types {
      guard layout.steps.count <= Self.mostSteps else {
        diagnostics.error(type.node, "more than \(Self.mostSteps) steps")
        return nil
      }
      compile(type)
    }
    compileEntries(of: root, probes: probes)
    guard !diagnostics.hasErrors else { return nil }
    describe(root)
    layout.keys = keys
    return layout
  }

  private func register(_ type: TypeSpecification) {
    types.append(type)
    for spec in type.enums {
      spec.index = layout.enums.count
      var members: [UInt64: (name: String, documentation: String)] = [:]
      for member in spec.members {
        members[member.value.bits] = (member.name, member.documentation.text)
      }
      layout.enums.append(LayoutEnum(name: spec.fullName, members: members))
    }
    for inner in type.types { register(inner) }
  }

  private func allocateSlots(of type: TypeSpecification) {
    var next = 0
    let first = layout.fields.count
    func slot() -> Int {
      defer { next += 1 }
      return next
    }
    for parameter in type.parameters { parameter.slot = slot() }
    for attribute in type.sequence + type.instances {
      attribute.slot = slot()
      attribute.itemSlot = attribute.slot
      if case .none = attribute.repetition {
      } else {
        attribute.itemSlot = slot()
        attribute.countSlot = slot()
      }
      attribute.fieldIndex = layout.fields.count
      layout.fields.append(LayoutField())
      if attribute.isInstance {
        attribute.instanceIndex = layout.instances.count
        layout.instances.append(
          Layout.CompiledInstance(
            slot: attribute.slot, field: attribute.fieldIndex, isValue: attribute.value != nil))
      }
    }
    type.slotCount = next
    type.fields = first..<layout.fields.count
  }

  private func resolveAll(in type: TypeSpecification) {
    for parameter in type.parameters { _ = resolve(parameter, in: type) }
    for attribute in type.sequence + type.instances {
      let resolved = resolve(attribute, in: type)
      describe(attribute, resolved, in: type)
    }
  }

  // MARK: Constants

  func constant(_ tag: Value.Tag, _ bytes: [UInt8]) -> Step {
    let start: Int
    if let place = constantPlaces[bytes] {
      start = place
    } else {
      start = layout.constantBytes.count
      layout.constantBytes += bytes
      constantPlaces[bytes] = start
    }
    return constant(Value(tag, .constants, start..<(start + bytes.count)))
  }

  func constant(_ value: Value) -> Step {
    if value.tag == .int, let small = Int32(exactly: Int64(bitPattern: value.bits)) {
      return Step(.integer, Int(small))
    }
    layout.constants.append(value)
    return Step(.constant, layout.constants.count - 1)
  }

  func append(_ steps: [Step]) { layout.steps += steps }

  // MARK: What readers of the layout want to know

  /// The names of `type` below the type its file describes; those of other files have the file's.
  func localName(of type: TypeSpecification) -> String {
    type.fullName.split(separator: ":").dropFirst(type.top === types[0] ? 1 : 0)
      .joined(separator: "::")
  }

  private func describe(_ root: TypeSpecification) {
    layout.id = root.name
    layout.title = root.meta.title
    layout.documentation = root.documentation.text
    layout.references = root.documentation.references
    layout.attachments = root.extras.attachments
    layout.streamHeader = root.extras.header
    layout.warnings = diagnostics.inOrder
  }

  private func describe(
    _ attribute: Attribute, _ resolved: ValueType, in type: TypeSpecification
  ) {
    var field = LayoutField()
    field.name = attribute.id ?? ""
    let below = localName(of: type).split(separator: ":")
    field.path = (below + [Substring(field.name)]).joined(separator: ".")
    field.isInstance = attribute.isInstance
    var item = resolved
    if case .array(let inner) = resolved {
      item = inner
      field.isRepeated = true
    }
    field.form = form(of: item, attribute, in: type)
    if case .enumeration(let spec) = item { field.enumeration = spec.index }
    field.format = attribute.extras.format
    field.personal = attribute.extras.personal
    field.unit = attribute.extras.unit
    field.checksum = attribute.extras.checksum?.algorithm
    field.severity = attribute.extras.severity
    field.isWithNext = attribute.extras.isWithNext
    field.documentation = attribute.documentation.text
    field.references = attribute.documentation.references
    field.file = attribute.node.file
    field.location = attribute.node.location
    layout.fields[attribute.fieldIndex] = field
  }

  private func form(
    of type: ValueType, _ attribute: Attribute, in owner: TypeSpecification
  ) -> LayoutField.Form {
    switch type {
    case .integer, .enumeration:
      if case .one(let reference) = attribute.type,
        case .integer(_, let isSigned, _) = reference.kind
      {
        isSigned ? .signed : .unsigned
      } else if case .one(let reference) = attribute.type, case .bits = reference.kind {
        .unsigned
      } else {
        .signed
      }
    case .float: .float
    case .bool: .bool
    case .string:
      [.ascii, .utf8].contains(encoding(of: attribute, in: owner) ?? .utf8) ? .text : .encodedText
    case .bytes: .bytes
    case .object, .anyObject: .group
    case .array, .stream, .any, .unknown: .other
    }
  }
}
