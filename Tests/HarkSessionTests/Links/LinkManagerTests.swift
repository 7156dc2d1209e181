import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Secure Simple Pairing in diagnostic packets, with the sample data of the Core Specification, Vol 2, Part G, 7.2.1.
@Suite struct LinkManagerTests {
  // X coordinates, the random number of the responder and its commitment; most significant octets first.
  private static let initiator = "15207009984421a6586f9fc3fe7e4329d2809ea51125f8ed"
  private static let responder = "356b31938421fbbf2fb331c89fd588a69367e9a833f56812"
  private static let random = "d5cb8454d177733effffb2ec712baeab"
  private static let commitment = "f4e1ec4b88f305e81477627b1643a927"
  private static let otherRandom = "a6e8e7cc25a75f6e216583f7ff3dc4cf"

  private static func reversed(_ hex: String) -> [UInt8] { (Hex.bytes(hex) ?? []).reversed() }

  /// An LMP PDU that the Central's transaction has, as the diagnostics of a controller show it.
  private static func pdu(
    _ opcode: UInt8, _ parameters: [UInt8], received: Bool, peer: String = "44332211"
  ) -> MadeRecord {
    let pdu = [opcode << 1] + parameters
    let head: [UInt8] =
      received
      ? [0x07, 1, 0, 0, 0, 0x8F] + (Hex.bytes(peer) ?? []) + [0, 0, 0, 17 << 3 | 7]
      : [0x07, 0, 0, 0, 0, 0] + (Hex.bytes(peer) ?? []) + [UInt8(pdu.count) << 3 | 3]
    let bytes = head + pdu
    return MadeRecord(
      kind: .h4, isReceived: true,
      hex: Hex.text(bytes + [UInt8](repeating: 0, count: 64 - bytes.count)))
  }

  /// A PDU whose opcode follows the escape opcode.
  private static func extended(_ opcode: UInt8, _ hex: String, received: Bool) -> MadeRecord {
    pdu(127, [opcode] + (Hex.bytes(hex) ?? []), received: received)
  }

  private static func key(
    _ x: String, received: Bool, y: String = String(repeating: "11", count: 24)
  ) -> [MadeRecord] {
    let octets = reversed(x) + reversed(y)
    return [pdu(61, [1, 1, 48], received: received)]
      + stride(from: 0, to: 48, by: 16).map {
        pdu(62, Array(octets[$0..<($0 + 16)]), received: received)
      }
  }

  private static let connection = MadeRecord.event("03 0b 00 4000 112233445566 01 00")

  private func reported(_ records: [MadeRecord], connected: Bool = true) -> [String] {
    let session = MadeRecord.session((connected ? [Self.connection] : []) + records)
    let all = session.events.compactMap { event -> String? in
      guard case .security(.pairing(.simple(let step))) = event.content else { return nil }
      let isError = event.severity == .error
      return (isError ? "! " : "") + Event.sentence(of: step, event, session).text
    }
    // The initiator of the sample data has the debug key, which the last two tests are about.
    return connected ? all.filter { $0 != Self.uses } : all
  }

