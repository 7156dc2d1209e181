import HarkCapture

/// Texts that programs compressed with zlib or gzip before they sent them.
struct PackedTexts {
  /// Each attempt takes time. What begins like a stream after so many counts as one with a text.
  private var attempts = 0
  private static let mostAttempts = 100_000
  /// What was unpacked and searched, in bytes that are searched: unpacking takes a fraction of the time.
  private var work = 0
  private static let mostWork = 1 << 24
  private static let unpackedInTime = 16
  /// So much of a stream shows whether it has a text.
  private static let shortProbe = 1 << 12
  private static let longProbe = 1 << 20

  /// The places of streams that have texts, in order.
  mutating func find(in bytes: UndecodedBytes) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place + 2 < bytes.all.count {
      if DeflatedStream.begins(bytes.all[place...]), let end = end(at: place, in: bytes) {
        found.append(place..<end)
        place = end
      } else {
        place += 1
      }
    }
    return found
  }

  /// The end of a stream with a text; nil if there is none.
  private mutating func end(at place: Int, in bytes: UndecodedBytes) -> Int? {
    attempts += 1
    guard attempts < Self.mostAttempts, work < Self.mostWork else {
      return bytes.end(ofValueAt: place)
    }
    let rest = bytes.all[place...]
    guard let stream = DeflatedStream(rest.prefix(Self.shortProbe)) else { return nil }
    work += stream.content.count + stream.unpacked / Self.unpackedInTime
    guard !UndecodedText.find(in: UndecodedBytes(stream.content), where: { _ in true }).isEmpty
    else {
      return nil
    }
    let isLong = stream.count == Self.shortProbe && !stream.isWhole
    let whole = isLong ? DeflatedStream(rest.prefix(Self.longProbe)) ?? stream : stream
    if isLong { work += whole.unpacked / Self.unpackedInTime }
    let end = place + whole.count
    return whole.isWhole ? end : max(end, bytes.end(ofValueAt: place))
  }
}
