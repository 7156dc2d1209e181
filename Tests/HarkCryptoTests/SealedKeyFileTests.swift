import CSodium
import HarkCore
import Testing

@testable import HarkCrypto

/// Key files that are written: plain, and sealed with a passphrase.
@Suite struct SealedKeyFileTests {
  private static let text = """
    {"format": "hark-keys", "version": 1, "note": "lab \\u0001", "test": true,
     "accessoryKeys": [{"name": "lab", "cipherSuite": "p256", "privateKey": "\(Sample.privateKey)",
       "identifiers": ["\(Sample.identifier)"], "since": "2026-11-20"}],
     "sessionKeys": [{"direction": "AccessoryToHost", "sessionID": "\(Sample.session)",
       "key": "\(Sample.privateKey)", "until": "2026-11-20T16:41:00Z"}],
     "internetKeys": [{"direction": "HostToAccessory", "keyID": "0aff00ff", "index": 7,
       "key": "\(Sample.privateKey)"}],
     "proximityKeys": [{"address": "C0:DE:00:00:00:01",
       "encryptionKey": "1bdd73d2be019b9855cc5b367bf99d5d"}],
     "longTermKeys": [{"key": "000102030405060708090a0b0c0d0e0f", "note": "x",
       "source": "/var/lib/bluetooth"}],
     "identityResolvingKeys": [{"key": "ec0234a357c8ad05341010a60a397d9b",
       "address": "C0:DE:00:00:00:02"}],
     "signatureResolvingKeys": [{"key": "000102030405060708090a0b0c0d0e0f"}],
     "linkKeys": [{"key": "000102030405060708090a0b0c0d0e0f"}],
     "temporaryKeys": [{"key": "000102030405060708090a0b0c0d0e0f", "note": "OOB"}]}
    """

  private static func file() throws -> KeyFile { try KeyFile(Array(text.utf8), name: "a") }

  private static func passphrase(_ text: String) -> Secret {
    var bytes = Array(text.utf8)
    return Secret(taking: &bytes)
  }

  /// What is written and read again is the same, whatever a key has.
  @Test func writtenFilesAreReadAgain() throws {
    let file = try Self.file()
    #expect(file.keys.map(\.kind) == StoredKey.Kind.allCases.sorted { order($0) < order($1) })
    let again = try file.withJSON { try KeyFile(unsafe [UInt8]($0), name: "b") }
    #expect(again.note == "lab \u{1}" && again.isTest)
    #expect(again.keys.map(\.identity) == file.keys.map(\.identity))
    #expect(again.keys.map(\.details) == file.keys.map(\.details))
    #expect(zip(again.keys, file.keys).allSatisfy { $0.exposedBytes == $1.exposedBytes })
    #expect(again.internetKeys.map(\.keyID) == [0x0AFF_00FF])
    #expect(again.internetKeys.map(\.index) == [7])
    #expect(again.accessoryKeys[0].identifiers == [Sample.identifier])
    // The specification's sample, Vol 3, Part H, D.7.
    let irk = try #require(again.bondingKeys.first { $0.kind == .identityResolvingKey })
    #expect(irk.resolves(BluetoothAddress(0x7081_940D_FBAA, .random)))
    let session = try #require(again.sessionKeys.first)
    #expect(session.details.until == Timestamp(seconds: 1_795_192_860, nanoseconds: 0))
  }

  private func order(_ kind: StoredKey.Kind) -> Int {
    [.accessory, .session, .internet, .proximity, .ltk, .irk, .csrk, .linkKey, .temporary]
      .firstIndex(of: kind) ?? 9
  }

