import HarkCapture
import HarkCore
import HarkDissection
import HarkLaws
import Testing

@testable import HarkSession

@Suite struct CaptureLawTests {
  /// The laws over every record, and over a part of every record's prefixes.
  func check(_ path: String) throws {
    guard let capture = try? Capture(path: path) else { return }
    var tree = Tree()
    var broken: [String] = []
    _ = capture.forEachRecord { record, bytes in
      var context = Context()
      context.direction = record.direction
      context.isSliced = record.originalCount > record.count
      let cut = bytes.extracting(0..<(bytes.byteCount * Int(record.number % 16) / 16))
      for span in [0, 1] {
        let part = span == 0 ? bytes : cut
        broken += Laws.violations(part, .record(record.kind), context, &tree)
      }
      return broken.count < 5
    }
    #expect(broken == [])
  }

  @Test(arguments: Samples.bundled) func lawsHold(path: String) throws { try check(path) }

  @Test(arguments: Samples.corpus) func lawsHoldInRealTraffic(path: String) throws {
    try check(path)
  }

  @Test(arguments: Samples.bundled) func twoRunsAreEqual(path: String) throws {
    let first = Samples.index(try Capture(path: path))
    let second = Samples.index(try Capture(path: path))
    #expect(first.events == second.events)
    #expect(first.packets == second.packets)
  }

  /// Traps would end the process: that it comes back at all is what this shows.
  @Test(arguments: Samples.bundled) func mutationsNeverTrap(path: String) throws {
    let original = try Samples.bytes(path)
    var random = SplitMix(seed: 2026)
    for _ in 0..<12 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let capture = try? Capture(bytes: bytes, name: "mutated") else { continue }
      let result = Samples.index(capture)
      #expect(result.packets >= 0)
    }
  }
}
