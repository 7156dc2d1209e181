import HarkCore
import Testing

@testable import HarkDissection

@Suite struct AAPTests {
  /// The class of its service record.
  static let channel = AttachmentPoint.service(
    BluetoothUUID(high: 0x74EC_2172_0BAD_4D01, low: 0x8F77_997B_2BE0_722A))

  /// The first three lines of every message.
  private static func message(_ lines: [String]) -> [String] {
    ["AAP", "  Type: Message (0x0004)", "  Service: Accessory (0x0004)"] + lines
  }

  static let handshakes = [
    Vector(
      "AAP-Protocol-Defintion: init-connection-s-00", AAPTests.channel,
      "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00",
      [
        "AAP", "  Type: Connect (0x0000)", "  Service: Accessory (0x0004)", "  Major Version: 1",
        "  Minor Version: 2", "  Features: 0x0000000000000000",
      ]),
    Vector(
      "AAP-Protocol-Defintion: init-connection-r-00", AAPTests.channel,
      "01 00 04 00 00 00 01 00 02 00 05 00 49 4e 05 00 a5 4f",
      [
        "AAP", "  Type: Connect Response (0x0001)", "  Service: Accessory (0x0004)",
        "  Status: success (0x0000)", "  Major Version: 1", "  Minor Version: 2",
        "  Features: 0x4fa500054e490005",
      ]),
    Vector(
      "AAP-Protocol-Defintion: disconnect-r-00", AAPTests.channel, "02 00 04 00 00 00",
      [
        "AAP", "  Type: Disconnect (0x0002)", "  Service: Accessory (0x0004)",
        "  Status: success (0x0000)",
      ]),
    Vector(
      "A type that is not known", AAPTests.channel, "09 00 04 00 aa bb",
      [
        "AAP", "  Type: Unknown (0x0009)", "  Service: Accessory (0x0004)", "  Data: aabb",
      ]),
  ]

  static let states = [
    Vector(
      "AAP-Protocol-Defintion: battery-state-r-00", AAPTests.channel,
      "04 00 04 00 04 00 03 04 01 64 01 01 02 01 64 01 01 08 01 0c 02 01",
      message([
        "  Opcode: Battery (0x0004)", "  Battery Count: 3", "  Battery",
        "    Component: Left (0x04)", "    Unknown: 0x01", "    Level: 100 %",
        "    Status: charging (0x01)", "    Unknown: 0x01", "  Battery",
        "    Component: Right (0x02)", "    Unknown: 0x01", "    Level: 100 %",
        "    Status: charging (0x01)", "    Unknown: 0x01", "  Battery",
        "    Component: Case (0x08)", "    Unknown: 0x01", "    Level: 12 %",
        "    Status: discharging (0x02)", "    Unknown: 0x01",
      ])),
    Vector(
      "librepods: Ear Detection", AAPTests.channel, "04 00 04 00 06 00 00 01",
      message([
        "  Opcode: Ear Detection (0x0006)", "  Primary: in ear (0)", "  Secondary: out of ear (1)",
      ])),
    Vector(
      "AAP-Protocol-Defintion: role-state-r-00", AAPTests.channel, "04 00 04 00 08 00 01 02 01 00",
      message([
        "  Opcode: Role State (0x0008)", "  Primary Bud: left (1)", "  Mic Mode: left (2)",
        "  Secondary: available (1)", "  Quick Disconnect: enabled (0)",
      ])),
    Vector(
      "AAP-Protocol-Defintion: notification-filter-set-00", AAPTests.channel,
      "04 00 04 00 0f 00 ff ff ff ff",
      message(["  Opcode: Request Notifications (0x000f)", "  Notifications: ffffffff"])),
    Vector(
      "librepods: stem press", AAPTests.channel, "04 00 04 00 19 00 06 02",
      message(["  Opcode: Stem Press (0x0019)", "  Press: double press (6)", "  Bud: right (2)"])),
    Vector(
      "librepods: Conversational Awareness", AAPTests.channel, "04 00 04 00 4b 00 02 00 01 03",
      message([
        "  Opcode: Conversational Awareness (0x004b)", "  Unknown: 020001", "  Volume Level: 3",
      ])),
    Vector(
      "AAP-Protocol-Defintion: get-in-ear-state-00", AAPTests.channel, "04 00 04 00 05 00",
      message(["  Opcode: Get Ear Detection (0x0005)"])),
  ]

