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
enum ANCSNotificationSource: Dissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let places: [AttachmentPoint] = [
    .attribute(BluetoothUUID(high: 0x9FBF_120D_6301_42D9, low: 0x8C58_25E6_99A2_1DBD))
  ]
  static let fields = ANCSFields.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.event)
    try pdu.u8(fields.flags)
    try pdu.u8(fields.category)
    try pdu.u8(fields.categoryCount)
    try pdu.u32(fields.uid)
  }
}

/// 3: Control Point.
enum ANCSControlPoint: Dissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let type = BluetoothUUID(high: 0x69D1_D8F3_45E1_49A8, low: 0x9821_9BBD_FDAA_D9D9)
  static let places: [AttachmentPoint] = [.attribute(type)]
  static let fields = ANCSFields.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.command) {
    case 0:
      try pdu.u32(fields.uid)
      while pdu.remaining > 0 {
        try pdu.group(fields.attributes) { pdu throws(Malformed) in
          // Title, Subtitle and Message are cut by the phone to a length it is told.
          if 1...3 ~= (try pdu.u8(fields.attribute)) { try pdu.u16(fields.maximumLength) }
        }
      }
    case 1:
      try pdu.terminated(fields.appIdentifier)
      while pdu.remaining > 0 { try pdu.u8(fields.appAttribute) }
    case 2:
      try pdu.u32(fields.uid)
      try pdu.u8(fields.action)
    default: break
    }
  }
}

/// 4: Data Source. A response may take several values, of which the first alone says what it is.
enum ANCSDataSource: Dissector {
  static let name: StaticString = "ANCS"
  static let path: StaticString = "ancs"
  static let specification: StaticString = "Apple Notification Center Service Specification"
  static let places: [AttachmentPoint] = [
    .attribute(BluetoothUUID(high: 0x22EA_C6E9_24D6_4BB5, low: 0xBE44_B36A_CE7C_7BFB))
  ]
  static let fields = ANCSFields.shared

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.context.continuesMessage {
      pdu.rest(fields.continuation)
      return
    }
    switch try pdu.u8(fields.command) {
    case 0:
      try pdu.u32(fields.uid)
      try attributes(fields.attribute, &pdu)
    case 1:
      try pdu.terminated(fields.appIdentifier)
      try attributes(fields.appAttribute, &pdu)
    default: break
    }
  }

  private static func attributes(
    _ identifier: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      // The value may end anywhere: the next one goes on.
      guard pdu.remaining >= 3 else {
        pdu.rest(fields.continuation)
        return
      }
      try pdu.group(fields.attributes) { pdu throws(Malformed) in
        try pdu.u8(identifier)
        let length = Int(try pdu.u16(fields.length))
        if length == 0 { return }
        let count = min(length, pdu.remaining)
        if count > 0 { try pdu.bytes(count, fields.value) }
        if count < length {
          pdu.note(.info, "the attribute goes on in the next value", over: count)
        }
      }
    }
  }
}
