#if os(Linux)
  import CLinux
  import Foundation
  import HarkTestSupport
  import Testing

  /// The memory of a run with keys: what a debugger or a core dump would get.
  @Suite struct KeyMemoryTests {
    static let gcore = "/usr/bin/gcore"

    /// hark with keys, which has opened messages and waits for more.
    private final class Run {
      let process = Process()
      let folder: TestFolder
      let deadline: ProgramDeadline
      private let fifo: HeldFIFO
      private let output = Pipe()

      init(_ capture: String, _ keys: String, as user: [String] = []) throws {
        folder = try TestFolder()
        fifo = try HeldFIFO(folder.path("fifo"), holding: Project.capture(capture))
        let words =
          user + [
            HarkProgram.url.path, "live", folder.path("fifo"), "--keys", Project.capture(keys),
          ]
        if !user.isEmpty {
          #expect(chmod(folder.url.path(), 0o755) == 0 && chmod(folder.path("fifo"), 0o666) == 0)
        }
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        deadline = ProgramDeadline(process)
        var shown = Data()
        // The last event, behind everything that is opened.
        while shown.range(of: Data("Remote User Terminated Connection".utf8)) == nil {
          let more = try deadline.read(output)
          try #require(!more.isEmpty, "it has not shown the end")
          shown += more
        }
      }

      func end() throws {
        fifo.close()
        _ = try deadline.readToEnd(output)
        process.waitUntilExit()
        try deadline.check()
      }

      /// Writes `bytes` to the lowest end of its stack, which it does not reach.
      func leave(_ bytes: [UInt8]) throws {
        // Foundation reads no more than the first page of it.
        let maps = try OtherProgram.run("/bin/cat", ["/proc/\(process.processIdentifier)/maps"])
          .text
          .split(separator: "\n")
        let stack = try #require(maps.first { $0.hasSuffix("[stack]") })
        let bounds = stack.prefix { $0 != " " }.split(separator: "-").compactMap {
          UInt64($0, radix: 16)
        }
        try #require(bounds.count == 2 && bounds[1] - bounds[0] > UInt64(4 * bytes.count))
        let path = "/proc/\(process.processIdentifier)/mem"
        let memory = try FileHandle(forUpdating: URL(filePath: path))
        try memory.seek(toOffset: bounds[0])
        try memory.write(contentsOf: bytes)
        try memory.close()
      }

      func file(_ name: String) throws -> String {
        let path = "/proc/\(process.processIdentifier)/\(name)"
        return try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      }
    }

    private static func keys(_ file: String) throws -> [String] {
      let text = try String(contentsOfFile: Project.capture(file), encoding: .utf8)
      return text.matches(of: /"(?:privateKey|key)": *"([0-9a-f]+)"/).map { String($0.1) }
    }

    /// All that a key looks like in memory: its text, its bytes in both orders, and each round key that AES
    /// makes of them, also by words.
    private static func traces(of text: String) -> [(name: String, bytes: [UInt8])] {
      let digits = Array(text)
      let key = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      }
      var traces: [(String, [UInt8])] = [("text", Array(text.utf8.prefix(32)))]
      for (name, key) in [("bytes", key), ("reversed bytes", key.reversed())] {
        traces.append((name, Array(key.prefix(16))))
        traces.append(("end of the \(name)", Array(key.suffix(16))))
        // Hash functions leave a key in registers of eight bytes.
        traces.append(("half of the \(name)", Array(key.prefix(8))))
        guard key.count == 16 || key.count == 32 else { continue }
        let schedule = AESSchedule.words(of: key)
        for round in stride(from: 4, to: schedule.count, by: 4) {
          let words = schedule[round..<(round + 4)]
          traces.append(("\(name), round \(round / 4)", words.flatMap { $0 }))
          traces.append(("\(name), words of round \(round / 4)", words.flatMap { $0.reversed() }))
        }
      }
      return traces
    }

    @Test(
      .enabled(if: OtherProgram.isThere(gcore), "gcore is missing: Tools/setup test"),
      .enabled(if: getuid() == 0, "needs root: the memory is closed to the user"),
      arguments: [
        // A private key of the accessory, and the keys of sessions that follow from it.
        ("pebble-rekey/pebble-rekey.btsnoop", "pebble-rekey/accessory.harkkeys"),
        ("pebble-rekey/pebble-rekey.btsnoop", "pebble-rekey/session.harkkeys"),
        // An LTK, with which over-the-air packets are decrypted.
        ("pebble-air/pebble-air.pcap", "pebble-air/link.harkkeys"),
      ])
    func aCoreHoldsNoKey(_ capture: String, _ keys: String) throws {
      let run = try Run(capture, keys)
      let core = try Self.core(of: run)
      try run.end()
      // It is this run's: the name of the key file is in it.
      #expect(core.holds(Array((keys.split(separator: "/").last ?? "").utf8)))
      let texts = try Self.keyTexts(of: capture, keys)
      #expect(texts.count == (capture.contains("air") ? 1 : 5))
      for left in Self.left(of: texts, in: core) { Issue.record("\(left)") }
    }

    /// The same run with each trace of each key put into its stack, where nothing else is: the search finds all
    /// of them.
    @Test(
      .enabled(if: OtherProgram.isThere(gcore), "gcore is missing: Tools/setup test"),
      .enabled(if: getuid() == 0, "needs root: the memory is closed to the user"))
    func aKeyThatIsLeftIsFound() throws {
      let (capture, keys) = ("pebble-rekey/pebble-rekey.btsnoop", "pebble-rekey/accessory.harkkeys")
      let run = try Run(capture, keys)
      let texts = try Self.keyTexts(of: capture, keys)
      let traces = texts.flatMap(Self.traces)
      try run.leave(traces.flatMap(\.bytes))
      let core = try Self.core(of: run)
      try run.end()
      #expect(Self.left(of: texts, in: core).count == traces.count && traces.count > 5 * 14)
    }

    /// The keys of the file, and those of sessions that follow from them.
    private static func keyTexts(of capture: String, _ file: String) throws -> [String] {
      let both = ["pebble-rekey/accessory.harkkeys", "pebble-rekey/session.harkkeys"]
      return try (capture.contains("air") ? [file] : both).flatMap(keys)
    }

    /// What a debugger of root's sees.
    private static func core(of run: Run) throws -> Data {
      let number = run.process.processIdentifier
      let found = try OtherProgram.run(gcore, ["-o", run.folder.path("core"), "\(number)"])
      try #require(found.code == 0, "\(found.stated)")
      return try Data(contentsOf: URL(filePath: run.folder.path("core.\(number)")))
    }

    /// Which traces of which keys are in `core`.
    private static func left(of texts: [String], in core: Data) -> [String] {
      texts.enumerated().flatMap { index, text in
        traces(of: text).filter { core.holds($0.bytes) }.map { "key \(index): \($0.name)" }
      }
    }

    /// The example of FIPS 197, A.1 and A.3: the last words of both schedules.
    @Test func theTracesAreThoseOfAES() {
      let short: [UInt8] = [
        0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F,
        0x3C,
      ]
      #expect(AESSchedule.words(of: short).last == [0xB6, 0x63, 0x0C, 0xA6])
      let long: [UInt8] = [
        0x60, 0x3D, 0xEB, 0x10, 0x15, 0xCA, 0x71, 0xBE, 0x2B, 0x73, 0xAE, 0xF0, 0x85, 0x7D, 0x77,
        0x81,
        0x1F, 0x35, 0x2C, 0x07, 0x3B, 0x61, 0x08, 0xD7, 0x2D, 0x98, 0x10, 0xA3, 0x09, 0x14, 0xDF,
        0xF4,
      ]
      #expect(AESSchedule.words(of: long).last == [0x70, 0x6C, 0x63, 0x1E])
    }

    /// Other programs of the same user cannot attach, and no core dump is written; without keys they can.
    @Test(.enabled(if: getuid() == 0, "needs root: to be another user"))
    func theMemoryIsClosedToTheUser() throws {
      let user = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      let run = try Run(
        "pebble-rekey/pebble-rekey.btsnoop", "pebble-rekey/accessory.harkkeys", as: user)
      let process = "/proc/\(run.process.processIdentifier)"
      let limits = try run.file("limits").split(separator: "\n").map(String.init)
      #expect(limits.contains { $0.hasPrefix("Max core file size        0                    0 ") })
      // prctl(2), PR_SET_DUMPABLE: its files belong to root then.
      let owner = try FileManager.default.attributesOfItem(atPath: process + "/mem")[
        .ownerAccountID]
      #expect(owner as? Int == 0)
      let read = try OtherProgram.run(
        user[0], Array(user.dropFirst()) + ["/bin/cat", process + "/maps"])
      #expect(read.code != 0 && read.text.isEmpty)
      try run.end()
    }
  }

  extension Data {
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
      withUnsafeBytes { memmem($0.baseAddress!, $0.count, bytes, bytes.count) != nil }
    }
  }

  /// The key expansion of AES. FIPS 197, 5.2.
  private enum AESSchedule {
    static func words(of key: [UInt8]) -> [[UInt8]] {
      let count = key.count / 4
      var words = (0..<count).map { Array(key[(4 * $0)..<(4 * $0 + 4)]) }
      var constant: UInt8 = 1
      for index in count..<(4 * (count + 7)) {
        var word = words[index - 1]
        if index % count == 0 {
          word = (word[1...] + word[..<1]).map { box[Int($0)] }
          word[0] ^= constant
          constant = doubled(constant)
        } else if count > 6, index % count == 4 {
          word = word.map { box[Int($0)] }
        }
        words.append(zip(words[index - count], word).map { $0 ^ $1 })
      }
      return words
    }

    private static func doubled(_ value: UInt8) -> UInt8 {
      value << 1 ^ (value & 0x80 != 0 ? 0x1B : 0)
    }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
      var (a, result) = (a, UInt8(0))
      for bit in 0..<8 {
        if b >> bit & 1 == 1 { result ^= a }
        a = doubled(a)
      }
      return result
    }

    /// 5.1.1: inverses in the field, then the affine mapping.
    private static let box: [UInt8] = (UInt8.min...UInt8.max).map { value in
      let inverse = (UInt8.min...UInt8.max).first { product(value, $0) == 1 } ?? 0
      return (0..<5).reduce(UInt8(0x63)) { sum, turn in
        sum ^ (inverse << turn | (turn == 0 ? 0 : inverse >> (8 - turn)))
      }
    }
  }
#endif
