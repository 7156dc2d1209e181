/// AES-128 over keys by the hundred thousand, each for a block or two: a general library sets up more for
/// each key than it then encrypts. FIPS 197.
///
/// Not for secrets: its duration depends on the key.
struct AESSearch: Sendable {
  /// A block or a key: its octets in order, four to a word.
  typealias Block = SIMD4<UInt32>

  /// What SubBytes and MixColumns make of an octet in the first row: 2, 1, 1 and 3 times its substitute.
  private let table: [UInt32]

  init() {
    var table = [UInt32](repeating: 0, count: 256)
    var (power, inverse) = (UInt8(1), UInt8(1))
    // 4.2 and 5.1.1: inverses in the field, by powers of its generator 3, then the affine mapping.
    repeat {
      power ^= Self.doubled(power)
      // Division by 3.
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      table[Int(power)] = Self.row(inverse)
    } while power != 1
    table[0] = Self.row(0)
    self.table = table
  }

  func encrypt(_ block: Block, _ key: Block) -> Block {
    let table = table.span
    func mixed(_ word: UInt32) -> UInt32 { table[Int(word & 0xFF)] }
    func substituted(_ word: UInt32) -> UInt32 { table[Int(word & 0xFF)] >> 8 & 0xFF }
    func column(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
      let (second, third, fourth) = (mixed(b >> 16), mixed(c >> 8), mixed(d))
      return mixed(a >> 24) ^ (second >> 8 | second << 24) ^ (third >> 16 | third << 16)
        ^ (fourth >> 24 | fourth << 8)
    }
    func last(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
      substituted(a >> 24) << 24 | substituted(b >> 16) << 16 | substituted(c >> 8) << 8
        | substituted(d)
    }
    var (k0, k1, k2, k3) = (key[0], key[1], key[2], key[3])
    var (a, b, c, d) = (block[0] ^ k0, block[1] ^ k1, block[2] ^ k2, block[3] ^ k3)
    var constant: UInt32 = 1
    for round in 1...10 {
      // 5.2, as it is needed.
      k0 ^= last(k3 << 8, k3 << 8, k3 << 8, k3 >> 24) ^ constant << 24
      k1 ^= k0
      k2 ^= k1
      k3 ^= k2
      constant = constant << 1 ^ (constant & 0x80 != 0 ? 0x11B : 0)
      if round == 10 { break }
      (a, b, c, d) = (
        column(a, b, c, d) ^ k0, column(b, c, d, a) ^ k1, column(c, d, a, b) ^ k2,
        column(d, a, b, c) ^ k3
      )
    }
    return Block(
      last(a, b, c, d) ^ k0, last(b, c, d, a) ^ k1, last(c, d, a, b) ^ k2, last(d, a, b, c) ^ k3)
  }

  static func block(_ octets: [UInt8]) -> Block {
    var block = Block.zero
    for index in 0..<min(16, octets.count) {
      block[index / 4] |= UInt32(octets[index]) << UInt32(24 - index % 4 * 8)
    }
    return block
  }

  static func octets(_ block: Block) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: block[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
  }

  private static func doubled(_ value: UInt8) -> UInt8 {
    value << 1 ^ (value & 0x80 != 0 ? 0x1B : 0)
  }

  private static func row(_ inverse: UInt8) -> UInt32 {
    func turned(_ count: UInt8) -> UInt8 { inverse << count | inverse >> (8 - count) }
    let value = inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
    let two = doubled(value)
    return UInt32(two) << 24 | UInt32(value) << 16 | UInt32(value) << 8 | UInt32(two ^ value)
  }
}
