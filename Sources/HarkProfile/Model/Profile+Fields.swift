import HarkCore
import HarkDissection
import HarkLayout
import HarkSession

extension Profile {
  /// What filters and columns can name of its messages that no packet has as they are: the fields of layouts
  /// that hang nowhere themselves, and the members of other encodings that a schema or the profile names.
  /// Fields are declared again with each call: call it once per profile.
  /// - Parameter taken: The ids of layouts whose fields are declared elsewhere; those of this profile are
  ///   added.
  public func entries(besides taken: inout Set<String>) -> [Entry] {
    let names = MessageNames(self)
    var entries: [Entry] = []
    for layout in names.layouts where taken.insert(layout.id).inserted {
      entries.append(
        entry(layout.title.isEmpty ? layout.id : layout.title, layout.id, layout.declaredFields))
    }
    if !names.members.isEmpty {
      let fields = names.members.map { (label: $0.label, field: $0.field, documentation: "") }
      entries.append(entry(name, id, fields))
    }
    return entries
  }

  /// The layouts and profiles that have paths of their own in its messages.
  public var messagePaths: Set<String> {
    Set(MessageNames(self).layouts.map(\.id) + [id])
  }

  private func entry(
    _ name: String, _ path: String,
    _ fields: [(label: String, field: Field, documentation: String)]
  ) -> Entry {
    Entry(
      name: StaticString(kept: name), path: StaticString(kept: path), specification: "",
      places: [], externalAccessories: [], cutter: nil, listed: fields,
      documentation: documentation, MessagesOnly())
  }
}

/// Reads nothing: what is in messages is no PDU of its own.
private struct MessagesOnly: RuntimeDissector {
  func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {}
}

/// What the encodings of a profile give names to.
private struct MessageNames {
  private(set) var layouts: [Layout] = []
  /// Members, under the paths that `ProfileValue` gives them, in the order in which they were met.
  private(set) var members: [(label: String, field: Field)] = []
  private var labels: Set<String> = []

  private static let most = 2_048

  /// Where secrets pass, nothing is kept: see `ProfileAssembler`.
  init(_ profile: Profile) {
    labels = Set(profile.secretNames.map { String(decoding: $0, as: UTF8.self) })
    for channel in profile.channels where !channel.isSecret && !channel.contents.marksKeysInside {
      add(channel.contents)
    }
    for plaintext in profile.plaintexts where !plaintext.isSecret { add(plaintext.contents) }
  }

  // MARK: Encodings

  private mutating func add(_ contents: Profile.Contents) {
    add(contents.encoding)
    var paths: [[String]] = []
    if contents.encoding.isSchemaless {
      contents.selector?.addMembers(to: &paths, in: [])
      for formula in contents.head.members.values { formula.addMembers(to: &paths, in: []) }
      for rule in contents.rules { rule.addMembers(to: &paths, in: []) }
    }
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for count in 1..<path.count + 1 {
        let isGroup =
          count < path.count || paths.contains { $0.count > count && $0.starts(with: path) }
        declare(path[..<count].joined(separator: "_"), isGroup ? .group : .text)
      }
    }
    for inner in contents.rules.flatMap(\.inner) { add(inner) }
  }

  private mutating func add(_ encoding: Encoding) {
    switch encoding {
    case .layout(let source, _):
      if !layouts.contains(where: { $0.id == source.layout.id }) { layouts.append(source.layout) }
    case .protobuf(let schema?, let type): add(schema, type, "", [])
    case .json, .cbor, .propertyList, .opack, .messagePack, .protobuf(nil, _), .raw: break
    }
  }

  private mutating func declare(_ label: String, _ form: Field.Form, isFlag: Bool = false) {
    guard members.count < Self.most, labels.insert(label).inserted else { return }
    let names: [UInt64: StaticString] = isFlag ? [0: "false", 1: "true"] : [:]
    members.append((label, Field(StaticString(kept: label), form, names: names)))
  }

  private mutating func add(
    _ schema: ProtobufSchema, _ type: Int, _ path: String, _ outer: [Int]
  ) {
    // A message may be in itself.
    guard !outer.contains(type), outer.count < 8 else { return }
    for (_, field) in schema.messages[type].fields.sorted(by: { $0.key < $1.key }) {
      let label = path.isEmpty ? field.name : path + "_" + field.name
      let isFlag = if case .bool = field.form { true } else { false }
      declare(label, field.form.shown, isFlag: isFlag)
      switch field.form {
      // The keys of a map are no names that a schema knows.
      case .message(let inner) where !field.isMap: add(schema, inner, label, outer + [type])
      case .group(let inner, _): add(schema, inner, label, outer + [type])
      default: break
      }
    }
  }
}

