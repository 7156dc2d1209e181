import HarkCapture

/// Blocks of bytes in a temporary file, so that a capture that is watched for days does not fill the memory. They
/// stay in memory only if the disk is full.
struct StoredBlocks: Sendable {
  private enum Block: Sendable {
    case written(offset: Int64, count: Int)
    case kept([UInt8])
  }

  private let file: TemporaryFile
  private var end: Int64 = 0
  private var blocks: [Block] = []

  /// - Parameter file: An empty file that nothing else uses.
  init(_ file: TemporaryFile) { self.file = file }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let (count, failure) = unsafe file.append(bytes)
    blocks.append(
      failure == nil
        ? .written(offset: end, count: bytes.count) : unsafe .kept([UInt8](bytes)))
    end += Int64(count)
  }

  /// Nil if the file cannot be read.
  subscript(index: Int) -> [UInt8] {
    switch blocks[index] {
    case .kept(let bytes): return bytes
    case .written(let offset, let count):
      return unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
        filled = unsafe file.read(
          at: offset, into: UnsafeMutableRawBufferPointer(start: room.baseAddress, count: count))
      }
    }
  }
}
