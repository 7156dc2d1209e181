/// What a file is that was given instead of another, as far as its bytes show: for errors.
public enum FileContents: Sendable, Equatable, CustomStringConvertible {
  /// Nothing, or white space alone.
  case empty
  case capture(format: String)
  /// `a ZIP archive`
  case known(String)
  case binary

  /// Those that readers look for first are in their formats; without a module that knows all of them, these are here.
  private static let beginnings: [(bytes: [UInt8], contents: FileContents)] = [
    (Array("btsnoop\0".utf8), .capture(format: "btsnoop")),
    ([0xD4, 0xC3, 0xB2, 0xA1], .capture(format: "pcap")),
    ([0xA1, 0xB2, 0xC3, 0xD4], .capture(format: "pcap")),
    ([0x4D, 0x3C, 0xB2, 0xA1], .capture(format: "pcap")),
    ([0xA1, 0xB2, 0x3C, 0x4D], .capture(format: "pcap")),
    ([0x0A, 0x0D, 0x0D, 0x0A], .capture(format: "pcapng")),
    (Array("HARKKEYS".utf8), .known("an encrypted key file")),
    ([0x1F, 0x8B], .known("compressed data (gzip)")),
    (Array("PK\u{3}\u{4}".utf8), .known("a ZIP archive")),
    (Array("SQLite format 3\0".utf8), .known("an SQLite database")),
    (Array("bplist0".utf8), .known("a binary property list")),
    (Array("-----BEGIN ".utf8), .known("a PEM file")),
  ]

  /// How many bytes decide whether a file is text.
  private static let mostRead = 1_024

  /// Nil for text.
  public init?(_ bytes: [UInt8]) {
    if bytes.allSatisfy({ $0 == 0x20 || 0x09...0x0D ~= $0 }) {
      self = .empty
    } else if let found = Self.beginnings.first(where: { bytes.starts(with: $0.bytes) }) {
      self = found.contents
    } else if bytes.prefix(Self.mostRead).contains(where: { $0 < 0x20 && !(0x09...0x0D ~= $0) }) {
      self = .binary
    } else {
      return nil
    }
  }

  /// `a capture (btsnoop)`, `empty`, `binary data`
  public var description: String {
    switch self {
    case .empty: "empty"
    case .capture(let format): "a capture (\(format))"
    case .known(let name): name
    case .binary: "binary data"
    }
  }
}
