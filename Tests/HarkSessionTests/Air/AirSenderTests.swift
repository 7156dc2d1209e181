import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Who sent packets of which the sniffer does not record it, and whose times were made up.
/// Core Specification, Vol 6, Part B, 2.4.2 and 5.1; Vol 3, Parts A, F and H.
@Suite struct AirSenderTests {
  /// Random values of the Central and of the Peripheral.
  private static let values = (
    String(repeating: " c0", count: 16), String(repeating: " 9e", count: 16)
  )
  private static let zeros = String(repeating: " 00", count: 16)
  private static let parameters = "18 00 28 00 00 00 c8 00"

  /// Who sends it, what it is (LLID 3 a PDU of the Link Layer, otherwise the CID), and its octets.
  typealias Sent = (side: Int, place: Int, hex: String)

  private static let linkLayer: [Sent] = [
    (0, 3, "08" + " 00 00 00 00 00 00 00 00"), (0, 3, "01 ff ff ff ff 1f 10 00"),
    (1, 3, "09 00 00 00 00 00 00 00 00"), (0, 3, "0c 09 59 00 01 02"),
    (1, 3, "0c 09 0f 00 01 02"), (1, 3, "0e 00 00 00 00 00 00 00 00"),
    (0, 3, "09 00 00 00 00 00 00 00 00"), (0, 3, "16 03 03"), (1, 3, "17 03 03"),
    (0, 3, "18 02 02 10 00"), (1, 3, "19 01 02"), (0, 3, "12"), (1, 3, "13"),
    (0, 3, "14 fb 00 48 08 fb 00 48 08"), (1, 3, "07 14"),
  ]

  private static let attributes: [Sent] = [
    (0, 4, "02 f7 00"), (1, 4, "03 17 00"), (0, 4, "0a 03 00"), (1, 4, "01 0a 03 00 02"),
    (0, 4, "52 05 00 01"), (1, 4, "1b 07 00 ab"), (1, 4, "1d 07 00 ab"), (0, 4, "1e"),
    (1, 5, "12 01 08 00 \(parameters)"), (0, 5, "13 01 02 00 01 00"),
    (0, 5, "14 02 0a 00 80 00 40 00 40 00 40 00 01 00"),
    (1, 5, "15 02 0a 00 00 00 00 00 00 00 00 00 02 00"),
    (1, 5, "12 03 08 00 \(parameters)"), (0, 5, "01 03 02 00 00 00"),
  ]

  /// Legacy pairing; the Peripheral then has no key.
  private static let encryption: [Sent] = [
    (1, 6, "0b 01"), (0, 6, "01 04 00 01 10 01 01"), (1, 6, "02 03 00 01 10 01 01"),
    (0, 6, "03\(values.0)"), (1, 6, "03\(values.1)"), (0, 6, "04\(values.0)"),
    (1, 6, "04\(values.1)"), (0, 3, "03 01\(zeros) 00 00 00 00 00"),
    (1, 3, "04 00 00 00 00 00 00 00 00 00 00 00 00"),
    (1, 3, "0d 06"),
  ]

  private func directions(_ sent: [Sent], after seconds: Int64) -> [Int] {
    var air = MadeAir()
    air.connect()
    for one in sent {
      let pdu = Hex.bytes(one.hex) ?? []
      let frame = [UInt8(pdu.count), 0, UInt8(one.place), 0] + pdu
      air.makeUp(
        one.side, llid: one.place == 3 ? 3 : 2, one.place == 3 ? pdu : frame, after: seconds)
    }
    return sides(air)
  }

  /// The side of each packet after the first, which opens the connection.
  private func sides(_ air: MadeAir) -> [Int] {
    var sides: [Int] = []
    _ = air.session { session, index in
      guard index > 0, let row = session.packets[UInt32(index + 1)] else { return }
      sides.append(row.direction == .hostToController ? 0 : 1)
    }
    return sides
  }

