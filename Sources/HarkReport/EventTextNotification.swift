import HarkCore
import HarkSession

// What a notification says, its texts first.
extension EventText {
  static func notification(_ notification: AccessoryNotification) -> String {
    var parts: [String] = []
    let texts = [notification.title, notification.subtitle, notification.body]
      .compactMap { $0 }.filter { !$0.isEmpty }
    parts.append(
      "notification"
        + ((notification.sourceName ?? notification.identifier?.sourceIdentifier)
          .map { " from \($0)" } ?? "")
        + (texts.isEmpty
          ? notification.category == nil ? " without text" : ""
          : ": " + texts.map { "“\($0)”" }.joined(separator: " ")))
    if let size = notification.bodySize, size > notification.body?.utf8.count ?? 0 {
      parts.append("body of \(Names.count(size, "byte")) in all")
    }
    if let category = notification.category {
      let name = Names.of(category.id, "ancs.category") ?? "category \(category.id)"
      parts.append("\(name), \(category.count) active")
    }
    if !notification.actions.isEmpty {
      let actions = notification.actions.map { "[\(action($0))]" }
      parts.append("actions " + actions.joined(separator: " "))
    }
    parts += manner(notification)
    if let summary = notification.summary { parts.append("summary “\(summary)”") }
    if let thread = notification.threadIdentifier { parts.append("thread \(thread)") }
    parts += attached(notification)
    if let identifier = notification.identifier {
      parts.append("id \(identifier.notificationIdentifier)")
    }
    return parts.joined(separator: "; ")
  }

  /// `Reply…` asks for text, as menus write it.
  private static func action(_ action: AccessoryNotification.Action) -> String {
    let title = action.title ?? action.identifier
    if case .textInput = action.type { return title + "…" }
    return title
  }

  /// Whether it makes itself heard.
  private static func manner(_ notification: AccessoryNotification) -> [String] {
    var words: [String] = []
    if notification.attributes.contains(.critical) { words.append("critical") }
    if notification.attributes.contains(.timeSensitive) { words.append("time sensitive") }
    if notification.attributes.contains(.priority) { words.append("priority") }
    if notification.isImportant { words.append("important") }
    if notification.isPreExisting { words.append("there before the accessory connected") }
    let alerting = notification.alerting
    if alerting.shouldAlert == false { words.append("silent") }
    if alerting.isSuppressedByFocus == true { words.append("suppressed by Focus") }
    if alerting.shouldIgnoreSilentMode == true { words.append("ignores silent mode") }
    if let kind = alerting.kind, kind != "notification" { words.append(kind) }
    return words
  }

  private static func attached(_ notification: AccessoryNotification) -> [String] {
    var parts: [String] = []
    let icons = [notification.sourceIconSize, notification.contextIconSize].compactMap { $0 }
    if !icons.isEmpty {
      let sizes = icons.map { Names.count($0, "byte") }.joined(separator: " and ")
      parts.append((icons.count == 1 ? "icon of " : "icons of ") + sizes)
    }
    for attachment in notification.attachments {
      parts.append(
        "attachment \(attachment.uti)"
          + (attachment.unavailableReason.map { " missing: \($0)" }
            ?? ", \(Names.count(attachment.size, "byte"))"))
    }
    return parts
  }
}
