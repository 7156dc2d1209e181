import HarkCapture
import HarkCore
import HarkProfile
import Testing

@testable import HarkSession

/// What followers keep of a link, a channel or a stream ends with it: long recordings have any number of them.
@Suite struct EndingTests {
  /// HCI_Disconnection_Complete of link 0x0040. Core Specification, Vol 4, Part E, 7.7.5
  private static let closed = MadeRecord.event("05 04 00 40 00 13")

  /// Channels that were open before the capture began, and how many of these frames identify them.
  static let unopened: [(frames: [MadeRecord], needed: Int)] = [
    (
      [AAPShapeTests.ears, AAPShapeTests.mode, AAPShapeTests.battery]
        .map { .pdu(0x41, $0, received: true) }, 3
    ),
    // AVRCP: volume up, pressed and released. AV/C Panel Subunit 1.1, 9.4
    (
      ["20 110e 00 48 7c 41 00", "30 110e 00 48 7c c1 00"]
        .map { .pdu(0x42, $0, received: false) }, 2
    ),
    // RTP packets of one source that follow each other. RFC 3550, 5.1
    (
      (1...4).map {
        .pdu(0x43, "8060 000\($0) 00000\($0)00 00000001 01 9c010211 0102030405", received: false)
      }, 4
    ),
    // AVDTP_GET_CONFIGURATION and its answer with no more than media transport. AVDTP 1.3, 8.10
    (
      [.pdu(0x44, "00 04 04", received: false), .pdu(0x45, "02 04 01 00", received: true)], 2
    ),
  ]

  /// What has begun on 300 links that ended leaves room for the next one.
  @Test(arguments: unopened.indices) func endedLinksLeaveRoom(index: Int) {
    let (frames, needed) = Self.unopened[index]
    let begun = frames.dropLast(frames.count - needed + 1) + [Self.closed]
    let session = MadeRecord.session((0..<300).flatMap { _ in begun } + frames)
    let channels = session.channels
    #expect(channels.count == 1 && channels.first?.isInferred == true)
  }

  /// When a CID is free again, its next channel may be of any kind. Core Specification, Vol 3, Part A, 4.7
  @Test func closedChannelsLeaveNoVerdict() {
    let other = MadeRecord.pdu(0x41, "01 02 03 04 05 06", received: true)
    let frames = Self.unopened[0].frames
    let closing: [MadeRecord] = [
      .pdu(0x0001, "06 02 04 00 41 00 60 00", received: true),
      .pdu(0x0001, "07 02 04 00 41 00 60 00", received: false),
    ]
    #expect(MadeRecord.session(frames[..<1] + [other] + frames).channels.isEmpty)
    let session = MadeRecord.session(frames[..<1] + [other] + closing + frames)
    let channels = session.channels
    #expect(channels.count == 1)
  }

  // MARK: The state of all followers

  /// The identifiers that are keys in a follower's state, each with the path of the property.
  private static func keys(in value: Any, _ path: String) -> [(path: String, id: Any)] {
    let mirror = Mirror(reflecting: value)
    return switch mirror.displayStyle {
    case .dictionary:
      mirror.children.flatMap { entry in
        Mirror(reflecting: entry.value).children.prefix(1).flatMap { ids(in: $0.value, path) }
      }
    case .set: mirror.children.flatMap { ids(in: $0.value, path) }
    case .struct, .optional:
      mirror.children.flatMap { keys(in: $0.value, path + "." + ($0.label ?? "")) }
    default: []
    }
  }

  private static func ids(in key: Any, _ path: String) -> [(path: String, id: Any)] {
    if key is LinkID || key is ChannelID || key is StreamID { return [(path, key)] }
    // The owner of a database, which outlives its link.
    if key is Session.DatabaseKey { return [] }
    return Mirror(reflecting: key).children.flatMap { ids(in: $0.value, path) }
  }

