import HarkCore
import HarkDissection

/// ACL data: links, fragments, L2CAP channels; connections over the local network; data of USB accessories.
struct TrafficFollower {
  var buffers = BufferFollower()
  var security = SecurityFollower()
  var att = ATTFollower()
  var hid = HIDFollower()
  var bnep = BNEPFollower()
  var leAudio = LEAudioFollower()
  var mesh = MeshFollower()
  var sdp = SDPFollower()
  var rfcomm = RFCOMMFollower()
  var streams = StreamFollower()
  var audio = AudioFollower()
  var aap = AAPFollower()
  var network = NetworkFollower()
  var usb = USBAccessoryFollower()
  var accessory = AccessoryFollower()

  mutating func acl(_ bytes: RawSpan, _ moment: inout PacketContext, _ tables: inout Tables) {
    let facts = tables.facts(bytes, .acl, moment)
    let link = link(facts.handle, .unknown, &moment, &tables)
    if moment.isUndirected { inferDirection(bytes, facts, &moment, &tables) }
    guard let link else { return tables.malformed(facts, moment) }
    buffers.hostSent(bytes, link, moment, &tables)
    pieces(bytes, .record(.acl), facts, link, moment, &tables)
    // After the packet, which may be the answer.
    rfcomm.expireRequests(moment, &tables)
  }

  /// An L2CAP PDU or part of one: `bytes` at `place` were read as `facts`.
  mutating func pieces(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ facts: Facts, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    switch facts.fragment {
    case .none:
      // The PDU begun in this direction was not completed. If the direction is unknown,
      // this may be a PDU of the other direction.
      if tables.links[link].assembly[moment.stream].isOpen, !moment.isUndirected {
        dropAssembly(link, moment, &tables)
      }
      frame(bytes, place, facts, moment, &tables)
    case .first:
      if tables.links[link].assembly[moment.stream].isOpen { dropAssembly(link, moment, &tables) }
      tables.record.row.flags.insert(.fragment)
      let fragment = bytes.extracting(facts.payload)
      let isEnd = tables.links[link].assembly[moment.stream].begin(
        fragment, moment.packet.number, cut: moment.cut)
      concealFragment(fragment, link, moment, &tables)
      // The header itself is truncated.
      if isEnd { tables.links[link].assembly[moment.stream].end() }
    case .continuing: continuing(bytes.extracting(facts.payload), link, moment, &tables)
    }
  }

  /// The link of data; begins one if the capture does not show its beginning.
  mutating func link(
    _ handle: UInt16, _ transport: Link.Transport, _ moment: inout PacketContext,
    _ tables: inout Tables
  ) -> LinkID? {
    if let link = tables.links.find(moment.controller, handle) {
      moment.link = link
      return link
    }
    if let link = tables.linkThatEnded(handle, moment) {
      moment.link = link
      return nil
    }
    guard let link = tables.openInferred(handle, transport, &moment) else { return nil }
    tables.awaitOpening(of: link, moment)
    tables.emit(.link(.inferred(.init())), moment, severity: .warning)
    return link
  }

  // Looked up once: a look-up searches the catalog entry by entry.
  static let l2capEntry = Catalog.shared.entry(at: .l2cap)

  private mutating func continuing(
    _ fragment: RawSpan, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.record.row.flags.insert(.fragment)
    let stream = moment.stream
    guard tables.links[link].assembly[stream].isOpen else {
      tables.concealOrphan(link)
      return tables.emit(
        .capture(.orphanFragment(.init(count: fragment.byteCount))), moment, severity: .warning)
    }
    concealFragment(fragment, link, moment, &tables)
    let isEnd = tables.links[link].assembly[stream].add(
      fragment, moment.packet.number, cut: moment.cut)
    if tables.links[link].assembly[stream].isCut {
      tables.concealOrphan(link)
      if isEnd { cutFrame(link, moment, &tables) }
      return
    }
    guard isEnd else { return }
    let whole = tables.links[link].assembly[stream].bytes
    let parts = tables.links[link].assembly[stream].packets
    let last = moment.packet.number
    for part in parts { tables.packets.update(part) { $0.chain = last } }
    tables.record.row.flags.insert(.completes)
    tables.record.row.chain = parts.first ?? last
    tables.links[link].assembly[stream].end()
    var moment = moment
    if moment.isUndirected {
      moment.direction = Self.likelyDirection(L2CAPBeginning(whole.raw), whole.raw)
    }
    tables.complete("L2CAP PDU", whole.raw, Self.l2capEntry, packets: parts)
    let facts = tables.catalog.summarize(whole.raw, .l2cap, tables.context(moment))
    frame(whole.raw, .l2cap, facts, moment, &tables)
  }

