import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Operations of OBEX over the PSM of a phone book's service record. IrOBEX 1.5, 3.4; GOEP 2.1.1;
/// PBAP 1.2.3, 5 and 6.4.
@Suite struct SessionOBEXTests {
  private static func frame(_ cid: String, _ hex: String, received: Bool) -> MadeRecord {
    let bytes = Hex.bytes(hex) ?? []
    let frame = Hex.bytes(Hex.text([UInt8(bytes.count), 0]) + cid) ?? []
    let data = frame + bytes
    return MadeRecord(
      kind: .acl, isReceived: received,
      hex: Hex.text([0x40, received ? 0x20 : 0, UInt8(data.count), 0] + data))
  }

  private static func channel(_ psm: String, _ cid: String) -> [MadeRecord] {
    [
      frame("0100", "0201 0400 \(psm) \(cid)", received: false),
      frame("0100", "0301 0800 \(cid) \(cid) 0000 0000", received: true),
    ]
  }

  /// A Phonebook Access Server with a GoepL2capPsm of 0x1005.
  private static let service =
    channel("0100", "4000") + [
      frame("4000", "06000000 0f 350319112f 00ff 35050a0000ffff00", received: false),
      frame(
        "4000", "070000 0015 0012 3510 350e 090001 350319112f 090200 091005 00", received: true),
    ] + channel("0510", "4100")

  /// What the host, which is the client, sends, and the answers.
  private func operations(_ packets: [(isSent: Bool, hex: String)]) -> [(OBEXEvent, Int)] {
    let records = packets.map { Self.frame("4100", $0.hex, received: !$0.isSent) }
    return MadeRecord.session(Self.service + records).events.compactMap { event in
      if case .obex(let operation) = event.content { (operation, event.frames.count) } else { nil }
    }
  }

  private static let connect: [(isSent: Bool, hex: String)] = [
    (true, "80 001a 10 00 2000 46 0013 796135f0f0c511d809660800200c9a66"),
    (false, "a0 001f 10 00 0400 cb 00000001 4a 0013 796135f0f0c511d809660800200c9a66"),
  ]

  @Test func pullsPhonebook() throws {
    let reported = operations(
      Self.connect + [
        // telecom/pb.vcf is what it is called; here a shorter name.
        (true, "83 0022 cb 00000001 01 0009 0070 0062 0000 42 0011 782d62742f70686f6e65626f6f6b"),
        (false, "90 000a 48 0007 41424344"),
        (true, "83 0008 cb 00000001"),
        (false, "a0 0008 49 0005 4546"),
        (true, "81 0008 cb 00000001"),
        (false, "a0 0003"),
      ])
    #expect(reported.map(\.0.operation) == [0x00, 0x03, 0x01])
    #expect(reported.map(\.0.response) == [0x20, 0x20, 0x20])
    #expect(reported.map(\.1) == [2, 4, 2])
    let connect = try #require(reported.first?.0)
    #expect(connect.target == BluetoothUUID("796135F0-F0C5-11D8-0966-0800200C9A66"))
    #expect(connect.maximums == [0x2000, 0x0400])
    #expect(!connect.byPeer)
    #expect(reported[1].0.name == "pb")
    #expect(reported[1].0.type == "x-bt/phonebook")
    #expect(reported[1].0.count == 6)
    #expect(reported[1].0.target == connect.target)
  }

  @Test func refusedGivenUpAndUnended() {
    let reported = operations(
      Self.connect + [
        (true, "85 0005 02 00"), (false, "c4 0003"),
        (true, "02 000d c3 00000009 48 0005 4142"), (false, "90 0003"), (true, "ff 0003"),
        (false, "a0 0003"),
        (true, "83 0008 cb 00000001"),
      ])
    #expect(reported.map(\.0.operation) == [0x00, 0x05, 0x02, 0x03])
    #expect(reported.map(\.0.response) == [0x20, 0x44, 0x20, nil])
    #expect(reported.map(\.0.isAborted) == [false, false, true, false])
    #expect(reported[2].0.length == 9)
    #expect(reported[2].0.count == 2)
  }

  /// The capture lacks the response to a Get, to a Put and to a SetPath: the next one is another operation. IrOBEX 1.5, 3.4
  @Test func anotherOperation() {
    let reported = operations(
      Self.connect + [
        (true, "83 000a 01 0007 00610000"), (true, "83 000a 01 0007 00620000"),
        (false, "90 0006 48 0003"), (true, "83 0003"), (false, "a0 0007 49 0004 41"),
        (true, "82 000d 01 0007 00630000 49 0003"), (true, "02 000a 01 0007 00640000"),
        (false, "90 0003"), (true, "82 0007 49 0004 42"), (false, "a0 0003"),
        (true, "85 000c 02 00 01 0007 00650000"), (true, "85 000c 02 00 01 0007 00660000"),
        (false, "a0 0003"),
      ]
    ).dropFirst()
    #expect(reported.map(\.0.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(reported.map(\.0.response) == [nil, 0x20, nil, 0x20, nil, 0x20])
    #expect(reported.map(\.1) == [1, 4, 1, 4, 1, 2])
  }

  /// A data link without a service record in the capture, whose first packet is a Connect with the Target of PBAP. PBAP
  /// 1.2.3, 6.4
  @Test func recognizedOverRFCOMM() {
    func data(_ isReceived: Bool, _ hex: String) -> MadeRecord {
      HandsFreeLines.frame(isReceived, isReceived ? 0x41 : 0x43, 0xEF, Hex.bytes(hex) ?? [])
    }
    let records =
      Array(HandsFreeLines.begun.prefix(4)) + [
        HandsFreeLines.frame(false, 0x43, 0x3F), HandsFreeLines.frame(true, 0x43, 0x73),
        data(false, "80 001a 10 00 0200 46 0013 796135f0f0c511d809660800200c9a66"),
        data(true, "a0 000c 10 00 0200 cb 00000001"),
        data(false, "83 0010 01 000d 0061002e00760063 0000"), data(true, "a0 0009 49 0006 414141"),
      ]
    let session = MadeRecord.session(records)
    let operations = session.events.compactMap { event -> OBEXEvent? in
      if case .obex(let operation) = event.content { operation } else { nil }
    }
    #expect(operations.map(\.name) == [nil, "a.vc"])
    #expect(operations.map(\.response) == [0x20, 0x20])
    #expect(session.streams.last?.name?.contains("PBAP") == true)
    #expect(session.streams.last?.isInferred == true)
  }

  /// SetPath with an empty Name, without one, up, and to a folder. IrOBEX 1.5, 3.4.6
  @Test func paths() {
    let reported = operations(
      Self.connect + [
        (true, "85 0008 02 00 01 0003"), (false, "a0 0003"), (true, "85 0005 02 00"),
        (false, "a0 0003"), (true, "85 0005 03 00"), (false, "a0 0003"),
        (true, "85 000c 02 00 01 0007 00610000"), (false, "a0 0003"),
      ]
    ).map(\.0).dropFirst()
    #expect(reported.map(\.isToRoot) == [true, true, false, false])
    #expect(reported.map(\.isUp) == [false, false, true, false])
    #expect(reported.last?.name == "a")
  }
}