  static let controls = [
    Vector(
      "AAP-Protocol-Defintion: listen-mode-r-00", AAPTests.channel,
      "04 00 04 00 09 00 0d 01 00 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Listening Mode (0x0d)",
        "  Value: off (0x01)", "  Further Values: 000000",
      ])),
    Vector(
      "librepods: Configure Stem Long Press", AAPTests.channel, "04 00 04 00 09 00 1a 0e 00 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Listening Mode Configs (0x1a)",
        "  Value: 0x0e: noise cancellation, transparency, adaptive", "  Further Values: 000000",
      ])),
    Vector(
      "librepods: Toggle Conversational Awareness", AAPTests.channel,
      "04 00 04 00 09 00 28 02 00 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Conversation Detect (0x28)",
        "  Value: off (0x02)", "  Further Values: 000000",
      ])),
    Vector(
      "librepods: Adaptive Audio Noise", AAPTests.channel, "04 00 04 00 09 00 2e 32 00 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Auto ANC Strength (0x2e)",
        "  Value: 50 %", "  Further Values: 000000",
      ])),
    Vector(
      "AAP-Protocol-Defintion: in-ear-mode-s-00, which librepods reads otherwise", AAPTests.channel,
      "04 00 04 00 09 00 0a 02 00 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Ear Detection (0x0a)",
        "  Value: off, as librepods reads it; on, as PacketLogger 6 does (0x02)",
        "  Further Values: 000000",
      ])),
    Vector(
      "Both buds of Click Hold Mode, and an identifier that is not known", AAPTests.channel,
      "04 00 04 00 09 00 16 01 05 00 00",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Click Hold Mode (0x16)",
        "  Value: 0x01", "  Other Value: 0x05", "  Further Values: 0000",
      ])),
    Vector(
      "An identifier that is not known", AAPTests.channel, "04 00 04 00 09 00 7f 01 02 03 04 05",
      message([
        "  Opcode: Control Command (0x0009)", "  Identifier: Unknown (0x7f)", "  Value: 0x01",
        "  Further Values: 020304", "  Data: 05",
      ])),
  ]

  static let routes = [
    Vector(
      "AAP-Protocol-Defintion: connection-state-r-00, another address", AAPTests.channel,
      "04 00 04 00 0c 00 01 00 00 00 de c0 01 02",
      message([
        "  Opcode: Connection State (0x000c)", "  Host: C0:DE:00:00:00:01",
        "  Connection State: connected (1)", "  Connection Type: secondary (2)",
      ])),
    Vector(
      "AAP-Protocol-Defintion: streaming-state-r-00, another address", AAPTests.channel,
      "04 00 04 00 0e 00 01 00 00 00 de c0 02",
      message([
        "  Opcode: Audio Source (0x000e)", "  Host: C0:DE:00:00:00:01", "  Audio: media (2)",
      ])),
    Vector(
      "Connected devices: addresses in display order, the link's state behind them",
      AAPTests.channel,
      "04 00 04 00 2e 00 02 00 02 c0 de 00 00 00 01 02 15 c0 de 00 00 00 03 00 01",
      message([
        "  Opcode: Connected Devices (0x002e)", "  Unknown: 0200", "  Host Count: 2", "  Host",
        "    Address: C0:DE:00:00:00:01", "    Link: connected (2)", "    Unknown: 0x15",
        "  Host", "    Address: C0:DE:00:00:00:03", "    Link: not connected (0)",
        "    Unknown: 0x01",
      ])),
    Vector(
      "librepods: Hijackv2, with the zeros behind it, another address", AAPTests.channel,
      """
      04 00 04 00 10 00 01 00 00 00 de c0 62 00 01 e5
      4a 6c 6f 63 61 6c 73 63 6f 72 65 30 64
      46 72 65 61 73 6f 6e 48 48 69 6a 61 63 6b 76 32
      51 61 75 64 69 6f 52 6f 75 74 69 6e 67 53 63 6f 72 65 31 2d 01
      5f 61 75 64 69 6f 52 6f 75 74 69 6e 67 53 65 74 4f 77 6e 65 72 73 68 69 70 54 6f 46 61 6c 73
      65 01 4b 72 65 6d 6f 74 65 73 63 6f 72 65 a5 00
      """.split(separator: "\n").joined(separator: " "),
      message([
        "  Opcode: Smart Routing (0x0010)", "  Host: C0:DE:00:00:00:01", "  Data Length: 98",
        "  Unknown: 0x01", "  Tag: dictionary (0xe5)", "  Dictionary",
        "    Entry", "      Tag: string (0x4a)", "      Key: \"localscore\"",
        "      Tag: integer (0x30)", "      Integer: 100",
        "    Entry", "      Tag: string (0x46)", "      Key: \"reason\"",
        "      Tag: string (0x48)", "      String: \"Hijackv2\"",
        "    Entry", "      Tag: string (0x51)", "      Key: \"audioRoutingScore\"",
        "      Tag: integer (0x31)", "      Integer: 301",
        "    Entry", "      Tag: string (0x5f)", "      Key: \"audioRoutingSetOwnershipToFalse\"",
        "      Tag: true (0x01)",
        "    Entry", "      Tag: string (0x4b)", "      Key: \"remotescore\"",
        "      Tag: reference (0xa5)", "      Reference: 5",
        "  Padding: 00",
      ])),
    Vector(
      "Smart routing that is relayed without the octet in front: every other kind of object",
      AAPTests.channel,
      """
      04 00 04 00 11 00 01 00 00 00 de c0 32 00 df 04 02 07 0b
      05 12 34 56 78 9a bc de f0 11 22 33 44 55 66 77 88 06 00 01 02 03 04 05 06 07
      35 00 00 20 c0 61 02 68 69 6f 61 62 00 72 ca fe c1 05 03
      """.split(separator: "\n").joined(separator: " "),
      message([
        "  Opcode: Smart Routing Relayed (0x0011)", "  Host: C0:DE:00:00:00:01",
        "  Data Length: 50", "  Tag: array (0xdf)", "  Array", "    Tag: null (0x04)",
        "    Tag: false (0x02)", "    Tag: integer -1 (0x07)", "    Tag: integer 3 (0x0b)",
        "    Integer: 3", "    Tag: UUID (0x05)", "    UUID: 12345678-9ABC-DEF0-1122-334455667788",
        "    Tag: absolute time (0x06)", "    Absolute Time: 0001020304050607",
        "    Tag: float (0x35)", "    Float: -2.5", "    Tag: string (0x61)", "    Length: 2",
        "    String: \"hi\"", "    Tag: string (0x6f)", "    String: \"ab\"",
        "    Tag: data (0x72)", "    Data: cafe", "    Tag: reference (0xc1)", "    Reference: 5",
        "    Tag: terminator (0x03)",
      ])),
  ]

  static let devices = [
    Vector(
      "AAP-Protocol-Defintion: read-capabilities-r-00", AAPTests.channel,
      "04 00 04 00 02 00 06 01 0e 02 02 04 01 00 00 00 10 01 40 01 80 01",
      message([
        "  Opcode: Capabilities (0x0002)", "  Capability Count: 6", "  Capability",
        "    Capability Type: Batteries (0x01)", "    Capability Value: 0x0e", "  Capability",
        "    Capability Type: Number of Allowed Connections (0x02)",
        "    Capability Value: 0x02", "  Capability", "    Capability Type: AAP Version (0x04)",
        "    Capability Value: 0x01", "  Data: 000000100140018001",
      ])),
    Vector(
      "AAP-Protocol-Defintion: version-information-r-01, other names", AAPTests.channel,
      "04 00 04 00 1d 00 01 89 00 0d 00 42 75 64 73 00 41 32 30 38 34 00 41 00 53 31 00 31 2e 32 00"
        + " 31 2e 33 00 31 2e 30 2e 30 00 75 00 4c 00 52 00 32 00 de ad",
      message([
        "  Opcode: Device Information (0x001d)", "  Unknown: 0189000d00", "  Name: \"Buds\"",
        "  Model: \"A2084\"", "  Manufacturer: \"A\"", "  Serial Number: \"S1\"",
        "  Firmware Version: \"1.2\"", "  Second Firmware Version: \"1.3\"",
        "  Hardware Revision: \"1.0.0\"", "  Updater: \"u\"", "  Left Serial Number: \"L\"",
        "  Right Serial Number: \"R\"", "  Third Version: \"2\"", "  Data: dead",
      ])),
    Vector(
      "librepods: request of proximity keys", AAPTests.channel, "04 00 04 00 30 00 05 00",
      message([
        "  Opcode: Proximity Keys Request (0x0030)", "  Keys: 0x0005: IRK, Encryption Key",
      ])),
    Vector(
      "librepods: proximity keys, which are never shown", AAPTests.channel,
      "04 00 04 00 31 00 02 01 00 10 00 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"
        + " 04 00 10 00 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f ee",
      message([
        "  Opcode: Proximity Keys (0x0031)", "  Key Count: 2", "  Proximity Key",
        "    Key Type: IRK (0x01)", "    Unknown: 0x00", "    Key Length: 16",
        "    Key: 16 secret bytes", "  Proximity Key", "    Key Type: Encryption Key (0x04)",
        "    Unknown: 0x00", "    Key Length: 16", "    Key: 16 secret bytes",
        "  Data: 1 secret byte",
      ])),
    Vector(
      "librepods: Renaming AirPods", AAPTests.channel, "04 00 04 00 1a 00 01 02 00 41 42",
      message([
        "  Opcode: Rename (0x001a)", "  Unknown: 01", "  Name Length: 2", "  Name: \"AB\"",
      ])),
    Vector(
      "librepods' application: renaming", AAPTests.channel, "04 00 04 00 1e 00 02 00 41 42",
      message(["  Opcode: Rename (0x001e)", "  Name Length: 2", "  Name: \"AB\""])),
  ]

  static let sounds = [
    Vector(
      "librepods: Start Tracking", AAPTests.channel,
      "04 00 04 00 17 00 00 00 10 00 10 00 08 a1 02 42 0b 08 0e 10 02 1a 05 01 40 9c 00 00",
      message([
        "  Opcode: Custom Message (0x0017)", "  Client Type: Sensor Tunnel (0x00100000)",
        "  Message Length: 16", "  Message: 08a102420b080e10021a0501409c0000",
      ])),
    Vector(
      "AAP-Protocol-Defintion: log-r-00", AAPTests.channel,
      "04 00 04 00 17 00 00 04 00 00 24 00 06 00 00 04 41 50 00 00 00 20 00 00 41 4f 50 00 00 20"
        + " 00 00 42 54 4d 00 00 20 00 00 44 53 50 31 00 20 00 00",
      message([
        "  Opcode: Custom Message (0x0017)", "  Client Type: Log Message (0x00000400)",
        "  Message Length: 36",
        "  Message: 060000044150000000200000414f50000020000042544d000020000044535031… (36 bytes)",
      ])),
    Vector(
      "librepods: a head tracking packet, by its offsets", AAPTests.channel,
      "04 00 04 00 17 00 00 00 10 00 3a 00 " + String(repeating: "00 ", count: 31)
        + "01 00 ff ff 03 00 00 00 05 00 fa ff " + String(repeating: "00 ", count: 15),
      message([
        "  Opcode: Custom Message (0x0017)", "  Client Type: Sensor Tunnel (0x00100000)",
        "  Message Length: 58", "  Unknown: \(String(repeating: "00", count: 31))",
        "  Orientation 1: 1", "  Orientation 2: -1", "  Orientation 3: 3", "  Unknown: 0000",
        "  Horizontal Acceleration: 5", "  Vertical Acceleration: -6",
        "  Message: \(String(repeating: "00", count: 15))",
      ])),
    Vector(
      "librepods: Sensor Subscription", AAPTests.channel, "04 00 04 00 44 00 04 00 02 00 03 07",
      message([
        "  Opcode: Sensor Subscription (0x0044)", "  Subcommand: 0x0004", "  Sensor Count: 2",
        "  Sensor: 0x03", "  Sensor: 0x07",
      ])),
    Vector(
      "librepods: Setting specific features", AAPTests.channel,
      "04 00 04 00 4d 00 ff 00 00 00 00 00 00 00",
      message(["  Opcode: Set Feature Flags (0x004d)", "  Feature Flags: 0x00000000000000ff"])),
    Vector(
      "librepods: Headphone Accommodation, one of four", AAPTests.channel,
      "04 00 04 00 53 00 84 00 02 02 01 02 00 00 c8 42 00 00 48 42 00 00 00 00 cd cc cc 3d"
        + " 00 00 80 3f 00 00 00 40 00 00 40 40 00 00 80 40",
      message([
        "  Opcode: Headphone Accommodation (0x0053)", "  Equalizer Length: 132",
        "  Unknown: 0202", "  Phone: enabled (1)", "  Media: disabled (2)", "  Equalizer",
        "    Band: 100.0", "    Band: 50.0", "    Band: 0.0", "    Band: 0.1", "    Band: 1.0",
        "    Band: 2.0", "    Band: 3.0", "    Band: 4.0",
      ])),
    Vector(
      "IEEE 754, 6.2: numbers that are none, in an equalizer", AAPTests.channel,
      "04 00 04 00 53 00 84 00 02 02 01 02 00 00 c0 7f 01 00 80 ff 00 00 80 7f 00 00 80 ff"
        + " 00 00 80 3f 00 00 00 40 00 00 40 40 00 00 80 40",
      message([
        "  Opcode: Headphone Accommodation (0x0053)", "  Equalizer Length: 132",
        "  Unknown: 0202", "  Phone: enabled (1)", "  Media: disabled (2)", "  Equalizer",
        "    Band: NaN", "    Band: NaN", "    Band: infinity", "    Band: -infinity",
        "    Band: 1.0", "    Band: 2.0", "    Band: 3.0", "    Band: 4.0",
      ])),
    Vector(
      "librepods: an opcode whose body nobody explains", AAPTests.channel,
      "04 00 04 00 63 00 01 02",
      message(["  Opcode: Custom EQ (0x0063)", "  Data: 0102"])),
    Vector(
      "An opcode that is not known", AAPTests.channel, "04 00 04 00 fe 00",
      message(["  Opcode: Unknown (0x00fe)"])),
  ]

  @Test(arguments: handshakes + states + controls + routes + devices + sounds)
  func vector(_ vector: Vector) { vector.check() }

  /// Of a key that is cut, nothing is shown.
  @Test func concealsWhatIsLeftOfAKey() throws {
    let bytes = try #require(Hex.bytes("040004003100010100100000aabbccdd"))
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, AAPTests.channel, Context(), into: &tree)
    let lines = Catalog.shared.lines(tree, of: bytes.raw)
    #expect(lines.last == "  Undecoded: 5 secret bytes")
    #expect(!lines.joined().contains("aabb"))
  }

  @Test func marksWhatSourcesDisagreeOn() throws {
    for (hex, ranges) in [
      ("040004001a000102004142", [7..<7]), ("040004001e0002004142", [6..<6]),
      // Levels of 100 %, 101 %, 254 %, and of an absent component.
      ("040004000400010801640201", []), ("040004000400010801650201", [9..<10]),
      ("040004000400010801fe0201", [9..<10]), ("040004000400010801ff0401", []),
    ] {
      let bytes = try #require(Hex.bytes(hex))
      var tree = Tree()
      Catalog.shared.describe(bytes.raw, AAPTests.channel, Context(), into: &tree)
      #expect(tree.notes.map(\.range) == ranges)
    }
  }

  static func read(_ bytes: String) -> AAPMessage { AAPMessage(hex(bytes).raw, isCut: false) }

  /// The bytes are those of the vectors above.
  @Test func handshakeMessages() {
    let connect = Self.read("00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00")
    guard case .connect(let asked) = connect.content,
      case .connectResponse(0, let answered) = Self.read(
        "01 00 04 00 00 00 01 00 02 00 05 00 49 4e 05 00 a5 4f"
      ).content,
      case .disconnect(0) = Self.read("02 00 04 00 00 00").content
    else {
      Issue.record("other handshakes")
      return
    }
    #expect(asked.major == 1 && asked.minor == 2 && answered.major == 1 && answered.minor == 2)
    #expect(connect.isFromHost == true && connect.opcode == nil && connect.isWhole)
    #expect(!Self.read("00 00 04 00 01 00").isWhole)
  }

  @Test func messages() {
    guard
      case .battery(let batteries) = Self.read(
        "04 00 04 00 04 00 03 04 01 64 01 01 02 01 64 01 01 08 01 0c 02 01"
      ).content,
      case .earDetection(0, 1) = Self.read("04 00 04 00 06 00 00 01").content,
      case .stemPress(6, 2) = Self.read("04 00 04 00 19 00 06 02").content,
      case .conversationalAwareness(3) = Self.read("04 00 04 00 4b 00 02 00 01 03").content,
      case .controlCommand(0x16, 1) = Self.read("04 00 04 00 09 00 16 01 05 00 00").content,
      case .connectionState(let host, 1, 2) = Self.read(
        "04 00 04 00 0c 00 01 00 00 00 de c0 01 02"
      ).content,
      case .audioSource(host, 2) = Self.read("04 00 04 00 0e 00 01 00 00 00 de c0 02").content,
      case .customMessage(0x0010_0000) = Self.read(
        "04 00 04 00 17 00 00 00 10 00 02 00 08 a1"
      ).content,
      case .setFeatureFlags(0xFF) = Self.read("04 00 04 00 4d 00 ff 00 00 00 00 00 00 00").content,
      case .rename(let name) = Self.read("04 00 04 00 1a 00 01 02 00 41 42").content,
      case .proximityKeysRequest(5) = Self.read("04 00 04 00 30 00 05 00").content
    else {
      Issue.record("other messages")
      return
    }
    #expect(batteries.map(\.component) == [4, 2, 8] && batteries.map(\.level) == [100, 100, 12])
    #expect(batteries.map(\.status) == [1, 1, 2] && name == 9..<11)
    #expect(host == BluetoothAddress(0xC0DE_0000_0001))
  }

  @Test func keyMessage() {
    let bytes = "04 00 04 00 31 00 02 01 00 02 00 0a 0b 04 00 02 00 0c 0d"
    guard case .proximityKeys(let keys) = Self.read(bytes).content else {
      Issue.record("no keys")
      return
    }
    #expect(keys.map(\.type) == [.identityResolvingKey, .encryptionKey])
    #expect(keys.map(\.range) == [11..<13, 17..<19])
    let mayHoldKeys = [bytes, "04 00 04 00 30 00 05 00"].map { AAPMessage.mayHoldKeys(hex($0).raw) }
    #expect(mayHoldKeys == [true, false])
  }

  /// Who sends which, as the projects observed it.
  @Test func senders() {
    #expect(Self.read("04 00 04 00 0f 00 ff ff ff ff").isFromHost == true)
    #expect(Self.read("04 00 04 00 08 00 01 02 01 00").isFromHost == false)
    #expect(Self.read("04 00 04 00 09 00 0d 01 00 00 00").isFromHost == nil)
    #expect(Self.read("04 00 04 00 fe 00").isFromHost == nil)
  }
}
