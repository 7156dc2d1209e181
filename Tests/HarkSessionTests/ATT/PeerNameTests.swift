import HarkCore
import Testing

@testable import HarkSession

/// The name of a peer whose address is unknown, as the link was open before the capture.
@Suite struct PeerNameTests {
  /// “Ring B”, by Read By Type of Device Name (0x2A00) and, after discovery, by Read. Vol 3, Part F, 3.4.4
  @Test(arguments: [
    [">080100ffff002a", "<0908030052696e672042"],
    [">080100ffff0328", "<0907" + "020002" + "0300002a", ">0a0300", "<0b52696e672042"],
  ])
  func read(_ packets: [String]) throws {
    let session = SessionATTTests.session(packets)
    let link = try #require(session.links.first)
    #expect(link.device == nil && link.peer == nil)
    #expect(link.peerName == "Ring B")
    #expect(link.label == "Ring B")
  }

  /// Two accessories of one model, both connected before the capture.
  @Test func sharedName() {
    func read(_ link: UInt8) -> [MadeRecord] {
      [
        .pdu(4, "08 0100 ffff 002a", received: false, link: link),
        .pdu(4, "09 08 0300 52696e672042", received: true, link: link),
      ]
    }
    func labels(_ records: [MadeRecord]) -> [String] {
      MadeRecord.session(records).links.map(\.label)
    }
    #expect(labels(read(0x41) + read(0x42)) == ["Ring B (0x0041)", "Ring B (0x0042)"])
    #expect(labels(read(0x41)) == ["Ring B"])
    // “Ring C” is another name: the other accessory has its own for itself again.
    let renamed: MadeRecord = .pdu(4, "09 08 0300 52696e672043", received: true, link: 0x42)
    let again: MadeRecord = .pdu(4, "08 0100 ffff 002a", received: false, link: 0x42)
    #expect(labels(read(0x41) + read(0x42) + [again, renamed]) == ["Ring B", "Ring C"])
    #expect(Device.name(ofLabel: "Ring B (0x0041)") == "Ring B")
    #expect(Device.name(ofLabel: "Ring B (0x50123456)") == "Ring B")
    for name in ["Ring (B)", "Ring B (0x41)", "(0x0041)", ")"] {
      #expect(Device.name(ofLabel: name) == name)
    }
  }

  /// What the peer reads from this host is this host's name.
  @Test func ownName() throws {
    let session = SessionATTTests.session(["<080100ffff002a", ">0908030052696e672042"])
    let link = try #require(session.links.first)
    #expect(link.peerName == nil)
  }

  /// HCI_Remote_Name_Request_Complete of 11:22:33:44:55:66, 248 octets with “Ring B”. Vol 4, Part E, 7.7.7
  private static let answer = MadeRecord.event(
    "07 ff 00 665544332211 52696e672042" + String(repeating: "00", count: 242))
  /// HCI_Mode_Change of a handle, which only BR/EDR links have. Vol 4, Part E, 7.7.20
  private static func mode(_ handle: String) -> MadeRecord {
    .event("14 06 00 \(handle) 02 2003")
  }

  /// The event has an address and no handle: it names the only link whose peer is unknown.
  @Test func remoteName() {
    let links = MadeRecord.session([Self.mode("0b00"), Self.answer]).links
    #expect(links.map(\.peerName) == ["Ring B"])
    #expect(links.map(\.peer) == [nil])
  }

  /// Two links may be meant, or none: the device has a link, or it answered an inquiry and need not have one.
  @Test(arguments: [
    [mode("0b00"), mode("0c00"), answer],
    [.event("03 0b 00 0c00 665544332211 01 00"), mode("0b00"), answer],
    [mode("0b00"), .event("02 0f 01 665544332211 01 00 00 04 04 24 00 00"), answer],
    [mode("0b00"), .event("05 04 00 0b00 13"), answer],
    // LE has no Remote Name Request.
    [.event("3e 0a 03 00 0b00 1800 0000 4800"), answer],
  ])
  func otherNames(_ records: [MadeRecord]) {
    let links = MadeRecord.session(records).links
    #expect(!links.isEmpty && links.allSatisfy { $0.peerName == nil })
  }

  /// Octets that are no text, and none.
  @Test(arguments: ["<0902" + "0300", "<0903" + "030000", "<0905" + "0300" + "010203"])
  func noName(_ response: String) throws {
    let session = SessionATTTests.session([">080100ffff002a", response])
    let link = try #require(session.links.first)
    #expect(link.peerName == nil)
  }
}
