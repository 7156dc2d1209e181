import Crypto
import HarkCore
import Testing

@testable import HarkCrypto

/// A capture may supply keys, exchanges and messages, but not choose how long the search takes.
@Suite struct SearchBudgetTests {
  /// Keys as a capture exposes them, none announced, and an encapsulated key made for none of them.
  private func hostileScene() throws -> Scene {
    var scene = try Scene(.xWing)
    scene.ring = KeyRing()
    for number in 1...16 {
      let text = Hex.text([UInt8](repeating: UInt8(number), count: 32))
      scene.ring.add(try accessoryKey(.xWing, text, origin: .capture(PacketID(1))))
    }
    exchange(&scene, 7)
    return scene
  }

  private func exchange(_ scene: inout Scene, _ byte: UInt8) {
    let count = CipherSuite.xWing.encapsulatedKeySize
    _ = scene.decryptor.encapsulatedKey(
      EncapsulatedKey(
        [UInt8](repeating: byte, count: count), suite: .xWing, packet: PacketID(2),
        identifier: Sample.identifier))
  }

  private func blob(_ number: Int, count: Int = 60) -> [UInt8] {
    [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 1, count: count)
  }

  @Test func exposedKeys() throws {
    var scene = try hostileScene()
    for number in 0..<64 {
      let verdict = scene.open(blob(number), session: "session \(number % 8)").verdict
      guard case .tagFails(_, 1, true) = verdict else {
        Issue.record("\(String(describing: verdict))")
        return
      }
    }
    let grid = SearchBudget.accessory.candidates - scene.decryptor.searchBudget.candidates
    #expect(grid > 0)
    #expect(SearchBudget.capture.candidates - scene.ring.searchBudget.candidates == grid)
    let usual = SearchBudget.usual.candidates - scene.ring.usualBudget.candidates
    #expect(usual <= 16 * 16 + 64 * 16, "16 decapsulations, and one candidate for each key")
  }

  @Test func newExchangesRenewNothing() throws {
    var scene = try hostileScene()
    scene.decryptor.searchBudget = SearchBudget(candidates: 500, bytes: 1 << 20)
    for number in 0..<12 {
      exchange(&scene, UInt8(number))
      _ = scene.open(blob(number))
    }
    #expect(scene.decryptor.searchBudget.candidates == 0)
    #expect(scene.ring.searchBudget.candidates == SearchBudget.capture.candidates - 500)
    scene.decryptor = Decryptor()
    exchange(&scene, 1)
    scene.ring.searchBudget = SearchBudget(candidates: 0, bytes: 1 << 20)
    _ = scene.open(blob(0))
    #expect(scene.decryptor.searchBudget.candidates == SearchBudget.accessory.candidates)
  }

  @Test func theFirstCandidatesAreFree() throws {
    var scene = try Scene(.xWing)
    let info = "XWing-Version1-\(Sample.identifier)"
    scene.ring.usualBudget = SearchBudget(candidates: 0, bytes: 0)
    scene.ring.searchBudget = SearchBudget(candidates: 0, bytes: 0)
    let phone = try Phone(scene.key, info: info)
    scene.exchange(phone)
    let opened = scene.open(try phone.seal("hi", "\(info)-HostToAccessory-\(Sample.session)"))
    #expect(opened.plaintext == Array("hi".utf8))
  }

  @Test func longMessagesGetTheUsualSpellings() throws {
    var scene = try Scene(.xWing)
    scene.exchange(try Phone(scene.key, info: "x"))
    let verdict = scene.open(blob(1, count: Decryptor.mostSearchedBytes)).verdict
    #expect(verdict == .tagFails(candidates: 1, generations: 1, isLimited: true))
  }

  /// Keys of one session, each of 32 times its number.
  private func sessionKeys(_ numbers: ClosedRange<UInt8>) throws -> KeyRing {
    var ring = KeyRing()
    for number in numbers {
      var octets = [UInt8](repeating: number, count: 32)
      ring.add(
        try SessionKey(
          &octets, direction: .hostToAccessory, session: Sample.session, origin: .file("test")))
    }
    return ring
  }

  private func message(_ number: UInt8, _ text: String) throws -> [UInt8] {
    try seal(text, SymmetricKey(data: [UInt8](repeating: number, count: 32)))
  }

  /// A file may hold many keys of one session, and a capture many messages of it.
  @Test func knownKeysArePaidFor() throws {
    var scene = try Scene(.xWing)
    scene.ring = try sessionKeys(1...40)
    #expect(scene.open(try message(40, "first")).plaintext == Array("first".utf8))
    let spent = SearchBudget.usual.candidates - scene.ring.usualBudget.candidates
    #expect(spent == 40 - Decryptor.freeCandidates)
    #expect(scene.open(try message(40, "second")).plaintext == Array("second".utf8))
    #expect(SearchBudget.usual.candidates - scene.ring.usualBudget.candidates == spent)

    // Without a budget: the first keys still open what they fit, the others nothing.
    scene.decryptor = Decryptor()
    scene.ring.usualBudget = SearchBudget(candidates: 0, bytes: 0)
    #expect(scene.open(try message(16, "near")).plaintext == Array("near".utf8))
    #expect(scene.open(try message(40, "far")).plaintext == nil)
  }

  /// Keys in use cost the same as those of files.
  @Test func keysInUseArePaidFor() throws {
    var scene = try Scene(.xWing)
    scene.ring = try sessionKeys(1...40)
    for number in 1...40 as ClosedRange<UInt8> {
      #expect(scene.open(try message(number, "once")).plaintext != nil)
    }
    let before = scene.ring.usualBudget.candidates
    #expect(scene.open(blob(1)).plaintext == nil)
    let tried = Decryptor.mostLiveKeys + 40
    #expect(before - scene.ring.usualBudget.candidates == tried - Decryptor.freeCandidates)
  }
}
