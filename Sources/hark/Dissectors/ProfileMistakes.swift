import HarkCore
import HarkCrypto
import HarkPresentation
import HarkSession

/// What is probably wrong with the user's own profiles, where a capture shows it: messages that do not open may be
/// the traffic's mistake or the profile's.
struct ProfileMistakes {
  private var trials = Dissectors.profiles.map { ProfileTrial($0.profile, $0.path) }

  /// To be called before the session takes packets.
  func prepare(_ session: inout Session) {
    guard !trials.isEmpty else { return }
    session.treePackets = 1...UInt32.max
    session.keepsValues = true
  }

  /// Takes what the last packet completed.
  mutating func take(_ session: borrowing Session) {
    var unused = TextBuffer()
    for index in trials.indices {
      for message in session.messages {
        if let tree = message.tree { trials[index].take(tree, most: 0, to: &unused) }
      }
      for event in session.events { trials[index].take(event, most: 0, to: &unused) }
    }
  }

  /// Reports them on standard error.
  /// - Parameter keys: Those of the session.
  mutating func report(_ keys: KeyRing) {
    for index in trials.indices {
      trials[index].end(keys)
      for mistake in trials[index].mistakes {
        Console.complain("likely mistake of the profile, not of the traffic: \(mistake)")
      }
    }
  }
}
