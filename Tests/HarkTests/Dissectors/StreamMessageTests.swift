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

  /// RFCOMM on BR/EDR to server channel 8: L2CAP for PSM 0x0003, DLCI 0, DLCI 16. TS 27.010, 5.2.1.6 and B.3.5: the FCS of
  /// UIH covers address and control alone.
  private static func rfcomm(_ payloads: [(isReceived: Bool, hex: String)]) -> [MadePacket] {
    func frame(_ address: UInt8, _ control: UInt8, _ payload: [UInt8], received: Bool)
      -> MadePacket
    {
      let head = [address, control, UInt8(payload.count << 1 | 1)]
      var crc: UInt8 = 0xFF
      for byte in control == 0xEF ? head[..<2] : head[...] {
        crc ^= byte
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xE0 : crc >> 1 }
      }
      return MadePacket.pdu(
        received ? 0x41 : 0x60, Hex.text(head + payload + [0xFF - crc]), received: received)
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

  /// “one” and the beginning of “second” in the first piece, its end with “3” in the last; between them a message of the
  /// other side.
  private static var pieces: [(isReceived: Bool, hex: String)] {
    let stream = Hex.bytes([message("one"), message("second"), message("3")].joined()) ?? []
    return [
      (true, Hex.text(Array(stream[..<8]))), (false, message("ask")),
      (true, Hex.text(Array(stream[8...]))),
    ]
  }

  private static func timeline(
    _ packets: [MadePacket], _ layout: String, _ options: [String] = []
  ) throws -> [String] {
    let folder = try TestFolder()
    try layout.write(toFile: folder.path("sensor.ksy"), atomically: true, encoding: .utf8)
    var made = MadeCapture()
    for packet in packets {
      var record = CaptureRecord()
      record.kind = packet.kind
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      made.add(record, Hex.bytes(packet.hex) ?? [])
    }
    let path = folder.path("made.btsnoop")
    try Data(made.bytes).write(to: URL(filePath: path))
    let arguments = ["timeline", path, "--dissectors", folder.path("")] + options
    let (text, _, code) = try OtherProgram.run(HarkProgram.url.path, arguments)
    #expect(code == 0)
    return text.split(separator: "\n").map(String.init)
  }

  /// The sentences of messages and the packets of each; text counts the second and third.
  private static func messages(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      line.range(of: " (this host|peer) sent a message ", options: .regularExpression).map {
        String(line[$0.lowerBound...].dropFirst())
      }
    }
  }

  @Test(arguments: ["rfcomm-channel: 8", "l2cap-psm: 0x80", "gatt-handle: 0x31"])
  func streams(_ place: String) throws {
    let places: [String: ([MadePacket], String)] = [
      "rfcomm-channel: 8": (Self.rfcomm(Self.pieces), "on RFCOMM channel 8"),
      "l2cap-psm: 0x80": (Self.l2cap(Self.pieces), "on dynamic (SPSM 0x0080)"),
      "gatt-handle: 0x31": (Self.values(Self.pieces), "in values of attribute 0x0031"),
    ]
    let (packets, words) = try #require(places[place])
    let layout = Self.layout(
      place + (place.hasPrefix("gatt") ? "\n  - gatt-handle: 0x33" : ""), isStream: true)
    let count = packets.count
    let asked = words.replacing("0x0031", with: "0x0033")
    #expect(
      Self.messages(try Self.timeline(packets, layout)) == [
        "peer sent a message \(words): sensor: body \"one\"  #\(count - 2)",
        "this host sent a message \(asked): sensor: body \"ask\"  #\(count - 1)",
        "peer sent a message \(words), the last: sensor: body \"3\"  #\(count - 2)–\(count) (2 packets)",
      ])
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
