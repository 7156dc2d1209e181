import HarkCore
import Testing

@testable import HarkSession

/// Requests with an opcode that no PDU has. Core Specification, Vol 3, Part F, 3.3
@Suite struct UnknownRequestTests {
  /// A value that Read Blob continues is read once its last part is there. 3.4.4.5
  @Test func timeOfLongRead() {
    let part = String(repeating: "41", count: 22)
    let session = MadeRecord.session([
      .pdu(4, "0a 0300", received: false, at: 1), .pdu(4, "0b \(part)", received: true, at: 2),
      .pdu(4, "0c 0300 1600", received: false, at: 3), .pdu(4, "0d 4242", received: true, at: 5),
    ])
    let read = session.events.last { $0.frames.last.number == 4 }
    let row = session.row(of: PacketID(4))
    #expect(read != nil && read?.time == row?.time)
  }

  /// ATT_ERROR_RSP, Request Not Supported. 3.4.1.1
  @Test(arguments: [true, false]) func refused(_ isFromPeer: Bool) {
    let session = MadeRecord.session([
      .pdu(4, "3a 01", received: isFromPeer), .pdu(4, "01 3a 0000 06", received: !isFromPeer),
    ])
    let refused = session.events.compactMap { event -> AttributeEvent.UnknownRefused? in
      if case .attribute(.unknownRefused(let it)) = event.content { it } else { nil }
    }
    #expect(refused.map(\.opcode) == [0x3A])
    #expect(refused.map(\.error) == [6])
    #expect(refused.map(\.isLocal) == [isFromPeer])
  }
}
