import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

/// Knowledge in addition to a capture.
public struct Knowledge: Sendable {
  public var keys: KeyRing
  public var framings: VendorFramings
  public var app: (any AppReporting)?
  public var library = GATTLibrary()
  /// The paths of fields that only vendors' messages have: those of profiles and of their layouts.
  public var messagePaths: Set<String> = []
  /// Whether the capture may continue for days, so that packets leave memory.
  public var forgets = false

  public init(keys: KeyRing, framings: VendorFramings, app: (any AppReporting)? = nil) {
    (self.keys, self.framings, self.app) = (keys, framings, app)
  }

  /// A session for the timeline's JSON, in which each value is an event.
  func session() -> Session {
    var session = Session(keys: keys, framings: framings, library: library)
    session.keepsValues = true
    session.opensLater = forgets
    app?.introduce(to: &session)
    return session
  }
}

/// A session that processes another one's input again, with the same events.
public struct Replay: ~Copyable {
  public var session: Session
  /// Whether there are no more steps.
  public private(set) var hasEnded = false
  private var reader: SessionLog.Reader
  private var app: (any AppReporting)?
  private var forgetting: PacketForgetting?

  public init(_ log: SessionLog, _ knowledge: Knowledge) {
    reader = SessionLog.Reader(log)
    session = knowledge.session()
    app = knowledge.app
    if knowledge.forgets { forgetting = PacketForgetting() }
  }

  /// The current session.
  public consuming func end() -> Session { session }

  /// Processes the next step; false if there is none yet.
  /// - Parameters:
  ///   - asked: Packets that still have to be shown.
  ///   - before: Called with a record before it is indexed, to decide what to keep of it.
  ///   - after: Called after each step, while its events exist; without a record for a step that
  ///     has none.
  public mutating func step(
    asked: Range<UInt32> = 0..<0,
    before: (CaptureRecord, inout Session) -> Void,
    after: (CaptureRecord?, RawSpan, inout Session) -> Void
  ) -> Bool {
    guard let (tag, record, range) = reader.next() else { return false }
    // Held here, so that the bytes stay while the session changes.
    let window = reader.window
    let bytes = window.raw.extracting(range)
    switch tag {
    case .record:
      before(record, &session)
      app?.report(before: record.time, &session)
      session.index(record, bytes)
      after(record, bytes, &session)
      forgetting?.take(&session, asked: asked)
      session.dropEvents()
      return true
    case .damage: session.damage(bytes.string, at: record.time)
    case .undatedDamage: session.damage(bytes.string, at: nil)
    case .comment:
      let parts = bytes.string.split(
        separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
      session.comment(String(parts.last ?? ""), of: String(parts[0]))
    case .update:
      if let update = reader.update(record.number) { session.take(update) }
    case .end:
      session.finish()
      app?.report(before: nil, &session)
    case .close: hasEnded = true
    }
    after(nil, RawSpan(), &session)
    session.dropEvents()
    return true
  }
}

extension RawSpan {
  fileprivate var string: String { String(decoding: array, as: UTF8.self) }
}
