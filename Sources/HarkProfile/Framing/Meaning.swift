import HarkCore
import HarkSession

// What a rule makes of a message.
extension Evaluator {
  /// Everything a message states, in its order: more than one statement for `several`.
  mutating func contents(_ rule: Rule) throws(FramingProblem) -> [AccessoryContent] {
    try inside(rule) { evaluator throws(FramingProblem) in
      if let inner = rule.contents, rule.kind == .several {
        var all: [AccessoryContent] = []
        for rule in inner.rules where evaluator.holds(rule) { all += try evaluator.contents(rule) }
        return all
      }
      let content = try evaluator.content(rule)
      try evaluator.check()
      if let content { return [content] }
      for member in rule.kind.members.required {
        guard case .null = evaluator.value(member, of: rule) else { continue }
        throw .missing(field: evaluator.name(member, of: rule))
      }
      return []
    }
  }

  /// Nil if something is missing without which it is not one.
  private mutating func content(_ rule: Rule) throws(FramingProblem) -> AccessoryContent? {
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
    case .startActivity: return .liveActivity(liveActivity(rule), .start)
    case .updateActivity: return .liveActivity(liveActivity(rule), .update)
    case .alertActivity: return .liveActivity(liveActivity(rule), .alert)
    case .endActivity: return .liveActivity(liveActivity(rule), .end)
    case .greeting:
      return .greeting(
        AccessoryGreeting(
          name: text(.displayName, of: rule), version: code(.version, of: rule),
          identifier: code(.identifier, of: rule)))
    case .accessoryError, .accessoryRefusal: return failure(rule).map { .failure($0) }
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
    if let attributes = int(.attributes, of: rule) {
      if let bits = UInt8(exactly: attributes) {
        result.attributes = .init(rawValue: bits)
      } else {
        note(.wrong(field: name(.attributes, of: rule)))
      }
    }
    result.deliveryDate = time(.deliveryDate, of: rule)
    if let date = time(.displayDate, of: rule) {
      result.displayDate =
        bool(.isAllDay, of: rule) == true ? .allDayDate(date) : .contentDate(date)
    }
    result.alerting.shouldAlert = bool(.shouldAlert, of: rule)
    result.alerting.isSuppressedByFocus = bool(.isSuppressedByFocus, of: rule)
    result.alerting.kind = text(.alertKind, of: rule)
    result.alerting.hasSound = bool(.hasSound, of: rule)
    result.alerting.shouldIgnoreSilentMode = bool(.shouldIgnoreSilentMode, of: rule)
    result.sourceIconSize = int(.sourceIconSize, of: rule)
    result.contextIconSize = int(.contextIconSize, of: rule)
    result.actions = items(.actions, of: rule) { evaluator, items in
      evaluator.text(.identifier, items).map {
        .init(
          identifier: $0, title: evaluator.text(.title, items), type: evaluator.actionType(items))
      }
    }
    result.attachments = items(.attachments, of: rule) { evaluator, items in
      evaluator.text(.uti, items).map {
        .init(
          uti: $0, size: evaluator.int(.size, items) ?? 0,
          unavailableReason: evaluator.text(.unavailableReason, items))
      }
    }
    return result
  }

  private mutating func liveActivity(_ rule: Rule) -> AccessoryLiveActivity {
    var result = AccessoryLiveActivity()
    result.identifier = text(.identifier, of: rule)
    result.sourceIdentifier = text(.sourceIdentifier, of: rule)
    result.sourceName = text(.sourceName, of: rule)
    result.state = text(.state, of: rule)
    result.relevance = double(.relevance, of: rule)
    result.title = text(.title, of: rule)
    result.body = text(.body, of: rule)
    return result
  }

  /// Nil if it is an error that is not named.
  private mutating func failure(_ rule: Rule) -> AccessoryFailure? {
    let error = code(.error, of: rule)
    guard error != nil || rule.kind == .accessoryRefusal else { return nil }
    return AccessoryFailure(
      isRefusal: rule.kind == .accessoryRefusal, error: error, message: text(.message, of: rule),
      commandID: text(.commandID, of: rule))
  }

  private mutating func actionType(_ items: Rule.Items) -> AccessoryNotification.ActionType {
    if bool(.textInput, items) == true { return .textInput(placeholder: text(.placeholder, items)) }
    if bool(.background, items) == true { return .background }
    if bool(.dismiss, items) == true { return .dismiss }
    return int(.unknownType, items).map { .unknown(UInt8(clamping: $0)) } ?? .background
  }
}
