import HarkCore

/// A message of Multicast DNS, with the records that locate a service.
package struct DNSMessage: Message {
  package struct Record: Sendable {
    // https://www.iana.org/assignments/dns-parameters
    package enum Kind: UInt16, Sendable {
      case address = 1
      case addressIPv6 = 28
      case service = 33
    }

    /// Where the name begins that it is about.
    package let name: Int
    var type: UInt16 = 0
    /// Whether what it says does not hold any more. RFC 6762, 10.1.
    package internal(set) var isGoodbye = false
    /// Of A and AAAA.
    package internal(set) var address: IPAddress?
    /// Of SRV.
    package internal(set) var port: UInt16?
    /// Of SRV and PTR: where the name begins that it points to.
    package internal(set) var target: Int?

    package var kind: Kind? { Kind(rawValue: type) }

    init(name: Int) { self.name = name }
  }

  package internal(set) var isResponse = false
  package private(set) var records: [Record] = []

  /// More are not looked at: an answer that fits a packet has fewer.
  private static let mostRecords = 256

  package init() {}

  /// Reads what a datagram carries; places in it are those of `bytes`.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = MulticastDNS.message(bytes, isCut: isCut).message
  }

  mutating func append(_ record: Record) {
    if records.count < Self.mostRecords { records.append(record) }
  }

  /// The labels of the name that begins at `place`, as far as they can be read. A name has at most 255 octets,
  /// and a pointer leads back. RFC 1035, 2.3.4, 4.1.4.
  package static func labels(of bytes: RawSpan, at place: Int) -> [Range<Int>] {
    var labels: [Range<Int>] = []
    var (place, last) = (place, place + 1)
    while place < bytes.byteCount, labels.count < 128 {
      let count = Int(bytes.byte(at: place))
      if count == 0 { return labels }
      if count >> 6 == 3 {
        guard place + 1 < bytes.byteCount else { return labels }
        let target = (count & 0x3F) << 8 | Int(bytes.byte(at: place + 1))
        guard target < last else { return labels }
        (place, last) = (target, target)
        continue
      }
      guard count < 64, place + 1 + count <= bytes.byteCount else { return labels }
      labels.append((place + 1)..<(place + 1 + count))
      place += 1 + count
    }
    return labels
  }
}
