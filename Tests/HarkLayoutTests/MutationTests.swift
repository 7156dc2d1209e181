import HarkCore
import HarkLaws
import HarkTestSupport
import Testing

@testable import HarkLayout

/// Damaged layouts and damaged data: nothing traps, and all ends within its budget.
@Suite struct MutationTests {
  private static let fragments = [
    "_parent", "_root", "_io", "_index", "_", "- id: x", "type: u4", "size: -1", "size: 0xffffffff",
    "repeat: eos", "repeat: until", "repeat-until: _io.eof", "repeat-expr: 1000000000", "if: true",
    "pos: 0", "value: a", "18446744073709551615", "-9223372036854775808", ".to_s", ".as<bytes>",
    "[0]", "<< 200", "% 0", "/ 0", "process: zlib", "process: xor(0)", "terminator: 0", "b64", "{}",
    "[]", "null", "::", "'", "\"", "  ", "\n", "&a", "*a", "!!int", "? ", "---", "switch-on: 1",
  ]

  private static let steps = 20_000

  static func check(_ texts: [String], data: [[UInt8]], rounds: Int, seed: UInt64) -> Int {
    var random = SplitMix(seed: DailyPart.seed(seed))
    var taken = 0
    for round in 0..<rounds {
      var bytes = Array(texts[round % texts.count].utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&bytes, &random) }
      let files = MemoryFiles(texts: ["a.ksy": String(decoding: bytes, as: UTF8.self)])
      guard let layout = try? Layout.load("a.ksy", from: files) else { continue }
      taken += 1
      var packet = data.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...3, using: &random) where !packet.isEmpty {
        packet[Int.random(in: packet.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      packet.removeLast(Int.random(in: 0...packet.count, using: &random))
      for mode in [LayoutMachine.Mode.lenient, .strict] { run(layout, packet, mode) }
    }
    return taken
  }

  private static func run(_ layout: Layout, _ packet: [UInt8], _ mode: LayoutMachine.Mode) {
    var budget = LayoutMachine.Budget()
    budget.steps = steps
    var machine = LayoutMachine(layout, mode: mode, budget: budget)
    var recorder = Recorder(count: packet.count)
    machine.run(packet.span.bytes, into: &recorder)
    #expect(recorder.problem == nil, "\(DailyPart.note)")
    _ = machine.summary(packet.span.bytes)
    _ = machine.total(packet.span.bytes)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = .random(in: 0x20...0x7E, using: &random)
    case 1: bytes.remove(at: place)
    case 2:
      bytes.insert(contentsOf: (fragments.randomElement(using: &random) ?? "").utf8, at: place)
    case 3:
      let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
      bytes.removeSubrange(place..<end)
    case 4:
      // A line twice, or somewhere else.
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      guard let line = lines.randomElement(using: &random) else { return }
      bytes.insert(contentsOf: [0x0A] + line + [0x0A], at: place)
    default: bytes[place] = [0x20, 0x0A, 0x3A, 0x2D].randomElement(using: &random) ?? 0x20
    }
  }

  @Test func ownLayouts() {
    let taken = Self.check(
      [Samples.earbud, Samples.everything], data: [Samples.packet, Array(0...255)],
      rounds: DailyPart.rounds(600, of: 3000), seed: 1)
    #expect(taken > DailyPart.rounds(60, of: 300))
  }

  @Test(.enabled(if: Suite.folder != nil, "no Kaitai Struct test suite beside the project"))
  func suiteLayouts() throws {
    let folder = try #require(Suite.folder)
    let texts = Suite.files(in: "formats", ending: ".ksy")
      .compactMap { Suite.text(of: folder + "/formats/" + $0) }
    let data = Suite.files(in: "src", ending: ".bin").map { Suite.bytes(of: folder + "/src/" + $0) }
    let taken = Self.check(
      texts, data: data, rounds: DailyPart.rounds(1200, of: 6000), seed: 2)
    #expect(taken > DailyPart.rounds(200, of: 1000))
  }
}

/// Checks what every receiver may count on: groups close, ranges lie in the packet.
struct Recorder: LayoutReceiver {
  static var wantsFields: Bool { true }

  let count: Int
  private(set) var open = 0
  private(set) var events: [String] = []
  private(set) var failures: [LayoutFailure] = []
  private var firstProblem: String?

  init(count: Int) { self.count = count }

  var problem: String? { firstProblem ?? (open == 0 ? nil : "\(open) groups are open") }

  private mutating func check(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > count { firstProblem = "\(range) of \(count)" }
  }

  mutating func open(_ field: Int, at offset: Int, limit: Int?) {
    open += 1
    events.append("open \(field) @\(offset)")
  }
  mutating func close(at offset: Int) {
    open -= 1
    if open < 0 { firstProblem = "a group is closed that is not open" }
    events.append("close @\(offset)")
  }
  mutating func found(_ field: Int, _ value: LayoutValue, at range: Range<Int>, isPart: Bool) {
    check(range)
    events.append("\(field) = \(value) @\(range)\(isPart ? " part" : "")")
  }
  mutating func computed(_ field: Int, _ value: LayoutValue, at offset: Int) {
    events.append("\(field) = \(value) computed")
  }
  mutating func unclaimed(_ range: Range<Int>) {
    check(range)
    events.append("unclaimed @\(range)")
  }
  mutating func failed(_ failure: LayoutFailure, over range: Range<Int>) {
    check(range)
    failures.append(failure)
    events.append("failed \(failure.reason) @\(range)")
  }
}
