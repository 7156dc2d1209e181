import HarkCore
import HarkDissection

// ATT: requests and responses, values, discovery. Core Specification, Vol 3, Parts F and G.
extension Session {
  mutating func att(_ bytes: RawSpan, _ place: Place, _ facts: Facts, _ moment: Moment) {
    guard let link = moment.link else { return }
    let opcode = UInt8(truncatingIfNeeded: facts.code)
    attribute = AttributeAddress(facts, request: nil, moment.direction)
    switch opcode {
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
      request(opcode, bytes, place, facts, link, moment)
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21:
      response(opcode, bytes, place, facts, link, moment)
    case 0x52, 0xD2, 0x1B, 0x1D:
      if opcode == 0x1D { indicated(facts.attribute, link, moment) }
      guard !facts.isMalformed else { return }
      endDiscovery(link, moment, from: opcode & 1 == 0 ? moment.direction : nil)
      passed(opcode, facts.attribute, bytes.extracting(facts.payload), link, moment)
    case 0x1E: confirmed(link, moment)
    case 0x23:
      let key = database(link, clientDirection: moment.direction.opposite)
      if facts.isMalformed, carriesKeysAnywhere(key) { conceal(nil, key, moment) }
      severalPassed(bytes, place, link, moment)
    default: break
    }
  }

  /// Ties the packet that is being read to the one it answers.
  mutating func relate(_ packet: UInt32, _ moment: Moment) {
    row.related = packet
    packets.update(packet) { $0.related = moment.packet.number }
  }

  /// The database of the server in an exchange that the client began in `direction`.
  func database(_ link: LinkID, clientDirection: Direction) -> DatabaseKey {
    if clientDirection == .controllerToHost {
      if let air = linkTable[link].air {
        return air.centralDevice.map { .device(deviceTable.current($0)) } ?? .local(0xFFFF)
      }
      return .local(linkTable[link].controller)
    }
    return linkTable[link].device.map { .device($0) } ?? .link(link)
  }

  private mutating func request(
    _ opcode: UInt8, _ bytes: RawSpan, _ place: Place, _ facts: Facts, _ link: LinkID,
    _ moment: Moment
  ) {
    leaveUnanswered(link, moment.side, moment)
    if opcode != 0x0C || linkTable[link].att.reads[moment.side]?.handle != facts.attribute {
      endRead(link, moment.side)
    }
    var request = ATTState.Request(opcode: opcode, handle: facts.attribute, moment: moment)
    defer { linkTable[link].att.requests[moment.side] = request }
    guard !facts.isMalformed else { return }
    switch opcode {
    case 0x02: linkTable[link].att.clientMTU = facts.subcode
    case 0x04, 0x06, 0x08, 0x10:
      describe(bytes, place, moment)
      request.handle = UInt16(truncatingIfNeeded: value(Paths.ATT.startingHandle) ?? 0)
      // The beginning of a long UUID looks like a short one.
      if !moment.isSliced { request.type = uuid(Paths.ATT.type, of: bytes) }
      if opcode == 0x06, !moment.isSliced {
        request.service = BluetoothUUID(littleEndian: bytes.extracting(facts.payload))
      }
      discovering(link, moment)
    case 0x0C: request.offset = facts.subcode
    case 0x12, 0x16:
      endDiscovery(link, moment, from: moment.direction)
      // Now, not when it counts: the bytes are in the packet that is being read.
      let key = database(link, clientDirection: moment.direction)
      if carriesKeys(facts.attribute, key) { conceal(facts.attribute, key, moment) }
      request.write = ATTState.Write(
        offset: facts.subcode, bytes: bytes.array(facts.payload), frames: framesOfPDU(moment))
    case 0x18 where facts.subcode == 1:
      endDiscovery(link, moment, from: moment.direction)
      request.write = ATTState.Write(frames: framesOfPDU(moment))
    case 0x18: linkTable[link].att.queues[moment.side] = ATTState.WriteQueue()
    case 0x0E, 0x20:
      describe(bytes, place, moment)
      request.handles = tree.nodes.filter { $0.field == Paths.ATT.handle }
        .map { UInt16(truncatingIfNeeded: $0.value) }
    default: break
    }
  }

