import HarkCore

extension BluetoothUUID {
  /// Reads 2, 4 or 16 octets sent most significant first, as SDP and iBeacon do.
  /// Any other count gives nil.
  public init?(bigEndian bytes: RawSpan) {
    func value(_ range: Range<Int>) -> UInt64 {
      range.reduce(0) { $0 << 8 | UInt64(bytes.byte(at: $1)) }
    }
    switch bytes.byteCount {
    case 2: self.init(UInt16(truncatingIfNeeded: value(0..<2)))
    case 4: self.init(UInt32(truncatingIfNeeded: value(0..<4)))
    case 16: self.init(high: value(0..<8), low: value(8..<16))
    default: return nil
    }
  }
}
