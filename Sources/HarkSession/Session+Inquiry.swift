import HarkCore
import HarkDissection

extension Session.Controller {
  struct Inquiry {
    /// Hostile captures have any number of them.
    static let most = 4_096

    var isPeriodic = false
    /// Whether the capture has its beginning: what was heard before is not known else.
    var isWhole = true
    var addresses: Set<UInt64> = []
    var responses = 0
  }
}

// Inquiry: looking for BR/EDR devices. Core Specification, Vol 4, Part E, 7.1.1 to 7.1.4, 7.7.1, 7.7.2.
extension Session {
  mutating func inquiryStarted(isPeriodic: Bool, _ moment: Moment) {
    controllerTable[moment.controller].inquiry = Controller.Inquiry(isPeriodic: isPeriodic)
    emit(.controller(.inquiryStarted(.init(isPeriodic: isPeriodic))), moment)
  }

  /// HCI_Inquiry_Complete. Periodic inquiry goes on after it.
  mutating func inquiryCompleted(_ bytes: RawSpan, _ moment: Moment) {
    // Some controllers end an inquiry again that the host has stopped.
    let controller = controllerTable[moment.controller]
    guard bytes.byteCount > 2, controller.inquiry?.isPeriodic != true,
      controller.inquiry != nil || !controller.isInquiryKnown
    else { return }
    inquiryEnded(isStopped: false, status: bytes.byte(at: 2), moment)
  }

  /// The host has stopped it, or its time is over.
  mutating func inquiryEnded(isStopped: Bool, status: UInt8 = 0, _ moment: Moment) {
    let controller = controllerTable[moment.controller]
    // There was none to stop.
    if controller.inquiry == nil, controller.isInquiryKnown { return }
    let inquiry = controller.inquiry.flatMap { $0.isWhole ? $0 : nil }
    controllerTable[moment.controller].inquiry = nil
    controllerTable[moment.controller].isInquiryKnown = true
    emit(
      .controller(
        .inquiryEnded(
          .init(
            devices: inquiry?.addresses.count, responses: inquiry?.responses, isStopped: isStopped,
            status: status))),
      moment, severity: status == 0 ? .info : .warning)
  }

  /// HCI_Inquiry_Result, also with RSSI and extended: what it found says what kinds of devices these are.
  mutating func inquiryResult(_ code: UInt16, _ bytes: RawSpan, _ moment: Moment) {
    let (place, size) = code == 0x02 ? (9, 14) : (8, code == 0x2F ? 254 : 14)
    for index in 0..<Int(bytes.byte(at: 2)) {
      let start = 3 + index * size
      guard start + 6 <= bytes.byteCount else { return }
      let address = bytes.unsigned(at: start, 6)
      controllerTable.update(moment.controller) { controller in
        if controller.inquiry == nil, !controller.isInquiryKnown {
          controller.inquiry = Controller.Inquiry(isWhole: false)
        }
        controller.inquiry?.responses += 1
        if controller.inquiry?.addresses.count ?? 0 < Controller.Inquiry.most {
          controller.inquiry?.addresses.insert(address)
        }
      }
      guard start + place + 3 <= bytes.byteCount else { return }
      deviceTable.setClass(
        UInt32(truncatingIfNeeded: bytes.unsigned(at: start + place, 3)),
        of: BluetoothAddress(address))
    }
  }
}
