import HarkCore
import HarkCrypto
import HarkDissection

/// Follows ATT: requests and responses, values, discovery. Core Specification, Vol 3, Parts F and G.
struct ATTFollower {
  /// For attributes whose values are fragments of messages.
  var streams = AttributeStreams()
  var mesh = MeshProxyFollower()

  /// A PDU that has been read as `facts`. Most PDUs carry values, which are not read again.
  /// - Parameter place: Its offset in `bytes`.
  mutating func take(
    _ bytes: RawSpan, at place: Range<Int>, _ facts: Facts, _ moment: PacketContext,
    _ tables: inout Tables, _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    guard let link = moment.link, let opcode = ATTPDU.Opcode(facts) else { return }
    tables.record.attribute = AttributeAddress(
      opcode, facts.attribute, request: nil, moment.direction)
    if let elimination = tables.links.elimination(on: link) {
      tables.weigh(elimination, opcode, facts, link, moment)
    }
    switch opcode {
    case .writeCommand, .signedWriteCommand, .handleValueNotification, .handleValueIndication:
      if opcode == .handleValueIndication { indicated(facts.attribute, link, moment, &tables) }
      guard !facts.isMalformed else { return }
      if opcode.isWrite { tables.endDiscovery(link, moment, from: moment.direction) }
      valueDelivered(
        opcode, facts.attribute, bytes.extracting(facts.payload), link, moment, &tables, &leAudio,
        &accessory)
      if opcode == .signedWriteCommand, !moment.isTruncated,
        let check = SignatureCheck(bytes.array(place), tables.keys)
      {
        tables.emit(.attribute(.signature(.init(handle: facts.attribute, check: check))), moment)
      }
    case .handleValueConfirmation: confirmed(link, moment, &tables)
    case .multipleHandleValueNotification:
      let key = tables.database(link, clientDirection: moment.direction.opposite)
      if facts.isMalformed, tables.carriesKeysAnywhere(key) { tables.conceal(nil, key, moment) }
      let pdu = ATTPDU(facts, in: bytes, at: place, isCut: moment.isTruncated)
      severalPassed(pdu, bytes, link, moment, &tables, &leAudio, &accessory)
    default:
      let pdu = ATTPDU(facts, in: bytes, at: place, isCut: moment.isTruncated)
      if opcode.kind == .request {
        request(opcode, pdu, bytes, link, moment, &tables, &leAudio, &accessory)
      } else {
        if !tables.links[link].att.earlier[1 - moment.side].isEmpty {
          let response = ATTState.UndecidedResponse(
            opcode: opcode, bytes: bytes.array, place: place, facts: facts, moment: moment)
          return decide(response, link, moment, &tables, &leAudio, &accessory)
        }
        response(opcode, pdu, bytes, link, moment, &tables, &leAudio, &accessory)
      }
    }
  }

