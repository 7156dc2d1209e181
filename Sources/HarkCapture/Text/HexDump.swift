import HarkCore

/// Packets as `tshark -x` and Wireshark print their bytes: an offset, up to 16 octets, their characters; an offset of
/// zero starts a packet. There are no times and no directions.
enum HexDump {
  /// Returns a pcap capture of H4 packets, or nil if one is shorter than its own length, as in dumps of files.
  static func capture(
    _ lines: [ArraySlice<UInt8>], _ unread: inout UnreadLines
  ) -> [UInt8]? {
    let writer = PcapWriter(.h4, unit: 1_000)
    var bytes: [UInt8] = []
    writer.begin(to: &bytes)
    var packet: (octets: [UInt8], line: ArraySlice<UInt8>, isBroken: Bool)?
    var count = 0
    /// Appends the packet that ends here; false if it is not whole, and must be.
    func end() -> Bool {
      guard let (octets, line, isBroken) = packet else { return true }
      packet = nil
      guard !isBroken, let indicator = octets.first, let kind = PacketKind(indicator: indicator),
        kind.ownLength(Array(octets.dropFirst())) == octets.count - 1
      else { return unread.add(line, after: count) }
      // The times are unknown: all packets get the same one.
      bytes.append(little: UInt64(0))
      bytes.append(little: UInt32(clamping: octets.count))
      bytes.append(little: UInt32(clamping: octets.count))
      bytes += octets
      count += 1
      return true
    }
    var isDerived = false
    for line in lines {
      if let name = nameOfBytes(line) { isDerived = !name.elementsEqual("Frame".utf8) }
      if line.isEmpty { isDerived = false }
      guard !isDerived, let (offset, octets) = row(line) else { continue }
      if offset == 0 {
        guard end() else { return nil }
        packet = (octets, line, false)
      } else if packet?.octets.count == offset {
        packet?.octets += octets
      } else if packet != nil {
        packet?.isBroken = true
      } else if !unread.add(line, after: count) {
        return nil
      }
    }
    guard end(), count > 0 else { return nil }
    return bytes
  }

  /// An offset and up to 16 octets.
  private static func row(_ line: ArraySlice<UInt8>) -> (offset: Int, octets: [UInt8])? {
    var words = TextLine(line)
    guard let first = words.word(), (4...8).contains(first.count),
      let offset = TextLine.number(first.last == 0x3A ? first.dropLast() : first, radix: 16)
    else { return nil }
    var octets: [UInt8] = []
    // The characters after the octets may look like octets.
    while octets.count < 16, let octet = words.word().flatMap(TextLine.octet) {
      octets.append(octet)
    }
    // Bits of a field, as in `0000 11.. .... .... = Opcode Group Field`.
    return octets.isEmpty ? nil : (offset, octets)
  }

  /// The name of the bytes that follow, from `Reassembled BTHCI ACL (69 bytes):`. Wireshark prints the packet, `Frame`,
  /// and then what it put together of several.
  private static func nameOfBytes(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = " bytes):"
    guard line.suffix(end.utf8.count).elementsEqual(end.utf8),
      let parenthesis = line.lastIndex(of: 0x28), parenthesis > line.startIndex
    else { return nil }
    return line[..<(parenthesis - 1)]
  }
}
