import HarkCore
import HarkDissection
import Testing

@testable import HarkPresentation

/// What `hark help` knows beside commands.
@Suite struct ProtocolListTests {
  @Test func eachProtocolIsInOneLayer() {
    let listed = ProtocolList.layers.flatMap(\.paths)
    #expect(Set(listed).count == listed.count)
    // Tests load no layouts: all there are are built in.
    #expect(Set(listed) == Set(ProtocolHelp.protocols))
  }

  @Test func topicsNameProtocolsAndVendorsThatAreThere() {
    let vendors = Set(VendorCodes.all.map(\.name))
    for topic in ProtocolTopic.all {
      #expect(Set(topic.protocols).isSubset(of: ProtocolHelp.protocols), "\(topic.name)")
      #expect(Set(topic.vendors).isSubset(of: vendors), "\(topic.name)")
      for prefix in topic.fields {
        #expect(Catalog.shared.paths.contains { $0.path.hasPrefix(prefix) }, "\(prefix)")
      }
    }
    // No word has two meanings.
    let words = ProtocolTopic.all.flatMap { [$0.name] + $0.words }
    #expect(Set(words).count == words.count)
    #expect(Set(words).isDisjoint(with: ProtocolHelp.protocols))
  }

  /// source.android.com, HCI requirements: LE_Get_Vendor_Capabilities is 0xFD53, BQR is 0xFD5E; the
  /// Bluetooth Quality Report event's sub-event is 0x58.
  @Test func vendorsHaveTheirCodes() throws {
    let android = try #require(VendorCodes.all.first { $0.name == "Android" })
    #expect(android.commands.contains { $0 == (0xFD53, "LE_Get_Vendor_Capabilities") })
    #expect(android.commands.contains { $0.code == 0xFD5E })
    #expect(android.events.contains { $0.code == 0x58 })
    for vendor in VendorCodes.all {
      #expect(vendor.commands.allSatisfy { (0xFC00...0xFFFF).contains($0.code) })
    }
  }

  @Test(arguments: [40, 80, 200]) func linesFit(width: Int) {
    var text = TextBuffer()
    ProtocolList.write(width: width, to: &text)
    let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 15)
    // Titles and their first word alone may be longer than a very narrow terminal.
    if width >= 80 { #expect(lines.allSatisfy { $0.count <= width }) }
  }

  @Test(arguments: ["le-audio", "leaudio", "android", "vendor", "hogp", "air", "intel"])
  func topicsAreWritten(_ word: String) throws {
    var text = TextBuffer()
    #expect(ProtocolList.writeTopic(word, width: 80, to: &text))
    let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 4)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(word)")
    var json = TextBuffer()
    #expect(ProtocolHelp.writeJSON(word, to: &json))
    #expect(!ProtocolList.writeTopic("att", width: 80, to: &text))
  }
}