  private mutating func request(
    _ opcode: ATTPDU.Opcode, _ pdu: ATTPDU, _ bytes: RawSpan, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    goOn(link, moment, &tables, &leAudio, &accessory)
    if opcode != .readBlobRequest || tables.links[link].att.reads[moment.side]?.handle != pdu.handle
    {
      endRead(link, moment.side, &tables, &leAudio, &accessory)
    }
    var request = ATTState.Request(opcode: opcode, handle: pdu.handle, moment: moment)
    request.lost = tables.counts.lost
    tables.links[link].att.lost[moment.side] = tables.counts.lost
    defer { tables.links[link].att.requests[moment.side] = request }
    guard pdu.isWhole else { return }
    switch opcode {
    case .exchangeMTURequest:
      request.mtu = pdu.mtu
      request.isRepeated = tables.links[link].att.hasRequestedMTU[moment.side]
      tables.links[link].att.hasRequestedMTU[moment.side] = true
    case _ where opcode.isSearch:
      (request.handle, request.end) = (pdu.startingHandle, pdu.endingHandle)
      // The beginning of a long UUID looks like a short one.
      if !moment.isTruncated { (request.type, request.service) = (pdu.type, pdu.service) }
      if opcode != .readByTypeRequest || request.type?.isDeclaration != false {
        tables.discovering(link, moment)
      }
    case .readBlobRequest: request.offset = pdu.offset
    case .writeRequest, .prepareWriteRequest:
      tables.endDiscovery(link, moment, from: moment.direction)
      // Now, not when the answer comes: the bytes are in the current packet.
      let key = tables.database(link, clientDirection: moment.direction)
      if tables.carriesKeys(pdu.handle, key) { tables.conceal(pdu.handle, key, moment) }
      request.write = ATTState.Write(
        offset: pdu.offset, bytes: bytes.array(pdu.value), frames: tables.framesOfPDU(moment))
    case .executeWriteRequest where pdu.execution == .write:
      tables.endDiscovery(link, moment, from: moment.direction)
      request.write = ATTState.Write(frames: tables.framesOfPDU(moment))
    case .executeWriteRequest:
      request.cancelled = tables.links[link].att.queues[moment.side].values
      tables.links[link].att.queues[moment.side] = ATTState.WriteQueue()
    case .readMultipleRequest, .readMultipleVariableRequest: request.handles = pdu.handles(bytes)
    default: break
    }
  }

