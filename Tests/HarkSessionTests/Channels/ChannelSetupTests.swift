import HarkCore
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkSession

/// How channels open, and limits of what they carry. Core Specification, Vol 3, Part A.
@Suite struct ChannelSetupTests {
  private func sentences(_ records: [MadeRecord]) -> [String] {
    MadeRecord.sentences(records) { content in
      switch content {
      case .channel, .rfcomm, .capture: true
      default: false
      }
    }
  }

  private func sent(_ cid: UInt16, _ hex: String) -> MadeRecord {
    .pdu(cid, hex, received: false)
  }

  private func received(_ cid: UInt16, _ hex: String) -> MadeRecord {
    .pdu(cid, hex, received: true)
  }

  // MARK: Pending responses

  /// L2CAP_CREDIT_BASED_CONNECTION_REQ of one channel, and responses with a result. 4.25, 4.26
  private func enhanced(_ results: [String]) -> [MadeRecord] {
    [sent(0x0005, "17 04 0a 00 27 00 64 00 40 00 02 00 44 00")]
      + results.map { received(0x0005, "18 04 0a 00 78 00 40 00 03 00 \($0)") }
  }

  /// A pending response refuses nothing: the next one with its identifier decides.
  @Test(arguments: ["0d", "0e", "0f"]) func enhancedPending(_ result: String) {
    #expect(
      sentences(enhanced(["\(result) 00 00 00", "00 00 55 00"])) == [
        "channel opened: EATT (SPSM 0x0027), Source CID 0x0044, Destination CID 0x0055; this host: "
          + "MTU 100, MPS 64, 2 credits; peer: MTU 120, MPS 64, 3 credits"
      ])
    #expect(
      sentences(enhanced(["\(result) 00 00 00", "05 00 00 00"])) == [
        "peer refuses the channel that this host requested: EATT (SPSM 0x0027), insufficient "
          + "authentication"
      ])
    #expect(sentences(enhanced(["\(result) 00 00 00"])) == [])
  }

  // MARK: Configuration. 4.4, 4.5, 6.1.4

  /// L2CAP_CONNECTION_REQ for AVDTP and its response: CIDs 0x0041 here, 0x0060 there. 4.2, 4.3
  private var connected: [MadeRecord] {
    [
      sent(0x0001, "02 01 04 00 19 00 41 00"),
      received(0x0001, "03 01 08 00 60 00 41 00 00 00 00 00"),
    ]
  }
  private static let ends = "AVDTP (PSM 0x0019), Source CID 0x0041, Destination CID 0x0060"

  /// Each side's request and the other's answer to it.
  private func configured(_ mine: String = "00 00", _ theirs: String = "00 00") -> [MadeRecord] {
    [
      sent(0x0001, "04 02 04 00 60 00 00 00"),
      received(0x0001, "05 02 06 00 41 00 00 00 \(mine)"),
      received(0x0001, "04 03 04 00 41 00 00 00"),
      sent(0x0001, "05 03 06 00 60 00 00 00 \(theirs)"),
    ]
  }

  private var disconnected: [MadeRecord] {
    [
      sent(0x0001, "06 09 04 00 60 00 41 00"), received(0x0001, "07 09 04 00 60 00 41 00"),
    ]
  }

  @Test func opensWhenBothSidesAgree() {
    #expect(sentences(connected) == [])
    #expect(sentences(connected + configured().prefix(3)) == [])
    #expect(sentences(connected + configured()) == ["channel opened: \(Self.ends)"])
    #expect(
      sentences(connected + configured() + disconnected)
        == ["channel opened: \(Self.ends)", "channel closed: \(Self.ends)"])
  }

  /// Pending, then accepted; and a request in two parts, of which the first answer is empty. 4.4, 4.5
  @Test func opensAfterTheLastAnswer() {
    let pending = configured("04 00")
    #expect(sentences(connected + pending) == [])
    #expect(
      sentences(connected + pending + [received(0x0001, "05 02 06 00 41 00 00 00 00 00")])
        == ["channel opened: \(Self.ends)"])
    let continued = [
      sent(0x0001, "04 02 04 00 60 00 01 00"), received(0x0001, "05 02 06 00 41 00 01 00 00 00"),
    ]
    #expect(sentences(connected + continued + configured().suffix(2)) == [])
    #expect(
      sentences(connected + continued + configured()) == ["channel opened: \(Self.ends)"])
  }

  /// Only an open channel carries data: its configuration is not in the capture.
  @Test func dataShowsThatItIsOpen() {
    // AVDTP_DISCOVER. AVDTP 1.3, 8.6
    #expect(
      sentences(connected + [sent(0x0060, "00 01")]) == ["channel opened: \(Self.ends)"])
  }

  @Test(arguments: [
    ("01 00", "unacceptable parameters"), ("02 00", "rejected without a reason"),
    ("03 00", "unknown options"), ("05 00", "flow specification rejected"),
  ]) func configurationRefused(_ result: String, _ words: String) {
    #expect(
      sentences(connected + configured(result) + disconnected) == [
        "peer refuses the configuration that this host requested: \(Self.ends): \(words)",
        "channel closed before both sides accepted its configuration: \(Self.ends)",
      ])
    #expect(
      sentences(connected + configured("00 00", result)) == [
        "this host refuses the configuration that the peer requested: \(Self.ends): \(words)"
      ])
  }

  /// L2CAP_COMMAND_REJECT_RSP. 4.1
  @Test func configurationRejected() {
    let rejected = [
      sent(0x0001, "04 02 04 00 60 00 00 00"), received(0x0001, "01 02 02 00 00 00"),
    ]
    #expect(
      sentences(connected + rejected) == [
        "peer refuses the configuration that this host requested: \(Self.ends): command not "
          + "understood"
      ])
  }

  // MARK: SDUs that are longer than announced. 3.4.3

  /// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ: SPSM 0x0080, CIDs 0x0040 and 0x0041, MTU 64, MPS 23. 4.22
  private var creditBased: [MadeRecord] {
    [
      sent(0x0005, "14 01 0a 00 80 00 40 00 40 00 17 00 09 00"),
      received(0x0005, "15 01 0a 00 41 00 40 00 17 00 09 00 00 00"),
    ]
  }

  /// What follows the opening of the channel.
  private func carried(_ frames: [String]) -> [String] {
    let ends = ": dynamic (SPSM 0x0080), Source CID 0x0040, Destination CID 0x0041"
    return sentences(creditBased + frames.map { received(0x0040, $0) }).dropFirst().map {
      $0.hasSuffix(ends) ? String($0.dropLast(ends.count)) : $0
    }
  }

  @Test func longerThanAnnounced() {
    let data = { (text: String) in "peer sent data on dynamic (SPSM 0x0080): \(text)" }
    #expect(
      carried(["03 00 01 02 03 04 05", "03 00 01 02 03"]) == [
        "peer sent 5 bytes of an SDU whose first frame announces 3", data("01 02 03"),
      ])
    // The second frame has one byte too many: the third begins anew.
    #expect(
      carried(["06 00 01 02 03 04", "b1 b2 b3", "03 00 01 02 03"]) == [
        "peer sent 7 bytes of an SDU whose first frame announces 6", data("01 02 03"),
      ])
  }

  /// A frame that begins another SDU shows that frames are missing.
  @Test func missingFrames() {
    #expect(
      carried(["06 00 01 02 03 04", "03 00 01 02 03"]) == [
        "PDU incomplete: 4 bytes received, 2 missing",
        "peer sent data on dynamic (SPSM 0x0080): 01 02 03",
      ])
  }

  // MARK: Flow control of I-frames. 5.4, 8.6

  /// Enhanced Retransmission mode without FCS, TxWindow 2 of both sides, and frames: `>` for those of this host.
  private func retransmission(_ frames: [String]) -> [String] {
    let options = "04 09 03 02 03 d0 07 e0 2e 40 00 05 01 00"
    let begun = [
      sent(0x0001, "02 01 04 00 01 10 40 00"),
      received(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00"),
      sent(0x0001, "04 02 12 00 41 00 00 00 \(options)"),
      received(0x0001, "05 02 06 00 40 00 00 00 00 00"),
      received(0x0001, "04 03 12 00 40 00 00 00 \(options)"),
      sent(0x0001, "05 03 06 00 41 00 00 00 00 00"),
    ]
    let carried = frames.map {
      $0.hasPrefix(">")
        ? sent(0x41, String($0.dropFirst())) : received(0x40, String($0.dropFirst()))
    }
    return sentences(begun + carried).filter { $0.contains("I-frame") }
      .map { String($0.prefix { $0 != ":" }) }
  }

  @Test func window() {
    let begun = [">00 00 aa", "<01 01", ">02 00 bb", ">04 00 cc"]
    #expect(retransmission(begun + ["<01 03", ">06 00 dd"]) == [])
    // TxSeq 1 again is none more.
    #expect(retransmission(begun + [">02 00 bb"]) == [])
    #expect(
      retransmission(begun + [">06 00 dd"]) == [
        "this host sent 3 I-frames without acknowledgement, but the receiver's TxWindow is 2"
      ])
  }

  /// RNR, and RR, after which the other side may send again.
  @Test func receiverNotReady() {
    let begun = [">00 00 aa", "<09 01"]
    #expect(
      retransmission(begun + [">02 00 bb"]) == [
        "this host sent an I-frame although the receiver was not ready (RNR)"
      ])
    #expect(retransmission(begun + ["<01 01", ">02 00 bb"]) == [])
  }

  // MARK: Streams

  /// Frames on CIDs without a channel, on a link whose beginning the capture has.
  @Test func linkIsSeen() {
    let connection = MadeRecord.event(
      "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 18 00 00 00 48 00 00")
    let session = MadeRecord.session([connection, received(0x0077, "68 65 6c 6c 6f")])
    #expect(session.links.map(\.wasOpenBefore) == [false])
  }

  // MARK: PDUs that the end of the link cuts off

  @Test func linkEndsWithinPDU() {
    let whole = MadeRecord.pdu(
      0x0004, "1b 03 00 \(String(repeating: "41 ", count: 57))", received: true)
    let end = MadeRecord.event("05 04 00 40 00 13")
    #expect(
      sentences(whole.fragments(of: 27).prefix(2) + [end]) == [
        "PDU incomplete: 54 bytes received, 10 missing when the link ended: channel 0x0004 "
          + "(Attribute Protocol)"
      ])
    #expect(sentences(whole.fragments(of: 27) + [end]) == [])
  }

  // MARK: RFCOMM. RFCOMM 1.2, 5.5.3, 6.5; TS 27.010, 5.2.1.6, 5.7.2

  /// The session, parameter negotiation of DLCI 8 with up to 20 bytes and 2 credits for this host, and
  /// `frames` on it, each after so many seconds.
  private func dataLink(_ frames: [(MadeRecord, Int64)]) -> [String] {
    func frame(_ received: Bool, _ address: UInt8, _ control: UInt8, _ hex: String = "")
      -> MadeRecord
    {
      .pdu(
        received ? 0x40 : 0x41, Hex.text(RFCOMMBytes.frame(address, control, Hex.bytes(hex) ?? [])),
        received: received)
    }
    let begun = [
      sent(0x0001, "02 01 04 00 03 00 40 00"),
      received(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00"),
      frame(false, 0x03, 0x3F), frame(true, 0x03, 0x73),
      frame(false, 0x03, 0xEF, "83 11 08 f0 00 00 14 00 00 02"),
      frame(true, 0x01, 0xEF, "81 11 08 e0 00 00 14 00 00 02"),
      frame(false, 0x23, 0x3F), frame(true, 0x23, 0x73),
    ]
    var seconds: Int64 = 0
    let timed = frames.map { record, wait in
      var record = record
      seconds += wait
      record.time = seconds
      return record
    }
    return Array(sentences(begun + timed).dropFirst(2))
  }

  private func data(_ count: Int) -> MadeRecord {
    let frame = RFCOMMBytes.frame(0x23, 0xEF, [UInt8](repeating: 0x41, count: count))
    return sent(0x41, Hex.text(frame))
  }

  /// Two credits: address, control with P/F 1, length, credits, FCS. 6.5.2
  private var credits: MadeRecord {
    received(0x40, Hex.text(RFCOMMBytes.credits(0x21, 2)))
  }

  @Test func creditsLacking() {
    #expect(
      dataLink([(data(2), 0), (data(2), 0), (credits, 10), (data(2), 0)]) == [
        "this host had no credits left for 10 s: RFCOMM channel 4"
      ])
    // It sends only later: perhaps it had nothing to send.
    #expect(dataLink([(data(2), 0), (data(2), 0), (credits, 10), (data(2), 1)]) == [])
    #expect(dataLink([(data(2), 0), (data(2), 0), (credits, 0), (data(2), 0)]) == [])
  }

  @Test func frameTooLong() {
    #expect(dataLink([(data(20), 0)]) == [])
    #expect(
      dataLink([(data(21), 0), (data(22), 0)]) == [
        "this host sent a frame with 21 bytes, but the maximum frame size is 20: RFCOMM channel 4"
      ])
  }

  @Test func wrongFCS() {
    var frame = RFCOMMBytes.frame(0x23, 0xEF, [1, 2])
    frame[frame.count - 1] ^= 0xFF
    #expect(
      dataLink([(sent(0x41, Hex.text(frame)), 0)]) == [
        "this host sent an RFCOMM frame with a wrong FCS on DLCI 8: its receiver discards it"
      ])
  }
}
