import Testing

@testable import HarkCapture

/// Texts that are given in place of a capture are called what they are, with the way to a capture.
@Suite struct TextLogTests {
  /// First lines as the tools print them: BlueZ 5.66, hcidump 5.50, PacketLogger 9, tshark 4, logcat, log
  /// show, xxd, hexdump and base64.
  @Test(arguments: [
    (
      "Bluetooth monitor ver 5.66\n= Note: Linux version 6.1.0 (x86_64)            0.123456\n",
      "btmon's text output", "btmon -w"
    ),
    (
      "\u{1B}[0;36m< HCI Command: Reset (0x03|0x0003) plen 0        #1 [hci0] 0.100000\u{1B}[0m\n",
      "btmon's text output", "btmon -w"
    ),
    (
      "HCI sniffer - Bluetooth packet analyzer ver 5.50\ndevice: hci0 snap_len: 1500\n",
      "hcidump's text output", "hcidump -w"
    ),
    (
      "< HCI Command: Reset (0x03|0x0003) plen 0\n> HCI Event: Command Complete (0x0e) plen 4\n",
      "hcidump's text output", "hcidump -w"
    ),
    (
      "Nov 07 20:41:07.123  HCI Event        0x0000  00:00:00:00:00:00  Command Complete [0C03]\n",
      "a text export of PacketLogger", ".pklg"
    ),
    (
      "No.     Time           Source                Destination           Protocol Length Info\n",
      "a packet list printed by Wireshark or tshark", "pcapng"
    ),
    (
      "\"No.\",\"Time\",\"Source\",\"Destination\",\"Protocol\",\"Length\",\"Info\"\n",
      "a packet list printed by Wireshark or tshark", "pcapng"
    ),
    (
      "    1   0.000000         host → controller   HCI_CMD 4 Sent Reset\n",
      "a packet list printed by Wireshark or tshark", "pcapng"
    ),
    (
      "[\n  {\n    \"_index\": \"packets-2026-11-20\",\n    \"_type\": \"doc\",\n",
      "a packet list printed by Wireshark or tshark", "pcapng"
    ),
    (
      "{\"index\":{\"_index\":\"packets-2026-11-20\",\"_type\":\"doc\"}}\n",
      "a packet list printed by Wireshark or tshark", "pcapng"
    ),
    (
      "--------- beginning of main\n11-07 20:41:07.123  1234  5678 D bt_stack: hello\n",
      "a log of Android (logcat)", "--app-log"
    ),
    (
      "11-07 20:41:07.123  1234  5678 I bt_btif : BTA got event 0x304\n",
      "a log of Android (logcat)",
      "--app-log"
    ),
    (
      "Timestamp                       Thread     Type        Activity             PID    TTL  \n",
      "a log of Apple's systems", "sysdiagnose"
    ),
    ("00000000: 6274 736e 6f6f 7000 0000 0001 0000 03ea\n", "a hex dump", "xxd -r"),
    ("00000000  62 74 73 6e 6f 6f 70 00  00 00 00 01 00 00 03 ea\n", "a hex dump", "xxd -r"),
    ("YnRzbm9vcAAAAAABAAAD6gAAAAQAAAAEAAAAAgAAAAAA3H+A\n", "a capture in base64", "base64 -d"),
    ("Cg0NChwAAABNPCsaAQAAAP//////////HAAAAA==\n", "a capture in base64", "base64 -d"),
    ("nRF Connect, 2026-11-22\nLED Blinky\n", "a log of nRF Connect", "sniffer"),
    (
      String(repeating: "Lorem ipsum dolor sit amet, consectetur. ", count: 3), "text",
      "open the capture itself"
    ),
  ])
  func isNamed(_ text: String, _ name: String, _ advice: String) throws {
    let error = try #require(Reading(.text(text)).error)
    #expect(error.contains("found \(name)"), "\(error)")
    #expect(error.contains(advice), "\(error)")
    #expect(!error.contains("bytes "), "\(error)")
  }

  /// A mark at the beginning, and lines that end as on Windows, change nothing.
  @Test func marksAndLineEndsChangeNothing() throws {
    let text = "\u{FEFF}Bluetooth monitor ver 5.66\r\n= New Index: 00:11:22:33:44:55\r\n"
    let error = try #require(Reading(.text(text)).error)
    #expect(error.contains("found btmon's text output"))
  }

  /// What is no text is not called one.
  @Test func binaryIsNone() throws {
    let error = try #require(Reading(.text("Bluetooth monitor ver 5.66\n\u{0}\u{1}\u{2}")).error)
    #expect(error.contains("found bytes 42 6c 75 65"))
  }
}
