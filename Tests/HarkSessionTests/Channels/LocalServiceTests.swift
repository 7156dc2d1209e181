import Testing

@testable import HarkSession

/// Server channels of both devices may have the same number. RFCOMM 1.2, 5.4
@Suite struct LocalServiceTests {
  /// This host opens the session, DLCI 8 and DLCI 10; the peer opens DLCI 9, which is server channel 4 of this host.
  @Test func streams() {
    let session = MadeRecord.session(
      HandsFreeLines.begun + [
        HandsFreeLines.frame(true, 0x25, 0x3F), HandsFreeLines.frame(false, 0x25, 0x73),
      ])
    let streams = session.streams.filter { $0.kind == .dataLink(serverChannel: 4) }
    #expect(streams.map(\.isOfLocalService) == [false, true])
  }
}
