import ArgumentParser
import Crypto
import Glibc
import HarkBugReport
import HarkCapture
import HarkCompare
import HarkCore
import HarkCrypto
import HarkReport
import HarkSession

/// Captures on their way into a report.
struct ReportMaking {
  let knowledge: KnowledgeOptions
  let keys: KeyRing
  /// What the app's side told; nil where captures are only compared.
  private let app: AppOptions?
  private(set) var captures: [ReportedCapture] = []
  /// The first exit code that is none of success.
  private(set) var code = ExitCode.success
  /// All that was read: none of it is written to.
  private var paths: [String] = []

  init(knowledge: KnowledgeOptions, keys: KeyRing, app: AppOptions? = nil) {
    (self.knowledge, self.keys, self.app) = (knowledge, keys, app)
  }

  /// Reads a capture for what happened, and where that is possible again for the packets that prove
  /// the findings.
  /// - Parameters:
  ///   - good: What happened in a capture to compare it with.
  ///   - choose: Leaves out devices that are not to be compared.
  mutating func gather(
    _ path: String, comparedWith good: CaptureSteps? = nil,
    _ choose: (inout CaptureSteps) throws -> Void = { _ in }
  ) throws {
    let side = try app?.side(of: path, knowledge, keys)
    var reading = Reading(try open(path), keys: keys, app: side)
    var gathering = CaptureGathering()
    var steps = CaptureSteps(path)
    let end = try reading.run { session, _ in
      gathering.take(session)
      if good != nil { steps.take(session) }
    }
    let capture = reading.capture
    var reported = gathering.finish(
      capture.name, hash: capture.info.size == nil ? nil : Self.hash(path), capture.info, end,
      reading.session)
    if capture.info.size != nil, !reported.evidence.isEmpty {
      reported.excerpts = try excerpts(reported.evidence, path, keys)
    }
    note(reading.status(end))
    if let good {
      steps.finish(reading.session)
      try choose(&steps)
      reported.comparison = Comparison(good, steps)
    }
    captures.append(reported)
  }

  /// What happened in a capture, to be compared.
  mutating func steps(of path: String) throws -> CaptureSteps {
    var reading = Reading(try open(path), keys: keys)
    var steps = CaptureSteps(path)
    let end = try reading.run { session, _ in steps.take(session) }
    steps.finish(reading.session)
    note(reading.status(end))
    return steps
  }

  /// - Parameter title: Nil for one made of what was found.
  func write(as form: ReportForm, title: String?, to output: String) throws {
    var out = Output(
      isImmediate: false, descriptor: output == "-" ? 1 : try descriptor(of: output),
      name: output == "-" ? "standard output" : output)
    let report = BugReport(title: title, version: Hark.version, captures)
    switch form {
    case .html:
      var html = BugReportHTML()
      html.write(report, to: &out.text)
    case .md:
      var markdown = BugReportMarkdown()
      markdown.write(report, to: &out.text)
    case .json: BugReportJSON().write(report, to: &out.text)
    }
    try out.flush()
  }

  private func descriptor(of output: String) throws -> Int32 {
    var result: Int32 = -1
    for path in paths { result = try Output.open(output, besides: path) }
    return result
  }

  private mutating func note(_ status: ExitCode) {
    if code == .success { code = status }
  }

  private mutating func open(_ path: String) throws -> Capture {
    if !paths.contains(path) { paths.append(path) }
    do {
      return try knowledge.open(path)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private mutating func excerpts(
    _ packets: [PacketID], _ path: String, _ keys: KeyRing
  ) throws -> [ReportedCapture.Excerpt] {
    var reading = Reading(try open(path), keys: keys)
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

  /// The SHA-256 of a file, by which others see that they have the same; nil where it cannot be read.
  private static func hash(_ path: String) -> String? {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var hash = SHA256()
    var part = [UInt8](repeating: 0, count: Output.size)
    while true {
      let count = unsafe read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      hash.update(data: part[..<count])
    }
    return hash.finalize().map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
