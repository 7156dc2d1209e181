import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AVDTPTests {
  static let vectors = [
    Vector(
      "AVDTP 1.3, 8.6.1", .psm(0x0019), "10 01",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_DISCOVER (0x01)",
      ]),
    Vector(
      "AVDTP 1.3, 8.6.2", .psm(0x0019), "12 01 04 08 0a 00",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)", "  Signal Identifier: AVDTP_DISCOVER (0x01)",
        "  Stream End Point", "    ACP SEID: 1", "    In Use: no (0)", "    Media Type: Audio (0)",
        "    TSEP: SNK (1)", "  Stream End Point", "    ACP SEID: 2", "    In Use: yes (1)",
        "    Media Type: Audio (0)", "    TSEP: SRC (0)",
      ]),
    Vector(
      "AVDTP 1.3, 8.19.2", .psm(0x0019), "23 01 11",
      [
        "AVDTP", "  Transaction Label: 2", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Reject (3)", "  Signal Identifier: AVDTP_DISCOVER (0x01)",
        "  Error Code: BAD_LENGTH (0x11)",
      ]),
    Vector(
      "AVDTP 1.3, 8.7.1", .psm(0x0019), "20 02 04",
      [
        "AVDTP", "  Transaction Label: 2", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_GET_CAPABILITIES (0x02)",
        "  ACP SEID: 1",
      ]),
    Vector(
      "AVDTP 1.3, 8.8.2 with 8.21 and A2DP 1.4, 4.3.2", .psm(0x0019),
      "22 0c 01 00 07 06 00 00 ff ff 02 35 04 02 02 00 08 00",
      [
        "AVDTP", "  Transaction Label: 2", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_ALL_CAPABILITIES (0x0c)", "  Service Capability",
        "    Service Category: Media Transport (1)", "    Length of Service Capability (LOSC): 0",
        "  Service Capability", "    Service Category: Media Codec (7)",
        "    Length of Service Capability (LOSC): 6", "    Media Type: Audio (0)",
        "    Media Codec Type: SBC (0x00)",
        "    Sampling Frequency: 0x0f: 48 kHz, 44.1 kHz, 32 kHz, 16 kHz",
        "    Channel Mode: 0x0f: JOINT STEREO, STEREO, DUAL CHANNEL, MONO",
        "    Block Length: 0x0f: 16, 12, 8, 4", "    Subbands: 0x03: 8, 4",
        "    Allocation Method: 0x03: Loudness, SNR", "    Minimum Bitpool Value: 2",
        "    Maximum Bitpool Value: 53", "  Service Capability",
        "    Service Category: Content Protection (4)",
        "    Length of Service Capability (LOSC): 2", "    CP_TYPE: SCMS-T (0x0002)",
        "  Service Capability", "    Service Category: Delay Reporting (8)",
        "    Length of Service Capability (LOSC): 0",
      ]),
    Vector(
      "AVDTP 1.3, 8.9.1 with A2DP 1.4, 4.5.2", .psm(0x0019),
      "30 03 04 24 01 00 07 08 00 02 80 01 04 83 e8 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_SET_CONFIGURATION (0x03)",
        "  ACP SEID: 1", "  INT SEID: 9", "  Service Capability",
        "    Service Category: Media Transport (1)", "    Length of Service Capability (LOSC): 0",
        "  Service Capability", "    Service Category: Media Codec (7)",
        "    Length of Service Capability (LOSC): 8", "    Media Type: Audio (0)",
        "    Media Codec Type: MPEG-2,4 AAC (0x02)", "    Object Type: 0x80: MPEG-2 AAC LC",
        "    Sampling Frequency: 0x0010: 44.1 kHz", "    Channels: 0x0004: 2",
        "    VBR: supported (1)", "    Bit Rate: 256000 bit/s",
      ]),
    Vector(
      "AVDTP 1.3, 8.9.3", .psm(0x0019), "33 03 07 29",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Reject (3)",
        "  Signal Identifier: AVDTP_SET_CONFIGURATION (0x03)",
        "  Service Category: Media Codec (7)", "  Error Code: UNSUPPORTED_CONFIGURATION (0x29)",
      ]),
    Vector(
      "AVDTP 1.3, 8.9.3 with A2DP 1.4, 5.1.3", .psm(0x0019), "43 05 07 c4",
      [
        "AVDTP", "  Transaction Label: 4", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Reject (3)", "  Signal Identifier: AVDTP_RECONFIGURE (0x05)",
        "  Service Category: Media Codec (7)",
        "  Error Code: NOT_SUPPORTED_SAMPLING_FREQUENCY (0xc4)",
      ]),
    Vector(
      "AVDTP 1.3, 8.13.1: two streams", .psm(0x0019), "50 07 04 08",
      [
        "AVDTP", "  Transaction Label: 5", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_START (0x07)", "  ACP SEID: 1",
        "  ACP SEID: 2",
      ]),
    Vector(
      "AVDTP 1.3, 8.13.3", .psm(0x0019), "53 07 08 31",
      [
        "AVDTP", "  Transaction Label: 5", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Reject (3)", "  Signal Identifier: AVDTP_START (0x07)",
        "  ACP SEID: 2", "  Error Code: BAD_STATE (0x31)",
      ]),
    Vector(
      "AVDTP 1.3, 8.12.1", .psm(0x0019), "60 06 04",
      [
        "AVDTP", "  Transaction Label: 6", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_OPEN (0x06)", "  ACP SEID: 1",
      ]),
    Vector(
      "AVDTP 1.3, 8.12.2", .psm(0x0019), "62 06",
      [
        "AVDTP", "  Transaction Label: 6", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)", "  Signal Identifier: AVDTP_OPEN (0x06)",
      ]),
    Vector(
      "AVDTP 1.3, 8.14.1", .psm(0x0019), "70 08 04",
      [
        "AVDTP", "  Transaction Label: 7", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_CLOSE (0x08)", "  ACP SEID: 1",
      ]),
    Vector(
      "AVDTP 1.3, 8.15.3", .psm(0x0019), "83 09 04 31",
      [
        "AVDTP", "  Transaction Label: 8", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Reject (3)", "  Signal Identifier: AVDTP_SUSPEND (0x09)",
        "  ACP SEID: 1", "  Error Code: BAD_STATE (0x31)",
      ]),
    Vector(
      "AVDTP 1.3, 8.16.2", .psm(0x0019), "92 0a",
      [
        "AVDTP", "  Transaction Label: 9", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)", "  Signal Identifier: AVDTP_ABORT (0x0a)",
      ]),
    Vector(
      "AVDTP 1.3, 8.17.1", .psm(0x0019), "a0 0b 04 01 02 03",
      [
        "AVDTP", "  Transaction Label: 10", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_SECURITY_CONTROL (0x0b)",
        "  ACP SEID: 1", "  Content Protection Data: 010203",
      ]),
    Vector(
      "AVDTP 1.3, 8.19.1: 150.2 ms", .psm(0x0019), "b0 0d 04 05 de",
      [
        "AVDTP", "  Transaction Label: 11", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: AVDTP_DELAYREPORT (0x0d)",
        "  ACP SEID: 1", "  Delay: 1502 (150.2 ms)",
      ]),
    Vector(
      "AVDTP 1.3, 8.18: a signal that is not known", .psm(0x0019), "c1 0f",
      [
        "AVDTP", "  Transaction Label: 12", "  Packet Type: Single Packet (0)",
        "  Message Type: General Reject (1)", "  Signal Identifier: Unknown (0x0f)",
      ]),
    Vector(
      "AVDTP 1.3, 8.5: reserved for future additions", .psm(0x0019), "c0 0f aa bb",
      [
        "AVDTP", "  Transaction Label: 12", "  Packet Type: Single Packet (0)",
        "  Message Type: Command (0)", "  Signal Identifier: Unknown (0x0f)", "  Data: aabb",
      ]),
    Vector(
      "AVDTP 1.3, 8.21.4, 8.21.6 and 8.21.7", .psm(0x0019),
      "22 02 02 00 03 03 01 18 18 05 01 e0 06 05 80 08 10 18 20 09 01 aa",
      [
        "AVDTP", "  Transaction Label: 2", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)", "  Signal Identifier: AVDTP_GET_CAPABILITIES (0x02)",
        "  Service Capability", "    Service Category: Reporting (2)",
        "    Length of Service Capability (LOSC): 0", "  Service Capability",
        "    Service Category: Recovery (3)", "    Length of Service Capability (LOSC): 3",
        "    Recovery Type: RFC 2733 (1)", "    Maximum Recovery Window Size: 24",
        "    Maximum Number of Media Packets in Parity Code: 24", "  Service Capability",
        "    Service Category: Header Compression (5)",
        "    Length of Service Capability (LOSC): 1",
        "    Header Compression: 0xe0: Recovery, Media, BackCh", "  Service Capability",
        "    Service Category: Multiplexing (6)", "    Length of Service Capability (LOSC): 5",
        "    FRAG: adaptation layer fragmentation (1)", "    Transport Session", "      TSID: 1",
        "      TCID: 2", "    Transport Session", "      TSID: 3", "      TCID: 4",
        "  Service Capability", "    Service Category: Unknown (9)",
        "    Length of Service Capability (LOSC): 1", "    Service Capability Value: aa",
      ]),
    Vector(
      "A2DP 1.4, 4.4.2", .psm(0x0019), "32 04 07 06 00 01 3f 7f ff fe",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 6",
        "    Media Type: Audio (0)", "    Media Codec Type: MPEG-1,2 Audio (0x01)",
        "    Layer: 0x01: Layer III (mp3)", "    CRC Protection: supported (1)",
        "    Channel Mode: 0x0f: JOINT STEREO, STEREO, DUAL CHANNEL, MONO",
        "    Media Payload Format 2: supported (1)",
        "    Sampling Frequency: 0x3f: 48 kHz, 44.1 kHz, 32 kHz, 24 kHz, 22.05 kHz, 16 kHz",
        "    VBR: supported (1)", "    Bit Rate Indexes: 0x7ffe",
      ]),
    Vector(
      "A2DP 1.4, 4.7.2", .psm(0x0019), "32 04 07 09 00 04 6c 38 07 ff 04 5c 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 9",
        "    Media Type: Audio (0)", "    Media Codec Type: ATRAC family (0x04)",
        "    Version: ATRAC3 (3)", "    Channel Mode: 0x03: JOINT STEREO, DUAL CHANNEL",
        "    Sampling Frequency: 0x000003: 48 kHz, 44.1 kHz", "    VBR: supported (1)",
        "    Bit Rate Indexes: 0x0007ff", "    Maximum SUL: 1116 octets", "    Reserved: 0x00",
      ]),
    Vector(
      "A2DP 1.4, 4.3.2.6: bitpool out of range", .psm(0x0019), "32 04 07 06 00 00 11 15 01 fb",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 6",
        "    Media Type: Audio (0)", "    Media Codec Type: SBC (0x00)",
        "    Sampling Frequency: 0x01: 48 kHz", "    Channel Mode: 0x01: JOINT STEREO",
        "    Block Length: 0x01: 16", "    Subbands: 0x01: 8",
        "    Allocation Method: 0x01: Loudness", "    Minimum Bitpool Value: 1",
        "    Maximum Bitpool Value: 251",
      ]),
    Vector(
      "AVDTP 1.3, 8.21.8: a video codec", .psm(0x0019), "32 04 07 04 10 01 80 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 4",
        "    Media Type: Video (1)", "    Media Codec Type: H.263 baseline (0x01)",
        "    Media Codec Specific Information: 8000",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP: aptX", .psm(0x0019), "32 04 07 09 00 ff 4f 00 00 00 01 00 22",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 9",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: APT Ltd. (0x0000004f)", "    Vendor Specific Codec ID: aptX (0x0001)",
        "    Sampling Frequency: 0x02: 44.1 kHz", "    Channel Mode: 0x02: STEREO",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP: aptX HD", .psm(0x0019),
      "32 04 07 0d 00 ff d7 00 00 00 24 00 12 00 00 00 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 13",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Qualcomm Technologies, Inc. (0x000000d7)",
        "    Vendor Specific Codec ID: aptX HD (0x0024)", "    Sampling Frequency: 0x01: 48 kHz",
        "    Channel Mode: 0x02: STEREO", "    Vendor Specific Value: 00000000",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2: aptX Low Latency", .psm(0x0019),
      "32 04 07 0a 00 ff 0a 00 00 00 02 00 f2 01",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 10",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Qualcomm Technologies International, Ltd. (QTIL) (0x0000000a)",
        "    Vendor Specific Codec ID: aptX Low Latency (0x0002)",
        "    Sampling Frequency: 0x0f: 48 kHz, 44.1 kHz, 32 kHz, 16 kHz",
        "    Channel Mode: 0x02: STEREO", "    Bidirectional Link: supported (1)",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2: aptX Adaptive, as a phone was seen to configure it", .psm(0x0019),
      "32 04 07 0c 00 ff d7 00 00 00 ad 00 40 02 50 64",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 12",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Qualcomm Technologies, Inc. (0x000000d7)",
        "    Vendor Specific Codec ID: aptX Adaptive (0x00ad)",
        "    Sampling Frequency: 0x40: 44.1 kHz (lossless)", "    Channel Mode: 0x02: STEREO",
        "    Vendor Specific Value: 5064",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP's form: LHDC V3", .psm(0x0019),
      "32 04 07 0b 00 ff 3a 05 00 00 33 4c 35 51 01",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 11",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Savitech Corp., (0x0000053a)",
        "    Vendor Specific Codec ID: LHDC V3 (0x4c33)", "    Features: 0x00",
        "    Bit Depth: 0x03: 24, 16", "    Sampling Frequency: 0x05: 96 kHz, 48 kHz",
        "    LLAC: not supported (0)", "    Low Latency: supported (1)",
        "    Maximum Bit Rate: 500 kbit/s (1)", "    Version: LHDC V3 (1)",
        "    More Features: 0x00", "    Channel Split: 0x01: none",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP's form: LHDC V5", .psm(0x0019),
      "32 04 07 0d 00 ff 3a 05 00 00 35 4c 34 b2 11 40 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 13",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Savitech Corp., (0x0000053a)",
        "    Vendor Specific Codec ID: LHDC V5 (0x4c35)",
        "    Sampling Frequency: 0x34: 96 kHz, 48 kHz, 44.1 kHz",
        "    Minimum Bit Rate: 256 kbit/s (2)", "    Maximum Bit Rate: 900 kbit/s (3)",
        "    Bit Depth: 0x02: 24", "    Frame Length of 5 ms: supported (1)", "    Version: 1",
        "    Features: 0x40: Low Latency", "    More Features: 0x00",
      ]),
    Vector(
      "A2DP 1.4, 4.6.2: MPEG-D USAC", .psm(0x0019), "32 04 07 09 00 03 80 00 0c 04 82 ee 00",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 9",
        "    Media Type: Audio (0)", "    Media Codec Type: MPEG-D USAC (0x03)",
        "    Object Type: 0x00000002: MPEG-D USAC with MPEG-D DRC",
        "    Sampling Frequency: 0x000000c0: 48 kHz, 44.1 kHz", "    Channels: 0x00000004: 2",
        "    VBR: supported (1)", "    Bit Rate: 192000 bit/s",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP: LDAC", .psm(0x0019), "32 04 07 0a 00 ff 2d 01 00 00 aa 00 04 01",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 10",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Sony Corporation (0x0000012d)",
        "    Vendor Specific Codec ID: LDAC (0x00aa)", "    Sampling Frequency: 0x04: 96 kHz",
        "    Channel Mode: 0x01: STEREO",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with BlueALSA: LC3plus", .psm(0x0019),
      "32 04 07 0c 00 ff a9 08 00 00 01 00 40 40 80 01",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 12",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Fraunhofer IIS (0x000008a9)",
        "    Vendor Specific Codec ID: LC3plus (0x0001)", "    Frame Duration: 0x04: 10 ms",
        "    Channels: 0x40: 2", "    Sampling Frequency: 0x0180: 96 kHz, 48 kHz",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2 with AOSP: Opus", .psm(0x0019), "32 04 07 09 00 ff e0 00 00 00 01 00 92",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 9",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: Google (0x000000e0)", "    Vendor Specific Codec ID: Opus (0x0001)",
        "    Sampling Frequency: 0x01: 48 kHz", "    Frame Duration: 0x02: 20 ms",
        "    Channel Mode: 0x02: STEREO",
      ]),
    Vector(
      "A2DP 1.4, 4.8.2: another vendor", .psm(0x0019), "32 04 07 0a 00 ff ff ff 00 00 01 00 01 02",
      [
        "AVDTP", "  Transaction Label: 3", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_CONFIGURATION (0x04)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 10",
        "    Media Type: Audio (0)", "    Media Codec Type: non-A2DP Codec (0xff)",
        "    Vendor ID: internal use (0xffff) (0x0000ffff)", "    Vendor Specific Codec ID: 0x0001",
        "    Vendor Specific Value: 0102",
      ]),
    Vector(
      "AVDTP 1.3, 8.4.1: start packet", .psm(0x0019), "16 03 0c 01 00 07",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: Start Packet (1)",
        "  Message Type: Response Accept (2)", "  Number of Signal Packets: 3",
        "  Signal Identifier: AVDTP_GET_ALL_CAPABILITIES (0x0c)", "  Fragment: 010007",
      ]),
    Vector(
      "AVDTP 1.3, 8.4.1: continue packet", .psm(0x0019), "1a 06 00 00",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: Continue Packet (2)",
        "  Message Type: Response Accept (2)", "  Fragment: 060000",
      ]),
    Vector(
      "AVDTP 1.3, 8.4.1: end packet", .psm(0x0019), "1e ff ff 02 35",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: End Packet (3)",
        "  Message Type: Response Accept (2)", "  Fragment: ffff0235",
      ]),
    Vector(
      "AVDTP 1.3, 8.21: longer than the packet", .psm(0x0019), "22 0c 07 06 00 00",
      [
        "AVDTP", "  Transaction Label: 2", "  Packet Type: Single Packet (0)",
        "  Message Type: Response Accept (2)",
        "  Signal Identifier: AVDTP_GET_ALL_CAPABILITIES (0x0c)", "  Service Capability",
        "    Service Category: Media Codec (7)", "    Length of Service Capability (LOSC): 6",
        "  Undecoded: 0000",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// A2DP 1.4, 4.3.2.6
  @Test func bitpoolOutOfRange() {
    let bytes: [UInt8] = [
      0x32, 0x04, 0x07, 0x06, 0x00, 0x00, 0x11, 0x15, 0x01, 0xFB,
    ]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .psm(0x0019), Context(), into: &tree)
    #expect(tree.notes.map(\.range) == [8..<9, 9..<10])
  }

  /// AVDTP 1.3, 8.9.1 with A2DP 1.4, 4.5.2; 8.6.2; 8.13.3; 8.19.1
  @Test func messages() {
    let configuration = AVDTPMessage(
      hex("30 03 04 24 01 00 07 08 00 02 80 01 04 83 e8 00 04 02 02 00").raw, isCut: false)
    #expect(configuration.transaction == 3 && configuration.type == .command)
    #expect(configuration.signal == .setConfiguration && configuration.packetType == .single)
    #expect(configuration.acpSEIDs == [1] && configuration.intSEID == 9)
    #expect(
      configuration.capabilities.codec?.kind == .aac && configuration.capabilities.isProtected)
    #expect(configuration.capabilities.codec?.samplingFrequency == 44_100)
    let found = AVDTPMessage(hex("12 01 04 08 0a 00").raw, isCut: false)
    #expect(found.type == .accept && found.endpoints.map(\.seid) == [1, 2])
    #expect(found.endpoints.map(\.isSink) == [true, false])
    #expect(found.endpoints.map(\.isInUse) == [false, true])
    let rejected = AVDTPMessage(hex("53 07 08 31").raw, isCut: false)
    #expect(rejected.type == .reject && rejected.signal == .start && rejected.error == 0x31)
    #expect(rejected.acpSEIDs.isEmpty && rejected.failedCategory == nil)
    let delay = AVDTPMessage(hex("b0 0d 04 05 de").raw, isCut: false)
    #expect(delay.signal == .delayReport && delay.delay == 1502 && delay.acpSEIDs == [1])
  }

  /// AVDTP 1.3, 8.4.1 to 8.4.4: the parts of a signal, and all of it after the header of the first.
  @Test func parts() {
    let start = AVDTPMessage(hex("34 02 0d 04").raw, isCut: false)
    #expect(start.packetType == .start && start.packets == 2 && start.signal == .delayReport)
    let end = AVDTPMessage(hex("3c 05 de").raw, isCut: false)
    #expect(end.packetType == .end && end.fragment == 1..<3 && end.identifier == nil)
    let whole = AVDTPMessage(hex("34 02 0d 04 05 de").raw, isCut: false, isReassembled: true)
    #expect(whole.transaction == 3 && whole.delay == 1502)
  }

  static func isCommand(_ bytes: String) -> Bool {
    AVDTPMessage.resemblesCommand(hex(bytes).raw)
  }

  static func isResponse(_ bytes: String, to command: String) -> Bool {
    AVDTPMessage.resemblesResponse(hex(bytes).raw, to: hex(command).raw)
  }

  /// AVDTP 1.3, 8.6 to 8.19: what a command and its response are as long as.
  @Test func shapes() {
    for command in ["10 01", "20 02 04", "b0 0d 04 05 de", "30 07 04 08"] {
      #expect(Self.isCommand(command), "\(command)")
    }
    // A SEID of 0; a length that the signal does not have; a response
    for other in ["20 02 00", "20 02 04 00", "12 01", "10"] {
      #expect(!Self.isCommand(other), "\(other)")
    }
    #expect(Self.isResponse("12 01 04 08", to: "10 01"))
    #expect(Self.isResponse("13 01 11", to: "10 01"))
    // Another transaction, another signal
    #expect(!Self.isResponse("22 01 04 08", to: "10 01"))
    #expect(!Self.isResponse("12 02 04 08", to: "10 01"))
  }

  @Test(arguments: ["avdtp.message", "avdtp.signal", "avdtp.samplingFrequency", "rtp.sequence"])
  func path(_ path: String) {
    #expect(Catalog.shared.paths.contains { $0.path == path })
  }
}
