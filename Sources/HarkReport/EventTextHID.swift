import HarkCore
import HarkDissection
import HarkSession

// HID: HID Profile 1.1.1, HID over GATT Profile 1.0.
extension EventText {
  static func hid(_ event: HIDEvent, _ sides: Sides) -> String {
    switch event {
    case .described(let applications, let reports, let isLocal, _):
      let devices = applications.map { usage($0) }
      let texts = reports.map(report)
      return (isLocal ? "\(sides.hosts) " : "") + "HID reports"
        + (devices.isEmpty ? "" : " of " + few(devices)) + ": " + few(texts)
    case .protocolSet(let isBoot):
      return isBoot
        ? "HID Boot Protocol set: reports are those of every keyboard or mouse"
        : "HID Report Protocol set: reports are the device's own"
    case .control(let operation, let byPeer):
      return (byPeer ? "HID device: " : "to the HID device: ")
        + (Names.of(operation, "hidp.operation") ?? "control operation") + " (\(operation))"
    case .refused(let transaction, let result):
      return "HID \(Names.of(transaction, "hidp.type") ?? "transaction") refused: "
        + Names.named(result, "hidp.result")
    }
  }

  /// `Keyboard`.
  static func usage(_ usage: UInt32) -> String {
    Names.of(usage, "hid.control") ?? Names.hex(usage)
  }

  /// `input 1 (8 bytes)`.
  private static func report(_ report: HIDEvent.Report) -> String {
    let name = ["input", "output", "feature"]
    let type = 1...3 ~= report.type ? name[Int(report.type) - 1] : "report"
    return type + (report.id == 0 ? "" : " \(report.id)")
      + " (\(Names.count((report.bits + 7) / 8, "byte")))"
  }
}

extension TimelineJSON {
  static func hid(_ event: HIDEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .described(let applications, let reports, let isLocal, _):
      json.flag("is_local", isLocal)
      json.objects("devices", applications) { usage, json in
        json.number("usage", usage)
        json.string("name", Names.of(usage, "hid.control"))
      }
      json.objects("reports", reports) { report, json in
        json.number("type", report.type)
        json.string("type_name", Names.of(report.type, "hid.reportType"))
        json.number("id", report.id)
        json.number("bits", report.bits)
      }
      return "hid-reports"
    case .protocolSet(let isBoot):
      json.flag("is_boot", isBoot)
      return "hid-protocol"
    case .control(let operation, let byPeer):
      json.number("operation", operation)
      json.string("operation_name", Names.of(operation, "hidp.operation"))
      json.flag("by_peer", byPeer)
      return "hid-control"
    case .refused(let transaction, let result):
      json.number("transaction", transaction)
      json.string("transaction_name", Names.of(transaction, "hidp.type"))
      json.number("result", result)
      json.string("result_name", Names.of(result, "hidp.result"))
      return "hid-refused"
    }
  }
}
