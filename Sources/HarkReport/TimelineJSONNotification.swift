import HarkCore
import HarkDissection
import HarkSession

// What messages say.
extension TimelineJSON {
  static func content(_ content: AccessoryContent, to json: inout JSONText) {
    switch content {
    case .add(let notification):
      json.string("type", "add")
      self.notification(notification, to: &json)
    case .update(let notification):
      json.string("type", "update")
      self.notification(notification, to: &json)
    case .present(let notification):
      json.string("type", "present")
      self.notification(notification, to: &json)
    case .remove(let identifier):
      json.string("type", "remove")
      self.identifier(identifier, to: &json)
    case .removeAllNotifications: json.string("type", "remove-all")
    case .response(let response):
      json.string("type", "response")
      identifier(response.identifier, to: &json)
      json.string("action", response.actionIdentifier)
      json.string("user_text", response.userText)
    case .clear(let identifier):
      json.string("type", "clear")
      self.identifier(identifier, to: &json)
    case .displayed(let identifier, let didAlert):
      json.string("type", "displayed")
      self.identifier(identifier, to: &json)
      json.flag("did_alert", didAlert)
    case .commandResult(let id, let success, let message):
      json.string("type", "command-result")
      json.string("command", id)
      json.flag("success", success)
      json.string("message", message)
    case .application(let application, let name):
      json.string("type", "application")
      json.string("source_identifier", application)
      json.string("source", name)
    case .request(let request): self.request(request, to: &json)
    case .refused(let content, let error, let characteristic):
      json.string("type", "refused")
      json.number("error", error)
      json.string("error_name", AssignedNumbers.attError(error, of: characteristic))
      json.object("refused") { self.content(content, to: &$0) }
    case .media(let message): media(message, to: &json)
    case .configuration(let report): configuration(report, to: &json)
    case .externalAccessory(let session, let message):
      externalAccessory(session, message, to: &json)
    case .transport(let event, let session): transport(event, session, to: &json)
    case .security(let event, let session): security(event, session, to: &json)
    case .networkSharing(let event): networkSharing(event, to: &json)
    }
  }

  static func identifier(
    _ identifier: AccessoryNotification.Identifier?, to json: inout JSONText
  ) {
    json.string("identifier", identifier?.notificationIdentifier)
    json.string("source_identifier", identifier?.sourceIdentifier)
  }

  private static func notification(
    _ notification: AccessoryNotification, to json: inout JSONText
  ) {
    identifier(notification.identifier, to: &json)
    json.string("source", notification.sourceName)
    json.string("title", notification.title)
    json.string("subtitle", notification.subtitle)
    json.string("body", notification.body)
    json.number("body_size", notification.bodySize)
    if let category = notification.category {
      json.string("category", Names.of(category.id, "ancs.category") ?? "\(category.id)")
      json.number("category_count", category.count)
    }
    json.string("thread", notification.threadIdentifier)
    json.string("summary", notification.summary)
    json.time("delivered", notification.deliveryDate)
    json.flag("alert", notification.alerting.shouldAlert)
    json.flag("suppressed_by_focus", notification.alerting.isSuppressedByFocus)
    json.string("alert_kind", notification.alerting.kind)
    if notification.attributes.contains(.critical) { json.flag("critical", true) }
    if notification.attributes.contains(.timeSensitive) { json.flag("time_sensitive", true) }
    if notification.attributes.contains(.priority) { json.flag("priority", true) }
    if notification.isImportant { json.flag("important", true) }
    if notification.isPreExisting { json.flag("pre_existing", true) }
    json.array("actions") { json in
      for action in notification.actions { json.object { self.action(action, to: &$0) } }
    }
    guard !notification.attachments.isEmpty else { return }
    json.objects("attachments", notification.attachments) { attachment, json in
      json.string("uti", attachment.uti)
      json.number("size", attachment.size)
      json.string("unavailable", attachment.unavailableReason)
    }
  }

  private static func action(
    _ action: AccessoryNotification.Action, to json: inout JSONText
  ) {
    json.string("identifier", action.identifier)
    json.string("title", action.title)
    switch action.type {
    case .background: json.string("type", "background")
    case .textInput(let placeholder):
      json.string("type", "text-input")
      json.string("placeholder", placeholder)
    case .dismiss: json.string("type", "dismiss")
    case .unknown(let type):
      json.string("type", "unknown")
      json.number("type_code", type)
    }
  }
}
