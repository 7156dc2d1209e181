import HarkCore
import Testing

@testable import HarkSession

/// What a host gives its controller. Core Specification, Vol 4, Part E, 4.1.1, 7.4.5, 7.7.19, 7.8.2.
@Suite struct HostBuffersTests {
  private static let connected = MadeRecord.event(
    "3e 13 01 00 4000 00 00 665544332211 1800 0000 4800 00")
  private static let write = MadeRecord.pdu(4, "52 0300 ab", received: false)
  /// HCI_LE_Read_Buffer_Size: 2 packets; none of its own; [v2] with 2 packets.
  private static let two = MadeRecord.event("0e 07 01 0220 00 fb00 02")
  private static let none = MadeRecord.event("0e 07 01 0220 00 0000 00")
  private static let second = MadeRecord.event("0e 0a 01 6020 00 fb00 02 7800 04")
  /// HCI_Read_Buffer_Size: 3 ACL packets.
  private static let shared = MadeRecord.event("0e 0b 01 0510 00 fd03 40 0300 0800")

  private static func reported(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session(records).events.compactMap { event in
      if case .controller(.buffersExceeded(let it)) = event.content {
        "\(it.used) of \(it.size)\(it.isWriteCommand ? " write" : "")"
      } else {
        nil
      }
    }
  }

  private static func writes(_ count: Int) -> [MadeRecord] { Array(repeating: write, count: count) }

  @Test(arguments: [(two, 2), (second, 2), (shared, 3)])
  func aPacketTooMuch(_ answer: MadeRecord, _ size: Int) {
    let sizes = size == 3 ? [Self.none, answer] : [answer]
    let before = sizes + [Self.connected] + Self.writes(size)
    #expect(Self.reported(before) == [])
    #expect(Self.reported(before + Self.writes(1)) == ["\(size + 1) of \(size) write"])
    // Once, until all have come back.
    #expect(Self.reported(before + Self.writes(9)).count == 1)
    let back = MadeRecord.event("13 05 01 4000 0900")
    #expect(Self.reported(before + Self.writes(1) + [back] + Self.writes(size + 1)).count == 2)
  }

  /// [v2] reports 4 ISO packets, which are no ACL packets. HCI_LE_CIS_Established of 0x0060. 7.8.2
  @Test func isochronousData() {
    let established = MadeRecord.event(
      "3e1d1900600010270010270040 1f 00 28230002020401000200780000000800")
    let sdu = MadeRecord(kind: .iso, isReceived: false, hex: "60 20 06 00 01 00 02 00 ab cd")
    let sent = Array(repeating: sdu, count: 4)
    let before = [Self.second, Self.connected, established] + Self.writes(2) + sent
    #expect(Self.reported(before) == [])
    #expect(Self.reported(before + [sdu, sdu]) == ["5 of 4"])
    let back = MadeRecord.event("13 05 01 6000 0400")
    #expect(Self.reported(before + [back] + sent) == [])
  }

  /// What is under way on a stream that ends is flushed, too: HCI_Disconnection_Complete of a CIS with the handle 0x0060,
  /// HCI_LE_Terminate_BIG_Complete of BISes with the handles 0x0060 and 0x0061. 4.1.1
  @Test func endedStreams() {
    let sdus = ["60", "61"].map { handle in
      Array(
        repeating: MadeRecord(
          kind: .iso, isReceived: false, hex: "\(handle) 20 06 00 01 00 02 00 ab cd"), count: 3)
    }
    let groups = ["60", "61"].map { handle in
      MadeRecord.event(
        "3e 15 1b 00 05 10 27 00 40 1f 00 02 04 01 00 02 78 00 08 00 01 \(handle) 00")
    }
    let established = MadeRecord.event(
      "3e1d1900600010270010270040 1f 00 28230002020401000200780000000800")
    let group = MadeRecord.event("3e 03 1c 05 16")
    let stream = MadeRecord.event("05 04 00 6000 16")
    let lives = [
      [established] + sdus[0] + [stream], [groups[0]] + sdus[0] + [group],
      [groups[1]] + sdus[1] + [group],
    ]
    let begun = [Self.second, Self.connected]
    for first in lives {
      for second in lives { #expect(Self.reported(begun + first + second) == []) }
    }
    // Those of a stream that goes on count.
    #expect(Self.reported(begun + [established] + sdus[0] + lives[2]) == ["5 of 4"])
  }

  @Test func nothingIsKnownWithoutSizes() {
    #expect(Self.reported([Self.connected] + Self.writes(100)) == [])
    #expect(Self.reported([Self.none, Self.connected] + Self.writes(100)) == [])
  }

  /// What is under way on a link that ends is flushed.
  @Test func disconnection() {
    let life = [Self.connected] + Self.writes(2) + [.event("05 04 00 4000 13")]
    #expect(Self.reported([Self.two] + life + life) == [])
  }

  /// A fragment of a command is one, too; what is no command is reported as such.
  @Test func fragments() {
    let long = MadeRecord.pdu(4, "52 0300 " + String(repeating: "ab", count: 30), received: false)
    #expect(
      Self.reported([Self.two, Self.connected] + long.fragments(of: 12)) == ["3 of 2 write"])
    let read = MadeRecord.pdu(4, "0a 0300", received: false)
    #expect(Self.reported([Self.two, Self.connected, read, read, read]) == ["3 of 2"])
  }

  /// Numbers of handles and packets that no one has.
  @Test(arguments: [
    "13 00", "13 01 ff", "13 05 01 ff0f ffff", "13 05 09 4000 ffff", "0e 07 01 0220 00 ff",
  ])
  func odd(_ hex: String) {
    #expect(
      Self.reported([Self.two, Self.connected, .event(hex)] + Self.writes(2)) == [])
  }
}
