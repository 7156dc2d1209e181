import ArgumentParser
import Crypto
import Glibc
import HarkBugReport
import HarkCapture
import HarkCore
import HarkCrypto
import HarkReport
import HarkSession

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make one file that says what went wrong, to attach to a bug.",
    discussion: """
      Summary, findings with the packets that prove them, sessions, devices, sequence diagrams, \
      throughput and latency, the timeline, and what the capture cannot show. The ending of the file \
      says its form: .html is a page that needs no other file and no network, searches, and prints \
      well; .md fits an issue of GitHub or Feedback Assistant; .json is for programs.

      Keys are never in it. Names, addresses and opened notifications are: look at it before you \
      send it.

      Examples:
        hark report session.pklg --keys acme.harkkeys -o bug.html
        hark report good.btsnoop bad.btsnoop -o bug.md --title "Buds lose the primary source"
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case html, md, json
  }

  @Argument(
    help: "The captures: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var captures: [String]

  @OptionGroup var knowledge: KnowledgeOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file(extensions: ["html", "md", "json"]))
  var output: String

  @Option(name: .shortAndLong, help: "html, md or json, where the file's ending does not say so.")
  var format: Form?

  @Option(help: "The title of the report. Without it: what was found.")
  var title: String?

  private var form: Form? {
    if let format { return format }
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return ["htm": .html, "markdown": .md][ending] ?? Form(rawValue: ending)
  }

  func validate() throws {
    guard form != nil else {
      throw ValidationError(
        "The ending of \(output) says no form: name it .html, .md or .json, or give --format.")
    }
    guard Set(captures).count == captures.count else {
      throw ValidationError("A capture is named twice.")
    }
  }

  func run() throws {
    let keys = try knowledge.keyRing()
    var (gathered, code): ([ReportedCapture], ExitCode) = ([], .success)
    for path in captures {
      let (capture, status) = try gather(path, keys)
      gathered.append(capture)
      if code == .success { code = status }
    }
    var out = Output(
      isImmediate: false, descriptor: output == "-" ? 1 : try descriptor(),
      name: output == "-" ? "standard output" : output)
    let report = BugReport(title: title, version: Hark.version, gathered)
    switch form {
    case .html, nil:
      var html = BugReportHTML()
      html.write(report, to: &out.text)
    case .md:
      var markdown = BugReportMarkdown()
      markdown.write(report, to: &out.text)
    case .json: BugReportJSON().write(report, to: &out.text)
    }
    try out.flush()
    throw code
  }

  private func descriptor() throws -> Int32 {
    var result: Int32 = -1
    for path in captures { result = try Output.open(output, besides: path) }
    return result
  }

  /// Reads a capture for what happened, and where that is possible again for the packets that prove
  /// the findings.
  private func gather(_ path: String, _ keys: KeyRing) throws -> (ReportedCapture, ExitCode) {
    var reading = Reading(try open(path), keys: keys)
    var gathering = CaptureGathering()
    let end = try reading.run { session, _ in gathering.take(session) }
    let capture = reading.capture
    var reported = gathering.finish(
      capture.name, hash: capture.info.size == nil ? nil : Self.hash(path), capture.info, end,
      reading.session)
    if capture.info.size != nil, !reported.evidence.isEmpty {
      reported.excerpts = try excerpts(reported.evidence, path, keys)
    }
    return (reported, reading.status(end))
  }

  private func open(_ path: String) throws -> Capture {
    do {
      return try knowledge.open(path)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private func excerpts(
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
