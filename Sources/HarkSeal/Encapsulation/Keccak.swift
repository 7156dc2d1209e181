/// SHA-3 and SHAKE of FIPS 202, as far as an encapsulation with given randomness needs them: swift-crypto offers
/// ML-KEM with randomness of its own only.
struct Keccak {
  private var state = [UInt64](repeating: 0, count: 25)
  private let rate: Int
  /// The next octet to be squeezed out of the rate.
  private var position = 0

  /// - Parameters:
  ///   - rate: In bytes; FIPS 202, table 3.
  ///   - suffix: The domain's bits and the first of the padding.
  private init(_ input: [UInt8], rate: Int, suffix: UInt8) {
    self.rate = rate
    var padded = input
    padded.append(suffix)
    while padded.count % rate != 0 { padded.append(0) }
    padded[padded.count - 1] |= 0x80
    for start in stride(from: 0, to: padded.count, by: rate) {
      for index in 0..<rate {
        state[index / 8] ^= UInt64(padded[start + index]) << UInt64(index % 8 * 8)
      }
      permute()
    }
  }

  static func sha3of256(_ input: [UInt8]) -> [UInt8] {
    var sponge = Keccak(input, rate: 136, suffix: 0x06)
    return sponge.squeeze(32)
  }

  static func sha3of512(_ input: [UInt8]) -> [UInt8] {
    var sponge = Keccak(input, rate: 72, suffix: 0x06)
    return sponge.squeeze(64)
  }

  static func shake128(_ input: [UInt8]) -> Keccak { Keccak(input, rate: 168, suffix: 0x1F) }

  static func shake256(_ input: [UInt8], count: Int) -> [UInt8] {
    var sponge = Keccak(input, rate: 136, suffix: 0x1F)
    return sponge.squeeze(count)
  }

  /// The next `count` octets.
  mutating func squeeze(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count {
      if position == rate {
        permute()
        position = 0
      }
      result.append(
        UInt8(truncatingIfNeeded: state[position / 8] >> UInt64(position % 8 * 8)))
      position += 1
    }
    return result
  }

  private static let rotations: [UInt64] = [
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
  ]
  private static let lanes = [
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
  ]
  private static let constants: [UInt64] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
    0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]

  /// Keccak-f[1600]; FIPS 202, 3.3.
  private mutating func permute() {
    var columns = [UInt64](repeating: 0, count: 5)
    for constant in Self.constants {
      for x in 0..<5 {
        columns[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20]
      }
      for x in 0..<5 {
        let next = columns[(x + 1) % 5]
        let change = columns[(x + 4) % 5] ^ (next << 1 | next >> 63)
        for y in stride(from: 0, to: 25, by: 5) { state[x + y] ^= change }
      }
      var moved = state[1]
      for index in 0..<24 {
        let (lane, rotation) = (Self.lanes[index], Self.rotations[index])
        (state[lane], moved) = (moved << rotation | moved >> (64 - rotation), state[lane])
      }
      for y in stride(from: 0, to: 25, by: 5) {
        for x in 0..<5 { columns[x] = state[x + y] }
        for x in 0..<5 {
          state[x + y] = columns[x] ^ (~columns[(x + 1) % 5] & columns[(x + 2) % 5])
        }
      }
      state[0] ^= constant
    }
  }
}