  /// The last fragment of a PDU arrived, and the recorder truncated one of them: the bytes before that are read like
  /// a packet truncated there.
  private mutating func cutFrame(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    let assembly = tables.links[link].assembly[moment.stream]
    tables.links[link].assembly[moment.stream].end()
    var moment = moment
    moment.cut = max(1, assembly.expected - assembly.bytes.count)
    moment.endsFragments = true
    let bytes = assembly.bytes
    if moment.isUndirected {
      moment.direction = Self.likelyDirection(L2CAPBeginning(bytes.raw), bytes.raw)
    }
    let facts = tables.catalog.summarize(bytes.raw, .l2cap, tables.context(moment))
    frame(bytes.raw, .l2cap, facts, moment, &tables)
  }

  /// The link ends: PDUs that are not complete stay so.
  mutating func dropAssemblies(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var moment = moment
    for stream in PDUAssembly.none.indices where tables.links[link].assembly[stream].isOpen {
      moment.isUndirected = stream == PDUAssembly.undirected
      if !moment.isUndirected {
        moment.direction = Direction(rawValue: UInt8(stream)) ?? moment.direction
      }
      dropAssembly(link, moment, &tables, isAtEnd: true)
    }
  }

  private mutating func dropAssembly(
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables, isAtEnd: Bool = false
  ) {
    let assembly = tables.links[link].assembly[moment.stream]
    tables.links[link].assembly[moment.stream].end()
    // Nothing is known about it, not even whether more of it followed.
    guard assembly.expected > 0 || !assembly.isCut else { return }
    let place = assembly.cid.map { cid in placeOfCID(cid, link, moment, tables) }
    tables.incomplete(
      IncompletePDU(
        place: place, have: assembly.bytes.count,
        missing: max(0, assembly.expected - assembly.count),
        cut: assembly.count - assembly.bytes.count, isAtEnd: isAtEnd),
      assembly.packets, moment)
  }

  /// The channel of frames with `cid`, as far as it is known.
  private func placeOfCID(
    _ cid: UInt16, _ link: LinkID, _ moment: PacketContext, _ tables: borrowing Tables
  ) -> IncompletePDU.Place {
    tables.links.channel(on: link, Tables.key(cid, moment.direction))
      .map { .channel(tables.channels[Int($0.index)]) } ?? .cid(cid)
  }

  /// A complete L2CAP frame: `bytes` at `place` were read as `facts`.
  private mutating func frame(
    _ bytes: RawSpan, _ place: AttachmentPoint, _ facts: Facts, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    tables.malformed(facts, moment)
    guard facts.cid != 0 else { return }
    if facts.information.upperBound < bytes.byteCount {
      tables.excess(bytes, place, facts, moment)
    }
    if FixedChannel.isDynamic(facts.cid) {
      return dynamicFrame(bytes, place, facts, moment, &tables)
    }
    let channel = FixedChannel(rawValue: facts.cid)
    if let channel, let link = moment.link, tables.links.lacks(channel, link) {
      return tables.misplaced(channel, nil, link, moment)
    }
    tables.counts.channels[Int(facts.cid)] += 1
    switch channel {
    case .attributeProtocol:
      inferTransport(.le, moment, &tables)
      if let link = moment.link { att.expireRequests(link, moment, &tables) }
      if facts.information.count > 23, let link = moment.link {
        att.checkMTU(facts, link, moment, &tables)
      }
      att.take(bytes, at: facts.information, facts, moment, &tables, &leAudio, &accessory)
    case .securityManager, .securityManagerOfBREDR:
      inferTransport(channel == .securityManager ? .le : .brEDR, moment, &tables)
      security.smp(
        bytes.extracting(facts.information), isMalformed: facts.isMalformed, moment, &tables)
    case .signaling, .leSignaling:
      inferTransport(channel == .signaling ? .brEDR : .le, moment, &tables)
      guard let channel else { return }
      signaling(bytes.extracting(facts.information), on: channel, moment, &tables)
    case nil:
      // A fixed channel that no specification defines.
      guard tables.framings.usesCIDs else { return }
      accessory.vendorData(
        bytes.extracting(facts.information), .cid(facts.cid), of: nil,
        toServer: moment.direction == .hostToController, packets: [], moment, &tables)
    }
  }

