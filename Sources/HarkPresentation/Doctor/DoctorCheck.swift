import HarkSession

/// One thing that was looked at: whether it is as it should be, and what to do where it is not.
public struct DoctorCheck: Sendable, Equatable {
  public enum Status: String, Sendable, Comparable, CaseIterable {
    case ok
    /// Something that is not needed is missing.
    case info
    case warning
    case error

    public static func < (a: Status, b: Status) -> Bool { a.order < b.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Names the check, for programs too.
  public var name: String
  public var status: Status
  /// One sentence.
  public var text: String
  /// The exact command, or the steps if no command does it; nil if there is nothing to do.
  public var fix: String?

  public init(_ name: String, _ status: Status, _ text: String, fix: String? = nil) {
    (self.name, self.status, self.text, self.fix) = (name, status, text, fix)
  }
}
