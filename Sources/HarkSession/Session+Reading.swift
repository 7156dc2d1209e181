import HarkCore
import HarkDissection

// What those who show packets need: what a packet was read with, and what it completed.
extension Session {
  /// What the bytes of the packet indexed last do not say of it.
  public func context(_ row: PacketRow) -> Context {
    var context = Context()
    context.direction = row.direction
    context.isSliced = row.cut > 0
    context.requestedType = requestedType
    context.attributeType = type(at: attribute, on: row.link)
    context.continuesMessage = row.flags.contains(.continuesMessage)
    context.isSecret = row.flags.contains(.secret)
    if let id = row.channel {
      let channel = channels[Int(id.index)]
      unsafe context.channel = channel.entry
      context.psm = channel.psm
      context.framing = framing(of: id)
    }
    unsafe context.inner = inner
    return context
  }

  /// Gives the fields of the packet indexed last in exchange for a tree that is used for the next one.
  /// `bytes` are those of its record. Without `keepsFields` they are read now.
  public mutating func takeFields(_ bytes: RawSpan, _ row: PacketRow, into tree: inout Tree) {
    let context = context(row)
    if isRecordInTree, context.saysNothing {
      isRecordInTree = false
      swap(&self.tree, &tree)
    } else {
      catalog.describe(bytes, .record(row.kind), context, into: &tree)
    }
  }

  public func device(of link: LinkID) -> DeviceID? {
    linkTable[link].device.map { deviceTable.current($0) }
  }
  public func handle(of link: LinkID) -> UInt16 { linkTable[link].handle }

  /// Changes whenever a device may be called something else than before.
  public var nameChanges: Int { deviceTable.changes }
}

extension PacketRow {
  /// A row of no packet.
  public init() {
    self.init(
      offset: 0, time: Timestamp(nanoseconds: 0), count: 0, controller: 0, cut: 0, kind: .other,
      flags: [])
  }
}
