import Foundation
import HarkKit
import HarkTestSupport
import Testing

@Suite struct HarkKitTests {
  static let folder = Project.root.appending(path: "captures/pebble-session")
  static let path = folder.appending(path: "pebble-session.btsnoop").path()
  static let keyFile = folder.appending(path: "accessory.harkkeys").path()

  static func capture() throws -> CaptureFile {
    CaptureFile(path, keys: try KeySet(files: [keyFile]))
  }

  /// What the sample was made from.
  static func truth() throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: "truth.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  static func lines(_ arguments: [String]) throws -> [String] {
    let (text, _, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(code == 0)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func packets() throws {
    let packets = try Self.capture().packets()
    let all = Array(packets)
    #expect(all.count == (try Self.truth()["packets"] as? Int))
    #expect(packets.problem == nil)
    #expect(all.map(\.number) == Array(1...all.count))
    // HCI_Reset, Core Specification, Vol 4, Part E, 7.3.2.
    #expect(all[0].bytes == [0x03, 0x0C, 0x00] && all[0].isReceived == false)
    #expect(all[0].text.hasSuffix("HCI_Reset"))
    let opcode = try #require(all[0].fields.first { $0.label == "opcode" })
    #expect(opcode.range == 0..<2 && opcode.value?.contains("0x0c03") == true)
  }

  /// A program of its own gets what hark prints.
  @Test func asHarkPrints() throws {
    let program = HarkProgram.url.deletingLastPathComponent().appending(path: "harkkit-lines")
    let (text, stated, code) = try OtherProgram.run(program.path, [Self.path, Self.keyFile])
    #expect(code == 0, "\(stated)")
    let expected = try Self.lines(["packets", Self.path, "--keys", Self.keyFile, "-f", "json"])
    #expect(text.split(separator: "\n").map(String.init) == expected)
  }

  @Test func filteredPackets() throws {
    let some = Array(try Self.capture().packets(matching: "att.opcode == 0x12"))
    #expect(!some.isEmpty)
    for packet in some {
      #expect(packet.fields.contains { $0.label == "opcode" && $0.value?.contains("0x12") == true })
    }
    let error = #expect(throws: CaptureProblem.self) {
      try Self.capture().packets(matching: "att..x")
    }
    #expect(error?.description.isEmpty == false)
  }

  @Test func events() throws {
    let events = Array(try Self.capture().events())
    let expected = try Self.lines(["timeline", Self.path, "--keys", Self.keyFile, "-f", "json"])
    #expect(events.map(\.json) == expected)
    let shown = events.filter { $0.kind == "message-opened" || $0.lane == "notification" }
    #expect(shown.contains { $0.text.contains("Mara Lindqvist") })
    #expect(events.allSatisfy { $0.packets.map { $0.lowerBound >= 1 } ?? true })
    let links = Array(try Self.capture().events(matching: "lane == link"))
    #expect(!links.isEmpty && links.allSatisfy { $0.lane == "link" })
    #expect(Array(try Self.capture().events(matching: "att.opcode == 0x12")).count < events.count)
  }

  @Test func findings() throws {
    let folder = Project.root.appending(path: "captures/pebble-wrong-derivation")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let name = try #require(files.first { $0.hasSuffix(".btsnoop") })
    let keys = files.filter { $0.hasSuffix(".harkkeys") }.map { folder.appending(path: $0).path() }
    let capture = CaptureFile(folder.appending(path: name).path(), keys: try KeySet(files: keys))
    let findings = try capture.findings()
    let finding = try #require(findings.first)
    #expect(!finding.packets.isEmpty && !finding.fix.isEmpty && !finding.observed.isEmpty)
    #expect(try capture.findings(rules: [finding.rule]).map(\.rule) == [finding.rule])
    #expect(throws: CaptureProblem.self) { try capture.findings(rules: ["no.such"]) }
  }

  @Test func summary() throws {
    let summary = try Self.capture().summary()
    let truth = try Self.truth()
    #expect(summary.packetCount == truth["packets"] as? Int)
    #expect(summary.devices.map(\.name) == [truth["accessoryName"] as? String])
    #expect(summary.problem == nil && summary.format.hasPrefix("btsnoop"))
  }

  /// A capture that ends in a packet: what is there is given, and the problem is named.
  @Test func cut() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: Self.path)).dropLast(5))
    let capture = CaptureFile(bytes: bytes, name: "cut.btsnoop")
    let packets = try capture.packets()
    #expect(Array(packets).count == 192 && packets.problem?.contains("truncated") == true)
    let events = try capture.events()
    #expect(Array(events).count > 10 && events.problem != nil)
  }

  @Test(arguments: ["/nowhere/x.btsnoop", "/"]) func unopened(_ path: String) {
    #expect(throws: CaptureProblem.self) { try CaptureFile(path).packets() }
  }

  @Test func wrongKeys() {
    #expect(throws: CaptureProblem.self) { try KeySet(files: [Self.path]) }
  }
}
