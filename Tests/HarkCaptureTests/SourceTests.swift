import HarkCore
import HarkPlatform
import Testing

@testable import HarkCapture

/// A folder for one test's files.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/hark-test-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    try #require(isMade)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func write(_ name: String, _ bytes: Bytes) throws -> String {
    let file = path + "/" + name
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var rest = bytes.all[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe HarkPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
    return file
  }

  deinit {
    for name in ["a", "fifo"] { unsafe unlink(path + "/" + name) }
    unsafe rmdir(path)
  }
}

@Suite struct SourceTests {
  /// More than two windows of packets of all lengths, so that every kind of border is met.
  static let large: (bytes: Bytes, count: Int) = {
    var bytes = Snoop.file(1002, [])
    var count = 0
    while bytes.all.count < 2_600_000 {
      let packet = H4.notification(count % 1_999, value: UInt8(truncatingIfNeeded: count))
      bytes.all += Snoop.record(packet, flags: 1).all
      count += 1
    }
    return (bytes, count)
  }()

  /// Reads all and compares what can be read back with what was handed out.
  func check(_ capture: Capture, count: Int) throws {
    var kept: [(offset: Int64, bytes: [UInt8])] = []
    var position = -1
    let end = capture.forEachRecord { record, bytes in
      if record.number % 500 == 1 { kept.append((record.offset, bytes.array)) }
      if Int(record.number) != position + 2 || record.count != bytes.byteCount { return false }
      position += 1
      return true
    }
    #expect(end.status == .complete)
    #expect(end.records == UInt32(count))
    if capture.canReadBack {
      for (offset, bytes) in kept {
        #expect(try capture.bytes(at: offset, count: bytes.count) == bytes)
      }
    } else {
      #expect(throws: CaptureError.self) { try capture.bytes(at: 0, count: 1) }
    }
  }

  @Test func filesAreReadInWindows() throws {
    let folder = try Folder()
    let path = try folder.write("a", Self.large.bytes)
    let capture = try Capture(path: path)
    #expect(capture.canReadBack)
    #expect(capture.info.size == Int64(Self.large.bytes.all.count))
    try check(capture, count: Self.large.count)
    #expect(capture.position == capture.info.size)
    #expect(throws: CaptureError.self) { try capture.bytes(at: -1, count: 1) }
    #expect(throws: CaptureError.self) { try capture.bytes(at: 2_599_990, count: 100_000) }
    #expect(throws: CaptureError.self) { try capture.bytes(at: 0, count: .max) }
  }

  @Test(arguments: [true, false])
  func compressedCapturesAreKeptIfAsked(keepsBytes: Bool) throws {
    let folder = try Folder()
    let path = try folder.write("a", Gzip.member(Self.large.bytes))
    let capture = try Capture(path: path, keepsBytes: keepsBytes)
    #expect(capture.info.isCompressed)
    #expect(capture.canReadBack == keepsBytes)
    try check(capture, count: Self.large.count)
  }

  @Test func uartCapturesAreKept() throws {
    let sample = try #require(samples.first { $0.name == "btsnoop 1004 (H5)" })
    let capture = try Capture(bytes: sample.bytes.all, name: "test", keepsBytes: true)
    try check(capture, count: sample.lines.count)
  }

  @Test func pipesAreRead() throws {
    let folder = try Folder()
    let path = folder.path + "/fifo"
    let code = unsafe mkfifo(path, 0o600)
    try #require(code == 0)
    let bytes = Self.large.bytes.all
    let writer = PlatformThread { writePipe(path, bytes) }
    let capture = try Capture(path: path, keepsBytes: true)
    #expect(capture.info.size == nil)
    try check(capture, count: Self.large.count)
    writer?.join()
  }

  /// However few bytes a read gives, the records are the same.
  @Test(arguments: samples)
  func readsOfAnySize(sample: Sample) throws {
    for chunk in [1, 2, 3, 7, 64] {
      let source = try Source(bytes: sample.bytes.all, name: "test", chunk: chunk)
      #expect(Reading(try Capture(source, keepsBytes: false)).lines == sample.lines)
    }
  }

  @Test func readingCanStopAndGoOn() throws {
    let sample = samples[1]
    let capture = try Capture(bytes: sample.bytes.all, name: "test")
    var lines: [String] = []
    while true {
      let end = capture.forEachRecord { record, bytes in
        lines.append(Reading.line(record, bytes, capture))
        return false
      }
      #expect(end.records == UInt32(lines.count))
      if end.status != .stopped { break }
    }
    #expect(lines == sample.lines)
  }

  struct Stop: Error {}

  @Test func errorsOfTheReceiverPass() throws {
    let capture = try Capture(bytes: samples[0].bytes.all, name: "test")
    #expect(throws: Stop.self) {
      _ = try capture.forEachRecord { _, _ throws(Stop) in throw Stop() }
    }
  }

  @Test(arguments: [
    ("/nonexistent/file", "/nonexistent/file: cannot open: No such file or directory"),
    ("/", "/: expected a capture, found a directory; name a file in it"),
    ("/dev/null", "/dev/null: the file is empty"),
  ])
  func pathsThatAreNoCapture(path: String, message: String) {
    #expect { try Capture(path: path) } throws: { "\($0)" == message }
  }
}

/// Fills a FIFO from another thread, in pieces that fit no record.
private func writePipe(_ path: String, _ bytes: [UInt8]) {
  let descriptor = unsafe open(path, O_WRONLY)
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(4_321)
    let count = unsafe piece.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { break }
    rest = rest.dropFirst(count)
  }
  close(descriptor)
}
