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

  /// Reads `bytes` into `tree`: for the few packets whose fields change state.
  mutating func describe(_ bytes: RawSpan, _ place: AttachmentPoint, _ moment: PacketContext) {
    let isRecord = if case .record = place { true } else { false }
    if isRecord, record.isInTree { return }
    record.isInTree = isRecord
    var context = context(moment)
    if case .record(let kind) = place {
      context.manufacturer = manufacturer(kind, moment.controller)
    }
    record.treeContext = context
    catalog.describe(bytes, place, context, into: &record.tree)
  }

  func text(_ field: Field, of bytes: RawSpan) -> String? {
    record.tree.node(field).map { catalog.string($0, of: bytes) }
  }
}
