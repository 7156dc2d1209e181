import HarkCore
import Testing

@testable import HarkDissection

@Suite struct IAP2Tests {
  static let link = IAP2.places[0]

  /// A context in which the session of the packet is one of control messages.
  static var control: Context {
    var context = Context()
    context.inner = Catalog.shared.entry(at: .iap2(0)).map { Entry.Reference($0) }
    return context
  }

  static let links = [
    Vector(
      "detection, as both sides send it", link, "ff 55 02 00 ee 10",
      ["iAP2", "  Detection: iAP2 detection (0xff550200ee10)"]),
    Vector(
      "a public unit test's SYN; its payload checksum computed by hand", link,
      "ff 5a 00 1a 80 2b 00 00 e2 01 05 10 00 04 0b 00 17 03 03 0a 00 01 0b 02 01 a5",
      [
        "iAP2", "  Start of Packet: 0xff5a", "  Packet Length: 26", "  Control: SYN (0x80)",
        "  Packet Sequence Number: 43", "  Packet Acknowledgement Number: 0",
        "  Session Identifier: 0", "  Header Checksum: 0xe2", "  Link Version: 1",
        "  Maximum Number of Outstanding Packets: 5", "  Maximum Received Packet Length: 4096",
        "  Retransmission Timeout: 1035 ms",
        "  Cumulative Acknowledgement Timeout: 23 ms",
        "  Maximum Number of Retransmissions: 3", "  Maximum Cumulative Acknowledgements: 3",
        "  Session", "    Session Identifier: 10", "    Session Type: control (0)",
        "    Session Version: 1", "  Session", "    Session Identifier: 11",
        "    Session Type: External Accessory (2)", "    Session Version: 1",
        "  Payload Checksum: 0xa5",
      ]),
    Vector(
      "an acknowledgement has neither payload nor its checksum", link,
      "ff 5a 00 09 40 2c 65 00 cd",
      [
        "iAP2", "  Start of Packet: 0xff5a", "  Packet Length: 9", "  Control: ACK (0x40)",
        "  Packet Sequence Number: 44", "  Packet Acknowledgement Number: 101",
        "  Session Identifier: 0", "  Header Checksum: 0xcd",
      ]),
    Vector(
      "an extended acknowledgement lists what is missing", link,
      "ff 5a 00 0c 60 2c 65 00 aa 66 67 33",
      [
        "iAP2", "  Start of Packet: 0xff5a", "  Packet Length: 12",
        "  Control: ACK, EAK (0x60)", "  Packet Sequence Number: 44",
        "  Packet Acknowledgement Number: 101", "  Session Identifier: 0",
        "  Header Checksum: 0xaa", "  Missing Sequence Number: 102",
        "  Missing Sequence Number: 103", "  Payload Checksum: 0x33",
      ]),
    Vector(
      "StartIdentification where the session is known", link,
      "ff 5a 00 10 40 65 2b 0a bd 40 40 00 06 1d 00 5d", context: control,
      [
        "iAP2", "  Start of Packet: 0xff5a", "  Packet Length: 16", "  Control: ACK (0x40)",
        "  Packet Sequence Number: 101", "  Packet Acknowledgement Number: 43",
        "  Session Identifier: 10", "  Header Checksum: 0xbd", "  iAP2 Control",
        "    Start of Message: 0x4040", "    Message Length: 6",
        "    Message: StartIdentification (0x1d00)", "  Payload Checksum: 0x5d",
      ]),
    Vector(
      "the same where it is not", link, "ff 5a 00 10 40 65 2b 0a bd 40 40 00 06 1d 00 5d",
      [
        "iAP2", "  Start of Packet: 0xff5a", "  Packet Length: 16", "  Control: ACK (0x40)",
        "  Packet Sequence Number: 101", "  Packet Acknowledgement Number: 43",
        "  Session Identifier: 10", "  Header Checksum: 0xbd", "  Payload: 404000061d00",
        "  Payload Checksum: 0x5d",
      ]),
  ]

