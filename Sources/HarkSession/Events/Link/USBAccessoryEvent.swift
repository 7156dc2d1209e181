extension LinkEvent {
  /// An interface of a USB device carries iAP2.
  public struct USBAccessory: Described {
    /// Whether this follows from its data, because the capture does not have its descriptors.
    public let isInferred: Bool

    public var kind: EventKind { LinkEvent.kind("usb-accessory") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("inferred", isInferred)
      let reason =
        isInferred
        ? "recognized by its data: the capture does not have its descriptors"
        : "on its interface \u{201C}iAP Interface\u{201D}"
      sink.sentence("\(Link.name(LinkEvent.link(event, session))): iAP2, \(reason)")
    }
  }
}
