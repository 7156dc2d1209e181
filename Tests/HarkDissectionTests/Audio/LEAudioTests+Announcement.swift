import HarkCore

@testable import HarkDissection

extension LEAudioTests {
  static let announcementVectors: [Vector] = [
    announcement(
      "Basic Audio Profile 1.0.1, 3.7.2.1", 0x1852, "56 34 12",
      [
        "Broadcast Audio Announcement", "  Broadcast_ID: 0x123456",
      ]),
    announcement(
      "Basic Audio Profile 1.0.1, 3.7.2.2", 0x1851,
      "40 9c 00 01 02 06 00 00 00 00 0a 02 01 05 02 02 01 03 04 3c 00 04 03 02 04 00 01 06 05 "
        + "03 01 00 00 00 02 06 05 03 02 00 00 00",
      [
        "Basic Audio Announcement", "  Presentation_Delay: 40000 µs", "  Num_Subgroups: 1",
        "  Subgroup", "    Num_BIS: 2", "    Codec_ID", "      Coding_Format: LC3 (0x06)",
        "      Company_ID: 0x0000", "      Vendor_Specific_Codec_ID: 0x0000",
        "    Codec_Specific_Configuration_Length: 10", "    Codec_Specific_Configuration",
        "      LTV", "        Length: 2", "        Type: Sampling_Frequency (0x01)",
        "        Sampling_Frequency: 24 kHz (5)", "      LTV", "        Length: 2",
        "        Type: Frame_Duration (0x02)", "        Frame_Duration: 10 ms (1)", "      LTV",
        "        Length: 3", "        Type: Octets_Per_Codec_Frame (0x04)",
        "        Octets_Per_Codec_Frame: 60", "    Metadata_Length: 4", "    Metadata", "      LTV",
        "        Length: 3", "        Type: Streaming_Audio_Contexts (0x02)",
        "        Streaming_Audio_Contexts: 0x0004: Media", "    BIS", "      BIS_index: 1",
        "      Codec_Specific_Configuration_Length: 6", "      Codec_Specific_Configuration",
        "        LTV", "          Length: 5", "          Type: Audio_Channel_Allocation (0x03)",
        "          Audio_Channel_Allocation: 0x00000001: Front Left", "    BIS",
        "      BIS_index: 2", "      Codec_Specific_Configuration_Length: 6",
        "      Codec_Specific_Configuration", "        LTV", "          Length: 5",
        "          Type: Audio_Channel_Allocation (0x03)",
        "          Audio_Channel_Allocation: 0x00000002: Front Right",
      ]),
    announcement(
      "Public Broadcast Profile 1.0.1, 4.1", 0x1856, "03 06 05 03 4e 65 77 73",
      [
        "Public Broadcast Announcement",
        "  Public Broadcast Announcement features: 0x03: encrypted, Standard Quality Public "
          + "Broadcast Audio",
        "  Metadata_Length: 6", "  Metadata", "    LTV", "      Length: 5",
        "      Type: Program_Info (0x03)", "      Program_Info: \"News\"",
      ]),
    announcement(
      "Basic Audio Profile 1.0.1, 3.5.3", 0x184E, "01 04 00 00 00 00",
      [
        "Unicast Announcement", "  Announcement Type: Targeted Announcement (1)",
        "  Available_Sink_Contexts: 0x0004: Media", "  Available_Source_Contexts: none (0x0000)",
        "  Metadata_Length: 0",
      ]),
    announcement(
      "Common Audio Profile 1.0, 8.1.1", 0x1853, "00",
      [
        "Unicast Announcement", "  Announcement Type: General Announcement (0)",
      ]),
    announcement(
      "TMAP 1.0, 4.2: in advertising", 0x1855, "01 00",
      [
        "Audio Roles", "  TMAP Role: 0x0001: Call Gateway",
      ]),
  ]
}
