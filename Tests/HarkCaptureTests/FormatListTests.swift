import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCapture

@Suite struct FormatListTests {
  /// A format is one file and one line in the list; this finds the file without a line.
  @Test func everyFormatIsInTheList() throws {
    let folder = Project.root.appending(path: "Sources/HarkCapture").path
    var found: [String] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      if text.contains("static func recognises(") {
        found.append(URL(filePath: name).deletingPathExtension().lastPathComponent)
      }
    }
    #expect(
      found.map { $0.lowercased() }.sorted()
        == CaptureFormat.all.map { $0.name.lowercased() }.sorted())
  }

  struct Captures: Decodable {
    struct File: Decodable {
      var file: String
      var packets: Int
      var sha256: String
      var directionKnown: Bool
    }

    var files: [File]
    var directions: String
    var timesMicroseconds: [Int64]
  }

  /// The same packets in every format: their bytes, times and directions come out equal.
  @Test func theSamePacketsInEveryFormat() throws {
    let folder = Project.captures.appending(path: "formats").path
    guard FileManager.default.fileExists(atPath: folder + "/formats.json") else {
      print("skipped: captures/formats is not there")
      return
    }
    let json = try Data(contentsOf: URL(filePath: folder + "/formats.json"))
    let captures = try JSONDecoder().decode(Captures.self, from: json)
    #expect(captures.files.count > 10)
    for file in captures.files {
      let capture = try Capture(path: folder + "/" + file.file)
      var hash = SHA256()
      var times: [Int64] = []
      var directions = ""
      let end = capture.forEachRecord { record, bytes in
        guard record.kind.isHCI else { return true }
        hash.update([record.kind.rawValue] + bytes.array)
        times.append(record.time.nanoseconds / 1_000)
        directions += record.direction == .hostToController ? ">" : "<"
        return true
      }
      #expect(end.status == .complete, "\(file.file): \(end.damages)")
      #expect(times == captures.timesMicroseconds, "\(file.file)")
      #expect(times.count == file.packets)
      if file.directionKnown { #expect(directions == captures.directions, "\(file.file)") }
      #expect(Hex.text(hash.finish()) == file.sha256, "\(file.file)")
    }
  }

  @Test func theHashIsSHA256() {
    var hash = SHA256()
    hash.update(Array("abc".utf8))
    #expect(
      Hex.text(hash.finish())
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}

/// FIPS 180-4, so that these tests need no package.
struct SHA256 {
  private var data: [UInt8] = []

  mutating func update(_ bytes: [UInt8]) { data += bytes }

  /// The fractional parts of the square (`power` 2) or cube roots of the first primes.
  private static func roots(_ count: Int, power: Int) -> [UInt32] {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      // The largest whole number whose power is at most prime * 2^(32 * power).
      var root: UInt64 = 0
      for bit in (0..<36).reversed() {
        let next = root | 1 << UInt64(bit)
        var product = UInt128(1)
        for _ in 0..<power { product *= UInt128(next) }
        if product <= UInt128(prime) << UInt128(32 * power) { root = next }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }

  func finish() -> [UInt8] {
    var state = Self.roots(8, power: 2)
    let constants = Self.roots(64, power: 3)
    var message = data + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    message += Bytes.u64(Int64(data.count) * 8).all
    for block in stride(from: 0, to: message.count, by: 64) {
      Self.mix(&state, message[block..<(block + 64)], constants)
    }
    return state.flatMap { Bytes.u32($0).all }
  }

  private static func mix(
    _ state: inout [UInt32], _ block: ArraySlice<UInt8>, _ constants: [UInt32]
  ) {
    func turn(_ value: UInt32, _ bits: UInt32) -> UInt32 { value >> bits | value << (32 - bits) }
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
    }
    for index in 16..<64 {
      let a = words[index - 15]
      let b = words[index - 2]
      words.append(
        words[index - 16] &+ (turn(a, 7) ^ turn(a, 18) ^ a >> 3) &+ words[index - 7]
          &+ (turn(b, 17) ^ turn(b, 19) ^ b >> 10))
    }
    var s = state
    for index in 0..<64 {
      let sum1 = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let first = s[7] &+ sum1 &+ choice &+ constants[index] &+ words[index]
      let sum0 = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      s = [first &+ sum0 &+ majority, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }
}
