import HarkCore

extension Event {
  /// The accessory, which is this host, continues naming an audio source whose link has closed.
  public struct AudioSourceNotCleared: Described {
    public let source: BluetoothAddress

    public var kind: EventKind {
      EventKind("audio-source-not-cleared", .configuration, .configuration)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.address("host", source)
      sink.sentence(
        """
        audio source not cleared: the accessory still names \(personal: source), whose link is \
        closed
        """)
    }
  }
}