extension Encoding {
  /// Whether only those who use a message know what its members are called.
  fileprivate var isSchemaless: Bool {
    switch self {
    case .json, .cbor, .propertyList, .opack, .messagePack, .protobuf(nil, _): true
    case .layout, .protobuf, .raw: false
    }
  }
}

extension ProtobufSchema.Form {
  fileprivate var shown: Field.Form {
    switch self {
    case .unsigned, .bool, .fixed(_, isSigned: false): .decimal
    case .signed, .zigzag, .fixed(_, isSigned: true): .signed
    case .float, .double: .float
    case .text: .text
    case .bytes: .bytes
    case .message, .group: .group
    }
  }
}

extension Rule {
  /// What is inside of its message, in an encoding of its own.
  var inner: [Profile.Contents] {
    guard let contents else { return [] }
    return kind == .several ? contents.rules.flatMap(\.inner) : [contents]
  }

  fileprivate func addMembers(to paths: inout [[String]], in outer: [String]) {
    `when`?.addMembers(to: &paths, in: outer)
    let base = scope.flatMap { $0.addMembers(to: &paths, in: outer) } ?? outer
    for formula in needs + members.values + cleared.values {
      formula.addMembers(to: &paths, in: base)
    }
    for items in lists.values {
      guard let each = items.each.addMembers(to: &paths, in: base) else { continue }
      for formula in (items.when.map { [$0] } ?? []) + items.members.values {
        formula.addMembers(to: &paths, in: each)
      }
    }
    guard kind == .several else { return }
    for rule in contents?.rules ?? [] { rule.addMembers(to: &paths, in: base) }
  }
}

extension Formula {
  /// Adds the members that an expression looks at.
  /// - Parameter base: The members that its names are in.
  /// - Returns: Where the member is that it stands for; nil if it stands for none.
  @discardableResult
  func addMembers(to paths: inout [[String]], in base: [String]) -> [String]? {
    switch self {
    case .constant: return nil
    case .here: return base
    case .root: return []
    case .name(let name):
      paths.append(base + [name])
      return base + [name]
    case .member(let inner, let name, nil):
      guard let outer = inner.addMembers(to: &paths, in: base) else { return nil }
      paths.append(outer + [name])
      return outer + [name]
    // An item of an array has the array's path.
    case .member(let inner, _, .first?), .member(let inner, _, .last?),
      .member(let inner, _, .nonEmpty?), .call(let inner, .all, _):
      return inner.addMembers(to: &paths, in: base)
    case .index(let inner, let index):
      index.addMembers(to: &paths, in: base)
      return inner.addMembers(to: &paths, in: base)
    case .member(let inner, _, _), .unary(_, let inner): inner.addMembers(to: &paths, in: base)
    case .call(let inner, _, let parts):
      for part in [inner] + parts { part.addMembers(to: &paths, in: base) }
    case .list(let parts), .joined(let parts):
      for part in parts { part.addMembers(to: &paths, in: base) }
    case .binary(_, let a, let b):
      for part in [a, b] { part.addMembers(to: &paths, in: base) }
    case .conditional(let a, let b, let c):
      for part in [a, b, c] { part.addMembers(to: &paths, in: base) }
    }
    return nil
  }
}
