import HarkCore
import HarkDissection

/// The Apple Notification Center Service: Apple's own older way of forwarding notifications. The
/// phone is the GATT server; nothing is sealed beyond the link's own encryption.
/// Apple, Apple Notification Center Service (ANCS) Specification.
public struct ANCS: BuiltInAssembler {
  public static let name = "ANCS"
  public static let service = ANCSService.uuid
  static let notificationSource = ANCSService.notificationSource
  static let controlPoint = ANCSService.controlPoint
  static let dataSource = ANCSService.dataSource

  /// The most requests that may be pending at once; phones answer one after the other.
  private static let mostPending = 16
  /// Eight attributes of 65,535 bytes each would be the longest answer.
  private static let longestAnswer = 1 << 19

  private var pending: [ANCSRequest] = []
  private var answer: Answer?
  /// Set when a part of an answer was lost: its later parts are useless.
  private var isLost = false
  private var known = RecentValues<UInt32, ANCSNotification>(capacity: mostKnown)
  private static let mostKnown = 256
  /// How many notifications had another number than those known before.
  private var numbers = 0
  private var applications = RecentValues<String, String>(capacity: 64)
  /// Whether the accessory subscribed to Notification Source on this connection: the phone then sends all notifications,
  /// the earlier ones too. With a subscription of an earlier connection, the first may have come before hark knew the
  /// attribute.
  private var isSubscribed = false
  public private(set) var continuesMessage = false

  /// An unfinished answer.
  private struct Answer {
    var message: PartialMessage
    /// Nil if the capture does not show it.
    var request: ANCSRequest?
  }

  public init() {}

  public static let characteristics = [notificationSource, controlPoint, dataSource]

  public mutating func receive(_ value: VendorValue) -> [Framed] {
    continuesMessage = false
    switch (value.characteristic, value.operation) {
    case (Self.notificationSource, .notification): return notified(value)
    case (Self.notificationSource, .subscribe(let isOn)):
      if isOn { isSubscribed = true }
      return []
    case (Self.dataSource, .subscribe(true)):
      // Until then, no answer could arrive: the next one answers a later request, if that is the same.
      for index in pending.indices { pending[index].isOvertaken = true }
      return []
    case (Self.controlPoint, .write), (Self.controlPoint, .writeCommand):
      return commanded(value, refusal: nil)
    case (Self.controlPoint, .refused(let error)): return commanded(value, refusal: error)
    case (Self.dataSource, .notification): return answered(value)
    default: return []
    }
  }

  public mutating func reset(_ reason: Interruption) -> [Framed] {
    defer { self = ANCS() }
    return endAnswer(reason) + pending.map { Framed($0.origin, .incomplete(.noAnswer(reason))) }
  }

  // MARK: Notification Source

  private mutating func notified(_ value: VendorValue) -> [Framed] {
    let origin = MessageOrigin(value, .hostToAccessory)
    let bytes = value.bytes
    do throws(FramingProblem) {
      try value.checkWhole(count: ANCSNotice.size, "Notification Source")
      let notice = ANCSNotice(bytes.raw)
      var notification = known[notice.uid] ?? ANCSNotification(uid: notice.uid)
      let answers = notification.seen?.answered(by: origin)
      if known[notice.uid] == nil { numbers += 1 }
      guard let event = ANCSNotice.EventID(rawValue: notice.event) else {
        throw .unknownType(notice.event)
      }
      var content: AccessoryContent
      switch event {
      case .notificationAdded, .notificationModified:
        notification.flags = notice.flags
        notification.category = AccessoryNotification.Category(
          id: notice.category, count: notice.categoryCount)
        let shown = notification.announced
        content = event == .notificationAdded ? .add(shown) : .update(shown)
        notification.seen = EarlierMoment(origin)
        notification.isRemoved = false
        known.set(notice.uid, notification)
      case .notificationRemoved:
        content = .remove(notification.identifier)
        notification.isRemoved = true
        known.set(notice.uid, notification)
      }
      let message = PlainMessage(
        content, value, answers: event == .notificationAdded ? nil : answers)
      return [Framed(origin, .plain(message))] + value.trailing(behind: ANCSNotice.size, origin)
    } catch {
      return [Framed(origin, .unreadable(UnreadableMessage(error, bytes: bytes)))]
    }
  }

  // MARK: Control Point

  private mutating func commanded(_ value: VendorValue, refusal: UInt8?) -> [Framed] {
    let origin = MessageOrigin(value, .accessoryToHost)
    do throws(FramingProblem) {
      try value.checkWhole(count: 1, "CommandID")
      let (request, content) = try ANCSRequest.read(
        value, origin, known,
        isAllKnown: value.isLinkWhole && isSubscribed && numbers < Self.mostKnown)
      if let refusal {
        let refused = AccessoryContent.refused(content, error: refusal, of: Self.controlPoint)
        return [Framed(origin, .plain(PlainMessage(refused, value)))]
      }
      var framed = [Framed(origin, .plain(PlainMessage(content, value)))]
      guard let request else { return framed }
      if let earlier = pending.firstIndex(where: { $0.isOvertaken && $0.prefix == request.prefix })
      {
        framed.insert(
          Framed(pending.remove(at: earlier).origin, .incomplete(.noAnswer(.startedAgain))), at: 0)
      }
      if pending.count >= Self.mostPending {
        framed.insert(
          Framed(pending.removeFirst().origin, .incomplete(.noAnswer(.startedAgain))), at: 0)
      }
      pending.append(request)
      return framed
    } catch {
      // A value that cannot be read was refused for that reason: the error is sufficient.
      if refusal != nil { return [] }
      return [Framed(origin, .unreadable(UnreadableMessage(error, bytes: value.bytes)))]
    }
  }

