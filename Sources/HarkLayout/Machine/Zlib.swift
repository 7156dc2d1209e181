import CZlib

/// Unpacks zlib streams (RFC 1950).
enum Zlib {
  /// The unpacked `bytes`; nil if they are not zlib data, or unpack to more than `limit`.
  static func inflate(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { _ = unsafe inflateEnd(&stream) }
    var result: [UInt8] = []
    var input = bytes
    var chunk = [UInt8](repeating: 0, count: 4096)
    return unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(clamping: source.count)
      while true {
        let (code, count) = unsafe chunk.withUnsafeMutableBufferPointer { target in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          let code = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          return unsafe (code, target.count - Int(stream.avail_out))
        }
        result += chunk.prefix(count)
        guard result.count <= limit else { return nil }
        if code == Z_STREAM_END { return result }
        // No progress is an end that is missing.
        let left = unsafe stream.avail_in
        guard code == Z_OK, count > 0 || left > 0 else { return nil }
      }
    }
  }
}
