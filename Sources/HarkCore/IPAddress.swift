/// An address of IP. RFC 791, 3.2; RFC 4291.
public struct IPAddress: Hashable, Sendable {
  /// Most significant octet first; an address of version 4 is in the lower half of `low`.
  private let high: UInt64
  private let low: UInt64
  public let isVersion4: Bool

  /// - Parameter bytes: Its 4 or 16 octets, most significant first; any other count gives nil.
  public init?(_ bytes: RawSpan) {
    guard bytes.byteCount == 4 || bytes.byteCount == 16 else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    for index in 0..<bytes.byteCount {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(bytes.byte(at: index))
    }
    (self.high, self.low, isVersion4) = (high, low, bytes.byteCount == 4)
  }

  /// Whether only one network has it: a private, link-local or loopback address. RFC 1918; RFC 3927;
  /// RFC 1122, 3.2.1.3; RFC 4193; RFC 4291, 2.5.
  public var isLocal: Bool {
    guard isVersion4 else {
      return high >> 57 == 0x7E || high >> 54 == 0x3FA || (high == 0 && low == 1)
    }
    return low >> 24 == 10 || low >> 20 == 0xAC1 || low >> 16 == 0xC0A8 || low >> 16 == 0xA9FE
      || low >> 24 == 127
  }

  /// The 16 bits of each group of version 6.
  private var groups: [UInt64] {
    [high, low].flatMap { half in [48, 32, 16, 0].map { half >> $0 & 0xFFFF } }
  }
}

extension IPAddress: CustomStringConvertible {
  /// `192.168.7.2`, `fe80::1`. RFC 5952, 4.
  public var description: String {
    if isVersion4 { return [24, 16, 8, 0].map { "\(low >> $0 & 0xFF)" }.joined(separator: ".") }
    let groups = groups
    var longest = 0..<0
    for start in groups.indices {
      let count = groups[start...].prefix { $0 == 0 }.count
      if count > 1, count > longest.count { longest = start..<(start + count) }
    }
    func text(_ part: ArraySlice<UInt64>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !longest.isEmpty else { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}
