import Foundation
import HarkTestSupport
import Testing

@testable import HarkRecord

/// The recorder as a program, fed through a pipe.
@Suite struct RecorderTests {
  @Test func aStreamIsRecordedAsItComes() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<3))
    // Without an end of the stream, and without any more packets.
    try RecorderProcess.wait("three packets are in the file") {
      (try? folder.bytes("a")) == Traffic.h4File(3)
    }
    try recorder.send(Traffic.h4(3..<5_000))
    try recorder.closeInput()
    #expect(try recorder.end() == 0)
    #expect(try folder.bytes("a") == Traffic.h4File(5_000))
    #expect(recorder.stated.contains("5000 packets, \(Traffic.h4File(5_000).count) bytes"))
    #expect(recorder.stated.contains("; 0 lost"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("a"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signalsEndIt(number: Int32) throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<100))
    try RecorderProcess.wait("it records") { (try? folder.bytes("a").count) ?? 0 > 16 }
    recorder.signal(number)
    #expect(try recorder.end() == 0)
    #expect(try folder.bytes("a") == Traffic.h4File(100))
    #expect(recorder.stated.contains("100 packets"))
  }

  /// What was sent more than a second ago is there.
  @Test func killLosesNothingOld() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<1))
    try RecorderProcess.wait("it records") { (try? folder.bytes("a").count) ?? 0 > 16 }
    var sent = 1
    var acknowledged = 0
    let end = Date() + 1.5
    while Date() < end {
      if Date() < end - 1 { acknowledged = sent }
      try recorder.send(Traffic.h4(sent..<(sent + 50)))
      sent += 50
      usleep(2_000)
    }
    recorder.signal(SIGKILL)
    #expect(try recorder.end() == -SIGKILL)
    let bytes = try folder.bytes("a")
    let whole = (bytes.count - 16) / Traffic.h4Count
    #expect(acknowledged > 0)
    #expect(whole >= acknowledged, "\(whole) of \(acknowledged)")
    #expect(bytes.starts(with: Traffic.h4File(whole)))
  }

  /// A reader that stops makes the source wait; nothing is lost, and memory stays bounded.
  @Test func aStoppedReaderLosesNothing() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", "-", "--buffer", "64k"], folder, hasOutput: true)
    let output = try #require(recorder.output)
    let count = 60_000
    let sender = Thread {
      try? recorder.send(Traffic.header(1002) + Traffic.h4(0..<count))
      try? recorder.closeInput()
    }
    sender.start()
    // No one reads meanwhile: pipes and queues are full long before the end.
    usleep(700_000)
    #expect(recorder.process.isRunning)
    let memory = try String(
      contentsOfFile: "/proc/\(recorder.process.processIdentifier)/status", encoding: .utf8)
    #expect(memory.contains("VmRSS"))
    let read = Array(try recorder.deadline.readToEnd(output))
    #expect(try recorder.end() == 0)
    #expect(read == Traffic.h4File(count))
  }

  @Test func aStoppedRecorderLosesNothing() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<10))
    recorder.signal(SIGSTOP)
    let sender = Thread {
      try? recorder.send(Traffic.h4(10..<20_000))
      try? recorder.closeInput()
    }
    sender.start()
    usleep(300_000)
    recorder.signal(SIGCONT)
    #expect(try recorder.end() == 0)
    #expect(try folder.bytes("a") == Traffic.h4File(20_000))
  }

  /// A signal ends it although its reader takes nothing, and it says what that cost.
  @Test func aReaderThatNeverReads() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      ["-", "-w", "-", "--buffer", "64k"], folder, hasOutput: true)
    let sender = Thread { try? recorder.send(Traffic.header(1002) + Traffic.h4(0..<20_000)) }
    sender.start()
    try RecorderProcess.wait("it records") { recorder.stated.contains("recording") }
    usleep(300_000)
    recorder.signal(SIGTERM)
    #expect(try recorder.end() == 0)
    let read = Array(try recorder.deadline.readToEnd(try #require(recorder.output)))
    let whole = (read.count - 16) / Traffic.h4Count
    #expect(read.starts(with: Traffic.h4File(whole)))
    #expect(recorder.stated.contains("\(whole) packets, "), "\(whole): \(recorder.stated)")
    #expect(recorder.stated.contains("because they could not be written"))
  }

  /// A signal ends it although its source never pauses.
  @Test func aSourceThatNeverPauses() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002))
    let sender = Thread {
      var next = 0
      while (try? recorder.send(Traffic.h4(next..<(next + 500)))) != nil { next += 500 }
    }
    sender.start()
    try RecorderProcess.wait("it records") { (try? folder.bytes("a").count) ?? 0 > 100_000 }
    recorder.signal(SIGINT)
    #expect(try recorder.end() == 0)
    let bytes = try folder.bytes("a")
    let whole = (bytes.count - 16) / Traffic.h4Count
    #expect(bytes == Traffic.h4File(whole))
    #expect(
      recorder.stated.contains("\(whole) packets, \(bytes.count) bytes"), "\(recorder.stated)")
    #expect(recorder.stated.contains("; 0 lost"))
  }

  @Test func aReaderThatGoesAwayEndsIt() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", "-"], folder, hasOutput: true)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<1))
    try RecorderProcess.wait("it records") { recorder.stated.contains("recording") }
    try recorder.output?.fileHandleForReading.close()
    try recorder.send(Traffic.h4(1..<2))
    #expect(try recorder.end() == 0)
  }

  @Test func aStreamThatIsCut() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Traffic.header(1002) + Traffic.h4(0..<3) + Traffic.h4(3).dropLast(7))
    try recorder.closeInput()
    #expect(try recorder.end() == 2)
    #expect(recorder.stated.contains("standard input: truncated: record 4"))
    #expect(try folder.bytes("a") == Traffic.h4File(3))
  }

  @Test func whatIsNoCaptureLeavesNoFile() throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.send(Array("this is no capture".utf8))
    try recorder.closeInput()
    #expect(try recorder.end() == 1)
    #expect(recorder.stated.contains("standard input: expected a capture"))
    #expect(folder.names == ["errors"])
  }

  /// An earlier recording is not lost to a source that gives nothing.
  @Test func whatIsNoCaptureLeavesAnOldFile() throws {
    let folder = try TestFolder()
    try Data(Traffic.h4File(3)).write(to: folder.url.appending(path: "a"))
    let recorder = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try recorder.closeInput()
    #expect(try recorder.end() == 1)
    #expect(try folder.bytes("a") == Traffic.h4File(3))
    // One that gives something replaces it, and it becomes private.
    #expect(chmod(folder.path("a"), 0o644) == 0)
    let second = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try second.send(Traffic.h4File(2))
    try second.closeInput()
    #expect(try second.end() == 0)
    #expect(try folder.bytes("a") == Traffic.h4File(2))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("a"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [
    (["nonexistent0", "-w", "F"], 1, "cannot open: no such device or file"),
    (["./nonexistent", "-w", "F"], 1, "./nonexistent: cannot open: No such file or directory"),
    (["unix:/nonexistent", "-w", "F"], 1, "cannot connect: No such file or directory"),
    (["-", "-w", "/nonexistent/a"], 1, "/nonexistent/a: cannot write: No such file"),
    (["-", "-w", "-", "--nonsense"], 64, "unknown option '--nonsense'"),
  ])
  func whatCannotBegin(arguments: [String], code: Int32, text: String) throws {
    let folder = try TestFolder()
    let recorder = try RecorderProcess(
      arguments.map { $0 == "F" ? folder.path("a") : $0 }, folder)
    #expect(try recorder.end() == code)
    #expect(recorder.stated.contains(text), "\(recorder.stated)")
  }

  /// A file belongs to the recorder that writes it, until that ends.
  @Test func twoDoNotWriteIntoOneFile() throws {
    let folder = try TestFolder()
    let first = try RecorderProcess(["-", "-w", folder.path("a")], folder)
    try first.send(Traffic.h4File(3))
    try RecorderProcess.wait("it records") { (try? folder.bytes("a").count) ?? 0 > 16 }
    let other = try TestFolder()
    let second = try RecorderProcess(["-", "-w", folder.path("a")], other)
    try second.send(Traffic.h4File(1))
    #expect(try second.end() == 1)
    #expect(
      second.stated.contains("another program is recording to this file; choose another file"))
    try first.send(Traffic.h4(3..<5))
    try first.closeInput()
    #expect(try first.end() == 0)
    #expect(try folder.bytes("a") == Traffic.h4File(5))
  }

  @Test func theSourceIsNotWrittenTo() throws {
    let folder = try TestFolder()
    let path = folder.path("a")
    try Data(Traffic.h4File(3)).write(to: folder.url.appending(path: "a"))
    let recorder = try RecorderProcess([path, "-w", path], folder)
    #expect(try recorder.end() == 1)
    #expect(recorder.stated.contains("is the source itself; choose another file"))
    #expect(try folder.bytes("a") == Traffic.h4File(3))
  }
}
