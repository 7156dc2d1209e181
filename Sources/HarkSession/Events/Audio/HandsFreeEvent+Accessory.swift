import HarkDissection

/// What the Hands-Free unit reports about itself.
extension HandsFreeEvent {
  /// AT+XAPL: the accessory's identity and features.
  public struct AppleAccessory: Described {
    public let identifier: String
    public let features: UInt32

    public var kind: EventKind { HandsFreeEvent.kind("apple-accessory") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.product("identifier", identifier)
      sink.number("features", features)
      sink.sentence(
        """
        Hands-Free unit supports Apple's extensions, as \(personal: identifier)\
        \(list(Names.flags(features, "hfp.appleFeatures")))
        """)
    }
  }

  /// AT+IPHONEACCEV.
  public struct AppleState: Described {
    /// From 0 to 9; the meaning of other values is unknown.
    public let battery: UInt32?
    public let isDocked: Bool?

    public var kind: EventKind { HandsFreeEvent.kind("apple-accessory-state") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("battery", percent, .incidental)
      sink.number("unknown_level", percent == nil ? battery : nil, .incidental)
      sink.flag("is_docked", isDocked)
      let parts = [
        percent.map { "accessory battery: \($0) %" }
          ?? battery.map { "accessory battery: level unknown (\($0))" },
        isDocked.map { $0 ? "docked" : "not docked" },
      ].compactMap { $0 }
      sink.sentence("\(parts.joined(separator: ", "))")
    }

    private var percent: UInt32? { battery.flatMap { $0 <= 9 ? ($0 + 1) * 10 : nil } }
  }

  /// AT+BIEV: an indicator of the Hands-Free unit.
  public struct HandsFreeIndicator: Described {
    public let id: UInt32
    public let value: UInt32

    public var kind: EventKind { HandsFreeEvent.kind("hands-free-indicator") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("indicator", id, "indicator_name", "hfp.handsFreeIndicator")
      sink.number("value", value)
      let name = Names.of(id, "hfp.handsFreeIndicator") ?? "HF indicator \(id)"
      sink.sentence("\(name) of the Hands-Free unit: \(value)")
    }
  }
}
