import Foundation

/// The folders of the package, from which the tests are compiled.
public enum Project {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  public static let captures = root.appending(path: "captures")
  public static let tests = root.appending(path: "Tests")

  /// The path of a sample capture, by its path in that folder.
  public static func capture(_ name: String) -> String { captures.appending(path: name).path }

  public static func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path))
  }
}
