import HarkCore

/// Packets as `tshark -x` and Wireshark print their bytes: an offset, up to 16 octets, their characters; an offset of
/// zero starts a packet. There are no times and no directions. Becomes a pcap capture of H4 packets.
struct HexDump: TextForm {
  static let origin = "in a hex dump of packets"
  static let hasOtherLines = true

  private let writer = PcapWriter(.h4, unit: 1_000)
  private(set) var file: [UInt8] = []

  init() { writer.begin(to: &file) }

  struct Packet {
    var octets: [UInt8] = []
    /// Bytes that a tool put together of several packets, or a part of one.
    var isDerived = false
    var isBroken = false
    var isEnded = false
  }

  func begin(_ line: TextLine) -> Packet? {
    if let name = Self.nameOfBytes(line) {
      return Packet(isDerived: !name.elementsEqual("Frame".utf8))
    }
    // Without their headers, packets of hcidump and btmon may look like others.
    if line.isHeading { return Packet(isDerived: true) }
    guard let (offset, octets) = Self.row(line), offset == 0, octets.count >= Self.leastOctets
    else { return nil }
    return Packet(octets: octets)
  }

  /// An indicator, the code of an event, its length.
  private static let leastOctets = 3

  func extend(_ packet: inout Packet, by line: TextLine) -> Bool {
    var words = line
    guard words.word() != nil else {
      packet.isEnded = true
      return true
    }
    guard !packet.isEnded, let (offset, octets) = Self.row(line) else { return false }
    if offset == packet.octets.count || packet.isDerived {
      packet.octets += octets
    } else if offset == 0 {
      return false
    } else {
      packet.isBroken = true
    }
    return true
  }

  func isLikely(_ line: TextLine) -> Bool { Self.row(line) != nil }

  mutating func append(_ packet: Packet) -> TextPacketEnd {
    guard !packet.isDerived, !packet.octets.isEmpty else { return .skipped }
    guard !packet.isBroken, let kind = PacketKind(indicator: packet.octets[0]),
      kind.ownLength(Array(packet.octets.dropFirst())) == packet.octets.count - 1
    else { return .broken }
    // The times are unknown: all packets get the same one.
    file.append(little: UInt64(0))
    file.append(little: UInt32(clamping: packet.octets.count))
    file.append(little: UInt32(clamping: packet.octets.count))
    file += packet.octets
    return .appended
  }

  /// An offset and up to 16 octets.
  private static func row(_ line: TextLine) -> (offset: Int, octets: [UInt8])? {
    var words = line
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

  /// The last word of the name of the bytes that follow, from `Reassembled BTHCI ACL (69 bytes):`. Wireshark prints the
  /// packet, `Frame`, and then what it put together of several.
  private static func nameOfBytes(_ line: TextLine) -> ArraySlice<UInt8>? {
    let words = line.rest.split { $0 == 0x20 || $0 == 0x09 }
    guard words.count >= 3, words.last?.elementsEqual("bytes):".utf8) == true,
      words.dropLast(2).allSatisfy(isOfName)
    else { return nil }
    return words[words.count - 3]
  }

  /// Dates, processes and quotations, which may be in front of a name, contain other characters.
  private static func isOfName(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy { UnicodeScalar($0).properties.isAlphabetic || (0x2D...0x39).contains($0) }
      && word.first.map { UnicodeScalar($0).properties.isAlphabetic } == true
  }
}
