import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AVRCPTests {
  static let frames = [
    Vector(
      "AV/C General, 9.2, with AVRCP 1.6, 4.3.1", .avctp(0x110E), "01 ff 30 ff ff ff ff ff",
      [
        "AVRCP", "  ctype: STATUS (0x01)", "  Subunit_type: Unit (0x1f)", "  Subunit_ID: 7",
        "  Opcode: UNIT INFO (0x30)", "  Operands: ffffffffff",
      ]),
    Vector(
      "AV/C General, 9.2: response", .avctp(0x110E), "0c ff 30 07 48 00 19 58",
      [
        "AVRCP", "  ctype: STABLE (0x0c)", "  Subunit_type: Unit (0x1f)", "  Subunit_ID: 7",
        "  Opcode: UNIT INFO (0x30)", "  Unit information: 0x07", "  Unit_type: PANEL (0x09)",
        "  Unit: 0", "  Company ID: Bluetooth SIG (0x001958)",
      ]),
    Vector(
      "AV/C General, 9.3, with AVRCP 1.6, 4.3.2", .avctp(0x110E), "01 ff 31 07 ff ff ff ff",
      [
        "AVRCP", "  ctype: STATUS (0x01)", "  Subunit_type: Unit (0x1f)", "  Subunit_ID: 7",
        "  Opcode: SUBUNIT INFO (0x31)", "  Page: 0", "  Extension code: 7", "  Operands: ffffffff",
      ]),
    Vector(
      "AV/C General, 9.3: response", .avctp(0x110E), "0c ff 31 07 48 ff ff ff",
      [
        "AVRCP", "  ctype: STABLE (0x0c)", "  Subunit_type: Unit (0x1f)", "  Subunit_ID: 7",
        "  Opcode: SUBUNIT INFO (0x31)", "  Page: 0", "  Extension code: 7",
        "  Unit_type: PANEL (0x09)", "  Unit: 0", "  Operands: ffffff",
      ]),
    Vector(
      "AVRCP 1.6, 4.4.1: released", .avctp(0x110E), "09 48 7c c4 00",
      [
        "AVRCP", "  ctype: ACCEPTED (0x09)", "  Subunit_type: PANEL (0x09)", "  Subunit_ID: 0",
        "  Opcode: PASS THROUGH (0x7c)", "  state_flag: released (1)",
        "  operation_ID: play (0x44)", "  Operation data field length: 0",
      ]),
    Vector(
      "AVRCP 1.6, 26.1: next group", .avctp(0x110E), "00 48 7c 7e 05 00 19 58 00 00",
      [
        "AVRCP", "  ctype: CONTROL (0x00)", "  Subunit_type: PANEL (0x09)", "  Subunit_ID: 0",
        "  Opcode: PASS THROUGH (0x7c)", "  state_flag: pressed (0)",
        "  operation_ID: vendor unique (0x7e)", "  Operation data field length: 5",
        "  Company ID: Bluetooth SIG (0x001958)", "  Vendor unique operation: 0x0000",
      ]),
    Vector(
      "AVRCP 1.6, 4.3: another opcode", .avctp(0x110E), "01 ff b0 ff",
      [
        "AVRCP", "  ctype: STATUS (0x01)", "  Subunit_type: Unit (0x1f)", "  Subunit_ID: 7",
        "  Opcode: Unknown (0xb0)", "  Operands: ff",
      ]),
    Vector(
      "AVRCP 1.6, 4.5: another company", .avctp(0x110E), "00 48 00 00 01 02 aa",
      [
        "AVRCP", "  ctype: CONTROL (0x00)", "  Subunit_type: PANEL (0x09)", "  Subunit_ID: 0",
        "  Opcode: VENDOR DEPENDENT (0x00)", "  Company ID: Unknown (0x000102)", "  Operands: aa",
      ]),
  ]

  /// A PDU of the Bluetooth SIG, whose lines begin behind the PDU ID.
  static func pdu(
    _ source: String, _ type: String, _ pdu: String, _ hex: String, _ parameters: [String]
  ) -> Vector {
    Vector(
      source, .avctp(0x110E), hex,
      [
        "AVRCP", "  ctype: \(type)", "  Subunit_type: PANEL (0x09)", "  Subunit_ID: 0",
        "  Opcode: VENDOR DEPENDENT (0x00)", "  Company ID: Bluetooth SIG (0x001958)",
        "  PDU ID: \(pdu)",
      ] + parameters)
  }

  static let pdus = [
    pdu(
      "AVRCP 1.6, 6.4.1", "STATUS (0x01)", "GetCapabilities (0x10)",
      "01 48 00 00 19 58 10 00 00 01 03",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  Capability ID: EVENTS_SUPPORTED (0x03)",
      ]),
    pdu(
      "AVRCP 1.6, 6.4.1: events", "STABLE (0x0c)", "GetCapabilities (0x10)",
      "0c 48 00 00 19 58 10 00 00 05 03 03 01 02 0d",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 5",
        "  Capability ID: EVENTS_SUPPORTED (0x03)", "  Number of Entries: 3",
        "  EventID: EVENT_PLAYBACK_STATUS_CHANGED (0x01)", "  EventID: EVENT_TRACK_CHANGED (0x02)",
        "  EventID: EVENT_VOLUME_CHANGED (0x0d)",
      ]),
    pdu(
      "AVRCP 1.6, 6.4.1: companies", "STABLE (0x0c)", "GetCapabilities (0x10)",
      "0c 48 00 00 19 58 10 00 00 05 02 01 00 19 58",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 5", "  Capability ID: COMPANY_ID (0x02)",
        "  Number of Entries: 1", "  Company ID: Bluetooth SIG (0x001958)",
      ]),
    pdu(
      "AVRCP 1.6, 6.15.3", "REJECTED (0x0a)", "GetCapabilities (0x10)",
      "0a 48 00 00 19 58 10 00 00 01 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  Error/Status Code: Invalid parameter (0x01)",
      ]),
    pdu(
      "AV/C General, 7.1: not implemented", "NOT IMPLEMENTED (0x08)",
      "InformBatteryStatusOfCT (0x18)",
      "08 48 00 00 19 58 18 00 00 01 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1", "  Parameters: 00",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.1", "STATUS (0x01)", "ListPlayerApplicationSettingAttributes (0x11)",
      "01 48 00 00 19 58 11 00 00 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.1: response", "STABLE (0x0c)",
      "ListPlayerApplicationSettingAttributes (0x11)",
      "0c 48 00 00 19 58 11 00 00 03 02 02 03",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 3", "  Number of Entries: 2",
        "  PlayerApplicationSettingAttributeID: Repeat Mode status (0x02)",
        "  PlayerApplicationSettingAttributeID: Shuffle ON/OFF status (0x03)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.2", "STATUS (0x01)", "ListPlayerApplicationSettingValues (0x12)",
      "01 48 00 00 19 58 12 00 00 01 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  PlayerApplicationSettingAttributeID: Repeat Mode status (0x02)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.2: response", "STABLE (0x0c)", "ListPlayerApplicationSettingValues (0x12)",
      "0c 48 00 00 19 58 12 00 00 04 03 01 02 03",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 4", "  Number of Entries: 3",
        "  PlayerApplicationSettingValueID: 0x01", "  PlayerApplicationSettingValueID: 0x02",
        "  PlayerApplicationSettingValueID: 0x03",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.3", "STATUS (0x01)", "GetCurrentPlayerApplicationSettingValue (0x13)",
      "01 48 00 00 19 58 13 00 00 02 01 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2", "  Number of Entries: 1",
        "  PlayerApplicationSettingAttributeID: Repeat Mode status (0x02)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.3: response", "STABLE (0x0c)",
      "GetCurrentPlayerApplicationSettingValue (0x13)",
      "0c 48 00 00 19 58 13 00 00 0b 05 01 02 02 03 03 02 04 03 80 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 11", "  Number of Entries: 5",
        "  PlayerApplicationSettingAttributeID: Equalizer ON/OFF status (0x01)",
        "  PlayerApplicationSettingValueID: ON (0x02)",
        "  PlayerApplicationSettingAttributeID: Repeat Mode status (0x02)",
        "  PlayerApplicationSettingValueID: All track repeat (0x03)",
        "  PlayerApplicationSettingAttributeID: Shuffle ON/OFF status (0x03)",
        "  PlayerApplicationSettingValueID: All tracks shuffle (0x02)",
        "  PlayerApplicationSettingAttributeID: Scan ON/OFF status (0x04)",
        "  PlayerApplicationSettingValueID: Group scan (0x03)",
        "  PlayerApplicationSettingAttributeID: Unknown (0x80)",
        "  PlayerApplicationSettingValueID: 0x01",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.4", "CONTROL (0x00)", "SetPlayerApplicationSettingValue (0x14)",
      "00 48 00 00 19 58 14 00 00 03 01 03 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 3", "  Number of Entries: 1",
        "  PlayerApplicationSettingAttributeID: Shuffle ON/OFF status (0x03)",
        "  PlayerApplicationSettingValueID: All tracks shuffle (0x02)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.4: response", "ACCEPTED (0x09)", "SetPlayerApplicationSettingValue (0x14)",
      "09 48 00 00 19 58 14 00 00 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.5", "STATUS (0x01)", "GetPlayerApplicationSettingAttributeText (0x15)",
      "01 48 00 00 19 58 15 00 00 02 01 80",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2", "  Number of Entries: 1",
        "  PlayerApplicationSettingAttributeID: Unknown (0x80)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.5: response", "STABLE (0x0c)",
      "GetPlayerApplicationSettingAttributeText (0x15)",
      "0c 48 00 00 19 58 15 00 00 09 01 80 00 6a 04 42 61 73 73",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 9", "  Number of Entries: 1", "  Entry",
        "    PlayerApplicationSettingAttributeID: Unknown (0x80)",
        "    CharacterSetID: UTF-8 (106)", "    String Length: 4", "    String: \"Bass\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.6", "STATUS (0x01)", "GetPlayerApplicationSettingValueText (0x16)",
      "01 48 00 00 19 58 16 00 00 03 80 01 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 3",
        "  PlayerApplicationSettingAttributeID: Unknown (0x80)", "  Number of Entries: 1",
        "  PlayerApplicationSettingValueID: 0x01",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.6: response", "STABLE (0x0c)", "GetPlayerApplicationSettingValueText (0x16)",
      "0c 48 00 00 19 58 16 00 00 08 01 01 00 6a 03 4c 6f 77",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 8", "  Number of Entries: 1", "  Entry",
        "    PlayerApplicationSettingValueID: 0x01", "    CharacterSetID: UTF-8 (106)",
        "    String Length: 3", "    String: \"Low\"",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.7", "CONTROL (0x00)", "InformDisplayableCharacterSet (0x17)",
      "00 48 00 00 19 58 17 00 00 03 01 00 6a",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 3", "  Number of Entries: 1",
        "  CharacterSetID: UTF-8 (106)",
      ]),
    pdu(
      "AVRCP 1.6, 6.5.8", "CONTROL (0x00)", "InformBatteryStatusOfCT (0x18)",
      "00 48 00 00 19 58 18 00 00 01 04",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1", "  Battery status: FULL_CHARGE (4)",
      ]),
    pdu(
      "AVRCP 1.6, 6.6.1", "STATUS (0x01)", "GetElementAttributes (0x20)",
      "01 48 00 00 19 58 20 00 00 11 00 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 17", "  Identifier: 0x0000000000000000",
        "  Number of Entries: 2", "  AttributeID: Title (1)", "  AttributeID: Artist Name (2)",
      ]),
    pdu(
      "AVRCP 1.6, 6.6.1: response", "STABLE (0x0c)", "GetElementAttributes (0x20)",
      """
      0c 48 00 00 19 58 20 00 00 16 02 00 00 00 01 00 6a 00 05 48 65 6c 6c 6f 00 00 00 02 00 \
      6a 00 00
      """,
      [
        "  Packet Type: Single (0)", "  Parameter Length: 22", "  Number of Entries: 2", "  Entry",
        "    AttributeID: Title (1)", "    CharacterSetID: UTF-8 (106)",
        "    AttributeValueLength: 5", "    AttributeValue: \"Hello\"", "  Entry",
        "    AttributeID: Artist Name (2)", "    CharacterSetID: UTF-8 (106)",
        "    AttributeValueLength: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.3.1: start", "STABLE (0x0c)", "GetElementAttributes (0x20)",
      "0c 48 00 00 19 58 20 01 00 04 02 00 00 00",
      [
        "  Packet Type: Start (1)", "  Parameter Length: 4", "  Fragment: 02000000",
      ]),
    pdu(
      "AVRCP 1.6, 6.8.1", "CONTROL (0x00)", "RequestContinuingResponse (0x40)",
      "00 48 00 00 19 58 40 00 00 01 20",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  Continue PDU ID: GetElementAttributes (0x20)",
      ]),
    pdu(
      "AVRCP 1.6, 6.8.2: response", "ACCEPTED (0x09)", "AbortContinuingResponse (0x41)",
      "09 48 00 00 19 58 41 00 00 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.1", "STATUS (0x01)", "GetPlayStatus (0x30)", "01 48 00 00 19 58 30 00 00 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.1: response", "STABLE (0x0c)", "GetPlayStatus (0x30)",
      "0c 48 00 00 19 58 30 00 00 09 00 03 0d 40 00 00 03 e8 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 9", "  SongLength: 200000 ms",
        "  SongPosition: 1000 ms", "  PlayStatus: PLAYING (0x01)",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2", "NOTIFY (0x03)", "RegisterNotification (0x31)",
      "03 48 00 00 19 58 31 00 00 05 05 00 00 00 0a",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 5",
        "  EventID: EVENT_PLAYBACK_POS_CHANGED (0x05)", "  Playback interval: 10 s",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.31", "INTERIM (0x0f)", "RegisterNotification (0x31)",
      "0f 48 00 00 19 58 31 00 00 02 01 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2",
        "  EventID: EVENT_PLAYBACK_STATUS_CHANGED (0x01)", "  PlayStatus: PAUSED (0x02)",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.32", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 09 02 00 00 00 00 00 00 00 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 9",
        "  EventID: EVENT_TRACK_CHANGED (0x02)", "  Identifier: 0x0000000000000001",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2: end of the track", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 01 03",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  EventID: EVENT_TRACK_REACHED_END (0x03)",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.35", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 05 05 00 00 27 10",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 5",
        "  EventID: EVENT_PLAYBACK_POS_CHANGED (0x05)", "  SongPosition: 10000 ms",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.36", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 02 06 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2",
        "  EventID: EVENT_BATT_STATUS_CHANGED (0x06)", "  Battery status: WARNING (1)",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.37", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 02 07 02",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2",
        "  EventID: EVENT_SYSTEM_STATUS_CHANGED (0x07)", "  SystemStatus: UNPLUGGED (2)",
      ]),
    pdu(
      "AVRCP 1.6, 6.7.2, table 6.38", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 04 08 01 02 03",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 4",
        "  EventID: EVENT_PLAYER_APPLICATION_SETTING_CHANGED (0x08)", "  Number of Entries: 1",
        "  PlayerApplicationSettingAttributeID: Repeat Mode status (0x02)",
        "  PlayerApplicationSettingValueID: All track repeat (0x03)",
      ]),
    pdu(
      "AVRCP 1.6, 6.9.2", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 05 0b 00 01 00 00",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 5",
        "  EventID: EVENT_ADDRESSED_PLAYER_CHANGED (0x0b)", "  Player ID: 0x0001",
        "  UID Counter: 0",
      ]),
    pdu(
      "AVRCP 1.6, 6.10.3.3", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 03 0c 00 07",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 3",
        "  EventID: EVENT_UIDS_CHANGED (0x0c)", "  UID Counter: 7",
      ]),
    pdu(
      "AVRCP 1.6, 6.13.3: a reserved bit is set", "CHANGED (0x0d)", "RegisterNotification (0x31)",
      "0d 48 00 00 19 58 31 00 00 02 0d c0",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2",
        "  EventID: EVENT_VOLUME_CHANGED (0x0d)", "  Absolute Volume: 64",
      ]),
    pdu(
      "AVRCP 1.6, 6.13.2", "CONTROL (0x00)", "SetAbsoluteVolume (0x50)",
      "00 48 00 00 19 58 50 00 00 01 40",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1", "  Absolute Volume: 64",
      ]),
    pdu(
      "AVRCP 1.6, 6.13.2: response", "ACCEPTED (0x09)", "SetAbsoluteVolume (0x50)",
      "09 48 00 00 19 58 50 00 00 01 3f",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1", "  Absolute Volume: 63",
      ]),
    pdu(
      "AVRCP 1.6, 6.9.1", "CONTROL (0x00)", "SetAddressedPlayer (0x60)",
      "00 48 00 00 19 58 60 00 00 02 00 01",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2", "  Player ID: 0x0001",
      ]),
    pdu(
      "AVRCP 1.6, 6.9.1: response", "ACCEPTED (0x09)", "SetAddressedPlayer (0x60)",
      "09 48 00 00 19 58 60 00 00 01 04",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  Error/Status Code: Operation completed without error (0x04)",
      ]),
    pdu(
      "AVRCP 1.6, 6.12.1", "CONTROL (0x00)", "PlayItem (0x74)",
      "00 48 00 00 19 58 74 00 00 0b 03 00 00 00 00 00 00 00 02 00 07",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 11", "  Scope: Now Playing (3)",
        "  UID: 0x0000000000000002", "  UID Counter: 7",
      ]),
    pdu(
      "AVRCP 1.6, 6.12.3: response", "ACCEPTED (0x09)", "AddToNowPlaying (0x90)",
      "09 48 00 00 19 58 90 00 00 01 0e",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1",
        "  Error/Status Code: Now Playing List full (0x0e)",
      ]),
    pdu(
      "AVRCP 1.6, 4.5: a PDU that is not known", "STATUS (0x01)", "Unknown (0x7f)",
      "01 48 00 00 19 58 7f 00 00 01 aa",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 1", "  Parameters: aa",
      ]),
    pdu(
      "AVRCP 1.6, 6.3.1: longer than the message", "CONTROL (0x00)", "SetAbsoluteVolume (0x50)",
      "00 48 00 00 19 58 50 00 00 02 40",
      [
        "  Packet Type: Single (0)", "  Parameter Length: 2", "  Undecoded: 40",
      ]),
  ]

  @Test(arguments: frames) func frame(_ vector: Vector) { vector.check() }

  @Test(arguments: pdus) func vector(_ vector: Vector) { vector.check() }

  /// AVRCP 1.6, 4.4.1, 6.6.1, 6.7.2, 6.9.1, 6.13.2, 6.15.3
  @Test func messages() {
    let pressed = AVRCPMessage(hex("00 48 7c 44 00").raw, as: .control, isCut: false)
    #expect(pressed.opcode == .passThrough && pressed.operation == 0x44 && !pressed.isReleased)
    let released = AVRCPMessage(hex("00 48 7c c4 00").raw, as: .control, isCut: false)
    #expect(released.operation == 0x44 && released.isReleased)
    let attributes = AVRCPMessage(
      hex("0c 48 00 00 19 58 20 00 00 0b 01 00 00 00 01 00 6a 00 02 48 69").raw, as: .control,
      isCut: false)
    #expect(attributes.type == .stable && attributes.identifier == 0x20)
    #expect(attributes.attributes.map(\.id) == [1])
    #expect(attributes.attributes.map(\.value) == [19..<21])
    let volume = AVRCPMessage(
      hex("0d 48 00 00 19 58 31 00 00 02 0d 40").raw, as: .control, isCut: false)
    #expect(volume.type == .changed && volume.event == 0x0D && volume.volume == 0x40)
    let settings = AVRCPMessage(
      hex("0c 48 00 00 19 58 13 00 00 05 02 02 03 03 01").raw, as: .control, isCut: false)
    #expect(
      settings.settings.map(\.attribute) == [2, 3] && settings.settings.map(\.value) == [3, 1])
    let done = AVRCPMessage(hex("09 48 00 00 19 58 60 00 00 01 04").raw, as: .control, isCut: false)
    #expect(done.status == 4 && !done.isRejected)
    let refused = AVRCPMessage(
      hex("0a 48 00 00 19 58 60 00 00 01 11").raw, as: .control, isCut: false)
    #expect(refused.type == .rejected && refused.status == 0x11 && refused.isRejected)
  }

  /// AVRCP 1.6, 6.3.1: the parts of a response, and all of it after the header of the first.
  @Test func parts() {
    let end = AVRCPMessage(
      hex("0c 48 00 00 19 58 20 03 00 02 48 69").raw, as: .control, isCut: false)
    #expect(end.packetType == .end && end.fragment == 10..<12 && end.attributes.isEmpty)
    let whole = AVRCPMessage(
      hex("0c 48 00 00 19 58 20 01 00 09 01 00 00 00 01 00 6a 00 02 48 69").raw, as: .reassembled,
      isCut: false)
    #expect(whole.attributes.map(\.value) == [19..<21])
  }
}
