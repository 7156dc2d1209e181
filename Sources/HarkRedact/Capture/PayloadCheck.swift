import HarkCore
import HarkDissection

/// A checksum in the capture that is right, and is to be right afterwards.
struct PayloadCheck {
  let checksum: Field.Checksum
  let isBigEndian: Bool
  /// In the capture, in order: what is checked, and the checksum.
  let checked: [Int]
  let place: [Int]

  /// How far after the beginning of a layer what is checked may begin.
  private static let mostSkipped = 16

  /// Finds out what the checksum is over.
  /// - Parameters:
  ///   - bytes: Those of the layer up to the checksum and with it, of `count` bytes.
  ///   - places: Of each of them in the capture.
  /// - Returns: Nil if it is wrong already, or over something else.
  ///   - wasBigEndian: Of the same checksum of another packet; nil if none is known. Octets that are
  ///     the same in both orders do not show it.
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

  func mend(_ capture: inout [UInt8]) {
    let sum = checksum(checked.map { capture[$0] })
    for (index, place) in (isBigEndian ? place.reversed() : place).enumerated() {
      capture[place] = UInt8(truncatingIfNeeded: sum >> (UInt64(index) * 8))
    }
  }
}

/// The HEC of a BR/EDR packet, in the octets of its header. It is computed from the UAP, which is removed: afterwards
/// it is that of UAP 0. Bits after it belong to nothing, and are removed.
struct HeaderCheck {
  static let count = 4

  /// In the capture.
  let start: Int

  /// The octets that have bits of the HEC or after it.
  var place: Range<Int> { (start + 1)..<(start + Self.count) }

  func mend(_ capture: inout [UInt8]) {
    let header = (UInt64(capture[start]) | UInt64(capture[start + 1]) << 8) & 0x3FF
    let word = header | UInt64(HeaderErrorCheck.compute(header, upper: 0)) << 10
    for place in place {
      capture[place] = UInt8(truncatingIfNeeded: word >> (UInt64(place - start) * 8))
    }
  }
}
