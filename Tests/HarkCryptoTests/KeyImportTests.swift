import HarkCore
import Testing

@testable import HarkCrypto

/// Keys in the forms in which other programs write them. The Identity Resolving Key is the sample of the Core
/// Specification, Vol 3, Part H, D.7, which made the address 70:81:94:0D:FB:AA.
@Suite struct KeyImportTests {
  private static let resolvable = BluetoothAddress(0x7081_940D_FBAA, .random)
  /// Least significant octet first.
  private static let irk = "9b7d390aa610103405adc857a33402ec"

  private func read(
    _ text: String, path: String = "file", hint: KeyImport.Hint = KeyImport.Hint()
  ) throws(KeyImport.Failure) -> KeyImport {
    try KeyImport.read(Array(text.utf8), path: path, hint: hint)
  }

  /// The key as the specification prints it.
  private func digits(_ key: StoredKey?) -> String { text(key?.exposedBytes) }

  private func resolves(_ key: StoredKey) -> Bool {
    if case .bonding(let key) = key { key.resolves(Self.resolvable) } else { false }
  }

  /// The sections of a published file (a mouse that two systems share), with the IRK above.
  @Test func bluez() throws {
    let found = try read(
      """
      [General]
      Name=Bluetooth4.0Mouse
      AddressType=static
      Services=00001800-0000-1000-8000-00805f9b34fb;

      [IdentityResolvingKey]
      Key=\(Self.irk.uppercased())

      [LongTermKey]
      Key=205DC72A35B52E727A49703656CC1E66
      Authenticated=0
      EncSize=16
      EDiv=41695
      Rand=13152074216847889720

      [SlaveLongTermKey]
      Key=67472C5ACBB5AD242C5A5333AE8C3D2D
      """, path: "/var/lib/bluetooth/40:C7:3C:2F:8D:6F/DC:7F:01:78:93:76/info")
    #expect(found.format == .bluez && found.unreadable == 0)
    #expect(found.keys.map(\.kind) == [.irk, .ltk, .ltk])
    #expect(found.keys.allSatisfy { $0.details.name == "Bluetooth4.0Mouse" })
    #expect(found.keys.allSatisfy { $0.details.address == BluetoothAddress(0xDC7F_0178_9376) })
    #expect(resolves(found.keys[0]))
    #expect(digits(found.keys[1]) == "661ecc563670497a722eb5352ac75d20")
    #expect(found.keys[1].details.source?.hasSuffix("/info") == true)
  }

  /// Written by Bumble 0.0.2xx's JsonKeyStore; its `ah` makes the same address of this IRK.
  @Test func bumble() throws {
    let found = try read(
      """
      {"F0:F1:F2:F3:F4:F5/P": {"C0:DE:00:00:00:01": {"address_type": 3,
        "csrk": {"authenticated": false, "value": "000102030405060708090a0b0c0d0e0f"},
        "irk": {"authenticated": true, "value": "\(Self.irk)"},
        "link_key": {"authenticated": false, "value": "101112131415161718191a1b1c1d1e1f"},
        "ltk": {"authenticated": true, "value": "b8c688a0cbb30dab96fcab16d40515ca"}}}}
      """)
    #expect(found.format == .bumble)
    #expect(found.keys.map(\.kind) == [.ltk, .irk, .csrk, .linkKey])
    #expect(resolves(found.keys[1]))
    #expect(digits(found.keys[0]) == "ca1505d416abfc96ab0db3cba088c6b8")
    #expect(digits(found.keys[3]) == "1f1e1d1c1b1a19181716151413121110")
    #expect(found.keys.allSatisfy { $0.details.address == BluetoothAddress(0xC0DE_0000_0001) })
  }

