import CZlib
import Glibc
import HarkCapture

/// A zip archive (PKWARE's APPNOTE 6.3), of which single files are read: those that are stored or
/// deflated, not encrypted, in archives below 4 GiB.
struct ZipArchive: BundleArchive {
  private struct Entry {
    let method: UInt16
    let packed: Int
    let size: Int
    let offset: Int
  }

  private static let mostEntries = 100_000
  private static let largestDirectory = 1 << 26

  let paths: [String]
  private let name: String
  private let entries: [String: Entry]

  init(path: String) throws(AppLogError) {
    name = path
    let descriptor = try Self.opened(path)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let tail = try Self.bytes(path, descriptor, max(0, size - 65_557), min(size, 65_557))
    guard let end = Self.end(tail) else {
      throw AppLogError("\(path): is no zip archive, or its end is missing")
    }
    let (count, length, offset) = (
      Self.number(tail, end + 10, 2), Self.number(tail, end + 12, 4), Self.number(tail, end + 16, 4)
    )
    guard count < Self.mostEntries, length <= Self.largestDirectory, offset + length <= size else {
      throw AppLogError("\(path): its directory cannot be read")
    }
    let directory = try Self.bytes(path, descriptor, offset, length)
    var entries: [String: Entry] = [:]
    var position = 0
    for _ in 0..<count {
      guard position + 46 <= directory.count,
        Self.number(directory, position, 4) == 0x0201_4B50
      else { break }
      let parts = [28, 30, 32].map { Self.number(directory, position + $0, 2) }
      let next = position + 46 + parts.reduce(0, +)
      guard next <= directory.count else { break }
      let name = directory[position + 46..<position + 46 + parts[0]]
      entries[String(decoding: name, as: UTF8.self)] = Entry(
        method: UInt16(truncatingIfNeeded: Self.number(directory, position + 10, 2)),
        packed: Self.number(directory, position + 20, 4),
        size: Self.number(directory, position + 24, 4),
        offset: Self.number(directory, position + 42, 4))
      position = next
    }
    self.entries = entries
    paths = entries.keys.sorted()
  }

  func contents(of path: String) throws(AppLogError) -> [UInt8] {
    guard let entry = entries[path], entry.size <= AppInfo.largest, entry.packed <= AppInfo.largest
    else { throw AppLogError("\(name): \(path) cannot be read") }
    let descriptor = try Self.opened(name)
    defer { close(descriptor) }
    let header = try Self.bytes(name, descriptor, entry.offset, 30)
    guard Self.number(header, 0, 4) == 0x0403_4B50 else {
      throw AppLogError("\(name): \(path) is not where the directory says")
    }
    let start = entry.offset + 30 + Self.number(header, 26, 2) + Self.number(header, 28, 2)
    let packed = try Self.bytes(name, descriptor, start, entry.packed)
    switch entry.method {
    case 0: return packed
    case 8:
      guard let bytes = Self.inflated(packed, to: entry.size) else {
        throw AppLogError("\(name): \(path) cannot be unpacked")
      }
      return bytes
    default: throw AppLogError("\(name): \(path) is packed with method \(entry.method)")
    }
  }

  private static func opened(_ path: String) throws(AppLogError) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AppLogError("\(path): cannot open: \(systemMessage(errno))")
    }
    return descriptor
  }

  /// Little-endian; 0 where it does not lie in `bytes`.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    guard offset >= 0, offset + count <= bytes.count else { return 0 }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Where the end of the directory is told.
  private static func end(_ tail: [UInt8]) -> Int? {
    guard tail.count >= 22 else { return nil }
    return (0...tail.count - 22).last { number(tail, $0, 4) == 0x0605_4B50 }
  }

  private static func bytes(
    _ path: String, _ descriptor: Int32, _ offset: Int, _ count: Int
  ) throws(AppLogError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe pread(
          descriptor, room.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw AppLogError("\(path): ends early, or cannot be read") }
      done += got
    }
    return bytes
  }

  /// Deflate (RFC 1951) without a wrapper.
  private static func inflated(_ packed: [UInt8], to size: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: size)
    var input = packed
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { unsafe inflateEnd(&stream) }
    let code = unsafe input.withUnsafeMutableBufferPointer { from in
      unsafe bytes.withUnsafeMutableBufferPointer { to in
        unsafe stream.next_in = from.baseAddress
        unsafe stream.avail_in = UInt32(from.count)
        unsafe stream.next_out = to.baseAddress
        unsafe stream.avail_out = UInt32(to.count)
        return unsafe inflate(&stream, Z_FINISH)
      }
    }
    let left = unsafe stream.avail_out
    return (code == Z_STREAM_END || code == Z_BUF_ERROR && size == 0) && left == 0 ? bytes : nil
  }
}
