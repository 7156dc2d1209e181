// Numbers as most protocols and formats have them: least significant octet first.
extension [UInt8] {
  @inlinable
  package mutating func append(little value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// The number whose octets begin at `place`.
  /// - Precondition: They are there.
  @inlinable
  package func little<Number: FixedWidthInteger & UnsignedInteger>(at place: Int) -> Number {
    (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(self[place + $1]) << Number(8 * $1) }
  }
}
