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

  /// What the peer reads from this host is this host's name.
  @Test func ownName() throws {
    let session = SessionATTTests.session(["<080100ffff002a", ">0908030052696e672042"])
    let link = try #require(session.links.first)
    #expect(link.peerName == nil)
  }

  /// Octets that are no text, and none.
  @Test(arguments: ["<0902" + "0300", "<0903" + "030000", "<0905" + "0300" + "010203"])
  func noName(_ response: String) throws {
    let session = SessionATTTests.session([">080100ffff002a", response])
    let link = try #require(session.links.first)
    #expect(link.peerName == nil)
  }
}
