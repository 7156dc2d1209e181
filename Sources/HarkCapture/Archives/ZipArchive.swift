/// The members of a ZIP archive, by its central directory. PKWARE, APPNOTE.TXT 6.3.10, 4.3. Archives of
/// more than 4 GiB are not read, nor encrypted members.
package struct ZipArchive {
  package struct Member {
    package let name: String
    fileprivate let method: UInt64
    fileprivate let packed: Int
    fileprivate let nameCount: Int
    fileprivate let header: Int64
  }

  /// Members of a bug report; others have been seen with a few thousand.
  private static let most = 100_000
  package static let largest = 512 << 20

  package let members: [Member]
  /// Whether members share bytes of the archive, as they do where a small archive is to unpack to a huge one;
  /// then none is unpacked.
  package let overlaps: Bool
  private let source: Source

  /// Nil if there is no ZIP archive at `path`, or a damaged one.
  package init?(path: String) {
    guard let source = try? Source(Endpoint(path)) else { return nil }
    self.init(source)
  }

  /// Nil if `bytes` are no ZIP archive, or a damaged one.
  package init?(bytes: [UInt8]) {
    guard let source = try? Source(bytes: bytes, name: "") else { return nil }
    self.init(source)
  }

  /// Nil if the bytes of `source` are no ZIP archive, or a damaged one.
  init?(_ source: Source) {
    guard let size = source.size, size >= 22 else { return nil }
    let tail = min(size, 22 + 65_535)
    guard let end = source.piece(size - tail, Int(tail)),
      let mark = (0...(end.count - 22)).reversed().first(where: {
        Self.number(end, $0, 4) == 0x0605_4B50
      })
    else { return nil }
    let count = Int(Self.number(end, mark + 10, 2))
    let length = Int(Self.number(end, mark + 12, 4))
    guard count <= Self.most, length <= Self.largest,
      let directory = source.piece(Int64(Self.number(end, mark + 16, 4)), length)
    else { return nil }
    var members: [Member] = []
    var position = 0
    while members.count < count, directory.count - position >= 46,
      Self.number(directory, position, 4) == 0x0201_4B50
    {
      let nameLength = Int(Self.number(directory, position + 28, 2))
      let more = Int(
        Self.number(directory, position + 30, 2) + Self.number(directory, position + 32, 2))
      guard directory.count - position - 46 >= nameLength + more else { break }
      let name = directory[(position + 46)..<(position + 46 + nameLength)]
      members.append(
        Member(
          name: String(decoding: name, as: UTF8.self),
          method: Self.number(directory, position + 10, 2),
          packed: Int(Self.number(directory, position + 20, 4)), nameCount: nameLength,
          header: Int64(Self.number(directory, position + 42, 4))))
      position += 46 + nameLength + more
    }
    (self.members, self.source) = (members, source)
    overlaps = Self.overlap(members)
  }

  /// Sizes that are too large for their fields are those of members that are not read.
  private static func overlap(_ members: [Member]) -> Bool {
    let readable = members.filter { $0.packed < UInt32.max && $0.header < UInt32.max }
      .sorted { $0.header < $1.header }
    return zip(readable, readable.dropFirst()).contains { one, next in
      one.header + 30 + Int64(one.nameCount + one.packed) > next.header
    }
  }

  /// The most that a member can unpack to, whatever the archive says: room for so much is taken at once, as
  /// growing takes twice as much for a while, and what is not used takes no memory. RFC 1951 packs 258 octets
  /// into 2 bits at best.
  package func mostSize(of member: Member) -> Int { min(member.packed, Self.largest) * 1_032 }

  /// The member's contents; nil if they cannot be unpacked, or are more than `limit` bytes.
  package func contents(of member: Member, atMost limit: Int = largest) -> [UInt8]? {
    var all: [UInt8] = []
    all.reserveCapacity(min(mostSize(of: member), limit))
    let isWhole = forEachPiece(of: member) { piece in
      guard all.count + piece.count <= limit else { return false }
      all += piece
      return true
    }
    return isWhole && !all.isEmpty ? all : nil
  }

  /// The first `count` bytes of the member, or fewer.
  package func beginning(of member: Member, _ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    forEachPiece(of: member) { piece in
      all += piece.prefix(count - all.count)
      return all.count < count
    }
    return all
  }

  /// Calls `body` with the member's contents, piece by piece, as far as they go, until it returns false.
  /// - Returns: Whether it never did.
  @discardableResult
  package func forEachPiece(of member: Member, _ body: (ArraySlice<UInt8>) -> Bool) -> Bool {
    guard !overlaps, member.packed <= Self.largest, let head = source.piece(member.header, 30),
      Self.number(head, 0, 4) == 0x0403_4B50,
      let packed = source.piece(
        member.header + 30 + Int64(Self.number(head, 26, 2) + Self.number(head, 28, 2)),
        member.packed)
    else { return true }
    switch member.method {
    case 0: return packed.isEmpty || body(packed[...])
    case 8: return !Deflate.forEachPiece(of: packed[...], .raw, body).isStopped
    default: return true
    }
  }

  private static func number(_ bytes: [UInt8], _ position: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64($1 * 8) }
  }
}

extension Source {
  /// Some bytes of a source that can be read anywhere; nil if they are not all there.
  func piece(_ offset: Int64, _ count: Int) -> [UInt8]? {
    guard isRandomAccess, let size, offset >= 0, count >= 0, Int64(count) <= size,
      offset <= size - Int64(count)
    else { return nil }
    var all: [UInt8] = []
    all.reserveCapacity(count)
    while all.count < count {
      let step = min(count - all.count, Window.reach)
      guard let more = try? bytes(at: offset + Int64(all.count), count: step) else { return nil }
      all += more
    }
    return all
  }
}