  mutating func response(
    _ opcode: ATTPDU.Opcode, _ pdu: ATTPDU, _ bytes: RawSpan, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables, _ leAudio: inout LEAudioFollower,
    _ accessory: inout AccessoryFollower
  ) {
    let side = 1 - moment.side
    let isRefusal = opcode == .errorResponse
    // An Error Response whose request is truncated answers the only pending request.
    if isRefusal, pdu.failure == nil {
      tables.links[link].att.requests[side] = nil
      return
    }
    guard let request = tables.links.request(on: link, side) else {
      return unsolicited(opcode, pdu, link, moment, &tables)
    }
    guard !request.isForgotten else { return }
    guard pdu.answers(request.opcode),
      !isRefusal || !pdu.isWhole || request.mayFail(for: pdu.handle)
    else {
      return wrongResponse(
        opcode, pdu, request, link, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.mayAnswerEarlier[side] = false
    tables.links[link].att.mayAnswerAgain[side] = false
    if request.isOverdue {
      reportLate(
        request.opcode, request.handle, PacketID(request.packet), request.moment.time, moment,
        &tables)
    }
    let size = written(request, link, side, tables)
    if isRefusal {
      endRead(link, side, &tables, &leAudio, &accessory)
      // A refused request wrote nothing. Vol 3, Part F, 3.4.6.3.
      if request.opcode == .executeWriteRequest {
        tables.links[link].att.queues[side] = ATTState.WriteQueue()
      }
    } else {
      settle(link, side, moment, &tables, &leAudio, &accessory)
    }
    tables.links[link].att.requests[side] = nil
    tables.record.requestedType = request.type
    tables.record.answeredRequest = (request.handle, request.type)
    tables.record.attribute = AttributeAddress(
      opcode, pdu.handle, request: (request.opcode, request.handle), moment.direction)
    tables.record.attribute?.isFromStart = request.offset == 0
    tables.relate(request.packet, moment)
    let key = tables.database(link, clientDirection: moment.direction.opposite)
    // A refused write wrote nothing before them.
    defer { if isRefusal { passCommands(link, side, &tables, &leAudio, &accessory) } }
    // In lists that the recorder truncated, the captured entries count.
    let isCutList = moment.isTruncated && opcode.isSearchResponse
    if !pdu.isWhole, !isCutList { return }
    switch opcode {
    case .errorResponse:
      failed(
        request, pdu.handle, error: pdu.failure?.error ?? 0, size: size, key, moment, &tables,
        &accessory)
    case .exchangeMTUResponse:
      exchanged(request, serverMTU: pdu.mtu, link, moment, &tables)
    case _ where opcode.isSearchResponse:
      if let type = request.type, tables.carriesKeys(type) {
        tables.conceal(request.handle, key, moment)
      }
      let entries = pdu.entries(bytes, requestedType: request.type, isCut: moment.isTruncated)
      discovered(entries, opcode, request, link, key, moment, &tables)
      if isCutList { tables.links[link].att.discovery[1 - moment.side].isCut = true }
      if opcode == .readByTypeResponse, request.type?.isDeclaration == false {
        readByType(entries, bytes, link, moment, &tables, &leAudio, &accessory)
      }
    case .readMultipleResponse:
      tables.concealAnswer(opcode, request, key, moment)
      severalReadTogether(
        request, bytes.extracting(pdu.value), link, moment, &tables, &leAudio, &accessory)
    case .prepareWriteResponse:
      tables.concealAnswer(opcode, request, key, moment)
      compare(pdu, bytes, to: request, key, moment, &tables)
    case .executeWriteResponse: cancelled(request, key, moment, &tables)
    case .readMultipleVariableResponse:
      tables.concealAnswer(opcode, request, key, moment)
      severalRead(request, pdu, bytes, link, moment, &tables, &leAudio, &accessory)
    case .readResponse, .readBlobResponse:
      read(request, bytes.extracting(pdu.value), link, moment, &tables, &leAudio, &accessory)
    default: break
    }
  }

  private mutating func failed(
    _ request: ATTState.Request, _ named: UInt16, error: UInt8, size: Int?,
    _ key: Session.DatabaseKey,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower
  ) {
    // Discovery ends with Attribute Not Found. Vol 3, Part G, 4.4.1.
    if error == ATTPDU.attributeNotFound, request.opcode.isSearch {
      return searched(for: request, key, moment, &tables)
    }
    if request.opcode == .writeRequest, let uuid = tables.databases[key].type(of: request.handle),
      accessory.refused(request, error: error, uuid, key, moment, &tables)
    {
      return
    }
    // Attribute Handle In Error names one of the attributes of a request for several; it is 0 if the server does not
    // support the request. 3.4.1.1
    let handle = named == 0 ? request.handle : named
    let uuid = tables.databases[key].type(of: handle)
    let configured =
      uuid?.is(.clientCharacteristicConfiguration) == true
      ? tables.databases[key].characteristic(owning: handle)?.uuid : nil
    tables.emit(
      .attribute(
        .attError(
          .init(
            pdu: request.opcode, handle: handle, uuid: uuid, error: error, size: size,
            isLocal: moment.direction == .hostToController, configured: configured))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2), severity: .warning)
  }

  /// A search for a service has ended: hark reports it if none was found. Vol 3, Part G, 4.4.2.
  private mutating func searched(
    for request: ATTState.Request, _ key: Session.DatabaseKey, _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    if let searched = request.searched, request.showsAll(of: key, moment, tables),
      request.handle <= request.end
    {
      tables.databases[key].limit(searched, in: request.handle...request.end, to: moment.packet)
    }
    guard request.opcode == .findByTypeValueRequest, request.type == .primaryService,
      let service = request.service,
      !tables.databases[key].services.values.contains(where: {
        $0.uuid == service && !$0.isBorrowed
      })
    else { return }
    let isLocal = moment.direction == .hostToController
    tables.emit(
      .attribute(.serviceNotFound(.init(service: service, isLocal: isLocal))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2))
  }

  // MARK: Values

  /// A value written by the client or notified by the server.
  mutating func valueDelivered(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ value: RawSpan, _ link: LinkID,
    _ moment: PacketContext, frames: [PacketID] = [], _ tables: inout Tables,
    _ leAudio: inout LEAudioFollower, _ accessory: inout AccessoryFollower
  ) {
    let isWrite = opcode.isWrite
    let client = isWrite ? moment.direction : moment.direction.opposite
    let key = tables.database(link, clientDirection: client)
    if !isWrite {
      endReadOfReports(link, Int(client.rawValue), &tables, &leAudio, &accessory)
      settleBefore(handle, key, link, Int(client.rawValue), moment, &tables, &leAudio, &accessory)
    } else if opcode.kind == .command, frames.isEmpty,
      waits(opcode, handle, value, key, link, moment, &tables, &leAudio, &accessory)
    {
      return
    }
    var uuid = tables.databases[key].used(
      handle, isWrite ? .write : opcode == .handleValueIndication ? .indication : .notification,
      value, cut: moment.cut, moment.packet)
    if uuid == nil {
      uuid =
        accessory.recognize(
          handle, Self.operation(opcode), value, toServer: isWrite, key, frames, moment, &tables)
        ?? tables.listenedType(at: handle)
    }
    let isLocal = client == .controllerToHost
    if isWrite {
      tables.databases[key].noteConfiguration(
        handle, uuid, value, cut: moment.cut, link, isOfPeer: isLocal, moment.packet)
    }
    if opcode == .handleValueIndication, uuid?.is(.serviceChanged) == true,
      let change = ServiceChange(value)
    {
      tables.databases[key].invalidate(change.handles, moment.packet)
    }
    // The defined bits are in the first octet.
    if isWrite, uuid?.is(.clientCharacteristicConfiguration) == true, value.byteCount > 0 {
      return subscribed(handle, value, key, isLocal, moment, &tables, &accessory)
    }
    if let uuid, let framing = tables.framings.using(characteristic: uuid) {
      let isHere = frames.isEmpty
      if isHere, framing.carriesKeys(.characteristic(uuid)) { tables.conceal(handle, key, moment) }
      if tables.listens(to: uuid, at: handle, of: key) {
        accessory.take(
          BluetoothUUID(handle: handle), Self.operation(opcode), value, toServer: isWrite, key,
          frames,
          moment, &tables)
      }
      return accessory.take(
        uuid, Self.operation(opcode), value, toServer: isWrite, key, frames, moment, &tables)
    }
    if tables.holdsKeys(uuid) {
      tables.databases[key].conceal(handle)
      if frames.isEmpty { tables.conceal(handle, key, moment) }
    }
    if let uuid, tables.numbered.hasAttributeStreams,
      streams.take(value, handle, uuid, link, frames, moment, &tables)
    {
      return
    }
    mesh.take(value, of: uuid, toServer: isWrite, link, moment, &tables)
    tables.hintAtKey(value, handle, uuid, toServer: isWrite, key, isLocal: isLocal, moment)
    if leAudio.take(opcode, handle, value, isLocal: isLocal, uuid: uuid, moment, &tables) { return }
    if HomeKitSteps.take(value, uuid, isLocal: isLocal, moment, &tables) { return }
    tables.value(opcode, handle, value, isLocal: isLocal, uuid: uuid, moment)
  }

  private static func operation(_ opcode: ATTPDU.Opcode) -> VendorValue.Operation {
    switch opcode.kind {
    case .command: .writeCommand
    case .notification: .notification
    case .indication: .indication
    default: .write
    }
  }

  private mutating func subscribed(
    _ handle: UInt16, _ value: RawSpan, _ key: Session.DatabaseKey, _ isLocal: Bool,
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower
  ) {
    let configuration = ClientConfiguration(value)
    let characteristic = tables.databases[key].characteristic(owning: handle)
    tables.emit(
      .attribute(
        .subscription(
          .init(
            handle: handle, uuid: characteristic?.uuid, bits: configuration.rawValue,
            isLocal: isLocal))), moment)
    if let uuid = characteristic?.uuid, tables.framings.using(characteristic: uuid) != nil {
      accessory.take(
        uuid, .subscribe(configuration.isOn), value, toServer: true, key, [], moment, &tables)
    }
  }
}

extension Tables {
  /// Links the current packet to the one that it answers.
  mutating func relate(_ packet: UInt32, _ moment: PacketContext) {
    record.row.related = packet
    packets.update(packet) { $0.related = moment.packet.number }
  }
}