  private mutating func response(
    _ opcode: UInt8, _ bytes: RawSpan, _ place: Place, _ facts: Facts, _ link: LinkID,
    _ moment: Moment
  ) {
    let side = 1 - moment.side
    // An Error Response whose request is cut off answers the only one there is.
    if opcode == 0x01, facts.isMalformed, facts.request == 0 {
      linkTable[link].att.requests[side] = nil
      return
    }
    guard let request = linkTable.request(on: link, side),
      opcode == 0x01 ? facts.request == request.opcode : opcode == request.opcode + 1
    else { return }
    if request.isOverdue {
      tellLate(
        request.opcode, request.handle, PacketID(request.packet), request.moment.time, moment)
    }
    let size = written(request, link, side)
    if opcode == 0x01 {
      endRead(link, side)
      // Nothing of a refused request was written. Vol 3, Part F, 3.4.6.3.
      if request.opcode == 0x18 { linkTable[link].att.queues[side] = ATTState.WriteQueue() }
    } else {
      settle(link, side, moment)
    }
    linkTable[link].att.requests[side] = nil
    requestedType = request.type
    answeredRequest = (request.handle, request.type)
    attribute = AttributeAddress(
      facts, request: (request.opcode, request.handle), moment.direction)
    attribute?.isFromStart = request.offset == 0
    relate(request.packet, moment)
    let key = database(link, clientDirection: moment.direction.opposite)
    // Nothing of a refused write comes before them.
    defer { if opcode == 0x01 { passCommands(link, side) } }
    // Of lists that the recorder cut, the entries that are there count.
    let isCutList = moment.isSliced && [0x05, 0x07, 0x09, 0x11].contains(opcode)
    if facts.isMalformed, !isCutList { return }
    switch opcode {
    case 0x01:
      failed(
        request, facts.attribute, error: UInt8(truncatingIfNeeded: facts.subcode), size: size, key,
        moment)
    case 0x03:
      let client = linkTable[link].att.clientMTU
      linkTable[link].mtu = max(23, min(client, facts.subcode))
      emit(
        .attribute(.mtu(.init(client: client, server: facts.subcode))), moment,
        frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2),
        severity: min(client, facts.subcode) < 23 ? .warning : .info)
    case 0x05, 0x07, 0x09, 0x11:
      if let type = request.type, carriesKeys(type) { conceal(request.handle, key, moment) }
      describe(bytes, place, moment, requestedType: request.type)
      discovered(opcode, request, bytes, key, moment)
    case 0x0F:
      concealAnswer(opcode, request, key, moment)
      severalReadTogether(request, bytes.extracting(facts.payload), link, moment)
    case 0x17: concealAnswer(opcode, request, key, moment)
    case 0x21:
      concealAnswer(opcode, request, key, moment)
      severalRead(request, bytes, place, link, moment)
    case 0x0B, 0x0D:
      read(request, bytes.extracting(facts.payload), link, moment)
    default: break
    }
  }

  func uuid(_ field: Field, of bytes: RawSpan) -> BluetoothUUID? {
    tree.node(field).flatMap { BluetoothUUID(littleEndian: bytes.extracting($0.range)) }
  }

  private mutating func failed(
    _ request: ATTState.Request, _ named: UInt16, error: UInt8, size: Int?, _ key: DatabaseKey,
    _ moment: Moment
  ) {
    // Attribute Not Found is how discovery ends. Vol 3, Part G, 4.4.1.
    if error == 0x0A, [0x04, 0x06, 0x08, 0x10].contains(request.opcode) {
      return searched(for: request, key, moment)
    }
    // Of several, the response says which one it was. 3.4.1.1
    let handle = request.handle == 0 ? named : request.handle
    let uuid = databaseTable[key].type(of: handle)
    if request.opcode == 0x12, let uuid, accessoryRefused(request, error: error, uuid, key, moment)
    {
      return
    }
    emit(
      .attribute(
        .attError(
          .init(
            request: request.opcode, handle: handle, uuid: uuid, error: error, size: size,
            isLocal: moment.direction == .hostToController))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2), severity: .warning)
  }

  /// A search for a service has come to its end: where it found none, that is news. Vol 3, Part G, 4.4.2.
  private mutating func searched(
    for request: ATTState.Request, _ key: DatabaseKey, _ moment: Moment
  ) {
    guard request.opcode == 0x06, request.type?.short == 0x2800, let service = request.service,
      !databaseTable[key].services.values.contains(where: { $0.uuid == service })
    else { return }
    let isLocal = moment.direction == .hostToController
    emit(
      .attribute(.serviceNotFound(.init(service: service, isLocal: isLocal))), moment,
      frames: Event.Frames(PacketID(request.packet), moment.packet, count: 2))
  }

  // MARK: Values

  /// A value on its way, by a write of the client or a notification of the server.
  mutating func passed(
    _ opcode: UInt8, _ handle: UInt16, _ value: RawSpan, _ link: LinkID, _ moment: Moment,
    frames: [PacketID] = []
  ) {
    let isWrite = opcode & 0x3F == 0x12 || opcode == 0x18
    let client = isWrite ? moment.direction : moment.direction.opposite
    let key = database(link, clientDirection: client)
    if !isWrite {
      settleBefore(handle, key, link, Int(client.rawValue), moment)
    } else if opcode & 0x40 != 0, frames.isEmpty, waits(opcode, handle, value, key, link, moment) {
      return
    }
    let uuid = databaseTable[key].used(
      handle, isWrite ? .write : opcode == 0x1D ? .indication : .notification, value,
      cut: moment.cut, moment.packet)
    let isLocal = client == .controllerToHost
    // The bits that are defined are in the first octet.
    if isWrite, uuid?.short == 0x2902, value.byteCount > 0 {
      return subscribed(handle, value, key, isLocal, moment)
    }
    if let uuid, let framing = accessories.framing(of: uuid) {
      let isHere = frames.isEmpty
      if isHere, framing.carriesKeys(.characteristic(uuid)) { conceal(handle, key, moment) }
      return accessory(
        uuid, Self.operation(opcode), value, toServer: isWrite, key, frames, moment)
    }
    if Self.holdsKeys(uuid) {
      databaseTable[key].conceal(handle)
      if frames.isEmpty { conceal(handle, key, moment) }
    }
    if leAudio(opcode, handle, value, isLocal: isLocal, uuid: uuid, moment) { return }
    self.value(opcode, handle, value, isLocal: isLocal, uuid: uuid, moment)
  }

  private static func operation(_ opcode: UInt8) -> VendorValue.Operation {
    switch opcode {
    case 0x52, 0xD2: .writeCommand
    case 0x1B: .notification
    case 0x1D: .indication
    default: .write
    }
  }

  private mutating func read(
    _ request: ATTState.Request, _ value: RawSpan, _ link: LinkID, _ moment: Moment
  ) {
    let side = 1 - moment.side
    let key = database(link, clientDirection: moment.direction.opposite)
    if carriesKeys(request.handle, key) { conceal(request.handle, key, moment) }
    learnReportMap(request, value, link, key, moment)
    endDiscovery(link, moment, from: moment.direction.opposite)
    // Only a value that fills the response can go on. Vol 3, Part F, 3.4.4.4.
    let size = value.byteCount + moment.cut
    let isWhole = size + 1 < Int(linkTable[link].mtu)
    if request.offset == 0 {
      endRead(link, side)
      if isWhole { return wasRead(request.handle, value, [], moment) }
      linkTable[link].att.reads[side] = ATTState.LongRead(
        handle: request.handle, bytes: value.array, count: size, frames: framesOfPDU(moment),
        moment: moment)
    } else if let read = linkTable.longRead(on: link, side), read.count == request.offset {
      let room = max(0, ATTState.LongRead.longest - read.bytes.count)
      let frames = framesOfPDU(moment)
      let kept = min(room, value.byteCount)
      if !read.isCut { linkTable[link].att.reads[side]?.bytes += value.array(0..<kept) }
      linkTable[link].att.reads[side]?.count += kept + moment.cut
      linkTable[link].att.reads[side]?.frames += frames
    }
    if isWhole {
      completeRead(link, side, key)
      endRead(link, side)
    }
  }

  /// Tells of a value that was read, all its parts together.
  mutating func endRead(_ link: LinkID, _ side: Int) {
    guard let read = linkTable.longRead(on: link, side) else { return }
    linkTable[link].att.reads[side] = nil
    var moment = read.moment
    moment.link = link
    moment.cut = read.isCut ? read.count - read.bytes.count : 0
    wasRead(read.handle, read.bytes.raw, read.frames, moment)
  }

  /// `frames` may be empty for a value that came whole in the packet of `moment`.
  mutating func wasRead(
    _ handle: UInt16, _ value: RawSpan, _ frames: [PacketID], _ moment: Moment
  ) {
    guard let link = moment.link else { return }
    let key = database(link, clientDirection: moment.direction.opposite)
    let uuid = databaseTable[key].used(handle, .read, value, cut: moment.cut, moment.packet)
    let isLocal = moment.direction == .hostToController
    if uuid?.short == 0x2A00, !moment.isSliced { named(value, key) }
    if Self.holdsKeys(uuid) { databaseTable[key].conceal(handle) }
    if uuid?.short == 0x2908 { learnReportReference(handle, value, key, moment) }
    if let uuid, accessories.framing(of: uuid) != nil {
      return accessory(uuid, .read, value, toServer: false, key, frames, moment)
    }
    if leAudio(0x0B, handle, value, isLocal: isLocal, uuid: uuid, moment) { return }
    self.value(0x0B, handle, value, isLocal: isLocal, uuid: uuid, moment)
  }

  private mutating func subscribed(
    _ handle: UInt16, _ value: RawSpan, _ key: DatabaseKey, _ isLocal: Bool, _ moment: Moment
  ) {
    let bits = UInt16(truncatingIfNeeded: value.unsigned(at: 0, min(2, value.byteCount)))
    let characteristic = databaseTable[key].characteristic(owning: handle)
    emit(
      .attribute(
        .subscription(
          .init(handle: handle, uuid: characteristic?.uuid, bits: bits, isLocal: isLocal))), moment)
    if let uuid = characteristic?.uuid, accessories.framing(of: uuid) != nil {
      accessory(uuid, .subscribe(bits & 3 != 0), value, toServer: true, key, [], moment)
    }
  }
}
