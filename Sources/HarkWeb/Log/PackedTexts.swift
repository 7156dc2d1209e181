import CZlib
import HarkCapture
import HarkCore

/// Lines of text, packed and stored in blocks: the JSON of a million events takes a tenth of its size, and one
/// line is found by unpacking one block.
struct PackedTexts: Sendable {
  static let blockSize = 128

  private var blocks: StoredBlocks
  /// The bytes that each block unpacks to.
  private var sizes: [UInt32] = []
  private var open: [UInt8] = []
  private(set) var count = 0

  init(_ file: TemporaryFile) { blocks = StoredBlocks(file) }

  /// Appends a line, which ends with its only line feed.
  mutating func append(_ line: UnsafeRawBufferPointer) {
    unsafe open.append(contentsOf: line)
    count += 1
    if count % Self.blockSize == 0 {
      unsafe Self.pack(open).withUnsafeBytes { unsafe blocks.append($0) }
      sizes.append(UInt32(clamping: open.count))
      open.removeAll(keepingCapacity: true)
    }
  }

  /// The block that holds line `index`: its lines, without their line feeds. None where the file cannot be read.
  func block(of index: Int) -> [ArraySlice<UInt8>] {
    let place = index / Self.blockSize
    let bytes = place < sizes.count ? Self.unpack(blocks[place], Int(sizes[place])) : open
    return bytes.split(separator: 0x0A)
  }

  private static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
      // There is room for incompressible data, so only memory can run out.
      let code = unsafe bytes.withUnsafeBufferPointer { from in
        unsafe compress2(room.baseAddress, &count, from.baseAddress, uLong(from.count), 1)
      }
      precondition(code == Z_OK, "zlib cannot pack")
      filled = Int(count)
    }
  }

  private static func unpack(_ packed: [UInt8], _ size: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { room, filled in
      var count = uLong(size)
      let code = unsafe packed.withUnsafeBufferPointer { from in
        unsafe uncompress(room.baseAddress, &count, from.baseAddress, uLong(from.count))
      }
      filled = code == Z_OK ? Int(count) : 0
    }
  }
}
