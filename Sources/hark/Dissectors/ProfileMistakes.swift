import HarkCore
import HarkCrypto
import HarkPresentation
import HarkSession

/// What is probably wrong with the user's own profiles, where a capture shows it: messages that do not open may be
/// the traffic's mistake or the profile's.
struct ProfileMistakes {
  private var trials: [ProfileTrial]

  /// Nil if the user has no profiles.
  init?() {
    guard !Dissectors.profiles.isEmpty else { return nil }
    trials = Dissectors.profiles.map { ProfileTrial($0.profile, $0.path) }
  }

  /// Lets a session produce what shows mistakes. Call it before the session takes packets.
  func prepare(_ session: inout Session) {
    session.treePackets = 1...UInt32.max
    session.keepsValues = true
  }

  /// Takes what the last packet completed.
  mutating func take(_ session: borrowing Session) {
    if session.events.isEmpty, session.messages.isEmpty { return }
    var unused = TextBuffer()
    for index in trials.indices {
      for message in session.messages {
        if let tree = message.tree { trials[index].take(tree, most: 0, to: &unused) }
      }
      for event in session.events { trials[index].take(event, most: 0, to: &unused) }
    }
  }

  /// The mistakes, once the session has reported what was still open at the end of the capture.
  mutating func end(_ session: borrowing Session) -> [SessionUpdate] {
    var found: [SessionUpdate] = []
    for index in trials.indices {
      trials[index].end(session.keys)
      found += trials[index].mistakes.map {
        .profileMistake(trials[index].event(of: $0), shownBy: $0.packets)
      }
    }
    return found
  }
}
