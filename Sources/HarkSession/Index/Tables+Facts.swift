import HarkCore
import HarkDissection

// Reading a packet's fields.
extension Tables {
  /// Reads a record for its facts.
  mutating func facts(_ bytes: RawSpan, _ kind: PacketKind, _ moment: PacketContext) -> Facts {
    guard wanted.fields else {
      let context = kind == .acl ? context(bytes, moment) : context(kind, moment)
      return catalog.summarize(bytes, .record(kind), context)
    }
    record.isInTree = true
    if kind.isAir { record.treeContext = context(moment) }
    guard kind == .acl else {
      return catalog.describe(bytes, .record(kind), context(kind, moment), into: &record.tree)
    }
    record.treeContext = expectedContext(bytes, moment)
    return catalog.describe(bytes, .record(kind), record.treeContext, into: &record.tree)
  }
}
