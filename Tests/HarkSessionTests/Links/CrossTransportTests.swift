import HarkCore
import Testing

@testable import HarkSession

/// Pairing over BR/EDR, which makes keys for LE, and keypresses. Core Specification, Vol 3, Part H, 2.4.2.5, 3.5.8,
/// 3.6.1
@Suite struct CrossTransportTests {
  private static func pdu(_ text: String, received: Bool) -> MadeRecord {
    MadeRecord.pdu(0x0007, text, received: received, link: 0x0B)
  }

  /// Key distribution of both sides: EncKey, IdKey, SignKey and LinkKey offered.
  private static let request = pdu("01 03 00 01 10 0f 0f", received: false)
  /// EncKey and IdKey of both.
  private static let response = pdu("02 03 00 01 10 03 03", received: true)
  /// IRK and identity address. 3.6.4, 3.6.5
  private static func identity(received: Bool) -> [MadeRecord] {
    [
      pdu("08 00112233445566778899aabbccddeeff", received: received),
      pdu("09 00 71 13 00 7d 1a 00", received: received),
    ]
  }
  private static let signature = pdu("0a 00112233445566778899aabbccddeeff", received: true)
  /// HCI_Disconnection_Complete: Remote User Terminated Connection. Vol 4, Part E, 7.7.5
  private static let closed = MadeRecord.event("05 04 00 0b 00 13")

  private static func reported(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session([BREDRTests.connected] + records).events.compactMap {
      switch $0.content {
      case .security(.pairing(.crossTransportAccepted(let it))):
        "accepted \(it.derivesLTK) \(keys(it.central)) \(keys(it.peripheral))"
      case .security(.pairing(.crossTransportComplete(let it))): "complete \(it.derivesLTK)"
      case .security(.pairing(.crossTransportIncomplete(let it))):
        "incomplete \(keys(it.central)) \(keys(it.peripheral))"
      case .security(.pairing(.complete)): "pairing complete"
      case .security(.pairing(.timedOut)): "timed out"
      case .security(.pairing(.cutOff)): "cut off"
      case .security(.pairing(.keypress(let it))):
        "keypress \(it.type) \(it.byPeer.map { "\($0)" } ?? "-")"
      case .security(.pairing(.simple(.keypress(let type, let isPeer)))):
        "keypress \(type) \(isPeer)"
      default: nil
      }
    }
  }

  private static func keys(_ keys: PairingEvent.DistributedKeys) -> String {
    (keys.irk ? "I" : "-") + (keys.csrk ? "C" : "-")
  }

  @Test func completes() {
    let agreed = [Self.request, Self.response]
    let all = Self.identity(received: true) + Self.identity(received: false)
    #expect(
      Self.reported(agreed + all + [Self.closed]) == ["accepted true I- I-", "complete true"])
  }

  /// With the LTK alone, no key is sent; without EncKey of one side, there is no LTK.
  @Test func derivesOnly() {
    let response = Self.pdu("02 03 00 01 10 01 01", received: true)
    #expect(
      Self.reported([Self.request, response, Self.closed]) == [
        "accepted true -- --", "complete true",
      ])
    let noKey = Self.pdu("02 03 00 01 10 01 00", received: true)
    #expect(
      Self.reported([Self.request, noKey, Self.closed]) == [
        "accepted false -- --", "complete false",
      ])
  }

  @Test func keysNotSent() {
    let agreed = [Self.request, Self.response]
    #expect(
      Self.reported(agreed + Self.identity(received: true) + [Self.closed])
        == ["accepted true I- I-", "incomplete I- --"])
    // The capture ends: the keys may be sent later.
    #expect(Self.reported(agreed) == ["accepted true I- I-"])
    let both = Self.pdu("02 03 00 01 10 03 07", received: true)
    #expect(
      Self.reported([Self.request, both, Self.closed]) == [
        "accepted true I- IC", "incomplete I- IC",
      ])
    let sent = Self.identity(received: true) + [Self.signature] + Self.identity(received: false)
    #expect(
      Self.reported([Self.request, both] + sent) == ["accepted true I- IC", "complete true"])
  }

  private static func at(_ seconds: Int64, _ record: MadeRecord) -> MadeRecord {
    var record = record
    record.time = seconds
    return record
  }

  /// 30 s without a PDU end the procedure, also over BR/EDR: without a response, and without a key. 3.4
  @Test(arguments: [(29, false), (30, true)]) func timeout(_ seconds: Int64, _ isTimedOut: Bool) {
    let encrypted = MadeRecord.event("08 04 00 0b 00 02")
    let closed = Self.at(seconds, Self.closed)
    #expect(
      Self.reported([Self.request, encrypted, closed]) == (isTimedOut ? ["timed out"] : []))
    let identity = Self.identity(received: true)
    #expect(
      Self.reported([Self.request, Self.response] + identity + [closed])
        == ["accepted true I- I-", isTimedOut ? "timed out" : "incomplete I- --"])
    let all = identity + Self.identity(received: false)
    #expect(
      Self.reported([Self.request, Self.response] + all + [closed])
        == ["accepted true I- I-", "complete true"])
    let cut = identity.map { $0.losing(2) }
    #expect(
      Self.reported([Self.request, Self.response] + cut + [closed]) == ["accepted true I- I-"])
  }

  /// The recorder cut a key: it may be the one that is missing.
  @Test func cutKeys() {
    let cut = Self.identity(received: true).map { $0.losing(2) }
    #expect(
      Self.reported([Self.request, Self.response] + cut + [Self.closed]) == ["accepted true I- I-"])
  }

  /// Encryption with a new link key does not end a pairing of the Security Manager. Vol 4, Part E, 7.7.8
  @Test func encryption() {
    let encrypted = MadeRecord.event("08 04 00 0b 00 02")
    #expect(
      Self.reported([Self.request, Self.response, encrypted]) == ["accepted true I- I-"])
  }

  /// Pairing Keypress Notification, HCI_Keypress_Notification, HCI_Send_Keypress_Notification. Vol 4, Part E, 7.7.48,
  /// 7.3.63
  @Test func keypresses() {
    let peer = BREDRTests.peer
    #expect(
      Self.reported([
        Self.pdu("0e 00", received: false), Self.pdu("0e 01", received: true),
        MadeRecord.event("3c 07 \(peer) 02"), MadeRecord.command("60 0c 07 \(peer) 04"),
      ]) == ["keypress 0 false", "keypress 1 true", "keypress 2 true", "keypress 4 false"])
  }
}
