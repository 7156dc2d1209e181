import HarkCore

/// The built-in protocols, and who hangs where.
public final class Catalog: Sendable {
  public let entries: [Entry]
  /// What was declared for each field, by the field's id.
  public let definitions: [Field.Definition]
  /// The last part of each field's path, by the field's id.
  public let labels: [String]

  private let records: [Entry?]
  private let channels: [Entry?]
  private let others: [Place: Entry]
  private let l2cap: Entry?

  init(_ entries: [Entry]) {
    self.entries = entries
    var records = [Entry?](repeating: nil, count: 256)
    var channels = [Entry?](repeating: nil, count: 64)
    var others: [Place: Entry] = [:]
    var l2cap: Entry?
    for entry in entries {
      for place in entry.places {
        switch place {
        case .record(let kind): records[Int(kind.rawValue)] = entry
        case .channel(let cid) where cid < 64: channels[Int(cid)] = entry
        case .l2cap: l2cap = entry
        default: others[place] = entry
        }
      }
    }
    (self.records, self.channels, self.others, self.l2cap) = (records, channels, others, l2cap)
    let undecoded = Tree.undecodedField
    var labels = [String](repeating: "", count: Field.definitions.withLock(\.count))
    for entry in entries {
      labels[Int(entry.layer.id)] = entry.path.description
      Self.fields(of: entry.fields) { labels[Int($1.id)] = $0 }
    }
    labels[Int(undecoded.id)] = "undecoded"
    self.labels = labels
    definitions = Field.definitions.withLock { $0 }
  }

  subscript(place: Place) -> Entry? {
    switch place {
    case .record(let kind): records[Int(kind.rawValue)]
    case .channel(let cid): cid < 64 ? channels[Int(cid)] : nil
    case .l2cap: l2cap
    default: others[place]
    }
  }

  /// Calls `body` with the property name of each field declared in `value`, also in structures
  /// that several protocols share.
  static func fields(of value: Any, _ body: (String, Field) -> Void) {
    for child in Mirror(reflecting: value).children {
      if let field = child.value as? Field {
        body(child.label ?? "", field)
      } else {
        fields(of: child.value, body)
      }
    }
  }

  /// All paths users can name: `att.opcode`, with the field and its protocol, in declaration order.
  public var paths: [(path: String, field: Field, entry: Entry)] {
    entries.flatMap { entry in
      var result: [(String, Field, Entry)] = []
      Self.fields(of: entry.fields) { result.append(("\(entry.path).\($0)", $1, entry)) }
      return result
    }
  }

  /// Reads the record `bytes` for the index.
  public func summarize(_ bytes: RawSpan, _ place: Place, _ context: Context) -> Facts {
    var pdu = PDU(bytes, out: Summary(), context: context, catalog: self)
    if let entry = self[place] { pdu.run(entry) }
    return pdu.facts
  }

  /// Reads `bytes` into `tree`, which is emptied first.
  @discardableResult
  public func describe(
    _ bytes: RawSpan, _ place: Place, _ context: Context, into tree: inout Tree
  ) -> Facts {
    tree.clear()
    var pdu = PDU(bytes, out: tree, context: context, catalog: self)
    tree = Tree()
    if let entry = self[place] {
      pdu.run(entry)
    } else {
      pdu.leaveUndecoded()
    }
    tree = pdu.out
    return pdu.facts
  }
}
