import HarkCore
import HarkCrypto
import HarkDissection
import Testing

@testable import HarkCompare
@testable import HarkPresentation
@testable import HarkSession

/// What contents of accessories' messages say about themselves.
@Suite struct AccessoryContentTests {
  static let session = EASession(
    sessionIdentifier: 7, protocolIdentifier: 2, protocolString: "com.acme.lamp")
  static let members =
    #""session_identifier":7,"protocol_identifier":2,"protocol":"com.acme.lamp""#

  /// Members as docs/timeline-json.md has them.
  static let objects: [(AccessoryContent, String)] = [
    (
      .clear(.init(sourceIdentifier: "com.acme", notificationIdentifier: "1")),
      #"{"type":"clear","identifier":"1","source_identifier":"com.acme"}"#
    ),
    (.externalAccessory(session, .open), #"{"type":"external-accessory-open",\#(members)}"#),
    (
      .externalAccessory(session, .status(isAccepted: false)),
      #"{"type":"external-accessory-status",\#(members),"accepted":false}"#
    ),
    (
      .externalAccessory(session, .data(count: 3)),
      #"{"type":"external-accessory-data",\#(members),"size":3}"#
    ),
    (
      .externalAccessory(session, .close(toAccessory: 1, fromAccessory: 2)),
      #"{"type":"external-accessory-close",\#(members),"to_accessory":1,"from_accessory":2}"#
    ),
    (
      .transport(.decision(.reject(error: .unsupported)), sessionID: "S"),
      #"{"error":"unsupported","type":"transport-reject","session":"S"}"#
    ),
    (
      .transport(.completed(.failure(.transportFailed)), sessionID: nil),
      #"{"error":"transportFailed","type":"transport-completed"}"#
    ),
    (
      .security(.sessionRequest, sessionID: "S"),
      #"{"type":"security-session-request","session":"S"}"#
    ),
    (
      .networkSharing(
        .network(
          .init(
            ssid: "Acme", isSSIDBroadcast: false, securityPolicy: ["wpa3"],
            credentials: .password))),
      #"{"type":"wifi-network","ssid":"Acme","is_ssid_broadcast":false,"#
        + #""security_policy":["wpa3"],"credentials":"password"}"#
    ),
    (.networkSharing(.failed(.timeout)), #"{"type":"wifi-error","error":"timeout"}"#),
  ]

  @Test(arguments: objects) func json(_ content: AccessoryContent, _ expected: String) {
    var json = JSONText()
    json.object { $0.members { content.describe(to: &$0) } }
    #expect(json.text.string == expected)
  }

  /// What is of users is marked in the sentence.
  @Test func personalParts() {
    var notification = AccessoryNotification()
    notification.identifier = .init(
      sourceIdentifier: "com.acme.mail", notificationIdentifier: "42")
    notification.title = "Ana"
    notification.body = "Come home"
    notification.actions = [
      .init(identifier: "reply", title: "Reply", type: .textInput(placeholder: nil))
    ]
    let sentence = AccessoryContent.add(notification).words(nil)
    #expect(
      sentence.text
        == "new notification from com.acme.mail: “Ana” “Come home”; actions [Reply…]; id 42")
    let text = Array(sentence.text.utf8)
    #expect(
      sentence.personal.map { String(decoding: text[$0], as: UTF8.self) }
        == ["com.acme.mail", "Ana", "Come home", "Reply", "42"])
  }

  /// Two captures in which users did the same are compared by what happened, not by what was written.
  @Test func steps() {
    var members = StepMembers()
    let identifier = AccessoryNotification.Identifier(notificationIdentifier: "42")
    AccessoryContent.response(
      .init(identifier: identifier, actionIdentifier: "reply", userText: "Yes")
    ).describe(to: &members)
    #expect(members.identity == ["response"] && members.parameters.isEmpty)
    members = StepMembers()
    AccessoryContent.refused(
      .media(.command(3)), error: 0xA0, of: AMSMessage.type(of: .remoteCommand)
    )
    .describe(to: &members)
    #expect(members.identity == ["refused"])
    #expect(members.parameters.map(\.name) == ["error", "error_name"])
  }
}
