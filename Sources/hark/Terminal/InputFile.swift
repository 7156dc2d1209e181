import ArgumentParser
import HarkCapture

/// Files that a command reads whole.
enum InputFile {
  /// What a file is called in complaints.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  static func bytes(_ path: String, most: Int) throws -> [UInt8] {
    do throws(WholeFile.Problem) {
      return try WholeFile.read(path == "-" ? "/dev/stdin" : path, most: most)
    } catch {
      Console.complain("\(name(path)): \(error.words(most: most))")
      throw ExitCode.failure
    }
  }
}
