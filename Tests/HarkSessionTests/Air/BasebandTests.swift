import HarkCore
import HarkTestSupport
import Testing

@testable import HarkDissection
@testable import HarkSession

/// LMP PDUs over the air: link type 255, whose header is that of
/// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_BREDR_BB.html. Core Specification, Vol 2, Part C, 4 and 5.
@Suite struct BasebandTests {
  /// The Central 00:11:22:33:44:55. Vol 2, Part B, 6.5.1.4
  static let fhs = packet(2, transport: 0, "896745235511cd10 22 1100 040424 b1a29100 cdab")

  /// A packet with the type `type` of the piconet with the LAP 0x334455.
  static func packet(
    _ type: UInt8, transport: UInt8 = 0x30, sequence: UInt8 = 0, at time: Int64 = 0,
    _ payload: String
  ) -> MadeRecord {
    // LT_ADDR 1; dewhitened, with a payload, HEC and CRC right
    let header: [UInt8] = [0x11, 0, 0, 0, transport, 0, 0, 0, 0x55, 0x44, 0x33, 0, 0, 0, 0, 0]
    let word: [UInt8] = [1 | type << 3, sequence << 1, 0, 0, 0x21, 0x0F]
    return MadeRecord(
      kind: .basebandRadio, isReceived: true, hex: Hex.text(header + word) + payload, time: time)
  }

  /// An LMP PDU in a DM1 packet. Vol 2, Part B, 6.6.2
  static func lmp(_ hex: String, sequence: UInt8 = 0, at time: Int64 = 0) -> MadeRecord {
    let pdu = Hex.bytes(hex) ?? []
    return packet(
      3, sequence: sequence, at: time, Hex.text([3 | 1 << 2 | UInt8(pdu.count) << 3] + pdu) + "aabb"
    )
  }

  private static func sentences(_ records: [MadeRecord]) -> [String] {
    MadeRecord.sentences(records) { if case .linkLayer = $0 { true } else { false } }
  }

