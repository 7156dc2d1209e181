import HarkCore
import Testing

@testable import HarkSession

/// What one side of a connection sends, as RFC 9293, 3.4 and 3.10.7.4 put it in order.
@Suite struct TCPSideTests {
  private static func data(_ text: String, packet: UInt32, missing: Int = 0) -> TCPSide.Piece {
    .data(Array(text.utf8), missing: missing, packet: packet)
  }

  private static func take(
    _ side: inout TCPSide, _ text: String, at sequence: UInt32, packet: UInt32, missing: Int = 0
  ) -> [TCPSide.Piece] {
    side.take(Array(text.utf8).raw, missing: missing, at: sequence, packet: packet)
  }

  @Test func ordersSegments() {
    var side = TCPSide()
    side.begin(99)
    #expect(Self.take(&side, "ab", at: 100, packet: 1) == [Self.data("ab", packet: 1)])
    #expect(Self.take(&side, "ef", at: 104, packet: 2).isEmpty)
    #expect(Self.take(&side, "gh", at: 106, packet: 3).isEmpty)
    #expect(side.isWaiting)
    #expect(
      Self.take(&side, "cd", at: 102, packet: 4)
        == [Self.data("cd", packet: 4), Self.data("ef", packet: 2), Self.data("gh", packet: 3)])
    #expect(!side.isWaiting)
  }

  /// Retransmitted segments may begin earlier and end later than those before. A byte in front of the next is a
  /// keep-alive: RFC 9293, 3.8.4.
  @Test func dropsWhatCameBefore() {
    var side = TCPSide()
    side.begin(99)
    _ = Self.take(&side, "abcd", at: 100, packet: 1)
    #expect(Self.take(&side, "abcd", at: 100, packet: 2) == [.repeated])
    #expect(Self.take(&side, "cdef", at: 102, packet: 3) == [Self.data("ef", packet: 3)])
    #expect(Self.take(&side, "f", at: 105, packet: 4).isEmpty)
    _ = Self.take(&side, "ijkl", at: 108, packet: 5)
    #expect(
      Self.take(&side, "ghij", at: 106, packet: 6)
        == [Self.data("ghij", packet: 6), Self.data("kl", packet: 5)])
  }

  /// Sequence numbers begin again at 0. RFC 9293, 3.4
  @Test func goesOnBehindTheLastNumber() {
    var side = TCPSide()
    side.begin(.max - 2)
    #expect(Self.take(&side, "cd", at: 0, packet: 1).isEmpty)
    #expect(
      Self.take(&side, "ab", at: .max - 1, packet: 2)
        == [Self.data("ab", packet: 2), Self.data("cd", packet: 1)])
  }

  /// What the other side acknowledges came to it: if the capture does not have it, it never will.
  @Test func givesUpWhatIsAcknowledged() {
    var side = TCPSide()
    side.begin(99)
    #expect(Self.take(&side, "cd", at: 102, packet: 1).isEmpty)
    #expect(side.acknowledge(102) == [.gap(2), Self.data("cd", packet: 1)])
    #expect(side.acknowledge(102).isEmpty)
    // The acknowledgment is reported before what came after the lost segment.
    #expect(side.acknowledge(106).isEmpty)
    #expect(Self.take(&side, "gh", at: 106, packet: 2) == [.gap(2), Self.data("gh", packet: 2)])
    #expect(side.acknowledge(110).isEmpty)
    #expect(side.end() == [.gap(2)])
  }

  @Test func endsWithWhatWaits() {
    var side = TCPSide()
    side.begin(99)
    _ = Self.take(&side, "ef", at: 104, packet: 1)
    _ = Self.take(&side, "ij", at: 108, packet: 2)
    #expect(
      side.end() == [.gap(4), Self.data("ef", packet: 1), .gap(2), Self.data("ij", packet: 2)])
  }

  /// Of a capture that cuts packets, the rest of each is missing.
  @Test func keepsCountOfWhatIsCut() {
    var side = TCPSide()
    side.begin(99)
    #expect(
      Self.take(&side, "ab", at: 100, packet: 1, missing: 4)
        == [Self.data("ab", packet: 1, missing: 4)])
    #expect(
      Self.take(&side, "cdef", at: 104, packet: 2, missing: 4)
        == [Self.data("ef", packet: 2, missing: 4)])
    #expect(Self.take(&side, "m", at: 112, packet: 3) == [Self.data("m", packet: 3)])
  }

  /// A segment far ahead of the rest may never be joined: memory is bounded.
  @Test func keepsOnlySoMuch() {
    var side = TCPSide()
    side.begin(99)
    let segment = String(repeating: "x", count: 60_000)
    var pieces: [TCPSide.Piece] = []
    for number in 0..<40 {
      pieces += Self.take(
        &side, segment, at: 200 + UInt32(number) * 60_000, packet: UInt32(number + 1))
    }
    #expect(pieces.first == .gap(100))
    #expect(pieces.count == 41)
  }
}
