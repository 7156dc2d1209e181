import Foundation
import HarkTestSupport
import Testing

@testable import HarkCapture

/// Archives are made by the tar of this machine; what they hold is compared with the files that went in.
@Suite struct PackedFilesTests {
  private static let session = Project.captures.appending(
    path: "pebble-session/pebble-session.pklg")

  /// A folder like a sysdiagnose of an iPhone, in which the newest log precedes an older one.
  private final class Sysdiagnose {
    let folder: TestFolder
    let name = "sysdiagnose_2026.11.20_17-02-11+0100_iPhone-OS_iPhone_23E261"
    var root: URL { folder.url.appending(path: name) }
    let whole: Data
    let long = String(repeating: "very-long-", count: 14) + ".txt"

    init() throws {
      folder = try TestFolder()
      whole = try Data(contentsOf: session)
      // Records of PacketLogger: a length of what follows, most significant octet first.
      var offset = 0
      var records: [Int] = []
      while offset < whole.count {
        records.append(offset)
        offset += 4 + whole[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      }
      let half = records[records.count / 2]
      try write(whole[..<half], "logs/Bluetooth/bluetoothd-hci-2026-11-20_16-40-58.pklg")
      try write(whole[half...], "logs/Bluetooth/bluetoothd-hci-latest.pklg")
      try write(Data("tracev3\0".utf8), "system_logs.logarchive/Persist/1.tracev3")
      try write(Data("USER PID\nroot 1\n".utf8), long)
    }

    func write(_ data: Data, _ path: String) throws {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }

    func archive(_ options: String..., as file: String, of names: [String]? = nil) throws -> String
    {
      let path = folder.url.appending(path: file).path
      let order = [
        "logs/Bluetooth/bluetoothd-hci-latest.pklg",
        "logs/Bluetooth/bluetoothd-hci-2026-11-20_16-40-58.pklg", "system_logs.logarchive", long,
      ]
      let made = try OtherProgram.run(
        "/usr/bin/tar",
        ["-C", folder.url.path] + options + ["-cf", path]
          + (names ?? order).map { "\(name)/\($0)" })
      try #require(made.code == 0, "\(made.stated)")
      return path
    }
  }

  private static func files(_ path: String) throws -> (found: [String: Data], files: PackedFiles) {
    let files = try #require(PackedFiles(path: path))
    var found: [String: Data] = [:]
    while let file = files.nextFile() {
      var data = Data()
      while true {
        let piece = files.read(1_000)
        if piece.isEmpty { break }
        data += piece
      }
      #expect(data.count == Int(file.count))
      found[file.name] = data
    }
    return (found, files)
  }

  private static func records(_ capture: Capture) -> (bytes: [[UInt8]], end: CaptureEnd) {
    var all: [[UInt8]] = []
    let end = capture.forEachRecord { record, bytes in
      all.append(Array("\(record.time.nanoseconds) \(record.kind)".utf8) + bytes.array)
      return true
    }
    return (all, end)
  }

  @Test(arguments: ["--format=pax", "--format=gnu", "--format=posix -z", "--format=gnu -z"])
  func everyFile(_ options: String) throws {
    let made = try Sysdiagnose()
    let words = options.split(separator: " ").map(String.init)
    let path = try made.archive(words[0], words.count > 1 ? "-z" : "--sort=none", as: "a.tar")
    let (found, files) = try Self.files(path)
    #expect(files.problem == nil && files.isCompressed == (words.count > 1))
    #expect(found.count == 4)
    for (name, data) in found {
      #expect(try Data(contentsOf: made.folder.url.appending(path: name)) == data, "\(name)")
    }
  }

  /// The names of ustar are in two parts.
  @Test func ustar() throws {
    let made = try Sysdiagnose()
    let inner = "logs/Bluetooth/" + String(repeating: "b", count: 60) + ".txt"
    try made.write(Data("text".utf8), inner)
    let path = try made.archive("--format=ustar", as: "a.tar", of: [inner])
    #expect(try Self.files(path).found.keys.map { $0 } == ["\(made.name)/\(inner)"])
  }

