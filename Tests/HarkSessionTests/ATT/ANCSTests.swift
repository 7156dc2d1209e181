import HarkCore
import HarkCrypto
import HarkDissection
import Testing

@testable import HarkSession

struct ANCSTests {
  let source = ANCS.notificationSource
  let control = ANCS.controlPoint
  let data = ANCS.dataSource

  static func attribute(_ id: UInt8, _ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [id, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
  }

  /// The answer to a request of AppIdentifier, Title (32), Message (64), Date and the action labels.
  static let request = hex("00 05000000 00 01 2000 03 4000 05 06 07")
  static let answer =
    hex("00 05000000") + attribute(0, "com.apple.MobileSMS") + attribute(1, "Mara")
    + attribute(3, "The 17:10 is on time.") + attribute(5, "20261120T164107")
    + attribute(6, "Reply") + attribute(7, "Clear")

  func contents(_ events: [AccessoryEvent]) -> [AccessoryContent] { events.flatMap(\.contents) }

  @Test func recognised() {
    #expect(VendorFramings.builtIn.named(by: ANCS.service)?.name == ANCS.name)
    for characteristic in [source, control, data] {
      #expect(VendorFramings.builtIn.using(characteristic: characteristic)?.name == ANCS.name)
    }
    #expect(ANCS.service.description == "7905F431-B5CE-4E99-A40F-4B1E122D00D0")
    #expect(source.description == "9FBF120D-6301-42D9-8C58-25E699A21DBD")
    #expect(control.description == "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9")
    #expect(data.description == "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB")
  }

  @Test func announcement() throws {
    var air = Air(ANCS.framing)
    let added = air.send(hex("00 1b 06 03 05000000"), on: source, .notification)
    guard case .add(let notification) = try #require(contents(added).first) else {
      Issue.record("\(added)")
      return
    }
    #expect(notification.identifier?.notificationIdentifier == "5")
    #expect(notification.category == .init(id: 6, count: 3))
    #expect(notification.isImportant)
    #expect(notification.alerting.shouldAlert == false)
    #expect(notification.actions.map(\.identifier) == ["positive", "negative"])
    #expect(added.first?.direction == .hostToAccessory)
    let modified = air.send(hex("01 00 06 03 05000000"), on: source, .notification)
    guard case .update(let update) = try #require(contents(modified).first) else {
      Issue.record("\(modified)")
      return
    }
    #expect(update.actions.isEmpty)
    #expect(modified.first?.plain?.answers?.packet == PacketID(1))
    let removed = air.send(hex("02 00 06 03 05000000"), on: source, .notification)
    #expect(contents(removed) == [.remove(.init(notificationIdentifier: "5"))])
  }

  @Test(arguments: [20, 7, 182]) func reassembly(_ size: Int) throws {
    var air = Air(ANCS.framing)
    _ = air.send(hex("00 18 04 01 05000000"), on: source, .notification)
    let asked = air.send(Self.request, on: control)
    let identifier = AccessoryNotification.Identifier(notificationIdentifier: "5")
    #expect(contents(asked) == [.request(.notificationAttributes(identifier, [0, 1, 3, 5, 6, 7]))])
    #expect(asked.first?.direction == .accessoryToHost)
    var events: [AccessoryEvent] = []
    var values = 0
    for start in stride(from: 0, to: Self.answer.count, by: size) {
      #expect(events.isEmpty)
      let part = Self.answer[start..<min(start + size, Self.answer.count)]
      events = air.send(Array(part), on: data, .notification)
      values += 1
      #expect(air.channel.continuesMessage == (values > 1))
    }
    let event = try #require(events.first)
    #expect(events.count == 1)
    #expect(event.origin.values == values)
    #expect(event.frames.count == values)
    #expect(event.plain?.bytes == Self.answer)
    #expect(event.plain?.answers?.packet == PacketID(2))
    #expect(event.plain?.isUnasked == false)
    guard case .present(let notification) = try #require(event.contents.first) else {
      Issue.record("\(event)")
      return
    }
    #expect(notification.identifier?.sourceIdentifier == "com.apple.MobileSMS")
    #expect(notification.title == "Mara")
    #expect(notification.subtitle == nil)
    #expect(notification.body == "The 17:10 is on time.")
    // date -u -d '2026-11-20 16:41:07' +%s
    #expect(notification.deliveryDate == Timestamp(microseconds: 1_795_192_867_000_000))
    #expect(notification.actions.map(\.title) == ["Reply", "Clear"])
    #expect(notification.category == .init(id: 4, count: 1))
  }

  @Test func application() {
    var air = Air(ANCS.framing)
    _ = air.send([1] + Array("a.b".utf8) + [0, 0], on: control)
    let events = air.send(
      [1] + Array("a.b".utf8) + [0] + Self.attribute(0, "Mail"), on: data, .notification)
    #expect(contents(events) == [.application(identifier: "a.b", displayName: "Mail")])
    _ = air.send(hex("00 07000000 00"), on: control)
    let answer = air.send(
      hex("00 07000000") + Self.attribute(0, "a.b"), on: data, .notification)
    guard case .present(let notification)? = contents(answer).first else {
      Issue.record("\(answer)")
      return
    }
    #expect(notification.sourceName == "Mail")
  }

  /// Its announcement, with the flags, is not in the capture.
  @Test func action() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    _ = air.send(Self.answer, on: data, .notification)
    let performed = air.send(hex("02 05000000 00"), on: control)
    let response = AccessoryContent.response(
      NotificationResponse(
        identifier: .init(
          sourceIdentifier: "com.apple.MobileSMS", notificationIdentifier: "5"),
        actionIdentifier: "Reply", userText: nil))
    #expect(contents(performed) == [response])
    #expect(performed.first?.direction == .accessoryToHost)
    let refused = air.send(hex("02 05000000 00"), on: control, .refused(0xA3))
    #expect(contents(refused) == [.refused(response, error: 0xA3, of: control)])
    #expect(refused.first?.severity == .warning)
  }

  /// A refused request is not waited for.
  @Test func refused() {
    var air = Air(ANCS.framing)
    let refused = air.send(Self.request, on: control, .refused(0xA2))
    guard case .refused(.request, error: 0xA2, of: control)? = contents(refused).first else {
      Issue.record("\(refused)")
      return
    }
    #expect(air.close().isEmpty)
  }

  // MARK: What goes wrong

  @Test func answerWithoutRequest() {
    var air = Air(ANCS.framing)
    let events = air.send(Self.answer, on: data, .notification)
    #expect(events.first?.plain?.isUnasked == true)
    #expect(events.first?.plain?.answers == nil)
  }

  @Test func neverAnswered() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    let events = air.close()
    #expect(events.map(\.gap) == [.noAnswer(.linkClosed)])
    #expect(events.first?.frames == [PacketID(1)])
  }

  /// A phone that answers in another order than asked.
  @Test func answersInAnotherOrder() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    _ = air.send(hex("00 06000000 01 2000"), on: control)
    let later = air.send(
      hex("00 06000000") + Self.attribute(1, "Next"), on: data, .notification)
    #expect(later.count == 1 && later.first?.plain?.answers?.packet == PacketID(2))
    let earlier = air.send(Self.answer, on: data, .notification)
    #expect(earlier.first?.plain?.isUnasked == false)
    #expect(earlier.first?.plain?.answers?.packet == PacketID(1))
    #expect(air.close().isEmpty)
  }

  /// A request that a later one overtook is asked again, and only that is answered.
  @Test func askedAgain() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    _ = air.send(hex("00 06000000 01 2000"), on: control)
    _ = air.send(hex("00 06000000") + Self.attribute(1, "Next"), on: data, .notification)
    let again = air.send(Self.request, on: control)
    #expect(again.compactMap(\.gap) == [.noAnswer(.startedAgain)])
    #expect(again.first?.frames == [PacketID(1)])
    let answer = air.send(Self.answer, on: data, .notification)
    #expect(answer.first?.plain?.answers?.packet == PacketID(4))
    #expect(air.close().isEmpty)
  }

  /// The phone can answer only over Data Source: a request before the subscription gets no answer.
  @Test func askedBeforeTheSubscription() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    #expect(air.send([1, 0], on: data, .subscribe(true)).isEmpty)
    let again = air.send(Self.request, on: control)
    #expect(again.compactMap(\.gap) == [.noAnswer(.startedAgain)])
    #expect(again.first?.frames == [PacketID(1)])
    let answer = air.send(Self.answer, on: data, .notification)
    #expect(answer.first?.plain?.answers?.packet == PacketID(3))
    #expect(air.close().isEmpty)
  }

  /// If the subscription was stored with the bond, and is written again, the earlier request is answered.
  @Test func subscribedAgainBeforeTheAnswer() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    _ = air.send([1, 0], on: data, .subscribe(true))
    let answer = air.send(Self.answer, on: data, .notification)
    #expect(answer.first?.plain?.answers?.packet == PacketID(1))
    #expect(air.close().isEmpty)
  }

  @Test func neverCompleted() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    #expect(air.send(Array(Self.answer.prefix(20)), on: data, .notification).isEmpty)
    #expect(air.close(.captureEnded).map(\.gap) == [.moreWithoutLast(.captureEnded)])
  }

  /// A value of the answer is lost: the next request's answer begins before this one is whole.
  @Test func lostValue() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    _ = air.send(hex("00 06000000 01 2000"), on: control)
    _ = air.send(Array(Self.answer.prefix(20)), on: data, .notification)
    let events = air.send(
      hex("00 06000000") + Self.attribute(1, "Next"), on: data, .notification)
    #expect(events.first?.gap == .moreWithoutLast(.startedAgain))
    guard case .present(let notification)? = events.last?.contents.first else {
      Issue.record("\(events)")
      return
    }
    #expect(notification.title == "Next")
  }

  @Test func cut() {
    var air = Air(ANCS.framing)
    _ = air.send(Self.request, on: control)
    let cut = air.send(Array(Self.answer.prefix(20)), on: data, .notification, missing: 30)
    #expect(cut.map(\.problem) == [.cutByCapture(missingBytes: 30)])
    // What follows belongs to it.
    #expect(air.send(Array(Self.answer[50...]), on: data, .notification).isEmpty)
    #expect(air.close().isEmpty)
  }

  @Test func shortAndUnknown() {
    var air = Air(ANCS.framing)
    let short = air.send(hex("00 18 04"), on: source, .notification)
    #expect(
      short.map(\.problem) == [.tooShort(field: "Notification Source", needed: 8, available: 3)])
    let unknown = air.send(hex("03 18 04 01 05000000"), on: source, .notification)
    #expect(unknown.map(\.problem) == [.unknownType(3)])
    #expect(air.send(hex("07 00"), on: control).map(\.problem) == [.unknownType(7)])
    let middle = air.send(hex("41 42 43"), on: data, .notification)
    #expect(middle.map(\.gap) == [.continuationWithoutFirst])
  }

  /// A capture may not fill the memory, nor take time that grows with its square.
  @Test func bounds() {
    var air = Air(ANCS.framing)
    var gaps = 0
    for number in 0..<10_000 {
      gaps += air.send([0, UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0], on: control)
        .count { $0.gap != nil }
    }
    #expect(gaps == 10_000 - 16)
    #expect(air.close().count == 16)
    _ = air.send(hex("00 05000000") + [UInt8](repeating: 0, count: 300), on: control)
    var tooLarge = false
    for _ in 0..<3_000 {
      let events = air.send(
        hex("00 05000000") + [0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 300), on: data,
        .notification)
      if case .tooLarge? = events.first?.gap { tooLarge = true }
    }
    #expect(tooLarge || air.close().count < 3_000)
  }
}

