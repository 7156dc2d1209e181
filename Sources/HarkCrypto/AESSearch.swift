/// AES-128 over keys by the hundred thousand, each for a block or two: a general library sets up more for
/// each key than it then encrypts. FIPS 197.
///
/// Not for secrets: how long it takes tells of the key.
struct AESSearchKey {
  private var words = InlineArray<44, UInt32>(repeating: 0)

  /// A block, most significant octet first.
  typealias Block = SIMD4<UInt32>

  init(_ key: Block) {
    let tables = Self.tables
    for index in 0..<4 { words[index] = key[index] }
    var constant: UInt32 = 1
    for index in stride(from: 4, to: 44, by: 4) {
      let last = words[index &- 1]
      let turned = last << 8 | last >> 24
      words[index] = words[index &- 4] ^ Self.substituted(turned, tables) ^ constant << 24
      words[index &+ 1] = words[index &- 3] ^ words[index]
      words[index &+ 2] = words[index &- 2] ^ words[index &+ 1]
      words[index &+ 3] = words[index &- 1] ^ words[index &+ 2]
      constant = constant << 1 ^ (constant & 0x80 != 0 ? 0x11B : 0)
    }
  }

  func encrypt(_ block: Block) -> Block {
    let tables = Self.tables
    var (a, b) = (block[0] ^ words[0], block[1] ^ words[1])
    var (c, d) = (block[2] ^ words[2], block[3] ^ words[3])
    for index in stride(from: 4, to: 40, by: 4) {
      let next = (
        Self.mixed(a, b, c, d, tables) ^ words[index],
        Self.mixed(b, c, d, a, tables) ^ words[index &+ 1],
        Self.mixed(c, d, a, b, tables) ^ words[index &+ 2],
        Self.mixed(d, a, b, c, tables) ^ words[index &+ 3]
      )
      (a, b, c, d) = next
    }
    return Block(
      Self.substituted(Self.shifted(a, b, c, d), tables) ^ words[40],
      Self.substituted(Self.shifted(b, c, d, a), tables) ^ words[41],
      Self.substituted(Self.shifted(c, d, a, b), tables) ^ words[42],
      Self.substituted(Self.shifted(d, a, b, c), tables) ^ words[43])
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

  // MARK: Rounds

  /// The S-box, and what MixColumns makes of its values in the first row.
  private struct Tables {
    var box = InlineArray<256, UInt8>(repeating: 0)
    var mixed = InlineArray<256, UInt32>(repeating: 0)
  }

  @inline(__always)
  private static func shifted(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
    a & 0xFF00_0000 | b & 0xFF_0000 | c & 0xFF00 | d & 0xFF
  }

  @inline(__always)
  private static func substituted(_ word: UInt32, _ tables: Tables) -> UInt32 {
    UInt32(tables.box[Int(word >> 24)]) << 24 | UInt32(tables.box[Int(word >> 16 & 0xFF)]) << 16
      | UInt32(tables.box[Int(word >> 8 & 0xFF)]) << 8 | UInt32(tables.box[Int(word & 0xFF)])
  }

  @inline(__always)
  private static func mixed(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ tables: Tables
  ) -> UInt32 {
    let first = tables.mixed[Int(a >> 24)]
    let second = tables.mixed[Int(b >> 16 & 0xFF)]
    let third = tables.mixed[Int(c >> 8 & 0xFF)]
    let fourth = tables.mixed[Int(d & 0xFF)]
    return first ^ (second >> 8 | second << 24) ^ (third >> 16 | third << 16)
      ^ (fourth >> 24 | fourth << 8)
  }

  /// 4.2 and 5.1.1: inverses in the field, by powers of the generator 3, then the affine mapping.
  private static let tables: Tables = {
    var tables = Tables()
    var (power, inverse) = (UInt8(1), UInt8(1))
    repeat {
      power = power ^ doubled(power)
      // Division by 3.
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      tables.box[Int(power)] = mapped(inverse)
    } while power != 1
    tables.box[0] = mapped(0)
    for index in 0..<256 {
      let value = tables.box[index]
      let two = doubled(value)
      tables.mixed[index] =
        UInt32(two) << 24 | UInt32(value) << 16 | UInt32(value) << 8 | UInt32(two ^ value)
    }
    return tables
  }()

  private static func doubled(_ value: UInt8) -> UInt8 {
    value << 1 ^ (value & 0x80 != 0 ? 0x1B : 0)
  }

  private static func mapped(_ value: UInt8) -> UInt8 {
    func turned(_ count: UInt8) -> UInt8 { value << count | value >> (8 - count) }
    return value ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
  }
}
