import HarkCore
import HarkDissection

// Values that may be private keys. The code that shows packets cannot recognize them: the session marks
// their packets.
extension Tables {
  func carriesKeys(_ characteristic: BluetoothUUID) -> Bool {
    holdsKeys(characteristic)
      || framings.using(characteristic: characteristic)?.carriesKeys(
        .characteristic(characteristic))
        ?? false
  }

  /// Whether it is a characteristic of the SIG's that is a key, or one that has a key among its fields, also those of
  /// a layout.
  func holdsKeys(_ characteristic: BluetoothUUID?) -> Bool {
    guard let characteristic else { return false }
    return AttributeType(characteristic)?.holdsKeys == true || catalog.hidesKeys(characteristic)
  }

  func carriesKeys(_ handle: UInt16, _ key: Session.DatabaseKey) -> Bool {
    guard let slot = databases.find(key),
      let type = databases.values[slot].type(of: handle)
    else { return false }
    return carriesKeys(type)
  }

  /// For values that do not say about themselves where they belong.
  func carriesKeysAnywhere(_ key: Session.DatabaseKey) -> Bool {
    guard let slot = databases.find(key) else { return false }
    return databases.values[slot].hasType { carriesKeys($0) }
  }

  /// Marks the packet that is being read, the fragments of its PDU, and the attribute at `handle`.
  mutating func conceal(_ handle: UInt16?, _ key: Session.DatabaseKey, _ moment: PacketContext) {
    record.row.flags.insert(.secret)
    if let handle { databases[key].conceal(handle) }
    guard endsFragments(moment), let link = moment.link else { return }
    for part in links[link].assembly[moment.stream].packets {
      packets.update(part) { $0.flags.insert(.secret) }
    }
  }

  /// Marks the packets of the PDU that is being read, or read again.
  mutating func concealPDU(_ moment: PacketContext) {
    conceal(packetsOfPDU(moment))
    if !record.isRereading { record.row.flags.insert(.secret) }
  }

  /// Marks packets that were read, and the one that is being read if its number is among them.
  mutating func conceal(_ numbers: [UInt32]) {
    for packet in numbers {
      if packet > packets.count {
        record.row.flags.insert(.secret)
      } else {
        packets.update(packet) { $0.flags.insert(.secret) }
      }
    }
  }

  /// Responses with several values, and the one that repeats a prepared write.
  mutating func concealAnswer(
    _ opcode: ATTPDU.Opcode, _ request: ATTState.Request, _ key: Session.DatabaseKey,
    _ moment: PacketContext
  ) {
    let isSecret =
      opcode == .prepareWriteResponse ? carriesKeys(request.handle, key) : carriesKeysAnywhere(key)
    if isSecret { conceal(nil, key, moment) }
  }

  /// Marks a piece of a PDU whose beginning is not in the capture.
  mutating func concealOrphan(_ link: LinkID) {
    if mayCarryKeys(link) { record.row.flags.insert(.secret) }
  }

  /// Forgets the values of attributes that turned out to be keys after they were used.
  mutating func concealUsed(_ handles: some Sequence<UInt16>, _ key: Session.DatabaseKey) {
    for handle in handles where carriesKeys(handle, key) { databases[key].conceal(handle) }
  }

  /// Whether keys pass over the link: those of vendors, or those of its pairing.
  func mayCarryKeys(_ link: LinkID) -> Bool {
    let pairing = links[link].pairing
    return pairing.request != nil || pairing.response != nil
      || links[link].channels.all.values.contains { isAAP($0) }
      || [Direction.hostToController, .controllerToHost].contains {
        carriesKeysAnywhere(server(on: link, client: $0))
      }
  }

  /// The database of the server that a client asks, of what the device turned out to be.
  func server(on link: LinkID, client: Direction) -> Session.DatabaseKey {
    let key = database(link, clientDirection: client)
    guard case .device(let device) = key else { return key }
    return .device(devices.current(device))
  }
}