  /// If the start of a link is not in the capture, the channels that it uses show its transport.
  private mutating func inferTransport(
    _ transport: Link.Transport, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let link = moment.link else { return }
    // The recorder's report counts until the link shows something else.
    guard tables.links[link].transport == .unknown || tables.links[link].isReported else { return }
    tables.links[link].transport = transport
  }
}

extension Tables {
  func context(_ moment: PacketContext) -> Context {
    var context = Context()
    context.isTruncated = moment.isTruncated
    context.isDiagnosticsHandleInUse = isDiagnosticsHandle(of: moment.link)
    if record.row.kind.isAir { context.linkLayer = record.linkLayer }
    return context
  }

  /// The maker of the controller, for data with vendors' codes.
  func manufacturer(_ kind: PacketKind, _ controller: UInt16) -> UInt16? {
    guard kind == .command || kind == .event else { return nil }
    return controllers.find(controller).flatMap { controllers.values[$0].company }
  }

  /// Whether the link is a connection with the handle under which Qualcomm's controllers log.
  func isDiagnosticsHandle(of link: LinkID?) -> Bool {
    link.map { links[$0].handle == Context.diagnosticsHandle } ?? false
  }

  /// Like `context(moment)`, for ACL data whose link has not been looked up yet.
  func context(_ data: RawSpan, _ moment: PacketContext) -> Context {
    var context = context(moment)
    let handle = ACLBeginning.handle(data)
    if handle == Context.diagnosticsHandle {
      context.isDiagnosticsHandleInUse = isConnection(handle, moment)
    }
    return context
  }

  /// Whether data with the handle under which Qualcomm's controllers log belongs to a connection: the capture shows
  /// it being opened, or another vendor made the controller. If the vendor is unknown, data sent by the host is
  /// traffic, because controllers only send logs, and answers belong to the same link.
  func isConnection(_ handle: UInt16, _ moment: PacketContext) -> Bool {
    let link = links.find(moment.controller, handle)
    if link.map({ links[$0].certainty == .seen }) ?? false { return true }
    let controller = controllers.find(moment.controller)
    if let company = controller.flatMap({ controllers.values[$0].company }) {
      return !Context.companiesOfDiagnostics.contains(company)
    }
    return link != nil || moment.direction == .hostToController && !moment.isUndirected
  }

  mutating func malformed(_ facts: Facts, _ moment: PacketContext) {
    // A packet that the recorder truncated may have been well formed.
    guard facts.isMalformed, !facts.isCutByRecorder else { return }
    counts.malformed += 1
    record.row.flags.insert(.malformed)
    if !moment.isTruncated { log.unreadable.count(facts.malformedLayer, moment.packet) }
  }

  /// Reports an incomplete PDU that came in `packets`.
  mutating func incomplete(_ pdu: IncompletePDU, _ packets: [UInt32], _ moment: PacketContext) {
    // It may be the answer to an earlier request.
    if case .cid(FixedChannel.attributeProtocol.rawValue) = pdu.place, let link = moment.link,
      let first = packets.first
    {
      links[link].att.forgetRequests(before: first)
    } else if case .channel = pdu.place, let link = moment.link {
      for id in links[link].bearers.keys { links[link].bearers[id]?.state.doubt() }
    }
    emit(
      .capture(.incompletePDU(pdu)), moment,
      frames: Event.Frames(packets.map { PacketID($0) }, or: moment.packet), severity: .warning)
  }

  /// A frame contains the CID of the side that receives it.
  static func key(_ cid: UInt16, _ direction: Direction) -> UInt32 {
    UInt32(direction.rawValue) << 16 | UInt32(cid)
  }
}

extension Session {
  // MARK: Synchronous and isochronous data

