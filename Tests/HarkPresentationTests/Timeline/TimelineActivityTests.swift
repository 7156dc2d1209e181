import HarkCore
import HarkCrypto
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// Live Activities, and what accessories and phones say went wrong.
@Suite struct TimelineActivityTests {
  static let pizza: AccessoryLiveActivity = {
    var activity = AccessoryLiveActivity()
    (activity.identifier, activity.sourceIdentifier) = ("A1", "com.acme.pizza")
    (activity.sourceName, activity.state, activity.relevance) = ("Pizza", "active", 0.5)
    (activity.title, activity.body) = ("On its way", "12 min")
    return activity
  }()

  static let table: [(AccessoryContent, String)] = [
    (
      .liveActivity(pizza, .start),
      "new Live Activity from Pizza: “On its way” “12 min”; state active; relevance 0.5; id A1"
    ),
    (
      .liveActivity(pizza, .alert),
      "updated Live Activity from Pizza, with an alert: “On its way” “12 min”; state active; "
        + "relevance 0.5; id A1"
    ),
    (.liveActivity(.init(), .update), "updated Live Activity"),
    (.liveActivity(.init(), .end), "Live Activity ended"),
    (.failure(.init(isRefusal: true)), "accessory refuses without a reason"),
    (
      .failure(.init(isRefusal: true, error: "busy", message: "Charging")),
      "accessory refuses: busy “Charging”"
    ),
    (.failure(.init(isRefusal: false, error: "7")), "accessory reports an error: 7"),
  ]

  @Test(arguments: table) func sentences(_ content: AccessoryContent, _ expected: String) {
    #expect(content.words(nil, from: .accessoryToHost).text == expected)
  }

  @Test func phone() {
    let content = AccessoryContent.failure(.init(isRefusal: true))
    #expect(content.words(nil, from: .hostToAccessory).text == "phone refuses without a reason")
  }

  private static func json(_ content: AccessoryContent) -> String {
    var json = JSONText()
    json.object { $0.members { sink in content.describe(to: &sink) } }
    return json.text.string
  }

  @Test func json() {
    #expect(
      Self.json(.liveActivity(Self.pizza, .start)) == """
        {"type":"live-activity-start","identifier":"A1","source_identifier":"com.acme.pizza",\
        "source":"Pizza","state":"active","relevance":"0.5","title":"On its way",\
        "body":"12 min"}
        """)
    #expect(
      Self.json(
        .failure(.init(isRefusal: true, error: "busy", message: "Charging", commandID: "C7")))
        == #"{"type":"refusal","error":"busy","message":"Charging","command":"C7"}"#)
    #expect(
      Self.json(
        .transport(.dataEvent(.plaintext(data: [1, 2], featureID: "F")), sessionID: "F"))
        == #"{"type":"transport-message","session":"F","data_kind":"plaintext","size":2}"#)
  }

  /// A person should look at what was refused or failed; texts of users are marked.
  @Test func oddAndPersonal() {
    #expect(AccessoryContent.failure(.init(isRefusal: true)).isOdd)
    #expect(!AccessoryContent.liveActivity(Self.pizza, .alert).isOdd)
    let words = AccessoryContent.liveActivity(Self.pizza, .start).words(nil)
    let utf8 = Array(words.text.utf8)
    let marked = words.personal.map { String(decoding: utf8[$0], as: UTF8.self) }
    #expect(marked == ["Pizza", "On its way", "12 min", "active", "A1"])
  }
}
