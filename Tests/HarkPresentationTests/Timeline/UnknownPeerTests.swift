import HarkCapture
import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

/// Links that were open before the capture began: no packet shows the address of their peer.
@Suite struct UnknownPeerTests {
  /// Read By Type of Device Name (0x2A00), Model Number and Firmware Revision (0x2A24, 0x2A26), and the answers.
  /// Core Specification, Vol 3, Part F, 3.4.4; Assigned Numbers, 3.8.1
  static let packets: [MadePacket] = [
    .pdu(4, "08 0100 ffff 002a", received: false),
    .pdu(4, "09 08 0300 52696e672042", received: true),
    .pdu(4, "08 0100 ffff 242a", received: false), .pdu(4, "09 05 0a00 523233", received: true),
    .pdu(4, "08 0100 ffff 262a", received: false), .pdu(4, "09 07 0c00 312e322e33", received: true),
  ]

  @Test func timelineNamesIt() throws {
    let hex = Self.packets.map { ($0.isReceived ? "02 " : ">02 ") + $0.hex }
    let reported = HCIPackets(hex).reported.map(\.json)
    #expect(
      reported.last?.contains(
        #""link":{"id":1,"handle":64,"transport":"LE","device":"Ring B"}"#) == true,
      "\(reported)")
    #expect(reported.first?.contains("Ring B") == false)
    #expect(reported.allSatisfy { !$0.contains(#""address""#) })
  }

  @Test func makeIsThatOfTheLink() {
    var session = Session()
    var firmware = FirmwareVersions()
    for packet in Self.packets {
      let bytes = Hex.bytes(packet.hex) ?? []
      var record = CaptureRecord()
      record.kind = packet.kind
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      firmware.take(session)
      session.dropEvents()
    }
    session.finish()
    firmware.take(session)
    let make = session.links.first.map { firmware.make(ofPeerOn: $0.id, session) }
    #expect(make?.model == "R23" && make?.firmware == "1.2.3")
    #expect(CaptureDigest(session, firmware).devices == [.init(address: nil, firmware: "1.2.3")])
    #expect(
      CaptureDigest(CaptureDigest(session, firmware).bytes)?.devices.first?.firmware == "1.2.3")
  }
}
