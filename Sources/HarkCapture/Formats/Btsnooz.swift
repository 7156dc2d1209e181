/// Android's compressed log of the last packets, which bug reports carry as text (btsnooz): after a
/// version and the time of the last packet, zlib data with a record per packet. It is turned into
/// btsnoop, H4. The format is that of AOSP's system/btif, documented by its tool btsnooz.
enum Btsnooz {
  /// One octet of version, eight of time.
  private static let headerSize = 9
  /// More than the limit.
  struct TooMuch: Error {}

  /// A packet's header: lengths with the octet for its type, the time since the packet before, and
  /// the type.
  private struct Header {
    let kept: Int
    let original: Int
    let delta: Int64
    let type: UInt8
  }

  /// The types that packets have: H4's indicator, and whether the controller sent them.
  private static func indicator(_ type: UInt8) -> (UInt8, isReceived: Bool)? {
    switch type {
    case 0x10: (4, true)
    case 0x11: (2, true)
    case 0x12: (3, true)
    case 0x17: (5, true)
    case 0x20: (1, false)
    case 0x21: (2, false)
    case 0x22: (3, false)
    case 0x2D: (5, false)
    default: nil
    }
  }

  /// A btsnoop file with the same packets, and the version of `bytes`; nil if they are not btsnooz.
  /// - Throws: Where they unpack to more than `limit` bytes.
  static func btsnoop(
    _ bytes: [UInt8], atMost limit: Int
  ) throws(TooMuch) -> (file: [UInt8], version: UInt8)? {
    guard bytes.count > headerSize, bytes[0] == 1 || bytes[0] == 2 else { return nil }
    let version = bytes[0]
    let last = Int64(truncatingIfNeeded: little(bytes, 1, 8))
    var plain: [UInt8] = []
    let unpacking = Deflate.forEachPiece(of: bytes[headerSize...], .zlib) { piece in
      plain += piece
      return plain.count <= limit
    }
    guard !unpacking.isStopped else { throw TooMuch() }
    guard !plain.isEmpty else { return nil }
    // Only the time of the last packet is known: times are counted back from it.
    var time = last &+ Btsnoop.epoch
    forEach(plain, version) { header, _ in time &-= header.delta }
    var file: [UInt8] = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    file.reserveCapacity(plain.count * 2)
    forEach(plain, version) { header, payload in
      time &+= header.delta
      guard let (indicator, isReceived) = indicator(header.type) else { return }
      let isCommandOrEvent = indicator == 1 || indicator == 4
      file += big(UInt64(header.original), 4) + big(UInt64(header.kept), 4)
      file += big((isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0), 4) + big(0, 4)
      file += big(UInt64(bitPattern: time), 8)
      file.append(indicator)
      file += payload
    }
    return (file, version)
  }

  /// Calls `body` with each packet; the last one's payload may be cut.
  private static func forEach(
    _ plain: [UInt8], _ version: UInt8, _ body: (Header, ArraySlice<UInt8>) -> Void
  ) {
    let size = version == 1 ? 7 : 9
    var position = 0
    while plain.count - position >= size {
      let kept = Int(little(plain, position, 2))
      // What has no type is no packet, and nothing says where the next one is.
      guard kept > 0 else { return }
      let delta = Int64(little(plain, position + size - 5, 4))
      let header = Header(
        kept: kept, original: version == 1 ? kept : max(kept, Int(little(plain, position + 2, 2))),
        delta: delta, type: plain[position + size - 1])
      position += size
      let end = min(plain.count, position + kept - 1)
      body(header, plain[position..<end])
      position = end
    }
  }

  private static func little(_ bytes: [UInt8], _ position: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64($1 * 8) }
  }

  private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64((count - 1 - $0) * 8)) }
  }
}
