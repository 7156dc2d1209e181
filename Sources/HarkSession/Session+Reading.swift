import HarkCore
import HarkDissection

// What those who show packets need: what a packet was read with, and what it completed.
extension Session {
  /// What the bytes of the packet indexed last do not say of it.
  public func context(_ row: PacketRow) -> Context {
    var context = Context()
    context.isTruncated = row.cut > 0
    context.manufacturer = manufacturer(row.kind, row.controller)
    context.isDiagnosticsHandleInUse = isDiagnosticsHandle(of: row.link)
    context.requestedType = requestedType
    context.attributeType = type(at: attribute, on: row.link)
    context.isFromStart = attribute?.isFromStart ?? true
    context.attributeTypes = attributeTypes
    context.report = report(at: attribute, on: row.link)
    context.continuesMessage = row.flags.contains(.continuesMessage)
    context.isSecret = row.flags.contains(.secret)
    if row.kind.isAir { context.linkLayer = air.context }
    unsafe context.inner = inner
    if let id = row.channel { know(id, &context) }
    return context
  }

  /// Gives the fields of the packet indexed last in exchange for a tree that is used for the next one.
  /// `bytes` are those of its record. They are read now where the index pass did not, without
  /// `keepsFields`, or did not know yet what it knows now.
  public mutating func takeFields(_ bytes: RawSpan, _ row: PacketRow, into tree: inout Tree) {
    defer { isRecordInTree = false }
    // Only what is said of data is said by other packets, except that it is secret.
    if isRecordInTree, !row.kind.isData, !row.flags.contains(.secret) {
      return swap(&self.tree, &tree)
    }
    let known = context(row)
    if let id = row.channel { unsafe channelStates[Int(id.index)].inner = known.inner }
    if isRecordInTree, known == treeContext {
      swap(&self.tree, &tree)
    } else {
      catalog.describe(bytes, .record(row.kind), known, into: &tree)
    }
  }

  /// What will most likely be known of an ACL packet that is to be read, so that it need not be read
  /// again: `takeFields` compares.
  func expectedContext(_ bytes: RawSpan, _ moment: PacketContext) -> Context {
    var context = context(bytes, moment)
    // Handle, length and L2CAP header of a frame that begins here. Vol 4, Part E, 5.4.2
    guard bytes.byteCount >= 9, bytes.byte(at: 1) & 0x30 != 0x10, !moment.isUndirected,
      let link = linkTable.find(
        moment.controller, UInt16(truncatingIfNeeded: bytes.unsigned(at: 0, 2)) & 0x0FFF)
    else { return context }
    let cid = UInt16(truncatingIfNeeded: bytes.unsigned(at: 6, 2))
    if cid == 0x0004 {
      let pdu = ATTPDU(bytes.extracting(8..<bytes.byteCount), isCut: true)
      guard let opcode = pdu.opcode else { return context }
      let request = linkTable.request(on: link, 1 - moment.side)
      let address = AttributeAddress(
        opcode, pdu.handle, request: request.map { ($0.opcode, $0.handle) }, moment.direction)
      if opcode.kind == .response { context.requestedType = request?.type }
      context.attributeType = type(at: address, on: link)
      context.report = report(at: address, on: link)
    } else if cid >= 0x0040,
      let id = linkTable.channel(on: link, Self.key(cid, moment.direction)),
      channelStates[Int(id.index)].framing.mode == .basic
    {
      unsafe context.inner = channelStates[Int(id.index)].inner
      know(id, &context)
    }
    return context
  }

  /// Adds what is known of the channel `id` to what is known of the frame.
  private func know(_ id: ChannelID, _ context: inout Context) {
    let entry = channels[Int(id.index)].entry
    // Of a protocol that is cut into messages, a frame is read where it is one.
    if unsafe entry?.cutter == nil || context.inner === entry { unsafe context.channel = entry }
    context.psm = channels[Int(id.index)].knownPSM
    if context.psm == 0x0011 || context.psm == 0x0013 { context.report = report(on: id) }
    context.framing = framing(of: id)
  }

  /// The channel index that the packet indexed last was heard on, if it is one from the air.
  public var airChannel: UInt8? { air.channel }

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
