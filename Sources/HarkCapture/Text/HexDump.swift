import HarkCore

/// Packets as `tshark -x` and Wireshark print their bytes: an offset, up to 16 octets, their characters; an offset of
/// zero starts a packet. There are no times and no directions.
enum HexDump {
  /// Returns a pcap capture of H4 packets, or nil if one is shorter than its own length, as in dumps of files.
  static func capture(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    var packets: [[UInt8]] = []
    for line in lines {
      var words = TextLine(line)
      guard let first = words.word(), (4...8).contains(first.count),
        let offset = TextLine.number(first.last == 0x3A ? first.dropLast() : first, radix: 16)
      else { continue }
      if offset == 0 {
        packets.append([])
      } else if packets.last?.count != offset {
        return nil
      }
      // The characters after the octets may look like octets.
      for _ in 0..<16 {
        guard let word = words.word(), let octet = TextLine.octet(word) else { break }
        packets[packets.count - 1].append(octet)
      }
    }
    let writer = PcapWriter(.h4, unit: 1_000)
    var bytes: [UInt8] = []
    writer.begin(to: &bytes)
    for packet in packets {
      guard let indicator = packet.first, let kind = PacketKind(indicator: indicator),
        kind.ownLength(Array(packet.dropFirst())) == packet.count - 1
      else { return nil }
      // The times are unknown: all packets get the same one.
      bytes.append(little: UInt64(0))
      bytes.append(little: UInt32(clamping: packet.count))
      bytes.append(little: UInt32(clamping: packet.count))
      bytes += packet
    }
    return packets.isEmpty ? nil : bytes
  }
}
