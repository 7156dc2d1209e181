import HarkCore
import HarkDissection

/// What is known about a notification: it is announced by a number, and its texts are sent on request.
struct ANCSNotification: Sendable {
  var uid: UInt32
  var flags: ANCSNotice.EventFlags = []
  var category: AccessoryNotification.Category?
  /// Whether the phone removed it; another one may use its number later.
  var isRemoved = false
  /// When the phone last sent something about it.
  var seen: EarlierMoment?
  var application: String?
  private var title: String?
  private var subtitle: String?
  private var message: String?
  private var messageSize: Int?
  private var date: Timestamp?
  private var positiveLabel: String?
  private var negativeLabel: String?

  init(uid: UInt32) { self.uid = uid }

  var identifier: AccessoryNotification.Identifier {
    AccessoryNotification.Identifier(
      sourceIdentifier: application, notificationIdentifier: "\(uid)")
  }

  mutating func take(_ attributes: [ANCSProgress.Attribute]) {
    for attribute in attributes {
      switch ANCSCommand.NotificationAttributeID(rawValue: attribute.id) {
      case .appIdentifier: application = attribute.text
      case .title: title = attribute.text
      case .subtitle: subtitle = attribute.text
      case .message: message = attribute.text
      case .messageSize: messageSize = Int(attribute.text)
      case .date: date = Self.date(attribute.bytes)
      case .positiveActionLabel: positiveLabel = attribute.text
      case .negativeActionLabel: negativeLabel = attribute.text
      case nil: break
      }
    }
  }

  /// The longest identifiers and labels that are remembered.
  static let longestKept = 255

  /// Forgets what later messages no longer need, so that a capture cannot fill the memory.
  mutating func forgetTexts() {
    func kept(_ text: String?) -> String? {
      text.flatMap { $0.utf8.count <= Self.longestKept ? $0 : nil }
    }
    (title, subtitle, message, messageSize, date) = (nil, nil, nil, nil, nil)
    application = kept(application)
    (positiveLabel, negativeLabel) = (kept(positiveLabel), kept(negativeLabel))
  }

  /// The content of Notification Source, without the texts, which may belong to another notification by now.
  var announced: AccessoryNotification {
    var result = AccessoryNotification()
    result.identifier = identifier
    result.category = category
    if flags.contains(.silent) { result.alerting.shouldAlert = false }
    result.isImportant = flags.contains(.important)
    result.isPreExisting = flags.contains(.preExisting)
    if flags.contains(.positiveAction) || positiveLabel?.isEmpty == false {
      add("positive", positiveLabel, &result)
    }
    if flags.contains(.negativeAction) || negativeLabel?.isEmpty == false {
      add("negative", negativeLabel, &result)
    }
    return result
  }

  var shown: AccessoryNotification {
    var result = announced
    (result.title, result.subtitle, result.body) = (title, subtitle, message)
    result.bodySize = messageSize
    result.deliveryDate = date
    return result
  }

  private func add(_ identifier: String, _ label: String?, _ result: inout AccessoryNotification) {
    result.actions.append(
      AccessoryNotification.Action(
        identifier: identifier, title: label.flatMap { $0.isEmpty ? nil : $0 }, type: .background))
  }

  func action(_ id: UInt8) -> String {
    switch ANCSCommand.ActionID(rawValue: id) {
    case .positive: positiveLabel.flatMap { $0.isEmpty ? nil : $0 } ?? "positive"
    case .negative: negativeLabel.flatMap { $0.isEmpty ? nil : $0 } ?? "negative"
    case nil: "action \(id)"
    }
  }

  /// Why the phone may not perform an action; nil too if the capture does not show what the notification offers.
  func doubt(_ id: UInt8) -> NotificationResponse.Doubt? {
    if isRemoved { return .removed }
    // Its category and flags are those of Notification Source; an answer has neither.
    guard category != nil else { return nil }
    let isOffered =
      switch ANCSCommand.ActionID(rawValue: id) {
      case .positive: flags.contains(.positiveAction)
      case .negative: flags.contains(.negativeAction)
      case nil: false
      }
    return isOffered ? nil : .notOffered
  }

  /// `20261121T064000`, in the phone's local time; nil for anything else.
  private static func date(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
    let digits = Array(bytes)
    guard digits.count == 15, digits[8] == UInt8(ascii: "T") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      Int(String(decoding: digits[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, year >= 1970,
      let days = CivilDate(year: year, month: month, day: day).daysSince1970
    else { return nil }
    let seconds = Int64((hour * 60 + minute) * 60 + second)
    return Timestamp(seconds: days * 86_400 + seconds, nanoseconds: 0)
  }
}
