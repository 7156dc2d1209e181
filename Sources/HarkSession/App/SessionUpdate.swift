import HarkCore
import HarkCrypto

/// What a session is given between records, while the capture and what is known beside it grow.
public enum SessionUpdate: Sendable {
  /// What devices advertise is wanted from now on.
  case advertisers
  case keys([StoredKey])
  case identifier(String, of: BluetoothAddress)
  case app(AppEvent, at: Timestamp, before: Timestamp)
  case profileMistake(CaptureEvent.ProfileMistake, shownBy: Event.Frames)
}

extension SessionUpdate {
  /// How many bytes its texts have.
  public var size: Int {
    guard case .app(let event, _, _) = self else { return 0 }
    return event.text.utf8.count
      + (event.facts.map(\.value) + event.bodies).reduce(0) { $0 + $1.utf8.count }
  }
}
