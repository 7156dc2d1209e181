import CZlib

/// Unpacks deflated bytes (RFC 1951) that are in memory.
enum Deflate {
  enum Wrapper: Int32 {
    /// None, as in ZIP archives.
    case raw = -15
    /// RFC 1950.
    case zlib = 15
  }

  /// Calls `body` with what `packed` unpacks to, piece by piece, until it returns false: a stream that is
  /// cut or damaged gives what precedes that.
  /// - Returns: Whether it never did.
  @discardableResult
  static func forEachPiece(
    of packed: ArraySlice<UInt8>, _ wrapper: Wrapper, _ body: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    var packed = Array(packed)
    guard !packed.isEmpty, packed.count <= Int(UInt32.max) else { return true }
    var stream = unsafe z_stream()
    let code = unsafe inflateInit2_(
      &stream, wrapper.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return true }
    defer { unsafe inflateEnd(&stream) }
    var isFine = true
    unsafe packed.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      var result = Z_OK
      while result == Z_OK, isFine {
        let room = piece.count
        let count = unsafe piece.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(room)
          result = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe room - Int(stream.avail_out)
        }
        if count == 0 { break }
        isFine = body(piece[..<count])
      }
    }
    return isFine
  }
}
