import CZlib

/// Unpacks deflated bytes (RFC 1951) that are in memory.
enum Deflate {
  enum Wrapper: Int32 {
    /// None, as in ZIP archives.
    case raw = -15
    /// RFC 1950.
    case zlib = 15
    /// RFC 1950 or RFC 1952, as its header shows.
    case zlibOrGzip = 47
  }

  /// How far a stream was unpacked.
  struct Outcome {
    /// How many bytes it has, as far as it can be read.
    var packed = 0
    /// How many bytes it unpacks to, as far as it can be read.
    var unpacked = 0
    /// Whether it ends there.
    var isWhole = false
    /// Whether it unpacks to more than was wanted.
    var isStopped = false
  }

  /// Calls `body` with what `packed` unpacks to, piece by piece, until it returns false: a stream that is
  /// cut or damaged gives what precedes that.
  static func forEachPiece(
    of packed: ArraySlice<UInt8>, _ wrapper: Wrapper, _ body: (ArraySlice<UInt8>) -> Bool
  ) -> Outcome {
    var outcome = Outcome()
    var packed = Array(packed)
    guard !packed.isEmpty, packed.count <= Int(UInt32.max) else { return outcome }
    var stream = unsafe z_stream()
    let code = unsafe inflateInit2_(
      &stream, wrapper.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return outcome }
    defer { unsafe inflateEnd(&stream) }
    unsafe packed.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      var piece = [UInt8](repeating: 0, count: 1 << 14)
      var result = Z_OK
      while result == Z_OK, !outcome.isStopped {
        let room = piece.count
        let count = unsafe piece.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(room)
          result = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe room - Int(stream.avail_out)
        }
        if count == 0 { break }
        outcome.isStopped = !body(piece[..<count])
      }
      outcome.packed = unsafe Int(stream.total_in)
      outcome.unpacked = unsafe Int(stream.total_out)
      outcome.isWhole = result == Z_STREAM_END
    }
    return outcome
  }
}
