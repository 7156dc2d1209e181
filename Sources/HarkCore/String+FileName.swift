extension String {
  /// The last part of a path, such as `session.pklg`; the path itself if it has no parts.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
