import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What the session knows of the attribute a PDU is about. Core Specification, Vol 3, Part F, 3.2.
struct SessionAttributeTests {
  /// The context of each packet as it was when the packet was indexed: `>` from the client.
  static func contexts(_ packets: [String]) -> [Context] {
    var session = Session()
    var contexts: [Context] = []
    for (index, packet) in packets.enumerated() {
      let pdu = hex(String(packet.dropFirst()))
      let isFirst = packet.hasPrefix(">")
      let bytes =
        [0x40, isFirst ? 0x00 : 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 4, 0] + pdu
      var record = CaptureRecord()
      record.kind = .acl
      record.count = bytes.count
      record.originalCount = bytes.count
      record.time = Timestamp(microseconds: Int64(index) * 1000)
      record.direction = isFirst ? .hostToController : .controllerToHost
      session.index(record, bytes.raw)
      contexts.append(session.context(session.packets[UInt32(index + 1)] ?? PacketRow()))
    }
    return contexts
  }

  /// Battery Level at 0x0003, with its configuration at 0x0004; ANCS behind it.
  static let discovery = [
    ">08010004000328", "<0907" + "0200" + "12" + "0300" + "192a",
    ">0404000400", "<0501" + "0400" + "0229",
    ">0805000a000328", "<0915" + "0500" + "10" + "0600" + "fb7b7cce6ab344beb54bd624e9c6ea22",
    ">0807000a000328", "<0915" + "0700" + "08" + "0800" + "d9d9aafdbd9b2198a849e145f3d8d169",
  ]

  private func types(_ packets: [String]) -> [String] {
    Self.contexts(Self.discovery + packets).dropFirst(Self.discovery.count)
      .map { $0.attributeType.map { "\($0)" } ?? "-" }
  }

  @Test func requestsAndResponses() {
    #expect(types([">0a0300", "<0b57"]) == ["0x2A19", "0x2A19"])
    #expect(types([">1204000100", "<13"]) == ["0x2902", "-"])
    #expect(types([">0a0300", "<010a030005"]) == ["0x2A19", "0x2A19"])
    #expect(types([">0c03000100", "<0d57"]) == ["0x2A19", "0x2A19"])
    #expect(types(["<1b030057", "<1d030058", ">1e"]) == ["0x2A19", "0x2A19", "-"])
    #expect(types([">5204000100"]) == ["0x2902"])
  }

  @Test func whatIsNotKnown() {
    // Handles that discovery did not show; the client's own server; an error of a discovery request.
    #expect(types(["<1b090057"]) == ["-"])
    #expect(types([">1b030057"]) == ["-"])
    #expect(types([">0403000400", "<010403000a"]) == ["-", "-"])
  }

  /// A Data Source value after the first of an answer is read as one.
  @Test func continuation() {
    let flags = Self.contexts(
      Self.discovery + [
        ">120800" + "0005000000" + "01ffff", "<13", "<1b0600" + "0005000000" + "010400" + "4869",
        "<1b0600" + "2121", "<1b0600" + "00",
      ]
    ).suffix(5).map(\.continuesMessage)
    #expect(flags == [false, false, false, true, false])
  }

  /// What a client wrote and was refused is reported by the service that knows the request.
  @Test func refusal() {
    var session = SessionATTTests.session(
      Self.discovery + [">120800" + "0005000000" + "00", "<01120800a2"])
    var reported: [String] = []
    session.takeEvents { event in
      switch event.content {
      case .attribute(.attError): reported.append("error")
      case .accessory(let event):
        if case .plain(let message) = event.content,
          case .refused(.request, error: let error, of: let type)? = message.contents.first
        {
          reported.append("refused \(error) \(type) \(event.frames.map(\.number))")
        }
      default: break
      }
    }
    #expect(reported == ["refused 162 \(ANCS.controlPoint) [9, 10]"])
  }

  /// A value that Read Blob continues is read once its last part is there. Core Specification, Vol 3, Part F, 3.4.4.5
  @Test func longRead() throws {
    let part = String(repeating: "41", count: 22)
    let session = MadeRecord.session([
      .pdu(4, "0a 0300", received: false, at: 1), .pdu(4, "0b \(part)", received: true, at: 2),
      .pdu(4, "0c 0300 1600", received: false, at: 3), .pdu(4, "0d 4242", received: true, at: 5),
    ])
    let read = try #require(
      session.events.first { if case .attribute(.value) = $0.content { true } else { false } })
    #expect(read.frames == Event.Frames(PacketID(2), PacketID(4), count: 2))
    #expect(read.time == session.row(of: PacketID(4))?.time)
  }

  /// The second of two such values is counted, with its packets.
  @Test func longReadAgain() throws {
    let part = String(repeating: "41", count: 22)
    let read: [MadeRecord] = [
      .pdu(4, "0a 0300", received: false), .pdu(4, "0b \(part)", received: true),
      .pdu(4, "0c 0300 1600", received: false), .pdu(4, "0d 4242", received: true),
    ]
    let repeated = try #require(
      MadeRecord.session(read + read).events.first {
        if case .attribute(.repeated) = $0.content { true } else { false }
      })
    #expect(repeated.frames == Event.Frames(PacketID(6), PacketID(8), count: 2))
  }
}
