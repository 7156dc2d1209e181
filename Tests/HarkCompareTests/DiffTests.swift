import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkSamples
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkCompare

/// Where captures part, and where they do not.
@Suite struct DiffTests {
  private static func steps(
    _ name: String, _ file: String? = nil, delayed: (from: Int64, by: Int64)? = nil,
    without: ClosedRange<UInt32>? = nil, keys: KeyRing? = nil,
    changed: (inout [UInt8]) -> Void = { _ in }
  ) throws -> CaptureSteps {
    var session = Session(keys: try keys ?? Sample.keys(name), framings: .known)
    var steps = CaptureSteps(name)
    let capture = try Capture(path: Sample.path(name, file ?? Sample.firstFile(name)))
    var first: Timestamp?
    _ = capture.forEachRecord { record, bytes in
      guard without.map({ !$0.contains(record.number) }) ?? true else { return true }
      var record = copy record
      first = first ?? record.time
      if let delayed, let first, record.time.since(first) >= delayed.from {
        record.time = Timestamp(nanoseconds: record.time.nanoseconds + delayed.by)
      }
      var packet = bytes.array
      changed(&packet)
      session.index(record, packet.raw)
      steps.take(session)
      session.dropEvents()
      return true
    }
    session.finish()
    steps.take(session)
    steps.finish(session)
    return steps
  }

  private static func compare(_ good: String, _ bad: String) throws -> Comparison {
    Comparison(try steps(good), try steps(bad))
  }

  private static func changes(_ comparison: Comparison) -> [String] {
    comparison.devices.flatMap(\.differences).flatMap(\.changes).map {
      "\($0.name): \($0.good ?? "none") → \($0.bad ?? "none")"
    }
  }

  /// The containers of one capture say the same.
  @Test(arguments: Sample.all + Sample.profiles) func sameInEveryFormat(_ name: String) throws {
    let files = try #require(Sample.truth(name)["files"] as? [String])
    let first = try Self.steps(name, files[0])
    for file in files {
      let comparison = Comparison(first, try Self.steps(name, file))
      #expect(comparison.isSame, "\(file): \(comparison.summary)")
      #expect(comparison.devices.contains { $0.common > 0 })
    }
  }

  /// By what the samples were made to show: captures/README.md.
  @Test func wrongDerivation() throws {
    let comparison = try Self.compare("pebble-session", "pebble-wrong-derivation")
    let changes = Self.changes(comparison)
    #expect(changes.contains("key.info: P256-Version1-UUID → P256-version1-UUID"))
    #expect(changes.contains("method: Numeric Comparison → Just Works"))
    #expect(comparison.count(.additional) == 0)
    let device = try #require(comparison.devices.first { !$0.good.isHost })
    #expect(device.good.label == "Acme Watch 4F2A" && device.bad.label == device.good.label)
  }

  @Test func faults() throws {
    let comparison = try Self.compare("pebble-session", "pebble-faults")
    let texts = comparison.devices.flatMap(\.differences).compactMap { $0.bad?.text }
    #expect(texts.contains { $0.contains("nonce reuse") })
    #expect(texts.contains { $0.contains("gives the right tag") })
  }

  @Test func lostChunk() throws {
    let comparison = try Self.compare("notifbridge-v1", "notifbridge-lost-chunk")
    let changes = Self.changes(comparison)
    #expect(changes.contains("mtu: 247 → 185"))
    #expect(changes.contains("kind: message → message-unreadable"))
    // People read the sentences of both steps instead of the names of kinds and codes.
    let details = comparison.devices.flatMap(\.differences).map(\.details)
    #expect(!details.contains { $0.contains("kind ") || $0.contains("_name") }, "\(details)")
    var (text, first) = (TextBuffer(), 0)
    ComparisonText().write(comparison, to: &text)
    for line in text.string.split(separator: "\n") where line.contains("mtu 247 → 185") {
      #expect(line == "changed  gatt: mtu 247 → 185, client 247 → 185")
      first += 1
    }
    #expect(first == 1, "\(text.string)")
    #expect(comparison.divergence?.difference.changes.first?.name == "mtu")
  }

  @Test func rejectedIdentification() throws {
    let comparison = try Self.compare("iap2-session", "iap2-rejected")
    let (_, difference) = try #require(comparison.divergence)
    #expect(difference.good?.text == "identification accepted")
    #expect(difference.bad?.kind == "iap2-identification-rejected")
    #expect(difference.good?.frames.last.number == 122)
    let rest = comparison.devices.flatMap(\.differences).dropFirst()
    #expect(rest.allSatisfy { $0.kind == .missing })
  }

