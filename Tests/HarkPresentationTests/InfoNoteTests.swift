import HarkCapture
import HarkCore
import HarkSession
import Testing

@testable import HarkPresentation

/// What `hark info` and `hark doctor` say about times, and about links of which the capture lacks a part. Files by hand.
@Suite struct InfoNoteTests {
  private struct Outcome {
    var text: String
    var checks: [DoctorCheck]
    var links: [Link]
  }

  private func read(_ bytes: [UInt8]) throws -> Outcome {
    let capture = try Capture(bytes: bytes, name: "made")
    var session = Session()
    var report = CaptureReport()
    var health = CaptureHealth()
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      health.take(record, bytes)
      for event in session.events { report.note(event) }
      session.dropEvents()
      return true
    }
    session.finish()
    var out = TextBuffer()
    report.write(name: "made", capture.info, end, session, style: .plain, to: &out)
    return Outcome(
      text: out.string, checks: health.checks(capture.info, end, session), links: session.links)
  }

  // MARK: HCI

  private static func big(_ value: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// btsnoop 1002: H4 packets, and the seconds of each since 2000-01-01, which is 0x00E03AB44A676000 µs in its times.
  /// Symbian's and Wireshark's wiretap/btsnoop.c.
  private static func btsnoop(_ packets: [(seconds: Int64, hex: String)]) -> [UInt8] {
    var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for packet in packets {
      let bytes = Hex.bytes(packet.hex) ?? []
      // Bit 0: received; bit 1: a command or an event.
      let flags: Int64 = bytes[0] == 1 ? 2 : bytes[0] == 4 ? 3 : bytes[2] & 0x20 == 0 ? 0 : 1
      file += big(Int64(bytes.count), 4) + big(Int64(bytes.count), 4) + big(flags, 4) + big(0, 4)
      file += big(0x00E0_3AB4_4A67_6000 + packet.seconds * 1_000_000, 8) + bytes
    }
    return file
  }

  /// LE link 0x0040.
  private static let connected = "04 3e13 01 00 4000 00 00 665544332211 1800 0000 4800 00"
  private static let closed = "04 0504 00 4000 13"
  /// ATT_HANDLE_VALUE_NTF
  private static let value = "02 4020 0800 0400 0400 1b 0500 ab"

  /// The same with packets of which the recorder kept `kept` octets.
  private static func truncated(_ packets: [(seconds: Int64, hex: String, kept: Int?)]) -> [UInt8] {
    var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
    for packet in packets {
      let bytes = Hex.bytes(packet.hex) ?? []
      let kept = Array(bytes.prefix(packet.kept ?? bytes.count))
      let flags: Int64 = bytes[0] == 4 ? 3 : bytes[2] & 0x20 == 0 ? 0 : 1
      file += big(Int64(bytes.count), 4) + big(Int64(kept.count), 4) + big(flags, 4) + big(0, 4)
      file += big(0x00E0_3AB4_4A67_6000 + packet.seconds * 1_000_000, 8) + kept
    }
    return file
  }

  /// Truncated packets violate nothing, and what they carried is not said to be missing.
  @Test func truncatedPackets() throws {
    // HCI_Encryption_Change; the L2CAP header of a Pairing Request is kept, its Code is not.
    let encrypted = "04 0804 00 4000 01"
    let pairing = "02 4000 0b00 0700 0600 01 03 00 0d 10 0f 0f"
    let outcome = try read(
      Self.truncated([
        (10, Self.connected, nil), (11, pairing, 9), (12, encrypted, nil), (20, Self.value, 10),
        (21, Self.value, 12), (30, Self.closed, nil),
      ]))
    #expect(!outcome.text.contains("malformed"))
    #expect(!outcome.text.contains("could not be decoded"))
    #expect(outcome.text.contains("3 packets were truncated by the recorder"))
    #expect(outcome.links[0].truncatedPackets == 3)
    #expect(!outcome.text.contains("keys of an earlier pairing"))
    #expect(outcome.text.contains("a pairing may be in truncated packets"))
    #expect(!outcome.text.contains("knows from before"))
    #expect(!outcome.text.contains("no discovery in the capture"))
    // A length in the kept bytes that leaves no room for a field is wrong with and without a cut.
    let short = "02 4020 0500 0100 0400 1b"
    #expect(
      try read(Self.btsnoop([(10, Self.connected), (20, short)])).text.contains(
        "1 of them malformed"))
  }

  /// A packet of a link that was written after the end of the link belongs to that link, according to its time.
  @Test func outOfOrder() throws {
    let outcome = try read(
      Self.btsnoop([(10, Self.connected), (20, Self.value), (30, Self.closed), (15, Self.value)]))
    #expect(outcome.links.count == 1)
    #expect(outcome.links[0].packets == 4)
    let clock = "2000-01-01 00:00:10.000000 to 2000-01-01 00:00:30.000000 (20 s)"
    #expect(outcome.text.contains(clock))
    #expect(outcome.text.contains("Its times go back once, by 15 s; first at #4"))
    #expect(!outcome.text.contains("after it was closed"))
    #expect(!outcome.text.contains("still open"))
    let check = outcome.checks.first { $0.name == "clock" }
    #expect(check?.status == .warning)
    #expect(check?.text.contains("Its times go back once, by 15 s") == true)
  }

  /// The clock of the recorder is set after the first packet, or the time of the last one is wrong: HCI_Read_Local_Version_Information
  /// in 1971 or 2028. The capture lasts 20 s.
  @Test(arguments: [(Int64(-900_000_000), true), (900_000_000, false)])
  func singleWrongTime(_ seconds: Int64, _ isFirst: Bool) throws {
    let wrong = [(seconds, "01 0110 00")]
    let others: [(Int64, String)] = [(10, Self.connected), (20, Self.value), (30, Self.closed)]
    let outcome = try read(Self.btsnoop(isFirst ? wrong + others : others + wrong))
    #expect(
      outcome.text.contains("2000-01-01 00:00:10.000000 to 2000-01-01 00:00:30.000000 (20 s)"))
    #expect(outcome.text.contains("The time of #\(isFirst ? 1 : 4), "))
    #expect(
      outcome.text.contains("\(isFirst ? "earlier" : "later") than those of all other packets"))
    let check = outcome.checks.first { $0.name == "clock" }
    #expect(check?.status == .warning)
  }

  /// After the link ended, also according to its time, it is still said so.
  @Test func inOrder() throws {
    let outcome = try read(
      Self.btsnoop([(10, Self.connected), (20, Self.value), (30, Self.closed), (31, Self.value)]))
    #expect(outcome.links.count == 2)
    #expect(outcome.text.contains("Link 0x0040 has packets after it was closed"))
    #expect(!outcome.text.contains("go back"))
    #expect(outcome.checks.first { $0.name == "clock" }?.status == .ok)
  }

  /// HCI_Reset ends all links: none that is in use later was open before. Vol 4, Part E, 7.3.2
  @Test func afterReset() throws {
    let reset = [(Int64(1), "01 030c 00"), (1, "04 0e04 01 030c 00")]
    let outcome = try read(Self.btsnoop(reset + [(2, Self.value)]))
    #expect(outcome.text.contains("Nothing opens link 0x0040 after HCI_Reset"))
    #expect(!outcome.text.contains("starts in the middle"))
    #expect(!outcome.text.contains("open to the end"))
    let without = try read(Self.btsnoop([(2, Self.value)]))
    #expect(without.text.contains("The capture starts in the middle of link 0x0040"))
    #expect(without.text.contains("Link 0x0040 is still open when the capture ends"))
  }

  /// How long a link lasted is unknown if its start is not in the capture.
  @Test func noDurationWithoutStart() throws {
    let outcome = try read(Self.btsnoop([(20, Self.value), (30, Self.closed)]))
    #expect(
      outcome.text.contains(
        "closed: Remote User Terminated Connection (0x13), its start is not in the capture"))
    let whole = try read(Self.btsnoop([(10, Self.connected), (30, Self.closed)]))
    #expect(whole.text.contains("closed after 20 s: Remote User Terminated Connection (0x13)"))
  }

  // MARK: The air

  private static func little(_ value: UInt32, _ size: Int = 4) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func pcap(_ link: UInt32, _ packets: [[UInt8]]) -> [UInt8] {
    let header = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + little(0) + little(0) + little(65_535)
    return packets.enumerated().reduce(header + little(link)) { file, packet in
      let size = little(UInt32(packet.element.count))
      return file + little(1_000_000_000 + UInt32(packet.offset)) + little(0) + size + size
        + packet.element
    }
  }

  /// LINKTYPE_BLUETOOTH_BREDR_BB: the RF channel, then 21 octets and no payload.
  @Test func channelsOfBREDR() throws {
    let packets = [17, 34, 17].map { [UInt8($0)] + [UInt8](repeating: 0, count: 21) }
    let outcome = try read(Self.pcap(255, packets))
    #expect(outcome.text.contains("air         2 BR/EDR channels"))
    #expect(outcome.text.contains("protocols   nothing above the baseband"))
  }

  /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR: packets of a BIS (PDU type 6) with a checked, valid CRC, and no BIGInfo.
  @Test func streamWithoutBIGInfo() throws {
    let packets = ["00020102", "04020304"].map { hex -> [UInt8] in
      let pdu = Hex.bytes(hex) ?? []
      let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: 0x5A_17C3)
      let header: [UInt8] = [5, 0xC4, 0x80, 0, 0, 0, 0, 0, 0x01, 0x0F]
      return header + [0x51, 0x9D, 0x6A, 0x3C] + pdu + Self.little(crc, 3)
    }
    let text = try read(Self.pcap(256, packets)).text
    #expect(
      text.contains(
        "2 packets belong to isochronous streams whose beginning (BIGInfo or LL_CIS_IND)"))
    #expect(!text.contains("only public advertising"))
    #expect(!text.contains("belongs to no known connection"))
  }

  /// Two packets with one Access Address and one CRCInit: a connection. A sniffer may have missed its start and its end.
  @Test func connectionWithoutStart() throws {
    let packets = ["0306 0c0959000102", "0b09 08ff00000000000000"].map { hex -> [UInt8] in
      let pdu = Hex.bytes(hex) ?? []
      let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: 0x5A_17C3)
      return [0xE9, 0xC3, 0xA7, 0x50] + pdu + Self.little(crc, 3)
    }
    let text = try read(Self.pcap(251, packets)).text
    #expect(text.contains("began before the capture, or its start was not received: "))
    #expect(text.contains("has no visible end: it was still open, or not in the capture."))
    #expect(text.contains("1 packet has an access address that belongs to no known connection"))
    #expect(!text.contains("is still open"))
  }
}