  /// The properties with state of links, channels and streams that are open (`closed` is false) or were.
  private static func state(_ session: borrowing Session, closed: Bool) -> Set<String> {
    let (links, channels, streams) = (session.links, session.channels, session.streams)
    func isClosed(_ id: LinkID) -> Bool { links[Int(id.index)].closed != nil }
    func isClosed(_ id: Any) -> Bool {
      switch id {
      case let id as LinkID: return isClosed(id)
      case let id as ChannelID:
        let channel = channels[Int(id.index)]
        return channel.closed != nil || isClosed(channel.link)
      case let id as StreamID:
        let stream = streams[Int(id.index)]
        return stream.closed != nil || isClosed(stream.link)
      default: return false
      }
    }
    let all =
      keys(in: session.traffic, "traffic") + keys(in: session.isochronous, "isochronous")
      + keys(in: session.tables.hid, "hid")
      + keys(in: session.tables.unknownStreams, "unknownStreams")
    return Set(all.filter { isClosed($0.id) == closed }.map(\.path))
  }

  private static func frame(_ cid: UInt16, _ hex: String, received: Bool = true) -> MadeRecord {
    .pdu(cid, hex, received: received)
  }

  /// A channel with the same CID on both sides.
  private static func open(_ psm: String, _ cid: String) -> [MadeRecord] {
    [
      frame(1, "0201 0400 \(psm) \(cid)", received: false),
      frame(1, "0301 0800 \(cid) \(cid) 0000 0000"),
    ]
  }

  /// Something unfinished, or something that is compared later, for followers of channels and streams.
  private static let unfinished: [MadeRecord] =
    unopened.flatMap { $0.frames.prefix(1) } + open("0100", "7000") + open("1100", "7100")
    + open("1700", "7200") + open("1900", "7300")
    + open("0110", "7400") + [
      // SDP: an answer that is continued. HID: the Boot Protocol, then SET_PROTOCOL without an answer.
      frame(0x70, "06000000 0f 3503191124 00ff 35050a0000ffff00", received: false),
      frame(0x70, "07000000 08 0004 35020900 01 00"),
      frame(0x71, "70", received: false), frame(0x71, "00"), frame(0x71, "71", received: false),
      // AVRCP: the volume is asked for. AVDTP: a discovery without an answer.
      frame(0x72, "10 110e 03 48 00 001958 31 00 0005 0d00000000", received: false),
      frame(0x73, "00 01", received: false),
      frame(0x74, AAPShapeTests.ears), frame(0x74, AAPShapeTests.mode),
      frame(0x74, AAPShapeTests.battery),
    ]

  @Test func nothingRemains() {
    var open: Set<String> = []
    let session = MadeRecord.session(Self.unfinished + [Self.closed]) { session, index in
      if index == Self.unfinished.count - 1 { open = Self.state(session, closed: false) }
    }
    let expected = [
      "traffic.aap.states", "traffic.aap.suspects", "traffic.audio.controlSuspects",
      "traffic.audio.mediaSuspects", "traffic.audio.remotes", "traffic.audio.signalSuspects",
      "traffic.sdp.states", "hid.asked", "hid.bootLinks", "hid.pending", "unknownStreams",
    ]
    #expect(expected.filter { !open.contains($0) } == [], "\(open.sorted())")
    #expect(Self.state(session, closed: true) == [])
  }

  /// The same for what the captures that come with hark contain: some end their links, some reset their controller.
  @Test(arguments: Samples.bundled) func nothingRemainsOfCaptures(path: String) throws {
    let capture = try Capture(path: path)
    var session = Session(framings: .known)
    var left: Set<String> = []
    var count = 0
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      let isEnd = session.events.contains { event in
        switch event.content {
        case .link(.closed), .channel(.closed): true
        default: false
        }
      }
      if isEnd, count < 16 {
        left.formUnion(Self.state(session, closed: true))
        count += 1
      }
      session.dropEvents()
      return true
    }
    left.formUnion(Self.state(session, closed: true))
    #expect(left == [])
  }
}
