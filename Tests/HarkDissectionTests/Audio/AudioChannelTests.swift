import HarkCore
import Testing

@testable import HarkDissection

/// Protocols that the session alone brings to their places.
@Suite struct AudioChannelTests {
  static let vectors = [
    Vector(
      "AVDTP 1.3, 8.4.1: put together", .reassembled(0x0019),
      "16 03 0c 01 00 07 06 00 00 ff ff 02 35",
      [
        "AVDTP", "  Transaction Label: 1", "  Packet Type: Start Packet (1)",
        "  Message Type: Response Accept (2)", "  Number of Signal Packets: 3",
        "  Signal Identifier: AVDTP_GET_ALL_CAPABILITIES (0x0c)", "  Service Capability",
        "    Service Category: Media Transport (1)", "    Length of Service Capability (LOSC): 0",
        "  Service Capability", "    Service Category: Media Codec (7)",
        "    Length of Service Capability (LOSC): 6", "    Media Type: Audio (0)",
        "    Media Codec Type: SBC (0x00)",
        "    Sampling Frequency: 0x0f: 48 kHz, 44.1 kHz, 32 kHz, 16 kHz",
        "    Channel Mode: 0x0f: JOINT STEREO, STEREO, DUAL CHANNEL, MONO",
        "    Block Length: 0x0f: 16, 12, 8, 4", "    Subbands: 0x03: 8, 4",
        "    Allocation Method: 0x03: Loudness, SNR", "    Minimum Bitpool Value: 2",
        "    Maximum Bitpool Value: 53",
      ]),
    Vector(
      "AVDTP 1.3, 7.2.1", .media, "80 60 12 34 00 00 10 00 00 00 00 01 aa bb",
      [
        "RTP", "  Version: 2", "  Padding: no (0)", "  Extension: no (0)", "  CSRC Count: 0",
        "  Marker: no (0)", "  Payload Type: 96", "  Sequence Number: 4660", "  Timestamp: 4096",
        "  SSRC: 0x00000001", "  Media Payload: aabb",
      ]),
    Vector(
      "RFC 3550, 5.1: a contributing source and an extension", .media,
      "91 e0 00 01 00 00 00 80 00 00 00 01 00 00 00 02 be de 00 01 01 02 03 04 cc",
      [
        "RTP", "  Version: 2", "  Padding: no (0)", "  Extension: yes (1)", "  CSRC Count: 1",
        "  Marker: yes (1)", "  Payload Type: 96", "  Sequence Number: 1", "  Timestamp: 128",
        "  SSRC: 0x00000001", "  CSRC: 0x00000002", "  Extension Profile: 0xbede",
        "  Extension Length: 1 (4 octets)", "  Extension Data: 01020304", "  Media Payload: cc",
      ]),
    Vector(
      "RFC 3550, 6.4.2, 6.5: a report of a receiver, and its name behind it", .media,
      """
      81 c9 00 07 00 00 00 02 00 00 00 01 40 ff ff ff 00 01 00 05 00 00 00 09 12 34 56 78
      00 01 00 00 81 ca 00 03 00 00 00 02 01 02 61 62 00 00 00 00
      """,
      [
        "RTP", "  RTCP Packet", "    Version: 2", "    Padding: no (0)", "    Count: 1",
        "    Packet Type: RR (201)", "    Length: 7 (28 octets)", "    SSRC: 0x00000002",
        "    Report Block", "      SSRC: 0x00000001", "      Fraction Lost: 64 1/256",
        "      Cumulative Number of Packets Lost: -1",
        "      Extended Highest Sequence Number Received: 65541", "      Interarrival Jitter: 9",
        "      Last SR Timestamp: 0x12345678", "      Delay since Last SR: 65536 1/65536 s",
        "  RTCP Packet", "    Version: 2", "    Padding: no (0)", "    Count: 1",
        "    Packet Type: SDES (202)", "    Length: 3 (12 octets)", "    Chunk",
        "      SSRC: 0x00000002", "      Item: CNAME (1)", "      Item Length: 2",
        "      Item Text: \"ab\"", "      Item: END (0)", "      Control Data: 000000",
      ]),
    Vector(
      "RFC 3550, 6.4.1: a report of a sender", .media,
      "80 c8 00 06 00 00 00 01 00 00 00 0a 80 00 00 00 00 00 10 00 00 00 00 03 00 00 01 00",
      [
        "RTP", "  RTCP Packet", "    Version: 2", "    Padding: no (0)", "    Count: 0",
        "    Packet Type: SR (200)", "    Length: 6 (24 octets)", "    SSRC: 0x00000001",
        "    NTP Timestamp, Seconds: 10 s", "    NTP Timestamp, Fraction: 2147483648",
        "    Timestamp: 4096", "    Sender's Packet Count: 3", "    Sender's Octet Count: 256",
      ]),
    Vector(
      "RFC 3550, 5.1: another version", .media, "40 60 12 34",
      [
        "RTP", "  Undecoded: 40601234",
      ]),
    Vector(
      "A2DP 1.4, 4.3.4 with 12.3: frames of 9 octets", .mediaPayload(0),
      "02 9c 01 02 11 01 02 03 04 05 9c 01 02 22 01 02 03 04 05",
      [
        "SBC", "  Fragmented: no (0)", "  Starting Packet: no (0)", "  Last Packet: no (0)",
        "  Number of Frames: 2", "  Frame", "    syncword: 0x9c",
        "    sampling_frequency: 16 kHz (0)", "    blocks: 4 (0)", "    channel_mode: MONO (0)",
        "    allocation_method: LOUDNESS (0)", "    subbands: 8 (1)", "    bitpool: 2",
        "    crc_check: 0x11", "    Audio Data: 0102030405", "  Frame", "    syncword: 0x9c",
        "    sampling_frequency: 16 kHz (0)", "    blocks: 4 (0)", "    channel_mode: MONO (0)",
        "    allocation_method: LOUDNESS (0)", "    subbands: 8 (1)", "    bitpool: 2",
        "    crc_check: 0x22", "    Audio Data: 0102030405",
      ]),
    Vector(
      "A2DP 1.4, 12.9: joint stereo", .mediaPayload(0),
      "01 9c bd 02 33 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d",
      [
        "SBC", "  Fragmented: no (0)", "  Starting Packet: no (0)", "  Last Packet: no (0)",
        "  Number of Frames: 1", "  Frame", "    syncword: 0x9c",
        "    sampling_frequency: 44.1 kHz (2)", "    blocks: 16 (3)",
        "    channel_mode: JOINT_STEREO (3)", "    allocation_method: LOUDNESS (0)",
        "    subbands: 8 (1)", "    bitpool: 2", "    crc_check: 0x33",
        "    Audio Data: 0102030405060708090a0b0c0d",
      ]),
    Vector(
      "A2DP 1.4, 4.3.4: fragment", .mediaPayload(0), "c2 9c bd 35",
      [
        "SBC", "  Fragmented: yes (1)", "  Starting Packet: yes (1)", "  Last Packet: no (0)",
        "  Number of Frames: 2", "  Fragment: 9cbd35",
      ]),
    Vector(
      "A2DP 1.4, 12.3: no syncword", .mediaPayload(0), "01 9d 01 02",
      [
        "SBC", "  Fragmented: no (0)", "  Starting Packet: no (0)", "  Last Packet: no (0)",
        "  Number of Frames: 1", "  Frame", "  Undecoded: 9d0102",
      ]),
    Vector(
      "AVCTP 1.4, 6.1.1: put together", .reassembled(0x0017), "06 02 11 0e 00 48 7c 44 00",
      [
        "AVCTP", "  Transaction label: 0", "  Packet_type: start packet (1)", "  C/R: Response (1)",
        "  IPID: no (0)", "  Number of AVCTP packets: 2",
        "  Profile Identifier: A/V Remote Control (0x110e)", "  AVRCP", "    ctype: CONTROL (0x00)",
        "    Subunit_type: PANEL (0x09)", "    Subunit_ID: 0", "    Opcode: PASS THROUGH (0x7c)",
        "    state_flag: pressed (0)", "    operation_ID: play (0x44)",
        "    Operation data field length: 0",
      ]),
    Vector(
      "AVRCP 1.6, 6.3.1: put together", .reassembledResponse,
      "0c 48 00 00 19 58 20 01 00 04 01 00 00 00 01 00 6a 00 02 48 69",
      [
        "AVRCP", "  ctype: STABLE (0x0c)", "  Subunit_type: PANEL (0x09)", "  Subunit_ID: 0",
        "  Opcode: VENDOR DEPENDENT (0x00)", "  Company ID: Bluetooth SIG (0x001958)",
        "  PDU ID: GetElementAttributes (0x20)", "  Packet Type: Start (1)",
        "  Parameter Length: 4", "  Number of Entries: 1", "  Entry", "    AttributeID: Title (1)",
        "    CharacterSetID: UTF-8 (106)", "    AttributeValueLength: 2",
        "    AttributeValue: \"Hi\"",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// RFC 3550, 5.1 and 6.4.1
  @Test func packets() throws {
    let media = RTPPacket(hex("80 60 12 34 00 00 10 00 00 00 00 01 aa 9c").raw)
    let header = try #require(media.header)
    #expect(header.sequence == 0x1234 && header.timestamp == 0x1000 && header.source == 1)
    let control = RTPPacket(hex("80 c9 00 01 00 00 00 01").raw)
    #expect(control.header == nil && control.isControl)
    #expect(RTPPacket(hex("40 60 12 34").raw).header == nil)
    let resembles = [
      "80 60 12 34 00 00 10 00 00 00 00 01 aa", "80 60 12 34 00 00 10 00 00 00 00 01",
    ]
    .map { RTPPacket.resembles(hex($0).raw) }
    #expect(resembles == [true, false])
  }
}
