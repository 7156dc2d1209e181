import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkSamples
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkPresentation

extension Sample {
  /// What rules find in a capture up to the record `until`; records in `without` are left out, those in
  /// `lossy` say that one before them was lost.
  static func findings(
    _ name: String, _ file: String? = nil, keys: KeyRing? = nil, until: UInt32 = .max,
    without: Set<UInt32> = [], lossy: Set<UInt32> = []
  ) throws -> (findings: Findings, text: String) {
    let capture = try Capture(path: path(name, file ?? firstFile(name)))
    var session = Session(keys: try keys ?? Sample.keys(name), framings: .known)
    var findings = Findings()
    // What a rule does not want tells it nothing.
    var givenAll = Findings(givesAll: true)
    var number: UInt32 = 0
    let end = capture.forEachRecord { record, bytes in
      number += 1
      guard number <= until else { return false }
      guard !without.contains(number) else { return true }
      var record = copy record
      if lossy.contains(number) { record.dropped = 1 }
      session.index(record, bytes)
      findings.take(session)
      givenAll.take(session)
      session.dropEvents()
      return true
    }
    session.finish()
    findings.take(session)
    findings.finish(session)
    givenAll.take(session)
    givenAll.finish(session)
    #expect(findings.outcomes == givenAll.outcomes)
    var out = TextBuffer()
    var writer = FindingsText()
    writer.write(name, findings, session, end, to: &out)
    return (findings, out.string)
  }
}

/// The samples were made to show certain mistakes, and no others: see captures/README.md.
@Suite struct FindingsSampleTests {
  @Test func everySampleIsListed() {
    #expect(Set(Sample.expectedFindings.keys) == Set(Sample.all + Sample.profiles))
  }

  @Test(arguments: Sample.expectedFindings.keys.sorted())
  func sample(_ name: String) throws {
    #expect(try Sample.findings(name).findings.ids == Sample.expectedFindings[name])
  }

