import Foundation
import HarkCapture
import HarkCore
import HarkFilter
import HarkSelection
import HarkSession
import HarkTestSupport
import Testing

/// The packets that a filter finds are those that tshark's display filter finds.
@Suite struct FilterAgreementTests {
  struct Pair: Sendable {
    let ours: String
    let theirs: String
  }

  /// What `Tools/agree-filters` compares over captures of one's own.
  static let pairs: [Pair] = {
    let file = Project.root.appendingPathComponent("Tools/agree-filters.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      let columns = line.split(separator: "\t").map(String.init)
      return Pair(ours: columns[0], theirs: columns[1])
    }
  }()

  static let captures = [
    "pebble-session/pebble-session.btsnoop", "hands-free/hands-free.btsnoop",
    "a2dp-session/a2dp-session.pcapng", "coc-session/coc-session.btsnoop",
    "ertm-session/ertm-session.pklg", "ancs-session/ancs-session.pklg",
  ]

  @Test func thereAreEnough() { #expect(Self.pairs.count >= 40) }

  @Test(
    .enabled(if: OtherProgram.isThere(OtherProgram.tshark), "tshark is missing: Tools/setup peers"),
    arguments: captures)
  func findsWhatTsharkFinds(_ name: String) throws {
    let path = Project.capture(name)
    let expected = try Self.theirs(path)
    let found = try Self.ours(path)
    try #require(expected.count == found.count)
    for (pair, (a, b)) in zip(Self.pairs, zip(found, expected)) {
      #expect(a.count == b.count, "\(pair.ours)")
      #expect(a.reduce(0, +) == b.sum, "\(pair.ours): \(a)")
    }
  }

  /// The numbers of the packets that match, for each filter.
  static func ours(_ path: String) throws -> [[Int]] {
    var filters = try pairs.map { PacketFilter(try Filter($0.ours)) }
    var found = [[Int]](repeating: [], count: filters.count)
    _ = try numbers(path) { record, bytes, packet, session in
      packet.read(record, bytes, &session)
      for index in filters.indices where filters[index].matches(packet, bytes, session) {
        found[index].append(Int(packet.number))
      }
      return false
    }
    return found
  }

  static func numbers(
    _ path: String, keepsFields: (PacketKind) -> Bool = { _ in true },
    _ matches: (CaptureRecord, RawSpan, inout PacketReading, inout Session) -> Bool
  ) throws -> [Int] {
    var session = Session()
    var packet = PacketReading()
    var numbers: [Int] = []
    _ = try Capture(path: path).forEachRecord { record, bytes in
      session.keepsFields = keepsFields(record.kind)
      session.index(record, bytes)
      if matches(record, bytes, &packet, &session) { numbers.append(session.packets.count) }
      session.dropEvents()
      return true
    }
    return numbers
  }

  /// How many frames match in tshark, and the sum of their numbers, for each filter.
  static func theirs(_ path: String) throws -> [(count: Int, sum: Int)] {
    var arguments = ["-n", "-q", "-r", path]
    for pair in pairs {
      for function in ["COUNT", "SUM"] {
        let filter = "frame.number && (\(withoutCommas(pair.theirs)))"
        arguments += ["-z", "io,stat,0,\(function)(frame.number)\(filter)"]
      }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: OtherProgram.tshark)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    // `|  0.0 <> 41.9 |     5 |`, from the last statistic to the first.
    let rows =
      text.split(separator: "\n").filter { $0.contains("<>") }.compactMap { row in
        Int(row.split(separator: "|")[1].trimmingCharacters(in: .whitespaces))
      }.reversed() as [Int]
    try #require(rows.count == 2 * pairs.count)
    return stride(from: 0, to: rows.count, by: 2).map { (rows[$0], rows[$0 + 1]) }
  }

  /// A comma ends a filter of statistics: `a in {1, 2}` is `(a in {1} or a in {2})`.
  static func withoutCommas(_ filter: String) -> String {
    filter.replacing(/(\S+) in \{([^}]*)\}/) { match in
      let parts = match.2.split(separator: ",").map {
        "\(match.1) in {\($0.trimmingCharacters(in: .whitespaces))}"
      }
      return "(\(parts.joined(separator: " or ")))"
    }
  }
}
