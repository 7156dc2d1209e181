extension PDU {
  /// An unsigned integer of 3 octets, most significant first.
  @discardableResult
  public mutating func u24be(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt64 {
    let value = try bigEndian(3, of: field())
    if Out.wantsFields {
      out.found(field(), value, at: (position &- 3)..<position, isPart: false)
    }
    return value
  }

  /// Reads `count` (1 to 8) octets, most significant first, from which `part` makes several fields.
  @inline(__always)
  public mutating func bigEndian(
    _ count: Int, of field: @autoclosure () -> Field
  ) throws(Malformed) -> UInt64 {
    try word(count, of: field()).byteSwapped &>> UInt64(truncatingIfNeeded: 8 &* (8 &- count))
  }
}
