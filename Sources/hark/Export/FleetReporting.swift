import ArgumentParser
import HarkExport
import HarkReport

/// The report over a database of many captures.
struct FleetReporting {
  let database: String

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func run(_ command: ReportCommand) throws {
    guard let output = command.output, !command.redact, command.diff == nil, command.notes.isEmpty,
      command.title == nil, command.app.isEmpty, !command.keys.areNamed
    else {
      throw ValidationError(
        "\(database): for a database, hark report takes --output and --format; redact when you export"
      )
    }
    let form = try ReportForm(command.format, for: output)
    let report: FleetReport
    do {
      report = try FleetReport(try FleetReader(database), version: Hark.version)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
    let file = output == "-" ? nil : try OutputBytes(output, besides: [database])
    var out = Output(isImmediate: false, into: file)
    switch form {
    case .html:
      var html = BugReportHTML()
      html.write(report, to: &out.text)
    case .md: FleetMarkdown().write(report, to: &out.text)
    case .json: FleetJSON().write(report, to: &out.text)
    }
    try out.flush()
    try file?.finish()
  }
}
