import HarkCore
import Testing

@testable import HarkSession

/// AVRCP on a link: the host asks, the peer answers. AVRCP 1.6, 6.
@Suite struct SessionRemoteTests {
  static let channel = SessionAudioTests.open("1700", "4000", "4100", id: "01")

  /// The header of a PDU of the Bluetooth SIG: AVCTP, AV/C, company.
  static func pdu(
    _ direction: String, _ label: Int, _ type: String, _ rest: String
  ) -> String {
    let isCommand = (Int(type, radix: 16) ?? 0) < 8
    let header = String(label << 4 | (isCommand ? 0 : 2) + 0x100, radix: 16).dropFirst()
    return direction + (direction == ">" ? "0041" : "0040")
      + " \(header) 110e 0\(type) 48 00 001958 \(rest)"
  }

  @Test func playing() throws {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        Self.pdu(">", 1, "1", "30 00 0000"),
        Self.pdu("<", 1, "c", "30 00 0009 00030d40 000003e8 01"),
        // Asked again: nothing is new.
        Self.pdu(">", 2, "1", "30 00 0000"),
        Self.pdu("<", 2, "c", "30 00 0009 00030d40 000007d0 01"),
        Self.pdu(">", 3, "1", "20 00 0009 0000000000000000 00"),
        Self.pdu(
          "<", 3, "c", "20 00 001a 02 00000001 006a 0005 48656c6c6f 00000002 006a 0004 4d652026"),
      ])
    #expect(reported.names == ["playStatus", "track"])
    guard case .playStatus(let status) = reported.audio[0],
      case .track(let track) = reported.audio[1]
    else { throw SessionAudioTests.Unexpected() }
    #expect(status.status == 1 && status.position == 1_000 && status.length == 200_000)
    #expect(track.attributes.map(\.id) == [1, 2])
    #expect(track.attributes.map(\.text) == ["Hello", "Me &"])
    #expect(Array(reported.related[2...3]) == [4, 3])
  }

  /// Both sides are a Controller and a Target on one channel: what one plays is not what the other plays. AVCTP 1.4, 4
  @Test func twoPlayers() {
    let status = "30 00 0009 00030d40 000003e8 01"
    let track = "20 00 000e 01 00000001 006a 0005 48656c6c6f"
    let reported = SessionAudioTests.reported(
      Self.channel + [
        Self.pdu(">", 1, "1", "30 00 0000"), Self.pdu("<", 1, "c", status),
        Self.pdu("<", 1, "1", "30 00 0000"), Self.pdu(">", 1, "c", status),
        Self.pdu(">", 2, "1", "30 00 0000"), Self.pdu("<", 2, "c", status),
        Self.pdu(">", 3, "1", "20 00 0009 0000000000000000 00"), Self.pdu("<", 3, "c", track),
        Self.pdu("<", 3, "1", "20 00 0009 0000000000000000 00"), Self.pdu(">", 3, "c", track),
      ])
    let owners = reported.audio.compactMap { event -> String? in
      switch event {
      case .playStatus(let it): "status \(it.isLocal)"
      case .track(let it): "track \(it.isLocal)"
      default: nil
      }
    }
    #expect(owners == ["status false", "status true", "track false", "track true"])
  }

  /// An interim response, then a changed one under the same label. 6.7.2
  @Test func notification() throws {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        Self.pdu(">", 1, "3", "31 00 0005 0d 00000000"),
        Self.pdu("<", 1, "f", "31 00 0002 0d 40"),
        Self.pdu("<", 1, "d", "31 00 0002 0d 41"),
        Self.pdu(">", 2, "0", "50 00 0001 20"),
        Self.pdu("<", 2, "9", "50 00 0001 20"),
        Self.pdu(">", 3, "3", "31 00 0005 02 00000000"),
        Self.pdu("<", 3, "f", "31 00 0009 02 ffffffffffffffff"),
        Self.pdu("<", 3, "d", "31 00 0009 02 0000000000000001"),
      ])
    let volumes = reported.audio.compactMap {
      if case .volume(let it) = $0 { "\(it.volume) \(it.isRequest)" } else { nil }
    }
    #expect(volumes == ["64 false", "65 false", "32 true"])
    guard case .changed(let changed) = reported.audio.last else {
      throw SessionAudioTests.Unexpected()
    }
    #expect(changed.event == 2)
    #expect(Array(reported.related[2...4]) == [4, 3, 3])
  }

  /// How far it is, and nothing selected. 6.7.2
  @Test func positions() {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        Self.pdu(">", 1, "3", "31 00 0005 05 00000001"),
        Self.pdu("<", 1, "f", "31 00 0005 05 00002710"),
        Self.pdu("<", 1, "d", "31 00 0005 05 ffffffff"),
      ])
    let positions = reported.audio.compactMap {
      if case .position(let it) = $0 { it.milliseconds.map { "\($0)" } ?? "none" } else { nil }
    }
    #expect(positions == ["10000", "none"])
  }

  /// The channel's beginning is missing: two messages in one direction tell, then one in the other.
  @Test func recognized() {
    let reported = SessionAudioTests.reported([
      Self.pdu(">", 1, "3", "31 00 0005 0d 00000000"),
      Self.pdu("<", 1, "f", "31 00 0002 0d 40"),
      ">0041 20 110e 00 48 7c 44 00", "<0040 22 110e 09 48 7c 44 00",
      Self.pdu("<", 1, "d", "31 00 0002 0d 41"),
    ])
    #expect(reported.names == ["controlRecognized", "operation", "volume"])
    #expect(Array(reported.payloads.dropFirst(2)) == ["AVCTP AVRCP", "AVCTP AVRCP", "AVCTP AVRCP"])
  }

  /// A wrong length, another profile, a response of the type of a command, another company.
  @Test(arguments: [
    "20 110e 00 48 7c 44 01", "20 110c 00 48 7c 44 00", "22 110e 00 48 7c 44 00",
    "20 110e 01 48 00 001959 30 00 0000", "24 110e 00 48 7c 44 00", "20 110e 00 48 7c",
  ])
  func notRecognized(_ message: String) {
    let reported = SessionAudioTests.reported([String](repeating: ">0041 " + message, count: 3))
    #expect(reported.names == [])
  }

  /// A response in three parts, each asked for. 6.3.1, 6.8.1
  @Test func continued() throws {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        Self.pdu(">", 1, "1", "20 00 0009 0000000000000000 00"),
        Self.pdu("<", 1, "c", "20 01 0004 01 000000"),
        Self.pdu(">", 2, "0", "40 00 0001 20"), Self.pdu("<", 2, "c", "20 02 0003 01 006a"),
        Self.pdu(">", 3, "0", "40 00 0001 20"), Self.pdu("<", 3, "c", "20 03 0004 0002 4869"),
      ])
    #expect(
      reported.completed == ["AVRCP response 0c48000019582001000401000000" + "01006a" + "00024869"])
    guard case .track(let track) = reported.audio.first else {
      throw SessionAudioTests.Unexpected()
    }
    #expect(track.attributes == [AudioEvent.Attribute(id: 1, text: "Hi")])
  }

  /// A message in a start and an end packet; then one whose end does not come. AVCTP 1.4, 6.1
  @Test func fragmentedMessage() {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        "<0040 16 02 110e 0c 48 00 001958 30 00", "<0040 1e 0009 00030d40 000003e8 01",
        "<0040 26 03 110e 0c 48 00 001958 30 00", "<0040 2e 0009 00030d40 000003e8 02",
      ])
    #expect(
      reported.completed == ["AVCTP message 1602110e0c48000019583000" + "000900030d40000003e801"])
    #expect(reported.names == ["playStatus"])
  }

  /// The panel's operations, by their press; a rejection. 4.4.1, 6.15.3
  @Test func operations() throws {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        ">0041 10 110e 00 48 7c 44 00", "<0040 12 110e 09 48 7c 44 00",
        ">0041 20 110e 00 48 7c c4 00", "<0040 22 110e 09 48 7c c4 00",
        Self.pdu(">", 3, "0", "60 00 0002 0007"), Self.pdu("<", 3, "a", "60 00 0001 11"),
      ])
    guard case .operation(let operation) = reported.audio[0],
      case .remoteRejected(let rejected) = reported.audio[1]
    else { throw SessionAudioTests.Unexpected() }
    #expect(operation.operation == 0x44)
    #expect(rejected.pdu == 0x60 && rejected.status == 0x11)
    #expect(reported.audio.count == 2)
  }

  /// Responses NOT IMPLEMENTED and REJECTED to a press; the release says nothing new. 4.4.1; AV/C General, table 7.2
  @Test func operationsRefused() {
    let reported = SessionAudioTests.reported(
      Self.channel + [
        ">0041 10 110e 00 48 7c 4b 00", "<0040 12 110e 08 48 7c 4b 00",
        ">0041 20 110e 00 48 7c cb 00", "<0040 22 110e 08 48 7c cb 00",
        "<0040 30 110e 00 48 7c 44 00", ">0041 32 110e 0a 48 7c 44 00",
        Self.pdu(">", 4, "3", "31 00 0005 0d 00000000"),
        Self.pdu("<", 4, "8", "31 00 0005 0d 00000000"),
      ])
    let refused = reported.audio.compactMap { event -> String? in
      switch event {
      case .operationRefused(let it): "\(it.operation) \(it.isNotImplemented) \(it.byPeer)"
      case .remoteRejected(let it): "\(it.pdu) \(it.isNotImplemented)"
      default: nil
      }
    }
    #expect(refused == ["75 true true", "68 false false", "49 true"])
  }

  /// GetFolderItems from item 100 on: Range Out of Bounds, which ends the list, and Does Not Exist. 6.10.4.2, 6.15.3
  @Test func endOfList() {
    let reported = SessionAudioTests.reported(
      SessionAudioTests.open("1b00", "4200", "4300", id: "02") + [
        ">0043 10 110e 71 000a 01 00000064 00000069 00", "<0042 12 110e 71 0001 0b",
        ">0043 20 110e 71 000a 01 00000064 00000069 00", "<0042 22 110e 71 0001 09",
      ])
    let severities = reported.events.compactMap { event -> Event.Severity? in
      if case .audio(.remoteRejected) = event.content { event.severity } else { nil }
    }
    #expect(severities == [.info, .warning])
  }

  /// The browsing channel has the PDUs without AV/C. 6.10.4.2
  @Test func browsing() throws {
    let reported = SessionAudioTests.reported(
      SessionAudioTests.open("1b00", "4200", "4300", id: "02") + [
        ">0043 10 110e 80 0006 006a 0002 6162", "<0042 12 110e 80 0007 04 0007 0000002a",
      ])
    guard case .items(let items) = reported.audio.first else {
      throw SessionAudioTests.Unexpected()
    }
    #expect(items.pdu == 0x80 && items.count == 42)
    #expect(Array(reported.related[2...3]) == [4, 3])
  }
}
