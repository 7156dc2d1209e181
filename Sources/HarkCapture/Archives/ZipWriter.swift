/// A ZIP archive: each file packed, a directory at the end. PKWARE, APPNOTE.TXT 6.3.10; numbers in comments
/// are its sections.
public struct ZipWriter: Sendable {
  private struct Entry {
    let name: [UInt8]
    let crc: UInt32
    let packed: Int
    let size: Int
    let offset: Int
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  public init() {}

  /// Adds a file. Files of 4 GiB and more have no room in this form of the format.
  /// - Parameter name: With `/` between folders, in UTF-8.
  public mutating func add(_ name: String, _ content: [UInt8]) throws(Deflater.Failure) {
    precondition(content.count < 1 << 31 && bytes.count < 1 << 31, "ZIP has no room for more")
    let packed = try Deflater.pack(content, .raw)
    let entry = Entry(
      name: Array(name.utf8), crc: Deflater.crc32(content), packed: packed.count,
      size: content.count, offset: bytes.count)
    // 4.3.7
    put(0x0403_4B50, 4)
    describe(entry)
    bytes += entry.name
    bytes += packed
    entries.append(entry)
  }

  /// What a file's header and the directory both say. 4.4
  private mutating func describe(_ entry: Entry) {
    put(20, 2)
    // Names are UTF-8.
    put(1 << 11, 2)
    // Deflate.
    put(8, 2)
    // 1980-01-01 00:00:00: the same files make the same archive.
    put(0, 2)
    put(1 << 5 | 1, 2)
    put(Int(entry.crc), 4)
    put(entry.packed, 4)
    put(entry.size, 4)
    put(entry.name.count, 2)
    put(0, 2)
  }

  /// All of it.
  public func finished() -> [UInt8] {
    var archive = self
    let start = bytes.count
    // 4.3.12
    for entry in entries {
      archive.put(0x0201_4B50, 4)
      // Made on a system whose files have modes, by version 2.0.
      archive.put(3 << 8 | 20, 2)
      archive.describe(entry)
      archive.put(0, 6)
      // A regular file that its owner reads and writes.
      archive.put(0o100600 << 16, 4)
      archive.put(entry.offset, 4)
      archive.bytes += entry.name
    }
    // 4.3.16
    let count = archive.bytes.count - start
    archive.put(0x0605_4B50, 4)
    archive.put(0, 4)
    archive.put(entries.count, 2)
    archive.put(entries.count, 2)
    archive.put(count, 4)
    archive.put(start, 4)
    archive.put(0, 2)
    return archive.bytes
  }

  /// A number of `count` bytes, least significant first.
  private mutating func put(_ number: Int, _ count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
  }
}
