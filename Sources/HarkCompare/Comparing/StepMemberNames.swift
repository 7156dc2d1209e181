import HarkCore

/// What the members of kinds that are not described yet mean to a step.
enum StepMemberNames {
  enum Use {
    /// It tells steps apart, even such as went otherwise.
    case family
    /// It tells steps apart.
    case identity
    case parameter
  }

  /// Kinds that recorders add, that other steps already show, or that hosts repeat all day.
  static let withoutSteps: Set<String> = [
    "scan-started", "scan-stopped", "inquiry-started", "inquiry-ended", "advertising-removed",
    "controller-found", "controller-gone", "controller-opened", "controller-closed",
    "value-repeated",
  ]

  /// Kinds that are one step which ended otherwise.
  private static let families: [String: String] = [
    "message-locked": "message", "message-plain": "message", "message-incomplete": "message",
    "message-unreadable": "message", "pairing-failed": "pairing-complete",
    "pairing-timed-out": "pairing-complete",
    "link-failed": "link-opened", "link-inferred": "link-opened",
    "encryption-failed": "encryption",
    "encryption-not-refreshed": "encryption-refreshed",
    "link-parameters-refused": "link-parameters", "link-parameters-failed": "link-parameters",
  ]

  static func family(_ kind: String) -> String { families[kind] ?? kind }

  private static let familyMembers: Set<String> = ["direction", "uuid", "attribute", "protocol"]

  private static let identities: Set<String> = [
    "operation", "local_server", "is_local", "local", "psm", "message_name", "command",
    "signal_name", "pdu_name", "operation_name", "event_name", "phase", "step", "key_kind",
    "request", "question", "contents.type", "contents.step", "contents.said", "indicator", "call",
    "is_on", "on", "of", "services.classes.uuid",
  ]

  /// What is another in each capture, or what users did.
  private static let ignored: Set<String> = [
    "kind", "text", "handle", "peer", "address", "fingerprint", "key_address", "session",
    "session_identifier", "source_cid", "destination_cid", "cid", "stream", "dlci", "latency",
    "answers_frame", "repeats_frame", "receipt", "private_key_known", "public_key", "replaces",
    "plaintext", "value_count", "value_cut", "devices", "reports", "duration", "jitter", "packets",
    "bytes", "late", "duplicates", "malformed", "sent", "received", "sequence", "sequences",
    "count", "reason_text", "key.fingerprint", "key.name", "key.context", "number", "position",
    "length", "serial_number", "host", "entries.key", "entries.value", "attributes.value",
    "attributes.name", "attributes.id", "items", "key", "services.handle", "batteries.level",
    "batteries.status", "batteries.status_name", "buds.level", "case.level", "buds.charging",
    "case.charging", "battery", "opcode", "message", "signal", "pdu", "event", "size",
    "repeated_frames", "local_seid", "peer_seid", "company", "va", "identifier",
  ]

  /// Of what messages say, that which is no user's.
  private static let contents: Set<String> = [
    "contents.error", "contents.error_name", "contents.success", "contents.did_alert",
    "contents.accepted", "contents.protocol", "contents.cleared", "contents.address_order",
    "contents.remarks.remark", "contents.remarks.member",
  ]

  /// Of the Device Information Service what is the same for all devices of a kind: model, revisions of
  /// firmware, hardware and software, manufacturer, PnP ID. Assigned Numbers, 3.8.
  private static let deviceInformation: Set<String> = [
    "0x2A24", "0x2A26", "0x2A27", "0x2A28", "0x2A29", "0x2A50",
  ]

  /// The value of an attribute, as text where it is one.
  static func value(ofHex digits: String) -> String {
    guard let bytes = Hex.bytes(digits), !bytes.isEmpty,
      let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(where: { $0 < 0x20 })
    else { return digits }
    return text
  }

  /// - Returns: Nil for what is another in each capture.
  static func use(of name: String, in kind: String, _ members: EventMembers) -> Use? {
    if familyMembers.contains(name) { return .family }
    if identities.contains(name) { return .identity }
    if name.hasPrefix("contents.") {
      // A report of a configuration has all that was said before, too.
      let isSaid =
        name == "contents.device_capabilities"
        && members["contents.said"]?.contains("device_capabilities") ?? false
      return isSaid || contents.contains(name) ? .parameter : nil
    }
    switch (kind, name) {
    case ("encapsulated-key", "identifier"), ("public-key", "size"), ("encapsulated-key", "size"):
      return .parameter
    case ("request-unanswered", "value"): return nil
    case ("value", "value"):
      return members["uuid"].map(deviceInformation.contains) ?? false ? .parameter : nil
    case ("read-multiple", "value"), ("secure-simple-pairing", "value"): return nil
    default: return ignored.contains(name) ? nil : .parameter
    }
  }
}
