import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkTestSupport
import Testing

/// The timeline and its JSON show each message that a layout reads in a stream, wherever its pieces are.
@Suite struct StreamMessageTests {
  /// A mark, a length of two octets, then so many characters.
  private static let seq = """
    seq:
      - id: mark
        contents: [0xa5]
      - id: len_body
        type: u2
      - id: body
        size: len_body
        type: str
        encoding: ASCII

    """

  private static let stream = """
    -hark-stream:
      header: 3
      total: len_body + 3

    """

  private static func layout(_ place: String, isStream: Bool) -> String {
    "meta:\n  id: sensor\n  endian: be\n-hark-attach:\n  - \(place)\n"
      + (isStream ? stream : "") + seq
  }

  private static func message(_ text: String) -> String {
    "a5 00 \(Hex.text([UInt8(text.utf8.count)])) \(Hex.text(Array(text.utf8)))"
  }

  /// RFCOMM on BR/EDR to server channel 8: L2CAP for PSM 0x0003, DLCI 0, DLCI 16.
  private static func rfcomm(_ payloads: [(isReceived: Bool, hex: String)]) -> [MadePacket] {
    func frame(_ address: UInt8, _ control: UInt8, _ payload: [UInt8], received: Bool)
      -> MadePacket
    {
      MadePacket.pdu(
        received ? 0x41 : 0x60, Hex.text(RFCOMMBytes.frame(address, control, payload)),
        received: received)
    }
    return [
      MadePacket.pdu(0x01, "02 01 04 00 03 00 41 00", received: false),
      MadePacket.pdu(0x01, "03 01 08 00 60 00 41 00 00 00 00 00", received: true),
    ]
      + [0x03, 0x43].flatMap { address in
        [frame(address, 0x3F, [], received: false), frame(address, 0x73, [], received: true)]
      }
      + payloads.map { payload in
        frame(
          payload.isReceived ? 0x41 : 0x43, 0xEF, Hex.bytes(payload.hex) ?? [],
          received: payload.isReceived)
      }
  }

  /// A credit-based channel for SPSM 0x0080, and a K-frame for each SDU. Vol 3, Part A, 3.4.3, 4.22, 4.23
  private static func l2cap(_ payloads: [(isReceived: Bool, hex: String)]) -> [MadePacket] {
    [
      MadePacket.pdu(0x05, "14 01 0a00 8000 4000 4000 4000 2000", received: false),
      MadePacket.pdu(0x05, "15 01 0a00 4100 4000 4000 2000 0000", received: true),
    ]
      + payloads.map { payload in
        let size = UInt8(Hex.bytes(payload.hex)?.count ?? 0)
        return MadePacket.pdu(
          payload.isReceived ? 0x40 : 0x41, "\(Hex.text([size, 0])) \(payload.hex)",
          received: payload.isReceived)
      }
  }

  /// A notification of 0x0031, or a Write Command to 0x0033. Vol 3, Part F, 3.4.7.1, 3.4.5.3
  private static func values(_ payloads: [(isReceived: Bool, hex: String)]) -> [MadePacket] {
    payloads.map { payload in
      MadePacket.pdu(
        0x04, (payload.isReceived ? "1b 3100 " : "52 3300 ") + payload.hex,
        received: payload.isReceived)
    }
  }

