import ArgumentParser
import HarkCapture
import HarkPlatform

/// Files that a command reads whole.
enum InputFile {
  /// - Throws: `ExitCode.failure`, after telling why on standard error.
  static func bytes(_ path: String, most: Int) throws -> [UInt8] {
    do throws(WholeFile.Problem) {
      return try WholeFile.read(path == "-" ? "/dev/stdin" : path, most: most)
    } catch {
      let reason =
        switch error {
        case .cannotOpen(let code): "cannot be opened: \(unsafe String(cString: strerror(code)))"
        case .cannotRead(let code): "cannot be read: \(unsafe String(cString: strerror(code)))"
        case .tooLarge: "is larger than \(most) bytes"
        }
      Console.complain("\(path) \(reason)")
      throw ExitCode.failure
    }
  }
}
