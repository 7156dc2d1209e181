import CZlib

/// A stream of zlib (RFC 1950) or gzip (RFC 1952) at the beginning of bytes.
public struct DeflatedStream {
  /// The beginning of what it unpacks to.
  public private(set) var content: [UInt8] = []
  /// How many bytes it has, as far as it can be read.
  public private(set) var count = 0
  /// How many bytes it unpacks to, as far as it can be read.
  public private(set) var unpacked = 0
  /// Whether it ends there.
  public private(set) var isWhole = false

  private static let mostContent = 1 << 16

  /// Whether bytes begin with a header that zlib or gzip writes. RFC 1950, 2.2; RFC 1952, 2.3.1
  public static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 3 else { return false }
    let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    if first == 0x1F { return second == 0x8B && bytes[bytes.startIndex + 2] == 8 }
    // Deflate with a window of 1 to 32 KiB, and no dictionary.
    return first & 0x0F == 8 && 2...7 ~= first >> 4 && second & 0x20 == 0
      && (Int(first) << 8 | Int(second)) % 31 == 0
  }

  /// Nil if it unpacks to nothing.
  public init?(_ packed: ArraySlice<UInt8>) {
    var packed = Array(packed)
    guard !packed.isEmpty, packed.count <= Int(UInt32.max) else { return nil }
    var stream = unsafe z_stream()
    // 15 bits of window, plus 32 for either wrapper.
    let code = unsafe inflateInit2_(
      &stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var piece = [UInt8](repeating: 0, count: 1 << 12)
    var result = Z_OK
    var content: [UInt8] = []
    unsafe packed.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      while result == Z_OK {
        let room = piece.count
        let made = unsafe piece.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(room)
          result = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe room - Int(stream.avail_out)
        }
        if content.count < Self.mostContent { content += piece[..<made] }
        if made == 0, result == Z_OK { break }
      }
      (count, unpacked) = unsafe (Int(stream.total_in), Int(stream.total_out))
    }
    guard !content.isEmpty else { return nil }
    (self.content, isWhole) = (content, result == Z_STREAM_END)
  }
}
