import HarkCapture
import HarkCore
import HarkDissection
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// What is said about links: who asks and who refuses, what ended, and what the recorder says itself.
@Suite struct LinkSentenceTests {
  private struct Line: Equatable {
    var lane: Event.Lane
    var sentence: String
  }

  private func lines(_ packets: [MadePacket]) -> [Line] {
    var session = Session(framings: .known)
    var lines: [Line] = []
    for packet in packets {
      let bytes = Hex.bytes(packet.hex) ?? []
      var record = CaptureRecord()
      record.kind = packet.kind
      record.time = Timestamp(nanoseconds: 0)
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      for event in session.events {
        lines.append(Line(lane: event.lane, sentence: EventText.sentence(event, session)))
      }
      session.dropEvents()
    }
    return lines
  }

  /// LE link 0x0040 to 11:22:33:44:55:66; of BR/EDR link 0x000b.
  private static func connected(_ role: String = "00") -> MadePacket {
    .event("3e 13 01 00 4000 \(role) 00 665544332211 1800 0000 4800 00")
  }

  private static let ask = "12 01 0800 1800 2800 0000 c800"

  // MARK: Who asks, who refuses

  /// By L2CAP, whoever sends the request asks; only the Peripheral may. Vol 3, Part A, 4.20
  @Test(arguments: [
    ("00", true, "Peripheral"), ("00", false, "Central"), ("01", true, "Central"),
    ("01", false, "Peripheral"),
  ])
  func asker(_ role: String, _ isReceived: Bool, _ asker: String) {
    let reported = lines([Self.connected(role), .pdu(5, Self.ask, received: isReceived)])
    let remark = asker == "Central" ? "; only the Peripheral may send this L2CAP request" : ""
    #expect(
      reported.last?.sentence
        == "\(asker) requests interval 30 ms to 50 ms, latency 0, supervision timeout 2000 ms\(remark)"
    )
  }

  /// LE Credit Based Connection Response: no resources available. Vol 3, Part A, 4.23
  @Test(arguments: [
    (false, "peer refuses the channel that this host requested"),
    (true, "this host refuses the channel that the peer requested"),
  ])
  func channel(_ byPeer: Bool, _ sentence: String) {
    let reported = lines([
      Self.connected(), .pdu(5, "14 02 0a00 8000 4000 4000 4000 0100", received: byPeer),
      .pdu(5, "15 02 0a00 0000 0000 0000 0000 0400", received: !byPeer),
    ])
    #expect(reported.last?.sentence == "\(sentence): dynamic (SPSM 0x0080), no resources available")
  }

  /// Read Not Permitted. Vol 3, Part F, 3.4.1.1
  @Test(arguments: [
    (false, "ATT_READ_REQ of attribute 0x0003 refused: Read Not Permitted (0x02)"),
    (
      true, "peer: ATT_READ_REQ of attribute 0x0003 refused by this host: Read Not Permitted (0x02)"
    ),
  ])
  func attribute(_ byPeer: Bool, _ sentence: String) {
    let reported = lines([
      Self.connected(), .pdu(4, "0a 0300", received: byPeer),
      .pdu(4, "01 0a 0300 02", received: !byPeer),
    ])
    #expect(reported.last?.sentence == sentence)
  }

  /// A notification whose HCI packet, or whose fragments, carry three bytes more than its PDU Length of 5. Vol 3, Part A, 3.1
  @Test func bytesAfterThePDU() {
    let link = "043e13 01 00 4000 00 00 665544332211 1800 0000 4800 00"
    let excess =
      "peer sent a PDU on CID 0x0004 with 3 bytes more than its PDU Length of 5: receivers may discard it"
    let notified = "notification of attribute 0x0003: \"ab\""
    let whole = HCIPackets([link, "02 4020 0c00 0500 0400 1b0300 6162 aabbcc"])
    #expect(Set(whole.texts(after: 1)) == [excess, notified])
    #expect(whole.rules.contains("link.frames-lost"))
    let parts = HCIPackets([link, "02 4020 0600 0500 0400 1b03", "02 4010 0600 00 6162 aabbcc"])
    #expect(Set(parts.texts(after: 1)) == [excess, notified])
    let exact = HCIPackets([link, "02 4020 0900 0500 0400 1b0300 6162"])
    #expect(exact.texts(after: 1) == [notified])
    #expect(!exact.rules.contains("link.frames-lost"))
  }

  // MARK: The air

  private static let offsets = String(repeating: " ff", count: 12)
  private static let parameters = "18 00 28 00 00 00 c8 00 00 00 00\(offsets)"
  private static let encRequest = "03\(String(repeating: " 01", count: 22))"

  /// Both sides are named. Vol 6, Part B, 2.4.2
  @Test(
    arguments: [
      (
        ["0 3 \(encRequest)", "1 3 0d 06"],
        "Peripheral rejects the Central's LL_ENC_REQ: PIN or Key Missing (0x06)"
      ),
      (
        ["1 3 0f \(parameters)", "0 3 0d 3b"],
        """
        Central rejects the Peripheral's LL_CONNECTION_PARAM_REQ: \
        Unacceptable Connection Parameters (0x3b)
        """
      ),
      (
        ["0 3 23 01 04 fc", "1 3 24 02 04 08 05"],
        "Peripheral's transmit power on LE 1M is now 8 dBm, 4 dB more, its maximum"
      ),
      (
        ["0 3 23 04 00 fc", "1 3 24 00 00 f8 05"],
        "Peripheral's transmit power on LE Coded (S=8): -8 dBm"
      ),
      (
        ["0 3 25 02 01 fc ec"],
        "Central's transmit power on LE 2M is now -20 dBm, 4 dB less, its minimum"
      ),
      (
        ["1 3 0d 1a"],
        "Peripheral rejects a request of the Central: Unsupported Remote Feature (0x1a)"
      ),
      (
        ["0 3 11 0e 1a"],
        """
        Central rejects the Peripheral's LL_PERIPHERAL_FEATURE_REQ: Unsupported Remote Feature (0x1a)
        """
      ),
      (
        ["0 3 14 fb 00 48 08 fb 00 48 08", "1 3 07 14"],
        "Peripheral does not support the Central's LL_LENGTH_REQ"
      ),
      (
        [
          "1 2 0c 00 05 00 12 01 08 00 18 00 28 00 00 00 c8 00",
          "0 2 06 00 05 00 13 01 02 00 01 00",
        ],
        "Central refuses the connection parameters that the Peripheral requested"
      ),
      (
        [
          "0 2 0e 00 05 00 14 02 0a 00 80 00 40 00 40 00 40 00 01 00",
          "1 2 0e 00 05 00 15 02 0a 00 00 00 00 00 00 00 00 00 02 00",
        ],
        """
        Peripheral refuses the channel that the Central requested: dynamic (SPSM 0x0080), \
        SPSM not supported
        """
      ),
      (
        ["0 2 03 00 04 00 0a 03 00", "1 2 05 00 04 00 01 0a 03 00 02"],
        "Central: ATT_READ_REQ of attribute 0x0003 refused by the Peripheral: Read Not Permitted (0x02)"
      ),
      (
        ["1 2 03 00 04 00 0a 03 00", "0 2 05 00 04 00 01 0a 03 00 02"],
        "Peripheral: ATT_READ_REQ of attribute 0x0003 refused by the Central: Read Not Permitted (0x02)"
      ),
    ] as [([String], String)])
  func refusalsOnAir(_ sent: [String], _ sentence: String) {
    #expect(lines([.connectOnAir] + sent.map(MadePacket.onAir)).last?.sentence == sentence)
  }

  // MARK: After its end

  /// Packets of a handle whose link was closed: no link that was open before the capture.
  @Test func afterItsEnd() {
    let late = MadePacket.pdu(4, "1b 0500 ab", received: true)
    let reported = lines([Self.connected(), .event("05 04 00 4000 13"), late]).map(\.sentence)
    #expect(
      reported.contains {
        $0.hasPrefix("link 0x0040 has packets after it was closed")
          || $0.hasPrefix("LE link 0x0040 has packets after it was closed")
      })
    #expect(!reported.contains { $0.contains("before the capture") })
    // Without the beginning that is what it was.
    #expect(lines([late]).contains { $0.sentence.contains("was open before the capture began") })
  }

  // MARK: What the recorder says

  /// “Watch”, F0:04:E1:3D:C6:CC, on link 0x0040.
  private static let watch = MadePacket(
    kind: .config, isReceived: false,
    hex: "01 4000 05 5761746368 ccc63de104f0 8beff6d6642721371817 6113c72fe9b8")

  /// A link that the capture shows to be another device's is not said to be the reported one's, nor open
  /// before; the peer of one that the capture shows nothing of is.
  @Test func reportsOfOtherLinks() throws {
    let other = lines([Self.connected(), Self.watch])
    #expect(
      other.last?.sentence == "PacketLogger reports LE link 0x0040 to Watch (F0:04:E1:3D:C6:CC)")
    let unknown = lines([Self.watch])
    #expect(
      unknown.last?.sentence
        == "PacketLogger reports LE link 0x0040 to Watch (F0:04:E1:3D:C6:CC): it was open before the "
        + "capture began")
  }

  // MARK: OBEX

  /// Over L2CAP it is in the lane of L2CAP: no RFCOMM carries it. GOEP 2.1.1, 4
  @Test func lanesOfOBEX() {
    let reported = lines([
      .event("03 0b 00 0b00 665544332211 01 00"),
      .pdu(1, "02 01 04 00 0110 4100", received: false, link: "0b"),
      .pdu(1, "03 01 08 00 6000 4100 0000 0000", received: true, link: "0b"),
      .pdu(0x60, "80 0007 10 00 1000", received: false, link: "0b"),
      .pdu(0x41, "a0 0007 10 00 1000", received: true, link: "0b"),
    ])
    let obex = reported.filter { $0.sentence.hasPrefix("OBEX") }
    #expect(obex.map(\.lane) == [.l2cap])
    #expect(!reported.contains { $0.lane == .rfcomm })
  }
}
