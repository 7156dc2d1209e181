import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkRedact

/// Secrets in logs of the app's side, in what OBEX carries, and on the air.
@Suite struct PlantedElsewhereTests {
  private static let key = (0..<32).map { String(format: "%02x", $0) }.joined()

  /// The same pseudonyms in each run.
  private func map() throws -> RedactionMap {
    try RedactionMap("# hark redaction map 1\nkey\t\(Self.key)\n")
  }

  /// 1,000 secrets (200 of them each day) that fields of the capture have, in the lines of a log beside it.
  @Test func logs() throws {
    var dice = Dice(state: DailyPart.seed(66))
    var capture = MadeCapture()
    var lines: [String] = []
    var secrets: [[UInt8]] = []
    for number in 0..<DailyPart.rounds(200, of: 1_000) {
      let secret = PlantedSecretsTests.secret(number, &dice)
      secrets.append(secret)
      PlantedSecretsTests.plant(number, secret, in: &capture)
      let text = String(decoding: secret, as: UTF8.self)
      let spellings =
        number % 3 == 2
        ? [text, Data(secret).base64EncodedString(), PlantedSecretsTests.digits(secret)]
        : [
          PlantedSecretsTests.digits(secret), PlantedSecretsTests.digits(secret.reversed(), ":"),
          PlantedSecretsTests.digits(secret, "-").uppercased(),
          (Data([1, 2]) + Data(secret)).base64EncodedString(),
        ]
      let entry: [String: Any] = [
        "timestamp": "2026-11-20 17:41:00.045117+0100", "subsystem": "com.apple.bluetooth",
        "processImagePath": "/usr/sbin/bluetoothd", "processID": 91,
        "eventMessage": "device \(spellings[number % spellings.count]) of 'x' connected",
        "whatever": ["list": [spellings[(number / 3) % spellings.count]]],
      ]
      let line = try JSONSerialization.data(withJSONObject: entry)
      lines.append(String(decoding: line, as: UTF8.self))
    }
    let log = CaptureBytes(Array((lines.joined(separator: "\n") + "\n").utf8), name: "log.ndjson")
    let redacted = try Redaction(level: .share, map: map(), framings: .known)
      .redact(CaptureBytes(capture.bytes, name: "planted"), logs: [log])
    let made = try #require(redacted.logs.first?.bytes)
    #expect(made.count == log.bytes.count)
    let (planted, left) = (Haystack(log.bytes), Haystack(made))
    for (number, secret) in secrets.enumerated() {
      let traces = PlantedSecretsTests.traces(secret)
      #expect(traces.contains { planted.holds($0) })
      for trace in traces where left.holds(trace) {
        Issue.record(
          "secret \(number) survives: \(String(decoding: trace, as: UTF8.self)), \(DailyPart.note)")
      }
    }
  }

