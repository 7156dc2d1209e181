import HarkCore
import HarkDissection

// Packets from the air: advertising, and who connects to whom.
// Core Specification, Vol 6, Part B, 2 and 4.
extension Session {
  private static let advertisingAddress: UInt32 = 0x8E89_BED6

  mutating func heard(_ bytes: RawSpan, _ kind: PacketKind, _ moment: inout Moment) {
    air.context = LinkLayerContext()
    air.channel = nil
    row.flags.insert(.directionUnknown)
    guard let header = AirHeader(bytes, kind) else {
      let facts = facts(bytes, kind, moment)
      if kind == .nordicBLE, !facts.isMalformed { return snifferSays(bytes, moment) }
      counts.air.channels[40] += 1
      return malformed(facts, moment)
    }
    air.channel = header.channel
    counts.air.channels[header.channel.map { Int($0) } ?? 40] += 1
    let address = header.accessAddress(bytes)
    if address == Self.advertisingAddress {
      advertising(bytes, kind, header, crcInit: nil, .unknown, &moment)
    } else if let index = air.find(address, moment.controller) {
      connection(index, bytes, kind, header, &moment)
    } else if let other = air.other(address, moment.controller), other.channel == .periodic {
      advertising(bytes, kind, header, crcInit: other.crcInit, .periodic, &moment)
    } else {
      stranger(address, bytes, kind, header, &moment)
    }
  }

  /// A message of the sniffer that holds no packet: its texts are for people.
  private mutating func snifferSays(_ bytes: RawSpan, _ moment: Moment) {
    describe(bytes, .record(.nordicBLE), moment)
    guard let text = text(Paths.Nordic.text, of: bytes) else { return }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    emitNote(words, of: "nRF Sniffer", moment)
  }

  /// Sets what the packet is read with, and tells whether it may be believed.
  mutating func prepare(
    _ bytes: RawSpan, _ header: AirHeader, _ context: LinkLayerContext, _ moment: Moment
  ) -> Range<Int>? {
    var context = context
    header.tell(&context)
    if context.channel == .unknown, header.accessAddress(bytes) != Self.advertisingAddress {
      context.channel = .data
    }
    let pdu = header.pdu(bytes, context)
    context.crc = context.check(bytes, pdu)
    air.context = context
    guard context.crc != .wrong else {
      counts.air.wrongCRCs += 1
      return nil
    }
    if pdu.upperBound > bytes.byteCount, !moment.isSliced {
      // It has not the length it says.
      malformed(facts(bytes, row.kind, moment), moment)
      return nil
    }
    return pdu
  }

  // MARK: Advertising

  private mutating func advertising(
    _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader, crcInit: UInt32?,
    _ channel: LinkLayerContext.Channel, _ moment: inout Moment
  ) {
    var context = LinkLayerContext()
    (context.crcInit, context.channel) = (crcInit, channel)
    guard let pdu = prepare(bytes, header, context, moment) else { return }
    let facts = facts(bytes, kind, moment)
    malformed(facts, moment)
    guard !facts.isMalformed else { return }
    let type = bytes.byte(at: pdu.lowerBound) & 0x0F
    switch type {
    case 5: connect(bytes, pdu, &moment)
    case 0, 1, 2, 4, 6, 7:
      guard facts.address != 0 else { break }
      counts.advertisingReports += 1
      hear(bytes, type, pdu, facts, moment)
    default: break
    }
    if type == 7 { synchronizing(bytes, pdu, moment) }
  }

  /// Most of what is advertised repeats what was heard before: then it is only counted.
  private mutating func hear(
    _ bytes: RawSpan, _ type: UInt8, _ pdu: Range<Int>, _ facts: Facts, _ moment: Moment
  ) {
    let address = BluetoothAddress(facts.address, hciType: facts.addressType)
    let data = advertisingData(bytes, type, pdu)
    if keys.opensProximity { proximity(bytes, address, moment) }
    if wantsAdvertising, type != 1, type != 7, !moment.isSliced {
      advertised(
        bytes.array(data), by: address, Advertisers.Kind(pdu: type), [moment.packet], moment)
    }
    let hearing = deviceTable.hear(address)
    let kind = AdvertisedName(bytes.extracting(data))
    guard hearing.lacks(kind), !moment.isSliced else { return }
    describe(bytes, .record(row.kind), moment)
    if let name = text(Paths.AD.localName, of: bytes) {
      deviceTable.heard(address, name: name, kind)
    }
  }

