import HarkCore
import HarkCrypto

/// What a session gets between records, while the capture and other sources grow.
public enum SessionUpdate: Sendable {
  /// From now on, collect what devices advertise.
  case advertisers
  case keys([StoredKey])
  case identifier(String, of: BluetoothAddress)
  case app(AppEvent, at: Timestamp, before: Timestamp)
  case profileMistake(CaptureEvent.ProfileMistake, shownBy: Event.Frames)
}

extension SessionUpdate {
  /// The size of its texts in bytes.
  public var size: Int {
    guard case .app(let event, _, _) = self else { return 0 }
    return event.text.utf8.count
      + (event.facts.map(\.value) + event.bodies).reduce(0) { $0 + $1.utf8.count }
  }
}
