import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession

/// One pass over a capture, from its beginning to its end.
final class CapturePass {
  let capture: Capture
  var session: Session
  private var end: CaptureEnd?
  private var reportedDamages = 0
  private var isFinished = false

  init(_ capture: Capture, _ keys: KeyRing) {
    self.capture = capture
    session = Session(keys: keys, framings: .known)
  }

  /// How the capture is truncated or damaged; nil until it has been read, and if it is complete.
  var problem: String? { end?.problem.map { "\($0)" } }

  /// Reads one record.
  /// - Returns: Whether a record was left.
  func step(_ after: (inout Session, CaptureRecord, RawSpan) -> Void) -> Bool {
    guard end == nil else { return false }
    var isRead = false
    let found = capture.forEachRecord { record, bytes in
      if !record.flags.isDisjoint(with: [.damaged, .afterDamage]), let damage = capture.damage {
        session.damage(Self.text(damage), at: record.time)
        reportedDamages += 1
      }
      session.index(record, bytes)
      if record.flags.contains(.commented) {
        for comment in capture.comments { session.comment(comment) }
      }
      after(&session, record, bytes)
      session.dropEvents()
      isRead = true
      return false
    }
    if found.status != .stopped { end = found }
    return isRead
  }

  /// Ends the session and passes it to `after` with its last events; only the first call does so.
  func finish(_ after: (inout Session) -> Void) {
    guard !isFinished, let end else { return }
    isFinished = true
    session.finish()
    for damage in end.damages.suffix(max(0, end.damages.count - reportedDamages)) {
      session.damage(Self.text(damage), at: nil)
    }
    after(&session)
    session.dropEvents()
  }

  private static func text(_ damage: CaptureDamage) -> String {
    "\(damage.isTruncation ? "truncated" : "damaged"): \(damage)"
  }
}