  /// iAP2 over RFCOMM; the device that captured is Apple's. Three link packets negotiate the sessions 1 (control) and 2
  /// (External Accessory), the accessory declares `com.acme.b`, the device opens a session of it, and each payload is the
  /// data of a link packet. Accessory Interface Specification: link packet, control message, External Accessory.
  private static func externalAccessory(_ payloads: [(isReceived: Bool, hex: String)])
    -> [MadePacket]
  {
    func parameter(_ identifier: UInt8, _ value: [UInt8]) -> [UInt8] {
      [0, UInt8(value.count + 4), 0, identifier] + value
    }
    func message(_ identifier: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
      [0x40, 0x40, 0, UInt8(parameters.count + 6)] + identifier + parameters
    }
    let synchronization: [UInt8] = [1, 5, 0x10, 0, 4, 0, 0, 0x17, 3, 3, 1, 0, 1, 2, 2, 1]
    let protocols = parameter(
      10, parameter(0, [5]) + parameter(1, Array("com.acme.b\0".utf8)))
    var packets: [(isReceived: Bool, control: UInt8, session: UInt8, payload: [UInt8])] = [
      (true, 0x80, 0, synchronization), (false, 0xC0, 0, synchronization), (true, 0x40, 0, []),
      (true, 0x40, 1, message([0x1D, 0x01], protocols)),
      (false, 0x40, 1, message([0xEA, 0x00], parameter(0, [5]) + parameter(1, [0, 7]))),
    ]
    packets += payloads.map { ($0.isReceived, 0x40, 2, [0, 7] + (Hex.bytes($0.hex) ?? [])) }
    // Numbers of the accessory and of the device; an acknowledgment alone has none.
    var sequences: [UInt8] = [0x2A, 0x64]
    return rfcomm(
      packets.map { packet in
        let own = packet.isReceived ? 0 : 1
        if !packet.payload.isEmpty { sequences[own] += 1 }
        let acknowledged = packet.control == 0x80 ? 0 : sequences[1 - own]
        func checksum(_ bytes: [UInt8]) -> UInt8 { 0 &- bytes.reduce(0, &+) }
        let count = packet.payload.isEmpty ? 9 : packet.payload.count + 10
        let head = [
          0xFF, 0x5A, 0, UInt8(count), packet.control, sequences[own], acknowledged, packet.session,
        ]
        let tail = packet.payload.isEmpty ? [] : packet.payload + [checksum(packet.payload)]
        return (packet.isReceived, Hex.text(head + [checksum(head)] + tail))
      })
  }

