import Foundation
import HarkTestSupport
import Testing

@testable import HarkRecord

/// Streams that others offer.
@Suite struct SocketTests {
  /// Listens on a socket; sends the bytes to the first who comes, and closes.
  private func serve(_ listener: Int32, _ bytes: [UInt8]) {
    let thread = Thread {
      guard let client = try? acceptConnection(on: listener) else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(client)
      close(listener)
    }
    thread.start()
  }

  private func record(_ source: String, _ folder: TestFolder, _ count: Int) throws {
    let recorder = try RecorderProcess([source, "-w", folder.path("a")], folder)
    #expect(try recorder.end() == 0, "\(recorder.stated)")
    #expect(try folder.bytes("a") == Traffic.h4File(count))
  }

  @Test func unixSocket() throws {
    let folder = try TestFolder()
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.path("s").utf8) }
    let code = withUnsafeBytes(of: &address) {
      bind(
        listener, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    try #require(code == 0 && listen(listener, 1) == 0)
    serve(listener, Traffic.h4File(5_000))
    try record("unix:\(folder.path("s"))", folder, 5_000)
  }

  @Test func tcpPort() throws {
    let folder = try TestFolder()
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutableBytes(of: &address) {
      let pointer = $0.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(listener, pointer, count) == 0 ? getsockname(listener, pointer, &count) : -1
    }
    try #require(code == 0 && listen(listener, 1) == 0)
    serve(listener, Traffic.h4File(5_000))
    try record("tcp:127.0.0.1:\(UInt16(bigEndian: address.sin_port))", folder, 5_000)
  }

  @Test func fifo() throws {
    let folder = try TestFolder()
    let path = folder.path("fifo")
    try #require(mkfifo(path, 0o600) == 0)
    let sender = Thread {
      let file = FileHandle(forWritingAtPath: path)
      try? file?.write(contentsOf: Data(Traffic.h4File(5_000)))
      try? file?.close()
    }
    sender.start()
    try record(path, folder, 5_000)
  }
}
