import Foundation
import HarkTestSupport
import Testing

@testable import HarkCapture

/// The packets of a UART capture are those that are read from it, and others can take their place.
@Suite struct UARTCaptureTests {
  private static func packets(_ file: [UInt8]) throws -> [UInt8] {
    var packets: [UInt8] = []
    _ = try Capture(bytes: file, name: "uart").forEachRecord { _, bytes in
      bytes.withUnsafeBytes { packets += $0 }
      return true
    }
    return packets
  }

  @Test(arguments: ["h5", "bcsp"]) func sample(_ name: String) throws {
    let file = try CaptureBytes(path: Self.path(name)).bytes
    let capture = try #require(try UARTCapture(file, name: name))
    #expect(try capture.packets == Self.packets(file))
    #expect(try capture.framing(capture.packets).file == file)
  }

  /// Whatever is in the file: damage, frames in parts, and escapes that are none.
  @Test(arguments: ["h5", "bcsp"]) func mutated(_ name: String) throws {
    let file = try CaptureBytes(path: Self.path(name)).bytes
    var dice = Dice(state: 77)
    for _ in 0..<60 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...30, using: &dice) {
        let place = Int.random(in: 16..<bytes.count, using: &dice)
        bytes[place] =
          [0xC0, 0xDB, 0xDC, 0xDD, 0xDE, 0x00, .random(in: 0...255, using: &dice)]
          .randomElement(using: &dice) ?? 0
      }
      guard let capture = try UARTCapture(bytes, name: name) else { continue }
      #expect(try capture.packets == Self.packets(bytes))
      // Of what belongs to no frame, zeros are left.
      let framed = try capture.framing(capture.packets).file
      #expect(framed.count == bytes.count)
      #expect(zip(framed, bytes).allSatisfy { $0 == $1 || $0 == 0 })
      var others = capture.packets
      for place in others.indices where Bool.random(using: &dice) { others[place] ^= 0x1B }
      _ = try capture.framing(others)
    }
  }

  /// Other packets are read from the file as they were put into it.
  @Test(arguments: ["h5", "bcsp"]) func others(_ name: String) throws {
    let file = try CaptureBytes(path: Self.path(name)).bytes
    let capture = try #require(try UARTCapture(file, name: name))
    var dice = Dice(state: 78)
    var others = capture.packets
    var place = 0
    _ = try Capture(bytes: file, name: name).forEachRecord { record, _ in
      // The header of a packet says how long it is.
      if record.kind.isHCI {
        for index in (place + 4)..<max(place + 4, place + record.count) {
          others[index] = [0xC0, 0xDB, 0x11, 0x55].randomElement(using: &dice) ?? 0
        }
      }
      place += record.count
      return true
    }
    let made = try capture.framing(others)
    #expect(made.resized > 10)
    #expect(try Self.packets(made.file) == others)
    let end = try Capture(bytes: made.file, name: name).forEachRecord { _, _ in true }
    #expect(end.damageCount == 0)
  }

  @Test func none() throws {
    #expect(
      try UARTCapture(Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA], name: "h4") == nil)
    #expect(try UARTCapture([], name: "empty") == nil)
  }

  private static func path(_ name: String) -> String {
    Project.captures.appending(path: "formats/\(name).btsnoop").path()
  }
}

/// Splitmix64: the same numbers in each run.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
