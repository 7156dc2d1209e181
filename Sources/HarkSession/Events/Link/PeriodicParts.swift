import HarkCore

// Common parts of periodic advertising events. Intervals are in units of 1.25 ms.
extension PeriodicEvent {
  public struct Advertiser: Equatable, Sendable {
    public let sid: UInt8
    public let address: BluetoothAddress

    func describe(to sink: inout some EventSink) {
      sink.number("sid", sid)
      sink.address("address", address)
    }

    var words: EventSentence { "SID \(sid) of \(personal: address)" }
  }

  /// For periodic advertising with responses.
  public struct Subevents: Equatable, Sendable {
    public let count: UInt8
    public let interval: UInt8

    func describe(to sink: inout some EventSink) {
      sink.number("subevents", count)
      sink.interval("subevent_interval", UInt16(interval))
      sink.number("subevent_interval_1250_us", interval, .incidental)
    }

    var words: String {
      ", with responses: \(Names.count(Int(count), "subevent")) \(Names.every(UInt16(interval)))"
    }
  }

  public struct Parameters: Equatable, Sendable {
    public let shortest: UInt16
    public let longest: UInt16
    public let subevents: Subevents?

    var words: String {
      (shortest == longest ? "" : Names.every(shortest) + " to ") + Names.every(longest)
        + (subevents?.words ?? "")
    }
  }

  public struct Train: Equatable, Sendable {
    public let advertiser: Advertiser
    public let phy: UInt8
    public let interval: UInt16
    public let subevents: Subevents?

    func describe(to sink: inout some EventSink) {
      advertiser.describe(to: &sink)
      sink.word("phy", Names.phy(phy))
      sink.interval("interval", interval)
      sink.number("interval_1250_us", interval, .incidental)
      subevents?.describe(to: &sink)
    }

    var words: EventSentence {
      "\(advertiser.words), \(Names.every(interval)), \(Names.phy(phy))\(subevents?.words ?? "")"
    }
  }

  /// The SDU_Interval is in microseconds, sizes in octets.
  public struct Group: Equatable, Sendable {
    public let streams: UInt8
    public let isoInterval: UInt16
    public let maxPDU: UInt16
    public let sduInterval: UInt32
    public let maxSDU: UInt16
    public let phy: UInt8
    public let isEncrypted: Bool

    func describe(to sink: inout some EventSink) {
      sink.number("streams", streams)
      sink.interval("interval", isoInterval)
      sink.number("interval_1250_us", isoInterval, .incidental)
      sink.nanoseconds("sdu_interval", Int64(sduInterval) * 1_000, .parameter)
      sink.number("sdu_interval_us", sduInterval, .incidental)
      sink.number("max_sdu", maxSDU)
      sink.number("max_pdu", maxPDU)
      sink.word("phy", Names.phy(phy))
      sink.flag("encrypted", isEncrypted)
    }

    var words: String {
      """
      \(Names.count(Int(streams), "stream")), \(Names.every(isoInterval)), SDUs of up to \
      \(Names.count(Int(maxSDU), "byte")), \(Names.phy(phy)), \
      \(isEncrypted ? "encrypted" : "not encrypted")
      """
    }
  }

  /// The number of octets of data, and the services in its Service Data.
  public struct Content: Equatable, Sendable {
    public let count: Int
    public let services: [BluetoothUUID]

    func describe(to sink: inout some EventSink) {
      sink.number("length", count, .incidental)
      sink.list("services") { sink in
        for uuid in services { sink.element(.word(uuid.description), .parameter) }
      }
    }

    var words: String {
      guard count > 0 else { return "nothing" }
      let names = services.isEmpty ? "" : ": " + Names.few(services.map { Names.uuid($0) })
      return Names.count(count, "byte") + names
    }
  }

  /// What was received of a train: reports, incomplete reports, changes of its data without an event, and the
  /// subevents of periodic advertising with responses.
  public struct Account: Equatable, Sendable {
    public internal(set) var reports = 0
    public internal(set) var truncated = 0
    /// Subevents whose PDU the controller missed; they are no reports of data.
    public internal(set) var notReceived = 0
    public internal(set) var unreported = 0
    public internal(set) var subevents: [UInt8] = []

    func describe(to sink: inout some EventSink) {
      sink.number("reports", reports, .incidental)
      sink.number("truncated", truncated)
      if notReceived > 0 { sink.number("not_received", notReceived) }
      sink.number("untold", unreported)
      if !subevents.isEmpty { sink.numbers("heard_subevents", subevents) }
    }

    /// As the end of a sentence about the train.
    var words: String { reports > 0 ? " after \(counted())" : "; \(received)" }

    /// As a statement of its own.
    var received: String { reports > 0 ? counted(" received") : "no report received\(missed)" }

    private var missed: String {
      notReceived > 0 ? ", \(Names.count(notReceived, "subevent PDU")) not received" : ""
    }

    private func counted(_ verb: String = "") -> String {
      var text = Names.count(reports, "report") + verb
      if truncated > 0 { text += ", \(truncated) of them incomplete" }
      if unreported > 0 { text += ", \(Names.count(unreported, "more change")) of its data" }
      if !subevents.isEmpty {
        text +=
          ", in " + (subevents.count == 1 ? "subevent " : "subevents ")
          + Names.few(subevents.map(String.init), most: 8)
      }
      return text + missed
    }
  }
}
