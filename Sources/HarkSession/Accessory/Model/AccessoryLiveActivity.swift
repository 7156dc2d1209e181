/// Apple's `AccessoryLiveActivity` (AccessoryLiveActivities, iOS 27): what the phone forwards of a Live
/// Activity. How it is sent is the vendor's own; these are Apple's words.
public struct AccessoryLiveActivity: Hashable, Sendable {
  /// What happened to it.
  public enum Step: String, Hashable, Sendable, CaseIterable {
    /// It was there when the session was activated, or began later.
    case start
    /// `activityUpdated(_:)`
    case update
    /// `activityUpdatedForAlert(_:)`: the accessory alerts and the phone stays silent.
    case alert
    /// The accessory removes it.
    case end
  }

  public var identifier: String?
  /// The bundle of the app that it is of.
  public var sourceIdentifier: String?
  /// What that app is called.
  public var sourceName: String?
  /// ActivityKit's `ActivityState`: `active`, `pending`, `stale`, `ended`, `dismissed`; others as they are
  /// spelled.
  public var state: String?
  /// ActivityKit's `relevanceScore`: the higher, the more it matters.
  public var relevance: Double?
  public var title: String?
  public var body: String?

  public init() {}
}

/// What a side says about itself when it connects.
public struct AccessoryGreeting: Hashable, Sendable {
  public var name: String?
  /// Of its firmware or of its protocol, in the vendor's own form.
  public var version: String?
  public var identifier: String?

  public init(name: String? = nil, version: String? = nil, identifier: String? = nil) {
    (self.name, self.version, self.identifier) = (name, version, identifier)
  }
}

/// What a vendor's accessory, or the phone's app, says went wrong.
public struct AccessoryFailure: Hashable, Sendable {
  /// Whether it says that it will not do something; otherwise that something failed.
  public var isRefusal: Bool
  /// A name or a number of the vendor's.
  public var error: String?
  public var message: String?
  /// The command that it is about.
  public var commandID: String?

  public init(
    isRefusal: Bool, error: String? = nil, message: String? = nil, commandID: String? = nil
  ) {
    (self.isRefusal, self.error) = (isRefusal, error)
    (self.message, self.commandID) = (message, commandID)
  }
}
