import HarkCore

@testable import HarkDissection

extension LEAudioTests {
  static let streamVectors: [Vector] = [
    value(
      "PACS 1.0.1, 3.1: LC3 at 16 and 48 kHz", 0x2BC9,
      "01 06 00 00 00 00 13 03 01 84 00 02 02 02 02 03 03 05 04 1a 00 9b 00 02 05 02 04 03 01 "
        + "06 00",
      [
        "PACS", "  Number_of_PAC_records: 1", "  PAC Record", "    Codec_ID",
        "      Coding_Format: LC3 (0x06)", "      Company_ID: 0x0000",
        "      Vendor_Specific_Codec_ID: 0x0000", "    Codec_Specific_Capabilities_Length: 19",
        "    Codec_Specific_Capabilities", "      LTV", "        Length: 3",
        "        Type: Supported_Sampling_Frequencies (0x01)",
        "        Supported_Sampling_Frequencies: 0x0084: 16 kHz, 48 kHz", "      LTV",
        "        Length: 2", "        Type: Supported_Frame_Durations (0x02)",
        "        Supported_Frame_Durations: 0x02: 10 ms", "      LTV", "        Length: 2",
        "        Type: Supported_Audio_Channel_Counts (0x03)",
        "        Supported_Audio_Channel_Counts: 0x03: 1, 2", "      LTV", "        Length: 5",
        "        Type: Supported_Octets_Per_Codec_Frame (0x04)",
        "        Minimum Octets_Per_Codec_Frame: 26", "        Maximum Octets_Per_Codec_Frame: 155",
        "      LTV", "        Length: 2", "        Type: Supported_Max_Codec_Frames_Per_SDU (0x05)",
        "        Supported_Max_Codec_Frames_Per_SDU: 2", "    Metadata_Length: 4", "    Metadata",
        "      LTV", "        Length: 3", "        Type: Preferred_Audio_Contexts (0x01)",
        "        Preferred_Audio_Contexts: 0x0006: Conversational, Media",
      ]),
    value(
      "PACS 1.0.1, 3.1: a codec of a vendor", 0x2BCB, "01 ff 0a 00 01 00 02 aa bb 00",
      [
        "PACS", "  Number_of_PAC_records: 1", "  PAC Record", "    Codec_ID",
        "      Coding_Format: Vendor Specific (0xff)",
        "      Company_ID: Qualcomm Technologies International, Ltd. (QTIL) (0x000a)",
        "      Vendor_Specific_Codec_ID: 0x0001", "    Codec_Specific_Capabilities_Length: 2",
        "    Codec_Specific_Capabilities", "      Vendor Codec Data: aabb",
        "    Metadata_Length: 0",
      ]),
    value(
      "PACS 1.0.1, 3.2", 0x2BCA, "03 00 00 00",
      [
        "PACS", "  Audio Locations: 0x00000003: Front Left, Front Right",
      ]),
    value(
      "PACS 1.0.1, 3.5", 0x2BCD, "06 00 00 00",
      [
        "PACS", "  Available_Sink_Contexts: 0x0006: Conversational, Media",
        "  Available_Source_Contexts: none (0x0000)",
      ]),
    value(
      "PACS 1.0.1, 3.6", 0x2BCE, "ff 0f 03 00",
      [
        "PACS",
        "  Supported_Sink_Contexts: 0x0fff: Unspecified, Conversational, Media, Game, "
          + "Instructional, Voice assistants, Live, Sound effects, Notifications, Ringtone, "
          + "Alerts, Emergency alarm",
        "  Supported_Source_Contexts: 0x0003: Unspecified, Conversational",
      ]),
    att(
      "ASCS 1.0.1, 5.1: Config Codec",
      "12 10 00 01 01 01 02 02 06 00 00 00 00 13 02 01 08 02 02 01 05 03 01 00 00 00 03 04 78 00 02 05 01",
      0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Config Codec (0x01)", "      Number_of_ASEs: 1", "      ASE",
        "        ASE_ID: 1", "        Target_Latency: Target balanced latency and reliability (2)",
        "        Target_PHY: LE 2M PHY (2)", "        Codec_ID",
        "          Coding_Format: LC3 (0x06)", "          Company_ID: 0x0000",
        "          Vendor_Specific_Codec_ID: 0x0000",
        "        Codec_Specific_Configuration_Length: 19", "        Codec_Specific_Configuration",
        "          LTV", "            Length: 2", "            Type: Sampling_Frequency (0x01)",
        "            Sampling_Frequency: 48 kHz (8)", "          LTV", "            Length: 2",
        "            Type: Frame_Duration (0x02)", "            Frame_Duration: 10 ms (1)",
        "          LTV", "            Length: 5",
        "            Type: Audio_Channel_Allocation (0x03)",
        "            Audio_Channel_Allocation: 0x00000001: Front Left", "          LTV",
        "            Length: 3", "            Type: Octets_Per_Codec_Frame (0x04)",
        "            Octets_Per_Codec_Frame: 120", "          LTV", "            Length: 2",
        "            Type: Codec_Frame_Blocks_Per_SDU (0x05)",
        "            Codec_Frame_Blocks_Per_SDU: 1",
      ]),
    att(
      "ASCS 1.0.1, 5.2: Config QoS",
      "52 10 00 02 01 01 01 02 10 27 00 00 02 78 00 0d 64 00 40 9c 00", 0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_CMD (0x52)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Config QoS (0x02)", "      Number_of_ASEs: 1", "      ASE",
        "        ASE_ID: 1", "        CIG_ID: 1", "        CIS_ID: 2",
        "        SDU_Interval: 10000 µs", "        Framing: Unframed (0)",
        "        PHY: 0x02: LE 2M", "        Max_SDU: 120", "        Retransmission_Number: 13",
        "        Max_Transport_Latency: 100 ms", "        Presentation_Delay: 40000 µs",
      ]),
    att(
      "ASCS 1.0.1, 5.3: Enable", "12 10 00 03 01 01 0c 03 02 04 00 02 05 05 04 04 65 6e 67", 0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_WRITE_REQ (0x12)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Enable (0x03)", "      Number_of_ASEs: 1", "      ASE", "        ASE_ID: 1",
        "        Metadata_Length: 12", "        Metadata", "          LTV", "            Length: 3",
        "            Type: Streaming_Audio_Contexts (0x02)",
        "            Streaming_Audio_Contexts: 0x0004: Media", "          LTV",
        "            Length: 2", "            Type: CCID_List (0x05)", "            CCID: 5",
        "          LTV", "            Length: 4", "            Type: Language (0x04)",
        "            Language: \"eng\"",
      ]),
    value(
      "ASCS 1.0.1, 5.8: Release of two", 0x2BC6, "08 02 01 02",
      [
        "ASCS", "  Opcode: Release (0x08)", "  Number_of_ASEs: 2", "  ASE", "    ASE_ID: 1",
        "  ASE", "    ASE_ID: 2",
      ]),
    att(
      "ASCS 1.0.1, 5: a response", "1b 10 00 02 02 01 00 00 02 09 06", 0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Config QoS (0x02)", "      Number_of_ASEs: 2", "      ASE",
        "        ASE_ID: 1", "        Response_Code: Success (0x00)",
        "        Reason: no reason (0x00)", "      ASE", "        ASE_ID: 2",
        "        Response_Code: Invalid Configuration Parameter Value (0x09)",
        "        Reason: Maximum_SDU_Size (0x06)",
      ]),
    att(
      "ASCS 1.0.1, 5: a response about metadata", "1b 10 00 07 01 01 0b 02", 0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Update Metadata (0x07)", "      Number_of_ASEs: 1", "      ASE",
        "        ASE_ID: 1", "        Response_Code: Rejected Metadata (0x0b)",
        "        Reason: Streaming_Audio_Contexts (0x02)",
      ]),
    att(
      "ASCS 1.0.1, 5: a response to an unknown operation", "1b 10 00 20 ff 00 01 00", 0x2BC6,
      [
        "ATT", "  Attribute Opcode: ATT_HANDLE_VALUE_NTF (0x1b)", "  Attribute Handle: 0x0010",
        "  Attribute: 0x2BC6 (ASE Control Point) [inferred]", "  Attribute Value", "    ASCS",
        "      Opcode: Unknown (0x20)",
        "      Number_of_ASEs: the operation as a whole is answered (255)", "      ASE",
        "        ASE_ID: 0", "        Response_Code: Unsupported Opcode (0x01)",
        "        Reason: no reason (0x00)",
      ]),
    value(
      "ASCS 1.0.1, 4.1: Idle", 0x2BC4, "01 00",
      [
        "ASCS", "  ASE_ID: 1", "  ASE_State: Idle (0)",
      ]),
    value(
      "ASCS 1.0.1, 4.1: Codec Configured", 0x2BC4,
      "01 01 00 02 0d 64 00 00 00 00 40 9c 00 00 00 00 40 9c 00 06 00 00 00 00 06 02 01 03 02 "
        + "02 01",
      [
        "ASCS", "  ASE_ID: 1", "  ASE_State: Codec Configured (1)", "  Framing: Unframed (0)",
        "  Preferred_PHY: 0x02: LE 2M", "  Preferred_Retransmission_Number: 13",
        "  Max_Transport_Latency: 100 ms", "  Presentation_Delay_Min: 0 µs",
        "  Presentation_Delay_Max: 40000 µs",
        "  Preferred_Presentation_Delay_Min: no preference (0)",
        "  Preferred_Presentation_Delay_Max: 40000 µs", "  Codec_ID",
        "    Coding_Format: LC3 (0x06)", "    Company_ID: 0x0000",
        "    Vendor_Specific_Codec_ID: 0x0000", "  Codec_Specific_Configuration_Length: 6",
        "  Codec_Specific_Configuration", "    LTV", "      Length: 2",
        "      Type: Sampling_Frequency (0x01)", "      Sampling_Frequency: 16 kHz (3)", "    LTV",
        "      Length: 2", "      Type: Frame_Duration (0x02)", "      Frame_Duration: 10 ms (1)",
      ]),
    value(
      "ASCS 1.0.1, 4.1: QoS Configured", 0x2BC5,
      "03 02 01 02 10 27 00 00 02 78 00 0d 64 00 40 9c 00",
      [
        "ASCS", "  ASE_ID: 3", "  ASE_State: QoS Configured (2)", "  CIG_ID: 1", "  CIS_ID: 2",
        "  SDU_Interval: 10000 µs", "  Framing: Unframed (0)", "  PHY: 0x02: LE 2M",
        "  Max_SDU: 120", "  Retransmission_Number: 13", "  Max_Transport_Latency: 100 ms",
        "  Presentation_Delay: 40000 µs",
      ]),
    value(
      "ASCS 1.0.1, 4.1: Streaming", 0x2BC4, "01 04 01 02 04 03 02 04 00",
      [
        "ASCS", "  ASE_ID: 1", "  ASE_State: Streaming (4)", "  CIG_ID: 1", "  CIS_ID: 2",
        "  Metadata_Length: 4", "  Metadata", "    LTV", "      Length: 3",
        "      Type: Streaming_Audio_Contexts (0x02)",
        "      Streaming_Audio_Contexts: 0x0004: Media",
      ]),
    value(
      "BASS 1.0.1, 3.1.1.4: Add Source", 0x2BC7,
      "02 01 55 44 33 22 11 c0 03 56 34 12 02 ff ff 01 01 00 00 00 04 03 02 04 00",
      [
        "BASS", "  Opcode: Add Source (0x02)",
        "  Advertiser_Address_Type: Random Device Address or Random (static) Identity Address (1)",
        "  Advertiser_Address: C0:11:22:33:44:55", "  Advertising_SID: 3",
        "  Broadcast_ID: 0x123456", "  PA_Sync: Synchronize to PA - PAST not available (2)",
        "  PA_Interval: unknown (65535)", "  Num_Subgroups: 1", "  Subgroup",
        "    BIS_Sync: 0x00000001", "    Metadata_Length: 4", "    Metadata", "      LTV",
        "        Length: 3", "        Type: Streaming_Audio_Contexts (0x02)",
        "        Streaming_Audio_Contexts: 0x0004: Media",
      ]),
    value(
      "BASS 1.0.1, 3.1.1.6: Set Broadcast_Code", 0x2BC7,
      "04 01 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
      [
        "BASS", "  Opcode: Set Broadcast_Code (0x04)", "  Source_ID: 1",
        "  Broadcast_Code: 16 secret bytes",
      ]),
    value(
      "BASS 1.0.1, 3.2: a broadcast that is decrypted", 0x2BC8,
      "01 01 55 44 33 22 11 c0 03 56 34 12 02 02 01 01 00 00 00 04 03 02 04 00",
      [
        "BASS", "  Source_ID: 1",
        "  Advertiser_Address_Type: Random Device Address or Random (static) Identity Address (1)",
        "  Advertiser_Address: C0:11:22:33:44:55", "  Advertising_SID: 3",
        "  Broadcast_ID: 0x123456", "  PA_Sync_State: Synchronized to PA (2)",
        "  BIG_Encryption: Decrypting (2)", "  Num_Subgroups: 1", "  Subgroup",
        "    BIS_Sync_State: 0x00000001", "    Metadata_Length: 4", "    Metadata", "      LTV",
        "        Length: 3", "        Type: Streaming_Audio_Contexts (0x02)",
        "        Streaming_Audio_Contexts: 0x0004: Media",
      ]),
    value(
      "BASS 1.0.1, 3.2: a wrong Broadcast_Code", 0x2BC8,
      "01 01 55 44 33 22 11 c0 03 56 34 12 02 03 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e "
        + "0f 00",
      [
        "BASS", "  Source_ID: 1",
        "  Advertiser_Address_Type: Random Device Address or Random (static) Identity Address (1)",
        "  Advertiser_Address: C0:11:22:33:44:55", "  Advertising_SID: 3",
        "  Broadcast_ID: 0x123456", "  PA_Sync_State: Synchronized to PA (2)",
        "  BIG_Encryption: Bad_Code (3)", "  Bad_Code: 16 secret bytes", "  Num_Subgroups: 0",
      ]),
  ]
}
