import HarkCore

// The content of a notification. All of it belongs to users: nothing in it distinguishes steps.
extension AccessoryNotification {
  func describe(to sink: inout some EventSink) {
    identifier?.describe(to: &sink)
    sink.identifier("source", sourceName)
    sink.text("title", title)
    sink.text("subtitle", subtitle)
    sink.text("body", body)
    sink.number("body_size", bodySize, .incidental)
    if let category {
      sink.word(
        "category", Names.of(category.id, "ancs.category") ?? "\(category.id)", .incidental)
      sink.number("category_count", category.count, .incidental)
    }
    sink.identifier("thread", threadIdentifier)
    sink.text("summary", summary)
    sink.word("delivered", deliveryDate.map(Self.time), .incidental)
    sink.flag("alert", alerting.shouldAlert, .incidental)
    sink.flag("suppressed_by_focus", alerting.isSuppressedByFocus, .incidental)
    sink.identifier("alert_kind", alerting.kind)
    if attributes.contains(.critical) { sink.flag("critical", true, .incidental) }
    if attributes.contains(.timeSensitive) { sink.flag("time_sensitive", true, .incidental) }
    if attributes.contains(.priority) { sink.flag("priority", true, .incidental) }
    if isImportant { sink.flag("important", true, .incidental) }
    if isPreExisting { sink.flag("pre_existing", true, .incidental) }
    sink.objects("actions", actions) { $0.describe(to: &$1) }
    if !attachments.isEmpty {
      sink.objects("attachments", attachments) { $0.describe(to: &$1) }
    }
  }

  /// `2026-11-20T16:41:00.001030000`
  private static func time(_ time: Timestamp) -> String {
    var text = TextBuffer()
    text.dateTime(time, separator: UInt8(ascii: "T"))
    text.decimal(UInt64(time.nanoseconds.magnitude % 1_000), width: 3)
    return text.string
  }

  /// The texts first.
  var words: EventSentence {
    var parts = [head]
    if let size = bodySize, size > body?.utf8.count ?? 0 {
      parts.append("\(Names.count(size, "byte")) of body in total")
    }
    if let category {
      let name = Names.of(category.id, "ancs.category") ?? "category \(category.id)"
      parts.append("\(name), \(category.count) active")
    }
    if !actions.isEmpty {
      parts.append("actions \(actions.map(\.words).joined(separator: " "))")
    }
    parts += manner
    if let summary { parts.append("summary “\(personal: summary)”") }
    if let threadIdentifier { parts.append("thread \(personal: threadIdentifier)") }
    parts += attached
    if let identifier { parts.append("id \(personal: identifier.notificationIdentifier)") }
    return parts.joined(separator: "; ")
  }

  private var head: EventSentence {
    let source: EventSentence =
      [sourceName, identifier?.sourceIdentifier].compactMap { $0 }.first { !$0.isEmpty }
      .map { " from \(personal: $0)" } ?? ""
    let texts = [title, subtitle, body].compactMap { $0 }.filter { !$0.isEmpty }
      .map { "“\(personal: $0)”" as EventSentence }
    let stated: EventSentence =
      texts.isEmpty
      ? category == nil ? " without text" : "" : ": \(texts.joined(separator: " "))"
    return "notification\(source)\(stated)"
  }

  /// Whether it makes a sound.
  private var manner: [EventSentence] {
    var words: [EventSentence] = []
    if attributes.contains(.critical) { words.append("critical") }
    if attributes.contains(.timeSensitive) { words.append("time sensitive") }
    if attributes.contains(.priority) { words.append("priority") }
    if isImportant { words.append("important") }
    if isPreExisting { words.append("posted before the accessory connected") }
    if alerting.shouldAlert == false { words.append("silent") }
    if alerting.isSuppressedByFocus == true { words.append("suppressed by Focus") }
    if alerting.shouldIgnoreSilentMode == true { words.append("ignores silent mode") }
    if let kind = alerting.kind, kind != "notification" { words.append("\(personal: kind)") }
    return words
  }

  private var attached: [EventSentence] {
    let icons = [sourceIconSize, contextIconSize].compactMap { $0 }
    let sizes = icons.map { Names.count($0, "byte") }.joined(separator: " and ")
    let icon: [EventSentence] =
      icons.isEmpty ? [] : ["\(icons.count == 1 ? "icon" : "icons") of \(sizes)"]
    return icon + attachments.map(\.words)
  }
}

extension AccessoryNotification.Action {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.identifier("identifier", identifier)
    sink.identifier("title", title)
    switch type {
    case .background: sink.word("type", "background", .incidental)
    case .textInput(let placeholder):
      sink.word("type", "text-input", .incidental)
      sink.identifier("placeholder", placeholder)
    case .dismiss: sink.word("type", "dismiss", .incidental)
    case .unknown(let type):
      sink.word("type", "unknown", .incidental)
      sink.number("type_code", type, .incidental)
    }
  }

  /// `[Reply…]` asks for text, as in menus.
  fileprivate var words: EventSentence {
    let more = if case .textInput = type { "…" } else { "" }
    return "[\(personal: title ?? identifier)\(more)]"
  }
}

extension AccessoryNotification.Attachment {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.identifier("uti", uti)
    sink.number("size", size, .incidental)
    sink.identifier("unavailable", unavailableReason)
  }

  fileprivate var words: EventSentence {
    let state: EventSentence =
      unavailableReason.map { " missing: \(personal: $0)" } ?? ", \(Names.count(size, "byte"))"
    return "attachment \(personal: uti)\(state)"
  }
}

extension NotificationResponse {
  func describe(to sink: inout some EventSink) {
    identifier.describe(to: &sink)
    sink.identifier("action", actionIdentifier)
    sink.text("user_text", userText)
    sink.word("doubt", doubt?.rawValue)
  }

  var words: EventSentence {
    var text: EventSentence = "user answered \(identifier.words)"
    if let actionIdentifier { text += " with “\(personal: actionIdentifier)”" }
    if let userText, !userText.isEmpty { text += ": “\(personal: userText)”" }
    switch doubt {
    case .notOffered: text += ", an action that the notification does not offer"
    case .removed: text += ", but the notification was removed"
    case .notAnnounced: text += ", but the capture has no such notification on this connection"
    case nil: break
    }
    return text
  }
}
