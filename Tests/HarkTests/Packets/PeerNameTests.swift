import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkTestSupport
import Testing

/// A link that was open before the capture began, as on an iPhone: no packet has the peer's address, but a read shows its
/// name. Every command uses this name.
@Suite struct PeerNameTests {
  /// Device Name (0x2A00) is read by type and is `Ring B`; a read of its handle is refused. Core Specification, Vol 3,
  /// Part F, 3.4.4.1 to 3.4.4.4, 3.4.1.1.
  private static func write(
    to folder: TestFolder, name: String = "52696e672042"
  ) throws -> String {
    var capture = MadeCapture()
    let packets = [
      ">4000" + "0b00" + "07000400" + "080100ffff002a",
      "<4020" + "0e00" + "0a000400" + "09080300" + name,
      ">4000" + "0700" + "03000400" + "0a0300",
      "<4020" + "0900" + "05000400" + "010a030002",
    ]
    for (index, packet) in packets.enumerated() {
      let bytes = try #require(Hex.bytes(String(packet.dropFirst())))
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = packet.hasPrefix(">") ? .hostToController : .controllerToHost
      record.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000)
      capture.add(record, bytes)
    }
    try Data(capture.bytes).write(to: folder.url.appending(path: "ring.btsnoop"))
    return folder.path("ring.btsnoop")
  }

  @Test(arguments: [
    ["info"], ["timeline"], ["packets"], ["show", "2"], ["gatt"], ["timeline", "--device", "ring"],
  ])
  func names(_ arguments: [String]) throws {
    let folder = try TestFolder()
    let path = try Self.write(to: folder)
    let (text, stated, code) = try OtherProgram.run(
      HarkProgram.url.path, arguments.prefix(1) + [path] + arguments.dropFirst())
    #expect(code == 0, "\(stated)")
    #expect(text.contains("Ring B"), "\(text)")
  }

  /// A device whose name is six blanks keeps its handle or address as its label.
  @Test(arguments: ["info", "timeline", "packets"]) func blanksAreNoName(_ command: String) throws {
    let folder = try TestFolder()
    let path = try Self.write(to: folder, name: "202020202020")
    let (text, stated, code) = try OtherProgram.run(
      HarkProgram.url.path, [command, path, "-f", "json"])
    #expect(code == 0 && !text.isEmpty, "\(stated)")
    for member in ["label", "name", "device", "peer"] {
      #expect(!text.contains("\"\(member)\":\"      \""), "\(text)")
    }
  }

  @Test(arguments: ["md", "html", "json"]) func report(_ form: String) throws {
    let folder = try TestFolder()
    let path = try Self.write(to: folder)
    #expect(try HarkProgram.run("report", path, "-o", folder.path("a.\(form)")).code == 0)
    let text = try String(contentsOfFile: folder.path("a.\(form)"), encoding: .utf8)
    let expected = [
      "md": "* Problematic device: Ring B\n", "html": "<td>Ring B</td>",
      "json": "\"devices\":[{\"name\":\"Ring B\",\"addresses\":[]",
    ]
    #expect(text.contains(expected[form] ?? ""), "\(text)")
  }

  @Test func completion() throws {
    let folder = try TestFolder()
    let path = try Self.write(to: folder)
    let words = ["hark", "timeline", path, "--device", "Ri"]
    let (text, _, _) = try OtherProgram.run(
      "/usr/bin/env",
      [
        "SAP_SHELL=fish", HarkProgram.url.path, "---completion", "timeline", "--", "--device", "4",
        "2",
      ] + words)
    #expect(text.split(separator: "\n") == ["Ring B"])
  }
}
