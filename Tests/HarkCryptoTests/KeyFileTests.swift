import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCrypto

@Suite struct KeyFileTests {
  func read(_ text: String) throws(KeyFileError) -> KeyFile {
    try KeyFile(Array(text.utf8), name: "acme.harkkeys")
  }

  /// The messages for a file, without its name.
  func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  static let headphones = BluetoothAddress(0xC0DE_0000_0001)

  @Test func proximityKeysThatAreNone() {
    let found = problems(
      #"{\#(head), "proximityKeys": [{"address": "C0:DE", "encryptionKey": "00"}]}"#)
    #expect(
      found == [
        "proximityKeys[0].address: must be six octets, such as C0:DE:00:00:00:01",
        "proximityKeys[0].encryptionKey: 1 byte, the key has 16",
      ])
  }

  let head = #""format": "hark-keys", "version": 1"#

  @Test func everyMember() throws {
    let file = try read(
      """
      {\(head), "note": "TEST KEYS, \\u00e9",
       "accessoryKeys": [
         {"name": "lab", "note": "x", "cipherSuite": "p256", "privateKey": "\(Sample.privateKey)",
          "publicKey": "\(Sample.publicKey)", "identifiers": ["\(Sample.identifier)"]},
         {"cipherSuite": "xWing", "privateKey": "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="}],
       "sessionKeys": [
         {"name": "s", "direction": "AccessoryToHost", "sessionID": "\(Sample.session)",
          "key": "\(Sample.privateKey)"}],
       "proximityKeys": [
         {"note": "x", "address": "C0:DE:00:00:00:01",
          "encryptionKey": "1bdd73d2be019b9855cc5b367bf99d5d",
          "identityResolvingKey": "64 dd 9c e7 bc b5 b5 0a 9a 33 45 42 cb af 19 02"}]}
      """)
    #expect(file.note == "TEST KEYS, é")
    #expect(file.accessoryKeys.map(\.suite) == [.p256, .xWing])
    #expect(file.accessoryKeys[0].identifiers == [Sample.identifier])
    #expect(file.accessoryKeys[0].origin == .file("acme.harkkeys"))
    #expect(text(file.accessoryKeys[0].publicKey) == Sample.publicKey)
    let seeded = try accessoryKey(.xWing, Sample.privateKey)
    #expect(file.accessoryKeys[1].fingerprint == seeded.fingerprint, "hex and base64 agree")
    #expect(file.sessionKeys.map(\.direction) == [.accessoryToHost])
    let ring = KeyRing([file])
    #expect(
      ring.entries.map(\.kind) == [
        "private key", "private key", "session key", "proximity pairing key", "IRK",
      ])
    #expect(file.bondingKeys.map(\.address) == [Self.headphones, Self.headphones])
    #expect(ring.entries.allSatisfy { $0.isExposed == false })
  }

  /// A public key of the right size that is another key's.
  @Test func anotherPublicKey() {
    let other = String(repeating: "11", count: 64)
    let found = problems(
      """
      {\(head), "accessoryKeys": [
         {"cipherSuite": "p256", "privateKey": "\(Sample.privateKey)", "publicKey": "\(other)"}]}
      """)
    #expect(found == ["accessoryKeys[0].publicKey: belongs to another private key"])
  }

  /// The file shown in docs/key-file.md opens the sample message.
  @Test func theDocumentedFile() throws {
    let page = try Data(contentsOf: Project.root.appending(path: "docs/key-file.md"))
    let parts = String(decoding: page, as: UTF8.self).split(separator: "```")
    let example = try #require(parts.first { $0.hasPrefix("json\n") }).dropFirst(5)
    var ring = KeyRing([try read(String(example))])
    var decryptor = Decryptor()
    let message = SealedMessage(
      try hex(Sample.toAccessory), session: Sample.session, direction: .hostToAccessory,
      packet: PacketID(1))
    let opened = decryptor.open(message, with: &ring)
    #expect(opened.plaintext == Array("hello".utf8))
  }

  @Test func allErrorsAtOnce() {
    let found = problems(
      """
      {\(head), "notes": "x",
       "accessoryKeys": [
         {"cipherSuite": "p257", "privateKey": "\(Sample.privateKey)"},
         {"cipherSuite": "p256", "privateKey": "\(Sample.privateKey.dropLast(2))"},
         {"cipherSuite": "p256", "privatKey": "00"},
         {"cipherSuite": "p256", "privateKey": "hello world"},
         {"cipherSuite": "p256", "privateKey": "\(String(repeating: "0", count: 64))"},
         {"cipherSuite": "xWing", "privateKey": "\(Sample.privateKey)",
          "publicKey": "\(Sample.publicKey)"},
         7],
       "sessionKeys": [{"direction": "up", "sessionID": "1", "key": "00"}]}
      """)
    #expect(
      found == [
        "notes: unknown member; did you mean 'note'?",
        "accessoryKeys[0].cipherSuite: must be \"xWing\" or \"p256\"",
        "accessoryKeys[1].privateKey: 31 bytes; a P-256 private key has 32",
        "accessoryKeys[2].privateKey: missing",
        "accessoryKeys[2].privatKey: unknown member; did you mean 'privateKey'?",
        "accessoryKeys[3].privateKey: neither hexadecimal digits nor base64",
        "accessoryKeys[4].privateKey: not between 1 and the order of P-256, so not a private key",
        "accessoryKeys[5].publicKey: 64 bytes; an X-Wing public key has 1216",
        "accessoryKeys[6]: must be an object, not a number",
        "sessionKeys[0].direction: must be \"HostToAccessory\" or \"AccessoryToHost\"",
        "sessionKeys[0].sessionID: must be a UUID of 36 characters",
        "sessionKeys[0].key: 1 byte, the key has 32",
      ])
  }

  @Test func placesAndNames() {
    #expect(throws: KeyFileError.self) { try read("{}") }
    do {
      _ = try read("{\n \"format\": \"x\",\n  \"version\": 2}")
    } catch {
      #expect(
        error.description
          == """
          acme.harkkeys:2:12: format: must be "hark-keys"
          acme.harkkeys:3:14: version: must be the number 1; this version of hark reads no other
          """)
    }
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\" 1}", "\"abc", "{\"a\":1} x", "tru", "\"\\", "{\"a\":1,\"a\":2}",
    String(repeating: "[", count: 100_000), "\u{FEFF}{}", "-", "nan", "{\"a\":\"\n\"}",
    "{\"note\": \"\\q\"}", "{\"version\": 01}",
  ])
  func notJSON(text: String) {
    let found = problems(text)
    #expect(found.count == 1)
    // What does not begin as an object is no key file at all.
    let reason =
      text.isEmpty
      ? "the file is empty" : text.hasPrefix("{") ? "not JSON: " : "not a key file"
    #expect(found.first?.contains(reason) == true)
  }

  @Test func neverEchoesASecret() {
    let secret = "c0ffee" + String(repeating: "ab", count: 25)
    for text in [
      "{\(head), \"accessoryKeys\": [{\"cipherSuite\": \"p256\", \"privateKey\": \"\(secret)\"}]}",
      "{\(head), \"accessoryKeys\": [{\"cipherSuite\": \"\(secret)\", \"privateKey\": 1}]}",
      "{\(head), \"accessoryKeys\": [{\"\(secret)\": 1}]}", "{\"\(secret)", secret,
      "{\(head), \"sessionKeys\": [{\"key\": \"\(secret)\", \"sessionID\": \"\(secret)\"}]}",
    ] {
      let found = problems(text)
      #expect(found.isEmpty == false)
      #expect(found.allSatisfy { $0.contains("c0ffee") == false })
    }
  }

  @Test func files() throws {
    #expect(throws: KeyFileError.self) { try KeyFile(path: "/nonexistent/x.harkkeys") }
    #expect(throws: KeyFileError.self) { try KeyFile(path: "/dev/zero") }
    #expect(throws: KeyFileError.self) { try KeyFile(path: "/") }
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "hark-\(UInt64.random(in: 0 ... .max)).harkkeys").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{\(head)}".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(
      try KeyFile(path: path).warnings == ["\(path) can be read by other users: chmod 600 it."])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try KeyFile(path: path).warnings.isEmpty)
    try Data("{\(head), \"test\": true}".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try KeyFile(path: path).isTest)
    #expect(try KeyFile(path: path).warnings.isEmpty)
    #expect(problems("{\(head), \"test\": 1}").first?.contains("must be true or false") == true)
  }

  @Test func damagedFilesNeverTrap() {
    let whole = Array(
      """
      {\(head), "accessoryKeys": [{"cipherSuite": "p256", "privateKey": "\(Sample.privateKey)",
      "identifiers": ["\\u00e9\\n"]}], "sessionKeys": [{"direction": "AccessoryToHost"}]}
      """.utf8)
    for count in 0..<whole.count { _ = try? KeyFile(Array(whole[..<count]), name: "x") }
    for index in whole.indices {
      for bit in [0x01, 0x20, 0x80] as [UInt8] {
        var bytes = whole
        bytes[index] ^= bit
        _ = try? KeyFile(bytes, name: "x")
      }
    }
  }
}