  /// The logs are one capture, in the order of their times, whatever the order in the archive.
  @Test(arguments: ["a.tar", "a.tar.gz", "folder"]) func oneCapture(_ file: String) throws {
    let made = try Sysdiagnose()
    let path =
      file == "folder"
      ? made.root.path : try made.archive(file == "a.tar" ? "--sort=none" : "-z", as: file)
    let capture = try Capture(path: path, keepsBytes: true)
    #expect(
      capture.info.format.hasPrefix("PacketLogger, bluetoothd-hci-2026-11-20_16-40-58.pklg, "))
    #expect(capture.info.format.hasSuffix("bluetoothd-hci-latest.pklg in a sysdiagnose"))
    #expect(capture.canReadBack)
    let original = Self.records(try Capture(path: Self.session.path))
    #expect(original.bytes.count > 100)
    let found = Self.records(capture)
    #expect(found.bytes == original.bytes)
    #expect(found.end.status == .complete)
    #expect(try CaptureBytes(path: path).bytes == Array(made.whole))
  }

  /// Logs that were compressed one by one, in an archive that is compressed again or not, and in a folder.
  @Test(arguments: ["a.tar", "a.tar.gz", "folder"]) func packedLogs(_ file: String) throws {
    let made = try Sysdiagnose()
    let logs = made.root.appending(path: "logs/Bluetooth")
    let names = try FileManager.default.contentsOfDirectory(atPath: logs.path).sorted()
    let packed = try OtherProgram.run(
      "/usr/bin/gzip", names.map { logs.appending(path: $0).path })
    try #require(packed.code == 0 && names.count == 2)
    let path =
      file == "folder"
      ? made.root.path
      : try made.archive(file == "a.tar" ? "--sort=none" : "-z", as: file, of: ["logs"])
    let capture = try Capture(path: path)
    #expect(capture.info.format.hasSuffix("bluetoothd-hci-latest.pklg.gz in a sysdiagnose"))
    let found = Self.records(capture)
    #expect(found.bytes == Self.records(try Capture(path: Self.session.path)).bytes)
    #expect(found.end.status == .complete)
    #expect(try CaptureBytes(path: path).bytes == Array(made.whole))
  }

  /// A log that is there twice, as the latest and as a file, is read once.
  @Test func twice() throws {
    let made = try Sysdiagnose()
    let latest = made.root.appending(path: "logs/Bluetooth/bluetoothd-hci-latest.pklg")
    try made.write(
      Data(contentsOf: latest), "logs/Bluetooth/bluetoothd-hci-2026-11-20_16-59-00.pklg")
    let found = Self.records(try Capture(path: made.root.path))
    #expect(found.bytes == Self.records(try Capture(path: Self.session.path)).bytes)
  }

  /// Of a record that an earlier log does not have whole nothing precedes the next log's first.
  @Test func cutLog() throws {
    let made = try Sysdiagnose()
    let older = "logs/Bluetooth/bluetoothd-hci-2026-11-20_16-40-58.pklg"
    try made.write(Data(contentsOf: made.root.appending(path: older)).dropLast(5), older)
    let original = Self.records(try Capture(path: Self.session.path)).bytes
    let found = Self.records(try Capture(path: made.root.path))
    #expect(found.bytes.count == original.count - 1)
    #expect(found.bytes.allSatisfy { original.contains($0) })
    #expect(found.end.status == .truncated && found.end.problem?.contains("ends after") == true)
  }

  @Test(arguments: ["--format=gnu", "--format=pax"]) func holes(_ format: String) throws {
    let made = try Sysdiagnose()
    let file = made.root.appending(path: "holes.bin")
    try made.write(Data(), "holes.bin")
    let handle = try FileHandle(forWritingTo: file)
    for place in 0..<30 {
      try handle.seek(toOffset: UInt64(place) << 16)
      handle.write(Data("text".utf8))
    }
    try handle.close()
    let path = try made.archive(format, "-S", as: "a.tar", of: ["holes.bin", "logs"])
    let (found, files) = try Self.files(path)
    #expect(files.sparse == ["\(made.name)/holes.bin"])
    #expect(found.count == 2 && files.problem == nil)
  }

