extension Pseudonyms {
  /// An address of IP of the same kind: special addresses stay, private ones stay private, and all others
  /// become some that are for documentation and tests.
  /// RFC 1918, 3; RFC 2544, C.2.2; RFC 3849; RFC 4291, 2.4; RFC 6890, 2.2.
  func networkAddress(_ bytes: [UInt8]) -> [UInt8] {
    let kept = bytes.count == 16 ? Self.keptOfIPv6(bytes) : Self.keptOfIPv4(bytes)
    guard kept.count < bytes.count else { return bytes }
    let stream = hash.stream("network address", bytes, count: bytes.count)
    return kept + stream.dropFirst(kept.count)
  }

  private static func keptOfIPv4(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == 4 else { return [] }
    switch (bytes[0], bytes[1]) {
    // This network, loopback, multicast, broadcast.
    case (0, _), (127, _), (224..., _): return bytes
    case (10, _): return [10]
    case (172, 16...31), (192, 168), (169, 254): return Array(bytes[..<2])
    default: return [198, 18]
    }
  }

  private static func keptOfIPv6(_ bytes: [UInt8]) -> [UInt8] {
    switch (bytes[0], bytes[1]) {
    // Unspecified and loopback.
    case (0, 0) where bytes[2..<15].allSatisfy { $0 == 0 }: return bytes
    // Solicited-node multicast ends with bytes of an address.
    case (0xFF, _): return bytes[11] == 1 && bytes[12] == 0xFF ? Array(bytes[..<13]) : bytes
    // What follows in those of a link is mostly made of its address.
    case (0xFE, 0x80...0xBF): return Array(bytes[..<8])
    default: return [0x20, 0x01, 0x0D, 0xB8]
    }
  }
}
