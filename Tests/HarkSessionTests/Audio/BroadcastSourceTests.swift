import HarkCore
import Testing

@testable import HarkSession

/// Broadcast Receive States. Broadcast Audio Scan Service 1.0.1, 3.2
@Suite struct BroadcastSourceTests {
  private func sentences(_ values: [String]) -> [String] {
    let found: [MadeRecord] = [
      // The characteristic with handle 0x0004 is a Broadcast Receive State.
      .pdu(0x0004, "08 01 00 ff ff 03 28", received: false),
      .pdu(0x0004, "09 07 03 00 12 04 00 c8 2b", received: true),
    ]
    return MadeRecord.sentences(
      found + values.map { .pdu(0x0004, $0, received: !$0.hasPrefix("0a")) }
    ) {
      if case .leAudio = $0 { true } else { false }
    }
  }

  private let source = "1b 04 00 01 00 66 55 44 33 22 11 00 ef cd ab 02 00 00"
  private let added = "broadcast source 1, broadcast 0xabcdef: Synchronized to PA, Not encrypted"

  /// Empty before a source is added, and after its removal.
  @Test func removed() {
    #expect(
      sentences(["0a 04 00", "0b", source, "1b 04 00", "1b 04 00"])
        == ["no broadcast source", added, "broadcast source 1 removed"])
    #expect(
      sentences(["0a 04 00", "0b \(source.dropFirst(9))", source, source]) == [added],
      "the value of a read and of notifications")
    #expect(
      sentences([source, "1b 04 00", source]) == [added, "broadcast source 1 removed", added])
  }

  /// One row for each change of the PA_Sync_State, the BIG_Encryption or a BIS_Sync_State; equal states have none.
  @Test func unchanged() {
    func state(_ synchronization: String, _ streams: String) -> String {
      "1b 04 00 01 00 66 55 44 33 22 11 00 ef cd ab \(synchronization) 00 01 \(streams) 00"
    }
    let info = state("01", "00 00 00 00")
    let synchronized = state("02", "00 00 00 00")
    let streaming = state("02", "03 00 00 00")
    let values = [info, info, synchronized, synchronized, streaming, streaming, info]
    #expect(sentences(values).count == 4)
  }
}
