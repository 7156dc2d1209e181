import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// A request that is not answered until its channel ends, 10 s later, and what may hide the answer. Core Specification,
/// Vol 3, Part B, 4.2; TS 27.010, 5.4.1
@Suite struct MissingAnswersTests {
  /// What happens between the request and the end of its channel.
  enum Between: CaseIterable {
    case nothing, lossBefore, loss, clockSetForward, clockSetBack
    /// HCI_Connection_Complete with the handle of the link, whose end is not in the capture: it may have been at once.
    case replaced
  }

  private func isReported(
    _ begun: [MadeRecord], _ request: MadeRecord, _ between: Between, kind: String
  ) -> Bool {
    var request = request
    request.time = 1
    var end = MadeRecord.pdu(0x0001, "06 09 04 00 41 00 40 00", received: false, at: 11)
    var ended = MadeRecord.pdu(0x0001, "07 09 04 00 41 00 40 00", received: true, at: 11)
    var next = MadeRecord.event("03 0b 00 4000 665544332211 01 00")
    next.time = 11
    switch between {
    case .replaced: return Self.has(kind, begun + [request, next])
    case .nothing: break
    case .lossBefore: request.dropped = 1
    case .loss: end.dropped = 1
    case .clockSetForward: (end.time, ended.time) = (172_800, 172_800)
    case .clockSetBack: (end.time, ended.time) = (-3_600, -3_600)
    }
    return Self.has(kind, begun + [request, end, ended])
  }

  private static func has(_ kind: String, _ records: [MadeRecord]) -> Bool {
    MadeRecord.session(records).events.contains { "\($0.content.described.kind.name)" == kind }
  }

  private static let reported: Set<Between> = [.nothing, .lossBefore]

  /// SDP_SERVICE_SEARCH_ATTR_REQ
  @Test(arguments: Between.allCases) func sdp(_ between: Between) {
    let begun: [MadeRecord] = [
      .pdu(0x0001, "02 01 04 00 01 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
    ]
    let request = MadeRecord.pdu(
      0x0041, "06 0001 000f 350319111f 0014 35050a0000ffff 00", received: false)
    #expect(
      isReported(begun, request, between, kind: "sdp-unanswered")
        == Self.reported.contains(between))
  }

  /// The channel is open when the capture ends, a second after the request or 10 s.
  @Test(arguments: [(2, false), (11, true)] as [(Int64, Bool)])
  func sdpAtTheEndOfTheCapture(_ end: Int64, _ isReported: Bool) {
    var request = MadeRecord.pdu(
      0x0041, "06 0001 000f 350319111f 0014 35050a0000ffff 00", received: false)
    request.time = 1
    let session = MadeRecord.session([
      .pdu(0x0001, "02 01 04 00 01 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true), request, Self.tick(end),
    ])
    let reported = session.events.contains {
      if case .sdp(.unanswered) = $0.content { true } else { false }
    }
    #expect(reported == isReported)
  }

  /// SABM of DLCI 14
  @Test(arguments: Between.allCases) func rfcomm(_ between: Between) {
    let begun = Array(HandsFreeLines.begun.prefix(4))
    let request = HandsFreeLines.frame(false, 0x3B, 0x3F)
    #expect(
      isReported(begun, request, between, kind: "data-link-unanswered")
        == Self.reported.contains(between))
  }