  /// LMP_KEYPRESS_NOTIFICATION of both sides, without and with what HCI says of the same keypress.
  /// Vol 2, Part C, 4.2.7; Vol 4, Part E, 7.3.63, 7.7.48
  @Test func keypresses() {
    let words = [
      "Secure Simple Pairing: Passkey digit entered at this host",
      "Secure Simple Pairing: Passkey cleared at the peer",
    ]
    let sent = Self.extended(30, "01", received: false)
    let received = Self.extended(30, "03", received: true)
    #expect(reported([sent, received]) == words)
    let address = "112233445566"
    let command = MadeRecord.command("60 0c 07 \(address) 01")
    let event = MadeRecord.event("3c 07 \(address) 03")
    #expect(reported([command, sent, received, event]) == words)
    #expect(
      reported([command, sent, sent, received, event, event]) == [
        words[0], words[0], words[1], words[1],
      ])
  }

  private static let fits =
    "Secure Simple Pairing: the random number of the peer fits its commitment; the number to compare is 877097"

  /// The number is SHA-256's last four octets of both coordinates and both random numbers, as Python's hashlib has it.
  @Test func numericComparison() {
    let keys = Self.key(Self.initiator, received: false) + Self.key(Self.responder, received: true)
    let end = [
      Self.pdu(63, Self.reversed(Self.commitment), received: true),
      Self.pdu(64, Self.reversed(Self.otherRandom), received: false),
      Self.pdu(64, Self.reversed(Self.random), received: true),
    ]
    #expect(reported(keys + end) == [Self.fits])
    // Once more, after what was left open.
    #expect(reported(keys + keys + end) == [Self.fits])
    // Somebody between the two has another random number.
    var wrong = end
    wrong[2] = Self.pdu(64, Self.reversed(Self.otherRandom), received: true)
    #expect(
      reported(keys + wrong) == [
        "! Secure Simple Pairing: the random number of the peer does not fit its commitment: another device may be "
          + "between the two"
      ])
    // A part of a key is lost; another peer's PDU is none of this link.
    for lost in keys.indices {
      var rest = keys
      rest.remove(at: lost)
      #expect(reported(rest + end) == [])
    }
    #expect(
      reported(keys + [Self.pdu(63, [], received: true, peer: "55332211")] + end) == [Self.fits])
  }

  /// A commitment to a bit of a passkey: sample data with z = 0x80 and 0x81. 7.7.1
  @Test func passkey() {
    let keys = Self.key(Self.initiator, received: false) + Self.key(Self.responder, received: true)
    for (commitment, isKept) in [
      ("611325ebcb6e5269b868113306095fa6", true), ("b68df39fd8a406b06a6c517d3666cf91", true),
      (Self.commitment, false),
    ] {
      let records = [
        Self.pdu(63, Self.reversed(commitment), received: false),
        Self.pdu(63, Self.reversed(Self.commitment), received: true),
        Self.pdu(64, Self.reversed(Self.random), received: false),
      ]
      #expect(reported(keys + records).isEmpty == isKept)
    }
  }

  // MARK: Debug keys

  /// This controller (56:12:37:37:BF:CE, Central) uses the debug key, the peer has that of the sample data.
  private static let begun = [
    MadeRecord.event("0e 0a 01 0910 00 cebf37371256"),
    MadeRecord.command("05 04 0d 112233445566 18cc 01 00 0000 01"), connection,
    extended(25, "01 00 03", received: false), extended(26, "00 00 05", received: true),
  ]
  private static let debugKey = key(
    initiator, received: false, y: "b09d42b81bc5bd009f79e4b59dbbaa857fca856fb9f7ea25")
  private static let sampleKey = key(
    responder, received: true, y: "7a216af0d4b6bcb5faaa5f5b93b69f0ca60b2e13b80ca944")
  private static let numbers = [
    pdu(63, reversed(commitment), received: true), pdu(64, reversed(otherRandom), received: false),
    pdu(64, reversed(random), received: true),
  ]

  private static func linkKey(_ hex: String) -> MadeRecord {
    .event("18 17 112233445566 \(Hex.text(reversed(hex))) 03")
  }

  private static let uses =
    "Secure Simple Pairing: this controller uses the debug key (P-192), so anyone who records the pairing can "
    + "compute the link key"

  /// Check values and link key are those of Python's hmac, from the Diffie-Hellman key of the sample data.
  @Test func debugKeys() {
    let end = [
      Self.pdu(65, Self.reversed("29cdbb7248a771bde18a9caecaa198ff"), received: false),
      Self.pdu(65, Self.reversed("736ce9d7c2cab4f62b621f77a20cf6d5"), received: true),
      Self.linkKey("5e57d15e8b2d244edfe2676e7f6a0f1a"),
    ]
    let before = Self.begun + Self.debugKey + Self.sampleKey + Self.numbers
    #expect(
      reported(before + end, connected: false) == [
        Self.uses, Self.fits, "Secure Simple Pairing: the check value of this controller is right",
        "Secure Simple Pairing: the check value of the peer is right",
        "Secure Simple Pairing: the link key follows from the debug key and the recorded messages",
      ])
    let wrong = [
      Self.pdu(65, Self.reversed("736ce9d7c2cab4f62b621f77a20cf6d5"), received: false),
      Self.linkKey("5e57d15e8b2d244edfe2676e7f6a0f1b"),
    ]
    #expect(
      reported(before + wrong, connected: false) == [
        Self.uses, Self.fits,
        "! Secure Simple Pairing: the check value of this controller does not fit the keys, random numbers and "
          + "capabilities that both sent: another device may be between the two",
        "Secure Simple Pairing: the link key does not follow from the debug key and the recorded messages",
      ])
    // Without the address, the capabilities, the role or a number, nothing is checked.
    #expect(reported(Array(before.dropFirst()) + end, connected: false) == [Self.uses, Self.fits])
    #expect(
      reported([Self.begun[0], Self.connection] + before.dropFirst(5) + end, connected: false) == [
        Self.uses, Self.fits,
      ])
    #expect(reported(before.dropLast(3) + end, connected: false) == [Self.uses])
  }

  /// The passkey that this host displays is part of the check values.
  @Test func debugKeysWithPasskey() {
    let bits = [
      Self.pdu(63, Self.reversed("611325ebcb6e5269b868113306095fa6"), received: false),
      Self.pdu(63, Self.reversed(Self.commitment), received: true),
      Self.pdu(64, Self.reversed(Self.otherRandom), received: false),
      Self.pdu(64, Self.reversed(Self.random), received: true),
    ]
    let check = Self.pdu(65, Self.reversed("a1a2cd9cb885ae9553242f9f52b30bc9"), received: true)
    let before = Self.begun + Self.debugKey + Self.sampleKey
    let right = "Secure Simple Pairing: the check value of the peer is right"
    let shown = MadeRecord.event("3b 0a 112233445566 40e20100")
    #expect(reported(before + [shown] + bits + [check], connected: false).last == right)
    #expect(reported(before + bits + [check], connected: false).last != right)
  }
}
