/// Everything that is wrong with a key file. Quotes names of members, never a value of one.
public struct KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The member: `accessoryKeys[1].privateKey`; empty for the whole file.
    public let path: String
    /// Counted from 1; nil if the file could not be read.
    public let line: Int?
    public let column: Int?
    public let reason: String

    public var description: String {
      (path.isEmpty ? "" : "\(path): ") + reason
    }
  }

  public let file: String
  public let problems: [Problem]

  /// One line for each problem: `acme.harkkeys:7:20: accessoryKeys[1].privateKey: 31 bytes, …`.
  public var description: String {
    problems.map { problem in
      let place = problem.line.map { ":\($0):\(problem.column ?? 1)" } ?? ""
      return "\(file)\(place): \(problem)"
    }.joined(separator: "\n")
  }
}
