import CZlib

/// Packs bytes as RFC 1951 has it, also within gzip (RFC 1952).
public enum Deflater {
  public enum Form: Sendable {
    /// What ZIP holds.
    case raw
    case gzip

    fileprivate var windowBits: Int32 { self == .raw ? -15 : 15 + 16 }
  }

  /// zlib has no memory.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String { "cannot compress: out of memory" }
  }

  public static func pack(_ bytes: [UInt8], _ form: Form) throws(Failure) -> [UInt8] {
    var stream = unsafe z_stream()
    var code = unsafe deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, form.windowBits, 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw Failure() }
    defer { unsafe deflateEnd(&stream) }
    var packed: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var input = bytes
    var start = 0
    repeat {
      // What zlib counts in has 32 bits.
      let part = min(input.count - start, 1 << 30)
      let isLast = start + part == input.count
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe stream.next_in = input.baseAddress.map { unsafe $0 + start }
        unsafe stream.avail_in = UInt32(part)
        repeat {
          unsafe room.withUnsafeMutableBufferPointer { room in
            unsafe stream.next_out = room.baseAddress
            unsafe stream.avail_out = UInt32(room.count)
            code = unsafe deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          }
          let made = unsafe room.count - Int(stream.avail_out)
          packed += room[..<made]
        } while unsafe stream.avail_out == 0
      }
      start += part
    } while start < input.count
    guard code == Z_STREAM_END else { throw Failure() }
    return packed
  }

  /// The check of ZIP and gzip. RFC 1952, 8.
  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt = 0
    var start = 0
    while start < bytes.count {
      let part = min(bytes.count - start, 1 << 30)
      crc = unsafe bytes.withUnsafeBufferPointer {
        unsafe CZlib.crc32(crc, $0.baseAddress.map { unsafe $0 + start }, UInt32(part))
      }
      start += part
    }
    return UInt32(truncatingIfNeeded: crc)
  }
}
