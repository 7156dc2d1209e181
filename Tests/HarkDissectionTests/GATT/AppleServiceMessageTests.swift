import HarkCore
import Testing

@testable import HarkDissection

/// What values of ANCS and AMS say as messages. Bytes by hand from Apple's specifications of the services.
@Suite struct AppleServiceMessageTests {
  /// ANCS Specification, Notification Source
  @Test func notice() {
    let notice = ANCSNotice(hex("01 1c 06 03 05 00 00 01").raw)
    #expect(ANCSNotice.EventID(rawValue: notice.event) == .notificationModified)
    #expect(notice.flags == [.preExisting, .positiveAction, .negativeAction])
    #expect(notice.category == 6 && notice.categoryCount == 3 && notice.uid == 0x0100_0005)
  }

  /// ANCS Specification, Control Point
  @Test func commands() {
    let attributes = ANCSCommand(hex("00 05 00 00 00 00 01 40 00 03 00 01 05").raw)
    #expect(attributes.uid == 5 && attributes.attributes == [0, 1, 3, 5])
    #expect(attributes.subject == 0..<5 && attributes.maximumLengthOctets == nil)
    #expect(ANCSCommand(hex("00 05 00 00 00 00 01 40").raw).maximumLengthOctets == 1)

    let app = ANCSCommand(hex("01 61 2e 62 00 00").raw)
    #expect(app.appIdentifier == 1..<4 && app.subject == 0..<5 && app.attributes == [0])
    #expect(ANCSCommand(hex("01 61 2e 62").raw).appIdentifier == nil)

    let action = ANCSCommand(hex("02 05 00 00 00 01").raw)
    #expect(action.uid == 5)
    #expect(action.action.flatMap { ANCSCommand.ActionID(rawValue: $0) } == .negative)
  }

  /// ANCS Specification, Data Source: the last attribute continues in the next value.
  @Test func answers() {
    let text = "00 05 00 00 00 01 02 00 48 69 02 00 00 03 20 00 79 6f"
    let answer = ANCSAnswer(hex(text).raw, most: 64)
    #expect(answer.isOfCommand && answer.uid == 5)
    #expect(answer.attributes.map(\.id) == [1, 2])
    #expect(answer.attributes.map(\.value) == [8..<10, 13..<13])
    #expect(answer.endsInAttribute && answer.end == 13)
    let first = ANCSAnswer(hex(text).raw, most: 1)
    #expect(first.attributes.map(\.id) == [1] && first.end == 10 && !first.endsInAttribute)

    let app = ANCSAnswer(hex("01 61 2e 62 00 00 01 00 42").raw, most: 64)
    #expect(app.appIdentifier == 1..<4 && app.attributes.map(\.value) == [8..<9])
    #expect(!ANCSAnswer(hex("02 05 00 00 00").raw, most: 64).isOfCommand)
    #expect(ANCSAnswer(hex("").raw, most: 64).code == nil)
  }

  private func media(
    _ characteristic: AMSMessage.Characteristic, isWritten: Bool, _ text: String
  ) -> AMSMessage {
    AMSMessage(hex(text).raw, of: characteristic, isWritten: isWritten)
  }

  /// AMS Specification, Remote Command, Entity Update, Entity Attribute
  @Test func media() {
    guard case .command(3) = media(.remoteCommand, isWritten: true, "03"),
      case .supportedCommands(0..<3) = media(.remoteCommand, isWritten: false, "00 01 02"),
      case .supportedCommands(0..<0) = media(.remoteCommand, isWritten: false, ""),
      case .watch(entity: 2, attributes: 1..<3) = media(
        .entityUpdate, isWritten: true, "02 00 02"),
      case .update(entity: 2, attribute: 2, isTruncated: true, value: 3..<5) = media(
        .entityUpdate, isWritten: false, "02 02 01 48 69"),
      case .choose(entity: 2, attribute: 2) = media(.entityAttribute, isWritten: true, "02 02"),
      case .chosenValue(0..<2) = media(.entityAttribute, isWritten: false, "48 69"),
      case .other = media(.entityUpdate, isWritten: false, "02 02")
    else {
      Issue.record("another message")
      return
    }
    #expect(AMSMessage.Attribute(1, of: 0) == .playbackInfo)
    #expect(AMSMessage.Attribute(3, of: 2) == .duration)
    #expect(AMSMessage.Attribute(2, of: 2) == .other)
    for characteristic in AMSMessage.Characteristic.allCases {
      #expect(
        AMSMessage.Characteristic(AMSMessage.type(of: characteristic)) == characteristic)
    }
  }
}
