import HarkCore
import HarkDissection

extension AAPEvent {
  /// What an accessory advertises about itself by Apple's formats, without encryption: at first, and when it changes.
  public struct Advertised: Described {
    /// The identity address, if it is known; nil for this host.
    public let address: BluetoothAddress?
    package let content: ContinuityMessage.Content
    /// Whether this address advertises it for the first time.
    public let isFirst: Bool

    package init(address: BluetoothAddress?, content: ContinuityMessage.Content, isFirst: Bool) {
      (self.address, self.content, self.isFirst) = (address, content, isFirst)
    }

    public var kind: EventKind {
      let kind = EventKind(
        "apple-advertising", .configuration, [], isStep: false, isShared: false)
      guard isFirst, address != nil else { return kind }
      // Any number of them may be in range.
      return switch content {
      case .findMy: kind.folded(as: "devices that advertise Find My")
      case .beacon: kind.folded(as: "devices that advertise iBeacon")
      case .proximityPairing, .homeKit: kind
      }
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.address("address", address)
      sink.flag("is_local", address == nil)
      sink.flag("is_first", isFirst, .incidental)
      switch content {
      case .proximityPairing(let it): it.describe(to: &sink)
      case .findMy(let it):
        sink.word("type", "find-my", .identity)
        sink.flag("is_separated", it.isSeparated)
        sink.code("battery", it.battery, "battery_name", "continuity.findMyBattery", .incidental)
      case .homeKit(let it):
        sink.word("type", "homekit", .identity)
        sink.flag("is_paired", it.isPaired)
        sink.number("category", it.category)
        sink.number("state_number", it.stateNumber, .incidental)
        sink.number("configuration", it.configuration, .incidental)
      case .beacon(let it):
        sink.word("type", "ibeacon", .identity)
        sink.text("uuid", it.uuid.description)
        sink.number("major", it.major)
        sink.number("minor", it.minor)
        sink.number("measured_power", it.power, .incidental)
      }
      if let address {
        sink.sentence("\(personal: address) advertises \(words)")
      } else {
        sink.sentence("this host sets advertising data: \(words)")
      }
    }

    private var words: EventSentence {
      switch content {
      case .proximityPairing(let it): return "\(it.words)"
      case .findMy(let it):
        let battery = Names.of(it.battery, "continuity.findMyBattery") ?? "\(it.battery)"
        return """
          Find My: \(it.isSeparated ? "separated from its owner" : "near its owner"), \
          battery \(battery)
          """
      case .homeKit(let it):
        return """
          HomeKit: category \(it.category), \(it.isPaired ? "paired" : "not paired"), \
          state number \(it.stateNumber), configuration \(it.configuration)
          """
      case .beacon(let it):
        return """
          iBeacon: UUID \(personal: it.uuid.description), major \(it.major), minor \(it.minor), \
          measured power \(Int(it.power)) dBm
          """
      }
    }
  }
}

extension ContinuityMessage.Headphones {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.word("type", "proximity-pairing", .identity)
    sink.code("model", model, "model_name", "continuity.model")
    sink.flag("is_paired", isPaired)
    sink.number("upper_battery", Self.level(upperBattery), .incidental)
    sink.number("lower_battery", Self.level(lowerBattery), .incidental)
    sink.number("upper_case", upperCase, .incidental)
    sink.number("lower_case", lowerCase, .incidental)
    sink.number("status", status.rawValue, .incidental)
    sink.flags("status_names", UInt32(status.rawValue), "continuity.budStatus", .incidental)
    sink.flag("is_lid_closed", isLidClosed, .incidental)
    sink.number("lid_counter", lidCounter, .incidental)
    sink.number("color", color, .incidental)
    sink.code(
      "connection", connection, "connection_name", "continuity.connectionState", .incidental)
  }

  fileprivate var words: String {
    let parts = [
      isPaired ? nil : "not paired",
      "buds \(Self.words(upperBattery)) and \(Self.words(lowerBattery))",
      // One of the nibbles says what is charging instead.
      "case \(Self.words(upperCase)) or \(Self.words(lowerCase))",
      places,
      "lid \(isLidClosed ? "closed" : "open")",
      Names.of(connection, "continuity.connectionState")
        ?? "connection state \(Names.hex(connection))",
    ]
    let name =
      Names.of(model, "continuity.model") ?? "proximity pairing of model \(Names.hex(model))"
    return "\(name): \(parts.compactMap(\.self).joined(separator: ", "))"
  }

  private var places: String {
    let inEar = [ContinuityMessage.Status.firstInEar, .secondInEar].count { status.contains($0) }
    let ears = ["none in ear", "one in ear", "both in ear"][inEar]
    if status.contains(.bothInCase) { return "\(ears), both in case" }
    return status.contains(.oneInCase) ? "\(ears), one in case" : ears
  }

  /// In percent; nil if unknown.
  private static func level(_ nibble: UInt8) -> UInt8? {
    nibble == unknownBattery ? nil : min(nibble, 10) * 10
  }

  private static func words(_ nibble: UInt8) -> String {
    level(nibble).map { "\($0) %" } ?? "unknown"
  }
}
