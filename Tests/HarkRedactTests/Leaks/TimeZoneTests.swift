import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// A local time shows where somebody is: packets have the time in UTC. Current Time Service 1.1, 3; Device Time Service 1.0
@Suite struct TimeZoneTests {
  /// 14 November 2023, 23:13:20, a Tuesday, set by hand.
  private static let currentTime = Hex.bytes("0b e707 0b 0e 17 0d 14 02 00 01") ?? []
  /// UTC+1 and daylight saving time.
  private static let zone = Hex.bytes("0b 04 04") ?? []
  /// A number of seconds, UTC+5:45 without daylight saving time, and no status.
  private static let deviceTime = Hex.bytes("0b 00e1f50b 17 00 0000") ?? []

  private static var capture: [UInt8] {
    var capture = MadeCapture()
    func request(_ hex: String) { capture.l2cap(4, Hex.bytes(hex) ?? [], isReceived: false) }
    request("08 0100 ffff 0328")
    let declarations = "1000021100 2b2a 1200021300 0f2a 1400021500 902b"
    capture.l2cap(4, Hex.bytes("09 07" + declarations) ?? [])
    for (handle, value) in [("11", currentTime), ("13", zone), ("15", deviceTime)] {
      request("0a \(handle)00")
      capture.l2cap(4, value)
    }
    return capture.bytes
  }

  @Test func strict() throws {
    let redacted = try redact(CaptureBytes(Self.capture, name: "zone"), .strict).bytes
    for value in [Self.currentTime, Self.zone, Self.deviceTime] {
      #expect(Self.capture.holds(value) && !redacted.holds(value))
    }
    // The date stays, and so do the seconds.
    #expect(redacted.holds(Hex.bytes("0b e707 0b 0e 0000 14 02 00 01") ?? []))
    #expect(redacted.holds(Hex.bytes("0b 0000") ?? []))
    #expect(!redacted.holds([0x17, 0, 0, 0]))
  }

  @Test func share() throws {
    let redacted = try redact(CaptureBytes(Self.capture, name: "zone"), .share).bytes
    for value in [Self.currentTime, Self.zone] { #expect(redacted.holds(value)) }
  }
}
