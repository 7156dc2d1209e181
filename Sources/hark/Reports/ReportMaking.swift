import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCompare
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkRedact
import HarkReport
import HarkSession

/// Captures on their way into a report.
struct ReportMaking {
  let knowledge: KnowledgeOptions
  private let form: CaptureForm?
  let keys: KeyRing
  /// The events of the app's side; nil if captures are only compared.
  private let app: AppOptions?
  private let keepsFindings: Bool
  private let notes: NotesFiles?
  private(set) var captures: [ReportedCapture] = []
  /// Of each capture as JSON, where they are wanted beside the report.
  private(set) var findings: [TextBuffer] = []
  /// The first exit code other than success.
  private(set) var code = ExitCode.success
  /// Of each redacted capture, by which the report is searched.
  private var proofs: [RedactedSentences] = []
  /// All files that were read: hark does not overwrite them.
  private var paths: [String] = []
  /// What captures are called, by their paths.
  private let names: [String: String]

  init(
    knowledge: KnowledgeOptions, as form: CaptureForm?, keys: KeyRing, app: AppOptions? = nil,
    keepsFindings: Bool = false, notes: NotesFiles? = nil, names: [String: String] = [:]
  ) {
    self.names = names
    (self.knowledge, self.form, self.keys, self.app) = (knowledge, form, keys, app)
    (self.keepsFindings, self.notes) = (keepsFindings, notes)
  }

  /// Reads a capture for what happened, and where that is possible again for the packets that prove
  /// the findings.
  /// - Parameters:
  ///   - good: What happened in a capture to compare it with.
  ///   - choose: Leaves out devices that are not to be compared.
  mutating func gather(
    _ input: ReportInput, comparedWith good: CaptureSteps? = nil,
    _ choose: (inout CaptureSteps) throws -> Void = { _ in }
  ) throws {
    var side: AppSide?
    switch input {
    case .file(let path): side = try app?.side(of: CaptureOptions(path, knowledge, as: form), keys)
    case .redacted(let copy):
      side = try app?.side(of: copy.redacted) { try? input.open(knowledge, as: form) }
      proofs.append(copy.redacted.sentences)
    }
    let original = try input.copy.flatMap { try judge($0) }
    // A redacted capture contains neither keys nor the content that they decrypt.
    let keys = input.copy == nil ? keys : KeyRing()
    // The texts of a library were not searched for personal data.
    let library = input.copy == nil ? GATTFiles.library : GATTLibrary()
    var reading = Reading(try open(input), keys: keys, app: side, library: library)
    if input.copy == nil { reading.findProfileMistakes() }
    var gathering = CaptureGathering(copyOf: original)
    let name = name(of: reading.capture)
    var steps = CaptureSteps(name)
    var end = try reading.run { session, _ in
      gathering.take(session)
      if good != nil { steps.take(session) }
    }
    if input.copy?.redacted.list.isRewritten == true { end.status = .damaged }
    let capture = reading.capture
    var reported = gathering.finish(
      name, hash: capture.info.size == nil ? nil : input.hash, capture.info, end,
      reading.session, isRedacted: input.copy != nil)
    reported.notes = notes?.of(input.path, packets: reported.packets) ?? []
    if let sentences = input.copy?.redacted.sentences {
      reported.notes = reported.notes.map { $0.restated { sentences.remark($0) } }
    }
    if capture.info.size != nil, !reported.evidence.isEmpty {
      reported.excerpts = try excerpts(reported.evidence, input, keys)
    }
    note(reading.status(end))
    if let good {
      steps.finish(reading.session)
      try choose(&steps)
      reported.comparison = Comparison(good, steps)
    }
    captures.append(reported)
    guard keepsFindings else { return }
    var text = TextBuffer()
    var writer = FindingsJSON()
    writer.write(name, gathering.findings, reading.session, end, to: &text)
    findings.append(text)
  }

  /// Judges the capture that a copy was made from, with the keys and the logs that belong to it.
  /// - Returns: Nil if there are no keys: then the copy shows the same.
  private func judge(_ copy: ReportInput.RedactedCopy) throws -> OriginalCapture? {
    guard var original = copy.original else { return nil }
    original.name = copy.name
    // As for somebody who does not have the private keys that the capture gives away: in the copy are
    // others.
    var keys = keys
    keys.setsAsideExposed = true
    func open() throws -> Capture {
      try ReportInput.open(original, zone: copy.zone(knowledge))
    }
    let side = try app?.side(keys) { try? open() }
    var reading = Reading(try open(), keys: keys, app: side, library: GATTLibrary())
    var gathering = CaptureGathering.ofOriginal
    _ = try reading.run { session, _ in gathering.take(session) }
    let sentences = copy.redacted.sentences
    return gathering.judge(reading.capture.info, reading.session) {
      sentences.restated($0, beside: $1)
    }
  }