  /// What comes after a pause is late, and nothing else.
  @Test func slower() throws {
    // Between the subscription, 1.780 s after the beginning, and the accessory's public key.
    let good = try Self.steps("pebble-session")
    let bad = try Self.steps("pebble-session", delayed: (1_800_000_000, 2_500_000_000))
    let comparison = Comparison(good, bad)
    let differences = comparison.devices.flatMap(\.differences)
    #expect(!differences.isEmpty && differences.allSatisfy { $0.kind == .slower })
    #expect(comparison.divergence == nil && !comparison.isSame)
    let durations = try #require(differences.first?.durations)
    #expect(durations.bad - durations.good == 2_500_000_000)
    // Below the threshold nothing is slower.
    #expect(Comparison(good, try Self.steps("pebble-session", delayed: (0, 100_000_000))).isSame)
  }

  /// A step that is left out is missing, and the rest is still side by side.
  @Test func missing() throws {
    // The subscription: a Write Request and its response.
    let bad = try Self.steps("pebble-session", without: 141...143)
    let comparison = Comparison(try Self.steps("pebble-session"), bad)
    let differences = comparison.devices.flatMap(\.differences)
    #expect(differences.map(\.kind) == [.missing])
    #expect(differences.first?.good?.kind == "subscription")
  }

  /// A step that is missing before everything of its device is no divergence before that.
  @Test func missingAtTheBeginning() throws {
    let good = try Self.steps("pebble-session")
    var bad = good
    let device = try #require(bad.parties.firstIndex { !$0.isHost })
    let first = bad.parties[device].steps.removeFirst()
    let comparison = Comparison(good, bad)
    let (_, difference) = try #require(comparison.divergence)
    #expect(difference.kind == .missing && difference.good?.kind == first.kind)
    #expect(difference.place == bad.parties[device].steps[0].frames.first)
  }

  /// A capture that begins within the link, or ends within it, cannot show what was before or after.
  @Test(arguments: [(1...72, "beginning", 12), (151...193, "end", 13)])
  func whatACaptureCannotShow(
    _ packets: ClosedRange<Int>, _ place: String, _ atLeast: Int
  ) throws {
    let lacking = UInt32(packets.lowerBound)...UInt32(packets.upperBound)
    let good = try Self.steps("pebble-session")
    let bad = try Self.steps("pebble-session", without: lacking)
    for comparison in [Comparison(good, bad), Comparison(bad, good)] {
      let differences = comparison.devices.filter { !$0.good.isHost }.flatMap(\.differences)
        .filter { $0.kind != .slower }
      #expect(differences.count >= atLeast)
      #expect(differences.allSatisfy { $0.beyond?.rawValue == place }, "\(differences)")
    }
    // What differs where both reach is the first divergence.
    let other = try Self.steps("pebble-wrong-derivation")
    let (_, difference) = try #require(Comparison(good, other).divergence)
    #expect(difference.beyond == nil)
  }

  /// Packets by hand, each with its time in seconds: events (`!`), ATT PDUs sent and received (`>`, `<`), and those of the
  /// Security Manager (`»`, `«`).
  static func made(_ name: String, _ packets: [(Double, String)]) -> CaptureSteps {
    var session = Session()
    var steps = CaptureSteps(name)
    for (index, packet) in packets.enumerated() {
      let isSent = packet.1.hasPrefix(">") || packet.1.hasPrefix("»")
      let cid: UInt8 = packet.1.hasPrefix("»") || packet.1.hasPrefix("«") ? 6 : 4
      let pdu = Hex.bytes(String(packet.1.dropFirst())) ?? []
      let isEvent = packet.1.hasPrefix("!")
      let head: [UInt8] = [
        0x40, isSent ? 0 : 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, cid, 0,
      ]
      let bytes = isEvent ? pdu : head + pdu
      var record = CaptureRecord()
      record.number = UInt32(index + 1)
      record.kind = isEvent ? .event : .acl
      record.direction = isSent ? .hostToController : .controllerToHost
      record.time = Timestamp(nanoseconds: Int64((packet.0 * 1_000_000_000).rounded()))
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      steps.take(session)
      session.dropEvents()
    }
    session.finish()
    steps.take(session)
    steps.finish(session)
    return steps
  }

  /// A link on which Battery Level is discovered and read; its configuration has the handle 4.
  static let common: [(Double, String)] = [
    (0, "!3e130100400000012222222a4fe21800000048" + "0000"),
    (0.1, ">08010004000328"), (0.1, "<09070200120300192a"),
    (0.2, ">0404000400"), (0.2, "<050104000229"), (0.3, ">0a0300"), (0.3, "<0b50"),
  ]
  private static let accepted: [(Double, String)] = [
    (0.5, ">1204000100"), (0.5, "<13"), (2.5, "<1b030050"), (7.5, ">0a0300"), (7.5, "<0b4f"),
  ]

