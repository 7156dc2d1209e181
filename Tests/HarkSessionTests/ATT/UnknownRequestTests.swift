import HarkCore
import Testing

@testable import HarkSession

/// Requests with an opcode that no PDU has. Core Specification, Vol 3, Part F, 3.3
@Suite struct UnknownRequestTests {
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