  @Test func sealedFilesOpenWithTheirPassphraseOnly() throws {
    let file = try Self.file()
    let sealed = try #require(file.withJSON { unsafe SealedKeyFile.seal($0, Self.passphrase("a")) })
    #expect(SealedKeyFile.isSealed(sealed))
    // Nothing of the text is in it.
    #expect(sealed.firstRange(of: Array("hark-keys".utf8)) == nil)
    #expect(sealed.firstRange(of: try hex(Sample.privateKey)) == nil)
    let opened = try KeyFileContents(sealed, path: "s").open(Self.passphrase("a"))
    #expect(opened.keys.map(\.identity) == file.keys.map(\.identity))
    #expect(throws: SealedKeyFileError.wrongPassphrase) {
      try SealedKeyFile.open(sealed, Self.passphrase("b"))
    }
    #expect(throws: KeyFileError.self) { try KeyFileContents(sealed, path: "s").open() }
    // The same again is sealed otherwise: salt and stream are new.
    let again = try #require(file.withJSON { unsafe SealedKeyFile.seal($0, Self.passphrase("a")) })
    #expect(again[20..<36] != sealed[20..<36] && again[92...] != sealed[92...])
  }

  /// Each changed byte is damage, and none is taken for a wrong passphrase; neither is a lost end.
  @Test func damageIsNoWrongPassphrase() throws {
    let sealed = try #require(
      unsafe Array("{}".utf8).withUnsafeBytes {
        unsafe SealedKeyFile.seal($0, Self.passphrase("a"))
      })
    #expect(sealed.count == 92 + 2 + 17)
    // In the header damage is seen before the passphrase is tried; each of the others costs a trial.
    for place in Array(8..<92) + [92, 93, 94, 100, 110] {
      var damaged = sealed
      damaged[place] ^= 0x10
      #expect {
        try SealedKeyFile.open(damaged, Self.passphrase("a"))
      } throws: {
        if case .damaged = $0 as? SealedKeyFileError { true } else { false }
      }
    }
    for count in [8, 91, 92, 100, sealed.count - 1] {
      #expect {
        try SealedKeyFile.open(Array(sealed[..<count]), Self.passphrase("a"))
      } throws: {
        if case .damaged = $0 as? SealedKeyFileError { true } else { false }
      }
    }
    #expect {
      try SealedKeyFile.open(
        sealed + [UInt8](repeating: 0, count: 65_536), Self.passphrase("a"))
    } throws: {
      if case .damaged = $0 as? SealedKeyFileError { true } else { false }
    }
  }

  /// A long text takes several chunks, of which none can be left out.
  @Test func chunks() throws {
    let text = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let passphrase = Self.passphrase("a")
    let sealed = try #require(
      text.withUnsafeBytes { unsafe SealedKeyFile.seal($0, passphrase) })
    #expect(sealed.count == 92 + 150_000 + 3 * 17)
    #expect(try SealedKeyFile.open(sealed, passphrase) == text)
    let chunk = 65_536 + 17
    #expect(throws: SealedKeyFileError.damaged("its end is missing")) {
      try SealedKeyFile.open(Array(sealed[..<(92 + 2 * chunk)]), passphrase)
    }
    #expect(throws: SealedKeyFileError.self) {
      try SealedKeyFile.open(Array(sealed[..<92] + sealed[(92 + chunk)...]), passphrase)
    }
  }

  /// A header may ask for more than hark spends: it is refused before anything is spent.
  @Test(arguments: [(12, UInt8(9)), (18, UInt8(5)), (8, UInt8(2))])
  func costsAreBounded(_ place: Int, _ value: UInt8) throws {
    var sealed = try #require(
      unsafe [UInt8]().withUnsafeBytes { unsafe SealedKeyFile.seal($0, Self.passphrase("a")) })
    sealed[place] = value
    let hash = unsafe Array(sealed[..<76]).withUnsafeBytes {
      unsafe Sodium.hash($0, context: "hark header of a sealed key file").prefix(16)
    }
    sealed.replaceSubrange(76..<92, with: hash)
    #expect {
      try SealedKeyFile.open(sealed, Self.passphrase("a"))
    } throws: {
      if case .unsupported = $0 as? SealedKeyFileError { true } else { false }
    }
  }

  /// As libsodium opens it, by the table of the file's form and nothing of hark's.
  @Test func theFormIsTheDocumentedOne() throws {
    let sealed = try #require(
      unsafe Array("text".utf8).withUnsafeBytes {
        unsafe SealedKeyFile.seal($0, Self.passphrase("a passphrase"))
      })
    #expect(Array(sealed[..<20]) == Array("HARKKEYS".utf8) + [1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0])
    var keys = [UInt8](repeating: 0, count: 64)
    #expect(
      unsafe crypto_pwhash(
        &keys, 64, "a passphrase", 12, Array(sealed[20..<36]), 3, 64 << 20,
        crypto_pwhash_ALG_ARGON2ID13) == 0)
    var state = crypto_secretstream_xchacha20poly1305_state()
    #expect(
      unsafe crypto_secretstream_xchacha20poly1305_init_pull(
        &state, Array(sealed[52..<76]), keys) == 0)
    var (plain, tag) = ([UInt8](repeating: 0, count: 4), UInt8(0))
    #expect(
      unsafe crypto_secretstream_xchacha20poly1305_pull(
        &state, &plain, nil, &tag, Array(sealed[92...]), 21, Array(sealed[..<92]), 92) == 0)
    #expect(plain == Array("text".utf8))
    #expect(Int32(tag) == Int32(crypto_secretstream_xchacha20poly1305_TAG_FINAL))
  }

  @Test func mergingKeepsOneOfEach() throws {
    var file = try Self.file()
    let count = file.count
    #expect(file.merge(try Self.file().keys) == 0 && file.count == count)
    var bytes = [UInt8](repeating: 9, count: 16)
    let other = try StoredKey(
      .ltk, &bytes, nil, KeyDetails(address: BluetoothAddress(0xC0DE_0000_0009)))
    #expect(file.merge([other, other]) == 1 && file.count == count + 1)
    // What was not known of a key is taken over.
    var named = file.keys[0]
    named.details = KeyDetails(note: "found again")
    file.merge([named])
    #expect(file.keys[0].details.name == "lab" && file.keys[0].details.note == "found again")
  }

  @Test func dates() {
    #expect(KeyDate.time("2026-11-20T16:41:00Z").map(KeyDate.text) == "2026-11-20T16:41:00Z")
    #expect(KeyDate.time("2026-11-20").map(KeyDate.text) == "2026-11-20T00:00:00Z")
    for wrong in ["2026-02-30", "2026-11-20T24:00:00Z", "2026-11-20T16:41:00", "20261120", ""] {
      #expect(KeyDate.time(wrong) == nil)
    }
    let details = KeyDetails(
      since: KeyDate.time("2026-11-20"), until: KeyDate.time("2026-11-21"))
    #expect(details.covers(KeyDate.time("2026-11-20T16:41:00Z")!))
    #expect(!details.covers(KeyDate.time("2026-11-22")!))
    #expect(details.covers(Timestamp(nanoseconds: 5)), "a clock that was never set")
  }
}
