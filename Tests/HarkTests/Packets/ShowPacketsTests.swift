import HarkTestSupport
import Testing

/// `hark show` of several packets.
@Suite struct ShowPacketsTests {
  static let sample = Project.capture("pebble-session/pebble-session.btsnoop")
  static let keys = Project.capture("pebble-session/accessory.harkkeys")

  /// They are what each is alone: also the first packet of a message that a later one completes.
  @Test(arguments: ["text", "json"]) func several(_ format: String) throws {
    let options = ["-k", Self.keys, "--format", format]
    func show(_ numbers: String...) throws -> (text: String, stated: [String], code: Int32) {
      try OtherProgram.run(HarkProgram.url.path, ["show", Self.sample] + numbers + options)
    }
    let separator = format == "text" ? "\n" : ""
    let single = try ["154", "155", "190"].map { try show($0).text }
    let several = try show("190", "#154–155", "154")
    #expect(several.code == 0)
    #expect(several.text == single.joined(separator: separator))
    // The capture has 193.
    let beyond = try show("193-195")
    #expect(try beyond.code == 64 && beyond.text == show("193").text)
    let complaint = "there are no packets 194 to 195; the packets are 1 to 193"
    #expect(beyond.stated.contains { $0.contains(complaint) })
  }
}
