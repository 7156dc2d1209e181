import HarkCore
import Testing

@testable import HarkDissection

/// What each mode of a step gives: Core Specification, Vol 4, Part E, 7.7.65.44. A frequency has 15
/// bits, of which the last is the sign: -100 ppm is 0x58F0.
@Suite struct SoundingStepsTests {
  static let vectors = [
    Vector(
      "Vol 4, Part E, 7.7.65.44: a step of each mode, the initiator's", .record(.event),
      """
      3e3f314000000a000100f058ec0000000104001a0500c4011027011b062100c4
      0a0001021c090301f0ff0000808013031d0f10ff7f0080020001f0ff00008080
      13
      """,
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 63",
        "  Subevent Code: HCI_LE_CS_Subevent_Result (0x31)",
        "  Connection_Handle: 0x0040",
        "  Config_ID: 0",
        "  Start_ACL_Conn_Event_Counter: 10",
        "  Procedure_Counter: 1",
        "  Frequency_Compensation: -10000 (-100 ppm)",
        "  Reference_Power_Level: -20 dBm",
        "  Procedure_Done_Status: All results complete (0)",
        "  Subevent_Done_Status: All results complete (0)",
        "  Procedure_Abort_Reason: No abort (0)",
        "  Subevent_Abort_Reason: No abort (0)",
        "  Num_Antenna_Paths: 1",
        "  Num_Steps_Reported: 4",
        "  Step",
        "    Step_Mode: Mode-0 (0)",
        "    Step_Channel: 26",
        "    Step_Data_Length: 5",
        "    Step_Data",
        "      Packet_Quality: Access Address found (0)",
        "      Bit errors: 0",
        "      Packet_RSSI: -60 dBm",
        "      Packet_Antenna: 1",
        "      Measured_Freq_Offset: 10000 (100 ppm)",
        "  Step",
        "    Step_Mode: Mode-1 (1)",
        "    Step_Channel: 27",
        "    Step_Data_Length: 6",
        "    Step_Data",
        "      Packet_Quality: Access Address with bit errors (1)",
        "      Bit errors: 2",
        "      Packet_NADM: Attack is extremely unlikely (0)",
        "      Packet_RSSI: -60 dBm",
        "      ToA_ToD or ToD_ToA: 10 (5 ns)",
        "      Packet_Antenna: 1",
        "  Step",
        "    Step_Mode: Mode-2 (2)",
        "    Step_Channel: 28",
        "    Step_Data_Length: 9",
        "    Step_Data",
        "      Antenna_Permutation_Index: 3",
        "      Tone",
        "        Tone_PCT",
        "          I: 1",
        "          Q: -1",
        "        Tone_Quality_Indicator: High (0)",
        "        Tone extension slot: No (0)",
        "      Tone",
        "        Tone_PCT",
        "          I: 0",
        "          Q: -2040",
        "        Tone_Quality_Indicator: Not available (3)",
        "        Tone extension slot: Yes, tone not expected (1)",
        "  Step",
        "    Step_Mode: Mode-3 (3)",
        "    Step_Channel: 29",
        "    Step_Data_Length: 15",
        "    Step_Data",
        "      Packet_Quality: Access Address found (0)",
        "      Bit errors: 1",
        "      Packet_NADM: Unknown (255)",
        "      Packet_RSSI: not available (127)",
        "      ToA_ToD or ToD_ToA: not available (-32768)",
        "      Packet_Antenna: 2",
        "      Antenna_Permutation_Index: 0",
        "      Tone",
        "        Tone_PCT",
        "          I: 1",
        "          Q: -1",
        "        Tone_Quality_Indicator: High (0)",
        "        Tone extension slot: No (0)",
        "      Tone",
        "        Tone_PCT",
        "          I: 0",
        "          Q: -2040",
        "        Tone_Quality_Indicator: Not available (3)",
        "        Tone extension slot: Yes, tone not expected (1)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.45: Packet_PCTs, and a length that fits no mode-2", .record(.event),
      "3e2032400000000000000201050e0000c40a000101f0ff00ffffffff020603010203",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 32",
        "  Subevent Code: HCI_LE_CS_Subevent_Result_Continue (0x32)",
        "  Connection_Handle: 0x0040",
        "  Config_ID: 0",
        "  Procedure_Done_Status: All results complete (0)",
        "  Subevent_Done_Status: All results complete (0)",
        "  Procedure_Abort_Reason: No abort (0)",
        "  Subevent_Abort_Reason: No abort (0)",
        "  Num_Antenna_Paths: 0",
        "  Num_Steps_Reported: 2",
        "  Step",
        "    Step_Mode: Mode-1 (1)",
        "    Step_Channel: 5",
        "    Step_Data_Length: 14",
        "    Step_Data",
        "      Packet_Quality: Access Address found (0)",
        "      Bit errors: 0",
        "      Packet_NADM: Attack is extremely unlikely (0)",
        "      Packet_RSSI: -60 dBm",
        "      ToA_ToD or ToD_ToA: 10 (5 ns)",
        "      Packet_Antenna: 1",
        "      Packet_PCT1",
        "        I: 1",
        "        Q: -1",
        "      Packet_PCT2",
        "        PCT: not available (0xffffffff)",
        "  Step",
        "    Step_Mode: Mode-2 (2)",
        "    Step_Channel: 6",
        "    Step_Data_Length: 3",
        "    Step_Data: 010203",
      ]),
  ]

  /// Controllers of Nordic give and take three octets of what version 2 adds; others six.
  @Test(arguments: [3, 6, 5]) func laterCapabilitiesMayEnd(_ count: Int) {
    var bytes: [UInt8] = [0xA6, 0x20, UInt8(30 + count), 0x40, 0x00]
    bytes += [UInt8](repeating: 0, count: 28) + [0x01, 0x00, 0x0A]
    bytes += [UInt8](repeating: 1, count: count - 3)
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.command), Context(), into: &tree)
    let lines = Catalog.shared.lines(tree, of: bytes.raw)
    #expect(lines.contains("  T_SW_IPT_Time_Supported: 10 (10 µs)"))
    #expect(lines.contains("  RTT_2M_AA_Only_N: 1") == (count > 3))
    #expect(lines.contains("  RTT_2M_Random_Sequence_N: 1") == (count == 6))
    #expect(lines.count == 23 + count)
  }

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
