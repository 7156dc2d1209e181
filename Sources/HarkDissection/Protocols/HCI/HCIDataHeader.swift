import HarkCore

/// The headers of the packets that carry data. Core Specification, Vol 4, Part E, 5.4.2, 5.4.3, 5.4.5
package enum HCIDataHeader {
  /// The size of the complete packet in octets, with its header; nil for packets of other kinds, and if the recorder
  /// cut the header.
  package static func size(_ kind: PacketKind, _ bytes: RawSpan) -> Int? {
    switch kind {
    case .sco where bytes.byteCount >= 3: 3 + Int(bytes.byte(at: 2))
    case .acl where bytes.byteCount >= 4: 4 + Int(bytes.unsigned(at: 2, 2))
    // The upper two bits are reserved.
    case .iso where bytes.byteCount >= 4: 4 + Int(bytes.unsigned(at: 2, 2) & 0x3FFF)
    default: nil
    }
  }
}
