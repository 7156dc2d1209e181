import HarkCore
import HarkSamples
import Testing

/// Who refuses connection parameters, and which request an answer belongs to.
/// Core Specification, Vol 3, Part A, 4 (identifiers), 4.1 (Command Reject), 4.20, 4.21.
@Suite struct ParametersRefusedTests {
  private static let kind = "link-parameters-refused"
  private static let rejected =
    "rejects the request for connection parameters: command not understood"

  /// HCI_LE_Connection_Complete. Vol 4, Part E, 7.7.65.1
  private static func connected(isCentral: Bool) -> String {
    "043e13 01 00 4000 \(isCentral ? "00" : "01") 00 010203040506 1800 0000 c800 00"
  }

  /// A command of L2CAP signaling: from the host after `>`, from no one knows whom after `?`.
  private static func signal(_ sender: String, _ hex: String) -> String {
    let command = Hex.bytes(hex) ?? []
    let frame = [UInt8(command.count), 0, 5, 0] + command
    return sender + Hex.text([2, 0x40, 0x20, UInt8(frame.count), 0] + frame)
  }

  private static func request(
    _ sender: String, _ identifier: String, maximum: String = "0c"
  ) -> String {
    signal(sender, "12 \(identifier) 0800 0600 \(maximum)00 0000 c800")
  }

  private static func refusal(_ sender: String, _ identifier: String) -> String {
    signal(sender, "13 \(identifier) 0200 0100")
  }

  private static func reject(_ sender: String, _ identifier: String) -> String {
    signal(sender, "01 \(identifier) 0200 0000")
  }

  /// `by_peer` of each refusal; nil if it is not there.
  private static func sides(_ it: HCIPackets) -> [Bool?] {
    it.json(kind).map { json in
      json.contains(#""by_peer":true"#) ? true : json.contains(#""by_peer":false"#) ? false : nil
    }
  }

  @Test func directionNotRecorded() {
    let refused = HCIPackets([Self.request("?", "05"), Self.refusal("?", "05")])
    #expect(refused.reported.last?.text == "requested connection parameters refused")
    #expect(Self.sides(refused) == [nil])
    #expect(refused.rules == ["link.parameters-refused"])
    let rejected = HCIPackets([Self.request("?", "05"), Self.reject("?", "05")])
    #expect(
      rejected.reported.last?.text
        == "request for connection parameters rejected: command not understood")
    #expect(Self.sides(rejected) == [nil])
    // The beginning of the exchange is not in the capture.
    #expect(Self.sides(HCIPackets([Self.refusal("?", "05")])) == [nil])
  }

  /// Only the Peripheral asks by L2CAP, and only the Central answers.
  @Test(arguments: [true, false]) func rolesReport(_ isCentral: Bool) {
    let connected = Self.connected(isCentral: isCentral)
    let host = isCentral ? "this host" : "peer"
    let refused = HCIPackets([connected, Self.request("?", "05"), Self.refusal("?", "05")])
    #expect(refused.reported.last?.text == "\(host) refuses the requested connection parameters")
    #expect(Self.sides(refused) == [!isCentral])
    let rejected = HCIPackets([connected, Self.request("?", "05"), Self.reject("?", "05")])
    #expect(rejected.reported.last?.text == "\(host) \(Self.rejected)")
    #expect(Self.sides(rejected) == [!isCentral])
  }

  /// Each side numbers its own requests, and both may use the same number at once.
  @Test(arguments: ["07", "05"]) func requestsOfBothSides(_ identifier: String) {
    let it = HCIPackets([
      Self.connected(isCentral: false), Self.request(">", "05"), Self.request("", identifier),
      Self.reject("", "05"), Self.reject(">", identifier),
    ])
    #expect(it.texts(after: 3) == ["peer \(Self.rejected)", "this host \(Self.rejected)"])
    #expect(Self.sides(it) == [true, false])
  }

  @Test(arguments: ["07", "05"]) func requestsOfBothSidesUndirected(_ identifier: String) {
    let it = HCIPackets([
      Self.request("?", "05"), Self.request("?", identifier, maximum: "18"),
      Self.reject("?", "05"), Self.reject("?", identifier), Self.reject("?", "05"),
    ])
    #expect(Self.sides(it) == [nil, nil])
  }

  /// An answer to one request leaves the others waiting.
  @Test func answersOfOthers() {
    let accepted = Self.signal("", "13 06 0200 0000")
    let it = HCIPackets([
      Self.connected(isCentral: false), Self.request(">", "05"), Self.request(">", "06"), accepted,
      Self.reject("", "06"), Self.reject("", "05"), Self.reject("", "05"),
    ])
    #expect(Self.sides(it) == [true])
  }

  /// A number that another request has taken over no longer stands for the one before.
  /// - Parameter other: LE Credit Based Connection Request; Information Request, which LE does not have, so that the
  ///   Command Reject is for it. Table 4.2
  @Test(arguments: ["14 05 0a00 8000 4000 4000 4000 0100", "0a 05 0200 0200"])
  func identifierUsedAgain(_ other: String) {
    let it = HCIPackets([
      Self.connected(isCentral: false), Self.request(">", "05"), Self.signal(">", other),
      Self.reject("", "05"),
    ])
    #expect(it.json(Self.kind).isEmpty)
  }

  /// Nothing shows which of two requests with the same number is rejected; a response shows it.
  @Test func rejectOfOneOfTwo() {
    let channel = Self.signal("?", "14 05 0a00 8000 4000 4000 4000 0100")
    let it = HCIPackets([
      channel, Self.request("?", "05"), Self.reject("?", "05"),
      Self.signal("?", "15 05 0a00 0000 0000 0000 0000 0200"), Self.refusal("?", "05"),
    ])
    #expect(Self.sides(it) == [nil])
    let refused = it.json("channel-refused")
    #expect(refused.count == 1)
    #expect(refused.allSatisfy { $0.contains(#""command_reject":false"#) })
  }
}
