import HarkCapture
import HarkCore
import HarkProfile
import HarkSession
import Testing

@testable import HarkReport

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

  @Test func tellsWhatIsLocked() throws {
    let text = try page().text
    #expect(text.contains("5 accessory messages (Pebble): 0 read, 5 locked"))
    #expect(text.contains("5 accessory messages cannot be read: no private key"))
    #expect(text.contains("It holds 3 keys of pairing"))
    #expect(text.contains("Link encryption does not hide anything here"))
  }

  @Test func tellsWhatIsReadWithKeys() throws {
    let text = try page(withKeys: true).text
    #expect(text.contains("5 accessory messages (Pebble): 4 read, 1 locked"))
    #expect(text.contains("private key (P-256)"))
  }

  @Test func tellsThatTheBeginningIsMissing() throws {
    let text = try page(skip: 140).text
    #expect(text.contains("The capture starts in the middle of link 0x0001"))
    #expect(text.contains("its beginning is not in the capture"))
  }

  @Test func tellsThatALinkIsStillOpen() throws {
    #expect(try page(prefix: 150).text.contains("Link 0x0001 is still open when the capture ends"))
  }

  @Test func tellsOfAnEmptyCapture() throws {
    let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    #expect(try page(header).text.contains("There is no packet in it"))
  }

  @Test func knowsKeysInComments() {
    for comment in [
      "SK 0ecc3278b1a2f05e6f0bf4a2c2dd0d5a", "LTK: 0ECC3278B1A2F05E6F0BF4A2C2DD0D5A",
      "session key=0ecc3278b1a2f05e6f0bf4a2c2dd0d5a",
    ] {
      #expect(CaptureReport.holdsKey(comment))
    }
    for comment in [
      "monkey 0ecc", "the key is in the drawer", "sha 0ecc3278b1a2f05e6f0bf4a2c2dd0d5a",
    ] {
      #expect(!CaptureReport.holdsKey(comment))
    }
  }

  @Test func tellsOfTruncation() throws {
    let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA, 0, 0, 0]
    let (text, end) = try page(header)
    #expect(end.status == .truncated)
    #expect(text.contains("It is truncated"))
    #expect(text.contains("at byte 16"))
  }
}
