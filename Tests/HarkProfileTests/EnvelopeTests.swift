import HarkCore
import HarkSession
import Testing

@testable import HarkProfile

/// Envelopes in sealed plaintexts: what is inside counts, and each one is shown.
struct EnvelopeTests {
  private static let text = """
    profile:
      id: acme
    channels:
      - l2cap-psm: 0x81
        encoding: json
        messages:
          - is: transport.message
            session-id: session
            data: sealed.base64
    plaintext:
      - encoding: json
        message-id: id
        messages:
          - when: type == "outer"
            is: envelope
            body: body.base64
            encoding: json
            messages:
              - when: type == "inner"
                is: envelope
                body: body.hex
                encoding: cbor
                messages:
                  - is: notification.add
                    notification-identifier: id
                    title: title
                    actions:
                      each: actions
                      identifier: id
                      title: name
              - is: notification.remove-all
    """

  /// {"id": "n1", "title": "Hi", "actions": [{"id": "a", "name": "Open"}, {"id": "b"}]} in CBOR, RFC 8949.
  private static let notification =
    "a3626964626e31657469746c6562486967616374696f6e7382a262696461"
    + "61646e616d65644f70656ea16269646162"

  /// Base64 of {"type":"inner","body":"…"}.
  private static func outer(_ inner: String) -> [UInt8] {
    var characters = Base64.characters(Array(inner.utf8), isURL: false)
    while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
    return Array(
      "{\"type\":\"outer\",\"id\":7,\"body\":\"\(String(decoding: characters, as: UTF8.self))\"}"
        .utf8)
  }

  private static func profile() throws -> Profile {
    try Profile.load("p.yaml", from: MadeFiles(texts: ["p.yaml": text]))
  }

  @Test func twoEnvelopes() throws {
    let profile = try Self.profile()
    let plaintext = Self.outer("{\"type\":\"inner\",\"body\":\"\(Self.notification)\"}")
    let decoded = profile.framing.decode(plaintext: plaintext, direction: .hostToAccessory)
    guard case .add(let notification) = decoded.contents.first else {
      Issue.record("\(decoded)")
      return
    }
    #expect(notification.identifier?.notificationIdentifier == "n1" && notification.title == "Hi")
    #expect(notification.actions.map(\.identifier) == ["a", "b"])
    // From the outermost inwards, each with the bytes that it carries.
    #expect(decoded.envelopes.map(\.encoding) == ["JSON", "CBOR"])
    #expect(decoded.envelopes.last?.bytes == Hex.bytes(Self.notification))
    #expect(decoded.id == "7" && decoded.problem == nil)
    let trees = profile.trees(plaintext: plaintext, direction: .hostToAccessory)
    #expect(trees.map { $0.rule?.kind } == ["envelope", "envelope", "notification.add"])
    let actions = try #require(trees.last?.rule?.lists.first)
    #expect(actions.name == "actions")
    #expect(
      actions.items.map { $0.map { "\($0.name) \($0.value ?? "-")" } } == [
        ["identifier \"a\"", "title \"Open\""], ["identifier \"b\"", "title -"],
      ])
    // Where they are in the file.
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
    for member in actions.items.joined() {
      #expect(lines[member.line - 1].contains("\(member.name): "))
    }
  }

  @Test func oneEnvelope() throws {
    let profile = try Self.profile()
    let plaintext = Self.outer("{\"type\":\"clear\"}")
    let decoded = profile.framing.decode(plaintext: plaintext, direction: .hostToAccessory)
    guard case .removeAllNotifications = decoded.contents.first else {
      Issue.record("\(decoded)")
      return
    }
    #expect(decoded.envelopes.count == 1)
  }

  /// An envelope without its body, and one whose body is not what it is said to be: named, and nothing is made up.
  @Test(arguments: ["{\"type\":\"outer\"}", "{\"type\":\"outer\",\"body\":\"!\"}"])
  func damaged(_ text: String) throws {
    let decoded = try Self.profile().framing.decode(
      plaintext: Array(text.utf8), direction: .hostToAccessory)
    #expect(decoded.problem != nil && decoded.contents.isEmpty)
  }

  @Test func damagedInside() throws {
    let profile = try Self.profile()
    let decoded = profile.framing.decode(
      plaintext: Self.outer("{\"type\":\"inner\",\"body\":\"a3626964\"}"),
      direction: .hostToAccessory)
    #expect(decoded.problem != nil && decoded.contents.isEmpty)
  }
}
