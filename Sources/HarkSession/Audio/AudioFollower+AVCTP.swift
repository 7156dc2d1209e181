import HarkCore
import HarkDissection

// AVCTP messages, and AVRCP responses that continue. AVCTP 1.4, 6.1; AVRCP 1.6, 6.3.1, 6.8.
extension AudioFollower {
  private static let messageEntry = Catalog.shared.entry(at: .reassembled(AVCTPPacket.psm))
  private static let responseEntry = Catalog.shared.entry(at: .reassembledResponse)

  /// An SDU of a control or browsing channel.
  mutating func avctp(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: PacketContext,
    _ tables: inout Tables
  ) {
    let side = moment.side
    let isBrowsing = tables.channels[Int(id.index)].psm == AVCTPPacket.browsingPSM
    let packet = AVCTPPacket(
      bytes, as: isBrowsing ? .browsing : .control, isCut: moment.isTruncated)
    if packet.type == .single || packet.type == .start,
      let begun = remotes[id]?.messages[side], begun.isBegun
    {
      remotes[id]?.messages[side] = PacketAssembly()
      incomplete(begun.bytes.count, begun.packets, on: id, moment, &tables)
    }
    if packet.type == .single || isBrowsing {
      return remote(packet, bytes, on: id, parts, moment, &tables)
    }
    // What the recorder cut cannot be reassembled.
    if moment.isTruncated {
      remotes[id]?.messages[side] = PacketAssembly()
      return
    }
    let packets = parts.isEmpty ? tables.packetsOfPDU(moment) : parts
    if packet.type == .start {
      remotes[id, default: AVCTPState()].messages[side] = PacketAssembly(
        bytes.array, packets, count: Int(packet.packets))
      return
    }
    guard var assembly = remotes[id]?.messages[side], assembly.isBegun else { return }
    let progress = assembly.add(
      bytes.array(packet.information), packets, isEnd: packet.type == .end)
    remotes[id]?.messages[side] = progress == .unfinished ? assembly : PacketAssembly()
    switch progress {
    case .unfinished: break
    case .broken: incomplete(assembly.bytes.count, assembly.packets, on: id, moment, &tables)
    case .whole:
      let whole = assembly.bytes.raw
      tables.complete("AVCTP message", whole, Self.messageEntry, packets: assembly.packets)
      remote(
        AVCTPPacket(whole, as: .reassembled, isCut: false), whole, on: id, assembly.packets, moment,
        &tables)
    }
  }

  /// A packet, reassembled or not, that fills `bytes`.
  private mutating func remote(
    _ packet: AVCTPPacket, _ bytes: RawSpan, on id: ChannelID, _ parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let isBrowsing = tables.channels[Int(id.index)].psm == AVCTPPacket.browsingPSM
    let frame = bytes.extracting(packet.information)
    let message =
      packet.isRemoteControl
      ? AVRCPMessage(
        frame, as: isBrowsing ? .browsing(isResponse: packet.isResponse) : .control,
        isCut: moment.isTruncated)
      : AVRCPMessage()
    let side = moment.side
    if packet.isResponse {
      let key = AVDTPState.key(packet.transaction, 1 - side)
      let command = remotes[id]?.commands[key]
      if let command {
        tables.record.row.related = command.packet
        tables.packets.update(command.packet) {
          if $0.related == 0 { $0.related = moment.packet.number }
        }
        // An interim response is followed by another.
        if message.type != .interim { remotes[id]?.commands[key] = nil }
      }
    } else {
      remotes[id, default: AVCTPState()].commands[AVDTPState.key(packet.transaction, side)] =
        AVCTPState.Command(packet: moment.packet.number)
    }
    if packet.hasUnknownProfile, let profile = packet.profile {
      return report(
        .profileUnknown(.init(profile: profile, toPeer: moment.isFromPeer)), moment,
        severity: .warning, &tables)
    }
    guard message.packetType != .single else {
      return remote(message, frame, isResponse: packet.isResponse, on: id, moment, &tables)
    }
    continued(
      message, frame, on: id, parts.isEmpty ? tables.packetsOfPDU(moment) : parts, moment, &tables)
  }

  /// A part of a response: the parameters of the later parts are appended to those of the first.
  private mutating func continued(
    _ message: AVRCPMessage, _ frame: RawSpan, on id: ChannelID, _ parts: [UInt32],
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let side = moment.side
    if moment.isTruncated {
      remotes[id]?.responses[side] = AVCTPState.PartialResponse()
      return
    }
    if message.packetType == .start {
      remotes[id, default: AVCTPState()].responses[side] = AVCTPState.PartialResponse(
        bytes: frame.array, packets: parts, identifier: message.identifier)
      return
    }
    guard var assembly = remotes[id]?.responses[side], !assembly.bytes.isEmpty,
      message.identifier == assembly.identifier
    else { return }
    assembly.packets += parts
    assembly.bytes += frame.array(message.fragment)
    let isLast = message.packetType == .end
    let isTooLong = assembly.bytes.count > AVCTPState.longest
    remotes[id]?.responses[side] = isLast || isTooLong ? AVCTPState.PartialResponse() : assembly
    guard isLast, !isTooLong else { return }
    let bytes = assembly.bytes.raw
    tables.complete("AVRCP response", bytes, Self.responseEntry, packets: assembly.packets)
    let whole = AVRCPMessage(bytes, as: .reassembled, isCut: false)
    remote(whole, bytes, isResponse: true, on: id, moment, &tables)
  }
}
