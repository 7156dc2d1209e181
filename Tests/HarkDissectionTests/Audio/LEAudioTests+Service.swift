import HarkCore

@testable import HarkDissection

extension LEAudioTests {
  static let serviceVectors: [Vector] = [
    att(
      "BASS 1.0.1, 1.6", "01 12 10 00 81", 0x2BC7,
      [
        "ATT", "  Attribute Opcode: ATT_ERROR_RSP (0x01)",
        "  Request Opcode In Error: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC7 (Broadcast Audio Scan Control Point) [inferred]",
        "  Error Code: Invalid Source_ID (0x81)",
      ]),
    att(
      "VCS 1.0, 1.6", "01 12 10 00 80", 0x2B7E,
      [
        "ATT", "  Attribute Opcode: ATT_ERROR_RSP (0x01)",
        "  Request Opcode In Error: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2B7E (Volume Control Point) [inferred]",
        "  Error Code: Invalid Change Counter (0x80)",
      ]),
    value(
      "VCS 1.0, 3.1", 0x2B7D, "80 01 05",
      [
        "Volume Control", "  Volume_Setting: 128", "  Mute: Muted (1)", "  Change_Counter: 5",
      ]),
    value(
      "VCS 1.0, 3.2.2.5", 0x2B7E, "04 05 64",
      [
        "Volume Control", "  Opcode: Set Absolute Volume (0x04)", "  Change_Counter: 5",
        "  Volume_Setting: 100",
      ]),
    value(
      "VCS 1.0, 3.3", 0x2B7F, "01",
      [
        "Volume Control", "  Volume Flags: User Set Volume Setting (0x01)",
      ]),
    value(
      "VOCS 1.0, 3.1", 0x2B80, "9c ff 02",
      [
        "Volume Control", "  Volume_Offset: -100", "  Change_Counter: 2",
      ]),
    value(
      "VOCS 1.0, 3.3.2.1", 0x2B82, "01 02 ff 00",
      [
        "Volume Control", "  Opcode: Set Volume Offset (0x01)", "  Change_Counter: 2",
        "  Volume_Offset: 255",
      ]),
    value(
      "AICS 1.0, 3.1", 0x2B77, "f6 00 02 07",
      [
        "Volume Control", "  Gain_Setting: -10", "  Mute: Not Muted (0)", "  Gain_Mode: Manual (2)",
        "  Change_Counter: 7",
      ]),
    value(
      "AICS 1.0, 3.2", 0x2B78, "01 80 7f",
      [
        "Volume Control", "  Gain_Setting_Units: 1 (0.1 dB)", "  Gain_Setting_Minimum: -128",
        "  Gain_Setting_Maximum: 127",
      ]),
    value(
      "AICS 1.0, 3.3", 0x2B79, "02",
      [
        "Volume Control", "  Audio Input Type: Microphone (2)",
      ]),
    value(
      "AICS 1.0, 3.5.2.1", 0x2B7B, "01 07 f0",
      [
        "Volume Control", "  Opcode: Set Gain Setting (0x01)", "  Change_Counter: 7",
        "  Gain_Setting: -16",
      ]),
    value(
      "MICS 1.0, 3.1", 0x2BC3, "02",
      [
        "Volume Control", "  Mute: Disabled (2)",
      ]),
    value(
      "CSIS 1.0.1, 5.1", 0x2B84, "01 cd cc 72 dd 86 8c cd ce 22 fd a1 21 09 7d 7d 45",
      [
        "CSIS", "  Type: Plain text SIRK (1)", "  Set Identity Resolving Key: 16 secret bytes",
      ]),
    value(
      "CSIS 1.0.1, 5.3", 0x2B86, "02",
      [
        "CSIS", "  Set Member Lock: Locked (2)",
      ]),
    value(
      "MCS 1.0.1, 3.6", 0x2B98, "10 27 00 00",
      [
        "MCS", "  Track Duration: 10000 (100 s)",
      ]),
    value(
      "MCS 1.0.1, 3.7: no track", 0x2B99, "ff ff ff ff",
      [
        "MCS", "  Track Position: unavailable (-1)",
      ]),
    value(
      "MCS 1.0.1, 3.17", 0x2BA3, "01",
      [
        "MCS", "  Media State: Playing (1)",
      ]),
    att(
      "MCS 1.0.1, 3.18: Move Relative, 5 s back", "52 20 00 10 0c fe ff ff", 0x2BA4,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_CMD (0x52)", "  Attribute Handle: 0x0020",
        "  Attribute: 0x2BA4 (Media Control Point) [inferred]", "  Attribute Value", "    MCS",
        "      Opcode: Move Relative (0x10)", "      Offset: -500 (-5 s)",
      ]),
    att(
      "MCS 1.0.1, 3.18: Goto Track", "12 20 00 34 02 00 00 00", 0x2BA4,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0020",
        "  Attribute: 0x2BA4 (Media Control Point) [inferred]", "  Attribute Value", "    MCS",
        "      Opcode: Goto Track (0x34)", "      Number: 2",
      ]),
    att(
      "MCS 1.0.1, 3.18.2", "1b 20 00 01 03", 0x2BA4,
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0020",
        "  Attribute: 0x2BA4 (Media Control Point) [inferred]", "  Attribute Value", "    MCS",
        "      Opcode: Play (0x01)", "      Result Code: Media Player Inactive (3)",
      ]),
    value(
      "MCS 1.0.1, 3.19", 0x2BA5, "1f 00 00 00",
      [
        "MCS",
        "  Media Control Point Opcodes Supported: 0x0000001f: Play, Pause, Fast Rewind, Fast "
          + "Forward, Stop",
      ]),
    att(
      "MCS 1.0.1, 3.21.1", "12 22 00 05 02 4d 75 73 65 01 08", 0x2BA7,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0022",
        "  Attribute: 0x2BA7 (Search Control Point) [inferred]", "  Attribute Value", "    MCS",
        "      Search Control Item", "        Length: 5", "        Type: Artist Name (2)",
        "        Parameter: \"Muse\"", "      Search Control Item", "        Length: 1",
        "        Type: Only Tracks (8)",
      ]),
    value(
      "TBS 1.0, 3.7: a call list", 0x2BB9, "09 01 03 01 74 65 6c 3a 31 32",
      [
        "TBS", "  Call", "    List_Item_Length: 9", "    Call_Index: 1",
        "    Call State: Active (3)", "    Call_Flags: 0x01: outgoing", "    Call URI: \"tel:12\"",
      ]),
    value(
      "TBS 1.0, 3.11: two calls", 0x2BBD, "01 04 01 02 00 00",
      [
        "TBS", "  Call", "    Call_Index: 1", "    Call State: Locally Held (4)",
        "    Call_Flags: 0x01: outgoing", "  Call", "    Call_Index: 2",
        "    Call State: Incoming (0)", "    Call_Flags: 0x00",
      ]),
    att(
      "TBS 1.0, 3.12.1: Originate", "12 30 00 04 74 65 6c 3a 31", 0x2BBE,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0030",
        "  Attribute: 0x2BBE (Call Control Point) [inferred]", "  Attribute Value", "    TBS",
        "      Opcode: Originate (0x04)", "      Call URI: \"tel:1\"",
      ]),
    att(
      "TBS 1.0, 3.12.1: Join", "12 30 00 05 01 02", 0x2BBE,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0030",
        "  Attribute: 0x2BBE (Call Control Point) [inferred]", "  Attribute Value", "    TBS",
        "      Opcode: Join (0x05)", "      Call_Index: 1", "      Call_Index: 2",
      ]),
    att(
      "TBS 1.0, 3.12.2", "1b 30 00 00 02 04", 0x2BBE,
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0030",
        "  Attribute: 0x2BBE (Call Control Point) [inferred]", "  Attribute Value", "    TBS",
        "      Opcode: Accept (0x00)", "      Call_Index: 2",
        "      Result Code: State Mismatch (4)",
      ]),
    value(
      "TBS 1.0, 3.14", 0x2BC0, "01 02",
      [
        "TBS", "  Call_Index: 1", "  Termination Reason: remote party ended the call (2)",
      ]),
    value(
      "TBS 1.0, 3.9", 0x2BBB, "01 00",
      [
        "TBS", "  Status Flags: 0x0001: inband ringtone enabled",
      ]),
    value(
      "HAS 1.0, 3.1", 0x2BDA, "31",
      [
        "HAS", "  Hearing Aid Features: 0x30: Dynamic Presets, Writable Presets Support",
        "  Hearing Aid Type: Monaural Hearing Aid (1)",
      ]),
    value(
      "HAS 1.0, 3.2.1.2: a preset record", 0x2BDB, "02 01 01 03 48 6f 6d 65",
      [
        "HAS", "  Opcode: Read Preset Response (0x02)", "  Is_Last: yes (1)", "  Index: 1",
        "  Properties: 0x03: Writable, Is_Available", "  Name: \"Home\"",
      ]),
    value(
      "HAS 1.0, 3.2.1.3: Generic Update", 0x2BDB, "03 00 01 01 02 02 42 61 72",
      [
        "HAS", "  Opcode: Preset Changed (0x03)", "  Change_Id: Generic Update (0)",
        "  Is_Last: yes (1)", "  Prev_Index: 1", "  Index: 2", "  Properties: 0x02: Is_Available",
        "  Name: \"Bar\"",
      ]),
    value(
      "TMAP 1.0, 4.2", 0x2B51, "0a 00",
      [
        "Audio Roles", "  TMAP Role: 0x000a: Call Terminal, Unicast Media Receiver",
      ]),
    value(
      "GMAP 1.0, 4", 0x2C00, "02",
      [
        "Audio Roles", "  GMAP Role: 0x02: Unicast Game Terminal",
      ]),
    value(
      "GMAP 1.0, 4: a terminal", 0x2C02, "0d",
      [
        "Audio Roles", "  UGT Features: 0x0d: UGT Source, UGT Sink, UGT 64 kbps Sink",
      ]),
  ]
}
