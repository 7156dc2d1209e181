import HarkCapture
import HarkCore
import HarkCrypto
import HarkSamples
import HarkSession
import Testing

@testable import HarkFindings

/// Every rule, and what there is for it to judge.
@Suite struct FindingsCoverageTests {
  /// The samples and the conversations by hand, once each.
  static func runs() throws -> [Findings] {
    var runs = (FindingsMadeTests.cases + FindingsReportedTests.declarations).map { $0.run() }
    for name in Sample.expectedFindings.keys.sorted() {
      runs.append(try Sample.findings(name).findings)
    }
    let rekey = try KeyFile(path: Sample.path("pebble-rekey", "accessory.harkkeys"))
    runs.append(try Sample.findings("pebble-rekey", keys: KeyRing([rekey])).findings)
    let air = try KeyRing(
      ["accessory", "link"].map { try KeyFile(path: Sample.path("pebble-air", "\($0).harkkeys")) })
    for keys in [KeyRing(), air] {
      runs.append(try Sample.findings("pebble-air", "pebble-air.pcapng", keys: keys).findings)
    }
    // An I-frame is missing.
    runs.append(try Sample.findings("ertm-session", without: [78]).findings)
    runs.append(try Sample.findings("ertm-session", without: [76, 77, 78, 79]).findings)
    // Of these there is one sample, which has the mistake: up to there all is well.
    for (name, rule) in [
      ("a2dp-session", "audio.media-gap"), ("hands-free", "audio.call-inaudible"),
      ("a2dp-session", "audio.signal-rejected"), ("periodic-session", "link.periodic-sync-lost"),
    ] {
      let found = try Sample.findings(name).findings.all.first { $0.rule.id == rule }
      let frame = try #require(found?.place.frames.first)
      runs.append(try Sample.findings(name, until: frame.number - 1).findings)
    }
    return runs
  }

  /// Each rule has a conversation in which it finds something, and one that it judged and found in
  /// order: one without its topic is no proof.
  @Test func everyRuleIsShownAndSilent() throws {
    var (shown, silent) = (Set<String>(), Set<String>())
    for findings in try Self.runs() {
      let (found, open) = (Set(findings.ids), Set(findings.undecided.map(\.rule.id)))
      shown.formUnion(found)
      // An encrypted link is not a mistake: hark can only report that it cannot read it.
      shown.formUnion(open.intersection(["link.cannot-decrypt"]))
      let judged = Set(findings.descriptions.map(\.id))
        .subtracting(findings.notJudged.map(\.rule.id))
      silent.formUnion(judged.subtracting(found).subtracting(open))
    }
    let all = Set(Rules.all.map { $0.about.id })
    #expect(all.subtracting(shown).sorted() == [], "nothing to find")
    #expect(all.subtracting(silent).sorted() == [], "nothing that is in order")
  }

  /// Each is found in a capture that is read from a file, and not in events by hand alone.
  @Test func everyRuleIsShownInACapture() throws {
    var shown = Set(Sample.expectedFindings.values.joined())
    // Of these the tests beside this one say that it is so.
    shown.formUnion(FindingsFileTests.recorded.flatMap(\.finds))
    shown.formUnion(try FindingsMistakesTests.rules())
    shown.formUnion(["keys.stale-generation", "keys.wrong-form", "link.cannot-decrypt"])
    // They judge an app alone: `CheckAppTests` finds the one in an app that is signed, `FindingsReportedTests` the other.
    shown.formUnion(["app.framework-missing", "app.extension-missing"])
    // It needs a wrong profile of the user's beside a capture: `ProfileMistakeTests`.
    shown.insert("transport.profile-mistake")
    // It needs payloads beside a capture: `InternetTimelineTests`.
    shown.insert("transport.internet-payload")
    // In packets of a sniffer.
    shown.formUnion(AirFileTests.finds)
    #expect(Set(Rules.all.map { $0.about.id }).subtracting(shown).sorted() == [])
  }

  /// Of what is not in a capture, nothing is said to be in order.
  @Test func absent() throws {
    let findings = try Sample.findings("a2dp-session").findings
    let reasons = Dictionary(
      uniqueKeysWithValues: findings.notJudged.map { ($0.rule.id, $0.reason) })
    #expect(reasons["keys.public-key-unanswered"] == "the capture has no key exchange")
    #expect(
      reasons["audio.source-not-cleared"]
        == "the capture has no configurations of audio accessories or Apple Accessory Protocol traffic"
    )
    #expect(reasons["link.request-timeout"] == "the capture has no attributes")
    // It found something; the others looked at what is there.
    for id in ["audio.media-gap", "link.bond-lost", "link.credits-lacking"] {
      #expect(reasons[id] == nil)
    }
  }

  /// What is behind encryption is not said to be in order either.
  @Test func hidden() throws {
    let locked = try Sample.findings(
      "pebble-air", "pebble-air.pcapng", keys: KeyRing()
    ).findings.notJudged.filter(\.isHidden)
    #expect(
      Set(locked.map(\.reason)) == ["1 link is encrypted and unreadable without a key"])
    let ids = Set(locked.map(\.rule.id))
    #expect(ids.isSuperset(of: ["link.request-timeout", "keys.nonce-reuse", "ea.unanswered"]))
    #expect(ids.isDisjoint(with: ["link.pairing-failed", "app.central-off"]))
    // No one has the key: what the messages say stays unknown, how they are sealed does not.
    let sealed = try Sample.findings("pebble-session", keys: KeyRing()).findings.notJudged
    let alerts = try #require(sealed.first { $0.rule.id == "notifications.alert-twice" })
    #expect(alerts.isHidden && alerts.reason.hasSuffix("encrypted, and no key decrypts them"))
    #expect(!sealed.contains { $0.rule.id == "keys.nonce-reuse" })
  }

  /// Truncated packets may have anything: rules are not said to have had nothing to check.
  @Test func truncated() {
    var session = Session()
    var findings = Findings()
    func index(_ kind: PacketKind, _ hex: String, kept: Int? = nil) {
      let bytes = Hex.bytes(hex) ?? []
      let some = Array(bytes.prefix(kept ?? bytes.count))
      var record = CaptureRecord()
      record.kind = kind
      record.direction = .controllerToHost
      (record.count, record.originalCount) = (some.count, bytes.count)
      session.index(record, some.raw)
      findings.take(session)
      session.dropEvents()
    }
    index(.event, "3e13 01 00 4000 00 00 665544332211 1800 0000 4800 00")
    // ATT_HANDLE_VALUE_NTF without its opcode.
    index(.acl, "4020 0800 0400 0400 1b 0500 ab", kept: 8)
    session.finish()
    findings.finish(session)
    let reasons = Dictionary(
      uniqueKeysWithValues: findings.notJudged.map { ($0.rule.id, ($0.isHidden, $0.reason)) })
    let attributes = reasons["link.request-timeout"]
    #expect(attributes?.0 == true)
    #expect(attributes?.1 == "the recorder truncated 1 data packet, and no other has attributes")
    #expect(reasons["app.central-off"]?.0 == false)
    #expect(findings.absent == [])
    #expect(findings.coverage.truncated == 1)
  }
}
