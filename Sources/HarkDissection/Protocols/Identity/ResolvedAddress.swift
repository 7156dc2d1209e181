/// Identities of devices whose resolvable private addresses are in a packet. No PDU has them: they follow from IRKs,
/// and the session adds them to trees.
enum ResolvedAddress: Dissector {
  static let name: StaticString = "Resolved Address"
  static let path: StaticString = "resolved"
  static let specification: StaticString =
    "Core Specification, Vol 6, Part B, 1.3.2.3: Private Device Address resolution"
  static let places: [AttachmentPoint] = []

  struct Fields: Sendable {
    /// Of an address that a packet's line shows.
    let inLine = Identity(inLine: true)
    let other = Identity(inLine: false)
  }

  /// One path for both.
  struct Identity: Sendable {
    let identity: Field

    init(inLine: Bool) { identity = Field("Identity Address", .address, inLine: inLine) }
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {}
}
