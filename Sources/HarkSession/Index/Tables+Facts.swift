import HarkCore
import HarkDissection

// Reading a packet's fields.
extension Tables {
  /// Reads a record for its facts.
  mutating func facts(_ bytes: RawSpan, _ kind: PacketKind, _ moment: PacketContext) -> Facts {
    if kind == .event { noteContinuedData(bytes, moment) }
    know(bytes, kind, moment)
    guard wanted.fields else { return catalog.summarize(bytes, kind, record.known) }
    record.isInTree = true
    if kind.isAir { record.treeContext = record.known }
    guard kind == .acl else {
      return catalog.describe(bytes, .record(kind), record.known, into: &record.tree)
    }
    record.treeContext = expectedContext(bytes, moment)
    return catalog.describe(bytes, .record(kind), record.treeContext, into: &record.tree)
  }

  /// Sets what is known about a record. All other members of `known` keep their first values.
  private mutating func know(_ bytes: RawSpan, _ kind: PacketKind, _ moment: PacketContext) {
    record.known.isTruncated = moment.isTruncated
    record.known.continuedData = record.continuedData
    if kind == .acl {
      let handle = ACLBeginning.handle(bytes)
      record.known.isDiagnosticsHandleInUse =
        handle == Context.diagnosticsHandle && isConnection(handle, moment)
    } else {
      record.known.isDiagnosticsHandleInUse = isDiagnosticsHandle(of: moment.link)
      record.known.manufacturer = manufacturer(kind, moment.controller)
    }
    record.known.linkLayer = kind.isAir ? record.linkLayer : LinkLayerContext()
  }
}
