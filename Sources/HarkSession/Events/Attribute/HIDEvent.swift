import HarkDissection

/// HID events: HID Profile 1.1.1 over BR/EDR, HID over GATT Profile 1.0 over LE.
public enum HIDEvent: Sendable {
  case reports(Reports)
  case protocolSet(ProtocolSet)
  case control(Control)
  case refused(Refused)

  var described: any Described {
    switch self {
    case .reports(let event): event
    case .protocolSet(let event): event
    case .control(let event): event
    case .refused(let event): event
    }
  }
}

extension HIDEvent {
  /// The content of a device's reports, according to its report descriptor.
  public struct Reports: Described {
    /// The kind of device: usages, with their pages in the upper 16 bits.
    public let applications: [UInt32]
    public let reports: [Report]
    public let isLocal: Bool
    /// Whether the descriptor was read by GATT, or by SDP.
    public let byGATT: Bool

    /// Its members are plain numbers: a module that does not import the origin of a class lays out an enum that
    /// refers to it differently.
    public struct Report: Sendable {
      /// 1 Input, 2 Output, 3 Feature.
      public let type: UInt8
      /// 0 if the device has no Report IDs.
      public let id: UInt8
      public let bits: Int

      /// `input 1 (8 bytes)`.
      var words: String {
        let name = ["input", "output", "feature"]
        let type = 1...3 ~= type ? name[Int(type) - 1] : "report"
        return type + (id == 0 ? "" : " \(id)") + " (\(Names.count((bits + 7) / 8, "byte")))"
      }
    }

    init(_ reports: HIDReports, isLocal: Bool, byGATT: Bool) {
      applications = reports.applications
      self.reports = reports.reports.map { Report(type: $0.type, id: $0.id, bits: $0.bits) }
      (self.isLocal, self.byGATT) = (isLocal, byGATT)
    }

    public var kind: EventKind {
      byGATT
        ? EventKind("hid-reports", .gatt, .attributes) : EventKind("hid-reports", .l2cap, .channels)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_local", isLocal, .identity)
      sink.objects("devices", applications) { usage, sink in
        sink.code("usage", usage, "name", "hid.control")
      }
      sink.objects("reports", reports) { report, sink in
        sink.code("type", report.type, "type_name", "hid.reportType")
        sink.number("id", report.id)
        sink.number("bits", report.bits)
      }
      let owner = isLocal ? "\(Sides(of: event, session).hosts) " : ""
      let devices = Names.few(applications.map(Names.usage))
      sink.sentence(
        """
        \(owner)HID reports\(devices.isEmpty ? "" : " of \(devices)"): \
        \(Names.few(reports.map(\.words)))
        """)
    }
  }

  /// SET_PROTOCOL: from now on, reports are those of the Boot Protocol, or the device's own.
  public struct ProtocolSet: Described {
    public let isBoot: Bool

    public var kind: EventKind { EventKind("hid-protocol", .l2cap, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_boot", isBoot)
      sink.sentence(
        isBoot
          ? "HID Boot Protocol set: reports have the fixed format of keyboards and mice"
          : "HID Report Protocol set: reports have the format that the device defines")
    }
  }

  /// HID_CONTROL. 3.1.2.2
  public struct Control: Described {
    public let operation: UInt8
    public let byPeer: Bool

    public var kind: EventKind { EventKind("hid-control", .l2cap, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", operation, "operation_name", "hidp.operation", .identity)
      sink.flag("by_peer", byPeer)
      sink.sentence(
        """
        \(byPeer ? "HID device" : "to the HID device"): \
        \(Names.of(operation, "hidp.operation") ?? "control operation") (\(operation))
        """)
    }
  }

  /// A HANDSHAKE that does not report success, and the transaction it answers; nil if none is pending.
  public struct Refused: Described {
    public let transaction: UInt8?
    public let result: UInt8

    public var kind: EventKind { EventKind("hid-refused", .l2cap, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("transaction", transaction, "transaction_name", "hidp.type")
      sink.code("result", result, "result_name", "hidp.result")
      let name = transaction.map { Names.of($0, "hidp.type") ?? "transaction" }
      sink.sentence(
        """
        HID \(name.map { "\($0) refused" } ?? "HANDSHAKE without a request"): \
        \(Names.named(result, "hidp.result"))
        """)
    }
  }
}
