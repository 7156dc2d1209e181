import HarkCrypto

// The content of a Live Activity belongs to users: only what happens to it distinguishes steps.
extension AccessoryLiveActivity {
  func describe(_ step: Step, _ type: EventRole, to sink: inout some EventSink) {
    sink.word("type", "live-activity-\(step.rawValue)", type)
    sink.identifier("identifier", identifier)
    sink.product("source_identifier", sourceIdentifier)
    sink.identifier("source", sourceName)
    sink.identifier("state", state, .parameter)
    sink.word("relevance", relevance.map { "\($0)" }, .incidental)
    sink.text("title", title)
    sink.text("body", body)
  }

  func words(_ step: Step) -> EventSentence {
    let source: EventSentence =
      [sourceName, sourceIdentifier].compactMap { $0 }.first { !$0.isEmpty }
      .map { " from \(personal: $0)" } ?? ""
    let what: EventSentence =
      switch step {
      case .start: "new Live Activity\(source)"
      case .update: "updated Live Activity\(source)"
      case .alert: "updated Live Activity\(source), with an alert"
      case .end: "Live Activity\(source) ended"
      }
    let texts = [title, body].compactMap { $0 }.filter { !$0.isEmpty }
      .map { "“\(personal: $0)”" as EventSentence }
    var parts = [texts.isEmpty ? what : "\(what): \(texts.joined(separator: " "))"]
    if let state { parts.append("state \(personal: state)") }
    if let relevance { parts.append("relevance \("\(relevance)")") }
    if let identifier { parts.append("id \(personal: identifier)") }
    return parts.joined(separator: "; ")
  }
}

extension AccessoryGreeting {
  func describe(_ type: EventRole, to sink: inout some EventSink) {
    sink.word("type", "greeting", type)
    sink.text("name", name)
    sink.product("version", version, .parameter)
    sink.text("identifier", identifier)
  }

  func words(from direction: MessageDirection) -> EventSentence {
    let parts: [EventSentence] = [
      name.map { "“\(personal: $0)”" }, version.map { "version \(personal: $0)" },
      identifier.map { "identifier \(personal: $0)" },
    ].compactMap { $0 }
    let who = direction == .hostToAccessory ? "phone" : "accessory"
    return parts.isEmpty
      ? "\(who) sends a greeting" : "\(who) sends a greeting: \(parts.joined(separator: ", "))"
  }
}

extension AccessoryFailure {
  func describe(_ type: EventRole, to sink: inout some EventSink) {
    sink.word("type", isRefusal ? "refusal" : "error", type)
    sink.identifier("error", error, .parameter)
    sink.text("message", message)
    sink.identifier("command", commandID)
  }

  func words(from direction: MessageDirection) -> EventSentence {
    let who = direction == .hostToAccessory ? "phone" : "accessory"
    let text: EventSentence? = message.flatMap { $0.isEmpty ? nil : "“\(personal: $0)”" }
    let reason = [error.map { "\(personal: $0)" as EventSentence }, text].compactMap { $0 }
      .joined(separator: " ")
    if isRefusal {
      return reason.text.isEmpty ? "\(who) refuses without a reason" : "\(who) refuses: \(reason)"
    }
    return "\(who) reports an error: \(reason)"
  }
}
