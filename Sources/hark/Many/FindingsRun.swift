import ArgumentParser
import HarkCapture
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// Checks one or many captures, and writes the results.
struct FindingsRun {
  let format: FindingsFormat
  let rules: [RuleDescription]
  /// The least severe finding that is a failure.
  let failing: Finding.Severity?
  let style: Style
  /// The summary for captures without findings.
  var none: StaticString = "No findings.\n"
  /// Captures of the baseline that are not read; nil without a baseline.
  var goneCaptures: [FindingsBaseline.Capture]?

  /// The findings of a capture.
  struct Judgement: ~Copyable {
    let findings: Findings
    let session: Session
    let end: CaptureEnd
    let firmware: FirmwareVersions
    let code: ExitCode
  }

  /// - Parameters:
  ///   - open: Opens a capture.
  ///   - judge: Reads it.
  /// - Throws: The exit code.
  func run(
    _ captures: [String], _ options: ManyOptions, _ open: (String) throws -> Capture,
    _ judge: (String, Capture) throws -> Judgement
  ) throws {
    var out = Output(isImmediate: false)
    var writer = format.writer(
      rules, failing: failing ?? .warning, style: style, version: Hark.version)
    writer.begin(to: &out.text)
    guard var many = try ManyCaptures(captures, options, .named, style) else {
      let code = try write(captures[0], open, judge, &writer, &out)
      writer.finish(to: &out.text)
      try out.flush()
      throw code
    }
    try out.flush()
    let fresh = writer
    try many.run { path in
      var out = Output(isImmediate: false)
      var writer = fresh
      let code = try write(path, open, judge, &writer, &out)
      writer.writePiece(to: &out.text)
      if format == .text, out.text.count > 0 { out.text.byte(0x0A) }
      try out.flush()
      throw code
    } failed: { path, why in
      var out = TextBuffer()
      writer.write(path, unopened: why, to: &out)
      return out.bytes
    } taking: { piece in
      guard format.isDocument else { return false }
      writer.take(piece: piece)
      return true
    }
    writer.finish(to: &out.text)
    if format == .text {
      many.summary.writeFindings(style, none: none, to: &out.text)
      reportGone(to: &out.text)
    } else if format.hasSummary {
      many.summary.writeJSON(withFindings: true, gone: goneCaptures?.map(\.name), to: &out.text)
    }
    try out.flush()
    throw many.code
  }

  private static let mostGone = 20

  /// For people: the captures of the baseline that are not there.
  private func reportGone(to out: inout TextBuffer) {
    guard let goneCaptures, !goneCaptures.isEmpty else { return }
    for capture in goneCaptures.prefix(Self.mostGone) {
      out.text("gone: ")
      out.printable(capture.name)
      out.string(", with \(Names.count(capture.findings, "finding"))\n")
    }
    let more = goneCaptures.count - Self.mostGone
    if more > 0 { out.string("gone: \(Names.count(more, "more capture"))\n") }
  }

  /// - Returns: The exit code.
  private func write(
    _ path: String, _ open: (String) throws -> Capture,
    _ judge: (String, Capture) throws -> Judgement, _ writer: inout any FindingsWriter,
    _ out: inout Output
  ) throws -> ExitCode {
    let capture: Capture
    do {
      capture = try open(path)
    } catch {
      writer.write(path, unopened: "\(error)", to: &out.text)
      Console.complain("\(error)")
      return .failure
    }
    let judgement = try judge(path, capture)
    let findings = judgement.findings
    writer.write(capture.name, findings, judgement.session, judgement.end, to: &out.text)
    if CaptureJobs.isChild {
      var digest = CaptureDigest(judgement.session, judgement.firmware)
      digest.isDamaged = judgement.code == ExitCode(2)
      for finding in findings.sorted {
        digest.add(finding, judgement.session, judgement.firmware)
      }
      CaptureJobs.note(digest.bytes)
    }
    if let failing, let worst = findings.worst, worst >= failing { return ExitCode(3) }
    return judgement.code
  }
}

extension CaptureDigest {
  /// - Parameter session: After the end of the capture.
  mutating func add(
    _ finding: HarkFindings.Finding, _ session: borrowing Session, _ firmware: FirmwareVersions
  ) {
    let device = finding.place.device.map { session.current($0) }
    add(
      CaptureDigest.Finding(
        rule: finding.rule.id, severity: finding.severity.name,
        address: device.map { session.devices[Int($0.index)].address.description },
        link: finding.place.link.map { Int($0.index) + 1 },
        firmware: device.flatMap { firmware.version(of: $0, session) }
          ?? finding.place.link.flatMap { firmware.version(ofPeerOn: $0, session) }))
  }
}
