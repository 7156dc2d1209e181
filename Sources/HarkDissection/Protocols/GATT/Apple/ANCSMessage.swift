import HarkCore

// What values of the characteristics of ANCS say. Apple, Apple Notification Center Service (ANCS)
// Specification; its Appendix has the codes.

/// A value of Notification Source.
package struct ANCSNotice: Message {
  package enum EventID: UInt8, Sendable {
    case notificationAdded, notificationModified, notificationRemoved
  }

  package struct EventFlags: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let silent = EventFlags(rawValue: 1)
    package static let important = EventFlags(rawValue: 1 << 1)
    package static let preExisting = EventFlags(rawValue: 1 << 2)
    package static let positiveAction = EventFlags(rawValue: 1 << 3)
    package static let negativeAction = EventFlags(rawValue: 1 << 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// See `EventID`; other values are reserved.
  package internal(set) var event: UInt8 = 0
  package internal(set) var flags: EventFlags = []
  package internal(set) var category: UInt8 = 0
  package internal(set) var categoryCount: UInt8 = 0
  package internal(set) var uid: UInt32 = 0

  /// In octets.
  package static let size = 8

  package init() {}

  package init(_ value: RawSpan) {
    self = ANCSNotificationSource.message(value, isCut: false).message
  }
}

/// A value of Control Point: what the accessory asks for.
package struct ANCSCommand: Message {
  package enum CommandID: UInt8, Sendable {
    case getNotificationAttributes, getAppAttributes, performNotificationAction
  }

  package enum NotificationAttributeID: UInt8, Sendable {
    case appIdentifier, title, subtitle, message, messageSize, date, positiveActionLabel
    case negativeActionLabel

    /// Whether the phone cuts it to a length that the accessory gives.
    package var hasMaximumLength: Bool {
      switch self {
      case .title, .subtitle, .message: true
      default: false
      }
    }
  }

  package enum AppAttributeID: UInt8, Sendable {
    case displayName
  }

  package enum ActionID: UInt8, Sendable {
    case positive, negative
  }

  /// See `CommandID`; other values are reserved.
  package internal(set) var code: UInt8 = 0
  package internal(set) var uid: UInt32?
  /// Where the AppIdentifier is, without its NUL; nil also where it has none.
  package internal(set) var appIdentifier: Range<Int>?
  /// The AttributeIDs.
  package internal(set) var attributes: [UInt8] = []
  /// How many octets there are of a Maximum Length that is not whole.
  package internal(set) var maximumLengthOctets: Int?
  package internal(set) var action: UInt8?
  /// What the answer begins with as well: the CommandID, and the NotificationUID or the AppIdentifier.
  package internal(set) var subject = 0..<0

  /// How many octets a value has at least whose command has a NotificationUID, or an action as well.
  package static let sizeWithUID = 5
  package static let sizeWithAction = 6

  package init() {}

  package init(_ value: RawSpan) { self = ANCSControlPoint.message(value, isCut: false).message }
}

/// Values of Data Source, put together: the part of an answer received so far.
package struct ANCSAnswer: Message {
  package struct Attribute: Sendable {
    package let id: UInt8
    /// Where the value is.
    package let value: Range<Int>
  }

  /// See `ANCSCommand.CommandID`; nil if nothing has come.
  package internal(set) var code: UInt8?
  package internal(set) var uid: UInt32?
  /// Where the AppIdentifier is, without its NUL; nil if that has not come.
  package internal(set) var appIdentifier: Range<Int>?
  /// Those that are whole.
  package internal(set) var attributes: [Attribute] = []
  /// Whether one is not.
  package internal(set) var endsInAttribute = false
  /// After the last one that is whole.
  package internal(set) var end = 0

  package init() {}

  /// The CommandID alone; nil if nothing has come.
  package static func code(_ bytes: RawSpan) -> UInt8? {
    bytes.byteCount > 0 ? bytes.byte(at: 0) : nil
  }

  /// - Parameter most: How many attributes are read.
  package init(_ bytes: RawSpan, most: Int) {
    PDU.reading(bytes, out: Summary(), Context()) { pdu in
      // What was read before an error stays.
      do { try ANCSDataSource.read(&pdu, &self, most: most) } catch {}
    }
  }

  /// Whether a value begins with the `subject` of a command, and continues with the first of `attributes` in order.
  package static func answers(
    _ subject: [UInt8], _ attributes: [UInt8], _ value: RawSpan
  ) -> Bool {
    guard value.array(0..<subject.count) == subject else { return false }
    var place = subject.count
    for attribute in attributes {
      guard place + headerSize <= value.byteCount, value.byte(at: place) == attribute else {
        return place > subject.count && place >= value.byteCount
      }
      place += headerSize + Int(value.unsigned(at: place + 1, 2))
    }
    return place >= value.byteCount
  }

  /// AttributeID and Attribute Length.
  private static let headerSize = 3

  /// Whether it answers a command, as far as is known.
  package var isOfCommand: Bool {
    switch code.flatMap({ ANCSCommand.CommandID(rawValue: $0) }) {
    case .getNotificationAttributes, .getAppAttributes: true
    case .performNotificationAction, nil: false
    }
  }
}

/// The characteristics, and the service that has them.
package enum ANCSService {
  package static let uuid = BluetoothUUID(
    high: 0x7905_F431_B5CE_4E99, low: 0xA40F_4B1E_122D_00D0)
  package static let notificationSource = BluetoothUUID(
    high: 0x9FBF_120D_6301_42D9, low: 0x8C58_25E6_99A2_1DBD)
  package static let controlPoint = BluetoothUUID(
    high: 0x69D1_D8F3_45E1_49A8, low: 0x9821_9BBD_FDAA_D9D9)
  package static let dataSource = BluetoothUUID(
    high: 0x22EA_C6E9_24D6_4BB5, low: 0xBE44_B36A_CE7C_7BFB)
}
