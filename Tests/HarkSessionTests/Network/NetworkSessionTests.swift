import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import Testing

@testable import HarkSession

/// A framing that keeps what it is given.
private struct Recorder: VendorFraming {
  struct Assembler: VendorAssembler {
    mutating func receive(_ value: VendorValue) -> [Framed] {
      let direction: MessageDirection = value.toServer ? .hostToAccessory : .accessoryToHost
      let text = String(decoding: value.bytes, as: UTF8.self)
      let missing = value.missingBytes > 0 ? "+\(value.missingBytes)" : ""
      return [Framed(MessageOrigin(value, direction), .accepted(id: text + missing))]
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }

  var name: String { "Recorder" }
  var service: BluetoothUUID? { nil }
  let channels: [VendorChannel]
  func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  func makeAssembler() -> any VendorAssembler { Assembler() }
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }
}

/// A framing whose values all are messages of one session.
private struct OneSession: VendorFraming {
  struct Assembler: VendorAssembler {
    mutating func receive(_ value: VendorValue) -> [Framed] {
      let message = TransportMessage(sessionID: "S", data: value.bytes)
      let frame = TransportFrame(message, receiptID: nil)
      return [Framed(MessageOrigin(value, .hostToAccessory), .transport(frame))]
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }

  var name: String { "OneSession" }
  var service: BluetoothUUID? { nil }
  let channels: [VendorChannel] = [.tcpPort(7_001)]
  func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  func makeAssembler() -> any VendorAssembler { Assembler() }
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }
}

