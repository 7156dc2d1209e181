import HarkCore
import Testing

@testable import HarkDissection

/// Values as the Bond Management Service 1.0, the Object Transfer Service 1.0, the Device Time Service 1.0 and the Scan
/// Parameters Service 1.0 describe them.
@Suite struct ServiceControlTests {
  static let vectors: [Vector] = [
    HealthTests.value(
      "BMS 1.0, 3.1.1", 0x2AA4, "03",
      [
        "Bond Management", "  Op Code: Delete bond of requesting device (LE transport only) (0x03)",
      ]),
    HealthTests.value(
      "BMS 1.0, 3.2.1: three octets", 0x2AA5, "10 08 00",
      [
        "Bond Management",
        "  Features: 0x000810: Delete bond of current connection (LE transport only), "
          + "Authorization Code required for all bonds (LE transport only)",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.1", 0x2ABD, "30 00 00 00 01 00 00 00",
      [
        "Object Transfer", "  OACP Features: 0x00000030: Read, Write",
        "  OLCP Features: 0x00000001: Go To",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.2.4", 0x2AC0, "00 04 00 00 00 08 00 00",
      ["Object Transfer", "  Current Size: 1024", "  Allocated Size: 2048"]),
    HealthTests.value(
      "OTS 1.0, 3.2.8", 0x2AC4, "0c 00 00 00",
      ["Object Transfer", "  Object Properties: 0x0000000c: Read, Write"]),
    HealthTests.value(
      "OTS 1.0, 3.3.1: Read", 0x2AC5, "05 10 00 00 00 00 02 00 00",
      ["Object Transfer", "  Op Code: Read (0x05)", "  Offset: 16", "  Length: 512"]),
    HealthTests.value(
      "OTS 1.0, 3.3.2: the response", 0x2AC5, "60 05 06",
      [
        "Object Transfer", "  Op Code: Response Code (0x60)", "  Request Op Code: Read (0x05)",
        "  Result Code: Channel Unavailable (0x06)",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.3.2: the CRC-32 of 123456789", 0x2AC5, "60 03 01 26 39 f4 cb",
      [
        "Object Transfer", "  Op Code: Response Code (0x60)",
        "  Request Op Code: Calculate Checksum (0x03)", "  Result Code: Success (0x01)",
        "  Checksum: 0xcbf43926",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.4.2: the number of objects", 0x2AC6, "70 07 01 03 00 00 00",
      [
        "Object Transfer", "  Op Code: Response Code (0x70)",
        "  Request Op Code: Request Number of Objects (0x07)", "  Result Code: Success (0x01)",
        "  Total Number of Objects: 3",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.5", 0x2AC7, "00", ["Object Transfer", "  Filter: No Filter (0x00)"]),
    HealthTests.value(
      "OTS 1.0, 3.5: the name contains abc", 0x2AC7, "03 61 62 63",
      ["Object Transfer", "  Filter: Name Contains (0x03)", "  Name: \"abc\""]),
    HealthTests.value(
      "OTS 1.0, 3.5: 16 to 512 bytes", 0x2AC7, "08 10 00 00 00 00 02 00 00",
      [
        "Object Transfer", "  Filter: Current Size Between (0x08)", "  Smallest Size: 16",
        "  Largest Size: 512",
      ]),
    HealthTests.value(
      "DTS 1.0, 3.1: no E2E-CRC, the epoch begins in 2000", 0x2B8E, "ff ff 00 04",
      [
        "Device Time", "  E2E-CRC: not supported (0xffff)",
        "  DT Features: 0x0400: Epoch Year 2000",
      ]),
    HealthTests.value(
      "DTS 1.0, 3.3: 2000-01-02 in UTC+1", 0x2B90, "80 51 01 00 04 00 12 00",
      [
        "Device Time", "  Base Time: 86400 s", "  Time Zone: 4 (60 min)",
        "  DST Offset: Standard Time (0)", "  DT Status: 0x0012: UTC Aligned, Epoch Year 2000",
      ]),
    HealthTests.value(
      "DTS 1.0, 3.7: a proposed time", 0x2B91, "02 51 00 80 51 01 00 fc 04 01 08",
      [
        "Device Time", "  Op Code: Propose Time Update (0x02)",
        "  Time Update Flags: 0x0051: UTC Aligned, Change of Time Zone, Epoch Year 2000",
        "  Base Time: 86400 s", "  Time Zone: -4 (-60 min)",
        "  DST Offset: Daylight Time (4)", "  Time Source: Network Time Protocol (1)",
        "  Time Accuracy: 8 (1000 ms)",
      ]),
    HealthTests.value(
      "DTS 1.0, 3.7: it is rejected", 0x2B91, "09 02 05 40 00",
      [
        "Device Time", "  Op Code: Response (0x09)",
        "  Request Op Code: Propose Time Update (0x02)",
        "  Result Code: Procedure Rejected (0x05)", "  Rejection Flags: 0x0040: Wrong Epoch Year",
      ]),
    HealthTests.value(
      "OTS 1.0, 3.6", 0x2AC8, "02 01 00 00 00 00 01",
      [
        "Object Transfer", "  Flags: 0x02: Change of object contents",
        "  Object ID: 0x010000000001",
      ]),
    HealthTests.value(
      "Scan Parameters 1.0, 3.1", 0x2A4F, "10 00 10 00",
      ["GATT", "  LE_Scan_Interval: 16 (10 ms)", "  LE_Scan_Window: 16 (10 ms)"]),
    HealthTests.value(
      "Scan Parameters 1.0, 3.2", 0x2A31, "00",
      ["GATT", "  Scan Refresh Value: Server requires refresh (0)"]),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }
}
