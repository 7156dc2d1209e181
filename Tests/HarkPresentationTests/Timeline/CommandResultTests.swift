import HarkCapture
import HarkCore
import HarkDissection
import HarkPresentation
import HarkSession
import Testing

/// State follows from what controllers answer, not from what hosts ask for. Core Specification, Vol 4,
/// Part E, 4.4, 7.1, 7.3, 7.7.14, 7.7.15, 7.8.
@Suite struct CommandResultTests {
  /// The sentences of a capture: H4 packets.
  private static func sentences(
    _ packets: [String], cut: Set<Int> = [], every: Int64 = 100_000_000
  ) -> [String] {
    events(packets, cut: cut, every: every) { EventText.sentence($0, $1) }
  }

  private static func events<T>(
    _ packets: [String], cut: Set<Int> = [], every: Int64 = 100_000_000,
    _ body: (Event, borrowing Session) -> T
  ) -> [T] {
    var session = Session()
    var found: [T] = []
    for (index, packet) in packets.enumerated() {
      let bytes = Hex.bytes(packet) ?? []
      var record = CaptureRecord()
      record.number = UInt32(index + 1)
      switch bytes[0] {
      case 1: record.kind = .command
      case 2: record.kind = .acl
      default: record.kind = .event
      }
      record.direction = bytes[0] == 4 ? .controllerToHost : .hostToController
      record.time = Timestamp(nanoseconds: Int64(index) * every)
      record.count = bytes.count - 1
      record.originalCount = record.count + (cut.contains(index) ? 2 : 0)
      session.index(record, Array(bytes.dropFirst()).raw)
      for event in session.events { found.append(body(event, session)) }
      session.dropEvents()
    }
    return found
  }

  private static let enable = "01 0a20 01 01"
  private static let disable = "01 0a20 01 00"
  private static let disallowed = "Command Disallowed (0x0c)"

  private static func complete(_ opcode: String, _ status: String = "00") -> String {
    "04 0e 04 01 \(opcode) \(status)"
  }

  private static func status(_ opcode: String, _ status: String = "00") -> String {
    "04 0f 04 \(status) 01 \(opcode)"
  }

  // MARK: Advertising

