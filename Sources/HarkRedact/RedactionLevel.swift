/// How much of a capture is replaced.
public enum RedactionLevel: String, Sendable, CaseIterable {
  /// What names people and single devices, and keys. What a vendor would need to see stays.
  case share
  /// Also unexplained data: undecoded bytes, data of companies, makers and models.
  case strict
}