  /// A TCP connection to port 7001 without its end, in raw IP. RFC 791, 3.1; RFC 9293, 3.1
  private static func tcp(_ payloads: [(isReceived: Bool, hex: String)]) -> [MadePacket] {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ((count - 1 - $0) * 8)) }
    }
    // The next numbers of the client and of the server.
    var sequences = [1_000, 5_000]
    func segment(_ isReceived: Bool, _ flags: UInt8, _ body: [UInt8]) -> MadePacket {
      let own = isReceived ? 1 : 0
      let ports = [50_312, 7_001]
      let hosts: [[UInt8]] = [[192, 168, 7, 1], [192, 168, 7, 2]]
      let header: [UInt8] = [0x45, 0] + big(40 + body.count, 2) + [0, 1, 0x40, 0, 64, 6, 0, 0]
      let bytes =
        header + hosts[own] + hosts[1 - own] + big(ports[own], 2) + big(ports[1 - own], 2)
        + big(sequences[own], 4) + big(sequences[1 - own], 4) + [
          0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0,
        ]
      sequences[own] += body.count + Int(flags & 0x02) / 2
      return MadePacket(kind: .rawIP, isReceived: isReceived, hex: Hex.text(bytes + body))
    }
    return [segment(false, 0x02, []), segment(true, 0x12, []), segment(false, 0x10, [])]
      + payloads.map { segment($0.isReceived, 0x18, Hex.bytes($0.hex) ?? []) }
  }

  /// “one” and the beginning of “second” in the first piece, its end with “3” in the last; between them a message of the
  /// other side.
  private static var pieces: [(isReceived: Bool, hex: String)] {
    let stream = Hex.bytes([message("one"), message("second"), message("3")].joined()) ?? []
    return [
      (true, Hex.text(Array(stream[..<8]))), (false, message("ask")),
      (true, Hex.text(Array(stream[8...]))),
    ]
  }

  /// A btsnoop file, or of raw IP a pcap file.
  private static func capture(_ packets: [MadePacket]) -> [UInt8] {
    guard packets.first?.kind == .rawIP else {
      var made = MadeCapture()
      for packet in packets {
        var record = CaptureRecord()
        record.kind = packet.kind
        record.direction = packet.isReceived ? .controllerToHost : .hostToController
        made.add(record, Hex.bytes(packet.hex) ?? [])
      }
      return made.bytes
    }
    let head = Hex.bytes("d4c3b2a1 0200 0400 00000000 00000000 ffff0000 65000000") ?? []
    return packets.reduce(into: head) { file, packet in
      let bytes = Hex.bytes(packet.hex) ?? []
      let count = [UInt8(bytes.count), 0, 0, 0]
      file += [0, 0, 0, 0, 0, 0, 0, 0] + count + count + bytes
    }
  }

  private static func timeline(
    _ packets: [MadePacket], _ layout: String, _ options: [String] = []
  ) throws -> [String] {
    let folder = try TestFolder()
    try layout.write(toFile: folder.path("sensor.ksy"), atomically: true, encoding: .utf8)
    let path = folder.path("made.capture")
    try Data(capture(packets)).write(to: URL(filePath: path))
    let arguments = ["timeline", path, "--dissectors", folder.path("")] + options
    let (text, _, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(code == 0)
    return text.split(separator: "\n").map(String.init)
  }

  /// The sentences of messages and the packets of each; text counts the second and third.
  private static func messages(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      line.range(
        of: " ([0-9]+ more times: )?(this host|peer) sent a message ", options: .regularExpression
      ).map { String(line[$0.lowerBound...].dropFirst()) }
    }
  }

  @Test(arguments: [
    "rfcomm-channel: 8", "l2cap-psm: 0x80", "gatt-handle: 0x31", "ea-protocol: com.acme.b",
    "tcp-port: 7001",
  ])
  func streams(_ place: String) throws {
    let places: [String: ([MadePacket], String)] = [
      "rfcomm-channel: 8": (Self.rfcomm(Self.pieces), "on RFCOMM channel 8"),
      "l2cap-psm: 0x80": (Self.l2cap(Self.pieces), "on dynamic (SPSM 0x0080)"),
      "gatt-handle: 0x31": (Self.values(Self.pieces), "in values of attribute 0x0031"),
      "ea-protocol: com.acme.b": (
        Self.externalAccessory(Self.pieces), "on External Accessory session 7 (com.acme.b)"
      ),
      "tcp-port: 7001": (Self.tcp(Self.pieces), "on TCP port 7001"),
    ]
    let (packets, words) = try #require(places[place])
    let layout = Self.layout(
      place + (place.hasPrefix("gatt") ? "\n  - gatt-handle: 0x33" : ""), isStream: true)
    let count = packets.count
    let asked = words.replacing("0x0031", with: "0x0033")
    // The first data of an External Accessory session has a row of its own, after which counting starts again.
    let rest =
      place.hasPrefix("ea")
      ? [
        "peer sent a message \(words): sensor: body \"second\"  #\(count - 2)–\(count) (2 packets)",
        "peer sent a message \(words): sensor: body \"3\"  #\(count)",
      ]
      : [
        "2 more times: peer sent a message \(words); the last: sensor: body \"3\"  #\(count - 2)–\(count) (2 packets)"
      ]
    #expect(
      Self.messages(try Self.timeline(packets, layout)) == [
        "peer sent a message \(words): sensor: body \"one\"  #\(count - 2)",
        "this host sent a message \(asked): sensor: body \"ask\"  #\(count - 1)",
      ] + rest)
    let json = try Self.timeline(packets, layout, ["--format", "json"]).filter {
      $0.contains(#""kind":"stream-message""#)
    }
    #expect(json.count == 4)
    let second = try #require(json.first { $0.contains(#"\"second\""#) })
    #expect(second.contains(#""decoded":"sensor: body \"second\"""#))
    #expect(second.contains(#""value":"a500067365636f6e64","value_count":9"#))
    #expect(second.contains(#""stream":"#) && second.contains(#""by_peer":true"#))
  }

  /// Without `-hark-stream`, a frame of RFCOMM is a message.
  @Test func frames() throws {
    let packets = Self.rfcomm([(true, Self.message("one")), (false, Self.message("two"))])
    let layout = Self.layout("rfcomm-channel: 8", isStream: false)
    #expect(
      Self.messages(try Self.timeline(packets, layout)) == [
        "peer sent a message on RFCOMM channel 8: sensor: body \"one\"  #7",
        "this host sent a message on RFCOMM channel 8: sensor: body \"two\"  #8",
      ])
  }

  /// No byte of a stream with a key in its messages is shown.
  @Test func keys() throws {
    let packets = Self.rfcomm(Self.pieces)
    let layout = Self.layout("rfcomm-channel: 8", isStream: true)
      .replacing("    encoding: ASCII", with: "    encoding: ASCII\n    -hark-personal: key")
    for options in [[], ["--format", "json"]] {
      let lines = try Self.timeline(packets, layout, options)
      #expect(lines.contains { $0.contains("sensor") })
      #expect(!lines.contains { $0.contains("second") || $0.contains("7365636f6e64") })
    }
  }
}
