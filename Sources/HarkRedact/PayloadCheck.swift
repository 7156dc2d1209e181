/// A checksum in the capture that is right, and is to be right afterwards.
struct PayloadCheck {
  enum Kind {
    /// Core Specification, Vol 3, Part A, 3.3.5.
    case frame
    /// The octet that makes the sum of a payload of iAP2's link 0.
    case iAP2

    /// By the name of the field that holds it.
    init?(_ name: String) {
      switch name {
      case "FCS": self = .frame
      case "Payload Checksum": self = .iAP2
      default: return nil
      }
    }

    var count: Int { self == .frame ? 2 : 1 }

    /// The checksum of `bytes`, as it is sent.
    func value(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .frame:
        var crc: UInt16 = 0
        for byte in bytes {
          crc ^= UInt16(byte)
          for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xA001 }
        }
        return [UInt8(truncatingIfNeeded: crc), UInt8(crc >> 8)]
      case .iAP2: return [0 &- bytes.reduce(0, &+)]
      }
    }
  }

  let kind: Kind
  /// In the capture, in order: what is checked, and then the checksum.
  let places: [Range<Int>]

  private func bytes(_ capture: [UInt8]) -> [UInt8] { places.flatMap { capture[$0] } }

  func isRight(in capture: [UInt8]) -> Bool {
    let bytes = bytes(capture)
    guard bytes.count >= kind.count else { return false }
    return kind.value(bytes.dropLast(kind.count)) == Array(bytes.suffix(kind.count))
  }

  func mend(_ capture: inout [UInt8]) {
    let value = kind.value(bytes(capture).dropLast(kind.count))
    let places = places.flatMap { Array($0) }.suffix(kind.count)
    for (place, byte) in zip(places, value) { capture[place] = byte }
  }
}

extension PayloadCheck.Kind {
  fileprivate func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] { value(Array(bytes)) }
}
