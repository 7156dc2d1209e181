import ArgumentParser

/// The formats of a report.
enum ReportForm: String, ExpressibleByArgument, CaseIterable {
  case html, md, json

  /// The format that was given, otherwise that of the file's extension.
  /// - Parameter hint: Another way to give the format.
  /// - Throws: `ValidationError` if there is none.
  init(
    _ named: ReportForm?, for output: String, hint: String = ", or give --format"
  ) throws {
    if let named {
      self = named
      return
    }
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if ending == "pdf" {
      throw ValidationError("hark writes no PDF: write .html and print it")
    }
    guard let form = ["htm": .html, "markdown": .md][ending] ?? ReportForm(rawValue: ending) else {
      throw ValidationError(
        "the extension of \(output) does not select a format: use .html, .md or .json\(hint)")
    }
    self = form
  }
}
