import HarkCore
import Testing

@testable import HarkSession

/// Packets from the air of which the recorder did not keep the end.
@Suite struct AirCutTests {
  /// LL_TERMINATE_IND ends the connection where its ErrorCode is there. Vol 6, Part B, 2.4.2.3; the header is
  /// that of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, which calls the CRC right.
  @Test(arguments: [false, true]) func control(_ isCoded: Bool) {
    var air = MadeAir()
    air.connect()
    let radio = "05000000 d6be898e" + (isCoded ? "018c" : "010c")
    let packet = MadeRecord(
      kind: .leRadio, isReceived: false,
      hex: radio + "e9c3a750" + (isCoded ? "00" : "") + "0302 0213 000000", time: 1)
    for lost in 0..<21 {
      let session = MadeRecord.session(air.records + [packet.losing(lost)])
      #expect(session.air.state.connections.map(\.isClosed) == [lost <= 3], "\(lost) octets")
    }
  }

  /// Of an ATT PDU the opcode alone may be there, or less: the header of L2CAP.
  @Test func attributes() {
    var air = MadeAir()
    air.connect()
    let packet = MadeRecord(
      kind: .leRadio, isReceived: false,
      hex: "05000000 d6be898e 010c e9c3a750 0209 0500 0400 0b01020304 000000", time: 1)
    for lost in 3..<15 {
      let session = MadeRecord.session(air.records + [packet.losing(lost)])
      #expect(session.counts.air.wrongCRCs == 0)
      #expect(session.links.count == 1)
    }
  }
}
