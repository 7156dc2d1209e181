import HarkCore
import HarkDissection

// Messages of AVCTP, and responses of AVRCP that continue. AVCTP 1.4, 6.1; AVRCP 1.6, 6.3.1, 6.8.
extension Session {
  private static let messageEntry = Catalog.shared.entry(at: .reassembled(0x0017))
  private static let responseEntry = Catalog.shared.entry(at: .reassembledResponse)

  /// An SDU of a control or browsing channel.
  mutating func avctp(
    _ bytes: RawSpan, on id: ChannelID, packets parts: [UInt32], _ moment: Moment
  ) {
    let side = moment.side
    let kind = bytes.byte(at: 0) >> 2 & 3
    let isBrowsing = channels[Int(id.index)].psm == 0x001B
    if kind == 0 || isBrowsing {
      describe(bytes, .psm(isBrowsing ? 0x001B : 0x0017), moment)
      let message = bytes.extracting(min(3, bytes.byteCount)..<bytes.byteCount)
      return remote(message, bytes, on: id, parts, moment)
    }
    // What the recorder cut cannot be put together.
    if moment.isSliced {
      remotes[id]?.messages[side] = AVCTPState.Assembly()
      return
    }
    let packets = parts.isEmpty ? packetsOfPDU(moment) : parts
    if kind == 1 {
      remotes[id, default: AVCTPState()].messages[side] = AVCTPState.Assembly(
        bytes: bytes.array, packets: packets, missing: Int(bytes.byte(at: 1)) - 1)
      return
    }
    guard var assembly = remotes[id]?.messages[side], !assembly.bytes.isEmpty else { return }
    assembly.missing -= 1
    assembly.packets += packets
    assembly.bytes += bytes.array(1..<max(1, bytes.byteCount))
    let isWhole = kind == 3 && assembly.missing == 0
    let isBroken = assembly.missing <= 0 || assembly.bytes.count > AVCTPState.longest
    remotes[id]?.messages[side] = isWhole || isBroken ? AVCTPState.Assembly() : assembly
    guard isWhole else { return }
    let whole = assembly.bytes.raw
    complete("AVCTP message", whole, Self.messageEntry, packets: assembly.packets)
    describe(whole, .reassembled(0x0017), moment)
    let message = whole.extracting(min(4, whole.byteCount)..<whole.byteCount)
    remote(message, whole, on: id, assembly.packets, moment)
  }

  /// A message whose fields are in `tree`, and stand in `bytes`; `frame` is its part behind AVCTP.
  private mutating func remote(
    _ frame: RawSpan, _ bytes: RawSpan, on id: ChannelID, _ parts: [UInt32], _ moment: Moment
  ) {
    let message = remoteMessage(bytes)
    let side = moment.side
    if message.isResponse {
      let key = AVDTPState.key(message.label, 1 - side)
      let command = remotes[id]?.commands[key]
      if let command {
        row.related = command.packet
        packets.update(command.packet) {
          if $0.related == 0 { $0.related = moment.packet.number }
        }
        // An interim response is followed by another.
        if message.type != 0xF { remotes[id]?.commands[key] = nil }
      }
    } else {
      remotes[id, default: AVCTPState()].commands[AVDTPState.key(message.label, side)] =
        AVCTPState.Command(packet: moment.packet.number)
    }
    guard message.packetType != 0 else { return remote(message, on: id, moment) }
    continued(message, frame, on: id, parts.isEmpty ? packetsOfPDU(moment) : parts, moment)
  }

  /// A part of a response: the parameters of those that follow the first are put behind it.
  private mutating func continued(
    _ message: AVRCPMessage, _ frame: RawSpan, on id: ChannelID, _ parts: [UInt32],
    _ moment: Moment
  ) {
    let side = moment.side
    if moment.isSliced {
      remotes[id]?.responses[side] = AVCTPState.Assembly()
      return
    }
    if message.packetType == 1 {
      remotes[id, default: AVCTPState()].responses[side] = AVCTPState.Assembly(
        bytes: frame.array, packets: parts)
      return
    }
    guard var assembly = remotes[id]?.responses[side], !assembly.bytes.isEmpty,
      assembly.bytes.count > 6, frame.byte(at: 6) == assembly.bytes[6]
    else { return }
    assembly.packets += parts
    assembly.bytes += frame.array(min(10, frame.byteCount)..<frame.byteCount)
    let isLast = message.packetType == 3
    let isTooLong = assembly.bytes.count > AVCTPState.longest
    remotes[id]?.responses[side] = isLast || isTooLong ? AVCTPState.Assembly() : assembly
    guard isLast, !isTooLong else { return }
    complete("AVRCP response", assembly.bytes.raw, Self.responseEntry, packets: assembly.packets)
    describe(assembly.bytes.raw, .reassembledResponse, moment)
    var whole = remoteMessage(assembly.bytes.raw)
    (whole.label, whole.isResponse) = (message.label, true)
    remote(whole, on: id, moment)
  }
}
