import HarkCore
import Testing

@testable import HarkSession

/// What notifications offer to do, with limits to what is remembered of it.
@Suite struct NotificationOffersTests {
  private static let id = AccessoryNotification.Identifier(notificationIdentifier: "5")

  private static func notification(_ actions: [String]) -> AccessoryNotification {
    var notification = AccessoryNotification()
    notification.identifier = id
    notification.actions = actions.map { .init(identifier: $0, title: nil, type: .background) }
    return notification
  }

  private static func doubt(_ action: String, after earlier: [AccessoryContent])
    -> NotificationResponse.Doubt?
  {
    var offers = NotificationOffers()
    var contents = earlier
    contents.append(
      .response(NotificationResponse(identifier: id, actionIdentifier: action, userText: nil)))
    offers.follow(&contents, isWhole: true)
    guard case .response(let response)? = contents.last else { return nil }
    return response.doubt
  }

  @Test func actions() {
    let added = [AccessoryContent.add(Self.notification(["Reply"]))]
    #expect(Self.doubt("Reply", after: added) == nil)
    #expect(Self.doubt("Clear", after: added) == .notOffered)
    #expect(Self.doubt("Reply", after: added + [.remove(Self.id)]) == .removed)
  }

  /// An action that is too long to be remembered may have been offered.
  @Test func longActions() {
    let long = String(repeating: "a", count: AccessoryMemory.longestID + 1)
    let added = [AccessoryContent.add(Self.notification(["Reply", long]))]
    #expect(Self.doubt(long, after: added) == nil)
    #expect(Self.doubt("Clear", after: added) == .notOffered)
  }

  /// Updates that offer more and more: nothing is doubted that may be one of them.
  @Test func manyUpdates() {
    let updates = (0..<200).map { AccessoryContent.update(Self.notification(["\($0)"])) }
    let all = [AccessoryContent.add(Self.notification(["Reply"]))] + updates
    #expect(Self.doubt("Clear", after: Array(all.prefix(10))) == .notOffered)
    #expect(Self.doubt("Clear", after: all) == nil)
    #expect(Self.doubt("0", after: all) == nil)
  }
}