  // MARK: Data Source

  private mutating func answered(_ value: VendorValue) -> [Framed] {
    let origin = MessageOrigin(value, .hostToAccessory)
    var framed: [Framed] = []
    if answer != nil, beginsAnother(value) { framed = endAnswer(.startedAgain) }
    guard value.missingBytes <= 0 else { return framed + lose(value, origin) }
    if var growing = answer.take() {
      continuesMessage = true
      guard growing.message.bytes.count < Self.longestAnswer,
        growing.message.append(value, header: 0)
      else {
        isLost = true
        return framed + [
          Framed(growing.message.origin, .incomplete(.tooLarge(limit: Self.longestAnswer)))
        ]
      }
      return framed + advance(growing, value)
    }
    let index =
      pending.firstIndex { !$0.isOvertaken && $0.isAnswered(by: value.bytes) }
      ?? pending.firstIndex { $0.isAnswered(by: value.bytes) }
    guard index != nil || !isLost else {
      continuesMessage = true
      return framed
    }
    isLost = false
    if index == nil, !value.bytes.isEmpty, !ANCSAnswer(value.bytes.raw, most: 0).isOfCommand {
      continuesMessage = true
      return framed + [Framed(origin, .incomplete(.continuationWithoutFirst))]
    }
    var request: ANCSRequest?
    if let index {
      // Answers arrive in the order of the requests: earlier requests are hardly answered any more.
      for earlier in pending[..<index].indices { pending[earlier].isOvertaken = true }
      request = pending.remove(at: index)
    }
    let message = PartialMessage(value, .hostToAccessory, header: 0)
    return framed + advance(Answer(message: message, request: request), value)
  }

  /// Whether a value begins an answer although the previous one is incomplete: a part of that is lost.
  private func beginsAnother(_ value: VendorValue) -> Bool {
    guard value.bytes.count >= 8 else { return false }
    if pending.contains(where: { $0.isAnswered(by: value.bytes) }) { return true }
    guard answer?.request == nil, let uid = ANCSAnswer(value.bytes.raw, most: 0).uid else {
      return false
    }
    return known[uid] != nil
  }

  /// A part that the recorder cut: it is unknown where the rest belongs.
  private mutating func lose(_ value: VendorValue, _ origin: MessageOrigin) -> [Framed] {
    isLost = true
    continuesMessage = answer != nil
    let request = pending.firstIndex { $0.isAnswered(by: value.bytes) }
    if answer == nil, let request { pending.removeFirst(request + 1) }
    let begun = answer.take()?.message
    return [
      Framed(
        begun?.origin ?? origin,
        .unreadable(
          UnreadableMessage(
            .cutByCapture(missingBytes: value.missingBytes), bytes: begun?.bytes ?? value.bytes)))
    ]
  }

  /// Returns the answer if it is complete; otherwise keeps it.
  private mutating func advance(_ answer: Answer, _ value: VendorValue) -> [Framed] {
    let bytes = answer.message.bytes
    do throws(FramingProblem) {
      let read = try ANCSProgress(bytes, wanted: answer.request?.attributes.count)
      // Without the request, only a value that is shorter than the MTU allows shows the end.
      let mayGoOn =
        read.isOpen || (answer.request == nil && value.bytes.count + 3 == value.mtu ?? 0)
      if mayGoOn {
        self.answer = answer
        return []
      }
      return whole(answer, read)
    } catch {
      return [Framed(answer.message.origin, .unreadable(UnreadableMessage(error, bytes: bytes)))]
    }
  }

  private mutating func whole(_ answer: Answer, _ read: ANCSProgress) -> [Framed] {
    let origin = answer.message.origin
    var content: AccessoryContent
    switch read.subject {
    case .notification(let uid):
      var notification = known[uid] ?? ANCSNotification(uid: uid)
      notification.take(read.attributes)
      notification.seen = EarlierMoment(origin)
      var shown = notification.shown
      notification.forgetTexts()
      known.set(uid, notification)
      shown.sourceName = notification.application.flatMap { applications[$0] }
      content = .present(shown)
    case .application(let identifier):
      let name = read.attributes.first {
        ANCSCommand.AppAttributeID(rawValue: $0.id) == .displayName
      }?.text
      if let name, max(name.utf8.count, identifier.utf8.count) <= ANCSNotification.longestKept {
        applications.set(identifier, name)
      }
      content = .application(identifier: identifier, displayName: name)
    }
    let bytes = answer.message.bytes
    var message = PlainMessage(
      content, Self.dataSource, bytes: bytes,
      answers: answer.request.map { EarlierMoment($0.origin).answered(by: origin) })
    message.isUnasked = answer.request == nil
    var framed = [Framed(origin, .plain(message))]
    if read.end < bytes.count {
      let problem = FramingProblem.trailing(offset: read.end, count: bytes.count - read.end)
      framed.append(Framed(origin, .unreadable(UnreadableMessage(problem, bytes: bytes))))
    }
    return framed
  }

  /// The unfinished answer gets no more data.
  private mutating func endAnswer(_ reason: Interruption) -> [Framed] {
    guard let left = answer.take() else { return [] }
    if left.request == nil, let read = try? ANCSProgress(left.message.bytes, wanted: nil),
      !read.isOpen
    {
      return whole(left, read)
    }
    return [Framed(left.message.origin, .incomplete(.moreWithoutLast(reason)))]
  }
}
