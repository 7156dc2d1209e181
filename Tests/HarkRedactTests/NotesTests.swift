import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// Texts that programs write into captures, beside what is sent.
@Suite struct NotesTests {
  private static let levels: [RedactionLevel] = [.share, .strict]

  /// A record of PacketLogger: length, seconds, microseconds, type.
  private static func record(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
    return word(payload.count + 9) + word(1_700_000_000) + word(0) + [type] + payload
  }

  @Test(arguments: levels) func notesOfPacketLogger(_ level: RedactionLevel) throws {
    // HCI Reset and its Command Complete, then what a program says.
    var capture = Self.record(0, [3, 0x0C, 0]) + Self.record(1, [0x0E, 4, 1, 3, 0x0C, 0])
    for type: UInt8 in [0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xF7, 0xF8, 0x42] {
      capture += Self.record(
        type, Array(#"Device "Qlfsmmrkhkfblw" connected, serial Gqrxcgccjclwhh"#.utf8))
    }
    let redacted = try redact(CaptureBytes(capture, name: "notes.pklg"), level)
    #expect(redacted.bytes.count == capture.count)
    for secret in ["Qlfsmm", "khkfblw", "Gqrxcg", "cjclwhh"] {
      #expect(capture.holds(Array(secret.utf8)))
      #expect(!redacted.bytes.holds(Array(secret.utf8)))
    }
    if level == .share {
      #expect(redacted.bytes.holds(Array("Device \"".utf8)))
      #expect(redacted.bytes.holds(Array("\" connected, ".utf8)))
    }
  }

  @Test(arguments: levels) func logsOfTheLinuxMonitor(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    // New Index: Primary, Virtual, its address, its name.
    capture.add(0, [0, 0, 1, 2, 3, 4, 5, 6] + Array("hci0".utf8) + [0, 0, 0, 0])
    capture.add(12, Array("Linux version 6.1.0-wqmbxmvjrrz (x86_64)".utf8) + [0])
    capture.add(
      13, [6, 11] + Array("bluetoothd".utf8) + [0] + Array("device: name Wmbxmvjrrzmrs".utf8) + [0])
    // Control Open: a cookie, Control, 1.22, trusted, who.
    capture.add(
      14, [1, 0, 0, 0, 2, 0, 1, 22, 0, 1, 0, 0, 0, 10] + Array("prog-zqxwv".utf8))
    let redacted = try redact(CaptureBytes(capture.bytes, name: "notes.btsnoop"), level)
    for secret in ["wqmbxm", "vjrrz", "Wmbxmv", "jrrzmrs", "zqxwv"] {
      #expect(capture.bytes.holds(Array(secret.utf8)))
      #expect(!redacted.bytes.holds(Array(secret.utf8)))
    }
    // What an index is called is no name of anybody's.
    guard level == .share else { return }
    #expect(redacted.bytes.holds(Array("hci0".utf8)))
    #expect(redacted.bytes.holds(Array("bluetoothd".utf8)))
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) }
  }

  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    let filled = body + [UInt8](repeating: 0, count: -body.count & 3)
    let length = number(filled.count + 12, 4)
    return number(type, 4) + length + filled + length
  }

  private static func option(_ code: Int, _ value: [UInt8]) -> [UInt8] {
    number(code, 2) + number(value.count, 2) + value
      + [UInt8](repeating: 0, count: -value.count & 3)
  }

  /// draft-ietf-opsawg-pcapng, 4.
  @Test(arguments: levels) func blocksAndOptionsOfPcapng(_ level: RedactionLevel) throws {
    let secrets = [
      "Wlmqzxvbnh", "Kjhgfdqwrt", "Zxcvbnmqwp", "Plkjhgfdsq", "Qwrtpsdfgh", "Mnbvcxzlkj",
      "Hgfdsqwrtz",
    ].map { Array($0.utf8) }
    let section =
      Self.number(0x1A2B_3C4D, 4) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
      + Self.option(2, Array("MacBook of ".utf8) + secrets[0])
      + Self.option(4, Array("/Users/".utf8) + secrets[1] + Array("/bin/dumpcap".utf8))
      + [0, 0, 0, 0]
    let mac: [UInt8] = [0x3C, 0x22, 0xFB, 0x91, 0x5D, 0xE7]
    let interface =
      Self.number(201, 2) + [0, 0] + Self.number(0, 4)
      + Self.option(3, Array("desc ".utf8) + secrets[2]) + Self.option(6, mac)
      + Self.option(11, [0] + Array("host ".utf8) + secrets[3]) + [0, 0, 0, 0]
    let host = [10, 1, 2, 3] + secrets[4] + [0]
    let names =
      Self.number(1, 2) + Self.number(host.count, 2) + host
      + [UInt8](repeating: 0, count: -host.count & 3) + [0, 0, 0, 0]
      + Self.option(2, secrets[5]) + [0, 0, 0, 0]
    // Direction, HCI Event, Command Complete of HCI Reset.
    let packet: [UInt8] = [0, 0, 0, 1, 4, 0x0E, 4, 1, 3, 0x0C, 0]
    let data =
      Self.number(0, 4) + Self.number(0x61000, 4) + Self.number(0, 4)
      + Self.number(packet.count, 4) + Self.number(packet.count, 4) + packet
    let capture =
      Self.block(0x0A0D_0D0A, section) + Self.block(1, interface) + Self.block(6, data)
      + Self.block(4, names) + Self.block(0x0BAD_0001, secrets[6] + secrets[6])
    let redacted = try redact(CaptureBytes(capture, name: "notes.pcapng"), level)
    #expect(redacted.bytes.count == capture.count)
    for secret in secrets + [mac] {
      #expect(capture.holds(secret))
      #expect(!redacted.bytes.holds(secret))
    }
  }
}
