/// The elliptic curve P-192, for pairings in which one side uses the debug key: neither swift-crypto nor libsodium has
/// this curve. The specification prints the debug private key, so the time that a computation takes reveals nothing.
/// Never use this with a secret. FIPS 186-4, D.1.2.1; Core Specification, Vol 2, Part H, 7.6.1.1
enum P192 {
  /// Printed by the specification: no secret. Most significant limb first.
  private static let debugPrivateKey: [UInt64] = [
    0x0791_5F86_918D_DC27, 0x005D_F1D6_CF0C_142B, 0x625E_D2EF_F4A5_18FF,
  ]

  /// The Diffie-Hellman key of the debug key and another public key: 24 octets, most significant first.
  /// - Parameter publicKey: X and Y, 24 octets each, most significant first.
  /// - Returns: Nil if this is not a point of the curve.
  static func debugSecret(with publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == 48, let x = Element(publicKey[..<24]),
      let y = Element(publicKey[24...]),
      y * y == x * x * x - (x + x + x) + b
    else { return nil }
    var sum = Point(x: x, y: y)
    // The most significant bit is where the sum begins. No other sum is the point itself or its negative, since those
    // are its multiples by 1 and by -1 alone.
    let bits: [Bool] = debugPrivateKey.flatMap { limb in
      (0..<64).reversed().map { limb >> UInt64($0) & 1 == 1 }
    }
    for bit in bits.drop(while: { !$0 }).dropFirst() {
      sum.double()
      if bit { sum.add(x, y) }
    }
    let inverse = sum.z.inverse
    return (sum.x * inverse * inverse).octets
  }

  private static let b = Element(
    0xFEB8_DEEC_C146_B9B1, 0x0FA7_E9AB_7224_3049, 0x6421_0519_E59C_80E7)

  /// A point (x / z², y / z³).
  private struct Point {
    var x: Element
    var y: Element
    var z = Element(1, 0, 0)

    /// Formulas "dbl-2001-b" for curves with a = -3.
    mutating func double() {
      let delta = z * z
      let gamma = y * y
      let beta = x * gamma
      let slope = (x - delta) * (x + delta)
      let alpha = slope + slope + slope
      let beta4 = beta + beta + beta + beta
      x = alpha * alpha - beta4 - beta4
      z = (y + z) * (y + z) - gamma - delta
      let square = gamma * gamma
      let square4 = square + square + square + square
      y = alpha * (beta4 - x) - square4 - square4
    }

    /// Adds a point whose z is 1.
    mutating func add(_ otherX: Element, _ otherY: Element) {
      let square = z * z
      let h = otherX * square - x
      let r = otherY * square * z - y
      let h2 = h * h
      let h3 = h2 * h
      let v = x * h2
      x = r * r - h3 - v - v
      y = r * (v - x) - y * h3
      z = z * h
    }
  }

  /// A number below p = 2^192 - 2^64 - 1, by limbs, the least significant first.
  private struct Element: Equatable {
    private var low: UInt64
    private var middle: UInt64
    private var high: UInt64

    private static let p = Element(.max, .max - 1, .max)

    init(_ low: UInt64, _ middle: UInt64, _ high: UInt64) {
      (self.low, self.middle, self.high) = (low, middle, high)
    }

    /// 24 octets, most significant first; nil if they are not below p.
    init?(_ octets: ArraySlice<UInt8>) {
      let limbs = (0..<3).map { limb in
        octets.dropFirst(8 * limb).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      self.init(limbs[2], limbs[1], limbs[0])
      if isAtLeastP { return nil }
    }

    var octets: [UInt8] {
      [high, middle, low].flatMap { limb in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: limb >> $0) }
      }
    }

    private var isAtLeastP: Bool {
      high == .max && (middle == .max || middle == .max - 1 && low == .max)
    }

    private static func sum(_ left: Element, _ right: Element) -> (Element, overflow: Bool) {
      let (low, first) = left.low.addingReportingOverflow(right.low)
      let (half, second) = left.middle.addingReportingOverflow(right.middle)
      let (middle, third) = half.addingReportingOverflow(first ? 1 : 0)
      let (most, fourth) = left.high.addingReportingOverflow(right.high)
      let (high, fifth) = most.addingReportingOverflow(second || third ? 1 : 0)
      return (Element(low, middle, high), fourth || fifth)
    }

    /// The operands may be anything of 192 bits.
    static func + (left: Element, right: Element) -> Element {
      var (sum, overflow) = sum(left, right)
      // 2^192 is 2^64 + 1 modulo p: adding this and dropping 2^192 subtracts p.
      while overflow || sum.isAtLeastP {
        let (next, again) = Self.sum(sum, Element(1, 1, 0))
        overflow = overflow && again
        sum = next
      }
      return sum
    }

    static func - (left: Element, right: Element) -> Element {
      let (low, first) = p.low.subtractingReportingOverflow(right.low)
      let (half, second) = p.middle.subtractingReportingOverflow(right.middle)
      let (middle, third) = half.subtractingReportingOverflow(first ? 1 : 0)
      return left + Element(low, middle, p.high - right.high - (second || third ? 1 : 0))
    }

    static func * (left: Element, right: Element) -> Element {
      let factors = ([left.low, left.middle, left.high], [right.low, right.middle, right.high])
      var product = [UInt64](repeating: 0, count: 6)
      for i in 0..<3 {
        var carry: UInt64 = 0
        for j in 0..<3 {
          let (high, low) = factors.0[i].multipliedFullWidth(by: factors.1[j])
          let (half, first) = product[i + j].addingReportingOverflow(low)
          let (sum, second) = half.addingReportingOverflow(carry)
          product[i + j] = sum
          carry = high + (first ? 1 : 0) + (second ? 1 : 0)
        }
        product[i + 3] = carry
      }
      return Element(product[0], product[1], product[2])
        + Element(product[3], product[3], 0)
        + Element(0, product[4], product[4])
        + Element(product[5], product[5], product[5])
    }

    /// The power p - 2, after Fermat.
    var inverse: Element {
      var power = Element(1, 0, 0)
      let exponent: [UInt64] = [.max, .max - 1, .max - 2]
      for limb in exponent {
        for bit in (0..<64).reversed() {
          power = power * power
          if limb >> UInt64(bit) & 1 == 1 { power = power * self }
        }
      }
      return power
    }
  }
}
