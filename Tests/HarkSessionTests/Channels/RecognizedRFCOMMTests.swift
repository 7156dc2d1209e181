import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// RFCOMM on an L2CAP channel that was opened before the capture: its frames have an FCS. RFCOMM 1.2; TS 27.010, 5.2.1
@Suite struct RecognizedRFCOMMTests {
  private func sentences(_ records: [MadeRecord]) -> [String] {
    let session = MadeRecord.session(records)
    return session.events.map { Event.sentence(of: $0.content.described, $0, session).text }
  }

  /// Everything but the opening of the link and the channel.
  private func middle(_ build: (inout IAP2Conversation) -> Void) -> [MadeRecord] {
    var conversation = IAP2Conversation()
    build(&conversation)
    return Array(conversation.records.dropFirst(3))
  }

  private static func name(_ conversation: inout IAP2Conversation, _ sequence: UInt8) {
    let name = IAP2Conversation.message(
      0x4E09, IAP2Conversation.parameter(0, Array("Ada\0".utf8)))
    conversation.send(.device, sequence, 0x2B, session: 1, name)
  }

  @Test func externalAccessory() {
    let found = sentences(
      middle {
        $0.begin()
        Self.name(&$0, 0x66)
        $0.send(.accessory, 0x2B, 0x66)
      })
    #expect(
      found.contains {
        $0.hasPrefix("RFCOMM on CID 0x0040, recognized by the form of its frames")
      })
    #expect(found.contains { $0.hasSuffix("RFCOMM channel 4 was open before the capture began") })
    #expect(found.contains { $0.hasPrefix("iAP2") && $0.contains("recognized") })
    #expect(found.contains { $0.hasPrefix("DeviceInformationUpdate") })
    #expect(!found.contains { $0.contains("opened") })
  }

  /// The capture begins in the middle of a link packet.
  @Test func middleOfPacket() {
    var records = middle {
      $0.frame(.device, [0x41, 0x42, 0x43])
      $0.frame(.device, [0x44, 0x45])
    }
    records += middle { Self.name(&$0, 0x66) }
    #expect(sentences(records).contains { $0.hasPrefix("DeviceInformationUpdate") })
  }

  /// One frame is not enough, and a wrong FCS rules RFCOMM out.
  @Test func notEnough() {
    let one = middle { Self.name(&$0, 0x66) }
    #expect(!sentences(one).contains { $0.hasPrefix("RFCOMM") })
    let damaged =
      [one[0]]
      + [one[0], one[0]].map { record in
        var record = record
        var bytes = Hex.bytes(record.hex) ?? []
        bytes[bytes.count - 1] ^= 1
        record.hex = Hex.text(bytes)
        return record
      } + one + one
    #expect(!sentences(damaged).contains { $0.hasPrefix("RFCOMM") })
  }
}