  /// The bad capture continues for a minute, and shows the refusals itself. Both links are open to the end.
  @Test func refusedLater() {
    let refused: [(Double, String)] = [
      (30, ">1204000100"), (30, "<0112040005"), (60, ">0a0300"), (60, "<010a030005"),
    ]
    let good = Self.made("good", Self.common + Self.accepted)
    let bad = Self.made("bad", Self.common + refused)
    let differences = Comparison(good, bad).devices.flatMap(\.differences)
      .filter { $0.kind != .slower }
    #expect(differences.map(\.kind) == [.changed, .missing, .changed])
    #expect(differences.allSatisfy { $0.beyond == nil })
    #expect(
      differences.map { $0.changes.first?.name } == ["kind", nil, "kind"])
    #expect(differences.first?.bad?.kind == "att-error")
    #expect(differences.last?.good?.kind == "value")
    // The same way round.
    let other = Comparison(bad, good).devices.flatMap(\.differences).filter { $0.kind != .slower }
    #expect(other.map(\.kind) == [.changed, .additional, .changed])
    #expect(other.allSatisfy { $0.beyond == nil })
  }

  /// What follows is only beyond the end of the capture that ends earlier.
  @Test func endsEarlier() {
    let good = Self.made("good", Self.common + Self.accepted)
    let short = Self.made("bad", Self.common)
    for comparison in [Comparison(good, short), Comparison(short, good)] {
      let differences = comparison.devices.flatMap(\.differences)
      #expect(differences.count == 3)
      #expect(differences.allSatisfy { $0.beyond == .end })
    }
    // It ends after the time at which the subscription follows in the good one.
    let long = Self.made("bad", Self.common + [(6, "<1b050001")])
    let differences = Comparison(good, long).devices.flatMap(\.differences)
      .filter { $0.kind == .missing }
    #expect(differences.map { $0.beyond } == [nil, nil, .end])
  }

  /// A request whose response would come after the end of the capture; and one that nothing answers for seconds.
  @Test func endsBeforeTheResponse() {
    let request: [(Double, String)] = [(0.5, ">1204000100")]
    let good = Self.made("good", Self.common + Self.accepted)
    let short = Self.made("bad", Self.common + request)
    for comparison in [Comparison(good, short), Comparison(short, good)] {
      let differences = comparison.devices.flatMap(\.differences)
      #expect(!differences.isEmpty)
      #expect(differences.allSatisfy { $0.beyond == .end }, "\(differences)")
    }
    #expect(
      Comparison(good, short).devices.flatMap(\.differences).contains {
        $0.bad?.kind == "request-unanswered" && $0.details.hasPrefix("the bad capture ends earlier")
      })
    let silent = Self.made("bad", Self.common + request + [(9, "<1b050001")])
    let (_, difference) = Comparison(good, silent).divergence ?? (nil, nil)
    #expect(difference?.beyond == nil && difference != nil)
  }

  /// Captures that begin or end within the discovery: what they lack of it is no divergence, and neither are values whose
  /// attributes they cannot name.
  @Test(arguments: [1...100, 98...193]) func withinTheDiscovery(_ packets: ClosedRange<Int>) throws
  {
    let lacking = UInt32(packets.lowerBound)...UInt32(packets.upperBound)
    let good = try Self.steps("pebble-session")
    let part = try Self.steps("pebble-session", without: lacking)
    for comparison in [Comparison(good, part), Comparison(part, good)] {
      let differences = comparison.devices.filter { !$0.good.isHost }.flatMap(\.differences)
        .filter { $0.kind != .slower }
      #expect(differences.contains { ($0.bad ?? $0.good)?.act == .discovery })
      #expect(differences.allSatisfy { $0.beyond != nil }, "\(differences)")
    }
  }

  /// A session that reads another firmware revision: GATT Characteristic 0x2A26.
  @Test func deviceInformation() throws {
    let good = try Self.steps("pebble-session")
    let bad = try Self.steps("pebble-session") { packet in
      guard let place = packet.firstRange(of: Array("4.2.1".utf8)) else { return }
      packet.replaceSubrange(place, with: Array("4.3.0".utf8))
    }
    #expect(Self.changes(Comparison(good, bad)) == ["value: 4.2.1 → 4.3.0"])
  }

  /// What users call their devices is another in each capture.
  @Test(arguments: [
    ("aap-session", "Acme Buds", "Ecma Sdub"), ("helmet-session", "Acme Helmet", "Ecma Temleh"),
    ("iap2-session", "iPhone", "enohPi"),
  ])
  func names(_ sample: String, _ name: String, _ other: String) throws {
    var count = 0
    let bad = try Self.steps(sample) { packet in
      while let place = packet.firstRange(of: Array(name.utf8)) {
        packet.replaceSubrange(place, with: Array(other.utf8))
        count += 1
      }
    }
    #expect(count > 0)
    #expect(Self.changes(Comparison(try Self.steps(sample), bad)) == [])
  }

  /// The same conversation, from a host's controller and from the air: pebble-air has no change of the
  /// parameters, and everything else of both.
  @Test func hostAndAir() throws {
    let keys = try KeyRing(
      ["accessory", "link"].map { try KeyFile(path: Sample.path("pebble-air", "\($0).harkkeys")) })
    let air = try Self.steps("pebble-air", "pebble-air.pcapng", keys: keys)
    let host = try Self.steps("pebble-session")
    for comparison in [Comparison(host, air), Comparison(air, host)] {
      #expect(comparison.remark != nil && comparison.onlyGood.isEmpty && comparison.onlyBad.isEmpty)
      let differences = comparison.devices.flatMap(\.differences).filter { $0.kind != .slower }
      #expect(differences.compactMap { ($0.good ?? $0.bad)?.kind } == ["link-parameters"])
    }
    // What is locked is not there to be compared.
    let locked = try Self.steps("pebble-air", "pebble-air.pcapng", keys: KeyRing())
    let comparison = Comparison(host, locked)
    #expect(comparison.devices.flatMap(\.differences).filter { $0.kind != .slower }.isEmpty)
    #expect(comparison.devices.contains { $0.common > 3 })
    #expect(Comparison(host, host).remark == nil)
  }

  @Test func devicesByName() throws {
    var steps = try Self.steps("aria-faults")
    let all = steps.devices
    try #require(all.count > 1)
    let isNobodyThere = steps.keepOnly("nobody")
    #expect(!isNobodyThere && steps.devices == all)
    let isThere = steps.keepOnly(all[1].lowercased())
    #expect(isThere)
    #expect(steps.devices == [all[1]])
  }

  @Test(arguments: [
    ("27563CF7-E1EA-5E4F-9566-CFF165355BED", "UUID"),
    ("P256-Version1-27563cf7-e1ea-5e4f-9566-cff165355bed", "P256-Version1-uuid"),
    ("to E2:4F:2A:22:22:22, then", "to address, then"),
    ("0x2A00", "0x2A00"),
  ])
  func abstracted(_ value: String, _ expected: String) {
    #expect(StepMembers.abstracted(value) == expected)
  }

  // MARK: The command

  @Test func exitCodes() throws {
    let good = Project.capture("iap2-session/iap2-session.btsnoop")
    let same = try HarkProgram.run(
      "diff", good, Project.capture("iap2-session/iap2-session.pklg"))
    #expect(same.code == 0 && same.text.contains("no difference"))
    let bad = Project.capture("iap2-rejected/iap2-rejected.btsnoop")
    let differs = try HarkProgram.run("diff", good, bad)
    #expect(differs.code == 3)
    #expect(differs.text.contains("FIRST DIVERGENCE  Acme Speaker"))
    #expect(try HarkProgram.run("diff", good, good + ".not").code == 1)
    // 3 overrides 2, and 1 overrides both: README.md.
    let folder = try TestFolder()
    let part = try Data(contentsOf: URL(filePath: good))
    try part.prefix(part.count / 2 + 1).write(to: folder.url.appending(path: "part.btsnoop"))
    let cut = folder.path("part.btsnoop")
    #expect(try HarkProgram.run("diff", good, cut).code == 3)
    #expect(try HarkProgram.run("diff", cut, cut).code == 2)
    #expect(try HarkProgram.run("diff", cut, good + ".not").code == 1)
    #expect(try HarkProgram.run("diff", good, bad, "--device-good", "nobody").code == 1)
    #expect(try HarkProgram.run("diff", "-", "-").code == 64)
    let pdf = try HarkProgram.run("diff", good, bad, "-o", "x.pdf")
    #expect(pdf.code == 64 && pdf.stated.joined().contains("write .html and print it"))
  }

  @Test(arguments: ["html", "md", "json"]) func report(_ form: String) throws {
    let folder = try TestFolder()
    let good = Project.capture("iap2-session/iap2-session.btsnoop")
    let bad = Project.capture("iap2-rejected/iap2-rejected.btsnoop")
    let (one, other) = (folder.path("one.\(form)"), folder.path("other.\(form)"))
    #expect(try HarkProgram.run("diff", good, bad, "-o", one).code == 3)
    #expect(try HarkProgram.run("report", bad, "--diff", good, "-o", other).code == 0)
    let text = try String(contentsOfFile: one, encoding: .utf8)
    #expect(try text == String(contentsOfFile: other, encoding: .utf8))
    #expect(text.contains("ea.identification-rejected"))
    #expect(text.contains(form == "json" ? "\"comparison\":{" : "Compared with"))
  }
}
