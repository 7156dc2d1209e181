extension PDU {
  /// Reads `count` (1 to 8) octets, most significant first, of which several fields are made with
  /// `part`.
  @inline(__always)
  public mutating func bigEndian(
    _ count: Int, of field: @autoclosure () -> Field
  ) throws(Malformed) -> UInt64 {
    try word(count, of: field()).byteSwapped &>> UInt64(truncatingIfNeeded: 8 &* (8 &- count))
  }
}