  /// Names and numbers in cards, and the same elsewhere.
  @Test(arguments: RedactionLevel.allCases) func cards(_ level: RedactionLevel) throws {
    var dice = Dice(state: 7)
    var packets: [(sent: Bool, bytes: [UInt8])] = []
    var secrets: [[UInt8]] = []
    let letters = Array("bcdfghjklmnpqrstvwxzäöß")
    for _ in 0..<200 {
      let name = String(
        (0..<Int.random(in: 7...12, using: &dice)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &dice)]
        })
      let number = "+49" + String(Int.random(in: 1_000_000...999_999_999, using: &dice))
      secrets += [Array(name.utf8), Array(number.utf8)]
      let card =
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8:\(name);\r\nTEL:\(number)\r\nEND:VCARD\r\n"
      packets.append((false, DocumentTests.packet(0xA0, [(0x49, Array(card.utf8))])))
      packets.append(
        (true, DocumentTests.packet(0x83, [(0x01, DocumentTests.utf16("\(name).vcf"))])))
    }
    var capture = try DocumentTests.capture(packets)
    for secret in secrets {
      capture.event(0xFF, [0x55] + Array(Data(secret).base64EncodedString().utf8))
    }
    let redacted = try Redaction(level: level, map: map(), framings: .known)
      .redact(CaptureBytes(capture.bytes, name: "cards"))
    let left = Haystack(redacted.bytes)
    for secret in secrets {
      for trace in PlantedSecretsTests.traces(secret) where left.holds(trace) {
        Issue.record("a secret survives: \(String(decoding: trace, as: UTF8.self))")
      }
    }
  }

  /// Advertising on the air: addresses and names, also where a bit was heard wrong.
  /// Core Specification, Vol 6, Part B, 2.3.1.1 and 3.1.1.
  @Test(arguments: RedactionLevel.allCases) func air(_ level: RedactionLevel) throws {
    var dice = Dice(state: 8)
    var file = Self.airHeader
    var secrets: [[UInt8]] = []
    for number in 0..<300 {
      let address = dice.bytes(6)
      let name = (0..<10).map { _ in UInt8.random(in: 0x61...0x7A, using: &dice) }
      let data = [2, 1, 6, UInt8(name.count + 1), 9] + name
      var pdu: [UInt8] = [0x40, UInt8(6 + data.count)] + address + data
      let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: 0x55_5555)
      if number % 4 == 3 {
        // The last letter of the name.
        pdu[pdu.count - 1] ^= 1
        secrets += [address, Array(name.dropLast())]
      } else {
        secrets += [address, name]
      }
      file += Self.airRecord(number, [0xD6, 0xBE, 0x89, 0x8E] + pdu + Self.octets(crc))
    }
    try expectGone(secrets, of: file, level)
  }

  /// What belongs to no connection that is known: nothing of it stays, whatever it is read as.
  @Test(arguments: RedactionLevel.allCases) func airOfNoConnection(_ level: RedactionLevel) throws {
    var dice = Dice(state: 9)
    var file = Self.airHeader
    var secrets: [[UInt8]] = []
    for number in 0..<60 {
      let secret = (0..<12).map { _ in UInt8.random(in: 0x61...0x7A, using: &dice) }
      secrets.append(secret)
      // A value, a version with octets behind it, a PDU without a name, a continuation.
      let bodies: [(llid: UInt8, bytes: [UInt8])] = [
        (2, [15, 0, 4, 0, 0x1B, 5, 0] + secret), (3, [0x0C, 9, 0x59, 0, 1, 2] + secret),
        (3, [0xE0] + secret), (1, secret),
      ]
      let body = bodies[number % bodies.count]
      let pdu = [body.llid, UInt8(body.bytes.count)] + body.bytes
      // Each Access Address is heard once.
      let address = [0xE9, 0xC3, UInt8(0x20 + number), 0x50]
      let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: 0x5A_17C3)
      file += Self.airRecord(number, address + pdu + Self.octets(crc))
    }
    try expectGone(secrets, of: file, level)
  }

  /// pcap, LINKTYPE_BLUETOOTH_LE_LL (251). https://www.tcpdump.org/linktypes.html
  private static let airHeader: [UInt8] =
    [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
    + [0xFF, 0xFF, 0, 0, 251, 0, 0, 0]

  private static func airRecord(_ number: Int, _ packet: [UInt8]) -> [UInt8] {
    let count = [UInt8(packet.count), 0, 0, 0]
    return [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0, 0, 0] + count + count + packet
  }

  private static func octets(_ crc: UInt32) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
  }

  private func expectGone(
    _ secrets: [[UInt8]], of file: [UInt8], _ level: RedactionLevel
  ) throws {
    let redacted = try Redaction(level: level, map: map(), framings: .known)
      .redact(CaptureBytes(file, name: "air.pcap"))
    #expect(redacted.bytes.count == file.count)
    let (planted, left) = (Haystack(file), Haystack(redacted.bytes))
    for secret in secrets {
      #expect(planted.holds(secret))
      for trace in PlantedSecretsTests.traces(secret) where left.holds(trace) {
        Issue.record("a secret survives: \(trace)")
      }
    }
  }
}
