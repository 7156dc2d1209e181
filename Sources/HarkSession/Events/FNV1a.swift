/// Recognizes bytes that are repeated without keeping them. FNV-1a, 64 bits:
/// http://www.isthe.com/chongo/tech/comp/fnv/
struct FNV1a: Sendable {
  private(set) var value: UInt64

  init(seed: UInt64 = 0) { value = 0xCBF2_9CE4_8422_2325 ^ seed }

  init(_ bytes: RawSpan) {
    self.init()
    add(bytes, 0..<bytes.byteCount)
  }

  mutating func add(_ bytes: RawSpan, _ range: Range<Int>) {
    for position in range {
      value = (value ^ UInt64(bytes.byte(at: position))) &* 0x0100_0000_01B3
    }
  }
}
