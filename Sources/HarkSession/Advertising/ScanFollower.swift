import HarkCore
import HarkDissection

/// Inquiry: the search for BR/EDR devices. Core Specification, Vol 4, Part E, 7.1.1 to 7.1.4, 7.7.1, 7.7.2.
struct ScanFollower {
  /// A scan in progress.
  struct Scan {
    var devices = 0
    var reports = 0
  }

  /// An inquiry in progress.
  struct Inquiry {
    /// Hostile captures contain any number of them.
    static let most = 4_096

    var isPeriodic = false
    /// Whether its beginning is in the capture. Otherwise earlier results are unknown.
    var isWhole = true
    var addresses: Set<UInt64> = []
    var responses = 0
  }

  mutating func inquiryStarted(isPeriodic: Bool, _ moment: PacketContext, _ tables: inout Tables) {
    tables.controllers[moment.controller].inquiry = Inquiry(isPeriodic: isPeriodic)
    tables.emit(.controller(.discovery(.inquiryStarted(.init(isPeriodic: isPeriodic)))), moment)
  }

  /// HCI_Inquiry_Complete. Periodic inquiry continues after it.
  mutating func inquiryCompleted(_ status: UInt8, _ moment: PacketContext, _ tables: inout Tables) {
    // Some controllers report the end of an inquiry that the host has already stopped.
    let controller = tables.controllers[moment.controller]
    guard controller.inquiry?.isPeriodic != true,
      controller.inquiry != nil || !controller.isInquiryKnown
    else { return }
    inquiryEnded(isStopped: false, status: status, moment, &tables)
  }

  /// The host has stopped it, or it has timed out.
  mutating func inquiryEnded(
    isStopped: Bool, status: UInt8 = 0, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let controller = tables.controllers[moment.controller]
    // There was no inquiry to stop.
    if controller.inquiry == nil, controller.isInquiryKnown { return }
    let inquiry = controller.inquiry.flatMap { $0.isWhole ? $0 : nil }
    tables.controllers[moment.controller].inquiry = nil
    tables.controllers[moment.controller].isInquiryKnown = true
    tables.emit(
      .controller(
        .discovery(
          .inquiryEnded(
            .init(
              devices: inquiry?.addresses.count, responses: inquiry?.responses,
              isStopped: isStopped,
              status: status)))),
      moment, severity: status == 0 ? .info : .warning)
  }

  /// HCI_Inquiry_Result, also with RSSI and extended: its content shows the kinds of the devices found.
  mutating func inquiryResult(
    _ responses: [HCIInquiryEvent.Response], _ moment: PacketContext, _ tables: inout Tables
  ) {
    for response in responses {
      tables.controllers.update(moment.controller) { controller in
        if controller.inquiry == nil, !controller.isInquiryKnown {
          controller.inquiry = Inquiry(isWhole: false)
        }
        controller.inquiry?.responses += 1
        if controller.inquiry?.addresses.count ?? 0 < Inquiry.most {
          controller.inquiry?.addresses.insert(response.address.value)
        }
      }
      if let classOfDevice = response.classOfDevice {
        tables.devices.setClass(classOfDevice, of: response.address)
      }
    }
  }
}
