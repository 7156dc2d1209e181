import Foundation
import HarkTestSupport
import Testing

@testable import HarkRecord

/// Recordings that continue in new files, and disks that are full.
@Suite struct RotationTests {
  /// The packets of the files of a recording, one after the other, without what repeats in each.
  private func packets(_ folder: TestFolder, _ names: [String]) throws -> [UInt8] {
    var packets: [UInt8] = []
    for name in names {
      let bytes = try folder.bytes(name)
      #expect(bytes.starts(with: Traffic.header(1002)), "\(name)")
      packets += bytes.dropFirst(16)
    }
    return packets
  }

  @Test func bySize() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a.btsnoop"), "--rotate-size", "4096"], folder)
    try recorder.send(Traffic.h4File(300))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    // 68 records of 60 bytes and the file's header fit into 4096.
    let names = (1...5).map { "a.0000\($0).btsnoop" }
    #expect(folder.names == names + ["errors"])
    #expect(try folder.bytes(names[0]).count == 16 + 68 * 60)
    #expect(try packets(folder, names) == Traffic.h4(0..<300))
    #expect(recorder.stated.contains("300 packets, \(18_000 + 5 * 16) bytes in 5 files"))
  }

  @Test func theOldestAreRemoved() throws {
    let folder = try TestFolder()
    for _ in 0..<2 {
      let recorder = try RecorderProcess(
        [
          "-", "-w", folder.path("a.btsnoop"), "--rotate-size", "4096", "--rotate-count", "2",
        ], folder)
      try recorder.send(Traffic.h4File(300))
      try recorder.closeInput()
      #expect(try recorder.end() == 0)
    }
    // The second recording continues counting, and removes those of the first.
    #expect(folder.names == ["a.00009.btsnoop", "a.00010.btsnoop", "errors"])
    #expect(try packets(folder, Array(folder.names.prefix(2))) == Traffic.h4(204..<300))
  }

  @Test func byTime() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a"), "--rotate-time", "1s"], folder)
    try recorder.send(Traffic.h4File(1))
    try RecorderProcess.wait("it records") { folder.names.contains("a.00001") }
    usleep(1_300_000)
    #expect(folder.names == ["a.00001", "errors"])
    try recorder.send(Traffic.h4(1..<2))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    #expect(folder.names == ["a.00001", "a.00002", "errors"])
    #expect(try packets(folder, ["a.00001", "a.00002"]) == Traffic.h4(0..<2))
  }

  /// The largest time that the option takes: nanoseconds of it do not fit into 64 bits.
  @Test func inAges() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a"), "--rotate-time", "\(Int.max / 4)"], folder)
    try recorder.send(Traffic.h4File(2))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    #expect(folder.names == ["a.00001", "errors"])
  }

  /// Drops count from zero in each file, and controllers are known in each.
  @Test func eachFileCanBeReadAlone() throws {
    let folder = try TestFolder()
    func record(_ opcode: UInt64, _ packet: [UInt8], drops: UInt64, _ time: UInt64) -> [UInt8] {
      Traffic.record(packet, flags: 1 << 16 | opcode, drops: drops, time: Traffic.time + time)
    }
    // New Index (type, bus, address, name), Index Information (address, manufacturer), Open Index.
    let newIndex: [UInt8] = [0, 1, 1, 2, 3, 4, 5, 6] + Array("hci1\0\0\0\0".utf8)
    let information: [UInt8] = [1, 2, 3, 4, 5, 6, 0x4C, 0]
    let event = [0x0E, 250] + [UInt8](repeating: 0, count: 250)
    var stream = Traffic.header(2001) + record(0, newIndex, drops: 0, 0)
    stream += record(10, information, drops: 0, 1) + record(8, [], drops: 0, 2)
    for number in UInt64(0)..<40 {
      stream += record(3, event, drops: number < 13 ? 0 : number < 30 ? 5 : 7, 10 + number)
    }
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a"), "--rotate-size", "4096"], folder)
    try recorder.send(stream)
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    #expect(folder.names == ["a.00001", "a.00002", "a.00003", "errors"])
    // 14 events of 276 bytes each, and 13 with what is repeated, fit into a file.
    func state(_ time: UInt64) -> [UInt8] {
      record(0, newIndex, drops: 0, time) + record(10, information, drops: 0, time)
        + record(8, [], drops: 0, time)
    }
    var first = Traffic.header(2001) + state(0)
    first.replaceSubrange(16..., with: stream[16..<(stream.count - 40 * 276)])
    for number in UInt64(0)..<14 {
      first += record(3, event, drops: number < 13 ? 0 : 5, 10 + number)
    }
    #expect(try folder.bytes("a.00001") == first)
    var second = Traffic.header(2001) + state(24)
    for number in UInt64(14)..<28 { second += record(3, event, drops: 0, 10 + number) }
    #expect(try folder.bytes("a.00002") == second)
    var third = Traffic.header(2001) + state(38)
    for number in UInt64(28)..<40 {
      third += record(3, event, drops: number < 30 ? 0 : 2, 10 + number)
    }
    #expect(try folder.bytes("a.00003") == third)
  }

  /// A recording stays whole when a new file cannot be made.
  @Test func theNextFileCannotBeMade() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "b"), withIntermediateDirectories: true)
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("b/a"), "--rotate-size", "4096"], folder)
    try recorder.send(Traffic.h4File(1))
    try RecorderProcess.wait("it records") { (try? folder.bytes("b/a.00001").count) == 76 }
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "b/a.00002"), withIntermediateDirectories: true)
    try recorder.send(Traffic.h4(1..<100))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    #expect(try folder.bytes("b/a.00001") == Traffic.h4File(100))
    #expect(recorder.stated.contains("continuing in"))
  }
}

