import HarkCore

extension CaptureEvent {
  /// A probable mistake of a profile, not of the traffic, that the capture shows.
  public struct ProfileMistake: Described, Hashable {
    /// The id of the profile.
    public let profile: String
    /// Its file, without folders that exist only on the user's machine.
    public let file: String
    /// The location of the expression in the file, counted from 1; nil if the mistake is not in a single expression.
    public let line: Int?
    public let column: Int?
    /// One sentence, without the full stop.
    public let mistake: String

    public init(profile: String, file: String, line: Int?, column: Int?, mistake: String) {
      (self.profile, self.file, self.mistake) = (profile, file, mistake)
      (self.line, self.column) = (line, column)
    }

    /// `pebble/profile.yaml:24:16`
    public var place: String {
      ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
    }

    /// It is known only at the end, and concerns all of the profile's messages.
    public var kind: EventKind {
      EventKind("profile-mistake", .note, [], isStep: false).looking(back: .inSentence)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.phrase("profile", profile)
      sink.phrase("file", file)
      sink.number("line", line)
      sink.number("column", column)
      sink.phrase("mistake", mistake)
      sink.sentence(
        "likely mistake in the profile, not in the traffic: \(personal: "\(place): \(mistake)")")
    }
  }
}