  /// Packets a second apart, and all at the same time: none of that is how connection events are.
  @Test(arguments: [Int64(1), 0]) func madeUpTimes(_ seconds: Int64) {
    let sent = Self.linkLayer + Self.attributes + Self.encryption
    let sides = directions(sent, after: seconds)
    for (one, side) in zip(sent, sides) { #expect(side == one.side, "\(one.hex)") }
    #expect(sides.count == sent.count)
  }

  /// The same PDU again is no answer to it.
  @Test func repeatedVersion() {
    let version = "0c 09 59 00 01 02"
    #expect(directions([(0, 3, version), (0, 3, version)], after: 1) == [0, 0])
  }

  /// LE Secure Connections with Numeric Comparison: only the Peripheral sends a Confirm Value.
  /// Vol 3, Part H, 2.3.5.6.2
  @Test func secureConnections() {
    let points = [" 11", " 22"].map { String(repeating: $0, count: 64) }
    let (central, peripheral) = Self.values
    let sent: [Sent] = [
      (0, 6, "01 01 00 0d 10 00 00"), (1, 6, "02 01 00 0d 10 00 00"), (0, 6, "0c\(points[0])"),
      (1, 6, "0c\(points[1])"), (1, 6, "03\(peripheral)"), (0, 6, "04\(central)"),
      (1, 6, "04\(peripheral)"), (0, 6, "0d\(central)"), (1, 6, "0d\(peripheral)"),
    ]
    #expect(directions(sent, after: 1) == sent.map(\.side))
  }

  /// An answer to a request of which nothing tells whose it was names no one; one to a request that only
  /// one side makes does.
  @Test func guesses() {
    var air = MadeAir()
    air.connect()
    for pdu in [
      "08 00 00 00 00 00 00 00 00", "16 03 03", "0d 1a", "0e 00 00 00 00 00 00 00 00", "0d 1a",
    ] {
      air.makeUp(0, llid: 3, Hex.bytes(pdu) ?? [], after: 1)
    }
    let refusals = AirControlTests.refusals(air.session())
    #expect(refusals.map(\.opcode) == [0x16, 0x0E])
    #expect(refusals.map(\.byPeripheral) == [nil, false])
  }

  /// Only the Peripheral asks for connection parameters by L2CAP; both sides ask for channels.
  /// Vol 3, Part A, 4.20, 4.22
  @Test func whoRejects() {
    var air = MadeAir()
    air.connect()
    for pdu in [
      "12 03 08 00 \(Self.parameters)", "01 03 02 00 00 00",
      "14 04 0a 00 80 00 40 00 40 00 40 00 01 00", "01 04 02 00 00 00",
    ] {
      let octets = Hex.bytes(pdu) ?? []
      air.makeUp(0, llid: 2, [UInt8(octets.count), 0, 5, 0] + octets, after: 1)
    }
    let sides = air.session().compactMap { event -> [Bool?]? in
      switch event.content {
      case .link(.change(.parametersRefused(let refused))): [refused.byPeer]
      case .channel(.refused(let refused)): [refused.byPeer]
      default: nil
      }
    }
    #expect(sides == [[false], [nil]])
  }

  /// No one is named where nothing tells who closed the connection: packets came a second apart, or all at
  /// the same time.
  @Test(arguments: [nil, 1, 0] as [Int64?]) func whoCloses(_ seconds: Int64?) {
    var air = MadeAir()
    air.connect()
    if let seconds {
      for _ in 0..<3 { air.makeUp(0, llid: 3, [0x12], after: seconds) }
      air.makeUp(1, llid: 3, [0x02, 0x13], after: seconds)
    } else {
      air.control(1, "02 13")
    }
    var closer: [Link.Role?] = []
    _ = air.session { session, _ in closer = session.links.map { $0.air?.closedBy } }
    #expect(closer == [seconds == nil ? .peripheral : nil])
  }

  /// Where the times are as on the air, they count: the Central, too, notifies.
  @Test func timesThatFit() {
    var air = MadeAir()
    air.connect()
    air.control(0, "12")
    air.send(0, llid: 2, [4, 0, 4, 0, 0x1B, 3, 0, 1])
    air.send(1, llid: 2, [4, 0, 4, 0, 0x1B, 4, 0, 1])
    air.send(0, llid: 2, [4, 0, 4, 0, 0x1B, 5, 0, 1])
    let owners = air.session().compactMap { event -> Bool? in
      if case .attribute(.value(let value)) = event.content { value.isLocal } else { nil }
    }
    #expect(owners == [true, false, true])
  }

  /// The first packet received of an event is the Peripheral's, because the sniffer missed the Central's. In the first
  /// such event, its numbers show that; in the second one, it notifies, and the Central's packet follows.
  /// Vol 6, Part B, 4.5.6 and 4.5.9
  @Test func missedAnchors() {
    var air = MadeAir()
    air.connect()
    air.send(0, llid: 2, [4, 0, 4, 0, 0x52, 5, 0, 1])
    air.control(0, "12")
    air.send(0, llid: 1, [])
    air.records.remove(at: air.records.count - 2)
    air.transmit(0, llid: 1, [], isFirst: true)
    air.transmit(1, llid: 2, [4, 0, 4, 0, 0x1B, 7, 0, 1], hasMore: true, isFirst: false)
    air.records.remove(at: air.records.count - 2)
    air.transmit(0, llid: 1, [], isFirst: false)
    #expect(sides(air) == [0, 1, 0, 1, 1, 1, 0])
  }

  /// A sniffer states that the Peripheral sent both packets in the middle. The second one begins T_IFS after the end of
  /// the first one, with the Central's sequence numbers: it is the Central's, and its request is answered. If it begins
  /// later, a packet may be missing, and the sniffer is believed. 4.1.1, 4.5.1, 4.5.9
  @Test(arguments: [(150, [0, 1, 0, 1]), (500, [0, 1, 1, 1])] as [(Int64, [Int])])
  func wrongStatement(_ space: Int64, _ expected: [Int]) {
    var air = MadeAir()
    air.connect()
    air.transmit(0, llid: 3, [0x12], hasMore: true, isFirst: true)
    air.transmit(1, llid: 1, [], isFirst: false)
    air.transmit(0, llid: 2, [3, 0, 4, 0, 0x0A, 3, 0], isFirst: false)
    air.transmit(1, llid: 1, [], isFirst: false)
    var microseconds: Int64 = 0
    for (index, type) in [UInt16(0), 2, 3, 3, 3].enumerated() {
      // LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: dewhitened, LE 1M, CRC checked and valid; the type in bits 7 to 9.
      let flags = 0x0C01 | type << 7
      let header: [UInt8] = [
        index == 0 ? 0 : 5, 0, 0, 0, 0, 0, 0, 0, UInt8(flags & 0xFF), UInt8(flags >> 8),
      ]
      let size = Hex.bytes(air.records[index].hex)?.count ?? 0
      air.records[index].kind = .leRadio
      air.records[index].hex = Hex.text(header) + air.records[index].hex
      (air.records[index].time, air.records[index].microseconds) = (1, microseconds)
      // A preamble of one octet precedes the Access Address; an octet takes 8 µs. 2.1
      microseconds += Int64(1 + size) * 8 + space
    }
    #expect(sides(air) == expected)
    var inferred: [Bool] = []
    _ = air.session { session, index in
      inferred.append(session.lastRow?.flags.contains(.directionInferred) ?? false)
    }
    #expect(inferred.dropFirst() == [false, false, expected[2] == 0, false])
  }
}