private let canMount: Bool = {
  guard let folder = try? TestFolder(),
    mount("none", folder.url.path(), "tmpfs", 0, "size=64k") == 0
  else { return false }
  return umount(folder.url.path()) == 0
}()

/// A disk that is full: a small one that is mounted for the test.
@Suite(.enabled(if: canMount, "a small disk cannot be mounted here: that takes root"))
struct FullDiskTests {
  /// Mounts a disk of 64 KiB in a folder until the end of `body`.
  private func withDisk(_ folder: TestFolder, _ body: (String) throws -> Void) throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let code = mount("none", disk, "tmpfs", 0, "size=64k")
    try #require(code == 0, "cannot mount: \(String(cString: strerror(errno)))")
    defer { umount(disk) }
    try body(disk)
  }

  private func fill(_ path: String, bytes: Int) throws {
    try Data(count: bytes).write(to: URL(filePath: path))
  }

  /// What fits into memory meanwhile is not lost.
  @Test func itGoesOnWhenThereIsRoom() throws {
    let folder = try TestFolder()
    try withDisk(folder) { disk in
      try fill(disk + "/other", bytes: 48 << 10)
      let recorder = try RecorderProcess(["-", "-w", disk + "/a"], folder)
      try recorder.send(Traffic.h4File(500))
      try RecorderProcess.wait("the disk is full") { recorder.stated.contains("the disk is full") }
      // What is there consists of whole records, while the disk is still full.
      let part = try folder.bytes("disk/a")
      #expect((part.count - 16) % Traffic.h4Count == 0)
      #expect(Traffic.h4File(500).starts(with: part))
      try FileManager.default.removeItem(atPath: disk + "/other")
      try recorder.send(Traffic.h4(500..<600))
      try recorder.closeInput()
      #expect(try recorder.end() == 0)
      #expect(try folder.bytes("disk/a") == Traffic.h4File(600))
      #expect(recorder.stated.components(separatedBy: "the disk is full").count == 2)
      #expect(recorder.stated.contains("the disk has room again"))
      #expect(recorder.stated.contains("600 packets"))
      #expect(recorder.stated.contains("; 0 lost"))
    }
  }

  /// What does not fit is counted: in the file, and at the end.
  @Test func whatIsLostIsCounted() throws {
    let folder = try TestFolder()
    try withDisk(folder) { disk in
      try fill(disk + "/other", bytes: 48 << 10)
      let recorder = try RecorderProcess(["-", "-w", disk + "/a", "--buffer", "4096"], folder)
      try recorder.send(Traffic.h4File(300))
      try RecorderProcess.wait("the disk is full") { recorder.stated.contains("the disk is full") }
      for number in 300..<400 {
        try recorder.send(Traffic.h4(number))
        usleep(1_000)
      }
      usleep(300_000)
      try FileManager.default.removeItem(atPath: disk + "/other")
      try RecorderProcess.wait("there is room") { recorder.stated.contains("room again") }
      try recorder.send(Traffic.h4(400..<410))
      try recorder.closeInput()
      #expect(try recorder.end() == 0)

      // The packets that are there, by the numbers in them, and what their headers say is missing.
      let bytes = try folder.bytes("disk/a")
      var (next, reported, lost) = (0, 0, 0)
      for at in stride(from: 16, to: bytes.count, by: Traffic.h4Count) {
        let number = Int(bytes[at + 35]) << 8 | Int(bytes[at + 36])
        let drops = Int(bytes[at + 14]) << 8 | Int(bytes[at + 15])
        #expect(Array(bytes[at..<(at + 12)]) == Array(Traffic.h4(number)[..<12]))
        #expect(number - next == drops - reported)
        lost += number - next
        (next, reported) = (number + 1, drops)
      }
      #expect(next == 410)
      #expect(lost > 0)
      #expect(recorder.stated.contains("\(lost) lost, \(lost) because they could not be written"))
    }
  }

  @Test func aDiskThatStaysFullDoesNotKeepIt() throws {
    let folder = try TestFolder()
    try withDisk(folder) { disk in
      let recorder = try RecorderProcess(["-", "-w", disk + "/a"], folder)
      try recorder.send(Traffic.h4File(5_000))
      try RecorderProcess.wait("the disk is full") { recorder.stated.contains("the disk is full") }
      recorder.signal(SIGTERM)
      #expect(try recorder.end() == 0)
      let bytes = try folder.bytes("disk/a")
      let whole = (bytes.count - 16) / Traffic.h4Count
      #expect(bytes == Traffic.h4File(whole))
      #expect(recorder.stated.contains("\(whole) packets, "))
      #expect(recorder.stated.contains("\(5_000 - whole) because they could not be written"))
    }
  }
}

