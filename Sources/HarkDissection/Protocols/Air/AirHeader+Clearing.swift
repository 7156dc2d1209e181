import HarkCore

// What changes in a sniffer's header if a packet is decrypted.
extension AirHeader {
  /// Adapts a header to a packet that is now in the clear and `micSize` octets shorter.
  /// - Parameters:
  ///   - header: At least the sniffer's header of `record`.
  /// - Returns: Whether hark knows the header's layout.
  package static func clear(
    _ header: inout [UInt8], of record: RawSpan, _ kind: PacketKind, micSize: Int
  ) -> Bool {
    switch kind {
    case .leLinkLayer, .ppi: return true
    case .leRadio:
      guard header.count >= 10 else { return false }
      // Bit 3: the packet is decrypted. Bits 12 and 13 concern the MIC, which was removed.
      header[8] |= 0x08
      header[9] &= ~0x30
      return true
    case .nordicBLE: return NordicHeader(record)?.clear(&header, micSize: micSize) ?? false
    default: return false
    }
  }
}

extension NordicHeader {
  fileprivate func clear(_ header: inout [UInt8], micSize: Int) -> Bool {
    guard header.count > flags else { return false }
    switch layout {
    case .marked: return false
    case .octetLengths:
      guard header[2] >= UInt8(micSize) else { return false }
      header[2] -= UInt8(micSize)
    case .wordLength:
      let size = Int(header[1]) | Int(header[2]) << 8
      guard size >= micSize else { return false }
      header[1] = UInt8(truncatingIfNeeded: size - micSize)
      header[2] = UInt8(truncatingIfNeeded: (size - micSize) >> 8)
    }
    // Bit 2: encrypted. Bit 3: the MIC is valid.
    header[flags] &= ~0x0C
    return true
  }
}
