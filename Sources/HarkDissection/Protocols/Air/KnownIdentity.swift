/// What IRKs say about resolvable private addresses, wherever these are: it has no octets of its own, but follows
/// an address that a known key made. Core Specification, Vol 6, Part B, 1.3.2.3
package enum KnownIdentity: Dissector {
  package static let name: StaticString = "Resolved Address"
  package static let path: StaticString = "resolved"
  package static let specification: StaticString = "Core Specification, Vol 6, Part B, 1.3.2.3"
  package static let places: [AttachmentPoint] = []

  package struct Fields: Sendable {
    package let identity = Field("Identity Address", .address, inLine: true)
    /// The fingerprint of the key, where nothing shows whose it is.
    package let key = Field("IRK Fingerprint", .hex, inLine: true)
  }
  package static let fields = Fields()

  package static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.remaining == 4 {
      _ = try pdu.u32(fields.key)
    } else {
      _ = try pdu.address(fields.identity)
    }
  }
}
