/// What a process that reads a capture sends to the one that writes the tables.
///
/// A frame is a byte for its kind, the number of bytes that follow in four bytes, and those.
public enum ExportFrame: Equatable, Sendable {
  /// Rows, as `RowBytes` has them.
  case rows([UInt8])
  /// Rows of a table as JSON lines, compressed: they are appended to its file.
  case lines(ExportTable, day: String?, [UInt8])
  /// Entries of a redaction map.
  case map([UInt8])
  /// Everything was sent.
  case end

  /// No frame is longer: rows hold no more than a capture has.
  static let longest = 1 << 30

  public var bytes: [UInt8] {
    switch self {
    case .rows(let rows): Self.frame(0, rows)
    case .lines(let table, let day, let packed):
      Self.frame(
        1, [table.rawValue, UInt8(day?.utf8.count ?? 0)] + Array((day ?? "").utf8) + packed)
    case .map(let text): Self.frame(2, text)
    case .end: Self.frame(3, [])
    }
  }

  private static func frame(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    var bytes = [kind]
    bytes.append(little: UInt32(content.count))
    return bytes + content
  }

  /// Nil for what `bytes` has not made.
  fileprivate init?(_ kind: UInt8, _ content: ArraySlice<UInt8>) {
    switch kind {
    case 0: self = .rows(Array(content))
    case 1:
      guard content.count >= 2, let table = ExportTable(rawValue: content[content.startIndex]),
        content.count >= 2 + Int(content[content.startIndex + 1])
      else { return nil }
      let length = Int(content[content.startIndex + 1])
      let day = String(decoding: content.dropFirst(2).prefix(length), as: UTF8.self)
      // It becomes the name of a folder.
      guard day.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) else {
        return nil
      }
      self = .lines(table, day: day.isEmpty ? nil : day, Array(content.dropFirst(2 + length)))
    case 2: self = .map(Array(content))
    case 3 where content.isEmpty: self = .end
    default: return nil
    }
  }

  /// Frames out of pieces of any size.
  public struct Reader: Sendable {
    /// Something else than frames came.
    public struct Problem: Error {
      public init() {}
    }

    private var bytes: [UInt8] = []

    public init() {}

    /// - Throws: `Problem`; nothing that comes later can be read then.
    public mutating func take(_ piece: [UInt8]) throws(Problem) -> [ExportFrame] {
      bytes += piece
      var frames: [ExportFrame] = []
      var place = 0
      while bytes.count - place >= 5 {
        let count = Int(bytes.little(at: place + 1) as UInt32)
        guard count <= ExportFrame.longest else { throw Problem() }
        guard bytes.count - place - 5 >= count else { break }
        guard let frame = ExportFrame(bytes[place], bytes[(place + 5)..<(place + 5 + count)]) else {
          throw Problem()
        }
        frames.append(frame)
        place += 5 + count
      }
      if place > 0 { bytes.removeFirst(place) }
      return frames
    }
  }
}
