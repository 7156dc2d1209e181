/// A stream of zlib (RFC 1950) or gzip (RFC 1952) at the beginning of bytes.
public struct DeflatedStream {
  /// The beginning of what it unpacks to.
  public let content: [UInt8]
  /// How many bytes it has, as far as it can be read.
  public let count: Int
  /// How many bytes it unpacks to, as far as it can be read.
  public let unpacked: Int
  /// Whether it ends there.
  public let isWhole: Bool

  private static let mostContent = 1 << 16

  /// Whether bytes begin with a header that zlib or gzip writes. RFC 1950, 2.2; RFC 1952, 2.3.1
  public static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 3 else { return false }
    let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
    if first == 0x1F { return second == 0x8B && bytes[bytes.startIndex + 2] == 8 }
    // Deflate with a window of 1 to 32 KiB, and no dictionary.
    return first & 0x0F == 8 && 2...7 ~= first >> 4 && second & 0x20 == 0
      && (Int(first) << 8 | Int(second)) % 31 == 0
  }

  /// Nil if it unpacks to nothing.
  public init?(_ packed: ArraySlice<UInt8>) {
    var content: [UInt8] = []
    let outcome = Deflate.forEachPiece(of: packed, .zlibOrGzip) { piece in
      content += piece.prefix(Self.mostContent - content.count)
      return true
    }
    guard !content.isEmpty else { return nil }
    (self.content, count) = (content, outcome.packed)
    (unpacked, isWhole) = (outcome.unpacked, outcome.isWhole)
  }
}