@Suite(.enabled(if: getuid() == 0, "only root has privileges to give up"))
struct PrivilegeTests {
  /// The lines of /proc/PID/status that begin with a word.
  private func status(_ recorder: RecorderProcess) throws -> [String: String] {
    let path = "/proc/\(recorder.process.processIdentifier)/status"
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    return Dictionary(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: ":", maxSplits: 1)
        guard words.count == 2 else { return nil }
        return (String(words[0]), words[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $1 })
  }

  private func record(_ environment: [String: String], _ body: ([String: String]) -> Void) throws
    -> TestFolder
  {
    let folder = try TestFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: folder.url.path())
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a")], folder, environment: environment)
    try recorder.send(Traffic.h4File(1))
    try RecorderProcess.wait("it records") { (try? folder.bytes("a").count) ?? 0 > 16 }
    body(try status(recorder))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    return folder
  }

  @Test func nothingIsLeft() throws {
    _ = try record([:]) { status in
      for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
        #expect(status[set].map { $0.allSatisfy { $0 == "0" } } == true, "\(set)")
      }
      #expect(status["NoNewPrivs"] == "1")
      // A filter for system calls: proc_pid_status(5).
      #expect(status["Seccomp"] == "2")
    }
  }

  @Test func theUserOfSudoMayNotWriteEverywhere() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path("a")], folder,
      environment: ["SUDO_UID": "65534", "SUDO_GID": "65533"])
    #expect(try recorder.end() == 1)
    #expect(
      recorder.stated.contains(
        "Permission denied; hark-record writes it as the user who called sudo")
    )
    #expect(folder.names == ["errors"])
  }

  @Test func theUserOfSudoOwnsTheFile() throws {
    let folder = try record(["SUDO_UID": "65534", "SUDO_GID": "65533"]) { status in
      #expect(status["Uid"] == "65534\t65534\t65534\t65534")
      #expect(status["Gid"] == "65533\t65533\t65533\t65533")
      #expect(status["Groups"] == "65533")
      #expect(status["CapBnd"].map { $0.allSatisfy { $0 == "0" } } == true)
    }
    let owner = try FileManager.default.attributesOfItem(atPath: folder.path("a"))
    #expect(owner[.ownerAccountID] as? Int == 65_534)
    #expect(owner[.groupOwnerAccountID] as? Int == 65_533)
  }
}
