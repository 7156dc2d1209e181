import CZlib
import HarkCore

/// Lines of text, packed in blocks: the JSON of a million events takes a tenth of its size, and one
/// line is found by unpacking one block.
struct PackedTexts: Sendable {
  private struct Block: Sendable {
    let packed: [UInt8]
    /// The bytes it unpacks to.
    let size: Int
  }

  static let blockSize = 128

  private var blocks: [Block] = []
  private var open: [UInt8] = []
  private(set) var count = 0

  /// Appends a line, which ends with its only line feed.
  mutating func append(_ line: UnsafeRawBufferPointer) {
    unsafe open.append(contentsOf: line)
    count += 1
    if count % Self.blockSize == 0 {
      blocks.append(Block(packed: Self.pack(open), size: open.count))
      open.removeAll(keepingCapacity: true)
    }
  }

  /// The block that holds line `index`: its lines, without their line feeds.
  func block(of index: Int) -> [ArraySlice<UInt8>] {
    let place = index / Self.blockSize
    let bytes = place < blocks.count ? Self.unpack(blocks[place]) : open
    return bytes.split(separator: 0x0A)
  }

  private static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
      // There is room for what cannot be packed, so that only memory can run out.
      let code = unsafe bytes.withUnsafeBufferPointer { from in
        unsafe compress2(room.baseAddress, &count, from.baseAddress, uLong(from.count), 1)
      }
      precondition(code == Z_OK, "zlib cannot pack")
      filled = Int(count)
    }
  }

  private static func unpack(_ block: Block) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: block.size) { room, filled in
      var count = uLong(block.size)
      let code = unsafe block.packed.withUnsafeBufferPointer { from in
        unsafe uncompress(room.baseAddress, &count, from.baseAddress, uLong(from.count))
      }
      precondition(code == Z_OK, "what zlib packed does not unpack")
      filled = Int(count)
    }
  }
}
