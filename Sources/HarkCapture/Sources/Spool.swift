import HarkPlatform

/// A temporary file that keeps packet bytes which cannot be read a second time.
final class Spool {
  private static let bufferSize = 1 << 16
  /// A small compressed file may unpack to any size; the disk is not the capture's to fill.
  private static let largest: Int64 = 1 << 32

  private let file: TemporaryFile
  private let name: String
  private var pending: [UInt8] = []
  private var written: Int64 = 0
  /// Why bytes could not be kept; set once, and then nothing more is.
  private(set) var failure: Int32?

  init(name: String) throws(CaptureError) {
    self.name = name
    file = try TemporaryFile(name: name)
    pending.reserveCapacity(2 * Self.bufferSize)
  }

  /// Keeps `bytes` and returns where they are, for `bytes(at:count:)`.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let offset = written + Int64(pending.count)
    if offset > Self.largest, failure == nil { failure = EFBIG }
    if failure == nil { unsafe pending.append(contentsOf: bytes) }
    if pending.count >= Self.bufferSize { flush() }
    return offset
  }

  private func flush() {
    if failure == nil {
      let (count, code) = unsafe pending.withUnsafeBytes { unsafe file.append($0) }
      written += Int64(count)
      failure = code
    }
    pending.removeAll(keepingCapacity: true)
  }

  func bytes(at offset: Int64, count: Int) throws(CaptureError) -> [UInt8] {
    if !pending.isEmpty { flush() }
    return try readBack(file.descriptor, at: offset, from: 0, count: count, name: name)
  }
}