struct AMSTests {
  let command = AMSMessage.type(of: .remoteCommand)
  let update = AMSMessage.type(of: .entityUpdate)
  let attribute = AMSMessage.type(of: .entityAttribute)

  func media(_ events: [AccessoryEvent]) -> [AccessoryContent] { events.flatMap(\.contents) }

  @Test func recognised() {
    #expect(VendorFramings.builtIn.named(by: AMS.service)?.name == AMS.name)
    #expect(command.description == "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2")
    #expect(update.description == "2F7CABCE-808D-411F-9A0C-BB92BA96C102")
    #expect(attribute.description == "C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7")
  }

  @Test func messages() {
    var air = Air(AMS.framing)
    #expect(
      media(air.send([0, 1, 3], on: command, .notification)) == [
        .media(.supportedCommands([0, 1, 3]))
      ])
    #expect(media(air.send([3], on: command)) == [.media(.command(3))])
    #expect(
      media(air.send([2, 0, 2], on: update)) == [.media(.watch(entity: 2, attributes: [0, 2]))])
    let title = air.send([2, 2, 1] + Array("Song".utf8), on: update, .notification)
    #expect(
      media(title) == [.media(.update(entity: 2, attribute: 2, value: "Song", isTruncated: true))])
    #expect(media(air.send([2, 2], on: attribute)) == [.media(.choose(entity: 2, attribute: 2))])
    let whole = air.send(Array("Song of songs".utf8), on: attribute, .read)
    #expect(
      media(whole) == [
        .media(.update(entity: 2, attribute: 2, value: "Song of songs", isTruncated: false))
      ])
    #expect(whole.first?.plain?.answers?.packet == PacketID(5))
    #expect(
      media(air.send([3], on: command, .refused(0xA0))) == [
        .refused(.media(.command(3)), error: 0xA0, of: command)
      ])
  }

  @Test func whatWasNotSeen() {
    var air = Air(AMS.framing)
    #expect(media(air.send([0x41], on: attribute, .read)) == [.media(.unknownValue("A"))])
    #expect(
      air.send([2, 2], on: update, .notification).map(\.problem) == [
        .tooShort(field: "EntityUpdateFlags", offset: 2, needed: 1, available: 0)
      ])
  }
}

