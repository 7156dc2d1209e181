import HarkCore
import HarkDissection
import HarkSession

struct LongWriteRefused: Rule {
  static let about = RuleDescription(
    id: "transport.long-write-refused", title: "A value is too long for the server",
    severity: .error, needs: .attributes,
    meaning:
      "The attribute does not accept a value of this length, or the firmware does not "
      + "handle the prepared writes that a client uses for a value longer than the MTU: the "
      + "message is lost.",
    source:
      "Core Specification, Vol 3, Part F, 3.4.1.1 (error codes 0x06, 0x07, 0x09, 0x0B, 0x0D, 0x11), 3.4.6 "
      + "(queued writes)",
    fix:
      "Split messages by the MTU of each connection (maximumWriteValueLength of CoreBluetooth, the value "
      + "of onMtuChanged on Android), or handle ATT_PREPARE_WRITE_REQ and ATT_EXECUTE_WRITE_REQ on the characteristic."
  )
  static let wants: Set<Event.Family> = [.attribute]

  /// A write of a handle that was refused for its length.
  private struct Refused {
    let place: Place
    let observed: FindingText
    let size: Int
  }

  private struct Attribute: Hashable {
    let owner: Owner
    let handle: UInt16
  }

  /// What servers answer to a value, or a part of one, that is too long for them. 3.4.1.1, 3.4.6
  private static let ofLength: Set<ATTErrorCode> = [
    .requestNotSupported, .invalidOffset, .prepareQueueFull, .attributeNotLong,
    .invalidAttributeValueLength, .insufficientResources,
  ]
  /// Attribute values are not longer. 3.2.9
  private static let longest = 512
  private static let most = 256

  /// The longest value that each attribute has taken.
  private var taken = RecentValues<Attribute, Int>(capacity: 1_024)
  private var refused: [Attribute: Refused] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .attribute(.value(let value)): take(value, event, session, &report)
    case .attribute(.repeated(let it)): take(it.value, event, session, &report)
    case .attribute(.attError(let it)):
      guard let size = it.size else { return }
      let error = ATTErrorCode(rawValue: it.error)
      let mtu = Int(session.link(event)?.mtu ?? 23)
      // Where a slice is not as long as it may be, the whole value would have fitted in one request:
      // opcode, handle, and the offset of prepared writes. 3.4.5.1, 3.4.6.1
      let isLong = [.prepareWriteRequest, .executeWriteRequest].contains(it.pdu) && size >= mtu - 5
      let isOfLength = isLong && error.map(Self.ofLength.contains) == true
      let attribute = Attribute(owner: Owner(event, session), handle: it.handle)
      if isOfLength {
        report.found(
          event, session,
          observed: "\(RuleReport.text(of: event, session)), a value of \(size) bytes or more",
          expected: "a value of up to \(mtu - 3) bytes, or accepted queued writes",
          subject: "\(it.handle)")
      } else if error == .invalidAttributeValueLength,
        size > Self.longest || isFixed(it.uuid, size) || taken[attribute] ?? size < size
      {
        report.found(
          event, session,
          observed: "\(RuleReport.text(of: event, session)), a value of \(size) bytes",
          expected: expected(it.uuid, taken[attribute]), subject: "\(it.handle)")
      } else if error == .invalidAttributeValueLength, it.pdu == .writeRequest,
        refused.count < Self.most
      {
        // Too long, or too short: a value that is accepted later shows which.
        refused[attribute] = Refused(
          place: Place(event),
          observed: "\(RuleReport.text(of: event, session)), a value of \(size) bytes", size: size)
      }
    default: break
    }
  }

  private mutating func take(
    _ value: AttributeEvent.Value, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    guard [.writeRequest, .executeWriteRequest].contains(value.pdu) else { return }
    let attribute = Attribute(owner: Owner(event, session), handle: value.handle)
    taken.set(attribute, max(value.count, taken[attribute] ?? 0))
    guard let one = refused.removeValue(forKey: attribute), one.size > value.count
    else { return }
    report.found(
      one.place, observed: one.observed, expected: expected(nil, value.count),
      confidence: .likely, subject: "\(value.handle)")
  }

  /// Client and Server Characteristic Configuration have two octets. Part G, 3.3.3.3, 3.3.3.4
  private func isFixed(_ uuid: BluetoothUUID?, _ size: Int) -> Bool {
    switch uuid.flatMap({ AttributeType($0) }) {
    case .clientCharacteristicConfiguration, .serverCharacteristicConfiguration: size > 2
    default: false
    }
  }

  private func expected(_ uuid: BluetoothUUID?, _ taken: Int?) -> FindingText {
    if isFixed(uuid, 3) { return "2 bytes" }
    guard let taken else { return "at most \(Self.longest) bytes" }
    return "no more than the \(public: Names.count(taken, "byte")) that it accepts"
  }
}
