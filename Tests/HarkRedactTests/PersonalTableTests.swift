import HarkCore
import HarkCrypto
import Testing

@testable import HarkRedact

@Suite struct PersonalTableTests {
  /// Zeros and long runs of one byte are no keys; codes of a few octets may well be of equal ones, as the
  /// Consent Code 0x1111 of User Data Service 1.1, 3.2 is.
  @Test func equalOctets() {
    var table = PersonalTable(
      Pseudonyms(hash: RedactionMap().hash, level: .share), known: [:])
    func isTaken(_ kind: PersonalKind, _ bytes: [UInt8]) -> Bool {
      table.add(PersonalValue(kind: kind, bytes: bytes)) != nil
    }
    #expect(isTaken(.key, [0x11, 0x11]))
    #expect(!isTaken(.key, [0, 0]))
    #expect(!isTaken(.key, [UInt8](repeating: 0x11, count: 16)))
    #expect(isTaken(.input, [7, 7]))
    #expect(!isTaken(.input, [0, 0]))
  }
}
