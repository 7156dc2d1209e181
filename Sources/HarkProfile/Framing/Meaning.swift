import HarkCore
import HarkSession

// What a rule makes of a message.
extension Evaluator {
  mutating func value(_ member: Member, of rule: Rule) -> ProfileValue {
    rule.members[member].map { value($0) } ?? .null
  }

  mutating func text(_ member: Member, of rule: Rule) -> String? { value(member, of: rule).text }

  mutating func bytes(_ member: Member, of rule: Rule) -> [UInt8]? {
    let value = value(member, of: rule)
    return value.octets ?? value.bytes
  }

  mutating func bool(_ member: Member, of rule: Rule) -> Bool? { value(member, of: rule).bool }

  mutating func int(_ member: Member, of rule: Rule) -> Int? { value(member, of: rule).int }

  /// Nil where something is missing without which it is not one.
  mutating func content(_ rule: Rule) throws(FramingProblem) -> AccessoryContent? {
    switch rule.kind {
    case .add: return .add(notification(rule))
    case .update: return .update(notification(rule))
    case .present: return .present(notification(rule))
    case .remove: return identifier(rule).map { .remove($0) }
    case .removeAll: return .removeAllNotifications
    case .clear: return identifier(rule).map { .clear($0) }
    case .displayed:
      return identifier(rule).map { .displayed($0, didAlert: bool(.didAlert, of: rule)) }
    case .response:
      return identifier(rule).map {
        .response(
          NotificationResponse(
            identifier: $0, actionIdentifier: text(.actionIdentifier, of: rule),
            userText: text(.userText, of: rule)))
      }
    case .commandResult:
      guard let id = text(.commandID, of: rule), let success = bool(.success, of: rule) else {
        return nil
      }
      return .commandResult(
        commandID: id, success: success, message: text(.message, of: rule) ?? "")
    case .application:
      return text(.identifier, of: rule).map {
        .application(identifier: $0, displayName: text(.displayName, of: rule))
      }
    case .register, .updateConfiguration, .refuseConfiguration: return try configuration(rule)
    case .network, .networkError: return try networkSharing(rule)
    default: return try sessionContent(rule)
    }
  }

  private mutating func identifier(_ rule: Rule) -> AccessoryNotification.Identifier? {
    text(.notificationIdentifier, of: rule).map {
      .init(
        sourceIdentifier: text(.sourceIdentifier, of: rule), notificationIdentifier: $0)
    }
  }

  private mutating func notification(_ rule: Rule) -> AccessoryNotification {
    var result = AccessoryNotification()
    result.identifier = identifier(rule)
    result.sourceName = text(.sourceName, of: rule)
    result.title = text(.title, of: rule)
    result.subtitle = text(.subtitle, of: rule)
    result.body = text(.body, of: rule)
    result.bodySize = int(.bodySize, of: rule)
    result.threadIdentifier = text(.threadIdentifier, of: rule)
    result.summary = text(.summary, of: rule)
    result.attributes = .init(
      rawValue: UInt8(truncatingIfNeeded: int(.attributes, of: rule) ?? 0))
    result.alerting.shouldAlert = bool(.shouldAlert, of: rule)
    result.alerting.isSuppressedByFocus = bool(.isSuppressedByFocus, of: rule)
    result.alerting.kind = text(.alertKind, of: rule)
    result.alerting.hasSound = bool(.hasSound, of: rule)
    result.alerting.shouldIgnoreSilentMode = bool(.shouldIgnoreSilentMode, of: rule)
    result.sourceIconSize = int(.sourceIconSize, of: rule)
    result.contextIconSize = int(.contextIconSize, of: rule)
    result.actions = items(.actions, of: rule) { evaluator, items in
      guard let identifier = evaluator.value(.identifier, items).text else { return nil }
      let type: AccessoryNotification.ActionType =
        if evaluator.value(.textInput, items).bool == true {
          .textInput(placeholder: evaluator.value(.placeholder, items).text)
        } else {
          evaluator.value(.dismiss, items).bool == true ? .dismiss : .background
        }
      return .init(
        identifier: identifier, title: evaluator.value(.title, items).text, type: type)
    }
    result.attachments = items(.attachments, of: rule) { evaluator, items in
      evaluator.value(.uti, items).text.map {
        .init(
          uti: $0, size: evaluator.value(.size, items).int ?? 0,
          unavailableReason: evaluator.value(.unavailableReason, items).text)
      }
    }
    return result
  }

  private mutating func value(_ member: Member, _ items: Rule.Items) -> ProfileValue {
    items.members[member].map { value($0) } ?? .null
  }

  /// Items that were not read whole are left out.
  private mutating func items<T>(
    _ list: ItemList, of rule: Rule, _ make: (inout Evaluator, Rule.Items) -> T?
  ) -> [T] {
    guard let items = rule.lists[list] else { return [] }
    return each(items.each) { evaluator, item in
      guard item.isWhole, items.when.map({ evaluator.value($0).bool == true }) ?? true else {
        return nil
      }
      return make(&evaluator, items)
    }
  }
}