  private func name(of capture: Capture) -> String {
    names[capture.name] ?? capture.name.fileName
  }

  /// What a report calls files: without their folders, which could reveal who made it, except for those that tell files
  /// of one name apart.
  static func names(of paths: [String]) -> [String: String] {
    let parts = Set(paths).map { (path: $0, parts: $0.split(separator: "/")) }
    let alike = Dictionary(grouping: parts) { $0.parts.last }
    var names: [String: String] = [:]
    for one in parts where !one.parts.isEmpty {
      let others = alike[one.parts.last, default: []].filter { $0.path != one.path }
      let count = (1...one.parts.count).first { count in
        !others.contains { $0.parts.suffix(count) == one.parts.suffix(count) }
      }
      names[one.path] = one.parts.suffix(count ?? one.parts.count).joined(separator: "/")
    }
    return names
  }

  /// What happened in a capture, to be compared.
  mutating func steps(of path: String) throws -> CaptureSteps {
    var reading = Reading(try open(.file(path)), keys: keys)
    var steps = CaptureSteps(name(of: reading.capture))
    let end = try reading.run { session, _ in steps.take(session) }
    steps.finish(reading.session)
    note(reading.status(end))
    return steps
  }

  /// - Parameter title: Nil for one made of what was found.
  func write(as form: ReportForm, title: String?, to output: String) throws {
    let text = try provenText(as: form, title: title)
    let file = output == "-" ? nil : try OutputBytes(output, besides: paths)
    var out = Output(isImmediate: false, into: file)
    out.text = text
    try out.flush()
    try file?.finish()
  }

  /// - Throws: If a redacted report contained any of the removed data.
  func provenText(as form: ReportForm, title: String?) throws -> TextBuffer {
    let report = BugReport(title: title, version: Hark.version, captures)
    try prove(report)
    return text(report, as: form)
  }

  /// Searches the parts of a redacted report in which something from the captures may stand for everything that was removed,
  /// in every encoding.
  private func prove(_ report: BugReport) throws {
    guard !proofs.isEmpty else { return }
    var complaints: [String] = []
    for part in report.parts {
      let bytes = Array(part.text.utf8)
      for kind in Set(proofs.flatMap { $0.leftKinds(in: bytes, isSentence: !part.isValue) })
        .sorted()
      {
        let complaint = "\(kind) from the captures would remain in \(part.name) of the report"
        if !complaints.contains(complaint) { complaints.append(complaint) }
      }
    }
    guard !complaints.isEmpty else { return }
    for complaint in complaints { Console.complain(complaint) }
    Console.complain("nothing was written")
    throw ExitCode.failure
  }

  private func text(_ report: BugReport, as form: ReportForm) -> TextBuffer {
    var text = TextBuffer()
    switch form {
    case .html:
      var html = BugReportHTML()
      html.write(report, to: &text)
    case .md:
      var markdown = BugReportMarkdown()
      markdown.write(report, to: &text)
    case .json: BugReportJSON().write(report, to: &text)
    }
    return text
  }

  private mutating func note(_ status: ExitCode) {
    if code == .success { code = status }
  }

  private mutating func open(_ input: ReportInput) throws -> Capture {
    if !paths.contains(input.path) { paths.append(input.path) }
    return try input.open(knowledge, as: form)
  }

  private mutating func excerpts(
    _ packets: [PacketID], _ input: ReportInput, _ keys: KeyRing
  ) throws -> [ReportedCapture.Excerpt] {
    let library = input.copy == nil ? GATTFiles.library : GATTLibrary()
    var reading = Reading(try open(input), keys: keys, library: library)
    reading.session.keepsFields = true
    var frames = packets.map { FrameEvents($0) }
    _ = try reading.packets { session, _, bytes in
      for index in frames.indices { frames[index].take(session, bytes) }
    }
    return frames.compactMap { events in
      guard let frame = FrameView(events, reading.session) else { return nil }
      var text = TextBuffer()
      FrameText().write(frame, reading.session, to: &text)
      return ReportedCapture.Excerpt(events.packet, text: text.string)
    }
  }
}
