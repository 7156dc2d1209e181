import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkProfile
import HarkSamples
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkCompare

/// The smallest part of a capture that still shows a finding.
@Suite struct MinimizeTests {
  /// For each rule that finds something in a sample, the first one.
  static let cases: [(String, String)] = {
    var seen: Set<String> = []
    return Sample.expectedFindings.sorted { $0.key < $1.key }.flatMap { name, rules in
      rules.filter { seen.insert($0).inserted }.map { (name, $0) }
    }
  }()

  /// Reads a sample into memory, with what its rule finds.
  private static func hold(
    _ name: String, _ rule: String
  ) throws -> (HeldCapture, PacketGroups, [WantedFinding], KeyRing) {
    let keys = try Sample.keys(name)
    var session = Session(keys: keys, framings: .known)
    var (held, groups) = (HeldCapture(), PacketGroups())
    var findings = Findings([try #require(Rules.named(rule))])
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      groups.take(session)
      findings.take(session)
      session.dropEvents()
      held.append(record, bytes)
      return true
    }
    session.finish()
    groups.take(session)
    groups.finish(session)
    findings.take(session)
    findings.finish(session)
    var wanted: [WantedFinding] = []
    for finding in findings.all { wanted.append(WantedFinding(finding, session)) }
    return (held, groups, wanted, keys)
  }

  private static func part(_ held: HeldCapture, _ indexes: [Int]) -> HeldCapture {
    var part = HeldCapture()
    for index in indexes { held.withRecord(index) { part.append($0, $1) } }
    return part
  }

  /// One in three of the rules each day.
  @Test(arguments: DailyPart.of(cases, oneIn: 3))
  func smallest(_ name: String, _ rule: String) throws {
    let (held, groups, wanted, keys) = try Self.hold(name, rule)
    let first = try #require(wanted.first)
    var minimization = Minimization(
      held, groups, for: [first], session: { Session(keys: keys, framings: .known) },
      progress: { _, _ in })
    let part = minimization.run([])
    let found = try #require(part)
    #expect(found == found.sorted() && Set(found).count == found.count)
    #expect(!minimization.isCutShort)
    // The samples have 30 to 500 packets, and the mistakes in them are of a few: at most of a key in prepared
    // writes.
    #expect(found.count < 50, "\(found.count) of \(held.count)")
    #expect(minimization.isShown(in: found))
    #expect(minimization.isShown(in: Self.part(held, found)))
    // Nothing more can be left out, and the fragments of a PDU are all there.
    let pdus = groups.byPDU(found)
    for pdu in pdus {
      let rest = found.filter { !pdu.contains($0) }
      #expect(!minimization.isShown(in: rest), "without \(pdu)")
    }
    let whole = groups.byPDU(Array(0..<held.count))
    for pdu in pdus { #expect(whole.contains(pdu)) }
  }

  /// The end of a link stays the end of that link: of two with the same device and handle the second
  /// is lost.
  /// Of an SDU that was never whole all that came is kept: else the part would show another loss.
  @Test func lossesStayTheSame() throws {
    let (held, groups, wanted, keys) = try Self.hold("coc-session", "link.frames-lost")
    var minimization = Minimization(
      held, groups, for: wanted, session: { Session(keys: keys, framings: .known) },
      progress: { _, _ in })
    let found = minimization.run([])
    let part = try #require(found)
    #expect(part.count < 30)
    var session = Session(keys: keys, framings: .known)
    var findings = Findings([try #require(Rules.named("link.frames-lost"))])
    for index in part {
      held.withRecord(index) { session.index($0, $1) }
      findings.take(session)
      session.dropEvents()
    }
    session.finish()
    findings.take(session)
    findings.finish(session)
    // As in the whole capture, in which one K-frame of an SDU is missing.
    #expect(findings.all.contains { $0.observed.contains("340 bytes received, 60 missing") })
  }

  @Test func linksAreNotJoined() throws {
    let connected = "3e 13 01 00 4000 00 00 665544332211 1800 0000 4800 00"
    var (held, groups) = (HeldCapture(), PacketGroups())
    var session = Session()
    var findings = Findings()
    for (index, hex) in [connected, "05 04 00 4000 13", connected, "05 04 00 4000 08"].enumerated()
    {
      let bytes = Hex.bytes(hex) ?? []
      var record = CaptureRecord()
      (record.kind, record.direction) = (.event, .controllerToHost)
      record.time = Timestamp(nanoseconds: Int64(index) * 1_000_000_000)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      groups.take(session)
      findings.take(session)
      session.dropEvents()
      held.append(record, bytes.raw)
    }
    session.finish()
    groups.finish(session)
    findings.finish(session)
    #expect(findings.ids == ["link.supervision-timeout"])
    let wanted = WantedFinding(try #require(findings.all.first), session)
    var minimization = Minimization(
      held, groups, for: [wanted], session: { Session() }, progress: { _, _ in })
    let part = minimization.run([])
    #expect(part == [2, 3])
  }

  @Test func sameTwice() throws {
    let (held, groups, wanted, keys) = try Self.hold("pebble-faults", "keys.nonce-reuse")
    let parts = (0..<2).map { _ -> [Int]? in
      var minimization = Minimization(
        held, groups, for: wanted, session: { Session(keys: keys, framings: .known) },
        progress: { _, _ in })
      return minimization.run([])
    }
    #expect(parts[0] == parts[1])
  }

  @Test(arguments: [
    ("nonce reuse with packet 154: same key", "nonce reuse with packet 5: same key"),
    ("answered 24.4 s later", "answered 380 ms later"),
    ("29 of 364 bytes of it came", "7 of 12 bytes of it came"),
  ])
  func numbersDoNotMatter(_ one: String, _ other: String) {
    #expect(WantedFinding.words(one) == WantedFinding.words(other))
    #expect(WantedFinding.words(one) != WantedFinding.words(one + " again"))
  }

  // MARK: The command

  /// One of the formats each day.
  @Test(
    arguments: DailyPart.of(
      ["small.pklg", "small.btsnoop", "small.pcap", "small.pcapng"], oneIn: 4))
  func command(_ name: String) throws {
    let folder = try TestFolder()
    let (path, keys) = (folder.path(name), Project.capture("pebble-faults/accessory.harkkeys"))
    let sample = Project.capture("pebble-faults/pebble-faults.btsnoop")
    let made = try HarkProgram.run(
      "minimize", sample, "-k", keys, "--finding", "keys.nonce-reuse", "--finding",
      "keys.cannot-decrypt@1", "-o", path)
    #expect(made.code == 0)
    #expect(made.stated.count == 1 && made.stated[0].contains("of 175 packets still show"))
    let found = try HarkProgram.run("findings", path, "-k", keys, "-f", "json")
    for rule in ["keys.nonce-reuse", "keys.cannot-decrypt"] {
      #expect(found.text.contains("\"rule\":\"\(rule)\""))
    }
    // What is left is packets of the capture, byte for byte, at their times.
    let all = Set(try Self.records(sample))
    let some = try Self.records(path)
    #expect((2...12).contains(some.count))
    #expect(some.allSatisfy(all.contains))
  }

  @Test(
    .enabled(if: OtherProgram.isThere(OtherProgram.tshark), "tshark is missing: Tools/setup peers"))
  func tsharkReadsIt() throws {
    let folder = try TestFolder()
    let path = folder.path("small.btsnoop")
    let sample = Project.capture("iap2-rejected/iap2-rejected.btsnoop")
    let rule = "ea.identification-rejected"
    try #require(
      HarkProgram.run("minimize", sample, "--finding", rule, "-o", path).code == 0)
    let seen = try OtherProgram.run(OtherProgram.tshark, ["-r", path])
    #expect(seen.code == 0)
    let count = try Self.records(path).count
    #expect(seen.text.split(separator: "\n").count == count)
  }

  @Test func refusals() throws {
    let folder = try TestFolder()
    let sample = Project.capture("pebble-session/pebble-session.btsnoop")
    let path = folder.path("small.pklg")
    let none = try HarkProgram.run(
      "minimize", sample, "--finding", "keys.nonce-reuse", "-o", path)
    #expect(none.code == 1)
    #expect(none.stated.joined().contains("no finding of keys.nonce-reuse"))
    #expect(!FileManager.default.fileExists(atPath: path))
    let wrong = try HarkProgram.run("minimize", sample, "--finding", "keys.nonce", "-o", path)
    #expect(wrong.code == 64)
    let second = try HarkProgram.run(
      "minimize", Project.capture("iap2-rejected/iap2-rejected.btsnoop"), "--finding",
      "ea.identification-rejected@2", "-o", path)
    #expect(second.code == 1)
    let pipe = try HarkProgram.run(
      "minimize", "-", "--finding", "keys.nonce-reuse", "-o", path)
    #expect(pipe.code == 64)
  }
}

extension MinimizeTests {
  /// Time and bytes of each packet.
  static func records(_ path: String) throws -> [String] {
    var records: [String] = []
    _ = try Capture(path: path).forEachRecord { record, bytes in
      records.append("\(record.time.nanoseconds) \(record.kind) \(bytes.array)")
      return true
    }
    return records
  }
}
