import HarkCore
import HarkDissection

/// Recognizes the Apple Notification Center Service by a conversation: a notification, a request for attributes with
/// its identifier, and an answer that repeats the identifier and contains the first of these attributes. Apple, Apple
/// Notification Center Service (ANCS) Specification.
struct ANCSRecognition {
  typealias Earlier = (value: VendorValue, moment: PacketContext)

  private typealias Notice = (handle: UInt16, uid: UInt32, earlier: Earlier)

  private var notices: [Notice] = []
  private var request: (handle: UInt16, notice: UInt16, request: ANCSRequest, earlier: Earlier)?

  private static let mostNotices = 8

  /// A cheap check whether the value may be a notification, a request or an answer.
  static func isWorthTrying(_ value: RawSpan) -> Bool {
    guard value.byteCount >= ANCSCommand.sizeWithAction else { return false }
    if value.byteCount == ANCSNotice.size {
      let notice = ANCSNotice(value)
      // Three bits of the flags are reserved.
      if ANCSNotice.EventID(rawValue: notice.event) != nil, notice.flags.rawValue < 1 << 5 {
        return true
      }
    }
    // A request begins with the same octet as its answer.
    return ANCSAnswer.code(value)
      == ANCSCommand.CommandID.getNotificationAttributes.rawValue
  }

  /// - Returns: The attributes of the service, with the attribute of the value last; empty if nothing is proven.
  mutating func take(
    _ value: VendorValue, at handle: UInt16, _ moment: PacketContext
  ) -> [AttributeRecognition.Finding] {
    switch value.operation {
    case .notification:
      if let request, request.handle != handle, request.notice != handle,
        ANCSAnswer.answers(
          request.request.prefix, request.request.attributes, value.bytes.raw)
      {
        let evidence = AttributeEvent.Recognized.Evidence.conversation(
          notice: request.notice, request: request.handle, answer: handle)
        func finding(
          _ handle: UInt16, _ uuid: BluetoothUUID, _ earlier: [Earlier]
        ) -> AttributeRecognition.Finding {
          AttributeRecognition.Finding(
            framing: ANCS.name, handle: handle, characteristic: uuid, evidence: evidence,
            earlier: earlier)
        }
        return [
          finding(
            request.notice, ANCSService.notificationSource,
            notices.filter { $0.handle == request.notice }.map(\.earlier)),
          finding(request.handle, ANCSService.controlPoint, [request.earlier]),
          finding(handle, ANCSService.dataSource, []),
        ]
      }
      if value.bytes.count == ANCSNotice.size {
        if notices.count == Self.mostNotices { notices.removeFirst() }
        notices.append((handle, ANCSNotice(value.bytes.raw).uid, (value, moment)))
      }
    case .write, .writeCommand:
      let command = ANCSCommand(value.bytes.raw)
      guard let uid = command.uid,
        let notice = notices.last(where: { $0.uid == uid && $0.handle != handle }),
        let read = try? ANCSRequest.read(
          value, MessageOrigin(value, .accessoryToHost), RecentValues(capacity: 1),
          isAllKnown: false),
        let asked = read.0, !asked.attributes.isEmpty
      else { return [] }
      request = (handle, notice.handle, asked, (value, moment))
    default: break
    }
    return []
  }
}
