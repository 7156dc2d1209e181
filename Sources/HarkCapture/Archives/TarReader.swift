/// The files in a tar archive, one after the other, in bounded memory. Nothing of it is written anywhere.
final class TarReader {
  struct Member {
    let name: String
    let count: Int64
  }

  /// The maximum size of long names and records of pax.
  private static let mostRecords: Int64 = 1 << 16

  private let source: Source
  /// Bytes that were read of the source and not taken.
  private var buffer: [UInt8] = []
  private var taken = 0
  /// What is left of the file that was given last, and of its last block.
  private var left: Int64 = 0
  private var padding: Int64 = 0
  private var hasEnded = false
  /// What is wrong with the archive, or keeps it from being read to its end.
  private(set) var problem: CaptureDamage.Reason?
  /// Files with holes, which are passed over.
  private(set) var sparse: [String] = []
  private static let mostSparse = 16

  init(_ source: Source) { self.source = source }

  var isCompressed: Bool { source.isCompressed }

  /// How many bytes of the file on disk were read.
  var position: Int64 { source.position }

  /// The next file, after what is left of the last one; nil after the last.
  func next() -> Member? {
    guard skip(left) else { return nil }
    left = 0
    guard skip(padding) else { return nil }
    padding = 0
    var records = TarRecords()
    while let block = take(TarHeader.size) {
      if block.allSatisfy({ $0 == 0 }) {
        hasEnded = true
        break
      }
      // A damaged header leaves no other way than to look for the next one.
      guard let header = TarHeader(block) else {
        if problem == nil { problem = .archiveHeader }
        records = TarRecords()
        continue
      }
      let count = records.count ?? header.count
      let fill = (512 - header.count % 512) % 512
      switch header.kind {
      case .file where !records.isSparse:
        (left, padding) = (count, (512 - count % 512) % 512)
        return Member(name: records.name ?? header.name, count: count)
      case .extended, .longName:
        guard header.count <= Self.mostRecords else {
          if problem == nil { problem = .archiveHeader }
          guard skip(header.count), skip(fill) else { return nil }
          continue
        }
        guard let bytes = take(Int(header.count)), skip(fill) else { return nil }
        records =
          header.kind == .extended
          ? TarRecords(bytes) : TarRecords(name: TarHeader.text(bytes[...]))
      case .sparse, .file:
        if sparse.count < Self.mostSparse { sparse.append(records.name ?? header.name) }
        // GNU's old form continues its list of holes in blocks of their own.
        var hasMore = header.kind == .sparse && block[482] != 0
        while hasMore {
          guard let list = take(TarHeader.size) else { return nil }
          hasMore = list[504] != 0
        }
        guard skip(count), skip((512 - count % 512) % 512) else { return nil }
        records = TarRecords()
      case .other:
        guard skip(header.count), skip(fill) else { return nil }
        records = TarRecords()
      }
    }
    return nil
  }

  /// The next bytes of the file that was given last, `most` at most; none after its end.
  func read(_ most: Int) -> ArraySlice<UInt8> {
    guard left > 0, most > 0, fill() else { return [] }
    let count = min(Int(clamping: left), most, buffer.count - taken)
    left -= Int64(count)
    taken += count
    return buffer[(taken - count)..<taken]
  }

  /// Whether there are bytes in the buffer, after reading on if there were none.
  private func fill() -> Bool {
    guard taken == buffer.count else { return true }
    guard !hasEnded else { return false }
    taken = 0
    buffer = source.next(1 << 16)
    guard buffer.isEmpty else { return true }
    hasEnded = true
    if let reason = source.problem { problem = reason } else if left > 0 { problem = .archiveCut }
    return false
  }

  /// So many bytes; nil if the archive ends before.
  private func take(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard fill() else {
        // An archive ends with blocks of zeros.
        if problem == nil { problem = .archiveCut }
        return nil
      }
      let part = buffer[taken...].prefix(count - bytes.count)
      taken += part.count
      bytes += part
    }
    return bytes
  }

  private func skip(_ count: Int64) -> Bool {
    var count = count
    while count > 0 {
      guard fill() else {
        if problem == nil { problem = .archiveCut }
        return false
      }
      let part = min(Int(clamping: count), buffer.count - taken)
      taken += part
      count -= Int64(part)
    }
    return true
  }
}