  /// The containers of one capture give the same findings.
  @Test(arguments: Sample.expectedFindings.keys.sorted())
  func containers(_ name: String) throws {
    for file in try #require(Sample.truth(name)["files"] as? [String]) {
      #expect(
        try Sample.findings(name, file).findings.ids == Sample.expectedFindings[name], "\(file)")
    }
  }

  @Test(arguments: Sample.expectedFindings.keys.sorted())
  func text(_ name: String) throws {
    let text = try Sample.findings(name).text
    #expect(text == (try Sample.findings(name).text))
    expectGolden(text, Sample.path(name, "findings.txt"))
  }

  @Test func staleGeneration() throws {
    let file = Sample.path("pebble-rekey", "accessory.harkkeys")
    let found = try Sample.findings("pebble-rekey", keys: KeyRing([KeyFile(path: file)])).findings
    #expect(found.ids == ["keys.stale-generation"])
  }

  /// The sealed message in packet 159, 84 bytes, with its tag (the last 16) between the IV (the first 12) and the
  /// ciphertext: what opens it then is the same key.
  @Test func wrongForm() throws {
    var bytes = Array(
      try Data(contentsOf: URL(filePath: Sample.path("pebble-session", "pebble-session.btsnoop"))))
    let iv = try #require(Hex.bytes("d659d401fbf759dc7663777a"))
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: iv) && $0 + 84 <= bytes.count })
    let sealed = bytes[place..<place + 84]
    bytes.replaceSubrange(
      place..<place + 84,
      with: sealed.prefix(12) + sealed.suffix(16) + sealed.dropFirst(12).dropLast(16))
    let keys = try Sample.keys("pebble-session")
    #expect(
      try FindingsFileTests.findings(bytes, "made.btsnoop", keys: keys).ids == ["keys.wrong-form"])
  }

  /// Packet 151 of this sample is the write with the encapsulated key, 154 to 174 are what follows.
  @Test func unansweredPublicKey() throws {
    let name = "pebble-faults"
    let rest = Set<UInt32>(151...174)
    let found = try Sample.findings(name, without: rest).findings
    #expect(found.ids == ["keys.public-key-unanswered"])
    let place = try #require(found.all.first?.place)
    #expect(place.frames.map(\.number) == [144])
    // A recorder that lost a packet meanwhile may have lost the answer.
    let lossy = try Sample.findings(name, without: rest, lossy: [150]).findings
    #expect(lossy.ids == [])
    #expect(lossy.undecided.map(\.rule.id) == ["keys.public-key-unanswered"])
    // Where the capture ends before the link does, the phone may still answer.
    let cut = try Sample.findings(name, without: Set(151...175)).findings
    #expect(cut.ids == [])
    #expect(cut.undecided.map(\.rule.id) == ["keys.public-key-unanswered"])
  }

  /// What is encrypted on the air and stays so is reported, and nothing in it is said to be missing.
  @Test func lockedLink() throws {
    let (findings, text) = try Sample.findings(
      "pebble-air", "pebble-air.pcapng", keys: KeyRing())
    #expect(findings.ids == [])
    #expect(findings.undecided.map(\.rule.id) == ["link.cannot-decrypt"])
    #expect(
      text.contains(
        "link encrypted from here on, not decrypted: LE Secure Connections never sends the LTK"))
    #expect(text.contains("1 link was encrypted and not decrypted."))
    let keys = try KeyRing(
      ["accessory", "link"].map { try KeyFile(path: Sample.path("pebble-air", "\($0).harkkeys")) })
    let opened = try Sample.findings("pebble-air", "pebble-air.pcapng", keys: keys)
    #expect(opened.findings.ids == [] && opened.findings.undecided.isEmpty)
    #expect(!opened.text.contains("encrypted and not decrypted"))
  }

  private static let whole = Sample.expectedFindings.mapValues(Set.init)

  /// Where a capture ends early, or has holes that the recorder tells of, no rule finds what it does
  /// not find in the whole.
  @Test(arguments: [
    "pebble-session", "pebble-rekey", "pebble-faults", "notifbridge-v0", "notifbridge-v1",
    "lens-session", "aria-session", "helmet-session", "iap2-session", "ancs-session",
    "ams-session", "leaudio-session", "earbuds-session", "a2dp-session", "coc-session",
    "ertm-session",
  ])
  func endsAndHoles(_ name: String) throws {
    let all = try #require(Sample.truth(name)["packets"] as? Int)
    let whole = try #require(Self.whole[name])
    for end in DailyPart.of(Array(stride(from: 15, to: all, by: max(23, all / 12))), oneIn: 3) {
      let cut = try Sample.findings(name, until: UInt32(end - 1)).findings
      #expect(Set(cut.ids).subtracting(whole) == [], "\(name) up to packet \(end - 1)")
      for size in [7, 24] {
        let last = min(all - 1, end + size - 1)
        let lossy = try Sample.findings(
          name, without: Set(UInt32(end)...UInt32(last)), lossy: [UInt32(last + 1)]
        ).findings
        #expect(Set(lossy.ids).subtracting(whole) == [], "\(name) without \(end) to \(last)")
      }
    }
  }

  /// Begun in the middle, a capture accuses no one of what came before.
  @Test(arguments: [
    "pebble-session", "pebble-rekey", "notifbridge-v1", "notifbridge-lost-chunk", "aria-session",
    "helmet-session",
  ])
  func middle(_ name: String) throws {
    let all = try #require(Sample.truth(name)["packets"] as? Int)
    // The types of attributes may be missing: then a key with a lost part is one that no profile describes.
    let whole = try #require(Self.whole[name]).union(["keys.not-described"])
    for start in DailyPart.of(Array(stride(from: 17, to: all, by: 19)), oneIn: 3) {
      let found = try Sample.findings(name, without: Set(1...UInt32(start))).findings
      #expect(Set(found.ids).subtracting(whole) == [], "\(name) from packet \(start + 1)")
    }
  }
}