extension TrafficFollower {
  /// Marks a piece of a PDU of which the rest is still to come: who shows packets while they are
  /// read cannot wait for it.
  mutating func concealFragment(
    _ fragment: RawSpan, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let assembly = tables.links[link].assembly[moment.stream]
    guard let last = assembly.packets.last, last != moment.packet.number else {
      return concealBeginning(fragment, link, moment, &tables)
    }
    let goesOn = tables.packets[last]?.flags.contains(.secret) ?? false
    if goesOn || streams.iap2.holdsIAP2Key(fragment, behind: assembly.bytes, link, moment.direction)
    {
      tables.record.row.flags.insert(.secret)
    }
  }

  /// Marks the first piece of a PDU.
  mutating func concealBeginning(
    _ fragment: RawSpan, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let requests = tables.links[link].att.pending(1 - moment.side).map { ($0.handle, $0.type) }
    let answered = requests.isEmpty ? [nil] : requests.map { Optional($0) }
    let isKey = answered.contains { request in
      isBeginningOfKey(fragment, link, moment.direction, answering: request, tables)
    }
    if isKey { tables.record.row.flags.insert(.secret) }
  }

  /// Whether an L2CAP PDU or its beginning has a key in it, by everything that is known now: once the
  /// capture was read, that is more than when the packet came.
  /// - Parameter request: What a response answers.
  func isBeginningOfKey(
    _ bytes: RawSpan, _ link: LinkID, _ direction: Direction,
    answering request: (handle: UInt16, type: BluetoothUUID?)?, _ tables: borrowing Tables
  ) -> Bool {
    let frame = L2CAPBeginning(bytes)
    let isDynamic = frame.cid.map { FixedChannel.isDynamic($0) } ?? false
    // The keys of AAP, whatever is known about the channel.
    if isDynamic, AAPMessage.mayBeginWithKeys(bytes.extracting(frame.rest)) { return true }
    guard let cid = frame.cid, frame.rest.count >= Self.leastDistinctive else {
      return tables.mayCarryKeys(link)
    }
    if isDynamic { return streams.iap2.holdsIAP2Key(bytes, link, direction) }
    switch FixedChannel(rawValue: cid) {
    // Keys of a bond, on LE and BR/EDR.
    case .securityManager, .securityManagerOfBREDR:
      return SMPMessage.Code(rawValue: frame.code(bytes))?.holdsKey == true
    case .attributeProtocol:
      return isBeginningOfKey(
        ATTPDU(bytes.extracting(frame.rest), isCut: true), link, direction, answering: request,
        tables)
    case .signaling, .leSignaling, nil: return false
    }
  }

  /// An opcode and a handle; less does not say where a value belongs.
  private static let leastDistinctive = 3

  private func isBeginningOfKey(
    _ pdu: ATTPDU, _ link: LinkID, _ direction: Direction,
    answering request: (handle: UInt16, type: BluetoothUUID?)?, _ tables: borrowing Tables
  ) -> Bool {
    let client = tables.server(on: link, client: direction)
    let server = tables.server(on: link, client: direction.opposite)
    return switch pdu.opcode {
    case .writeRequest, .prepareWriteRequest, .writeCommand, .signedWriteCommand:
      tables.carriesKeys(pdu.handle, client)
    case .prepareWriteResponse, .handleValueNotification, .handleValueIndication:
      tables.carriesKeys(pdu.handle, server)
    case .readResponse, .readBlobResponse: tables.carriesKeys(request?.handle ?? 0, server)
    case .readByTypeResponse:
      request?.type.map { tables.carriesKeys($0) } ?? tables.carriesKeysAnywhere(server)
    case .readMultipleResponse, .readMultipleVariableResponse, .multipleHandleValueNotification:
      tables.carriesKeysAnywhere(server)
    default: false
    }
  }
}