  /// SABM of DLCI 0
  @Test(arguments: Between.allCases) func rfcommSession(_ between: Between) {
    let begun = Array(HandsFreeLines.begun.prefix(2))
    let request = HandsFreeLines.frame(false, 0x03, 0x3F)
    #expect(
      isReported(begun, request, between, kind: "rfcomm-session-unanswered")
        == Self.reported.contains(between))
  }

  /// BNEP_SETUP_CONNECTION_REQUEST_MSG. BNEP 1.0, 2.6.3.1
  @Test(arguments: Between.allCases) func bnep(_ between: Between) {
    let begun: [MadeRecord] = [
      .pdu(0x0001, "02 01 04 00 0f 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
    ]
    let request = MadeRecord.pdu(0x0041, "01 01 02 1116 1115", received: false)
    #expect(
      isReported(begun, request, between, kind: "bnep-request")
        == Self.reported.contains(between))
  }

  /// A setup that is sent again: the second one has no answer, although the answer to the first may be lost.
  @Test func bnepAgain() {
    let request = MadeRecord.pdu(0x0041, "01 01 02 1116 1115", received: false)
    var again = request
    again.dropped = 1
    let begun: [MadeRecord] = [
      .pdu(0x0001, "02 01 04 00 0f 00 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true), request, again,
    ]
    #expect(isReported(begun, request, .nothing, kind: "bnep-request"))
  }

  /// CR_GetLPTStatus of a service with the class HCR_Print at PSM 0x2001. HCRP 1.2, 4.4
  @Test(arguments: Between.allCases) func hcrp(_ between: Between) {
    let begun: [MadeRecord] = [
      .pdu(0x0001, "02 02 04 00 01 00 50 00", received: false),
      .pdu(0x0001, "03 02 08 00 51 00 50 00 00 00 00 00", received: true),
      .pdu(0x0051, "06 0001 000d 35 03 19 1126 ffff 35 03 09 0001 00", received: false),
      .pdu(
        0x0050,
        """
        07 0001 0021 001e 35 1c 35 1a 09 0001 35 03 19 1126 09 0004 35 0d 35 06 19 0100 09 2001 \
        35 03 19 0012 00
        """,
        received: true),
      .pdu(0x0001, "02 01 04 00 01 20 40 00", received: false),
      .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
    ]
    let request = MadeRecord.pdu(0x0041, "0005 0007 0000", received: false)
    #expect(
      isReported(begun, request, between, kind: "hcrp-request-failed")
        == Self.reported.contains(between))
  }

  /// CONNECT_REQ of a service with the class SIM Access on server channel 8. SIM Access Profile 1.1, 5.1
  @Test(arguments: Between.allCases) func simAccess(_ between: Between) {
    let begun: [MadeRecord] =
      [
        .pdu(0x0001, "02 02 04 00 01 00 50 00", received: false),
        .pdu(0x0001, "03 02 08 00 51 00 50 00 00 00 00 00", received: true),
        .pdu(0x0051, "06 0001 000d 35 03 19 112d ffff 35 03 09 0001 00", received: false),
        .pdu(
          0x0050,
          """
          07 0001 0020 001d 35 1b 35 19 09 0001 35 03 19 112d 09 0004 35 0c 35 03 19 0100 35 05 \
          19 0003 08 08 00
          """,
          received: true),
      ] + Array(HandsFreeLines.begun.prefix(4)) + [
        HandsFreeLines.frame(false, 0x43, 0x3F), HandsFreeLines.frame(true, 0x43, 0x73),
      ]
    let request = HandsFreeLines.frame(
      false, 0x43, 0xEF, [0x00, 0x01, 0, 0, 0x00, 0x00, 0x00, 0x02, 0x00, 0xC8, 0x00, 0x00])
    #expect(
      isReported(begun, request, between, kind: "sim-request-unanswered")
        == Self.reported.contains(between))
  }

  /// The frames of RFCOMM, their times in seconds, and what is reported while the channel stays open. T1 is at most 60 s.
  /// RFCOMM 1.2, 5.3
  @Test(
    arguments: [
      // SABM of DLCI 0, and nothing else
      (["1 >03 3f"], "59", []), (["1 >03 3f"], "60", []), (["1 >03 3f"], "61", ["session 61"]),
      (["1 <03 3f"], "61", ["session of peer 61"]),
      // Answers: UA, DM, and MSC, for which the session must be open
      (["1 >03 3f", "5 <03 73"], "99", []), (["1 >03 3f", "61 <03 73"], "99", []),
      (["1 >03 3f", "5 <03 1f"], "99", []),
      (["1 >03 3f", "5 <01 ef e3 05 5b 8d"], "99", []),
      // It goes on as if there were an answer.
      (["1 >03 3f", "5 >03 ef e3 05 5b 8d"], "99", ["session 99"]),
      // DISC: its sender gives up.
      (["1 >03 3f", "21 >03 53"], "99", ["session 21"]),
      // SABM of DLCI 14
      (["1 >03 3f", "1 <03 73", "2 >3b 3f"], "61", []),
      (["1 >03 3f", "1 <03 73", "2 >3b 3f"], "62", ["data link 62"]),
      (["1 >03 3f", "1 <03 73", "2 >3b 3f", "3 <3b 73"], "99", []),
    ] as [([String], String, [String])])
  func atTheLongestTimeout(_ frames: [String], _ later: String, _ reported: [String]) {
    #expect(Self.reports(frames, [Self.tick(Int64(later) ?? 0)]) == reported)
  }

  /// Reported once, whatever ends it.
  @Test func rfcommOnce() {
    let frames = ["1 >03 3f", "1 <03 73", "2 >3b 3f"]
    let end = [
      MadeRecord.pdu(0x0001, "06 09 04 00 41 00 40 00", received: false, at: 99),
      .pdu(0x0001, "07 09 04 00 41 00 40 00", received: true, at: 99),
    ]
    #expect(Self.reports(frames, [Self.tick(70)] + end) == ["data link 70"])
    #expect(Self.reports(["1 >03 3f"], [Self.tick(70)] + end) == ["session 70"])
    #expect(Self.reports(["1 >03 3f"], end) == ["session 99"])
  }

  /// A server may wait until the link is encrypted. HCI_Encryption_Change; Vol 4, Part E, 7.7.8
  @Test(arguments: [(90, []), (100, ["data link 100"])] as [(Int64, [String])])
  func rfcommAndEncryption(_ later: Int64, _ reported: [String]) {
    var encrypted = MadeRecord.event("08 04 00 40 00 01")
    encrypted.time = 40
    let frames = ["1 >03 3f", "1 <03 73", "2 >3b 3f"]
    #expect(
      Self.reports(frames, [encrypted, Self.tick(80), Self.tick(later)]) == reported)
  }

  /// HCI_Number_Of_Completed_Packets. Vol 4, Part E, 7.7.19
  private static func tick(_ seconds: Int64) -> MadeRecord {
    var record = MadeRecord.event("13 05 01 40 00 01 00")
    record.time = seconds
    return record
  }

  /// What is reported, with the second in which it is.
  private static func reports(_ frames: [String], _ later: [MadeRecord]) -> [String] {
    let sent = frames.map { text in
      let parts = text.split(separator: " ", maxSplits: 1)
      let bytes = Hex.bytes(String(parts[1].dropFirst())) ?? []
      var record = HandsFreeLines.frame(
        parts[1].hasPrefix("<"), bytes[0], bytes[1], Array(bytes.dropFirst(2)))
      record.time = Int64(parts[0]) ?? 0
      return record
    }
    let session = MadeRecord.session(Array(HandsFreeLines.begun.prefix(2)) + sent + later)
    return session.events.compactMap { event -> String? in
      let second = event.time.nanoseconds / 1_000_000_000
      return switch event.content {
      case .rfcomm(.sessionUnanswered(let it)):
        "session \(it.byPeer == true ? "of peer " : "")\(second)"
      case .rfcomm(.unanswered): "data link \(second)"
      default: nil
      }
    }
  }
}
