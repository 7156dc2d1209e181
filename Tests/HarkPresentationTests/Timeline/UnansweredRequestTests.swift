import HarkCore
import HarkPresentation
import HarkSamples
import Testing

@testable import HarkSession

/// What the capture has no answer to was not done, as far as anybody can tell. Core Specification, Vol 3,
/// Part F, 3.3.2, 3.3.3, 3.4.5, 3.4.6, 3.4.7.
@Suite struct UnansweredRequestTests {
  private static let link = "043e130100400000012222222222e218000000480000"
  private static let closed = "04050400400013"
  /// Battery Level at handle 3, its Client Characteristic Configuration at 4.
  private static let discovery = [
    ">0240000b00070004000801000500 0328", "0240200d000900040009070200120300192a",
    ">024000090005000400040400 0400", "0240200a000600040005010400 0229",
  ]

  private static func sent(_ pdu: String) -> String { acl(pdu, ">0240 00") }
  private static func received(_ pdu: String) -> String { acl(pdu, "0240 20") }

  private static func acl(_ pdu: String, _ head: String) -> String {
    let count = (Hex.bytes(pdu) ?? []).count
    return head + Hex.text([UInt8(count + 4), 0, UInt8(count), 0, 4, 0]) + pdu
  }

  /// How a request stays without an answer: the link closes, the controller is reset, the capture ends,
  /// the link is opened again, or the client continues.
  private static let ends: [[String]] = [
    [closed], ["01030c00", "040e0401030c00"], [], [link], [sent("0a0300"), received("0b07")],
  ]

  @Test(arguments: ends)
  func subscription(_ end: [String]) {
    let it = HCIPackets([Self.link] + Self.discovery + [Self.sent("1204000100")] + end)
    #expect(
      it.texts().contains {
        $0.hasPrefix(
          "request to subscribe to Battery Level notifications (no response in the capture)")
      })
    #expect(!it.texts().contains { $0.hasPrefix("subscribed") })
    #expect(it.json("subscription").isEmpty)
    let json = it.json("request-unanswered").first ?? ""
    #expect(json.contains(#""notifications":true"#) && json.contains(#""handle":4"#))
    #expect(it.rules.isEmpty)
  }

  @Test(arguments: ends)
  func write(_ end: [String]) {
    let it = HCIPackets([Self.link, Self.sent("12030001")] + end)
    let sentence = "request to write attribute 0x0003: 01 (no response in the capture)"
    #expect(it.texts().contains { $0.hasPrefix(sentence) })
    #expect(!it.texts().contains { $0.hasPrefix("wrote") })
    #expect(it.json("value").allSatisfy { !$0.contains("write") })
    #expect(it.json("request-unanswered").first?.contains(#""value":"01""#) == true)
    let uses = it.databases.values.first?.uses
    #expect((uses?[3]?.writes ?? 0) == 0)
  }

  @Test func answered() {
    let it = HCIPackets(
      [Self.link] + Self.discovery + [Self.sent("1204000100"), Self.received("13"), Self.closed])
    #expect(it.texts().contains("subscribed to Battery Level notifications"))
    #expect(it.json("request-unanswered").isEmpty)
  }

  /// Each of a client's other requests, and what a server indicates.
  @Test(arguments: [
    (sent("0a0300"), "request to read attribute 0x0003 (no response in the capture)"),
    (sent("0c03001600"), "request to read attribute 0x0003 (no response in the capture)"),
    (sent("02f700"), "ATT_EXCHANGE_MTU_REQ (no response in the capture)"),
    (sent("100100ffff0028"), "ATT_READ_BY_GROUP_TYPE_REQ (no response in the capture)"),
    (
      sent("1603000000aa"),
      "request to prepare a write of attribute 0x0003: aa (no response in the capture)"
    ),
    (received("1d030001"), "indication of attribute 0x0003 (no confirmation in the capture)"),
    (
      sent("1d030001"),
      "this host's indication of attribute 0x0003 (no confirmation in the capture)"
    ),
    (
      received("0a0300"),
      "peer's request to read this host's attribute 0x0003 (no response in the capture)"
    ),
    (
      received("12030007"),
      "peer's request to write this host's attribute 0x0003: 07 (no response in the capture)"
    ),
  ])
  func others(_ packet: String, _ sentence: String) {
    let it = HCIPackets([Self.link, packet, Self.closed])
    #expect(it.texts().contains { $0.hasPrefix(sentence) }, "\(it.texts())")
    #expect(it.json("request-unanswered").count == 1)
  }

  /// A queue is written once all of it and its execution are agreed to.
  @Test func longWrites() {
    let prepared = [Self.sent("1603000000aa"), Self.received("1703000000aa")]
    let open = HCIPackets([Self.link] + prepared + [Self.sent("1801"), Self.closed])
    #expect(
      open.texts().contains {
        $0.hasPrefix(
          "request for a long write of attribute 0x0003: aa (not every response is in the capture)")
      })
    let done = HCIPackets(
      [Self.link] + prepared + [Self.sent("1801"), Self.received("19"), Self.closed])
    #expect(done.texts().contains("completed a long write to attribute 0x0003: aa"))
    let lacking = HCIPackets([
      Self.link, Self.sent("1603000000aa"), Self.sent("1801"), Self.received("19"), Self.closed,
    ])
    #expect(!lacking.texts().contains { $0.hasPrefix("wrote") })
  }

  /// 3.3.3: what takes 30 s has failed; that is known when the next packet shows that it was not
  /// answered.
  @Test func timeouts() {
    let asked = HCIPackets([
      Self.link, "@1 \(Self.sent("0a0300"))", "@35 \(Self.received("1b0600aa"))", Self.closed,
    ])
    let timeout = asked.reported.first { $0.text.contains("was not answered within 30 s") }
    #expect(timeout?.seconds == 35)
    #expect(timeout?.json.contains(#""lag":34.000000000"#) == true)
    #expect(asked.json("request-unanswered").isEmpty)
    #expect(asked.rules == ["link.request-timeout"])

    let indicated = HCIPackets([
      Self.link, "@1 \(Self.received("1d0300aa"))", "@35 \(Self.received("1b0600aa"))",
      "@36 \(Self.sent("1e"))", Self.closed,
    ])
    #expect(
      indicated.texts().contains(
        "this host did not confirm the peer's ATT_HANDLE_VALUE_IND of 0x0003 within 30 s"))
    #expect(indicated.rules == ["link.indication-timeout"])
    // An answer that the recorder cut is one.
    let cut = HCIPackets([
      Self.link, Self.sent("0a0300"), "0240200700050004000b0102", Self.closed,
    ])
    #expect(cut.json("request-unanswered").isEmpty)
    // The next request has its own answer, in which two services are.
    let again = HCIPackets([
      Self.link, Self.sent("1001 00ff ff00 28"), "0240200700050004000b0102",
      Self.sent("1001 00ff ff00 28"), Self.received("1106 0100 0500 0018 0600 0900 0118"),
      Self.closed,
    ])
    #expect(again.json("request-unanswered").isEmpty)
    #expect(again.texts().contains { $0.hasPrefix("discovered: 2 services") })
    #expect(
      indicated.texts().contains("this host confirmed ATT_HANDLE_VALUE_IND of 0x0003 after 35 s"))
  }
}
