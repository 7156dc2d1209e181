import Foundation
import HarkSamples
import HarkTestSupport
import Testing

/// What the program writes as JSON is described, member by member.
@Suite struct DocumentedJSONTests {
  /// The names of all members of a value. Those below a member in `opaque` are the fields of packets.
  static func members(_ value: Any, opaque: Set<String> = []) -> Set<String> {
    if let list = value as? [Any] {
      return list.reduce(into: []) { $0.formUnion(members($1, opaque: opaque)) }
    }
    guard let object = value as? [String: Any] else { return [] }
    var names: Set<String> = []
    for (name, inner) in object {
      names.insert(name)
      if !opaque.contains(name) { names.formUnion(members(inner, opaque: opaque)) }
    }
    return names
  }

  private func check(
    _ arguments: [String], in document: String, opaque: Set<String> = []
  ) throws {
    let file = Project.root.appending(path: "docs/\(document)")
    let text = try String(contentsOf: file, encoding: .utf8)
    let output = try HarkProgram.transcript(arguments)
    var count = 0
    var names: Set<String> = []
    for line in output.split(separator: "\n") where line.hasPrefix("{") {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      count += 1
      names.formUnion(Self.members(value, opaque: opaque))
    }
    for name in names {
      #expect(text.contains("`\(name)`"), "\(arguments): \(name) is not in docs/\(document)")
    }
    #expect(count > 0, "\(arguments) wrote no JSON")
  }

  private static let names = Sample.all + Sample.profiles

  /// Two of the reports of each sample each day.
  @Test(arguments: zip(names.indices, names))
  func reports(_ place: Int, _ name: String) throws {
    let path = "captures/\(name)/\(try Sample.firstFile(name))"
    for (number, command) in ["info", "findings", "gatt", "streams"].enumerated()
    where DailyPart.includes(place + number, oneIn: 2) {
      try check([command, path, "--format", "json"], in: "reports-json.md")
    }
  }

  @Test func otherReports() throws {
    try check(["info", "captures/formats/mixed.pcapng", "-f", "json"], in: "reports-json.md")
    try check(
      ["streams", "captures/hands-free/hands-free.btsnoop", "3", "-f", "json"],
      in: "reports-json.md")
    try check(["fields", "-f", "json"], in: "reports-json.md")
    try check(["findings", "--list", "-f", "json"], in: "reports-json.md")
    for capture in ["pebble-air/pebble-air.pcap", "notifbridge-v1/notifbridge-v1.btsnoop"] {
      try check(["explain", "captures/\(capture)", "-f", "json"], in: "reports-json.md")
    }
    for file in ["pebble-session/accessory", "pebble-rekey/session", "pebble-air/link"] {
      try check(["keys", "list", "captures/\(file).harkkeys", "-f", "json"], in: "reports-json.md")
    }
    try check(
      [
        "report", "captures/iap2-rejected/iap2-rejected.btsnoop", "-o", "-", "--format", "json",
      ], in: "reports-json.md")
    try check(["doctor", "captures/formats/187-le-us.pcap", "-f", "json"], in: "reports-json.md")
    // What differs has an exit code of its own, which is none of success.
    try check(
      [
        "report", "captures/notifbridge-lost-chunk/notifbridge-lost-chunk.btsnoop", "--diff",
        "captures/notifbridge-v1/notifbridge-v1.btsnoop", "-o", "-", "--format", "json",
      ], in: "reports-json.md")
    for name in ["att", "hci", "l2cap", "hfp", "iap2"] {
      try check(["help", name, "--format", "json"], in: "reports-json.md")
    }
  }

  @Test(arguments: names)
  func packets(_ name: String) throws {
    let path = "captures/\(name)/\(try Sample.firstFile(name))"
    try check(["packets", path, "-f", "json"], in: "packets-json.md", opaque: ["layers"])
  }

  @Test func packetsInFull() throws {
    for (name, frame) in [("pebble-session", "155"), ("hands-free", "84"), ("ancs-session", "120")]
    {
      try check(
        ["show", "captures/\(name)/\(try Sample.firstFile(name))", frame, "-f", "json"],
        in: "packets-json.md", opaque: ["layers", "messages"])
    }
  }

  /// One number for one link, whichever command says it.
  @Test func linksHaveOneNumber() throws {
    let path = "captures/iap2-session/iap2-session.btsnoop"
    func objects(_ arguments: [String]) throws -> [[String: Any]] {
      try HarkProgram.transcript(arguments).split(separator: "\n")
        .filter { $0.hasPrefix("{") }
        .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
    var links: [Int: Int] = [:]
    for packet in try objects(["packets", path, "-f", "json"]) {
      if let frame = packet["frame"] as? Int, let link = packet["link"] as? Int {
        links[frame] = link
      }
    }
    #expect(!links.isEmpty)
    let info = try #require(try objects(["info", path, "-f", "json"]).first)
    for link in info["links"] as? [[String: Any]] ?? [] {
      let first = try #require(link["first_frame"] as? Int)
      #expect(link["id"] as? Int == links[first])
    }
    for event in try objects(["timeline", path, "-f", "json"])
    where event["lane"] as? String == "iap2" {
      let last = try #require((event["frames"] as? [Int])?.last)
      #expect((event["link"] as? [String: Any])?["id"] as? Int == links[last])
    }
  }
}
