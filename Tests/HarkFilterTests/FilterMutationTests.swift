import HarkCore
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkFilter

@Suite struct FilterMutationTests {
  static let seeds = [
    "att.opcode == 0x1b && device == \"Acme Buds\"", "att.value[0:2] in {01:02..ff:ff, \"ab\"}",
    "ad.localName matches \"^(a|b[c-e]+){2,3}\\.\\x41$\" or not (len(att.value) > 5 and smp)",
    "hci.evt.rssi in {-90..-60} or time >= \"2026-11-21 10:20:30.5\" or count(att.handle) !== 2",
    "all att.handle & 0x0f != 3 and lane in {gatt, keys} and service == 0x180f",
    "frame contains 01:02:03 or frame matches r\"\\bab\\B.\" or att.error == \"Invalid Handle\"",
    "any hci.evt.address[-3:] == de:ad:be || severity >= warning || time in {10:20..11:30}",
  ]

  /// Every prefix, and many changes: a filter or an error that points into the text, at once.
  @Test(arguments: seeds.indices) func neverTraps(_ index: Int) {
    var random = SplitMix(seed: DailyPart.seed(UInt64(index) + 1))
    let seed = Array(Self.seeds[index].utf8)
    let pieces = Self.seeds.flatMap { $0.split(separator: " ").map { Array($0.utf8) } }
    for count in 0...seed.count where DailyPart.includes(count, oneIn: 4) {
      Self.tryOut(Array(seed[..<count]))
    }
    for _ in 0..<DailyPart.rounds(30, of: 150) {
      var text = seed
      for _ in 0...(random.next() % 4) {
        let place = Int(random.next() % UInt64(text.count + 1))
        switch random.next() % 5 {
        case 0 where place < text.count: text.remove(at: place)
        case 1 where place < text.count: text[place] ^= 1 << UInt8(random.next() % 8)
        case 2: text.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 3:
          text.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))], at: place)
        default: text.insert(contentsOf: text[..<place], at: place)
        }
        if text.count > 400 { text.removeLast(text.count - 400) }
      }
      Self.tryOut(text)
    }
  }

  static func tryOut(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let filter = try Filter(text)
      var run = FilterRun(filter)
      var tree = Tree()
      for (packet, kind) in [
        (FilterTests.notification, PacketKind.acl), (FilterTests.response, .acl),
        (FilterTests.report, .event),
      ] {
        run.begin()
        run.add(.device, text: "Acme")
        _ = run.decide()
        Catalog.shared.describe(packet.raw, .record(kind), Context(), into: &tree)
        run.scan(tree, packet.raw)
        _ = run.result()
      }
    } catch {
      #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "\(text)")
      #expect("\(error)".utf8.count < 1_000)
    }
  }

  /// What other engines take years for, and texts that are nested or long.
  @Test(.timeLimit(.minutes(5)))
  func neverHangs() throws {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 4_000)
    for expression in [
      "(a*)*b", "(a+)+$b", "(a|aa)+b", "(a?){50}a{50}b", "((a{1,9}){1,9}){1,3}b", "(.*.*.*)*=b",
    ] {
      let pattern = try FilterPatternParser.pattern(Array(expression.utf8), isText: true)
      let fits = pattern.matches(letters.raw, 0..<letters.count)
      #expect(!fits, "\(expression)")
    }
    for text in [
      String(repeating: "(", count: 60_000), String(repeating: "!", count: 60_000),
      String(repeating: "not ", count: 15_000) + "att", String(repeating: "a", count: 60_000),
      String(repeating: "att.opcode==1||", count: 4_000) + "att",
      "att.opcode in {" + String(repeating: "1,", count: 30_000) + "}",
      "ad.localName matches \"" + String(repeating: "(", count: 60_000) + "\"",
      "ad.localName matches \"" + String(repeating: "(){255}", count: 8_000) + "\"",
      "ad.localName matches \"" + String(repeating: "(", count: 20)
        + String(repeating: "){255}", count: 20) + "\"",
      String(repeating: "\"", count: 60_001), String(repeating: "att.value[", count: 6_000),
    ] {
      Self.tryOut(Array(text.utf8))
    }
    #expect(throws: FilterError.self) { try Filter(String(repeating: " ", count: 70_000)) }
  }
}
