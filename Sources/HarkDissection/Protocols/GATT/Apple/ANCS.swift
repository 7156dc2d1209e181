import HarkCore

// Apple Notification Center Service (ANCS): the phone's notifications for an accessory. Apple,
// Apple Notification Center Service (ANCS) Specification; numbers in comments are its chapters.

/// What the characteristics of ANCS share.
struct ANCSFields: Sendable {
  // Appendix: EventID Values, EventFlags, CategoryID Values
  static let eventIDs: [UInt64: StaticString] = [
    0: "Notification Added", 1: "Notification Modified", 2: "Notification Removed",
  ]
  static let eventFlags: [UInt64: StaticString] = [
    0: "Silent", 1: "Important", 2: "PreExisting", 3: "PositiveAction", 4: "NegativeAction",
    5: "Multimedia, as observed",
  ]
  static let categoryIDs: [UInt64: StaticString] = [
    0: "Other", 1: "IncomingCall", 2: "MissedCall", 3: "Voicemail", 4: "Social", 5: "Schedule",
    6: "Email", 7: "News", 8: "HealthAndFitness", 9: "BusinessAndFinance", 10: "Location",
    11: "Entertainment", 12: "ActiveCall, as observed",
  ]
  // Appendix: CommandID Values, NotificationAttributeID Values, ActionID Values, AppAttributeID
  static let commandIDs: [UInt64: StaticString] = [
    0: "Get Notification Attributes", 1: "Get App Attributes", 2: "Perform Notification Action",
  ]
  static let attributeIDs: [UInt64: StaticString] = [
    0: "AppIdentifier", 1: "Title", 2: "Subtitle", 3: "Message", 4: "MessageSize", 5: "Date",
    6: "PositiveActionLabel", 7: "NegativeActionLabel",
  ]
  static let appAttributeIDs: [UInt64: StaticString] = [0: "DisplayName"]
  static let actionIDs: [UInt64: StaticString] = [0: "Positive", 1: "Negative"]

  let event = Field("EventID", names: Self.eventIDs, title: true)
  let flags = Field("EventFlags", .hex, flags: Self.eventFlags, inLine: true)
  let category = Field("CategoryID", names: Self.categoryIDs, inLine: true)
  let categoryCount = Field("CategoryCount")
  let command = Field("CommandID", names: Self.commandIDs, title: true)
  let uid = Field("NotificationUID", inLine: true)
  let appIdentifier = Field("AppIdentifier", .text, inLine: true, personal: .model)
  let action = Field("ActionID", names: Self.actionIDs, inLine: true)
  let attributes = Field("Attribute", .list)
  let attribute = Field("AttributeID", names: Self.attributeIDs, inLine: true)
  let maximumLength = Field("Maximum Length")
  let length = Field("Attribute Length")
  let value = Field("Attribute Value", .text, inLine: true, personal: .text)
  let continuation = Field("Continuation", .bytes, inLine: true)
  let appAttribute = Field("AppAttributeID", names: Self.appAttributeIDs, inLine: true)

  static let shared = ANCSFields()
}

/// 2: Notification Source.
enum ANCSNotificationSource: MessageDissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let places: [AttachmentPoint] = [.attribute(ANCSService.notificationSource)]
  static let fields = ANCSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout ANCSNotice) throws(Malformed) {
    message.event = try pdu.u8(fields.event)
    message.flags = ANCSNotice.EventFlags(rawValue: try pdu.u8(fields.flags))
    message.category = try pdu.u8(fields.category)
    message.categoryCount = try pdu.u8(fields.categoryCount)
    message.uid = try pdu.u32(fields.uid)
  }
}

/// 3: Control Point.
enum ANCSControlPoint: MessageDissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let type = ANCSService.controlPoint
  static let places: [AttachmentPoint] = [.attribute(type)]
  static let fields = ANCSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout ANCSCommand) throws(Malformed) {
    let start = pdu.position
    message.code = try pdu.u8(fields.command)
    switch ANCSCommand.CommandID(rawValue: message.code) {
    case .getNotificationAttributes:
      message.uid = try pdu.u32(fields.uid)
      message.subject = start..<pdu.position
      while pdu.remaining > 0 {
        try pdu.group(fields.attributes) { pdu throws(Malformed) in
          try attribute(&pdu, &message)
        }
      }
    case .getAppAttributes:
      message.appIdentifier = try appIdentifier(&pdu)
      message.subject = start..<pdu.position
      while pdu.remaining > 0 { message.attributes.append(try pdu.u8(fields.appAttribute)) }
    case .performNotificationAction:
      message.uid = try pdu.u32(fields.uid)
      message.action = try pdu.u8(fields.action)
    case nil: break
    }
  }

  private static func attribute(
    _ pdu: inout PDU<some Sink>, _ message: inout ANCSCommand
  ) throws(Malformed) {
    let id = try pdu.u8(fields.attribute)
    message.attributes.append(id)
    guard ANCSCommand.NotificationAttributeID(rawValue: id)?.hasMaximumLength == true else {
      return
    }
    if pdu.remaining < 2 { message.maximumLengthOctets = pdu.remaining }
    try pdu.u16(fields.maximumLength)
  }

  /// Gives where it is, without its NUL.
  static func appIdentifier(_ pdu: inout PDU<some Sink>) throws(Malformed) -> Range<Int> {
    let start = pdu.position
    try pdu.terminated(fields.appIdentifier)
    return start..<pdu.position - 1
  }
}

/// 4: Data Source. A response may take several values, of which the first alone says what it is.
enum ANCSDataSource: MessageDissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let places: [AttachmentPoint] = [.attribute(ANCSService.dataSource)]
  static let fields = ANCSFields.shared

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout ANCSAnswer) throws(Malformed) {
    try read(&pdu, &message, most: .max)
  }

  /// - Parameter most: How many attributes are read.
  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout ANCSAnswer, most: Int
  ) throws(Malformed) {
    if pdu.context.continuesMessage {
      pdu.rest(fields.continuation)
      return
    }
    let code = try pdu.u8(fields.command)
    message.code = code
    switch ANCSCommand.CommandID(rawValue: code) {
    case .getNotificationAttributes:
      message.uid = try pdu.u32(fields.uid)
      try attributes(fields.attribute, &pdu, &message, most: most)
    case .getAppAttributes:
      message.appIdentifier = try ANCSControlPoint.appIdentifier(&pdu)
      try attributes(fields.appAttribute, &pdu, &message, most: most)
    case .performNotificationAction, nil: break
    }
  }

  private static func attributes(
    _ identifier: Field, _ pdu: inout PDU<some Sink>, _ message: inout ANCSAnswer, most: Int
  ) throws(Malformed) {
    message.end = pdu.position
    while pdu.remaining > 0, message.attributes.count < most {
      // The value may end anywhere: the next one continues.
      guard pdu.remaining >= 3 else {
        pdu.rest(fields.continuation)
        return
      }
      try pdu.group(fields.attributes) { pdu throws(Malformed) in
        let id = try pdu.u8(identifier)
        let length = Int(try pdu.u16(fields.length))
        let count = min(length, pdu.remaining)
        let start = pdu.position
        if count > 0 { try pdu.bytes(count, fields.value) }
        if count == length {
          message.attributes.append(.init(id: id, value: start..<pdu.position))
          message.end = pdu.position
        } else {
          message.endsInAttribute = true
          pdu.note(.info, "the attribute continues in the next value", over: count)
        }
      }
    }
  }
}
