import Foundation
import HarkCapture
import HarkTestSupport
import Testing

@testable import HarkRedact

/// 1,000 secrets (200 of them each day), each in a field that says what it is, and in several other places and encodings: none
/// of them survives. What they are looked for with is Foundation's.
@Suite struct PlantedSecretsTests {
  private enum Way: CaseIterable {
    case raw, reversed, lower, upper, reversedDigits, colons, base64, url, json, utf16LE, utf16BE,
      log
    case fragments
  }

  static func secret(_ number: Int, _ dice: inout Dice) -> [UInt8] {
    switch number % 3 {
    case 0: return dice.bytes(6)
    case 1: return dice.bytes(16)
    default:
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -äß語")
      let name = (0..<Int.random(in: 8...12, using: &dice)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &dice)]
      }
      return Array(String(name).utf8)
    }
  }

  static func plant(_ number: Int, _ secret: [UInt8], in capture: inout MadeCapture) {
    switch number % 3 {
    // LE Advertising Report, of a random address.
    case 0: capture.event(0x3E, [0x02, 1, 0, 1] + secret.reversed() + [0, 0xC0])
    // Link Key Notification.
    case 1: capture.event(0x18, [1, 2, 3, 4, 5, 6] + secret + [4])
    // Remote Name Request Complete.
    default:
      capture.event(
        0x07,
        [0, 1, 2, 3, 4, 5, 6] + secret + [UInt8](repeating: 0, count: 248 - secret.count))
    }
  }

  static func digits(_ bytes: [UInt8], _ separator: String = "") -> String {
    bytes.map { String(format: "%02x", $0) }.joined(separator: separator)
  }

  private static func hide(
    _ secret: [UInt8], _ way: Way, in capture: inout MadeCapture, _ dice: inout Dice
  ) {
    let (before, after) = (
      dice.bytes(Int.random(in: 0...9, using: &dice)),
      dice.bytes(Int.random(in: 0...9, using: &dice))
    )
    // An event that no maker has: with another code in front, the bytes would be fields.
    func vendor(_ bytes: [UInt8]) { capture.event(0xFF, [0x55] + before + bytes + after) }
    let text = String(decoding: secret, as: UTF8.self)
    switch way {
    case .raw: vendor(secret)
    case .reversed: vendor(secret.reversed())
    case .lower: vendor(Array(digits(secret).utf8))
    case .upper: vendor(Array(digits(secret).uppercased().utf8))
    case .reversedDigits: vendor(Array(digits(secret.reversed()).utf8))
    case .colons:
      vendor(secret.count > 8 ? secret : Array(digits(secret, ":").uppercased().utf8))
    case .base64, .url, .json:
      var packed = Data(before + secret + after).base64EncodedString()
      if way == .url {
        packed = packed.replacing("+", with: "-").replacing("/", with: "_")
      }
      if way == .json { packed = packed.replacing("/", with: #"\/"#) }
      capture.event(0xFF, [0x55] + Array(packed.utf8))
    case .utf16LE: vendor(Array(text.data(using: .utf16LittleEndian) ?? Data()))
    case .utf16BE: vendor(Array(text.data(using: .utf16BigEndian) ?? Data()))
    case .log:
      capture.add(13, [6, 4] + Array("test".utf8) + Array("bond \(digits(secret)) kept".utf8))
    case .fragments:
      // An L2CAP PDU on a channel that no one opened, in two ACL packets.
      let pdu = [UInt8(before.count + secret.count), 0, 0x50, 0] + before + secret
      let cut = pdu.count - secret.count / 2
      capture.add(5, [0x40, 0x20, UInt8(cut), 0] + pdu[..<cut])
      capture.add(5, [0x40, 0x10, UInt8(pdu.count - cut), 0] + pdu[cut...])
    }
  }

  /// What must not be there any more: of Base64 the characters that are of the secret alone.
  static func traces(_ secret: [UInt8]) -> [[UInt8]] {
    let text = String(decoding: secret, as: UTF8.self)
    var traces = [secret, secret.reversed()]
    for bytes in [secret, secret.reversed()] {
      for separator in ["", ":", "-", "."] {
        let lower = digits(bytes, separator)
        traces.append(Array(lower.utf8))
        traces.append(Array(lower.uppercased().utf8))
        // Mixed, as people write it.
        let mixed = lower.enumerated().map { $0 % 3 == 0 ? $1.uppercased() : String($1) }
        traces.append(Array(mixed.joined().utf8))
      }
    }
    let isText = String(validating: secret, as: UTF8.self) != nil
    for bytes in [secret, secret.reversed()] {
      let pairs = bytes.map { String(format: "%02x", $0) }
      traces.append(Array(pairs.joined(separator: ",").utf8))
      traces.append(Array(pairs.joined(separator: " 0x").utf8))
      traces.append(Array(pairs.joined(separator: ", 0x").utf8))
      for size in [2, 4] {
        let groups = stride(from: 0, to: pairs.count, by: size).map {
          pairs[$0..<min($0 + size, pairs.count)].joined()
        }
        traces.append(Array(groups.joined(separator: " ").utf8))
        if size == 2 { traces.append(Array(groups.joined(separator: ".").utf8)) }
      }
    }
    for shift in 0..<3 {
      for bytes in isText ? [secret] : [secret, secret.reversed()] {
        let whole = Array(
          Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString().utf8)
        let core = Array(whole[((shift * 8 + 5) / 6)..<((shift + bytes.count) * 8 / 6)])
        traces.append(core)
        traces.append(core.flatMap { $0 == 0x2F ? [0x5C, 0x2F] : [$0] })
        traces.append(core.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 })
      }
    }
    if isText {
      traces.append(Array(text.data(using: .utf16LittleEndian) ?? Data()))
      traces.append(Array(text.data(using: .utf16BigEndian) ?? Data()))
    }
    return traces.filter { $0.count >= 6 }
  }

  @Test(arguments: MadeCapture.Container.allCases)
  func noneSurvives(_ container: MadeCapture.Container) throws {
    var dice = Dice(state: DailyPart.seed(6))
    var capture = MadeCapture(container)
    var secrets: [[UInt8]] = []
    let count = container == .monitor ? DailyPart.rounds(200, of: 1_000) : 100
    for number in 0..<count {
      let secret = Self.secret(number, &dice)
      secrets.append(secret)
      let ways = Way.allCases.filter {
        number % 3 == 2 || ($0 != .utf16LE && $0 != .utf16BE)
      }
      // Before and behind the field that says what it is.
      Self.hide(secret, ways[number % ways.count], in: &capture, &dice)
      Self.plant(number, secret, in: &capture)
      Self.hide(secret, ways[(number * 7 + 3) % ways.count], in: &capture, &dice)
      Self.hide(secret, ways[(number * 5 + 1) % ways.count], in: &capture, &dice)
    }
    let isFramed = container == .h5 || container == .bcsp
    let planted = Haystack(
      isFramed ? MadeCapture.frames(capture.bytes).flatMap { $0 } : capture.bytes)
    for secret in secrets {
      #expect(planted.holds(secret) || planted.holds(secret.reversed()))
    }
    // The same pseudonyms in each run.
    let key = (0..<32).map { String(format: "%02x", $0) }.joined()
    let redacted = try redact(
      CaptureBytes(capture.bytes, name: "planted"),
      map: RedactionMap("# hark redaction map 1\nkey\t\(key)\n"))
    if !isFramed { #expect(redacted.bytes.count == capture.bytes.count) }
    let left = Haystack(
      isFramed ? MadeCapture.frames(redacted.bytes).flatMap { $0 } : redacted.bytes)
    for (number, secret) in secrets.enumerated() {
      for trace in Self.traces(secret) where left.holds(trace) {
        Issue.record("secret \(number) survives: \(trace), \(DailyPart.note)")
      }
    }
    guard container == .monitor else { return }
    // Nor in the PDUs that came in fragments.
    let sent = Data(redacted.bytes)
    var joined: [UInt8] = []
    var place = 16
    while place + 24 <= sent.count {
      let count = Int(sent[place + 6]) << 8 | Int(sent[place + 7])
      if sent[place + 11] == 5 { joined += sent[(place + 28)..<(place + 24 + count)] }
      place += 24 + count
    }
    #expect(joined.count > DailyPart.rounds(100, of: 500))
    let pieces = Haystack(joined)
    for (number, secret) in secrets.enumerated() where pieces.holds(secret) {
      Issue.record("secret \(number) survives in fragments, \(DailyPart.note)")
    }
  }
}