/// Connections over the local network, packet by packet. RFC 791, 3.1; RFC 9293, 3.1; RFC 6762, 18; RFC 2782.
@Suite struct NetworkSessionTests {
  private static let phone: [UInt8] = [192, 168, 7, 1]
  private static let watch: [UInt8] = [192, 168, 7, 2]

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ((count - 1 - $0) * 8)) }
  }

  private static func ip(
    _ source: [UInt8], _ destination: [UInt8], _ number: UInt8, _ body: [UInt8]
  ) -> MadeRecord {
    let header: [UInt8] =
      [0x45, 0] + big(20 + body.count, 2) + [0, 1, 0x40, 0, 64, number, 0, 0]
    let ethernet = [UInt8](repeating: 2, count: 12) + [0x08, 0x00]
    return MadeRecord(
      kind: .ethernet, isReceived: false,
      hex: Hex.text(ethernet + header + source + destination + body))
  }

  /// From the phone to the watch, or back.
  private static func tcp(
    _ isSent: Bool, _ sequence: Int, _ acknowledgment: Int, _ flags: UInt8, _ text: String = "",
    phone: [UInt8] = phone, port: Int = 50_312
  ) -> MadeRecord {
    let ports = isSent ? big(port, 2) + big(7_001, 2) : big(7_001, 2) + big(port, 2)
    return ip(
      isSent ? phone : watch, isSent ? watch : phone, 6,
      ports + big(sequence, 4) + big(acknowledgment, 4) + [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0]
        + text.utf8)
  }

  private static func name(_ labels: String...) -> [UInt8] {
    labels.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + [0]
  }

  /// SRV and A.
  private static let announcement = ip(
    watch, [224, 0, 0, 251], 17,
    { () -> [UInt8] in
      let host = name("acme", "local")
      let records =
        name("Acme Watch", "_acme", "_tcp", "local") + [0, 33, 0x80, 1, 0, 0, 0, 120]
        + big(6 + host.count, 2) + [0, 0, 0, 0] + big(7_001, 2) + host
        + host + [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4] + watch
      let message: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0] + records
      return big(5_353, 2) + big(5_353, 2) + big(8 + message.count, 2) + [0, 0] + message
    }())

  private static let opening = [
    tcp(true, 999, 0, 0x02), tcp(false, 4_999, 1_000, 0x12), tcp(true, 1_000, 5_000, 0x10),
  ]

  private static func reported(
    _ records: [MadeRecord], _ channels: [VendorChannel]
  ) -> (values: [String], events: [NetworkEvent], links: [Link], sentences: [String]) {
    let session = MadeRecord.session(
      records, framings: VendorFramings([Recorder(channels: channels)]))
    var (values, events, sentences): ([String], [NetworkEvent], [String]) = ([], [], [])
    for event in session.events {
      switch event.content {
      case .accessory(let event):
        guard case .accepted(let what) = event.content else { continue }
        values.append((event.direction == .hostToAccessory ? "> " : "< ") + what.receiptID)
      case .network(let found):
        events.append(found)
        sentences.append(Event.sentence(of: found.described, event, session).text)
      default: break
      }
    }
    return (values, events, session.links, sentences)
  }

  @Test func readsConnection() throws {
    let (values, events, links, sentences) = Self.reported(
      Self.opening + [
        Self.tcp(true, 1_000, 5_000, 0x18, "hello"),
        // Out of order, then the missing one twice.
        Self.tcp(false, 5_002, 1_005, 0x18, "cd"), Self.tcp(false, 5_000, 1_005, 0x18, "ab"),
        Self.tcp(false, 5_000, 1_005, 0x18, "ab"),
        Self.tcp(true, 1_005, 5_004, 0x11), Self.tcp(false, 5_004, 1_006, 0x11),
        Self.tcp(true, 1_006, 5_005, 0x10),
      ], [.tcpPort(7_001)])
    #expect(values == ["> hello", "< ab", "< cd"])
    let link = try #require(links.first)
    #expect(links.count == 1)
    #expect(link.transport == .tcp)
    #expect(link.certainty == .seen)
    #expect(link.network?.client.description == "192.168.7.1:50312")
    #expect(link.network?.server.description == "192.168.7.2:7001")
    #expect(link.closed?.number == 9)
    #expect(link.packets == 10)
    let network = try #require(link.network)
    #expect(
      events == [
        .opened(.init(network: network, service: nil, isWhole: true)),
        .closed(.init(network: network, end: .finished, byServer: true, nanoseconds: 0)),
      ])
    #expect(
      sentences.first == "TCP connection from 192.168.7.1:50312 to 192.168.7.2:7001 opened")
  }

  /// The receiver acknowledges bytes that the capture does not have.
  @Test func reportsGap() throws {
    let (values, events, links, sentences) = Self.reported(
      Self.opening + [
        Self.tcp(true, 1_000, 5_000, 0x18, "a"), Self.tcp(true, 1_004, 5_000, 0x18, "e"),
        Self.tcp(false, 5_000, 1_005, 0x10), Self.tcp(false, 5_000, 1_005, 0x04),
      ], [.tcpPort(7_001)])
    #expect(values == ["> a", "> +3", "> e"])
    let network = try #require(links.first?.network)
    #expect(
      events.dropFirst().first == .gap(.init(network: network, isFromServer: false, count: 3)))
    #expect(sentences[1] == "3 bytes from 192.168.7.1:50312 are not in the capture")
    #expect(
      events.last
        == .closed(.init(network: network, end: .reset, byServer: true, nanoseconds: 0)))
  }

  /// A service is known by its type, wherever it listens; one that is announced later, too, even after the data.
  @Test(arguments: [0, 3, 4]) func findsService(place: Int) throws {
    var records = Self.opening + [Self.tcp(true, 1_000, 5_000, 0x18, "hello")]
    records.insert(Self.announcement, at: place)
    let (values, events, _, sentences) = Self.reported(records, [.networkService("_acme._tcp")])
    #expect(values == ["> hello"])
    let service = NetworkService(
      instance: "Acme Watch", type: "_acme._tcp", port: 7_001, host: "acme.local")
    #expect(events.contains(.service(.init(service: service))))
    #expect(
      sentences.contains("“Acme Watch” offers _acme._tcp on port 7001 of acme.local"))
    #expect(Self.reported(Self.opening, [.networkService("_other._tcp")]).values == [])
  }

  /// The data before an announcement are read when it arrives, in order, and with the packets that carried them.
  @Test func readsDataBeforeService() throws {
    let before =
      Self.opening + [
        Self.tcp(true, 1_000, 5_000, 0x18, "one"),
        // A segment that is missing, and one that the recorder has.
        Self.tcp(false, 5_002, 1_003, 0x18, "two"), Self.tcp(true, 1_003, 5_005, 0x10),
      ]
    let after = [Self.tcp(true, 1_003, 5_005, 0x18, "three"), Self.tcp(false, 5_005, 1_008, 0x04)]
    let expected = ["> one", "< +2", "< two", "> three"]
    for place in [before.count, before.count + 1, before.count + 2] {
      var records = before + after
      records.insert(Self.announcement, at: place)
      let (values, events, links, _) = Self.reported(records, [.networkService("_acme._tcp")])
      #expect(values == expected, "announced before record \(place)")
      // Each is reported once.
      let network = try #require(links.first?.network)
      let gap = NetworkEvent.gap(.init(network: network, isFromServer: true, count: 2))
      #expect(events.count { $0 == gap } == 1)
    }
    let session = MadeRecord.session(
      before + [Self.announcement],
      framings: VendorFramings([Recorder(channels: [.networkService("_acme._tcp")])]))
    let frames = session.events.compactMap { event -> UInt32? in
      if case .accessory = event.content { event.frames.last.number } else { nil }
    }
    #expect(frames == [4, 6, 5])
    #expect(session.streams.first?.bytes == [3, 3])
  }

  /// What is kept of a connection that nothing reads is limited.
  @Test func keepsLittle() {
    let text = String(repeating: "x", count: 1_000)
    func segments(_ count: Int) -> [MadeRecord] {
      Self.opening
        + (0..<count).map { Self.tcp(true, 1_000 + $0 * text.count, 5_000, 0x18, text) }
        + [Self.announcement]
    }
    let channels: [VendorChannel] = [.networkService("_acme._tcp")]
    #expect(Self.reported(segments(65), channels).values.count == 65)
    #expect(Self.reported(segments(66), channels).values.isEmpty)
  }

  /// Discovery of a characteristic on a link whose beginning is not in the capture, and a notification of it.
  private static func overBluetooth(local isLocal: Bool) -> [MadeRecord] {
    let type = "0100000000000000000000000000cdab"
    return [
      .pdu(4, "08 0100 ffff 0328", received: isLocal),
      .pdu(4, "09 15 1100101200" + type, received: !isLocal),
      .pdu(4, "1b 1200 6869", received: !isLocal),
    ]
  }

  private static let characteristic = BluetoothUUID(high: 0xABCD_0000_0000_0000, low: 1)

  /// The server is one that uses the framing over Bluetooth, although the link to it, or this host, has no name.
  @Test(arguments: [
    (false, "the peer on LE link 0x0040"), (true, "this host"),
  ])
  func continuesBluetooth(_ isLocal: Bool, _ name: String) throws {
    let channels: [VendorChannel] = [.characteristic(Self.characteristic), .tcpPort(7_001)]
    let session = MadeRecord.session(
      Self.overBluetooth(local: isLocal) + Self.opening
        + [Self.tcp(true, 1_000, 5_000, 0x18, "hello")],
      framings: VendorFramings([Recorder(channels: channels)]))
    let network = try #require(session.links.last)
    #expect(network.peerDatabase == (isLocal ? .local(0) : .link(session.links[0].id)))
    let sentences = session.events.compactMap { event -> String? in
      guard case .network(.identified(let it)) = event.content else { return nil }
      return Event.sentence(of: it, event, session).text
    }
    #expect(
      sentences == [
        "hark treats the server at 192.168.7.2:7001 as \(name), the only one that uses Recorder"
      ])
  }

  /// Two links may lead to two accessories.
  @Test func continuesNeitherOfTwo() throws {
    let other = Self.overBluetooth(local: false).map { record in
      var record = record
      record.hex = "41" + record.hex.dropFirst(2)
      return record
    }
    let channels: [VendorChannel] = [.characteristic(Self.characteristic), .tcpPort(7_001)]
    let (_, events, links, _) = Self.reported(
      Self.overBluetooth(local: false) + other + Self.opening
        + [Self.tcp(true, 1_000, 5_000, 0x18, "hello")], channels)
    let network = try #require(links.last)
    #expect(network.peerDatabase == .link(network.id))
    #expect(events.count == 1)
  }

  /// Later connections to the same host share what is known about its server.
  @Test func continuesConnection() throws {
    let (values, _, links, _) = Self.reported(
      Self.opening + [
        Self.tcp(true, 1_000, 5_000, 0x18, "hello"), Self.tcp(false, 5_000, 1_005, 0x04),
        Self.tcp(true, 7_999, 0, 0x02), Self.tcp(true, 8_000, 0, 0x18, "again"),
      ], [.tcpPort(7_001)])
    #expect(values == ["> hello", "> again"])
    #expect(links.map(\.peerDatabase) == [.link(links[0].id), .link(links[0].id)])
  }

  /// Two phones of an accessory name their sessions alike; one that connects again, from another port, is the same.
  @Test(arguments: [(phone, 50_400, 1), ([192, 168, 7, 3], 50_312, 2)])
  func clients(_ phone: [UInt8], _ port: Int, _ sessions: Int) {
    let second = [
      Self.tcp(true, 999, 0, 0x02, phone: phone, port: port),
      Self.tcp(false, 4_999, 1_000, 0x12, phone: phone, port: port),
      Self.tcp(true, 1_000, 5_000, 0x18, "again", phone: phone, port: port),
    ]
    let session = MadeRecord.session(
      Self.opening + [Self.tcp(true, 1_000, 5_000, 0x18, "hello")] + second,
      framings: VendorFramings([OneSession()]))
    let first = session.links[0].id
    #expect(session.links.map(\.peerDatabase) == [.link(first), .link(first)])
    let seen = session.events.count { event in
      guard case .accessory(let event) = event.content, case .sessionSeen = event.content else {
        return false
      }
      return true
    }
    #expect(seen == sessions)
  }

  /// Who has the lower port is the server, where the opening is not in the capture.
  @Test func beginsInTheMiddle() throws {
    let (values, events, links, _) = Self.reported(
      [Self.tcp(false, 5_000, 1_000, 0x18, "one"), Self.tcp(true, 1_000, 5_003, 0x18, "two")],
      [.tcpPort(7_001)])
    #expect(values == ["< one", "> two"])
    #expect(links.first?.certainty == .inferred)
    let network = try #require(links.first?.network)
    #expect(events == [.opened(.init(network: network, service: nil, isWhole: false))])
  }

  /// Connections to hosts elsewhere do not belong to an accessory.
  @Test func leavesOutOtherNetworks() {
    let header: [UInt8] = [0x45, 0, 0, 40, 0, 1, 0x40, 0, 64, 6, 0, 0]
    let segment =
      Self.big(50_312, 2) + Self.big(443, 2) + Self.big(999, 4) + Self.big(0, 4)
      + [0x50, 0x02, 0xFF, 0xFF, 0, 0, 0, 0]
    let record = MadeRecord(
      kind: .rawIP, isReceived: false,
      hex: Hex.text(header + Self.phone + [93, 184, 216, 34] + segment))
    #expect(Self.reported([record], []).links.isEmpty)
    #expect(Self.reported([record], [.tcpPort(443)]).links.count == 1)
  }

  /// Any part of a frame, and any bits of it: nothing may trap.
  @Test func readsAnything() {
    let frames = Self.opening + [Self.announcement, Self.tcp(true, 1_000, 5_000, 0x18, "hello")]
    var records: [MadeRecord] = []
    for frame in frames {
      let bytes = Hex.bytes(frame.hex) ?? []
      for count in 0..<bytes.count {
        var cut = frame
        cut.hex = Hex.text(Array(bytes.prefix(count)))
        records.append(cut)
        cut.cut = bytes.count - count
        records.append(cut)
        var flipped = bytes
        flipped[count] ^= 0xFF
        cut.hex = Hex.text(flipped)
        cut.cut = 0
        records.append(cut)
      }
    }
    let reported = Self.reported(records, [.tcpPort(7_001), .networkService("_acme._tcp")])
    #expect(!reported.links.isEmpty)
  }
}
