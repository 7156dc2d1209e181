import HarkCore

/// The notification inside of NotifBridge's Event. Data is counted, not kept: the plaintext has it.
struct NotifBridgeNotification: Decodable {
  var title: String?
  var subtitle: String?
  var body: String?
  var sourceName: String?
  var sourceIdentifier: String?
  var notificationIdentifier: String?
  var threadIdentifier: String?
  var summary: String?
  var hasSound: Bool?
  var attributes: UInt8?
  var actions: [Action]?
  var sourceIcon: EncodedSize?
  var contextIcon: EncodedSize?
  var attachments: [Attachment]?
  var deliveryDate: Double?
  var displayDate: Double?
  var displayDateIsAllDay: Bool?
  var shouldAlert: Bool?
  var isSuppressedByFocus: Bool?
  var ignoreSilentMode: Bool?
  var alertKind: String?

  struct Attachment: Decodable {
    var uti: String?
    var data: EncodedSize?
    var unavailableReason: String?
  }

  struct Action: Decodable {
    var id: String
    var title: String?
    var type: ActionType?
  }

  /// As Swift encodes an enumeration: `{"textInput":{"placeholder":"…"}}`.
  struct ActionType: Decodable {
    struct Empty: Decodable {}
    struct TextInput: Decodable { var placeholder: String? }
    struct Unknown: Decodable { var _0: UInt8? }

    var background: Empty?
    var textInput: TextInput?
    var dismiss: Empty?
    var unknown: Unknown?

    var value: AccessoryNotification.ActionType {
      if let textInput { return .textInput(placeholder: textInput.placeholder) }
      if background != nil { return .background }
      return dismiss != nil ? .dismiss : .unknown(unknown?._0 ?? 0xFF)
    }
  }

  /// How many bytes a text in base64 stands for.
  struct EncodedSize: Decodable {
    var bytes: Int

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self).utf8
      let padding = text.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
      bytes = max(0, text.count / 4 * 3 - padding)
    }

    /// NotifBridge sends empty data for what is not there.
    var size: Int? { bytes > 0 ? bytes : nil }
  }

  var value: AccessoryNotification {
    var result = AccessoryNotification()
    if let notificationIdentifier {
      result.identifier = .init(
        sourceIdentifier: sourceIdentifier, notificationIdentifier: notificationIdentifier)
    }
    result.title = title.nonEmpty
    result.subtitle = subtitle.nonEmpty
    result.body = body.nonEmpty
    result.sourceName = sourceName.nonEmpty
    result.threadIdentifier = threadIdentifier.nonEmpty
    result.summary = summary.nonEmpty
    result.attributes = .init(rawValue: attributes ?? 0)
    result.deliveryDate = deliveryDate.map(Timestamp.init(sinceReferenceDate:))
    if let date = displayDate.map(Timestamp.init(sinceReferenceDate:)) {
      result.displayDate = displayDateIsAllDay == true ? .allDayDate(date) : .contentDate(date)
    }
    result.actions = (actions ?? []).map {
      .init(identifier: $0.id, title: $0.title.nonEmpty, type: $0.type?.value ?? .unknown(0xFF))
    }
    result.sourceIconSize = sourceIcon?.size
    result.contextIconSize = contextIcon?.size
    result.attachments = (attachments ?? []).map {
      .init(
        uti: $0.uti ?? "", size: $0.data?.bytes ?? 0,
        unavailableReason: $0.unavailableReason.nonEmpty)
    }
    result.alerting.shouldAlert = shouldAlert
    result.alerting.isSuppressedByFocus = isSuppressedByFocus
    result.alerting.kind = alertKind
    result.alerting.hasSound = hasSound
    result.alerting.shouldIgnoreSilentMode = ignoreSilentMode
    return result
  }
}

extension String? {
  /// Nil for a text without characters: the framings send one for what is not there.
  var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
