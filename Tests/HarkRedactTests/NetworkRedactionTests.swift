import Foundation
import HarkCapture
import HarkRedact
import Testing

/// A capture of a local network, searched for what truth.json and the generator say about its hosts.
@Suite struct NetworkRedactionTests {
  /// Lens-network, whose hosts have names, addresses, a serial number and an owner in Multicast DNS.
  private static let secrets: [(what: String, bytes: [UInt8])] = [
    ("the instance", Array("Acme Lens 7C".utf8)), ("the host", Array("acme-lens-7c".utf8)),
    ("the serial number", Array("AL7C-00317".utf8)), ("the owner", Array("Tjorven Quist".utf8)),
    ("the phone's address", [192, 168, 7, 1]), ("the glasses' address", [192, 168, 7, 2]),
    ("the phone's hardware address", [0x02, 0x00, 0x5E, 0x10, 0x00, 0x01]),
    ("the glasses' hardware address", [0x02, 0x00, 0x5E, 0x10, 0x00, 0x02]),
    ("the phone's name", Array("iPhone".utf8)),
  ]

  @Test(
    arguments: ["lens-network.pcapng", "lens-network-any.pcapng"],
    [RedactionLevel.strict, .share])
  func nothingIsLeft(_ file: String, _ level: RedactionLevel) throws {
    let capture = try Samples.read("lens-network/" + file)
    let redacted = try redact(capture, level)
    for secret in Self.secrets {
      #expect(capture.bytes.holds(secret.bytes) || secret.what == "the phone's hardware address")
      #expect(!redacted.bytes.holds(secret.bytes), "\(secret.what)")
    }
    // Segments keep their order: the numbers of #216 and its answer, #220, as tshark has them.
    for numbers in [
      [0x3B, 0xCC, 0x4A, 0x9C, 0x9F, 0x7C, 0xA7, 0xCC],
      [0x9F, 0x7C, 0xA7, 0xCC, 0x3B, 0xCC, 0x50, 0x44],
    ] as [[UInt8]] {
      #expect(capture.bytes.holds(numbers) && redacted.bytes.holds(numbers))
    }
    // The type of the service is that of one product, like a UUID that is not assigned.
    #expect(redacted.bytes.holds(Array("_acme-lens".utf8)) == (level == .share))
    #expect(redacted.bytes.holds(Array("_tcp".utf8)))
  }
}
