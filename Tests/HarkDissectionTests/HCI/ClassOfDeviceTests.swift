import Testing

@testable import HarkDissection

/// Assigned Numbers, 2.8; the same names as in Wireshark's tables of `btcommon.cod`.
@Suite struct ClassOfDeviceTests {
  @Test(
    arguments: [
      (0x24_0404, "Audio/Video: Wearable Headset Device; Rendering, Audio"),
      (0x24_0418, "Audio/Video: Headphones; Rendering, Audio"),
      (0x5A_020C, "Phone: Smartphone; Networking, Capturing, Object Transfer, Telephony"),
      (0x0A_010C, "Computer: Laptop; Networking, Capturing"),
      (0x00_2540, "Peripheral: Keyboard; Limited Discoverable Mode"),
      (0x00_0508, "Peripheral: Gamepad"),
      (0x00_05C8, "Peripheral: Combo Keyboard/Pointing Device, Gamepad"),
      (0x00_0500, "Peripheral: Uncategorized"),
      (0x04_0680, "Imaging: Printer; Rendering"), (0x00_0630, "Imaging: Display, Camera"),
      (0x02_0320, "LAN/Network Access point: 1% to 17% utilized; Networking"),
      (0x00_0704, "Wearable: Wristwatch"), (0x00_0914, "Health: Pulse Oximeter"),
      (0x00_4704, "Wearable: Wristwatch; LE audio"), (0x00_1F00, "Uncategorized"),
      (0x00_0000, "Miscellaneous"),
      (0x80_0110, "Computer: Handheld PC/PDA (clamshell); Information"),
      // From a phone's traffic, with a format type that was never defined.
      (0x00_0201, "Phone: Uncategorized"),
      // What no one assigned.
      (0x00_0A04, "reserved Major Device Class 10: Minor Device Class 1"),
      (0x00_040C, "Audio/Video: Minor Device Class 3"),
    ] as [(UInt64, String)])
  func names(_ value: UInt64, _ name: String) {
    #expect(ClassOfDevice.description(value) == name)
  }
}
