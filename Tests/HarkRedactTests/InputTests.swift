import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// What is typed is what a person wrote: nothing of a report of a HID device stays, whether or not its
/// report descriptor is in the capture. Device Class Definition for HID 1.11, Appendix B.1.
@Suite struct InputTests {
  private static func att(_ hex: String, received: Bool, in capture: inout MadeCapture) {
    frame("0400", hex, received: received, in: &capture)
  }

  private static func frame(
    _ cid: String, _ hex: String, received: Bool, in capture: inout MadeCapture
  ) {
    let bytes = Hex.bytes(hex) ?? []
    let data = [UInt8(bytes.count), 0] + (Hex.bytes(cid) ?? []) + bytes
    // ACL TX and RX of the monitor.
    capture.add(
      received ? 5 : 4, [0x40, received ? 0x20 : 0x00, UInt8(data.count), 0] + data)
  }

  /// LeftShift and h, then i.
  private static let typed = ["02000b0000000000", "00000c0000000000"]

  @Test(arguments: [false, true]) func overGATT(isDescribed: Bool) throws {
    var capture = MadeCapture()
    Self.att("08 0100 ffff 0328", received: false, in: &capture)
    Self.att("09 07 1100021200 4b2a 1300121400 4d2a", received: true, in: &capture)
    if isDescribed {
      Self.att("04 1500 1600", received: false, in: &capture)
      Self.att("05 01 1500 0229 1600 0829", received: true, in: &capture)
      Self.att("0a 1200", received: false, in: &capture)
      // Eight keys as bits, an octet of padding, six keys of an array: shorter than B.1.
      Self.att("0b 050719e029e715002501750195088102", received: true, in: &capture)
      Self.att("0a 1600", received: false, in: &capture)
      Self.att("0b 0001", received: true, in: &capture)
    }
    for report in Self.typed { Self.att("1b 1400" + report, received: true, in: &capture) }
    try check(capture, "1b1400")
  }

  @Test func overL2CAP() throws {
    var capture = MadeCapture()
    Self.frame("0100", "0201 0400 1300 4000", received: false, in: &capture)
    Self.frame("0100", "0301 0800 4000 4000 0000 0000", received: true, in: &capture)
    for report in Self.typed {
      Self.frame("4000", "a1" + report, received: true, in: &capture)
    }
    try check(capture, "a1")
  }

  private func check(_ capture: MadeCapture, _ header: String) throws {
    for level in RedactionLevel.allCases {
      let redacted = try redact(CaptureBytes(capture.bytes, name: "typed.btsnoop"), level)
      #expect(redacted.bytes.count == capture.bytes.count)
      for report in Self.typed {
        let bytes = Hex.bytes(header + report) ?? []
        #expect(capture.bytes.holds(bytes))
        #expect(!redacted.bytes.holds(bytes))
      }
      // Nothing is pressed, in both.
      #expect(redacted.bytes.holds(Hex.bytes(header + "0000000000000000") ?? []))
    }
  }
}
