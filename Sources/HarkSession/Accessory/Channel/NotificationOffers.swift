import HarkCore

/// What the phone's notifications offer to do: a reply with anything else does nothing.
struct NotificationOffers: Sendable {
  private struct Offer: Sendable {
    var actions: Set<String>
    /// Whether the phone may have offered more than is known.
    var isPartial: Bool
    /// How often all notifications had been removed before.
    var era: Int
    var isRemoved = false
  }

  /// Actions of the system, which no notification lists, begin like this.
  private static let systemActions = "com.apple."
  /// The most actions of one notification.
  private static let most = 64

  private var offers = RecentValues<AccessoryNotification.Identifier, Offer>(capacity: 1024)
  private var era = 0

  /// Remembers what notifications offer, and completes responses by it.
  /// - Parameter isWhole: Whether the message was read to its end.
  mutating func follow(_ contents: inout [AccessoryContent], isWhole: Bool) {
    for index in contents.indices {
      switch contents[index] {
      case .add(let notification), .present(let notification):
        shown(notification, isUpdate: false, isWhole)
      case .update(let notification): shown(notification, isUpdate: true, isWhole)
      case .remove(let identifier):
        guard var offer = offers[identifier] else { continue }
        offer.isRemoved = true
        offers.set(identifier, offer)
      case .removeAllNotifications: era += 1
      case .response(var response):
        response.doubt = doubt(response)
        contents[index] = .response(response)
      default: break
      }
    }
  }

  private mutating func shown(
    _ notification: AccessoryNotification, isUpdate: Bool, _ isWhole: Bool
  ) {
    guard let identifier = notification.identifier, identifier.isShort else { return }
    var offer = Offer(
      actions: Set(
        notification.actions.prefix(Self.most).lazy.map(\.identifier).filter(Self.isRemembered)),
      isPartial: !isWhole || notification.actions.count > Self.most, era: era)
    // Whether an update takes actions back is up to the vendor.
    if isUpdate {
      let before = offers[identifier]
      offer.actions.formUnion(before?.actions ?? [])
      offer.isPartial =
        offer.isPartial || before?.isPartial ?? true || offer.actions.count > Self.most
    }
    // Nothing is doubted that may be among the others.
    if offer.isPartial { offer.actions = [] }
    offers.set(identifier, offer)
  }

  private static func isRemembered(_ action: String) -> Bool {
    action.utf8.count <= AccessoryMemory.longestID
  }

  /// Why the phone may not perform an action; nil too if the capture does not show what the notification offers.
  private func doubt(_ response: NotificationResponse) -> NotificationResponse.Doubt? {
    guard response.identifier.isShort, let offer = offers[response.identifier] else { return nil }
    if offer.isRemoved || offer.era != era { return .removed }
    // A notification without a list of actions does not say what else is possible, such as dismissing it.
    guard !offer.isPartial, !offer.actions.isEmpty, let action = response.actionIdentifier,
      !action.isEmpty, !action.hasPrefix(Self.systemActions), Self.isRemembered(action),
      !offer.actions.contains(action)
    else { return nil }
    return .notOffered
  }
}

extension AccessoryNotification.Identifier {
  /// Whether it is short enough to be remembered.
  fileprivate var isShort: Bool {
    notificationIdentifier.utf8.count <= AccessoryMemory.longestID
      && sourceIdentifier?.utf8.count ?? 0 <= AccessoryMemory.longestID
  }
}
