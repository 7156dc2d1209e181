import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

struct AccessoryPlaintextTests {
  func event(_ text: String) -> DecodedPlaintext {
    NotifBridge.decode(plaintext: Array(text.utf8), direction: .hostToAccessory)
  }

  func command(_ text: String) -> DecodedPlaintext {
    NotifBridge.decode(plaintext: Array(text.utf8), direction: .accessoryToHost)
  }

  static let addition =
    """
    {"version":3,"id":"A1","kind":"add","sentAt":1,"notification":{"title":"T","subtitle":"",\
    "body":"B","sourceName":"Mail","sourceIdentifier":"com.apple.mail",\
    "notificationIdentifier":"N","threadIdentifier":"th","hasSound":true,"attributes":6,\
    "actions":[{"id":"r","title":"Reply","type":{"textInput":{"placeholder":"Text"}}},\
    {"id":"b","title":"","type":{"background":{}}},{"id":"d","type":{"dismiss":{}}},\
    {"id":"u","type":{"unknown":{"_0":9}}}],"sourceIcon":"QUJDRA==","contextIcon":"",\
    "attachments":[{"id":"X","uti":"public.jpeg","data":"QUJD"},\
    {"uti":"public.png","data":"","unavailableReason":"too large"}],"receivedAt":0,\
    "deliveryDate":10,"displayDate":20,"displayDateIsAllDay":true,"summary":"S",\
    "shouldAlert":true,"isSuppressedByFocus":false,"ignoreSilentMode":false,\
    "alertKind":"incomingCall","isCleared":false}}
    """

  @Test func addEvent() throws {
    let decoded = event(Self.addition)
    #expect(decoded.problem == nil)
    #expect(decoded.version == 3)
    guard case .add(let notification) = decoded.contents.first else {
      Issue.record("not an addition")
      return
    }
    #expect(
      notification.identifier
        == .init(sourceIdentifier: "com.apple.mail", notificationIdentifier: "N"))
    #expect(notification.title == "T")
    #expect(notification.subtitle == nil)
    #expect(notification.attributes == [.timeSensitive, .priority])
    #expect(
      notification.actions.map(\.type)
        == [.textInput(placeholder: "Text"), .background, .dismiss, .unknown(9)])
    #expect(notification.sourceIconSize == 4)
    #expect(notification.contextIconSize == nil)
    #expect(
      notification.attachments
        == [
          .init(uti: "public.jpeg", size: 3),
          .init(uti: "public.png", size: 0, unavailableReason: "too large"),
        ])
    #expect(notification.deliveryDate == Timestamp(nanoseconds: 978_307_210_000_000_000))
    #expect(
      notification.displayDate
        == .allDayDate(Timestamp(nanoseconds: 978_307_220_000_000_000)))
    #expect(notification.alerting.kind == "incomingCall")
    #expect(notification.alerting.hasSound == true)
  }

  @Test func otherEvents() {
    #expect(event("{\"kind\":\"removeAll\"}").contents == [.removeAllNotifications])
    #expect(event("{\"kind\":\"add\"}").problem == .json(.missing(field: "notification")))
    #expect(event("{\"kind\":\"new\"}").problem == .json(.unknownValue(field: "kind")))
    #expect(event("{\"id\":\"x\"}").problem == .json(.missing(field: "kind")))
    #expect(event("{\"kind\":3}").problem == .json(.unknownValue(field: "kind")))
    #expect(event("{\"version\":4,\"kind\":\"removeAll\"}").problem == .version(4))
    #expect(
      event("{\"kind\":\"rem").problem
        == .json(.truncatedJSON(offset: 0, depth: 1, inString: true)))
    #expect(event("").problem == .empty)
    // No time at all: it does not fit into nanoseconds since 1970.
    #expect(event("{\"kind\":\"removeAll\",\"sentAt\":1e300}").sentAt == nil)
    let two = event("{\"kind\":\"removeAll\"}{\"kind\":\"removeAll\"}")
    #expect(two.problem == .json(.concatenatedJSON(objects: 2)))
    #expect(two.contents == [.removeAllNotifications])
  }

  @Test func commands() {
    let identity = "\"identity\":{\"sourceIdentifier\":\"s\",\"notificationIdentifier\":\"n\"}"
    let id = AccessoryNotification.Identifier(sourceIdentifier: "s", notificationIdentifier: "n")
    #expect(command("{\"kind\":\"clear\",\(identity)}").contents == [.clear(id)])
    #expect(
      command("{\"kind\":\"displayed\",\"didAlert\":false,\(identity)}").contents
        == [.displayed(id, didAlert: false)])
    #expect(command("{\"kind\":\"clear\"}").problem == .json(.missing(field: "identity")))
  }

  @Test func binary() {
    let plaintext: [UInt8] =
      [2, 0, 1, 0x54, 0, 0, 0, 1, 0x42, 1, 0x4D, 1, 0x73, 1, 0x6E, 0, 1, 5, 2]
      + [1, 0x72, 1, 0x52, 1, 1, 0x3F, 1, 0x64, 0, 2]
      + [0, 0, 0, 2, 9, 9, 0, 0, 0, 0, 1, 1, 0x75, 0, 0, 0, 3, 7, 7, 7]
    let decoded = NotifBridge.decode(plaintext: plaintext, direction: .hostToAccessory)
    #expect(decoded.problem == nil)
    guard case .present(let notification) = decoded.contents.first else {
      Issue.record("not a notification")
      return
    }
    #expect(notification.title == "T")
    #expect(notification.body == "B")
    #expect(notification.attributes == [.critical, .priority])
    #expect(notification.actions.map(\.type) == [.textInput(placeholder: "?"), .dismiss])
    #expect(notification.sourceIconSize == 2)
    #expect(notification.attachments == [.init(uti: "u", size: 3)])
    #expect(decoded.fields.flatMap { Array($0.range) } == Array(plaintext.indices))
    for count in plaintext.indices.dropFirst() {
      let part = NotifBridge.decode(
        plaintext: Array(plaintext.prefix(count)), direction: .hostToAccessory)
      #expect(part.problem != nil)
      #expect(part.contents.count == 1)
    }
  }

  @Test func binaryCommands() {
    let id = AccessoryNotification.Identifier(sourceIdentifier: "s", notificationIdentifier: "n")
    let remove = NotifBridge.decode(
      plaintext: [0x10, 1, 0x73, 1, 0x6E], direction: .accessoryToHost)
    #expect(remove.contents == [.clear(id)])
    let respond = NotifBridge.decode(
      plaintext: [0x11, 1, 0x73, 1, 0x6E, 1, 0x72, 2, 0x4F, 0x4B], direction: .accessoryToHost)
    #expect(
      respond.contents
        == [
          .response(
            NotificationResponse(identifier: id, actionIdentifier: "r", userText: "OK"))
        ])
    #expect(
      NotifBridge.decode(plaintext: [0x55], direction: .hostToAccessory).problem
        == .unknownType(0x55))
  }
}
