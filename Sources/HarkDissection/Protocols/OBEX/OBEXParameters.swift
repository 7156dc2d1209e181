import HarkCore

/// Application parameters: tags with lengths, which mean what the profile says.
/// PBAP 1.2.3, 6.2.1; MAP 1.4.2, 6.3.1.
struct OBEXParameters: Sendable {
  enum Profile {
    case none, phonebook, messages
  }

  static let phonebookTags: [UInt64: StaticString] = [
    0x01: "Order", 0x02: "SearchValue", 0x03: "SearchProperty", 0x04: "MaxListCount",
    0x05: "ListStartOffset", 0x06: "PropertySelector", 0x07: "Format", 0x08: "PhonebookSize",
    0x09: "NewMissedCalls", 0x0A: "PrimaryFolderVersion", 0x0B: "SecondaryFolderVersion",
    0x0C: "vCardSelector", 0x0D: "DatabaseIdentifier", 0x0E: "vCardSelectorOperator",
    0x0F: "ResetNewMissedCalls", 0x10: "PbapSupportedFeatures",
  ]
  static let messageTags: [UInt64: StaticString] = [
    0x01: "MaxListCount", 0x02: "ListStartOffset", 0x03: "FilterMessageType",
    0x04: "FilterPeriodBegin", 0x05: "FilterPeriodEnd", 0x06: "FilterReadStatus",
    0x07: "FilterRecipient", 0x08: "FilterOriginator", 0x09: "FilterPriority",
    0x0A: "Attachment", 0x0B: "Transparent", 0x0C: "Retry", 0x0D: "NewMessage",
    0x0E: "NotificationStatus", 0x0F: "MASInstanceID", 0x10: "ParameterMask",
    0x11: "FolderListingSize", 0x12: "ListingSize", 0x13: "SubjectLength", 0x14: "Charset",
    0x15: "FractionRequest", 0x16: "FractionDeliver", 0x17: "StatusIndicator",
    0x18: "StatusValue", 0x19: "MSETime", 0x1A: "DatabaseIdentifier",
    0x1B: "ConversationListingVersionCounter", 0x1C: "PresenceAvailability",
    0x1D: "PresenceText", 0x1E: "LastActivity", 0x1F: "FilterLastActivityBegin",
    0x20: "FilterLastActivityEnd", 0x21: "ChatState", 0x22: "ConversationID",
    0x23: "FolderVersionCounter", 0x24: "FilterMessageHandle", 0x25: "NotificationFilterMask",
    0x26: "ConvParameterMask", 0x27: "OwnerUCI", 0x28: "ExtendedData",
    0x29: "MapSupportedFeatures", 0x2A: "MessageHandle", 0x2B: "ModifyText",
  ]
  static let orders: [UInt64: StaticString] = [0: "Indexed", 1: "Alphanumeric", 2: "Phonetic"]
  static let properties: [UInt64: StaticString] = [0: "Name", 1: "Number", 2: "Sound"]
  static let formats: [UInt64: StaticString] = [0: "vCard 2.1", 1: "vCard 3.0"]
  static let offOn: [UInt64: StaticString] = [0: "OFF", 1: "ON"]
  static let charsets: [UInt64: StaticString] = [0: "native", 1: "UTF-8"]
  static let indicators: [UInt64: StaticString] = [
    0: "readStatus", 1: "deletedStatus", 2: "setExtendedData",
  ]
  static let messageTypes: [UInt64: StaticString] = [
    0: "no SMS_GSM", 1: "no SMS_CDMA", 2: "no EMAIL", 3: "no MMS", 4: "no IM",
  ]
  // PBAP 1.2.3, 5.1.4.15
  static let phonebookFeatures: [UInt64: StaticString] = [
    0: "Download", 1: "Browsing", 2: "Database Identifier", 3: "Folder Version Counters",
    4: "vCard Selecting", 5: "Enhanced Missed Calls", 6: "X-BT-UCI vCard Property",
    7: "X-BT-UID vCard Property", 8: "Contact Referencing", 9: "Default Contact Image Format",
  ]

  let parameter = Field("Parameter", .list)
  let phonebook = Tags(phonebookTags)
  let message = Tags(messageTags)
  let unknown = Tags([:])
  let tagLength = Field("Tag Length")
  let order = Field("Order", names: orders)
  let searchProperty = Field("SearchProperty", names: properties)
  let format = Field("Format", names: formats)
  let charset = Field("Charset", names: charsets)
  let notificationStatus = Field("NotificationStatus", names: offOn, inLine: true)
  let indicator = Field("StatusIndicator", names: indicators)
  let types = Field("FilterMessageType", .hex, flags: messageTypes)
  let features = Field("PbapSupportedFeatures", .hex, flags: phonebookFeatures)
  let mask = Field("Mask", .hex)
  let number = Field("Parameter Value", inLine: true)
  let parameterText = Field("Parameter Text", .text, inLine: true, personal: .text)
  let octets = Field("Parameter Data", .bytes, personal: .opaque)

  /// A tag means what its profile says: one path for all.
  struct Tags: Sendable {
    let tag: Field

    init(_ names: [UInt64: StaticString]) { tag = Field("Tag", .hex, names: names) }
  }

  func read(_ profile: Profile, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(parameter) { pdu throws(Malformed) in
        let tags =
          switch profile {
          case .none: unknown
          case .phonebook: phonebook
          case .messages: message
          }
        let tag = try pdu.u8(tags.tag)
        let count = Int(try pdu.u8(tagLength))
        try pdu.inside(count, by: tagLength) { pdu throws(Malformed) in
          if count > 0 { try value(tag, profile, count, &pdu) }
        }
      }
    }
  }

  private func value(
    _ tag: UInt8, _ profile: Profile, _ count: Int, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let field = profile == .phonebook ? phonebookField(tag) : messageField(tag)
    switch count {
    case _ where profile == .none || field == octets || field == parameterText:
      try pdu.bytes(count, profile == .none ? octets : field)
    case 1: try pdu.u8(field)
    case 2: try pdu.u16be(field)
    case 4: try pdu.u32be(field)
    case 8: try pdu.u64be(field)
    default: try pdu.bytes(count, octets)
    }
  }

  private func phonebookField(_ tag: UInt8) -> Field {
    switch tag {
    case 0x01: order
    case 0x02: parameterText
    case 0x03: searchProperty
    case 0x06, 0x0C: mask
    case 0x07: format
    case 0x0A, 0x0B, 0x0D: octets
    case 0x10: features
    default: number
    }
  }

  private func messageField(_ tag: UInt8) -> Field {
    switch tag {
    case 0x03: types
    case 0x04, 0x05, 0x07, 0x08, 0x19, 0x1A, 0x1B, 0x1D...0x20, 0x22, 0x23, 0x24, 0x27, 0x28, 0x2A:
      parameterText
    case 0x0E: notificationStatus
    case 0x10, 0x25, 0x26, 0x29: mask
    case 0x14: charset
    case 0x17: indicator
    default: number
    }
  }
}
