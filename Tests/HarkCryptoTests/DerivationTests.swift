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
    _ = scene.decryptor.publicKey(try hex(Sample.publicKey), suite: .p256)
    _ = scene.decryptor.encapsulatedKey(
      EncapsulatedKey(
        try hex(Sample.encapsulatedKey), suite: .p256, packet: PacketID(3),
        identifier: Sample.identifier))
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
