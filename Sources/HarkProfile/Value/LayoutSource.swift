import HarkCore
import HarkLayout
import HarkSession

/// A layout that a profile reads messages with.
final class LayoutSource: Sendable {
  let layout: Layout
  /// What is asked of each field with each message, by field.
  let fields: [Facts]
  /// For people, by field: `Session ID` of `session_id`.
  let labels: [String]
  /// For filters and columns, by field: `pebble.title_title`; empty for what has no name.
  let paths: [String]
  /// All names of members.
  let names: Set<String>
  private let machines: LayoutMachinePool

  init(_ layout: Layout) {
    self.layout = layout
    fields = layout.fields.map { Facts($0, of: layout) }
    names = Set(layout.fields.map(\.name))
    labels = layout.fields.map { Self.label($0.name) }
    paths = layout.fields.map { $0.name.isEmpty ? "" : "\(layout.id).\($0.label)" }
    // Messages are larger than packets, and there are fewer.
    var budget = LayoutMachine.Budget()
    budget.bytes = 1 << 24
    machines = LayoutMachinePool(layout, budget: budget)
  }

  struct Facts: Sendable {
    let name: String
    let isText, isRepeated, isInstance, isWithNext: Bool
    let format: LayoutField.Format
    let unit: String
    /// By number, where its numbers are codes.
    let names: [UInt64: String]?
    /// Whether another value than its layout demands is an error.
    let isStrict: Bool

    init(_ field: LayoutField, of layout: Layout) {
      name = field.name
      isText = field.form == .text || field.form == .encodedText
      (isRepeated, isInstance) = (field.isRepeated, field.isInstance)
      (isWithNext, format, unit) = (field.isWithNext, field.format, field.unit)
      names = field.enumeration.map { layout.enums[$0].members.mapValues(\.name) }
      isStrict = field.severity == .error
    }
  }

  /// Reads `bytes` as a type of the layout.
  func read(_ bytes: [UInt8], type: Int, listsFields: Bool) -> DecodedMessage {
    let own = machines.take()
    defer { machines.giveBack(own) }
    let secrets = secrets(bytes, type, own)
    var tree = LayoutTree(self, bytes, secrets, listsFields: listsFields)
    own.machine.run(bytes.raw, type: type, into: &tree)
    var message = DecodedMessage(value: tree.finish())
    if let secrets {
      message.secrets = secrets.ranges
      message.secretNames = Set(
        layout.fields.indices.filter(secrets.contains).map { layout.fields[$0].name })
    }
    message.trailing = tree.trailing
    message.fields = tree.fields
    message.notes = tree.notes
    if let failure = tree.failure {
      message.problem = .layout(problem(failure, in: tree.failedPart.map { labels[$0] }))
    }
    return message
  }

  /// The values in `bytes`, read as a type of the layout.
  func values(_ bytes: [UInt8], type: Int) -> [MessageValue] {
    let own = machines.take()
    defer { machines.giveBack(own) }
    var values = LayoutValues(self, bytes, secrets(bytes, type, own))
    own.machine.run(bytes.raw, type: type, into: &values)
    return values.all
  }

  /// The parts of a message that are keys; nil for layouts without keys.
  private func secrets(
    _ bytes: [UInt8], _ type: Int, _ own: LayoutMachinePool.Machine
  ) -> LayoutSecrets? {
    guard layout.holdsKeys else { return nil }
    own.story.events.removeAll(keepingCapacity: true)
    own.machine.run(bytes.raw, type: type, into: &own.story)
    return LayoutSecrets(layout, own.story)
  }

  private func problem(
    _ failure: LayoutFailure, in part: String?
  ) -> DecodedMessage.LayoutProblem {
    let label = failure.field.map { labels[$0] } ?? layout.id
    if case .endOfStream(let needed, let available) = failure.reason {
      return .init(
        field: label, offset: failure.offset, needed: needed, available: available, part: part)
    }
    return .init(field: label, offset: failure.offset, needed: nil, available: 0)
  }

  /// The value of an enum's member.
  func value(of member: String, in path: TypePath) -> Integer? {
    let wanted = path.names.joined(separator: "::")
    for spec in layout.enums where spec.name == wanted || spec.name.hasSuffix("::" + wanted) {
      for (value, known) in spec.members where known.name == member {
        return Integer(Int64(bitPattern: value))
      }
    }
    return nil
  }

  var enumMembers: [String] {
    layout.enums.flatMap { spec in
      let name = spec.name.split(separator: ":").last ?? ""
      return spec.members.values.map { "\(name)::\($0.name)" }
    }
  }

  /// Words that are written in capitals.
  private static let capitals: Set<Substring> = [
    "crc", "id", "iv", "mac", "psm", "uri", "url", "uti", "uuid",
  ]

  /// A length is called like what it is the length of: that is what cannot be read without it.
  private static func label(_ name: String) -> String {
    var words = name.split(separator: "_")
    if words.count > 1, words[0] == "len" || words[0] == "num" { words.removeFirst() }
    return words.map { word in
      capitals.contains(word) ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined(separator: " ")
  }
}