extension AccessoryEvent {
  var plain: PlainMessage? { if case .plain(let message) = content { message } else { nil } }
  var contents: [AccessoryContent] { plain?.contents ?? [] }
}

extension ANCSTests {
  /// Flags: EventFlagPositiveAction, and not EventFlagNegativeAction. Apple, ANCS, Appendix
  @Test func actionsNotOffered() throws {
    var air = Air(ANCS.framing)
    func doubt(_ events: [AccessoryEvent]) throws -> NotificationResponse.Doubt? {
      guard case .response(let response) = try #require(contents(events).first) else {
        Issue.record("\(events)")
        return nil
      }
      return response.doubt
    }
    // Nothing is known of what it offers.
    #expect(try doubt(air.send(hex("02 05000000 01"), on: control)) == nil)
    // Of a connection that is in the capture from its beginning, all is known. Apple, ANCS, Notification Source
    var whole = Air(ANCS.framing)
    whole.isLinkWhole = true
    // The subscription may be that of an earlier connection of the same bond.
    #expect(try doubt(whole.send(hex("02 05000000 01"), on: control)) == nil)
    _ = whole.send([1, 0], on: source, .subscribe(true))
    #expect(try doubt(whole.send(hex("02 05000000 01"), on: control)) == .notAnnounced)
    _ = whole.send(hex("00 10 04 01 05000000"), on: source, .notification)
    #expect(try doubt(whole.send(hex("02 05000000 01"), on: control)) == nil)
    _ = air.send(hex("00 08 04 01 05000000"), on: source, .notification)
    #expect(try doubt(air.send(hex("02 05000000 00"), on: control)) == nil)
    #expect(try doubt(air.send(hex("02 05000000 01"), on: control)) == .notOffered)
    _ = air.send(hex("02 00 04 01 05000000"), on: source, .notification)
    #expect(try doubt(air.send(hex("02 05000000 00"), on: control)) == .removed)
  }

  /// Notification Source is recognized only with the ninth notification: an action on the first one is on one of this
  /// connection.
  @Test func recognizedLate() {
    var records = [IdentityTests.connected("00", IdentityTests.identity)]
    for uid in 1...9 {
      records.append(.pdu(4, "1b 1000 00 10 04 01 0\(uid)000000", received: true))
    }
    for (sent, received) in [
      ("12 1200 00 09000000 00", "13"), ("12 1200 02 01000000 01", "13"),
      ("12 1200 02 0a000000 01", "13"),
    ] {
      records += [.pdu(4, sent, received: false), .pdu(4, received, received: true)]
      guard sent.hasSuffix(" 00") else { continue }
      records.append(.pdu(4, "1b 1400 00 09000000 00 0300 612e62", received: true))
    }
    var responses: [NotificationResponse] = []
    for event in MadeRecord.session(records).events {
      guard case .accessory(let it) = event.content else { continue }
      for case .response(let response) in it.contents { responses.append(response) }
    }
    #expect(responses.map(\.identifier.notificationIdentifier) == ["1", "10"])
    #expect(responses.map(\.doubt) == [nil, nil])
  }

  /// A command that Remote Command did not announce, and texts that are no numbers. Apple, AMS
  @Test func media() throws {
    var air = Air(AMS.framing)
    #expect(contents(air.send([2], on: AMS.remoteCommand)) == [.media(.command(2))])
    _ = air.send([0, 1], on: AMS.remoteCommand, .notification)
    #expect(contents(air.send([1], on: AMS.remoteCommand)) == [.media(.command(1))])
    #expect(
      contents(air.send([2], on: AMS.remoteCommand)) == [.media(.command(2, isOffered: false))])
    for (entity, attribute, value, words) in [
      (UInt8(0), UInt8(2), "0.25", "Player Volume: 0.25 of 1"), (0, 2, "", "Player Volume: “”"),
      (0, 1, "1,0.5,", "Player PlaybackInfo: Playing, rate 0.5"),
      (0, 1, "0,,3.5", "Player PlaybackInfo: Paused, at 3.5 s"),
      (0, 1, "1,x,3", "Player PlaybackInfo: “1,x,3”"),
      (2, 3, "nan", "Track Duration: “nan”"), (2, 3, "61.5", "Track Duration: 61.5 s"),
    ] {
      let update = MediaMessage.update(
        entity: entity, attribute: attribute, value: value, isTruncated: false)
      #expect(update.words.text == words)
    }
  }
}
