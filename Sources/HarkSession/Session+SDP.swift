import HarkCore
import HarkDissection

// SDP: responses put together, and the services they show. Core Specification, Vol 3, Part B.
extension Session {
  /// A whole PDU of an SDP channel.
  mutating func sdp(_ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: Moment) {
    describe(bytes, .psm(0x0001), moment)
    let code = UInt8(truncatingIfNeeded: value(Paths.SDP.pdu) ?? 0)
    let isContinued = (value(Paths.SDP.infoLength) ?? 0) > 0
    var state = sdpStates.removeValue(forKey: id) ?? SDPState()
    defer { sdpStates[id] = state }
    // What it found is not known, nor whether it goes on.
    if moment.isSliced, code == 0x05 || code == 0x07 { return state.lose() }
    switch code {
    case 0x01:
      emit(
        .sdp(.error(.init(code: UInt16(truncatingIfNeeded: value(Paths.SDP.error) ?? 0)))), moment,
        severity: .warning)
    case 0x02, 0x04, 0x06:
      guard !isContinued else { return }
      state.begin()
      state.wanted =
        moment.isSliced
        ? nil
        : tree.node(Paths.SDP.uuid).flatMap {
          BluetoothUUID(bigEndian: bytes.extracting($0.range))
        }
    case 0x03: if value(Paths.SDP.totalRecords) == 0 { missing(state.wanted, moment) }
    case 0x05, 0x07:
      guard let range = attributeBytes else { return }
      state.add(bytes.extracting(range), parts.isEmpty ? packetsOfPDU(moment) : parts)
      guard !isContinued else { return }
      attributes(state, moment)
      state.begin()
    default: break
    }
  }

  /// What SDP says of a PSM that is not the same on all devices.
  func serviceName(_ request: PendingChannels, _ link: LinkID) -> String? {
    guard Place.isDynamic(psm: request.psm), !request.isCreditBased else { return nil }
    let owner = database(link, clientDirection: request.direction)
    return services.find(psm: request.psm, of: owner)?.classes.first.flatMap {
      AssignedNumbers.name(of: $0)
    }
  }

  /// The protocol of the service that SDP says is at a PSM that is not the same on all devices.
  func serviceEntry(_ request: PendingChannels, _ link: LinkID) -> Entry? {
    guard Place.isDynamic(psm: request.psm), !request.isCreditBased else { return nil }
    let owner = database(link, clientDirection: request.direction)
    return services.find(psm: request.psm, of: owner).flatMap { entry(of: $0) }
  }

  /// Where the attribute bytes of the response in `tree` are.
  private var attributeBytes: Range<Int>? {
    for field in [Paths.SDP.fragment, Paths.SDP.attributeLists, Paths.SDP.attributeList] {
      if let node = tree.node(field) { return node.range }
    }
    return nil
  }

  private mutating func attributes(_ state: SDPState, _ moment: Moment) {
    guard state.isWhole, let link = moment.link else { return }
    let entry = catalog.entries.first { $0.name.description == "SDP Attributes" }
    if state.parts > 1 {
      complete("SDP attributes", state.bytes.raw, entry, packets: state.packets)
    }
    isRecordInTree = false
    catalog.describe(state.bytes.raw, entry, context(moment), into: &tree)
    let records = serviceRecords(state.bytes.raw, state.wanted)
    let isLocal = moment.direction == .hostToController
    let owner = database(link, clientDirection: moment.direction.opposite)
    learnReports(state.bytes.raw, packets: state.packets, owner, moment)
    let new = records.filter { services.learn($0, of: owner) }
    if records.isEmpty { missing(state.wanted, moment) }
    guard !new.isEmpty else { return }
    nameChannels(of: owner, link)
    emit(
      .sdp(.found(.init(records: new, isLocal: isLocal))), moment,
      frames: Event.Frames(state.packets.map { PacketID($0) }, or: moment.packet))
  }

  private mutating func missing(_ wanted: BluetoothUUID?, _ moment: Moment) {
    emit(
      .sdp(.missing(.init(uuid: wanted, isLocal: moment.direction == .hostToController))), moment)
  }

  /// The service records in `tree`, which was read from `bytes`.
  private func serviceRecords(_ bytes: RawSpan, _ wanted: BluetoothUUID?) -> [ServiceRecord] {
    var records: [ServiceRecord] = []
    var attribute: UInt64 = 0
    for node in tree.nodes {
      if node.field == Paths.SDP.attributeList {
        records.append(ServiceRecord())
      } else if Paths.SDP.attributeIDs.contains(node.field) {
        attribute = node.value
      } else if !records.isEmpty {
        note(node, attribute, bytes, in: &records[records.count - 1])
      }
    }
    records.removeAll { $0 == ServiceRecord() }
    for index in records.indices where records[index].classes.isEmpty {
      if let wanted { records[index].classes = [wanted] }
    }
    return records
  }

  private func note(
    _ node: Tree.Node, _ attribute: UInt64, _ bytes: RawSpan, in record: inout ServiceRecord
  ) {
    switch node.field {
    case _ where Paths.SDP.recordHandles.contains(node.field):
      record.handle = UInt32(truncatingIfNeeded: node.value)
    case Paths.SDP.serviceClass where record.classes.count < ServiceRecord.mostClasses:
      if let uuid = BluetoothUUID(bigEndian: bytes.extracting(node.range)) {
        record.classes.append(uuid)
      }
    case Paths.SDP.text where attribute == 0x0100: record.name = catalog.string(node, of: bytes)
    case Paths.SDP.psm where attribute == 0x0004 && record.psm == nil:
      record.psm = UInt16(truncatingIfNeeded: node.value)
    // GoepL2capPsm: the service is there as well. GOEP 2.1.1, 8.
    case Paths.SDP.number where attribute == 0x0200 && record.isObjectExchange:
      record.psm = UInt16(truncatingIfNeeded: node.value)
    case Paths.SDP.serverChannel where attribute == 0x0004:
      record.serverChannel = UInt8(truncatingIfNeeded: node.value)
    case Paths.SDP.version where attribute == 0x0009 && record.version == nil:
      record.version = UInt16(truncatingIfNeeded: node.value)
    default: break
    }
  }
}
