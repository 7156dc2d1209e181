import HarkCore
import HarkDissection

/// A checksum in the capture that is right, and is to be right afterwards.
struct PayloadCheck {
  let checksum: Field.Checksum
  let isBigEndian: Bool
  /// In the capture, in order: what is checked, and the checksum.
  let checked: [Int]
  let place: [Int]

  /// How far behind the beginning of a layer what is checked may begin.
  private static let mostSkipped = 16

  /// Finds out what the checksum is over.
  /// - Parameters:
  ///   - bytes: Those of the layer up to the checksum and with it, of `count` bytes.
  ///   - places: Of each of them in the capture.
  /// - Returns: Nil where it is wrong already, or over something else.
  ///   - wasBigEndian: Of the same checksum of another packet; nil where none is known. Octets that are
  ///     the same in both orders do not tell.
  init?(
    _ checksum: @escaping Field.Checksum, count: Int, of bytes: [UInt8], at places: [Int],
    wasBigEndian: Bool? = nil
  ) {
    guard count > 0, count <= 8, bytes.count > count, bytes.count == places.count else {
      return nil
    }
    let (body, own) = (bytes.dropLast(count), bytes.suffix(count))
    let big = own.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let little = own.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    for start in 0..<min(Self.mostSkipped, body.count) {
      let sum = checksum(Array(body[start...]))
      guard sum == big || sum == little else { continue }
      self.checksum = checksum
      isBigEndian = big == little ? wasBigEndian ?? false : sum == big
      checked = Array(places[start..<body.count])
      place = Array(places[body.count...])
      return
    }
    return nil
  }

  /// The CRC of a packet of LE. What its register began with is not known of all, but follows from the
  /// CRC; then it stays right where it was, and wrong where it was.
  init?(airCRCOf bytes: [UInt8], at places: [Int]) {
    guard bytes.count > 3 else { return nil }
    let crc = bytes.suffix(3).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    // Zeros stand where it was not recorded.
    guard crc != 0 else { return nil }
    let initial = LinkLayerCRC.initial(bytes.raw, 0..<(bytes.count - 3), crc: crc)
    self.init(
      { UInt64(LinkLayerCRC.compute($0.raw, 0..<$0.count, initial: initial)) }, count: 3,
      of: bytes, at: places)
  }

  func mend(_ capture: inout [UInt8]) {
    let sum = checksum(checked.map { capture[$0] })
    for (index, place) in (isBigEndian ? place.reversed() : place).enumerated() {
      capture[place] = UInt8(truncatingIfNeeded: sum >> (UInt64(index) * 8))
    }
  }
}
