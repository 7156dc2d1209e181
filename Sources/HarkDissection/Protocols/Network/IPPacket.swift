import HarkCore

/// What is in front of the packet in a frame of a local network.
package struct NetworkFrame: Message {
  /// Where the packet of IP is in the frame; nil if it holds something else.
  package internal(set) var packet: Range<Int>?

  package init() {}

  /// Gives everything that is left to IP, if that is what it is.
  mutating func carry(_ isIP: Bool, orElse field: Field, _ pdu: inout PDU<some Sink>) {
    guard isIP, pdu.remaining > 0 else {
      pdu.rest(field)
      return
    }
    packet = pdu.position..<(pdu.position + pdu.remaining)
    pdu.hand(to: .internetProtocol, orElse: field)
  }

  /// A hardware address, which is sent most significant octet first.
  static func address(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let address = try pdu.bigEndian(6, of: field)
    pdu.part(field, address, of: 6)
  }
}

/// A packet of IP, as far as its addresses and the header of TCP or UDP go.
package struct IPPacket: Message {
  package struct UDP: Sendable {
    package let sourcePort: UInt16
    package let destinationPort: UInt16

    /// Whether it is one of Multicast DNS. RFC 6762, 3.
    package var isMulticastDNS: Bool {
      sourcePort == MulticastDNS.port || destinationPort == MulticastDNS.port
    }
  }

  package struct TCP: Sendable {
    package let sourcePort: UInt16
    package let destinationPort: UInt16
    package let sequence: UInt32
    package let acknowledgment: UInt32
    let controlBits: UInt8

    // RFC 9293, 3.1
    package var isFIN: Bool { controlBits & 0x01 != 0 }
    package var isSYN: Bool { controlBits & 0x02 != 0 }
    package var isRST: Bool { controlBits & 0x04 != 0 }
    package var isACK: Bool { controlBits & 0x10 != 0 }
  }

  package internal(set) var source: IPAddress?
  package internal(set) var destination: IPAddress?
  /// Whether it is a part of a longer packet.
  package internal(set) var isFragment = false
  package internal(set) var tcp: TCP?
  package internal(set) var udp: UDP?
  /// What TCP or UDP carries.
  package internal(set) var payload = 0..<0
  /// How many bytes at its end the recorder did not keep.
  package internal(set) var missing = 0

  package init() {}

  /// Reads the packet in a frame; nil if that holds none. Ranges are those of the frame.
  package init?(inFrame bytes: RawSpan, _ kind: PacketKind, isCut: Bool) {
    let frame: NetworkFrame
    switch kind {
    case .ethernet: frame = Ethernet.message(bytes, isCut: isCut).message
    case .linuxCooked: frame = LinuxCooked.message(bytes, isCut: isCut).message
    case .linuxCooked2: frame = LinuxCooked2.message(bytes, isCut: isCut).message
    case .loopback: frame = Loopback.message(bytes, isCut: isCut).message
    default:
      var whole = NetworkFrame()
      whole.packet = 0..<bytes.byteCount
      frame = whole
    }
    guard let place = frame.packet else { return nil }
    self = InternetProtocol.message(bytes.extracting(place), isCut: isCut).message
    payload = (payload.lowerBound + place.lowerBound)..<(payload.upperBound + place.lowerBound)
  }
}
