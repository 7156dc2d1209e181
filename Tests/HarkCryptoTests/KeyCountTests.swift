import Foundation
import HarkCore
import Testing

@testable import HarkCrypto

/// How many keys there may be, and what many cost.
@Suite struct KeyCountTests {
  private static let session = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"

  /// A key file with so many keys of one session.
  private static func file(_ count: Int) -> [UInt8] {
    let keys = (0..<count).map { number in
      "{\"direction\": \"HostToAccessory\", \"sessionID\": \"\(session)\", \"key\": \""
        + String(repeating: "0", count: 56)
        + Hex.text((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        + "\"}"
    }
    return Array(
      "{\"format\": \"hark-keys\", \"version\": 1, \"test\": true, \"sessionKeys\": [\(keys.joined(separator: ",\n"))]}"
        .utf8)
  }

  /// Of processor time, of all threads.
  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / 1_000_000
  }

  /// Twice as many keys take no more than twice as long, and none is left out.
  @Test func manyKeysOfOneSession() throws {
    func read(_ count: Int) throws {
      let ring = try KeyRing([KeyFile(Self.file(count), name: "many")])
      #expect(ring.sessionKeys.count == count)
    }
    let (few, many) = try (Self.seconds { try read(2_000) }, Self.seconds { try read(8_000) })
    // Four times as many; other tests run beside this one.
    #expect(many < 16 * few + 2, "\(few) s, and \(many) s for four times as many")
    #expect(many < 60)
  }

  /// 100,000 keys of all kinds, in less than a second of an optimized build; a debug build is about 20 times slower.
  @Test func aHundredThousandKeys() throws {
    let count = Self.isOptimized ? 25_000 : 1_250
    func list(_ name: String, _ size: Int, _ more: String) -> String {
      let keys = (0..<count).map { number in
        let end = Hex.text((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        return "{\(more)\"key\": \"" + String(repeating: "5a", count: size - 4) + end + "\"}"
      }
      return "\"\(name)\": [\(keys.joined(separator: ",\n"))]"
    }
    let session = "\"direction\": \"HostToAccessory\", \"sessionID\": \"\(Self.session)\", "
    let text =
      "{\"format\": \"hark-keys\", \"version\": 1, \"test\": true, "
      + [
        list("longTermKeys", 16, ""), list("identityResolvingKeys", 16, ""),
        list("linkKeys", 16, "\"address\": \"C0:DE:00:00:00:01\", "),
        list("sessionKeys", 32, session),
      ].joined(separator: ", ") + "}"
    let bytes = Array(text.utf8)
    var loaded = 0
    let seconds = try Self.seconds {
      let ring = try KeyRing([KeyFile(bytes, name: "many")])
      loaded = ring.bondingKeys.count + ring.sessionKeys.count
    }
    #expect(loaded == 4 * count)
    #expect(seconds < 1, "\(seconds) s")
  }

  private static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// The same key again is none more, and one that differs in its last byte is.
  @Test func sameKeys() throws {
    let file = try KeyFile(Self.file(3), name: "a")
    #expect(KeyRing([file, file]).sessionKeys.count == 3)
    #expect(KeyRing([file]).sessionKeys(of: Self.session).count == 3)
    #expect(KeyRing([file]).sessionKeys(of: nil).count == 3)
    #expect(KeyRing([file]).sessionKeys(of: "other").isEmpty)
  }

  @Test func tooManyKeys() {
    // They are counted before any is read.
    let list = [String](repeating: "1", count: KeyRing.mostOfFiles + 1).joined(separator: ",")
    let text = #"{"format": "hark-keys", "version": 1, "longTermKeys": [\#(list)]}"#
    #expect {
      try KeyFile(Array(text.utf8), name: "many")
    } throws: {
      "\($0)".contains("262145 keys; hark accepts at most 262144")
    }
  }

  /// A capture can add as many as before, however many the files have.
  @Test func keysOfTheCapture() throws {
    var ring = try KeyRing([KeyFile(Self.file(2_000), name: "many")])
    for number in 0..<1_100 {
      var octets = [UInt8](repeating: 7, count: 16)
      octets[0] = UInt8(truncatingIfNeeded: number)
      octets[1] = UInt8(truncatingIfNeeded: number >> 8)
      ring.add(
        try BondingKey(
          .longTermKey, &octets, address: nil, origin: .capture(PacketID(UInt32(number + 1)))))
    }
    #expect(ring.bondingKeys.count == KeyRing.capacity)
  }

  /// All mistakes of a file full of them are reported in no time, each with its place.
  @Test func manyMistakes() throws {
    let line = "{\"sesionID\": 1},\n"
    let text =
      "{\"format\": \"hark-keys\", \"version\": 1, \"sessionKeys\": [\n"
      + String(repeating: line, count: 10_000) + "{}]}"
    do {
      _ = try KeyFile(Array(text.utf8), name: "wrong")
      Issue.record("it was read")
    } catch {
      #expect(error.problems.count == 1_000)
      let misspelt = error.problems.filter { $0.reason.contains("did you mean 'sessionID'") }
      #expect(misspelt.first?.line == 2 && misspelt.first?.column == 14)
      #expect(misspelt.last.flatMap(\.line) == misspelt.count + 1)
    }
  }
}
