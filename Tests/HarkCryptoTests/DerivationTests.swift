import Crypto
import HarkCore
import Testing

@testable import HarkCrypto

/// The strings of Apple's article "Receiving iOS notifications on an accessory", and each way to get
/// them wrong.
@Suite struct DerivationTests {
  @Test func sampleExchange() throws {
    let key = try accessoryKey(.p256, Sample.privateKey)
    #expect(text(key.publicKey) == Sample.publicKey)
    let shared = try #require(key.decapsulate(try hex(Sample.encapsulatedKey)))
    #expect(text(shared.bytes) == Sample.sharedSecret)
    let info = "P256-Version1-\(Sample.identifier)"
    let exporter = KeySchedule(.p256, sharedSecret: shared).exporter(info: Array(info.utf8))
    #expect(
      text(exporter.secret.bytes)
        == "a5bf2cf638bac1b5fcb4805bdde6614f6e49f479f662ae6de19b23fe9299422e")
    func export(_ context: String) -> String {
      text(exporter.export(context: Array(context.utf8))?.bytes)
    }
    #expect(
      export("\(info)-HostToAccessory-\(Sample.session)")
        == "0a3dc9698c4e61c6ffcf8d9c3a08952bbf01466bdccd9d075a99b5f8595a9eaf")
    #expect(
      export("\(info)-AccessoryToHost-\(Sample.session)")
        == "0405e3eed597040e2b51afc77d42d35911f46f014f7f3d787b64b57407985c12")
    #expect(
      export("50 bytes-HostToAccessory-\(Sample.session)")
        == "16dcb063cbdc1b1eee226d04aeab4e28160889059da2133e2b2fae316e59a3a5")
  }

  @Test(arguments: [
    ("p256-Version1", "587ac5c884a7c0b303bf029ca011d2676a017d34d4fb65fabb534e76929b8daf"),
    ("P256-version1", "3274ced4a7ed130e6ff1c089c42dd69b46d18965e74a0e6d631e848b150bb738"),
    ("P256-v1", "dfa424a8fcad05ab73668b6cab369171900bde364d88dd307d9630f2afd82187"),
  ])
  func misspeltExchange(prefix: String, expected: String) throws {
    let key = try accessoryKey(.p256, Sample.privateKey)
    let shared = try #require(key.decapsulate(try hex(Sample.encapsulatedKey)))
    let info = "\(prefix)-\(Sample.identifier)"
    let exporter = KeySchedule(.p256, sharedSecret: shared).exporter(info: Array(info.utf8))
    let context = "\(info)-HostToAccessory-\(Sample.session)"
    #expect(text(exporter.export(context: Array(context.utf8))?.bytes) == expected)
  }

  @Test func sampleMessagesOpen() throws {
    var scene = try Scene(.p256)
    try scene.exchangeOfSample()
    for (blob, direction) in [
      (Sample.toAccessory, MessageDirection.hostToAccessory), (Sample.toHost, .accessoryToHost),
    ] {
      let opened = scene.open(try hex(blob), direction)
      #expect(opened.plaintext == Array("hello".utf8))
      #expect(opened.keyUse?.deviations == [])
      #expect(opened.keyUse?.exchange?.generation == 1)
      #expect(opened.keyUse?.name == "TEST KEY")
      #expect(opened.observations.isEmpty)
      #expect(
        opened.keyUse?.summary == "decrypts with info `P256-Version1-\(Sample.identifier)`")
    }
  }

  static let id = Sample.identifier
  static let session = Sample.session

  /// Info, the rest of the context, and what deviates.
  static let misspelt: [(String, String, [NonstandardDerivation])] = [
    (
      "P256-version1-\(id)", "AccessoryToHost-\(session)",
      [.version(used: "version1", expected: "Version1")]
    ),
    (
      "p256-v1-\(id)", "AccessoryToHost-\(session)",
      [.suite(used: "p256", expected: "P256"), .version(used: "v1", expected: "Version1")]
    ),
    (
      "P256-Version1-\(id.lowercased())", "AccessoryToHost-\(session)",
      [.identifier(used: id.lowercased(), expected: id)]
    ),
    ("P256-Version1-", "AccessoryToHost-\(session)", [.identifier(used: "", expected: id)]),
    ("P256-Version1", "AccessoryToHost-\(session)", [.identifier(used: nil, expected: id)]),
    (
      "P256-Version1-\(id)", "AccessoryToHost-\(session.lowercased())",
      [.session(used: session.lowercased(), expected: session)]
    ),
    ("P256-Version1-\(id)", "AccessoryToHost", [.session(used: nil, expected: session)]),
    ("P256-Version1-\(id)", "AccessoryToHost-", [.session(used: "", expected: session)]),
    (
      "P256-Version1-\(id)", "HostToAccessory-\(session)", [.direction(used: .hostToAccessory)]
    ),
    (
      "p256-version1-\(id.lowercased())", "AccessoryToHost-\(session.lowercased())",
      [
        .suite(used: "p256", expected: "P256"), .version(used: "version1", expected: "Version1"),
        .identifier(used: id.lowercased(), expected: id),
        .session(used: session.lowercased(), expected: session),
      ]
    ),
  ]

  @Test(arguments: misspelt)
  func namesWhatDeviates(info: String, rest: String, deviations: [NonstandardDerivation]) throws {
    var scene = try Scene(.p256)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let opened = scene.open(try phone.seal("hi", "\(info)-\(rest)"), .accessoryToHost)
    #expect(opened.plaintext == Array("hi".utf8))
    #expect(opened.keyUse?.deviations == deviations)
    #expect(opened.keyUse?.exchange?.derivation.info == info)
    #expect(opened.keyUse?.exchange?.derivation.context == "\(info)-\(rest)")
  }

  @Test(arguments: CipherSuite.allCases)
  func sampleCodeTrap(suite: CipherSuite) throws {
    var scene = try Scene(suite)
    let info = "\(suite.spellings[0])-Version1-\(Sample.identifier)"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let count = suite == .p256 ? 50 : 51
    let blob = try phone.seal("hi", "\(count) bytes-AccessoryToHost-\(Sample.session)")
    let opened = scene.open(blob, .accessoryToHost)
    #expect(opened.keyUse?.deviations == [.sampleCode(byteCount: count)])
    #expect(opened.keyUse?.summary.contains("the text `\(count) bytes` instead") == true)
  }

  @Test func rawPublicKey() throws {
    var scene = try Scene(.p256)
    let info = "P256-Version1-\(Sample.identifier)"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let shared = try #require(scene.key.decapsulate(phone.encapsulatedKey, .raw))
    let exporter = KeySchedule(.p256, sharedSecret: shared).exporter(info: Array(info.utf8))
    let context = "\(info)-AccessoryToHost-\(Sample.session)"
    let key = try #require(exporter.export(context: Array(context.utf8)))
    let opened = scene.open(try seal("hi", key), .accessoryToHost)
    #expect(opened.keyUse?.deviations == [.rawPublicKey])
  }

  /// The info and the context that the firmware passes to HPKE, what deviates, and the clause on it.
  static let mistakes: [(String, String, NonstandardDerivation, String)] = {
    let info = "P256-Version1-\(id)"
    let context = "\(info)-AccessoryToHost-\(session)"
    let digits = (id.filter { $0 != "-" }, session.filter { $0 != "-" })
    return [
      (
        info + "\0", context + "\0", .terminator(inInfo: true, inContext: true),
        "passes the info and the context to HPKE with the NUL byte that terminates a C string"
      ),
      (
        info + "\0", context, .terminator(inInfo: true, inContext: false),
        "passes the info to HPKE with the NUL byte that terminates a C string"
      ),
      (
        info, context + "\0", .terminator(inInfo: false, inContext: true),
        "passes the context to HPKE with the NUL byte that terminates a C string"
      ),
      (
        "P256-Version1-\(digits.0)", "P256-Version1-\(digits.0)-AccessoryToHost-\(session)",
        .identifier(used: digits.0, expected: id),
        "writes the identifier without hyphens, `\(digits.0)`; expected: `\(id)`"
      ),
      (
        info, "\(info)-AccessoryToHost-\(digits.1)", .session(used: digits.1, expected: session),
        "writes the session UUID without hyphens, `\(digits.1)`; expected: `\(session)`"
      ),
      ("", context, .emptyInfo, "passes an empty info to HPKE"),
      (
        info, "\(info)-accessoryToHost-\(session)",
        .directionSpelling(used: "accessoryToHost", expected: "AccessoryToHost"),
        "uses `accessoryToHost` instead of `AccessoryToHost`"
      ),
    ]
  }()

  @Test(arguments: mistakes)
  func mistakesInStrings(
    info: String, context: String, deviation: NonstandardDerivation, clause: String
  ) throws {
    var scene = try Scene(.p256)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let opened = scene.open(try phone.seal("hi", context), .accessoryToHost)
    #expect(opened.plaintext == Array("hi".utf8))
    #expect(opened.keyUse?.deviations == [deviation])
    #expect(deviation.clause(.accessoryToHost) == "the firmware \(clause)")
    #expect(opened.keyUse?.exchange?.derivation.info == info)
    #expect(opened.keyUse?.exchange?.derivation.context == context)
    #expect(opened.keyUse?.summary.contains("\0") == false)
  }

  /// Keys of the sample's exchange that Python's `cryptography` (ECDH, HKDF-Expand) and `hmac` derive from its private
  /// keys as RFC 9180 says, with one mistake each.
  static let keys: [(String, [NonstandardDerivation], String)] = {
    let plain = { (text: String) in text.filter { $0 != "-" }.lowercased() }
    func identifier(_ isReversed: Bool) -> NonstandardDerivation {
      .identifierBytes(isReversed: isReversed, expected: id)
    }
    func session(_ isReversed: Bool) -> NonstandardDerivation {
      .sessionBytes(isReversed: isReversed, expected: Self.session)
    }
    let lower: [NonstandardDerivation] = [
      .identifier(used: plain(id), expected: id),
      .session(used: plain(Self.session), expected: Self.session),
    ]
    let clause = "in lower case and without hyphens, `"
    let (text, reversed) = ("as 16 bytes instead of as text", "as 16 bytes in reverse order")
    return [
      ("1120c6c21f9814e9df956dd177ae0078a2aedae23ab6948dd90c5bf19e08cf9d", lower, clause),
      ("58f2cb0748b77543e9fa79d7fffcf1ed815c2f57210f227e3b96ad3e8b596a0c", [lower[0]], clause),
      ("24597b19dd014c12effa0a8c65ea446945adfbbb84cd16921925716f5888fed1", [lower[1]], clause),
      (
        "e5faa6ef878cc24c2b98c6db54e3f9e4aabd3cc7385e0ec775e6fbdab3aad646",
        [identifier(false), session(false)], text
      ),
      (
        "7a3a73e8307925e8ccdbcf075cef9c2793069da12a4d8287df73708bef5c9cdd", [identifier(false)],
        text
      ),
      ("4f8d814eceb1fe6b43ccb4121a47ae115a0f284a8a665ce4286e7adf20c30a53", [session(false)], text),
      (
        "70500f5514b475e372d638b5de6e2550a2b50c6f06b962707c4a3fcab8afb418",
        [identifier(true), session(true)], reversed
      ),
      (
        "05bf7fdbf8b14c37481d60c8fc35d0ed557cd132aa60858c3a5e7b07098ee5be", [identifier(true)],
        reversed
      ),
      (
        "5899504d143684445978dc9cd6fd4ab7cd576f7a27c797d42ddd2ef115a6bc09", [session(true)],
        reversed
      ),
      (
        "125c980774b5647b783d7f4f016ff41159d3427dc7af512b0e0497d5eee30504",
        [.keySource(.exportedReversed)], "reverses the bytes of the key"
      ),
      (
        "eb459a6b30d70eb4c0ddcd34ea96ed59e8f8d1843c22dd895ab603aa13d9a81d",
        [.keySource(.agreement)], "uses the ECDH shared secret as the key"
      ),
      (Sample.sharedSecret, [.keySource(.sharedSecret)], "uses the shared secret of the KEM"),
      (
        "0e365071cf2e9b8664dd2880667672ff97ff8fa9751b053ac4f11e912bd4d0b6",
        [.keySource(.encryptionKey)], "uses HPKE's own encryption key"
      ),
      (
        "a5bf2cf638bac1b5fcb4805bdde6614f6e49f479f662ae6de19b23fe9299422e",
        [.keySource(.exporterSecret)], "uses HPKE's exporter secret"
      ),
    ]
  }()

  @Test(arguments: keys)
  func wrongKeys(key: String, deviations: [NonstandardDerivation], clause: String) throws {
    var scene = try Scene(.p256)
    try scene.exchangeOfSample()
    let blob = try seal("hi", SymmetricKey(data: hex(key)))
    let opened = scene.open(blob, .accessoryToHost)
    #expect(opened.plaintext == Array("hi".utf8))
    #expect(opened.keyUse?.deviations == deviations)
    #expect(opened.keyUse?.summary.contains(clause) == true)
    // The next message needs no search.
    scene.decryptor.searchBudget = SearchBudget(candidates: 0, bytes: 0)
    scene.decryptor.liveKeys = []
    #expect(scene.open(blob, .accessoryToHost).keyUse?.deviations == deviations)
  }

  /// X-Wing has no ECDH alone, but a shared secret of the KEM.
  @Test func sharedSecretOfXWing() throws {
    var scene = try Scene(.xWing)
    let phone = try Phone(scene.key, info: "XWing-Version1-\(Sample.identifier)")
    scene.exchange(phone)
    let shared = try #require(scene.key.decapsulate(phone.encapsulatedKey))
    let opened = scene.open(try seal("hi", shared))
    #expect(opened.keyUse?.deviations == [.keySource(.sharedSecret)])
    #expect(
      opened.keyUse?.summary
        == "decrypts with another secret of the key exchange: the phone uses the shared secret of "
        + "the KEM as the key instead of the key that HPKE exports")
  }

  @Test func aTerminatorIsVisible() throws {
    var scene = try Scene(.xWing)
    let info = "XWing-Version1-\(Sample.identifier)"
    let phone = try Phone(scene.key, info: info + "\0")
    scene.exchange(phone)
    let blob = try phone.seal("hi", "\(info)-AccessoryToHost-\(Sample.session)")
    #expect(
      scene.open(blob, .accessoryToHost).keyUse?.summary
        == "decrypts with info `\(info)\\0`: the firmware passes the info to HPKE with the NUL "
        + "byte that terminates a C string")
  }

  @Test func sentences() throws {
    var scene = try Scene(.p256)
    let info = "P256-version1-\(Sample.identifier)"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let opened = scene.open(
      try phone.seal("hi", "\(info)-AccessoryToHost-\(Sample.session)"), .accessoryToHost)
    #expect(
      opened.keyUse?.summary
        == "decrypts with info `\(info)`: the firmware uses `version1`; Apple's phones use "
        + "`Version1`")
    #expect(
      NonstandardDerivation.session(used: "ab", expected: "AB").clause(.hostToAccessory)
        == "the phone spells the session UUID in lower case, `ab`; expected: `AB`")
    for (_, _, deviations) in Self.misspelt {
      for deviation in deviations { #expect(deviation.clause(.accessoryToHost).count > 20) }
    }
  }

  @Test func whatTheAirSaysIsNoDeviation() throws {
    var scene = try Scene(.xWing)
    let info = "XWing-v1-"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone, identifier: nil, version: "v1")
    let opened = scene.open(try phone.seal("hi", "\(info)-HostToAccessory-\(Sample.session)"))
    #expect(opened.keyUse?.deviations == [])
  }

  @Test func learnsFromTheFirstMessage() throws {
    var scene = try Scene(.p256)
    let info = "P256-version1-\(Sample.identifier.lowercased())"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    for (index, session) in [Sample.session, "00000000-0000-0000-0000-00000000000A"].enumerated() {
      let blob = try phone.seal("hi", "\(info)-AccessoryToHost-\(session)")
      let opened = scene.open(blob, .accessoryToHost, session: session)
      #expect(opened.keyUse?.deviations.count == 2)
      #expect(scene.decryptor.recipes[.accessoryToHost]?.count == 1, "message \(index)")
    }
    #expect(scene.decryptor.liveKeys.count == 2)
  }

  @Test func identifierFromTheKeyFile() throws {
    var scene = try Scene(.p256)
    scene.ring = KeyRing()
    scene.ring.add(
      try accessoryKey(.p256, Sample.privateKey, identifiers: ["OTHER", Sample.identifier]))
    let info = "P256-Version1-\(Sample.identifier)"
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone, identifier: nil)
    let opened = scene.open(try phone.seal("hi", "\(info)-HostToAccessory-\(Sample.session)"))
    #expect(opened.keyUse?.deviations == [])
  }
}
