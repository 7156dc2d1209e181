import HarkCapture
import HarkCore
import HarkProfile
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

@Suite struct InfoTests {
  private func page(
    _ bytes: [UInt8]? = nil, _ name: String = "pebble-reboot", withKeys: Bool = false,
    prefix: Int? = nil, skip: Int = 0
  ) throws -> (text: String, end: CaptureEnd) {
    let capture: Capture
    if let bytes {
      capture = try Capture(bytes: bytes, name: "made")
    } else {
      capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    }
    var session = Session(keys: withKeys ? try Sample.keys(name) : .init(), framings: .known)
    var report = CaptureReport()
    let end = capture.forEachRecord { record, bytes in
      if record.number > UInt32(skip) { session.index(record, bytes) }
      for event in session.events { report.note(event) }
      session.takeEvents { _ in }
      return prefix.map { record.number < UInt32($0) } ?? true
    }
    session.finish()
    for event in session.events { report.note(event) }
    var out = TextBuffer()
    report.write(name: "made", capture.info, end, session, style: .plain, to: &out)
    return (out.string, end)
  }

  @Test func reportsLockedMessages() throws {
    let text = try page().text
    #expect(text.contains("5 accessory messages (Pebble): 0 decrypted, 5 not decrypted"))
    #expect(text.contains("5 accessory messages not decrypted: the private key of public key "))
    #expect(text.contains("The capture contains 3 pairing keys"))
    #expect(text.contains("Link encryption hides nothing here"))
  }

  @Test func reportsWhatKeysDecrypt() throws {
    let text = try page(withKeys: true).text
    #expect(text.contains("5 accessory messages (Pebble): 4 decrypted, 1 not decrypted"))
    #expect(text.contains("private key (P-256)"))
  }

  /// Nothing needs a key to be read: ANCS has no encryption of its own.
  @Test func reportsMessagesInTheClear() throws {
    let text = try page(nil, "ancs-session").text
    #expect(text.contains(" accessory messages (ANCS): not encrypted"))
    #expect(!text.contains("decrypted"))
    #expect(!text.contains("Payloads that applications encrypt"))
  }

  @Test func reportsThatTheBeginningIsMissing() throws {
    let text = try page(skip: 140).text
    #expect(text.contains("The capture starts in the middle of link 0x0001"))
    #expect(text.contains("its start is not in the capture"))
  }

  @Test func reportsThatALinkIsStillOpen() throws {
    #expect(try page(prefix: 150).text.contains("Link 0x0001 is still open when the capture ends"))
  }

  @Test func reportsAnEmptyCapture() throws {
    let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    #expect(try page(header).text.contains("The capture has no packets."))
  }

  /// A keyboard's reports on the bus, and nothing of a controller. Linux, Documentation/usb/usbmon.rst; HID 1.11, B.1
  @Test func reportsABusWithoutController() throws {
    func little(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let submitted = little(1, 8) + [UInt8(ascii: "C"), 1, 0x81, 5] + little(1, 2)
    let transfer: [UInt8] =
      submitted + [UInt8(ascii: "-"), 0] + little(0, 16) + little(8, 4) + little(8, 4)
      + little(0, 8) + [0, 0, 4, 0, 0, 0, 0, 0]
    let header = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + little(0, 8) + little(65_535, 4)
    let record = little(0, 8) + little(transfer.count, 4) + little(transfer.count, 4) + transfer
    let text = try page(header + little(189, 4) + record + record).text
    #expect(text.contains("its 2 USB transfers are not those of a Bluetooth controller"), "\(text)")
    #expect(!text.contains("Android"))
  }

  @Test func reportsTruncation() throws {
    let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA, 0, 0, 0]
    let (text, end) = try page(header)
    #expect(end.status == .truncated)
    #expect(text.contains("Truncated"))
    #expect(text.contains("at byte 16"))
  }

  /// A pcapng block: type, length, body, length again; all little-endian. draft-ietf-opsawg-pcapng, 3.1.
  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let length = number(UInt32(body.count + 12))
    return number(type) + length + body + length
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func option(_ code: UInt8, _ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [code, 0, UInt8(bytes.count), 0] + bytes
      + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Files that were put together have equal sections and interfaces: each is said once. Texts that end
  /// with zeros have none.
  @Test func saysEachThingOnce() throws {
    let head: [UInt8] = [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
    let section = Self.block(
      0x0A0D_0D0A,
      head + Self.option(1, "taken at home\0") + Self.option(4, "Recorder 1\0\0")
        + Self.option(3, "\0") + [0, 0, 0, 0])
    let interface = Self.block(
      1, [201, 0, 0, 0, 0, 0, 0, 0] + Self.option(2, "hci0\0") + [0, 0, 0, 0])
    let text = try page(section + interface + section + interface).text
    func count(_ line: String) -> Int {
      text.split(separator: "\n").count { $0.hasSuffix(line) }
    }
    #expect(count("Recorder 1") == 1)
    #expect(count("taken at home") == 1)
    #expect(count(" hci0") == 1)
    #expect(!text.contains("\0") && !text.contains("\\0") && !text.contains("\u{FFFD}"))
  }
}
