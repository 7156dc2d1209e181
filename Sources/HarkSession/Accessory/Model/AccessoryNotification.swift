import HarkCore

/// A notification of the phone, with the members of Apple's `AccessoryNotification`. Members that a vendor's
/// plaintext does not have are nil or empty.
public struct AccessoryNotification: Hashable, Sendable {
  /// Names one notification.
  public struct Identifier: Hashable, Sendable {
    /// The application's bundle identifier; nil if the vendor's plaintext does not have it.
    public var sourceIdentifier: String?
    public var notificationIdentifier: String

    public init(sourceIdentifier: String? = nil, notificationIdentifier: String) {
      self.sourceIdentifier = sourceIdentifier
      self.notificationIdentifier = notificationIdentifier
    }
  }

  /// Bits as NotifBridge sends them; Apple does not publish its own.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let critical = Attributes(rawValue: 1)
    public static let timeSensitive = Attributes(rawValue: 2)
    public static let priority = Attributes(rawValue: 4)
  }

  public enum ActionType: Hashable, Sendable {
    case background
    case textInput(placeholder: String?)
    case dismiss
    /// A type that neither Apple's API nor the vendor names.
    case unknown(UInt8)
  }

  public struct Action: Hashable, Sendable {
    public var identifier: String
    public var title: String?
    public var type: ActionType

    public init(identifier: String, title: String?, type: ActionType) {
      self.identifier = identifier
      self.title = title
      self.type = type
    }
  }

  public enum DisplayDate: Hashable, Sendable {
    case deliveryDate
    case contentDate(Timestamp)
    case allDayDate(Timestamp)
    case hideDate
  }

  /// The CategoryID of ANCS, and how many active notifications have it.
  public struct Category: Hashable, Sendable {
    public var id: UInt8
    public var count: UInt8

    public init(id: UInt8, count: UInt8) {
      self.id = id
      self.count = count
    }
  }

  /// An attached file; its bytes stay in the plaintext.
  public struct Attachment: Hashable, Sendable {
    /// Uniform Type Identifier: `public.jpeg`.
    public var uti: String
    /// In bytes.
    public var size: Int
    /// Why the phone could not attach it.
    public var unavailableReason: String?

    public init(uti: String, size: Int, unavailableReason: String? = nil) {
      self.uti = uti
      self.size = size
      self.unavailableReason = unavailableReason
    }
  }

  public var identifier: Identifier?
  public var sourceName: String?
  public var title: String?
  public var subtitle: String?
  public var body: String?
  /// The size of the whole body according to the phone; `body` may be its beginning.
  public var bodySize: Int?
  public var threadIdentifier: String?
  public var summary: String?
  public var attributes: Attributes = []
  public var category: Category?
  /// ANCS: EventFlagImportant.
  public var isImportant = false
  /// ANCS: it existed before the accessory connected.
  public var isPreExisting = false
  public var deliveryDate: Timestamp?
  public var displayDate: DisplayDate?
  public var actions: [Action] = []
  /// In bytes; nil if there is no icon.
  public var sourceIconSize: Int?
  /// In bytes; nil if there is no icon.
  public var contextIconSize: Int?
  public var attachments: [Attachment] = []
  public var alerting = AlertingContext()

  public init() {}
}

/// Apple's `AlertingContext`: whether the accessory should make a sound.
public struct AlertingContext: Hashable, Sendable {
  public var shouldAlert: Bool?
  public var isSuppressedByFocus: Bool?
  /// `notification`, `incomingCall`, `alarm`, `timer`.
  public var kind: String?
  public var hasSound: Bool?
  public var shouldIgnoreSilentMode: Bool?

  public init() {}
}

/// Apple's `NotificationResponse`: what the user did with a notification on the accessory.
public struct NotificationResponse: Hashable, Sendable {
  public var identifier: AccessoryNotification.Identifier
  public var actionIdentifier: String?
  public var userText: String?
  /// Why the phone may not perform the action.
  public var doubt: Doubt?

  public enum Doubt: String, Hashable, Sendable {
    case notOffered = "not-offered"
    case removed
    /// Nothing announces the notification on the connection.
    case notAnnounced = "not-announced"
  }

  public init(
    identifier: AccessoryNotification.Identifier, actionIdentifier: String?, userText: String?
  ) {
    self.identifier = identifier
    self.actionIdentifier = actionIdentifier
    self.userText = userText
  }
}