  /// Behind AdvA, or behind an extended header; ADV_DIRECT_IND has none. 2.3.1, 2.3.4
  private func advertisingData(
    _ bytes: RawSpan, _ type: UInt8, _ pdu: Range<Int>
  ) -> Range<Int> {
    let end = min(bytes.byteCount, pdu.upperBound)
    let start =
      switch type {
      case 1: end
      case 7 where pdu.lowerBound + 2 < end:
        pdu.lowerBound + 3 + Int(bytes.byte(at: pdu.lowerBound + 2) & 0x3F)
      default: pdu.lowerBound + 8
      }
    return min(start, end)..<end
  }

  /// SyncInfo tells where a periodic advertising train is. 2.3.4.6
  private mutating func synchronizing(_ bytes: RawSpan, _ pdu: Range<Int>, _ moment: Moment) {
    let length = Int(bytes.byte(at: pdu.lowerBound + 2) & 0x3F)
    guard length > 0 else { return }
    let flags = bytes.byte(at: pdu.lowerBound + 3)
    guard flags & 0x20 != 0 else { return }
    let sizes = [6, 6, 1, 2, 3]
    let before = sizes.enumerated().reduce(0) { flags >> $1.offset & 1 == 1 ? $0 + $1.element : $0 }
    let sync = pdu.lowerBound + 4 + before
    guard sync + 18 <= pdu.lowerBound + 3 + length, sync + 18 <= pdu.upperBound else { return }
    air.expect(
      AirState.Other(
        channel: .periodic,
        crcInit: UInt32(truncatingIfNeeded: bytes.unsigned(at: sync + 13, 3))),
      at: UInt32(truncatingIfNeeded: bytes.unsigned(at: sync + 9, 4)), moment.controller)
  }

  // MARK: Connections

