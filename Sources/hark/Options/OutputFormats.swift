import ArgumentParser
import HarkCapture

extension CaptureOutput {
  /// The name of the format to write: the one given, otherwise that of the file's extension.
  /// - Throws: `ValidationError` if there is none.
  static func name(for path: String, _ format: String?) throws -> String {
    let names = CaptureOutput.names.joined(separator: ", ")
    if let format {
      guard CaptureOutput.names.contains(format) else {
        throw ValidationError("there is no output format '\(format)'; the formats are \(names)")
      }
      return format
    }
    if path == "-" {
      throw ValidationError("name the format for standard output: --format, one of \(names)")
    }
    guard let found = CaptureOutput.format(ofFile: path) else {
      let endings = CaptureOutput.endings.map { "." + $0.ending }.joined(separator: ", ")
      throw ValidationError(
        "the name '\(path)' does not select a format: use one of the extensions \(endings), "
          + "or name it: --format, one of \(names)")
    }
    return found
  }

  /// Each kind with its description.
  static var list: String {
    allCases.map { output in
      let gap = String(repeating: " ", count: max(1, 19 - output.rawValue.count))
      return "  \(output.rawValue)\(gap)\(output.summary)"
    }.joined(separator: "\n")
  }
}
