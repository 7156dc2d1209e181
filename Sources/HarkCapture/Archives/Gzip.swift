import CZlib

/// Unpacks gzip streams (RFC 1952), also several in a row.
@safe final class Inflater {
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let inputSize = 1 << 16

  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var inMember = true
  private var hasEnded = false
  /// Why unpacking ended, where it was not the end of a stream.
  private(set) var problem: CaptureDamage.Reason?

  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe input = .allocate(byteCount: Self.inputSize, alignment: 16)
    // 15 bits of window, plus 16 for the gzip wrapper.
    let code = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe input.deallocate()
  }

  /// Fills `output` at least in part, or returns 0 at the end; `more` reads packed bytes.
  func read(
    into output: UnsafeMutableRawBufferPointer, more: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    let room = min(output.count, Int(UInt32.max))
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(room)
    while !hasEnded, unsafe Int(stream.pointee.avail_out) == room {
      if unsafe stream.pointee.avail_in == 0 {
        let count = unsafe more(input)
        if count == 0 {
          finish(inMember ? .gzipCut : nil)
          break
        }
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = UInt32(count)
      }
      step()
    }
    return unsafe room - Int(stream.pointee.avail_out)
  }

  private func step() {
    if !inMember {
      // Another member may follow the last one; tapes and some tools pad with zeros instead.
      guard unsafe stream.pointee.next_in.pointee != 0 else {
        unsafe stream.pointee.next_in += 1
        unsafe stream.pointee.avail_in -= 1
        return
      }
      unsafe inflateReset(stream)
      inMember = true
      isFirst = false
    }
    switch unsafe inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: inMember = false
    default:
      // A header that is not gzip's, after a whole member, is something appended to the file.
      let isAppended = unsafe !isFirst && stream.pointee.total_out == 0
      finish(isAppended ? .gzipTrailer : .gzipData)
    }
  }

  private var isFirst = true

  private func finish(_ problem: CaptureDamage.Reason?) {
    hasEnded = true
    self.problem = problem
  }
}