  /// CONNECT_IND and AUX_CONNECT_REQ. 2.3.3.1
  private mutating func connect(_ bytes: RawSpan, _ pdu: Range<Int>, _ moment: inout Moment) {
    let start = pdu.lowerBound + 2
    guard start + 34 <= min(pdu.upperBound, bytes.byteCount) else { return }
    let header = bytes.byte(at: pdu.lowerBound)
    let central = BluetoothAddress(bytes.unsigned(at: start, 6), hciType: header >> 6 & 1)
    let peripheral = BluetoothAddress(bytes.unsigned(at: start + 6, 6), hciType: header >> 7)
    let address = UInt32(truncatingIfNeeded: bytes.unsigned(at: start + 12, 4))
    for old in linkTable.live(on: moment.controller) {
      let air = linkTable[old].air
      if air?.accessAddress == address
        || linkTable[old].peer == peripheral && air?.central == central
      {
        close(old, reason: nil, moment)
      }
    }
    guard let link = openOnAir(address, .seen, &moment) else { return }
    linkTable[link].air?.central = central
    linkTable[link].air?.centralDevice = deviceTable.device(at: central, moment.packet)
    linkTable[link].air?.channelMap = bytes.unsigned(at: start + 28, 5) & 0x1F_FFFF_FFFF
    linkTable[link].air?.hop = UInt8(truncatingIfNeeded: bytes.unsigned(at: start + 33, 1) & 0x1F)
    linkTable.meet(peripheral, on: link)
    linkTable[link].device = deviceTable.device(at: peripheral, moment.packet)
    linkTable[link].interval = UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 22, 2))
    linkTable[link].latency = UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 24, 2))
    linkTable[link].supervisionTimeout = UInt16(
      truncatingIfNeeded: bytes.unsigned(at: start + 26, 2))
    _ = air.follow(
      AirConnection(
        address, link, crcInit: UInt32(truncatingIfNeeded: bytes.unsigned(at: start + 16, 3))),
      moment.controller)
    emit(.link(.opened(.init())), moment)
  }

  private mutating func openOnAir(
    _ address: UInt32, _ certainty: Certainty, _ moment: inout Moment
  ) -> LinkID? {
    let handle = air.nextHandle(moment.controller)
    if let old = linkTable.find(moment.controller, handle) { close(old, reason: nil, moment) }
    guard let link = linkTable.open(moment.controller, handle, .le, moment.packet, certainty)
    else { return nil }
    moment.link = link
    linkTable[link].role = .central
    linkTable[link].air = Link.Air(accessAddress: address)
    return link
  }

  /// A packet with an Access Address that is not known: of a connection that began before the
  /// capture, or noise. The CRCs of two packets tell. 3.1.1
  private mutating func stranger(
    _ address: UInt32, _ bytes: RawSpan, _ kind: PacketKind, _ header: AirHeader,
    _ moment: inout Moment
  ) {
    var context = LinkLayerContext()
    if let other = air.other(address, moment.controller) { context.channel = other.channel }
    guard let pdu = prepare(bytes, header, context, moment) else { return }
    guard air.context.channel == .data else {
      counts.air.strange += 1
      return malformed(facts(bytes, kind, moment), moment)
    }
    let crc = LinkLayerContext.crc(bytes, behind: pdu)
    let crcInit = crc.flatMap { $0 == 0 ? nil : LinkLayerCRC.initial(bytes, pdu, crc: $0) }
    let isSure = air.context.crc == .right || air.context.isDecrypted
    // On channels 37 to 39 there are no connections, whatever was heard for the Access Address. 1.4.1
    let isPrimary = header.channel.map { $0 >= 37 } ?? false
    let isAdvertising =
      crcInit == LinkLayerCRC.advertising && isPrimary || Self.isMisheardAdvertising(address)
    let heard = AirState.Stranger(crcInit: crcInit, digest: Self.digest(bytes, pdu))
    let isKnownCRC = crcInit != nil && crcInit != LinkLayerCRC.advertising
    // Zeros stand where no CRC is recorded; where the record ends before it, the length was not heard right.
    let isTold = isKnownCRC || crc == 0 && Self.isAllowed(address)
    let isFamiliar =
      isSure && !isAdvertising || isTold && air.isFamiliar(address, moment.controller, heard)
    guard isFamiliar, let link = openOnAir(address, .inferred, &moment)
    else {
      counts.air.strange += 1
      (air.context.isDoubtful, air.context.isUnfollowed) = (isAdvertising, !isAdvertising)
      return
    }
    let index = air.follow(
      AirConnection(address, link, crcInit: isSure ? nil : crcInit), moment.controller)
    emit(.link(.inferred(.init())), moment, severity: .warning)
    connection(index, bytes, kind, header, &moment)
  }

  /// Whether a connection may have the Access Address: of noise, a run of equal bits is likely. 2.1.2
  private static func isAllowed(_ address: UInt32) -> Bool {
    let changes = address ^ (address >> 1 | address & 0x8000_0000)
    var (run, longest) = (1, 1)
    for bit in 0..<31 {
      run = changes >> bit & 1 == 0 ? run + 1 : 1
      longest = max(longest, run)
    }
    return longest <= 6 && changes.nonzeroBitCount <= 24
      && (changes >> 26).nonzeroBitCount >= 2 && address != address.byteSwapped
      && !isMisheardAdvertising(address)
  }

  /// Whether the Access Address is that of advertising but for some bits, as sniffers hear it through noise;
  /// that of a connection may not differ in one bit only. 2.1.2
  private static func isMisheardAdvertising(_ address: UInt32) -> Bool {
    (address ^ advertisingAddress).nonzeroBitCount <= 8
  }
}
