import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

@Suite struct HCILEEventTests {
  static let vectors = [
    Vector(
      "Vol 4, Part E, 7.7.65.1, from a phone's traffic", .record(.event),
      "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 27 00 00 00 d0 07 05",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 19",
        "  Subevent Code: HCI_LE_Connection_Complete (0x01)",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0040",
        "  Role: Central (0)",
        "  Peer_Address_Type: Public Device Address (0x00)",
        "  Peer_Address: 11:22:33:44:55:66",
        "  Connection_Interval: 39 (48.75 ms)",
        "  Peripheral_Latency: 0",
        "  Supervision_Timeout: 2000 (20000 ms)",
        "  Central_Clock_Accuracy: 50 ppm (5)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.2: no data", .record(.event),
      "3e 0c 02 01 04 01 66 55 44 33 22 41 00 ac",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 12",
        "  Subevent Code: HCI_LE_Advertising_Report (0x02)",
        "  Num_Reports: 1",
        "  Report",
        "    Event_Type: SCAN_RSP (0x04)",
        "    Address_Type: Random Device Address (0x01)",
        "    BD_ADDR: 41:22:33:44:55:66",
        "    Data_Length: 0",
        "    RSSI: -84 dBm",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.3, from a phone's traffic", .record(.event),
      "3e 0a 03 00 44 00 72 00 03 00 90 01",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 10",
        "  Subevent Code: HCI_LE_Connection_Update_Complete (0x03)",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0044",
        "  Connection_Interval: 114 (142.5 ms)",
        "  Peripheral_Latency: 3",
        "  Supervision_Timeout: 400 (4000 ms)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.5", .record(.event),
      "3e 0d 05 40 00 00 00 00 00 00 00 00 00 00 00",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 13",
        "  Subevent Code: HCI_LE_Long_Term_Key_Request (0x05)",
        "  Connection_Handle: 0x0040",
        "  Random_Number: 0000000000000000",
        "  Encrypted_Diversifier: 0x0000",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.7, from a phone's traffic", .record(.event),
      "3e 0b 07 43 00 1b 00 48 01 fb 00 48 08",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 11",
        "  Subevent Code: HCI_LE_Data_Length_Change (0x07)",
        "  Connection_Handle: 0x0043",
        "  Max_TX_Octets: 27",
        "  Max_TX_Time: 328 (328 µs)",
        "  Max_RX_Octets: 251",
        "  Max_RX_Time: 2120 (2120 µs)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.10, from a phone's traffic", .record(.event),
      """
      3e 1f 0a 02 43 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
      00 00 27 00 00 00 f4 01 00
      """,
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 31",
        "  Subevent Code: HCI_LE_Enhanced_Connection_Complete (0x0a)",
        "  Status: Unknown Connection Identifier (0x02)",
        "  Connection_Handle: 0x0043",
        "  Role: Central (0)",
        "  Peer_Address_Type: Public Device Address (0x00)",
        "  Peer_Address: 00:00:00:00:00:00",
        "  Local_Resolvable_Private_Address: 00:00:00:00:00:00",
        "  Peer_Resolvable_Private_Address: 00:00:00:00:00:00",
        "  Connection_Interval: 39 (48.75 ms)",
        "  Peripheral_Latency: 0",
        "  Supervision_Timeout: 500 (5000 ms)",
        "  Central_Clock_Accuracy: 500 ppm (0)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.12", .record(.event),
      "3e 06 0c 00 40 00 02 02",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 6",
        "  Subevent Code: HCI_LE_PHY_Update_Complete (0x0c)",
        "  Status: Success (0x00)",
        "  Connection_Handle: 0x0040",
        "  TX_PHY: LE 2M (2)",
        "  RX_PHY: LE 2M (2)",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.13: no data, from a phone's traffic", .record(.event),
      """
      3e 1a 0d 01 1b 00 01 66 55 44 33 22 4b 01 00 ff 7f b0 00 00 00 00 00 00 \
      00 00 00 00
      """,
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 26",
        "  Subevent Code: HCI_LE_Extended_Advertising_Report (0x0d)",
        "  Num_Reports: 1",
        "  Report",
        "    Event_Type: 0x001b: Connectable, Scannable, Scan response, Legacy",
        "    Address_Type: Random Device Address (0x01)",
        "    BD_ADDR: 4B:22:33:44:55:66",
        "    Primary_Advertising_PHY: LE 1M (1)",
        "    Secondary_Advertising_PHY: None (0)",
        "    Advertising_SID: no ADI field (0xff)",
        "    TX_Power: not available (127)",
        "    RSSI: -80 dBm",
        "    Periodic_Advertising_Interval: no periodic advertising (0)",
        "    Direct_Address_Type: Public Device Address (0x00)",
        "    Direct_Address: 00:00:00:00:00:00",
        "    Data_Length: 0",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.18, from a phone's traffic", .record(.event),
      "3e 06 12 00 01 44 00 00",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 6",
        "  Subevent Code: HCI_LE_Advertising_Set_Terminated (0x12)",
        "  Status: Success (0x00)",
        "  Advertising_Handle: 0x01",
        "  Connection_Handle: 0x0044",
        "  Num_Completed_Extended_Advertising_Events: 0",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.26", .record(.event),
      "3e 07 1a 40 00 60 00 01 02",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 7",
        "  Subevent Code: HCI_LE_CIS_Request (0x1a)",
        "  Connection_Handle: 0x0040",
        "  CIS_Connection_Handle: 0x0060",
        "  CIG_ID: 0x01",
        "  CIS_ID: 0x02",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65.27: two BISes", .record(.event),
      "3e 17 1b 00 01 70 17 00 88 13 00 02 03 01 00 02 64 00 08 00 02 10 00 11 00",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 23",
        "  Subevent Code: HCI_LE_Create_BIG_Complete (0x1b)",
        "  Status: Success (0x00)",
        "  BIG_Handle: 0x01",
        "  BIG_Sync_Delay: 6000 (6000 µs)",
        "  Transport_Latency_BIG: 5000 (5000 µs)",
        "  PHY: LE 2M (2)",
        "  NSE: 3",
        "  BN: 1",
        "  PTO: 0",
        "  IRC: 2",
        "  Max_PDU: 100",
        "  ISO_Interval: 8 (10 ms)",
        "  Num_BIS: 2",
        "  Connection_Handle: 0x0010",
        "  Connection_Handle: 0x0011",
      ]),
    Vector(
      "Vol 4, Part E, 7.7.65: a subevent of a later edition is opaque", .record(.event),
      "3e 03 7f 01 02",
      [
        "HCI Event",
        "  Event Code: HCI_LE_Meta (0x3e)",
        "  Parameter Total Length: 3",
        "  Subevent Code: Unknown (0x7f)",
        "  Event Parameters: 0102",
      ]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  @Test func advertisingDataOfAReport() {
    let bytes: [UInt8] = [
      0x3E, 0x0F, 0x02, 0x01, 0x00, 0x01, 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1, 0x03, 0x02, 0x01,
      0x06, 0xC0,
    ]
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .record(.event), Context(), into: &tree)
    #expect(tree.node(HCIParameters.shared.advertising.data)?.range == 13..<16)
    #expect(tree.value(HCIParameters.shared.rssi) == 0xC0)
    #expect(tree.failures.isEmpty)
    #expect(Laws.violations(bytes, .record(.event), Context()) == [])
  }

  /// A Sync_Handle has 12 bits too, and is no Connection_Handle.
  @Test func aSyncHandleIsNoConnectionHandle() {
    let lost: [UInt8] = [0x3E, 0x03, 0x10, 0x02, 0x00]
    let facts = Catalog.shared.summarize(lost.raw, .record(.event), Context())
    #expect(facts.handle == Facts.noHandle)
  }
}