  /// Of an archive that is cut, what precedes that is read, and hark says that it is cut.
  @Test(arguments: [true, false]) func cut(_ isPacked: Bool) throws {
    let made = try Sysdiagnose()
    let whole = try made.archive(isPacked ? "-z" : "--sort=none", as: "whole.tar")
    let bytes = try Data(contentsOf: URL(filePath: whole))
    let path = made.folder.url.appending(path: "cut.tar").path
    let original = Self.records(try Capture(path: Self.session.path)).bytes
    var hasRead = false
    // Behind its last file an archive has zeros, and may end in them.
    let end = isPacked ? bytes.count - 200 : try #require(bytes.lastIndex { $0 != 0 })
    for count in stride(from: 300, to: end, by: isPacked ? 97 : 777) {
      try bytes[..<count].write(to: URL(filePath: path))
      guard let capture = try? Capture(path: path) else { continue }
      let found = Self.records(capture)
      // The last may be a part of one.
      #expect(found.bytes.dropLast().allSatisfy { original.contains($0) })
      guard !found.bytes.isEmpty else { continue }
      hasRead = true
      #expect(found.end.status != .complete, "\(count) of \(bytes.count)")
    }
    #expect(hasRead)
  }

  /// A damaged header costs its own file, and hark says so.
  @Test func damagedHeader() throws {
    let made = try Sysdiagnose()
    let path = try made.archive("--format=gnu", as: "a.tar")
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[20] ^= 0x55
    // Without its mark the file is an archive for no one, so the first file is damaged behind another.
    let first = try Data(
      contentsOf: URL(
        filePath: try made.archive("--format=gnu", as: "b.tar", of: [made.long])))
    let joined = first[..<(512 * 4)] + bytes
    try joined.write(to: URL(filePath: path))
    let (found, files) = try Self.files(path)
    #expect(files.problem == .archiveHeader)
    #expect(found.keys.contains { $0.hasSuffix("16-40-58.pklg") })
    #expect(!found.keys.contains { $0.hasSuffix("latest.pklg") })
    #expect(Self.records(try Capture(path: path)).end.status == .damaged)
  }

  @Test func noPacketLog() throws {
    let made = try Sysdiagnose()
    let path = try made.archive("-z", as: "a.tar.gz", of: ["system_logs.logarchive"])
    #expect { try Capture(path: path) } throws: {
      "\($0)".hasSuffix(
        "expected one, found an archive without a packet log (.pklg); install Apple's Bluetooth "
          + "logging profile on the device, and take another sysdiagnose")
    }
  }

  /// Whatever headers say, nothing traps, and no file has more bytes than the archive.
  @Test func changed() throws {
    let made = try Sysdiagnose()
    let path = try made.archive("--format=pax", as: "a.tar")
    let bytes = try Data(contentsOf: URL(filePath: path))
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ most: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % most
    }
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<4 { changed[random(2_560)] = UInt8(random(256)) }
      // Checksums of the first headers that fit what was changed.
      for block in stride(from: 0, to: 2_560, by: 512) where changed[block + 257] == 0x75 {
        for place in 148..<156 { changed[block + place] = 0x20 }
        let sum = changed[block..<(block + 512)].reduce(0) { $0 + Int($1) }
        for (place, digit) in String(sum + 0o1000000, radix: 8).utf8.dropFirst().enumerated() {
          changed[block + 148 + place] = digit
        }
      }
      try changed.write(to: URL(filePath: path))
      guard let files = PackedFiles(path: path) else { continue }
      var count = 0
      while files.nextFile() != nil {
        while case let piece = files.read(4_096), !piece.isEmpty { count += piece.count }
      }
      #expect(count <= bytes.count)
    }
  }
}