  /// The structures as published for a fitness band: LTK, Rand, EDIV, level, size; IRK, type, identity address.
  @Test func android() throws {
    let found = try read(
      """
      [Info]
      FileSource = Empty

      [Adapter]
      Address = 3a:81:c0:4f:2b:6e
      LE_LOCAL_KEY_IRK = f2c07b1943a8de65021cbf7e94d3a086

      [3c:2e:f5:88:60:aa]
      Name = MX Master 2S
      LinkKeyType = 5
      LinkKey = 60f7ba1c3e94d582076ac13be9f2d840

      [74:d2:1d:04:bb:00]
      Name = Mi Band 3
      LE_KEY_PENC = 8fd3a1c07e64b2591cae3708df6b421a3f92c1750ea6b8c300000710
      LE_KEY_PID = \(Self.irk)0174d21d04bb9f
      LE_KEY_LENC = encrypted
      LE_KEY_LID =
      """)
    #expect(found.format == .android && found.unreadable == 1)
    #expect(found.keys.map(\.kind) == [.irk, .linkKey, .ltk, .irk])
    // AOSP reverses a link key when it reads HCI_Link_Key_Notification, and again for HCI_Link_Key_Request_Reply:
    // STREAM_TO_ARRAY16, ARRAY16_TO_STREAM.
    #expect(digits(found.keys[1]) == "60f7ba1c3e94d582076ac13be9f2d840")
    #expect(digits(found.keys[2]) == "1a426bdf0837ae1c59b2647ec0a1d38f")
    #expect(found.keys[2].details.address == BluetoothAddress(0x74D2_1D04_BB00))
    #expect(resolves(found.keys[3]))
    #expect(found.keys[3].details.address == BluetoothAddress(0x74D2_1D04_BB9F))
    #expect(found.keys[3].details.name == "Mi Band 3")
  }

  /// The lines of an issue about CONFIG_BT_LOG_SNIFFER_INFO.
  @Test func zephyr() throws {
    let found = try read(
      """
      Security changed: 5E:C8:43:72:21:1E (random) level 2
      Identity resolved 5E:C8:43:72:21:1E (random) -> C2:35:E5:CA:5E:A1 (random)
      Bonded with C2:35:E5:CA:5E:A1 (random)
      [00:01:19.844,970] <inf> bt_keys: SC LTK: 0xca1505d416abfc96ab0db3cba088c6b8
      [00:01:19.844,970] <inf> bt_keys: Legacy LTK: 0x66 (peripheral)
      """)
    #expect(found.format == .log)
    #expect(digits(found.keys.first) == "ca1505d416abfc96ab0db3cba088c6b8")
    #expect(found.keys.count == 1)
    #expect(found.keys[0].details.address == BluetoothAddress(0xC235_E5CA_5EA1))
  }

