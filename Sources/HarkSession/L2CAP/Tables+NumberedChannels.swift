import HarkCore
import HarkDissection

// Dynamic channels whose opening is not in the capture, and whose CID a layout, a profile or the user names.
extension Tables {
  /// Opens the channel of frames with `cid`, if it is read by number. A CID identifies the endpoint of one side, so
  /// each direction has its own channel.
  mutating func openNumbered(
    _ cid: UInt16, _ frame: RawSpan, _ link: LinkID, _ moment: PacketContext
  ) -> ChannelID? {
    // LE has no other dynamic channels. On a link of unknown transport, the length of an SDU shows it. Core
    // Specification, Vol 3, Part A, 3.4.
    let size = KFrameBeginning(frame).size
    let isLE =
      links[link].transport == .le
      || links[link].transport == .unknown && size == frame.byteCount
    // Everything else that is recognized by its form is on BR/EDR.
    guard numbered.reads(cid: cid, isKnown: false) || isLE && framings.isListening,
      !moment.isUndirected
    else { return nil }
    var state = ChannelState()
    if isLE {
      state.framing.mode = .creditBased
      // The first frame may continue an SDU.
      state.assembly[moment.side].isLost = size.map { $0 < frame.byteCount } ?? true
    }
    state.numberedCID = cid
    return openInferredChannel(
      LinkCID(link, cid, moment.direction), psm: Channel.unknownPSM,
      catalog.entry(at: .channel(cid)),
      on: openStream(.unknownChannel(cid: cid), link, isInferred: true, moment),
      from: moment.packet, state)
  }
}
