import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCrypto

/// The vectors of a file in Vectors/, each `V`.
func vectors<V: Decodable>(_ name: String, as type: V.Type = V.self) throws -> [V] {
  let file = Project.tests.appending(path: "HarkCryptoTests/Vectors/\(name).json")
  let data = try Data(contentsOf: file)
  return try JSONDecoder().decode(VectorFile<V>.self, from: data).vectors
}

struct VectorFile<V: Decodable>: Decodable { let vectors: [V] }

/// The bytes that hexadecimal text spells.
func hex(_ text: String) throws -> [UInt8] { try #require(Hex.bytes(text)) }

func text(_ bytes: [UInt8]?) -> String { bytes.map(Hex.text) ?? "nil" }

/// A private key for tests.
func accessoryKey(
  _ suite: CipherSuite, _ privateKey: String, name: String? = nil, identifiers: [String] = [],
  origin: KeyOrigin = .file("test.harkkeys")
) throws -> AccessoryKey {
  var bytes = try hex(privateKey)
  return try AccessoryKey(
    suite, privateKey: &bytes, name: name, identifiers: identifiers, origin: origin)
}

/// TEST KEYS and values of a P-256 exchange, made with private keys 01…01 and 02…02.
enum Sample {
  static let privateKey = String(repeating: "01", count: 32)
  static let publicKey =
    "6ff03b949241ce1dadd43519e6960e0a85b41a69a05c328103aa2bce1594ca16"
    + "3c4f753a55bf01dc53f6c0b0c7eee78b40c6ff7d25a96e2282b989cef71c144a"
  static let encapsulatedKey =
    "04550f471003f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24"
    + "136093d7012e509a73715cbd0b00a3cc0ff4b5c01b3ffa196ab1fb327036b8e6"
  static let identifier = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
  static let session = "ABCDEF12-3456-7890-ABCD-EF0123456789"
  static let sharedSecret = "65bb7eed5ff4e2b09de91db65934b8decdfbd435db76ad3aa42948e2789e67d7"
  static let toAccessory = "000102030405060708090a0bea477addd8fda705d19d3ce34eeae099375366b6d0"
  static let toHost = "000102030405060708090a0b608d98154314f44b900eaf430b48d4ea10fdde8d9c"
}

extension StoredKey {
  /// The secret's bytes, as key files write them.
  var exposedBytes: [UInt8] { secret.withBytes { [UInt8]($0) } }
}