  /// The PDU names the side that began the transaction; an answer is the other side's. 2.3
  @Test(
    arguments: [
      // LMP_DETACH
      ("0e 13", "Central ends the link: Remote User Terminated Connection (0x13)"),
      ("0f 08", "Peripheral ends the link: Connection Timeout (0x08)"),
      // LMP_NOT_ACCEPTED of LMP_ENCRYPTION_KEY_SIZE_REQ
      (
        "08 10 23",
        "Peripheral rejects the Central's LMP_ENCRYPTION_KEY_SIZE_REQ: "
          + "LMP Error Transaction Collision / LL Procedure Collision (0x23)"
      ),
      // LMP_NOT_ACCEPTED_EXT of LMP_ESCO_LINK_REQ
      (
        "ff 02 7f 0c 0d",
        "Central rejects the Peripheral's LMP_ESCO_LINK_REQ: "
          + "Connection Rejected due to Limited Resources (0x0d)"
      ),
      // LMP_SUPERVISION_TIMEOUT: 0x7D00 slots of 0.625 ms are 20 s. 5.2
      ("6e 007d", "Central sets the supervision timeout to 20 s"),
      // LMP_ESCO_LINK_REQ, LMP_REMOVE_ESCO_LINK_REQ
      ("fe 0c 01 03 01 06 0c 02 26 26 3c00 3c00 02 00", "Central requests an eSCO link"),
      (
        "ff 0d 01 13", "Peripheral ends an eSCO link: Remote User Terminated Connection (0x13)"
      ),
      // LMP_SWITCH_REQ, LMP_SNIFF_REQ of 800 slots, LMP_UNSNIFF_REQ
      ("26 aa550000", "Central requests a role switch"),
      ("2f 00 0000 2003 0400 0100", "Peripheral requests sniff mode every 500 ms"),
      ("30", "Central requests the end of sniff mode"),
      // LMP_IO_CAPABILITY_REQ and its response
      (
        "fe 19 01 00 03",
        "Central starts Secure Simple Pairing: DisplayYesNo, "
          + "MITM Protection Required - Dedicated Bonding (0x03)"
      ),
      (
        "fe 1a 03 01 02",
        "Peripheral answers Secure Simple Pairing: NoInputNoOutput, "
          + "MITM Protection Not Required - Dedicated Bonding (0x02), has Out of Band data"
      ),
      // LMP_IN_RAND, LMP_AU_RAND
      ("10 000102030405060708090a0b0c0d0e0f", "Central starts pairing with a PIN"),
      ("17 000102030405060708090a0b0c0d0e0f", "Peripheral authenticates the Central"),
      // LMP_FEATURES_REQ and its response, LMP_FEATURES_RES_EXT of page 1. 3.3
      (
        "4e ff00000000000000",
        "Central's LMP features: 3 slot packets, 5 slot packets, Encryption, Slot offset and 4 more"
      ),
      ("50 0400000000000000", "Peripheral's LMP features: Encryption"),
      (
        "fe 04 01 02 0300000000000000",
        "Peripheral's LMP features of page 1: Secure Simple Pairing (Host Support), LE Supported (Host)"
      ),
      // LMP_SET_AFH with channels 0 to 39, and off
      ("78 10270000 01 ffffffffff0000000000", "Central hops over 40 of 79 channels"),
      ("78 10270000 00 ffffffffffffffffff7f", "Central turns adaptive hopping off"),
      // LMP_CHANNEL_CLASSIFICATION_REQ; LMP_CHANNEL_CLASSIFICATION: 4 pairs of channels are good, 4 bad
      ("fe 10 01 4006 8000", "Central requests reports of how good channels are"),
      ("fe 10 00 4006 8000", "Central no longer wants reports of how good channels are"),
      ("ff 11 55ff0000000000000000", "Peripheral finds 4 of 40 pairs of channels good, 4 bad"),
      // LMP_INCR_POWER_REQ, LMP_DECR_POWER_REQ, LMP_MAX_POWER, LMP_MIN_POWER
      ("3e 00", "Central asks the Peripheral for more power"),
      ("41 00", "Peripheral asks the Central for less power"),
      ("42", "Peripheral already sends with its maximum power"),
      ("45", "Central already sends with its minimum power"),
      // LMP_POWER_CONTROL_REQ, LMP_POWER_CONTROL_RES: 0b00_00_10_01
      ("fe 1f 02", "Central asks the Peripheral for its maximum power"),
      (
        "fe 20 09",
        "Peripheral answers: GFSK changed one step, DQPSK maximum power, 8DPSK not supported"
      ),
      // LMP_ENCRYPTION_MODE_REQ
      ("1e 01", "Central requests encryption"), ("1e 00", "Central requests the end of encryption"),
    ])
  func requests(_ pdu: String, _ sentence: String) {
    #expect(Self.sentences([Self.lmp(pdu)]) == ["piconet 0x334455: \(sentence)"])
    #expect(
      Self.sentences([Self.fhs, Self.lmp(pdu)])
        == ["piconet of 00:11:22:33:44:55: \(sentence)"])
  }

  /// Pairings that fail: LMP_NUMERIC_COMPARISON_FAILED, LMP_PASSKEY_FAILED, LMP_OOB_FAILED, and LMP_NOT_ACCEPTED of
  /// LMP_AU_RAND. A collision is no failure. 2.5.1, 4.2.7
  @Test func failures() {
    let session = MadeRecord.session(
      ["fe 1b", "ff 1c", "fe 1d", "08 0b 06", "08 0b 23"].map { Self.lmp($0) })
    #expect(session.events.map(\.severity) == [.warning, .warning, .warning, .warning, .info])
  }

  /// A sender repeats a packet, with its SEQN, until the other side acknowledges it. Vol 2, Part B, 7.6
  @Test func retransmissions() {
    let detach = "0e 13"
    #expect(Self.sentences([Self.lmp(detach), Self.lmp(detach)]).count == 1)
    #expect(Self.sentences([Self.lmp(detach), Self.lmp("06 33"), Self.lmp(detach)]).count == 1)
    #expect(Self.sentences([Self.lmp(detach), Self.lmp(detach, sequence: 1)]).count == 2)
    #expect(Self.sentences([Self.lmp(detach), Self.lmp(detach, at: 5)]).count == 2)
  }

  @Test func counts() {
    let session = MadeRecord.session([Self.fhs, Self.lmp("4a 09 0f00 0122"), Self.lmp("06 25")])
    #expect(session.counts.air.linkManagerPDUs == 2)
    // In the data field of a DV packet
    let voice = Self.packet(8, transport: 0x10, "00010203040506070809 17 0e13 aabb")
    #expect(Self.sentences([voice]).count == 1)
    // The CRC is wrong, or the recorder cut the packet.
    var wrong = Self.lmp("0e 13")
    wrong.hex = wrong.hex.replacing("210f", with: "2107")
    #expect(Self.sentences([wrong]).isEmpty)
    for count in 1...6 { _ = Self.sentences([Self.lmp("0e 13").losing(count)]) }
  }
}
