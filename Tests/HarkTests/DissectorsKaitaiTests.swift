import Foundation
import HarkSamples
import HarkTestSupport
import Testing

/// `hark dissectors kaitai`: what it writes is what the senders of the samples say they sent.
@Suite struct DissectorsKaitaiTests {
  private func written(_ arguments: [String]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let reported = try HarkProgram.transcript(
      ["dissectors", "kaitai"] + arguments + ["-o", file.path])
    try #require(reported == "? 0\n", "\(reported)")
    return Array(try Data(contentsOf: file))
  }

  /// Frame 103 holds the app's first frame: the version and its name.
  @Test func bytesOfALayout() throws {
    let bytes = try written([
      "captures/aria-session/aria-session.btsnoop", "103", "--layout", "dissectors/aria/aria.ksy",
    ])
    #expect(bytes.dropLast(2) == [0xAC, 1, 0, 8, 0, 2, 6] + Array("iPhone".utf8))
  }

  /// Frames 154 and 155 carry the first notification: TLVs with the texts of the truth.
  @Test(arguments: ["154", "155"]) func plaintext(_ frame: String) throws {
    let events = try #require(Sample.truth("pebble-session")["events"] as? [[String: Any]])
    let sent = try #require(events.lazy.compactMap { $0["plaintext"] as? String }.first)
    let folder = "captures/pebble-session/"
    let bytes = try written([
      folder + "pebble-session.btsnoop", frame, "--keys", folder + "accessory.harkkeys",
    ])
    #expect(bytes.map { String(format: "%02x", $0) }.joined() == sent)
  }
}