  mutating func streamData(_ bytes: RawSpan, _ kind: PacketKind, _ moment: inout PacketContext) {
    let facts = tables.facts(bytes, kind, moment)
    tables.malformed(facts, moment)
    guard !facts.isMalformed else {
      if kind == .iso { isochronous.data(bytes, facts, moment, &tables) }
      moment.link = tables.links.find(moment.controller, facts.handle)
      return
    }
    if let ended = tables.linkBeforeStray(facts.handle, kind, moment) {
      moment.link = ended
      tables.links[ended].packetsAfterEnd += 1
      return
    }
    let link = traffic.link(facts.handle, kind == .iso ? .iso : .unknown, &moment, &tables)
    if kind == .iso {
      isochronous.data(bytes, facts, moment, &tables)
      if let link { traffic.buffers.hostSent(link, moment, &tables) }
    }
    guard let link,
      let stream =
        kind == .iso
        ? tables.isochronousStream(of: link, moment) : tables.synchronousStream(of: link, moment)
    else { return }
    tables.streamed(bytes.extracting(facts.payload), stream, moment)
    if kind == .sco, moment.isFromPeer, !moment.isUndirected,
      let status = HCISynchronousStatus(bytes), status != .correct
    {
      tables.streams[Int(stream.index)].losses.add(status)
    }
  }

  /// Notes of the host, and the monitor's records about controllers.
  mutating func otherRecord(_ bytes: RawSpan, _ kind: PacketKind, _ moment: PacketContext) {
    switch kind {
    case .newIndex, .indexInfo:
      let index = MonitorIndex(bytes, isNew: kind == .newIndex, isCut: moment.isTruncated)
      if isAnotherController(index, isNew: kind == .newIndex, moment) { replaceController(moment) }
      tables.controllers[moment.controller].isRemoved = false
      if let company = index.manufacturer {
        tables.controllers[moment.controller].company = company
      }
      found(
        index.address, name: index.name.map { bytes.utf8($0) }, isNew: kind == .newIndex, moment)
    case .deleteIndex: endController(by: .removed, moment)
    case .openIndex: tables.emit(.controller(.opened), moment)
    case .closeIndex: endController(by: .closed, moment)
    case .systemNote, .userLogging:
      let log = MonitorLog(bytes, isUserLogging: kind == .userLogging, isCut: moment.isTruncated)
      tables.emitNote(
        log.text.map { bytes.utf8($0) } ?? "", of: log.ident.map { bytes.utf8($0) } ?? "kernel",
        moment)
    case _ where kind.isText:
      let note = PacketLoggerNoteMessage(bytes, isCut: moment.isTruncated)
      if kind == .config, let device = note.device {
        return connection.deviceReported(device, bytes, moment, &tables)
      }
      tables.emitNote(note.text.map { bytes.utf8($0) } ?? hex(bytes), of: kind.words, moment)
    case .controlCommand: traffic.security.managementKeys(bytes, kind, moment, &tables)
    case .controlEvent:
      traffic.security.managementKeys(bytes, kind, moment, &tables)
      if let refusal = ManagementRefusal(bytes) {
        tables.emitNote("\(refusal.command) failed: \(refusal.reason)", of: "kernel", moment)
      }
    case .h4: traffic.security.linkManager.take(bytes, moment, &tables)
    case .other where bytes.byteCount == 0 && !moment.isTruncated:
      tables.counts.malformed += 1
      tables.record.row.flags.insert(.malformed)
    default: break
    }
  }

  /// A note that is not text.
  private func hex(_ bytes: RawSpan) -> String {
    Hex.text(bytes.array.prefix(64)) + (bytes.byteCount > 64 ? "…" : "")
  }

  private mutating func found(
    _ address: BluetoothAddress?, name: String?, isNew: Bool, _ moment: PacketContext
  ) {
    var controller = tables.controllers[moment.controller]
    let isNews = isNew || (address != nil && controller.address != address)
    if let name, !name.isEmpty { controller.name = name }
    if let address, address.value != 0 { controller.address = address }
    tables.controllers[moment.controller] = controller
    if isNews {
      tables.emit(
        .controller(
          .found(
            .init(
              name: controller.name ?? "hci\(moment.controller)", address: controller.address))),
        moment)
    }
  }
}
