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
  }

  private func isReported(
    _ begun: [MadeRecord], _ request: MadeRecord, _ between: Between, kind: String
  ) -> Bool {
    var request = request
    request.time = 1
    var end = MadeRecord.pdu(0x0001, "06 09 04 00 41 00 40 00", received: false, at: 11)
    var ended = MadeRecord.pdu(0x0001, "07 09 04 00 41 00 40 00", received: true, at: 11)
    switch between {
    case .nothing: break
    case .lossBefore: request.dropped = 1
    case .loss: end.dropped = 1
    case .clockSetForward: (end.time, ended.time) = (172_800, 172_800)
    case .clockSetBack: (end.time, ended.time) = (-3_600, -3_600)
    }
    let session = MadeRecord.session(begun + [request, end, ended])
    return session.events.contains { "\($0.content.described.kind.name)" == kind }
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

  /// SABM of DLCI 14
  @Test(arguments: Between.allCases) func rfcomm(_ between: Between) {
    let begun = Array(HandsFreeLines.begun.prefix(4))
    let request = HandsFreeLines.frame(false, 0x3B, 0x3F)
    #expect(
      isReported(begun, request, between, kind: "data-link-unanswered")
        == Self.reported.contains(between))
  }
}
