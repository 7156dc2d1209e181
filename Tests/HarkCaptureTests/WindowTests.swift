import HarkCore
import Testing

@testable import HarkCapture

/// Lengths that point to the very end of what the window can hold.
@Suite struct WindowTests {
  func read(_ bytes: [UInt8]) -> Int? {
    guard let capture = try? Capture(bytes: bytes, name: "test") else { return nil }
    var records = 0
    _ = capture.forEachRecord { _, _ in
      records += 1
      return true
    }
    return records
  }

  func be(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  func le(_ value: Int) -> [UInt8] { be(value).reversed() }

  @Test(arguments: -40...40) func packetLoggerRecordsThatEndNearTheReach(offset: Int) {
    let counts = [262_144, Window.reach - 262_144 - 2 * 13 - 8 + offset]
    var bytes: [UInt8] = []
    for count in counts {
      bytes += be(count + 9)
      bytes += be(1_700_000_000)
      bytes += be(0)
      bytes.append(0xFC)
      bytes += [UInt8](repeating: 0x41, count: count)
    }
    #expect(read(bytes) == 2 || counts[1] > 262_144)
  }

  @Test(arguments: -40...40) func pcapngBlocksThatEndNearTheReach(offset: Int) {
    func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
      let length = le(body.count + 12)
      return le(type) + length + body + length
    }
    let noLength: [UInt8] = [1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]
    var bytes = block(0x0A0D_0D0A, le(0x1A2B_3C4D) + noLength)
    bytes += block(1, [201, 0, 0, 0, 0, 0, 0, 0])
    bytes += [UInt8](repeating: 0xFF, count: 16)
    let count = (Window.reach - 16 - 12 + offset) & ~3
    bytes += block(5, [UInt8](repeating: 0, count: count))
    #expect(read(bytes) != nil)
  }
}
