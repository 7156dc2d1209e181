import HarkCore
import HarkDissection

/// The CRC of an over-the-air LE packet, after its PDU.
struct AirCheck {
  private let start: UInt32
  private let count: UInt32
  fileprivate let accessAddress: UInt32
  /// What the register has to begin with for the CRC to be right.
  fileprivate let initial: UInt32

  /// - Parameter pdu: Its place in the capture, without the Access Address.
  init?(_ pdu: Range<Int>, accessAddress: UInt32, in capture: [UInt8]) {
    guard !pdu.isEmpty, pdu.upperBound + 3 <= capture.count else { return nil }
    let crc = (0..<3).reduce(UInt32(0)) { $0 | UInt32(capture[pdu.upperBound + $1]) << ($1 * 8) }
    // Zeros mean that it was not recorded.
    guard crc != 0 else { return nil }
    self.accessAddress = accessAddress
    initial = LinkLayerCRC.initial(capture.raw, pdu, crc: crc)
    (start, count) = (UInt32(truncatingIfNeeded: pdu.lowerBound), UInt32(pdu.count))
  }

  fileprivate var pdu: Range<Int> { Int(start)..<(Int(start) + Int(count)) }

  /// The place of the CRC in the capture.
  var place: Range<Int> { pdu.upperBound..<(pdu.upperBound + 3) }

  /// Writes the CRC that is right for a register that begins with `initial`.
  fileprivate func mend(_ capture: inout [UInt8], _ initial: UInt32) {
    let crc = LinkLayerCRC.compute(capture.raw, pdu, initial: initial)
    for (index, place) in place.enumerated() {
      capture[place] = UInt8(truncatingIfNeeded: crc >> (UInt32(index) * 8))
    }
  }
}

/// The CRCs of the LE packets in a capture. A right one stays right: the register begins with the CRCInit of advertising
/// or of the connection. For a wrong one it would have to begin with a value that depends on the packet, whose removed
/// bytes could be guessed with it. So the register begins with one that depends on nothing, and the CRC stays wrong.
struct AirChecks {
  private(set) var all: [AirCheck] = []
  /// Each CRCInit that the capture announces.
  private var announced: Set<UInt32> = [LinkLayerCRC.advertising]
  /// The first packet with a key.
  private var first: [UInt64: Range<Int>] = [:]
  /// Keys that different packets have: a CRCInit, even if the capture announces none.
  private var shared: Set<UInt64> = []

  private static func key(_ check: AirCheck) -> UInt64 {
    UInt64(check.accessAddress) << 32 | UInt64(check.initial)
  }

  mutating func announce(crcInit: UInt32) { announced.insert(crcInit) }

  mutating func add(_ check: AirCheck, in capture: [UInt8]) {
    all.append(check)
    let key = Self.key(check)
    guard let other = first[key] else {
      first[key] = check.pdu
      return
    }
    // A repeated packet repeats its CRC, right or wrong.
    if capture[other] != capture[check.pdu] { shared.insert(key) }
  }

  private func isRight(_ check: AirCheck) -> Bool {
    announced.contains(check.initial) || shared.contains(Self.key(check))
  }

  /// - Parameter capture: With its replacements.
  func mend(_ capture: inout [UInt8]) {
    for (index, check) in all.enumerated() {
      guard !isRight(check) else {
        check.mend(&capture, check.initial)
        continue
      }
      // An odd factor gives each of 2^24 packets its own value, so no two of them seem to be of one connection.
      var initial = UInt32(truncatingIfNeeded: index &* 0x9E_3779 &+ 0x3C_6EF3) & 0xFF_FFFF
      if announced.contains(initial) { initial ^= 0x80_0000 }
      check.mend(&capture, initial)
    }
  }
}