  static let messages = [
    Vector(
      "IdentificationInformation, with a parameter no source names", .iap2(0),
      """
      40 40 00 61 1d 01 00 09 00 00 41 63 6d 65 00 00 08 00 06 ea 02 ea 03 00 06 00 09 01 f4
      00 20 00 0a 00 05 00 00 01 00 12 00 01 63 6f 6d 2e 61 63 6d 65 2e 6c 69 6e 6b 00 00 05 00
      02 01 00 1f 00 11 00 06 00 00 00 03 00 07 00 01 42 54 00 00 04 00 02 00 0a 00 03 11 22 33
      44 55 66 00 05 00 27 07
      """,
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 97",
        "  Message: IdentificationInformation (0x1d01)",
        "  Parameter", "    Parameter Length: 9", "    Parameter ID: Name (0)",
        "    Text: \"Acme\"",
        "  Parameter", "    Parameter Length: 8", "    Parameter ID: MessagesSentByAccessory (6)",
        "    Message ID: RequestAppLaunch (0xea02)",
        "    Message ID: StatusExternalAccessoryProtocolSession (0xea03)",
        "  Parameter", "    Parameter Length: 6",
        "    Parameter ID: MaximumCurrentDrawnFromDevice (9)", "    Current: 500 mA",
        "  Parameter", "    Parameter Length: 32",
        "    Parameter ID: SupportedExternalAccessoryProtocol (10)",
        "    Parameter", "      Parameter Length: 5",
        "      Parameter ID: ExternalAccessoryProtocolIdentifier (0)",
        "      Protocol Identifier: 1",
        "    Parameter", "      Parameter Length: 18",
        "      Parameter ID: ExternalAccessoryProtocolName (1)", "      Text: \"com.acme.link\"",
        "    Parameter", "      Parameter Length: 5",
        "      Parameter ID: ExternalAccessoryProtocolMatchAction (2)",
        "      Match Action: settings and prompt (1)",
        "  Parameter", "    Parameter Length: 31",
        "    Parameter ID: BluetoothTransportComponent (17)",
        "    Parameter", "      Parameter Length: 6",
        "      Parameter ID: TransportComponentIdentifier (0)", "      Number: 3",
        "    Parameter", "      Parameter Length: 7",
        "      Parameter ID: TransportComponentName (1)", "      Text: \"BT\"",
        "    Parameter", "      Parameter Length: 4",
        "      Parameter ID: TransportSupportsiAP2Connection (2)",
        "    Parameter", "      Parameter Length: 10",
        "      Parameter ID: BluetoothTransportMediaAccessControlAddress (3)",
        "      Address: 11:22:33:44:55:66",
        "  Parameter", "    Parameter Length: 5", "    Parameter ID: Unknown (39)",
        "    Data: 07",
      ]),
    Vector(
      "IdentificationRejected names what it does not accept", .iap2(0),
      "40 40 00 0e 1d 03 00 04 00 0a 00 04 00 03",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 14",
        "  Message: IdentificationRejected (0x1d03)", "  Parameter", "    Parameter Length: 4",
        "    Parameter ID: SupportedExternalAccessoryProtocol (10)", "  Parameter",
        "    Parameter Length: 4", "    Parameter ID: SerialNumber (3)",
      ]),
    Vector(
      "StartExternalAccessoryProtocolSession", .iap2(0),
      "40 40 00 11 ea 00 00 05 00 00 01 00 06 00 01 12 34",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 17",
        "  Message: StartExternalAccessoryProtocolSession (0xea00)", "  Parameter",
        "    Parameter Length: 5", "    Parameter ID: ExternalAccessoryProtocolIdentifier (0)",
        "    Protocol Identifier: 1", "  Parameter", "    Parameter Length: 6",
        "    Parameter ID: ExternalAccessoryProtocolSessionIdentifier (1)",
        "    Session Identifier: 4660",
      ]),
    Vector(
      "DeviceTimeUpdate, five hours west of Greenwich", .iap2(0),
      "40 40 00 18 4e 0b 00 0c 00 00 00 00 00 00 2f 5b 3a 10 00 06 00 01 fe d4",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 24",
        "  Message: DeviceTimeUpdate (0x4e0b)", "  Parameter", "    Parameter Length: 12",
        "    Parameter ID: SecondsSinceReferenceDate (0)", "    Seconds: 794507792 s",
        "  Parameter", "    Parameter Length: 6", "    Parameter ID: TimeZoneOffsetMinutes (1)",
        "    Minutes: -300 min",
      ]),
    Vector(
      "a passphrase is not shown", .iap2(0),
      "40 40 00 1d 57 03 00 08 00 01 4e 65 74 00 00 0f 00 02 70 61 73 73 70 68 72 61 73 65 00",
      [
        "iAP2 Control", "  Start of Message: 0x4040", "  Message Length: 29",
        "  Message: AccessoryWiFiConfigurationInformation (0x5703)", "  Parameter",
        "    Parameter Length: 8", "    Parameter ID: WiFiSSID (1)", "    Text: \"Net\"",
        "  Parameter", "    Parameter Length: 15", "    Parameter ID: Passphrase (2)",
        "    Data: 11 secret bytes",
      ]),
  ]

  static let sessions = [
    Vector(
      "External Accessory data: a session and bytes", .iap2(2), "12 34 68 69",
      [
        "External Accessory", "  External Accessory Session Identifier: 4660", "  Data: 6869",
      ]),
    Vector(
      "file transfer: how large the file is", .iap2(1), "81 04 00 00 00 00 00 00 01 00",
      [
        "iAP2 File Transfer", "  File Transfer Identifier: 129", "  Control: Setup (0x04)",
        "  File Size: 256",
      ]),
    Vector(
      "file transfer: all of it at once", .iap2(1), "81 c0 61 62",
      [
        "iAP2 File Transfer", "  File Transfer Identifier: 129",
        "  Control: First and Only Data (0xc0)", "  Data: 6162",
      ]),
  ]

  /// From a capture of a head unit and an iPhone (brandonasuncion/Reverse-Engineering-Bluetooth-
  /// Protocols): frames of RFCOMM hold them without the sync byte.
  static let iap1 = [
    Vector(
      "StartIDPS of an accessory", .iap1, "55 04 00 38 00 00 c4",
      [
        "iAP1", "  Start of Packet: 0x55", "  Packet Payload Length: 4",
        "  Lingo ID: General (0x00)", "  Command ID: StartIDPS (0x38)", "  Transaction ID: 0",
        "  Packet Payload Checksum: 0xc4",
      ]),
    Vector(
      "an answer of the iPhone", .iap1, "55 06 00 12 00 02 ff f9 ee",
      [
        "iAP1", "  Start of Packet: 0x55", "  Packet Payload Length: 6",
        "  Lingo ID: General (0x00)", "  Command ID: ReturnTransportMaxPayloadSize (0x12)",
        "  Transaction ID: 2", "  Maximum Payload Size: 65529",
        "  Packet Payload Checksum: 0xee",
      ]),
    Vector(
      "its acknowledgement of StartIDPS", .iap1, "55 06 00 02 00 00 00 38 c0",
      [
        "iAP1", "  Start of Packet: 0x55", "  Packet Payload Length: 6",
        "  Lingo ID: General (0x00)", "  Command ID: ACK (0x02)", "  Transaction ID: 0",
        "  Status: Success (0)", "  Acknowledged Command ID: StartIDPS (0x38)",
        "  Packet Payload Checksum: 0xc0",
      ]),
    Vector(
      "an acknowledgement without a transaction, as before IDPS", .iap1, "55 04 00 02 00 13 e7",
      [
        "iAP1", "  Start of Packet: 0x55", "  Packet Payload Length: 4",
        "  Lingo ID: General (0x00)", "  Command ID: ACK (0x02)", "  Status: Success (0)",
        "  Acknowledged Command ID: IdentifyDeviceLingoes (0x13)",
        "  Packet Payload Checksum: 0xe7",
      ]),
    Vector(
      "with a sync byte, as over a serial line", .iap1, "ff 55 03 04 00 1c dd",
      [
        "iAP1", "  Sync Byte: 0xff", "  Start of Packet: 0x55", "  Packet Payload Length: 3",
        "  Lingo ID: Extended Interface (0x04)", "  Command ID: GetPlayStatus (0x001c)",
        "  Packet Payload Checksum: 0xdd",
      ]),
  ]

  @Test(arguments: links + messages + IAP2ParameterVectors.all + sessions + iap1)
  func vector(_ vector: Vector) {
    vector.check()
  }

  @Test(arguments: [
    ("ff 5a 00 09 40 2c 65 00 cc", IAP2Tests.link, 8..<9),
    ("ff 5a 00 0c 60 2c 65 00 aa 66 67 34", IAP2Tests.link, 11..<12),
    ("55 04 00 38 00 00 c5", .iap1, 6..<7),
  ])
  func wrongChecksumsAreNoted(_ hex: String, _ place: AttachmentPoint, _ range: Range<Int>) throws {
    let bytes = try #require(Hex.bytes(hex))
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, place, Context(), into: &tree)
    #expect(tree.notes.map(\.text.description) == ["does not match the octets before it"])
    #expect(tree.notes.map(\.range) == [range])
  }

  @Test func lengthsThatCannotBe() throws {
    for (hex, place, failure) in [
      (
        "ff 5a 00 08 40 2c 65 00 ce", Self.link,
        "iAP2: Packet Length: is less than the header at byte 9"
      ),
      (
        "40 40 00 0a 1d 03 00 03 00 0a", .iap2(0),
        "iAP2 Control: Parameter Length: is less than the header at byte 8"
      ),
    ] as [(String, AttachmentPoint, String)] {
      let bytes = try #require(Hex.bytes(hex))
      var tree = Tree()
      Catalog.shared.describe(bytes.raw, place, Context(), into: &tree)
      #expect(tree.failures.map(\.description) == [failure])
    }
  }

  /// The bytes are those of the vectors above.
  @Test func linkMessages() throws {
    let first = IAP2LinkPacket(
      hex("ff 5a 00 1a 80 2b 00 00 e2 01 05 10 00 04 0b 00 17 03 03 0a 00 01 0b 02 01 a5").raw,
      isCut: false)
    let asked = try #require(first.synchronization)
    #expect(first.control == .synchronize && first.sequence == 43 && first.isIntact)
    #expect(asked.maxOutstanding == 5 && asked.maxLength == 4096)
    #expect(asked.retransmissionTimeout == 1035 && asked.acknowledgementTimeout == 23)
    #expect(asked.sessions.map(\.identifier) == [10, 11])
    #expect(asked.sessions.map(\.type) == [.control, .externalAccessory])
    let acknowledgement = IAP2LinkPacket(hex("ff 5a 00 09 40 2c 65 00 cd").raw, isCut: false)
    #expect(acknowledgement.control == .acknowledgement && acknowledgement.acknowledgement == 101)
    #expect(acknowledgement.payload.isEmpty && !acknowledgement.isData)
    let wanted = IAP2LinkPacket(hex("ff 5a 00 0c 60 2c 65 00 aa 66 67 33").raw, isCut: false)
    #expect(wanted.control.contains(.extendedAcknowledgement) && wanted.payload == 9..<11)
    let data = hex("ff 5a 00 10 40 65 2b 0a bd 40 40 00 06 1d 00 5d")
    let whole = IAP2LinkPacket(data.raw, isCut: false)
    #expect(whole.isData && whole.session == 10 && whole.payload == 9..<15 && whole.isIntact)
    let damaged = Array(data.dropLast()) + [0x5E]
    let isIntact = IAP2LinkPacket(damaged.raw, isCut: false).isIntact
    #expect(!isIntact)
    // Of a packet that the recorder cut, the header counts.
    let cut = IAP2LinkPacket(data.raw.extracting(0..<12), isCut: true)
    #expect(cut.sequence == 101 && cut.session == 10 && cut.payload == 9..<12)
  }

  @Test func controlMessages() {
    let start = hex("40 40 00 11 ea 00 00 05 00 00 01 00 06 00 01 12 34")
    #expect(IAP2ControlMessage.length(of: start.raw) == 17)
    #expect(IAP2ControlMessage.identifier(of: start.raw) == 0xEA00)
    let started = IAP2ControlMessage(start.raw).started
    #expect(started?.session == 0x1234 && started?.protocolIdentifier == 1)
    // A group, and a parameter in it without a value.
    let rejected = hex("40 40 00 0e 1d 03 00 08 00 0a 00 04 00 01")
    let parameters = IAP2ControlMessage(rejected.raw).parameters
    #expect(parameters.map(\.path) == [[10], [10, 1]])
    #expect(parameters.allSatisfy { $0.value == nil })
    #expect(
      parameters.map { IAP2ControlMessage.IdentificationParameter($0.path) }
        == [.externalAccessoryProtocol, .protocolName])
    // A parameter that ends behind the message: its bytes are what it has.
    let broken = IAP2ControlMessage(hex("40 40 00 0c 1d 01 00 09 00 00 41 42").raw).parameters
    #expect(broken.map(\.path) == [[0]] && broken.map(\.value?.kind) == [.undecoded])
    #expect(IAP2ControlMessage.length(of: hex("40 41 00 06 1d 00").raw) == nil)
  }

  @Test func dataMessages() {
    let data = IAP2ExternalAccessoryData(hex("12 34 68 69").raw)
    #expect(data.session == 0x1234 && data.data == 2..<4)
    #expect(IAP2ExternalAccessoryData(hex("12").raw).session == nil)
    let setup = IAP2FileDatagram(hex("81 04 00 00 00 00 00 00 01 00").raw)
    #expect(setup.transfer == 0x81 && setup.control == .setup && setup.size == 256)
    let whole = IAP2FileDatagram(hex("81 c0 61 62").raw)
    #expect(whole.control == .onlyData && whole.data == 2..<4)
    let frame = IAP1Frame(hex("55 04 00 38 00 00 c4").raw)
    #expect(frame.lingo == 0 && frame.command == 0x38)
  }

  /// 0x5703 holds a passphrase, as the vector above shows.
  @Test func heads() {
    let isOfKey = ["00 40 40 00 1d 57 03", "1d 57 03 00", "40 40 00 06 1d 00"]
      .map { IAP2Head.isOfKey(in: hex($0).raw) }
    #expect(isOfKey == [true, false, false])
    let goesOn = IAP2Head.isOfKey(in: hex("1d 57 03 00").raw, behind: hex("00 40 40 00"))
    #expect(goesOn)
    #expect(IAP2Head(hex("40 40 00 1d 57 03")).mayHoldKey)
    #expect(!IAP2Head(hex("40 40 00 06 1d 00")).mayHoldKey)
    #expect(IAP2Head(hex("40 40 00")).mayGoOnWithKey && IAP2Head(hex("61 62")).mayHoldKey)
  }

  @Test(arguments: [
    ("ff 55 02 00 ee 10", true), ("ff 5a 00 09 40 2c 65 00 cd", true),
    ("ff 5a 00 10 40 65 2b 0a bd 40", true), ("ff 5a 00 09 40 2c 65 00 ce", false),
    ("41 54 0d", false),
  ]) func beginnings(_ bytes: String, _ resembles: Bool) {
    #expect(IAP2Buffer.resembles(hex(bytes).raw) == resembles)
  }
}
