import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession
import Testing

@testable import HarkFindings
@testable import HarkRedact

/// What is reported for a capture beside its redacted copy.
@Suite struct RedactedSentencesTests {
  private func redacted(_ path: String) throws -> Redaction.Redacted {
    try Redaction(level: .share, map: RedactionMap(), framings: .known)
      .redact(try Samples.read(path))
  }

  @Test func sentences() throws {
    let redacted = try redacted("pebble-session/pebble-session.btsnoop")
    let reported = redacted.sentences
    let name = redacted.map.pseudonym(ofName: "Acme Watch 4F2A")
    let address = try #require(
      redacted.map.values[
        PersonalValue(kind: .address, bytes: [0xE2, 0x4F, 0x2A, 0x22, 0x22, 0x22])])
    let digits = address.map { String(format: "%02X", $0) }.joined(separator: ":")
    for (sentence, expected) in [
      ("Acme Watch 4F2A", name),
      ("E2:4F:2A:22:22:22", digits),
      (
        "Acme Watch 4F2A closed the link to E2:4F:2A:22:22:22",
        "\(name) closed the link to \(digits)"
      ),
      (
        "nonce reuse with packet 15433: same key, same IV, different message",
        "nonce reuse with packet 15433: same key, same IV, different message"
      ),
      (
        "version spelling: the phone uses `version1`", "version spelling: the phone uses `version1`"
      ),
      (
        "notification “Dinner at eight” from Ottilie (3 times)",
        "notification “[redacted]” from [redacted] (3 times)"
      ),
      ("value \"all known words\" written", "value \"[redacted]\" written"),
      ("value “ left open", "value “[redacted]"),
      ("a — Zyx: 13.2 ms ± 5 µs", "a — [redacted]: 13.2 ms ± 5 µs"),
      // Identifiers that only keys show: no group of them stays, also if it is a number.
      ("address 11:22:33:44:55:66 again", "address [redacted] again"),
      ("fingerprint 12-34-56-78-90-12-34-56", "fingerprint [redacted]"),
      ("serial 1234-5678-9ABC-1234", "serial [redacted]"),
      ("public key 48929562 is not known", "public key [redacted] is not known"),
      ("2026-11-20 at 14:02:06.891", "2026-11-20 at 14:02:06.891"),
      ("", ""),
    ] {
      #expect(reported.restated(sentence) == expected)
    }
  }

  /// In hark's sentences, other people's texts are quoted; addresses, and texts in other encodings, are not words.
  @Test func ownSentences() throws {
    let sentences = try redacted("pebble-session/pebble-session.btsnoop").sentences
    for (text, isLeft) in [
      ("Acme Watch 4F2A closed the link", false), ("named “Acme Watch 4F2A”", true),
      ("value \"Acme Watch 4F2A\" written", true), ("to E2:4F:2A:22:22:22 as Central", true),
      ("Value: \(Hex.text(Array("Acme Watch 4F2A".utf8)))", true),
    ] {
      #expect(
        sentences.leftKinds(in: Array(text.utf8), isSentence: true).isEmpty != isLeft, "\(text)")
      #expect(!sentences.leftKinds(in: Array(text.utf8)).isEmpty)
    }
  }

  /// A UUID that only keys show, such as that of a session, becomes another, everywhere the same.
  @Test(arguments: ["48929562-1234-4321-1234-123456789012", "deadbeef-1234-4321-abcd-00000000cafe"])
  func identifiers(_ uuid: String) throws {
    let reported = try redacted("pebble-session/pebble-session.btsnoop").sentences
    let other = try #require(reported.restated(uuid))
    let isUpper = uuid == uuid.uppercased()
    let digits = isUpper ? "[0-9A-F]" : "[0-9a-f]"
    let form = try Regex("\(digits){8}-\(digits){4}-\(digits){4}-\(digits){4}-\(digits){12}")
    #expect(other.wholeMatch(of: form) != nil, "\(other)")
    for (old, new) in zip(uuid.split(separator: "-"), other.split(separator: "-"))
    where old != "1234" {
      #expect(old != new)
    }
    #expect(reported.restated("message of session \(uuid)") == "message of session \(other)")
    // Known words of the rule are nobody's.
    #expect(reported.restated("service \(uuid)", beside: "service \(uuid)") == "service \(uuid)")
  }

  /// Notes may name people and places that are not in the capture.
  @Test func remarks() throws {
    let redacted = try redacted("pebble-session/pebble-session.btsnoop")
    let name = redacted.map.pseudonym(ofName: "Acme Watch 4F2A")
    for (note, expected) in [
      ("", ""),
      (
        "the link of Acme Watch 4F2A was lost after 30 s", "the link of \(name) was lost after 30 s"
      ),
      ("connection lost at Ottilie", "connection lost at [redacted]"),
      ("timeout: 4915123456789", "timeout: [redacted]"),
      ("timeout: 030 123-45", "timeout: [redacted]"),
    ] {
      #expect(redacted.sentences.remark(note) == expected)
    }
  }

  /// Whatever was removed is left in no sentence, however it is spelt there.
  @Test(arguments: [
    "pebble-session/pebble-session.btsnoop", "ancs-session/ancs-session.btsnoop",
    "hands-free/hands-free.btsnoop", "iap2-session/iap2-session.btsnoop",
  ])
  func planted(_ path: String) throws {
    let redacted = try redacted(path)
    let values = redacted.map.values.keys.filter {
      $0.bytes.count >= SecretPattern.shortest && Set($0.bytes).count >= 4
        && redacted.map.values[$0] != $0.bytes && $0.kind != .passkey && $0.kind != .comment
    }
    #expect(values.count > 3)
    for value in values {
      let forms: [SecretEncoding] =
        [
          .raw, .hex(isUpper: false, isReversed: false, separator: 0),
          .hex(isUpper: true, isReversed: true, separator: UInt8(ascii: ":")),
          .base64(alignment: 0, isURL: false, isReversed: false),
        ] + (value.kind.isText ? [.json(escapesAll: true)] : [])
      for form in value.kind == .identifier ? [.uuid(isUpper: true)] : forms {
        let secret = form.encode(value.bytes)
        guard let text = String(validating: secret, as: UTF8.self) else { continue }
        for sentence in [text, "the message \(text) was rejected", "title “\(text)” twice"] {
          #expect(redacted.sentences.restated(sentence)?.utf8.contains(sequence: secret) != true)
        }
        let isKnown = redacted.sentences.leftKinds(in: Array("{ \(text) }".utf8)).isEmpty
        #expect(!isKnown || text.split(separator: " ").count <= 2)
      }
    }
  }

  /// Words that a rule says itself stay, however long they are. Values do not: nor do keys in Base64 or in digits,
  /// of which a part may look like a word.
  @Test func ownWords() throws {
    let redacted = try redacted("pebble-session/pebble-session.btsnoop")
    let reported = redacted.sentences
    let (name, key, digits) = ("Ottilie", "aGFyayBkb2VzIG5vdCBzaG93", "deadbeefcafe")
    let text: FindingText =
      "The phone interpolates \(name) uncharacteristically: \(key), \(digits) (\("abcdefghijkl"))"
    #expect(
      reported.restated(text.text, beside: text.ownWords)
        == "The phone interpolates [redacted] uncharacteristically: [redacted], [redacted] ([redacted])"
    )
    // The timeline marks values of the capture, too. Of what it does not mark, only plain words are known.
    let sentence: EventSentence =
      "interpolates \(personal: name) and \(key) and \("B7f2k9") uncharacteristically"
    let restated = FindingText(sentence)
    #expect(
      reported.restated(restated.text, beside: restated.ownWords)
        == "interpolates [redacted] and [redacted] and [redacted] uncharacteristically")
    // A key that the capture has is no word, whoever says so.
    let keys = redacted.map.values.keys.filter { $0.kind == .key }
    #expect(!keys.isEmpty)
    for value in keys {
      let base64 = Data(value.bytes).base64EncodedString()
      #expect(reported.restated("key \(base64)", beside: base64)?.contains(base64) != true)
    }
  }

  /// What hark says about a derivation is its own.
  @Test(arguments: NonstandardDerivation.withoutValues)
  func derivations(_ derivation: NonstandardDerivation) throws {
    let reported = try redacted("pebble-session/pebble-session.btsnoop").sentences
    let sentence = "\(derivation.part): \(derivation.clause(.accessoryToHost))"
    #expect(reported.restated(sentence) == sentence)
  }

  /// The words of rules are none that could be anybody's: they stay.
  @Test func ruleTexts() throws {
    let reported = try redacted("pebble-session/pebble-session.btsnoop").sentences
    for rule in Rules.all.map({ $0.about }) {
      #expect(reported.restated(rule.title) == rule.title)
    }
  }
}

extension Collection where Element == UInt8 {
  fileprivate func contains(sequence: [UInt8]) -> Bool { Array(self).holds(sequence) }
}
