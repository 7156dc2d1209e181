import Testing

@testable import HarkCrypto

/// Keys that somebody wrote into a comment or a log: reports leave them out.
@Suite struct KeysInTextTests {
  private static let key = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

  @Test(arguments: [
    ("LTK: \(key)", "LTK: [key]"),
    ("my link key is 0x\(key.uppercased()).", "my link key is [key]."),
    ("IRK=0F:1E:2D:3C:4B:5A:69:78:87:96:A5:B4:C3:D2:E1:F0, then", "IRK=[key], then"),
    ("irk 0f 1e 2d 3c 4b 5a 69 78 87 96 a5 b4 c3 d2 e1 f0 of A", "irk [key] of A"),
    (
      "csrk {0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0}",
      "csrk {[key]}"
    ),
    ("public key Dx4tPEtaaXiHlqW0w9Lh8A==", "public key [key]"),
    ("keys \(key)\(key) and \(key)", "keys [key] and [key]"),
    ("keyData=\(key)", "keyData=[key]"), ("sharedSecret: \(key)", "sharedSecret: [key]"),
    ("session key <0f1e2d3c 4b5a6978 8796a5b4 c3d2e1f0>", "session key <[key]>"),
    (
      "session key {length = 32, bytes = 0x0f1e2d3c 4b5a6978 8796a5b4 c3d2e1f0 ... 01020304 05060708 }",
      "session key {length = 32, bytes = [key] }"
    ),
    ("link key Dx4tPEtaaXiHlqW0w9Lh8A", "link key [key]"),
  ])
  func keys(_ text: String, _ masked: String) {
    #expect(KeysInText.holds(text))
    #expect(KeysInText.masked(text).hasPrefix(masked))
    for digits in [Self.key, "0F:1E", "0f 1e", "0x0f", "0f1e2d3c", "05060708", "Dx4t"] {
      #expect(!KeysInText.masked(text).lowercased().contains(digits.lowercased()))
    }
  }

  @Test(arguments: [
    "a hash, \(key)", "the key is wrong", "key of 5D450708-2A41-6AE7-B216-DE808EC91D7B",
    "LTK of C0:DE:00:00:00:02", "key 68cb53dd", "monkey business", "",
    "key in TransportSecurityState", "key 2026 1126 0915 of 10", "key aHarkSessionOfAcme1234",
  ])
  func others(_ text: String) {
    #expect(!KeysInText.holds(text))
    #expect(KeysInText.masked(text) == text)
  }
}