  @Test func advertising() {
    #expect(
      Self.sentences([
        Self.enable, Self.complete("0a20"), Self.disable, Self.complete("0a20", "0c"),
        Self.disable, Self.complete("0a20"), Self.enable, Self.complete("0a20", "12"),
      ]) == [
        "advertising started", "advertising not stopped: \(Self.disallowed)", "advertising stopped",
        "advertising not started: Invalid HCI Command Parameters (0x12)",
      ])
  }

  /// A command alone says nothing, and neither does an answer to a command that the capture lacks.
  @Test func withoutAnswerOrCommand() {
    #expect(Self.sentences([Self.enable]).isEmpty)
    #expect(Self.sentences([Self.complete("0a20"), Self.complete("0c20")]).isEmpty)
    #expect(
      Self.sentences([Self.complete("0a20", "0c")])
        == ["HCI_LE_Set_Advertising_Enable failed: \(Self.disallowed)"])
    // The host sends one more than the controller takes: an answer may be to either.
    #expect(
      Self.sentences([
        "04 0e 04 01 010c 00", Self.enable, Self.disable, Self.complete("0a20"),
      ]).isEmpty)
    // The answer to the first is lost: the one that comes answers the second.
    #expect(
      Self.sentences([Self.enable, Self.disable, Self.complete("0a20")], every: 3_000_000_000)
        == ["advertising is off"])
    // Num_HCI_Command_Packets of opcode 0 lets the host send two, which are answered in order.
    #expect(
      Self.sentences([
        "04 0e 03 02 0000", Self.enable, Self.disable, Self.complete("0a20"),
        Self.complete("0a20"),
      ]) == ["advertising started", "advertising stopped"])
    // The recorder cut the Status.
    #expect(
      Self.sentences([Self.enable, "04 0e 04 01 0a20"], cut: [1]).filter {
        $0.contains("advertising")
      }.isEmpty)
  }

  /// Some controllers say first that they have begun.
  @Test func statusThenComplete() {
    #expect(
      Self.sentences([
        Self.enable, Self.status("0a20"), Self.complete("0a20", "0c"), Self.enable,
        Self.status("0a20"), Self.complete("0a20"),
      ]) == ["advertising not started: \(Self.disallowed)", "advertising started"])
    #expect(
      Self.sentences([Self.enable, Self.status("0a20", "01")])
        == ["advertising not started: Unknown HCI Command (0x01)"])
  }

  /// 7.8.56: Enable, Num_Sets, and of each its handle, Duration, Max_Events. 7.7.65.18
  @Test func extendedAdvertising() {
    let start = "01 3920 0a 01 02 01 f401 00 02 0000 05"
    #expect(
      Self.sentences([
        Self.complete("030c"), start, Self.complete("3920"),
        // Set 1: its duration elapsed after 7 events; set 2: five events were sent.
        "04 3e 06 12 3c 01 0000 07", "04 3e 06 12 43 02 0000 05",
        "01 3920 02 00 00", Self.complete("3920"),
      ]) == [
        "advertising of sets 0x01, 0x02 started",
        "advertising of set 0x01 ended: its duration elapsed, after 7 events",
        "advertising of set 0x02 ended: its event limit was reached, after 5 events",
        "advertising is off",
      ])
    #expect(
      Self.sentences([
        start, Self.complete("3920"), "01 3920 06 00 01 02 0000 00", Self.complete("3920", "42"),
        "01 3920 02 00 00", Self.complete("3920"),
      ]) == [
        "advertising of sets 0x01, 0x02 started",
        "advertising of set 0x02 not stopped: Unknown Advertising Identifier (0x42)",
        "advertising of sets 0x01, 0x02 stopped",
      ])
    #expect(
      Self.sentences([
        "01 3c20 01 05", Self.complete("3c20", "0c"), "01 3d20 00", Self.complete("3d20", "0c"),
        "01 3620 19 03 0000 a00000 a00000 07 00 00 000000000000 00 7f 01 00 01 00 00",
        "04 0e 05 01 3620 12 00",
        "01 3720 07 03 03 01 03 020106", Self.complete("3720", "07"),
      ]) == [
        "advertising set 0x05 not removed: \(Self.disallowed)",
        "advertising sets not removed: \(Self.disallowed)",
        "parameters of advertising of set 0x03 not set: Invalid HCI Command Parameters (0x12)",
        "data of advertising of set 0x03 not set: Memory Capacity Exceeded (0x07)",
      ])
  }

  /// Nothing but the connection says that legacy advertising has ended. 7.8.9
  @Test func connectionEndsAdvertising() {
    let connected = "04 3e 13 01 00 4000 01 00 665544332211 1800 0000 4800 00"
    #expect(
      Self.sentences([
        Self.enable, Self.complete("0a20"), connected, Self.disable, Self.complete("0a20"),
      ]).filter { $0.hasPrefix("advertising") } == [
        "advertising started", "advertising ended: a connection was established",
      ])
    // Directed advertising that no one answered: Advertising Timeout.
    #expect(
      Self.sentences([
        Self.enable, Self.complete("0a20"),
        "04 3e 13 01 3c 0000 01 00 665544332211 0000 0000 0000 00",
      ]) == ["advertising started", "advertising ended: its duration elapsed"])
  }

  // MARK: Scanning

  @Test func scanning() {
    let report = "04 3e 0c 02 01 00 00 665544332211 00 c8"
    for opcode in ["0c20", "4220"] {
      let rest = opcode == "0c20" ? "02 01 00" : "06 01 00 0000 0000"
      let stop = opcode == "0c20" ? "02 00 00" : "06 00 00 0000 0000"
      #expect(
        Self.sentences([
          "01 \(opcode) \(rest)", Self.complete(opcode, "0c"), "01 \(opcode) \(rest)",
          Self.complete(opcode), report, "01 \(opcode) \(stop)", Self.complete(opcode, "0c"),
          "01 \(opcode) \(stop)", Self.complete(opcode),
        ]) == [
          "scanning not started: \(Self.disallowed)", "scanning started",
          "scanning not stopped: \(Self.disallowed)",
          "scanning stopped: 1 new device in 1 report",
        ])
    }
    // HCI_LE_Scan_Timeout: the Duration is over. 7.7.65.17
    #expect(
      Self.sentences([
        "01 4220 06 01 00 e803 0000", Self.complete("4220"), "04 3e 01 11",
        "01 4220 06 00 00 0000 0000", Self.complete("4220"),
      ]) == ["scanning started", "scanning stopped: nothing received"])
    // Who hears something scans, though the capture does not have the start.
    #expect(
      Self.sentences([report, "01 0c20 02 00 00", Self.complete("0c20")])
        == ["scanning stopped: 1 new device in 1 report"])
  }

  // MARK: Periodic advertising

  @Test func periodicAdvertising() {
    #expect(
      Self.sentences([
        "01 4020 02 01 01", Self.complete("4020", "0c"), "01 4020 02 01 01", Self.complete("4020"),
        "01 4020 02 00 01", Self.complete("4020", "0c"), "01 4020 02 00 01", Self.complete("4020"),
        "01 4620 02 1300", Self.complete("4620", "42"),
        "01 4420 0e 00 03 01 222222222222e2 0000 2c01 00", Self.status("4420", "0c"),
        "01 4520 00", Self.complete("4520", "0c"),
        "01 5a20 06 4000 3412 1300", "04 0e 06 01 5a20 0c 4000",
      ]) == [
        "periodic advertising of set 0x01 not started: \(Self.disallowed)",
        "periodic advertising of set 0x01 started",
        "periodic advertising of set 0x01 not stopped: \(Self.disallowed)",
        "periodic advertising of set 0x01 stopped",
        "sync 0x0013 not terminated: Unknown Advertising Identifier (0x42)",
        "synchronization with periodic advertising not started: \(Self.disallowed)",
        "synchronization with periodic advertising not cancelled: \(Self.disallowed)",
        "periodic advertising not transferred to the peer: \(Self.disallowed)",
      ])
  }

  // MARK: Connections

  /// Command Status with an error: no attempt is made. 7.1.5, 7.8.12, 7.8.66
  @Test func connections() {
    #expect(
      Self.sentences([
        "01 0d20 19 6000 3000 00 01 6655443322e1 00 1800 2800 0000 2a00 0000 0000",
        Self.status("0d20", "0c"),
        "01 0d20 19 6000 3000 01 00 000000000000 00 1800 2800 0000 2a00 0000 0000",
        Self.status("0d20", "0b"),
        "01 4320 1a 00 00 00 665544332211 01 6000 6000 1800 2800 0000 2a00 0000 0000",
        Self.status("4320", "0d"),
        "01 0e20 00", Self.complete("0e20", "0c"),
        "01 0504 0d 665544332211 18cc 02 00 0000 01", Self.status("0504", "0b"),
        "01 0804 06 665544332211", "04 0e 0a 01 0804 02 665544332211",
        "01 0604 03 4000 13", Self.status("0604", "02"),
      ]) == [
        "connection to E1:22:33:44:55:66 not started: \(Self.disallowed)",
        "connection not started: Connection Already Exists (0x0b)",
        "connection to 11:22:33:44:55:66 not started: "
          + "Connection Rejected due to Limited Resources (0x0d)",
        "connection attempt not cancelled: \(Self.disallowed)",
        "connection to 11:22:33:44:55:66 not started: Connection Already Exists (0x0b)",
        "connection attempt to 11:22:33:44:55:66 not cancelled: "
          + "Unknown Connection Identifier (0x02)",
        "link not disconnected: Unknown Connection Identifier (0x02)",
      ])
  }

  private static let opened = "04 3e 13 01 00 4000 00 00 665544332211 1800 0000 4800 00"

  /// 7.8.24, 7.8.25: what is said about a link names its peer, and the link is what its commands go to.
  @Test func encryption() {
    let start = "01 1920 1c 4000 0000000000000000 0000 00112233445566778899aabbccddeeff"
    let events = Self.events([
      Self.opened, start, Self.status("1920", "0c"), start, Self.status("1920"),
    ]) {
      (EventText.sentence($0, $1), $0.link != nil, $0.frames.count)
    }
    let reported = events.filter { !$0.0.contains("exposes") && !$0.0.hasPrefix("LE link") }
    #expect(reported.map(\.0).first == "link encryption not changed: \(Self.disallowed)")
    #expect(reported.map(\.0).last?.hasPrefix("host starts link encryption with LTK") == true)
    #expect(reported.count == 2 && reported.allSatisfy { $0.1 && $0.2 == 2 })
    #expect(
      Self.sentences([
        Self.opened, "04 08 04 00 4000 01", "04 30 03 00 4000", "04 30 03 05 4000",
        "04 08 04 00 4000 00",
      ]).dropFirst() == [
        "link encryption on", "link encryption continues with a new key",
        "encryption key not refreshed: Authentication Failure (0x05)", "link encryption off",
      ])
  }

  /// 7.7.8 v2: the size of a key has 7 to 16 octets, of BR/EDR from 1. 7.5.7
  @Test(arguments: [
    ("04 59 05 00 4000 01 00", "link encryption on"),
    ("04 59 05 00 4000 01 06", "link encryption on"),
    ("04 59 05 00 4000 01 07", "link encryption on, 7-byte key"),
    ("04 59 05 00 4000 01 10", "link encryption on, 16-byte key"),
    ("04 59 05 00 4000 01 11", "link encryption on"),
    ("04 59 05 00 4000 00 10", "link encryption off"),
  ])
  func keySizes(_ packet: String, _ sentence: String) {
    #expect(Self.sentences([Self.opened, packet]).last == sentence)
  }

  /// HCI_Read_Encryption_Key_Size says nothing where it failed, or where the size is none.
  @Test func keySizesRead() {
    let link = "04 03 0b 00 0b00 665544332211 01 00"
    func read(_ answer: String) -> [String] {
      Array(Self.sentences([link, "01 0814 02 0b00", "04 0e 07 01 0814 \(answer)"]).dropFirst())
    }
    #expect(read("00 0b00 10") == ["the encryption key has 16 bytes"])
    #expect(read("00 0b00 00").isEmpty)
    #expect(read("00 0b00 20").isEmpty)
    #expect(
      read("02 0b00 10")
        == ["HCI_Read_Encryption_Key_Size failed: Unknown Connection Identifier (0x02)"])
  }

  @Test func changesOfALink() {
    #expect(
      Self.sentences([
        Self.opened,
        "01 2220 06 4000 fb00 4808", "04 0e 06 01 2220 12 4000",
        "01 3220 07 4000 00 02 02 0000", Self.status("3220", "0c"),
        "01 1320 0e 4000 0600 0600 0000 0a00 0000 0000", Self.status("1320", "0c"),
        "01 2120 03 4000 3b", "04 0e 06 01 2120 0c 4000",
        "01 2120 03 4000 3b", "04 0e 06 01 2120 00 4000",
      ]).dropFirst() == [
        "length of Link Layer packets not changed: Invalid HCI Command Parameters (0x12)",
        "PHY not changed: \(Self.disallowed)",
        "connection parameters not changed: \(Self.disallowed)",
        "connection parameter request not rejected: \(Self.disallowed)",
        "this host refuses the requested connection parameters",
      ])
    let link = "04 03 0b 00 0b00 665544332211 01 00"
    #expect(
      Self.sentences([
        link, "01 0308 0a 0b00 2003 2003 0200 0100", Self.status("0308", "0c"),
        "01 0b08 07 665544332211 01", Self.status("0b08", "12"),
        "04 12 08 21 665544332211 00", "04 12 08 00 665544332211 01",
      ]).dropFirst() == [
        "mode not changed: \(Self.disallowed)",
        "role not changed: Invalid HCI Command Parameters (0x12)",
        "role not changed: Role Change Not Allowed (0x21)",
        "role changed: this host is now Peripheral",
      ])
  }

  @Test func lists() {
    #expect(
      Self.sentences([
        "01 1120 07 01 6655443322e1", Self.complete("1120", "07"),
        "01 1220 07 00 665544332211", Self.complete("1220", "0c"),
        "01 1020 00", Self.complete("1020", "0c"),
        "01 2920 00", Self.complete("2920", "0c"),
        "01 2820 07 00 665544332211", Self.complete("2820", "02"),
        "01 2d20 01 01", Self.complete("2d20", "0c"),
        "01 1120 07 01 6655443322e1", Self.complete("1120"),
      ]) == [
        "E1:22:33:44:55:66 not added to the Filter Accept List: Memory Capacity Exceeded (0x07)",
        "11:22:33:44:55:66 not removed from the Filter Accept List: \(Self.disallowed)",
        "Filter Accept List not cleared: \(Self.disallowed)",
        "resolving list not cleared: \(Self.disallowed)",
        "11:22:33:44:55:66 not removed from the resolving list: "
          + "Unknown Connection Identifier (0x02)",
        "address resolution not switched on or off: \(Self.disallowed)",
      ])
  }

  // MARK: The controller

  /// HCI_Reset ends links and advertising once it is done. 7.3.2
  @Test func reset() {
    #expect(
      Self.sentences([
        Self.opened, "01 030c 00", Self.complete("030c", "03"), "01 030c 00",
        Self.complete("030c"), Self.disable, Self.complete("0a20"),
      ]).dropFirst() == [
        "controller not reset: Hardware Failure (0x03)", "controller reset",
        "LE link 0x0040 closed by HCI_Reset after 400 ms",
      ])
  }

  @Test func isochronousGroups() {
    #expect(
      Self.sentences([
        "01 6520 01 02", "04 0e 05 01 6520 0c 02",
        "01 6820 1f 05 01 01 102700 7800 0a00 02 02 00 00 00"
          + "00000000000000000000000000000000",
        Self.status("6820", "12"),
        "01 6c20 01 05", "04 0e 05 01 6c20 42 05", "01 6c20 01 05", "04 0e 05 01 6c20 00 05",
        "01 6e20 0d 6000 00 00 0300000000 000000 00", "04 0e 06 01 6e20 0c 6000",
      ]) == [
        "CIG 2 not removed: \(Self.disallowed)",
        "broadcast group 5 not created: Invalid HCI Command Parameters (0x12)",
        "sync with broadcast group 5 not terminated: Unknown Advertising Identifier (0x42)",
        "sync with broadcast group 5 terminated by this host",
        "data path of isochronous stream 0x0060 not set up: \(Self.disallowed)",
      ])
  }

  // MARK: Links whose beginning is missing

  /// Events that only one transport has tell what a link is. 7.7.18, 7.7.20, 7.7.65
  @Test(arguments: [
    ("04 14 06 00 0b00 02 2003", Link.Transport.brEDR),
    ("04 1b 03 0b00 05", .brEDR), ("04 38 04 0b00 204e", .brEDR),
    ("04 0b 0b 00 0b00 0000000000000000", .brEDR),
    ("04 3e 0b 07 0b00 fb00 4808 fb00 4808", .le), ("04 3e 06 0c 00 0b00 02 02", .le),
    ("04 3e 0a 03 00 0b00 1800 0000 4800", .le), ("04 08 04 00 0b00 01", .unknown),
  ])
  func inferredLinks(_ packet: String, _ transport: Link.Transport) {
    let found = Self.events([packet]) { event, session in
      event.link.map { session.links[Int($0.index)].transport }
    }
    #expect(!found.isEmpty && found.allSatisfy { $0 == transport })
    // After data that does not tell, and before an event that both have: 7.7.75.
    let after = Self.events(["02 0b20 0400 0000 4100", packet, "04 57 02 0b00"]) {
      event, session in event.link.map { session.links[Int($0.index)].transport }
    }
    #expect(after.last == transport)
  }

  /// HCI_Sniff_Mode goes to BR/EDR links only. 7.2.2
  @Test func transportOfCommands() {
    let data = "02 0b20 0400 0000 4100"
    let sniff = "01 0308 0a 0b00 2003 2003 0200 0100"
    func transport(_ answer: String) -> Link.Transport? {
      var found: Link.Transport?
      _ = Self.events([data, sniff, answer, "04 13 05 01 0b00 0100", "04 57 02 0b00"]) {
        event, session in found = event.link.map { session.links[Int($0.index)].transport }
      }
      return found
    }
    #expect(transport(Self.status("0308")) == .brEDR)
    #expect(transport(Self.status("0308", "02")) == .unknown)
  }
}
