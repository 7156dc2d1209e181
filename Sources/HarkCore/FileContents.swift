/// What a file is that was given instead of another, as far as its bytes show: for errors.
public enum FileContents {
  private static let beginnings: [(bytes: [UInt8], name: String)] = [
    (Array("btsnoop\0".utf8), "a capture (btsnoop)"),
    ([0xD4, 0xC3, 0xB2, 0xA1], "a capture (pcap)"), ([0xA1, 0xB2, 0xC3, 0xD4], "a capture (pcap)"),
    ([0x4D, 0x3C, 0xB2, 0xA1], "a capture (pcap)"), ([0xA1, 0xB2, 0x3C, 0x4D], "a capture (pcap)"),
    ([0x0A, 0x0D, 0x0D, 0x0A], "a capture (pcapng)"),
    (Array("HARKKEYS".utf8), "an encrypted key file"),
    ([0x1F, 0x8B], "compressed data (gzip)"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    (Array("bplist0".utf8), "a binary property list"),
    (Array("-----BEGIN ".utf8), "a PEM file"),
  ]

  /// How many bytes decide whether a file is text.
  private static let mostRead = 1_024

  /// `a capture (btsnoop)`, `empty`, `binary data`; nil for text.
  public static func name(_ bytes: [UInt8]) -> String? {
    if bytes.allSatisfy({ $0 == 0x20 || 0x09...0x0D ~= $0 }) { return "empty" }
    if let found = beginnings.first(where: { bytes.starts(with: $0.bytes) }) { return found.name }
    return bytes.prefix(mostRead).contains { $0 < 0x20 && !(0x09...0x0D ~= $0) }
      ? "binary data" : nil
  }
}