  /// Zephyr's and ESP-IDF's logs are colored: LOG_COLOR_RESET_COLOR is `ESC [ 0 m`.
  @Test func coloredLog() throws {
    let found = try read(
      """
      \u{1B}[1;32m[00:01:19.844,970] <inf> bt_keys: SC LTK: 0xca1505d416abfc96ab0db3cba088c6b8\u{1B}[0m
      \u{1B}[0;32mI (319) LTK: c4 ff 3f 40 f6 98 58 a9 20 e9 c8 78 1b e1 7f cf\u{1B}[0m
      """)
    #expect(
      found.keys.map(digits) == [
        "ca1505d416abfc96ab0db3cba088c6b8", "cf7fe11b78c8e920a95898f6403fffc4",
      ])
  }

  /// BlueZ reads a key with or without 0x: `get_key_info` of its src/adapter.c.
  @Test func bluezWithPrefix() throws {
    let found = try read(
      """
      [LinkKey]
      Key=0x205DC72A35B52E727A49703656CC1E66
      Type=4
      PINLength=0
      """, path: "40:C7:3C:2F:8D:6F/DC:7F:01:78:93:76/info")
    #expect(found.unreadable == 0)
    #expect(found.keys.map(digits) == ["661ecc563670497a722eb5352ac75d20"])
  }

  /// As the store of NimBLE prints a bond, and as an issue quotes one; ESP-IDF's log of a buffer.
  @Test func nimbleAndESP() throws {
    let octets = stride(from: 0, to: 32, by: 2).map { "0x" + Self.irk.dropFirst($0).prefix(2) }
    let found = try read(
      """
      peer_addr_type=0 peer_addr=0xbc 0x03 0x5c 0x60 0xaf 0x24  ediv=0 rand=0 authenticated=0 \
      ltk=0x9f 0x4a 0xd9 0xfd 0x0b 0x84 0x1f 0xa1 0xe9 0xa1 0x41 0x48 0x25 0x7c 0x4b 0xa8  \
      irk=\(octets.joined(separator: " "))
      key=our_sec_2 peer_addr=F3:90:DF:8E:A3:6A ediv=0 rand=0 ltk_present=1 \
      ltk=BB 12 48 87 B6 3B 90 D9 7C A0 30 26 78 50 08 B3
      I (319) LTK: c4 ff 3f 40 f6 98 58 a9 20 e9 c8 78 1b e1 7f cf
      """)
    #expect(found.keys.map(\.kind) == [.ltk, .irk, .ltk, .ltk])
    #expect(digits(found.keys[0]) == "a84b7c254841a1e9a11f840bfdd94a9f")
    #expect(found.keys[0].details.address == BluetoothAddress(0x24AF_605C_03BC))
    #expect(resolves(found.keys[1]))
    #expect(digits(found.keys[2]) == "b30850782630a07cd9903bb6874812bb")
    #expect(found.keys[2].details.address == BluetoothAddress(0xF390_DF8E_A36A))
    #expect(digits(found.keys[3]) == "cf7fe11b78c8e920a95898f6403fffc4")
  }

  /// NimBLE on ESP-IDF, whose logging puts each octet on a line of its own, as an issue of ESP-IDF shows; with the colors
  /// and the empty lines of a terminal.
  @Test func nimbleOnESP() throws {
    func octets(_ digits: some StringProtocol) -> String {
      stride(from: 0, to: digits.count, by: 2).map {
        "D (2720) NimBLE: 0x\(digits.dropFirst($0).prefix(2)) \u{1B}[0m\r\n\u{1B}[0m\r\n"
      }.joined()
    }
    let found = try read(
      "D (2710) NimBLE: looking up our sec; \nD (2710) NimBLE: peer_addr_type=0 peer_addr=\n"
        + octets("bc035c60af24") + "D (2715) NimBLE: \nI (2718) wifi: idle\n"
        + "D (2720) NimBLE: ediv=0 rand=0 authenticated=0 ltk=\n"
        + octets("b8c688a0cbb30dab96fcab16d40515ca")
        + "D (2730) NimBLE:  \nD (2730) NimBLE: irk=\n" + octets(Self.irk) + "D (2740) NimBLE: \n"
        + "D (2750) NimBLE: csrk=\n" + octets("0102"))
    #expect(found.keys.map(\.kind) == [.ltk, .irk] && found.unreadable == 0)
    #expect(digits(found.keys.first) == "ca1505d416abfc96ab0db3cba088c6b8")
    #expect(found.keys.first?.details.address == BluetoothAddress(0x24AF_605C_03BC))
    #expect(resolves(try #require(found.keys.last)))
  }

  /// Zephyr prints as many octets as the key size has. Those that it leaves out are 0: Vol 3, Part H, 2.4.4.
  @Test func zephyrShortKey() throws {
    let found = try read("<inf> bt_keys: Legacy LTK: 0x10f0e0d0c0b0a0 (central)")
    #expect(digits(found.keys.first) == "00000000000000000010f0e0d0c0b0a0")
  }

  /// The private key 01…01 as Python's `cryptography` writes it.
  @Test(
    arguments: [
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAQEBAQEBAQEBAQEB
      AQEBAQEBAQEBAQEBAQEBAQEBAQGhRANCAARv8DuUkkHOHa3UNRnmlg4KhbQaaaBc
      MoEDqivOFZTKFjxPdTpVvwHcU/bAsMfu54tAxv99JaluIoK5ic73HBRK
      -----END PRIVATE KEY-----
      """,
      """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBoAoGCCqGSM49
      AwEHoUQDQgAEb/A7lJJBzh2t1DUZ5pYOCoW0GmmgXDKBA6orzhWUyhY8T3U6Vb8B
      3FP2wLDH7ueLQMb/fSWpbiKCuYnO9xwUSg==
      -----END EC PRIVATE KEY-----
      """,
    ])
  func pem(_ document: String) throws {
    let found = try read(document)
    #expect(found.format == .pem)
    #expect(digits(found.keys.first) == Sample.privateKey)
  }

  /// The scalar 5 on secp256k1 and the scalar 5 on brainpoolP256r1, as Python's `cryptography` writes them in PKCS #8: their
  /// public keys differ from that of the same scalar on P-256.
  @Test func otherCurves() throws {
    let k1 =
      "308184020100301006072a8648ce3d020106052b8104000a046d306b0201010420"
      + String(repeating: "0", count: 63)
      + "5a144034200042f8bde4d1a07209355b4a7250a5c5128e88b84bddc"
      + "619ab7cba8d569b240efe4d8ac222636e5e3d6d4dba9dda6c9c426f788271bab0d6840dca87d3aa6ac62d6"
    let other = KeyImport.Failure.problem("DER, but not of an unencrypted P-256 private key")
    #expect(throws: other) { try KeyImport.read(try hex(k1), path: "k1.der") }
    let brainpool =
      "308188020100301406072a8648ce3d020106092b2403030208010107046d306b0201010420"
      + String(repeating: "0", count: 63)
      + "5a14403420004855433a3a4c8e334a5f863e8b69fc1477cf41589c0"
      + "d8c3fb32f95f7c85fe101da50c95efc2ad06c4d7e172e40350d911097082129591c88bef9e224a5fd8814c"
    #expect(throws: other) { try KeyImport.read(try hex(brainpool), path: "bp.der") }
    let base64 = String(
      decoding: Base64.characters(try hex(k1), isURL: false), as: UTF8.self)
    #expect(throws: KeyImport.Failure.problem("PEM of PRIVATE KEY, not a P-256 private key")) {
      try read("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n")
    }
  }

  /// A file may have several keys (RFC 7468, 2), some of them of other kinds; a truncated one has no END line.
  @Test func severalKeys() throws {
    let key = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAQEBAQEBAQEBAQEB
      AQEBAQEBAQEBAQEBAQEBAQEBAQGhRANCAARv8DuUkkHOHa3UNRnmlg4KhbQaaaBc
      MoEDqivOFZTKFjxPdTpVvwHcU/bAsMfu54tAxv99JaluIoK5ic73HBRK
      -----END PRIVATE KEY-----

      """
    let other = "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n"
    let found = try read(key + other + "Bag Attributes\n" + key)
    #expect(found.keys.count == 2 && found.unreadable == 1)
    #expect(digits(found.keys.last) == Sample.privateKey)
    let why = "PEM of PRIVATE KEY without its END line: the file is truncated"
    #expect(throws: KeyImport.Failure.problem(why)) { try read(String(key.prefix(120))) }
    #expect(try read(key + key.prefix(120)).unreadable == 1)
  }

  /// Whatever is wrong with the lines around a key: nothing of it is in what is said about it.
  @Test func damagedBegin() throws {
    let body = "MDECAQEEIAcB5bMqP2tYnh7Ruiqxt2cPFx+O0EX6r+Fd8MLF2wXp"
    let end = "\n-----END EC PRIVATE KEY-----\n"
    let damaged = KeyImport.Failure.problem("PEM with a damaged BEGIN line")
    for begin in [
      "-----BEGIN EC PRIVATE KEY\n", "-----BEGIN EC PRIVATE KEY----\n", "-----BEGIN ",
      "-----BEGIN EC PRIVATE KEY ", "-----BEGIN \(String(repeating: "A", count: 41))-----\n",
    ] {
      #expect(throws: damaged) { try read(begin + body + end) }
      // The first block is whole, and has no key of P-256.
      let parameters = "-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n"
      #expect(throws: damaged) { try read(parameters + begin + body + end) }
    }
  }

  /// The same in DER, and the public key in the forms that `cryptography` gives it.
  @Test func derAndPublicForms() throws {
    let der =
      "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420"
      + Sample.privateKey + "a14403420004" + Sample.publicKey
    let found = try KeyImport.read(try hex(der), path: "key.der")
    #expect(found.format == .der)
    let key = try #require(found.keys.first)
    guard case .accessory(let accessory) = key else {
      Issue.record("it is a key of an accessory")
      return
    }
    let forms = accessory.publicForms
    #expect(forms.map(\.name) == ["raw", "uncompressed", "compressed", "SPKI DER"])
    #expect(text(forms[0].bytes) == Sample.publicKey)
    #expect(text(forms[1].bytes) == "04" + Sample.publicKey)
    #expect(text(forms[2].bytes) == "02" + Sample.publicKey.prefix(64))
    #expect(
      text(forms[3].bytes) == "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
        + Sample.publicKey)
    #expect(
      accessory.publicPEM == """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEb/A7lJJBzh2t1DUZ5pYOCoW0Gmmg
        XDKBA6orzhWUyhY8T3U6Vb8B3FP2wLDH7ueLQMb/fSWpbiKCuYnO9xwUSg==
        -----END PUBLIC KEY-----
        """)
  }

  /// Bytes as Wireshark copies them: a stream, with colons, a dump, C.
  @Test(
    arguments: [
      irk, "9b:7d:39:0a:a6:10:10:34:05:ad:c8:57:a3:34:02:ec",
      "0000   9b 7d 39 0a a6 10 10 34 05 ad c8 57 a3 34 02 ec   .}9....4...W.4..",
      "0x9b, 0x7d, 0x39, 0x0a, 0xa6, 0x10, 0x10, 0x34,\n0x05, 0xad, 0xc8, 0x57, 0xa3, 0x34, 0x02, 0xec",
      "static const unsigned char pkt1[16] = {\n0x9b, 0x7d, 0x39, 0x0a, 0xa6, 0x10, 0x10, 0x34, /* .}9....4 */\n"
        + "0x05, 0xad, 0xc8, 0x57, 0xa3, 0x34, 0x02, 0xec  /* ...W.4.. */\n};",
      "\"\\x9b\\x7d\\x39\\x0a\\xa6\\x10\\x10\\x34\" \\\n\"\\x05\\xad\\xc8\\x57\\xa3\\x34\\x02\\xec\"",
    ])
  func bareDigits(_ digits: String) throws {
    #expect(throws: KeyImport.Failure.problem("a key of 16 bytes: name its kind with --kind")) {
      try read(digits)
    }
    var hint = KeyImport.Hint()
    hint.kind = .irk
    hint.isLeastSignificantFirst = true
    #expect(resolves(try #require(try read(digits, hint: hint).keys.first)))
    hint.isLeastSignificantFirst = false
    #expect(!resolves(try #require(try read(digits, hint: hint).keys.first)))
  }

  /// The characters of a dump may look like C.
  @Test func aDumpOfBraces() throws {
    var hint = KeyImport.Hint()
    hint.kind = .ltk
    let found = try read(
      "0000   3d 20 7b 7d 2f 2a 5c 78 41 41 22 3b 2a 2f 7d 00   = {}/*\\xAA\";*/}.", hint: hint)
    #expect(digits(found.keys.first) == "3d207b7d2f2a5c784141223b2a2f7d00")
  }

  @Test func whatHoldsNoKeys() {
    #expect(throws: KeyImport.Failure.problem("the file is empty")) { try read("") }
    for text in ["hello", "{}", "[Policy]\nAutoEnable=true", "ltk=", "\u{0}\u{1}"] {
      #expect(throws: KeyImport.Failure.unknown) { try read(text) }
    }
    #expect(throws: KeyImport.Failure.noKeys(.android)) {
      try read("[Adapter]\nLE_LOCAL_KEY_IRK = 00000000000000000000000000000000")
    }
    for label in ["PUBLIC KEY", "ENCRYPTED PRIVATE KEY", "PRIVATE KEY"] {
      #expect(throws: KeyImport.Failure.self) {
        try read("-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n")
      }
    }
  }

  /// Made by OpenSSL 3: `ec -aes128`, `pkcs8 -topk8 -outform DER`, `ec -pubout -outform DER`.
  @Test func otherPEMAndDER() throws {
    #expect(
      throws: KeyImport.Failure.problem("encrypted; decrypt it first: openssl pkey -in FILE")
    ) {
      try read(
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,B3E2A2AE4B0F3F0A8C2F3D2F5B6C7D8E

        AAAA
        -----END EC PRIVATE KEY-----
        """)
    }
    let other = KeyImport.Failure.problem("DER, but not of an unencrypted P-256 private key")
    let der =
      "3059301306072a8648ce3d020106082a8648ce3d03010703420004" + Sample.publicKey
    #expect(throws: other) { try KeyImport.read(try hex(der), path: "pub.der") }
    #expect(throws: KeyImport.Failure.unknown) {
      try KeyImport.read(try hex(der + "00"), path: "longer")
    }
  }

  /// Forms of a public key, made by OpenSSL 3.
  @Test func publicKeyForms() throws {
    let raw =
      "1a35a7e32253c2dc63b7e87071a0bf48d97224a2dd52301c6bb527b8e2f18603"
      + "b65f520e2b1d887092e91d46f2ed2c3912e0ce90253a709df033e423127a3718"
    let pem = """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGjWn4yJTwtxjt+hwcaC/SNlyJKLd
      UjAca7UnuOLxhgO2X1IOKx2IcJLpHUby7Sw5EuDOkCU6cJ3wM+QjEno3GA==
      -----END PUBLIC KEY-----

      """
    let der = "3059301306072a8648ce3d020106082a8648ce3d030107034200" + "04" + raw
    for form in [
      try hex(raw), try hex("02" + raw.prefix(64)), try hex(der), Array(pem.utf8),
    ] {
      let found = try #require(AccessoryKey.publicKey(form))
      #expect(found.suite == .p256 && text(found.key) == raw)
    }
    #expect(AccessoryKey.publicKey(try hex("04" + raw)).map { text($0.key) } == "04" + raw)
    for wrong in [try hex("05" + raw.prefix(64)), try hex(String(der.dropLast(2))), [], [1]] {
      #expect(AccessoryKey.publicKey(wrong) == nil)
    }
  }
}
