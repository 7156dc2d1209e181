import HarkCore
import HarkDissection

/// The CISes of controllers: what they are called, and the ACL connections they belong to.
/// Core Specification, Vol 4, Part E, 7.7.65.26, 7.8.97, 7.8.99.
struct IsochronousStreams: Sendable {
  struct Stream: Sendable {
    var link: LinkID?
    var name: IsochronousEvent.Name?
  }

  private struct Key: Hashable {
    let controller: UInt16
    let handle: UInt16
  }

  /// Hostile captures name any number of handles: then all is forgotten.
  private static let most = 4_096
  private var streams: [Key: Stream] = [:]
  /// The CIS_IDs of HCI_LE_Set_CIG_Parameters, whose handles its Command Complete gives in order.
  private var asked: [UInt16: (cig: UInt8, streams: [UInt8])] = [:]

  subscript(controller: UInt16, handle: UInt16) -> Stream? {
    streams[Key(controller: controller, handle: handle)]
  }

  mutating func name(
    _ handle: UInt16, _ controller: UInt16, _ name: IsochronousEvent.Name
  ) {
    makeRoom()
    streams[Key(controller: controller, handle: handle), default: Stream()].name = name
  }

  mutating func connect(_ handle: UInt16, _ controller: UInt16, to link: LinkID?) {
    makeRoom()
    streams[Key(controller: controller, handle: handle), default: Stream()].link = link
  }

  /// The handle is given to a BIS.
  mutating func forget(_ handle: UInt16, _ controller: UInt16) {
    streams[Key(controller: controller, handle: handle)] = nil
  }

  private mutating func makeRoom() { if streams.count >= Self.most { streams = [:] } }

  mutating func ask(_ controller: UInt16, _ cig: UInt8, _ streams: [UInt8]) {
    asked[controller] = (cig, streams)
  }

  mutating func answer(_ controller: UInt16, _ cig: UInt8, _ handles: [UInt16]) {
    guard let group = asked.removeValue(forKey: controller), group.cig == cig,
      group.streams.count == handles.count
    else { return }
    for (cis, handle) in zip(group.streams, handles) {
      name(handle, controller, .init(cig: cig, cis: cis))
    }
  }
}

extension Session {
  /// What the streams are called that the answer, or an event, gives handles.
  mutating func isochronousCommand(_ opcode: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    switch opcode {
    case 0x2062 where bytes.byteCount > 17:
      // Nine octets of each stream, of which the first is its CIS_ID. 7.8.97
      let streams = (0..<Int(bytes.byte(at: 17))).map { 18 + $0 * 9 }
        .prefix { $0 + 9 <= bytes.byteCount }.map { bytes.byte(at: $0) }
      isochronousStreams.ask(moment.controller, bytes.byte(at: 3), streams)
    case 0x2064 where bytes.byteCount > 3:
      for start in (0..<Int(bytes.byte(at: 3))).map({ 4 + $0 * 4 })
      where start + 4 <= bytes.byteCount {
        let stream = UInt16(truncatingIfNeeded: bytes.unsigned(at: start, 2)) & 0x0FFF
        let link = UInt16(truncatingIfNeeded: bytes.unsigned(at: start + 2, 2)) & 0x0FFF
        isochronousStreams.connect(
          stream, moment.controller, to: linkTable.find(moment.controller, link))
      }
    default: break
    }
  }

  /// The return parameters of HCI_LE_Set_CIG_Parameters: Status, CIG_ID, CIS_Count, handles.
  mutating func streamsConfigured(_ bytes: RawSpan, _ moment: Moment) {
    guard bytes.byteCount > 7 else { return }
    let handles = (0..<Int(bytes.byte(at: 7))).map { 8 + $0 * 2 }
      .prefix { $0 + 2 <= bytes.byteCount }
      .map { UInt16(truncatingIfNeeded: bytes.unsigned(at: $0, 2)) & 0x0FFF }
    isochronousStreams.answer(moment.controller, bytes.byte(at: 6), handles)
  }

  /// The ACL connection of a CIS; nil of a BIS.
  func linkOfStream(_ handle: UInt16, _ moment: Moment) -> LinkID? {
    isochronousStreams[moment.controller, handle]?.link
  }
}
