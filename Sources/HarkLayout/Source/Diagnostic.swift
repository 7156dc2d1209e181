/// A place in a layout file, both from 1; columns count Unicode scalars.
public struct SourceLocation: Hashable, Sendable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// Something wrong with a layout, or that its author should know.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: Sendable { case warning, error }

  public let severity: Severity
  /// The file as it was named when it was loaded.
  public let file: String
  public let location: SourceLocation
  /// Where in the document: `/seq/0/type`; `/` for the whole.
  public let path: String
  public let message: String

  package init(
    _ severity: Severity, file: String, _ location: SourceLocation, path: String, _ message: String
  ) {
    (self.severity, self.file, self.location) = (severity, file, location)
    (self.path, self.message) = (path, message)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `acme.ksy:4:11: error: /seq/0/type: unable to find type 'foo'`; without a path if it is about the whole.
  public var description: String {
    "\(file):\(location.line):\(location.column): \(severity): "
      + (path == "/" ? message : "\(path): \(message)")
  }
}

/// Collects what is wrong with a layout and the files it imports, so that all is reported at once.
package final class Diagnostics {
  /// More than anybody reads; a hostile file has as many as it has lines.
  static let most = 200
  package private(set) var all: [Diagnostic] = []
  package private(set) var hasErrors = false

  package init() {}

  package func error(_ node: SourceNode, _ message: String) { add(.error, node, message) }

  package func warning(_ node: SourceNode, _ message: String) { add(.warning, node, message) }

  package func add(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    // What is checked for each use of a type would be said for each.
    if all.count < Self.most, !all.contains(diagnostic) { all.append(diagnostic) }
  }

  /// By place; of several files, in the order in which something was found.
  package var inOrder: [Diagnostic] {
    var files: [String] = []
    for diagnostic in all where !files.contains(diagnostic.file) { files.append(diagnostic.file) }
    return files.flatMap { file in
      all.filter { $0.file == file }.sorted { a, b in
        (a.location.line, a.location.column) < (b.location.line, b.location.column)
      }
    }
  }

  private func add(_ severity: Diagnostic.Severity, _ node: SourceNode, _ message: String) {
    add(
      Diagnostic(
        severity, file: node.file, node.location, path: node.path.isEmpty ? "/" : node.path, message
      ))
  }
}
