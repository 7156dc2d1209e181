import ArgumentParser
import HarkCapture
import HarkCore
import HarkDissection
import HarkFindings
import HarkPlatform
import HarkPresentation
import HarkSession

/// Receives the output of captures instead of standard output.
protocol CaptureReceiver: AnyObject {
  func take(_ piece: [UInt8], of path: String) throws
  /// The output of a capture is complete.
  /// - Parameters:
  ///   - end: How its process ended.
  ///   - why: Why it left nothing, where it did not end by itself.
  func end(_ path: String, _ end: CaptureJobs.End, _ why: String?) throws
}

/// A command over many captures: its output for each, with the capture's name, and a summary.
struct ManyCaptures {
  /// How the output of a capture names it.
  enum Form {
    /// The output itself names it.
    case named
    /// A heading above it.
    case heading
    /// Objects on lines get a member.
    case objects
    /// Rows get a first column; the row of names is written once.
    case rows(separator: UInt8)
  }

  let list: CaptureList
  let pool: CaptureJobs
  private let isText: Bool
  /// The captures, as the command line names them.
  private let asked: [String]
  let form: Form
  private let style: Style
  private(set) var summary = ManySummary()
  private var line: [UInt8] = []
  private var hasHeader = false
  private var shown: String?
  private var isFirst = true
  private var worst = Int32(0)
  private let begun = Console.now

  /// The exit code of a process whose file in a folder is not a capture.
  private static let otherFile: Int32 = 200
  /// The exit code of a process whose capture does not have to be read.
  static let unchanged = ExitCode(201)

  /// Nil if `captures` is a single file, which is read without a separate process.
  /// - Parameter takesOne: Whether that is read in a process of its own as well.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init?(
    _ captures: [String], _ options: ManyOptions, _ form: Form, _ style: Style,
    takesOne: Bool = false
  ) throws {
    guard !CaptureJobs.isChild else { return nil }
    do {
      list = try CaptureList(captures)
    } catch {
      Console.complain(error.text)
      throw ExitCode.failure
    }
    guard takesOne || !list.isOne else { return nil }
    (pool, isText, self.form, self.style) = (options.pool, options.form == .text, form, style)
    asked = captures
  }

  /// - Parameters:
  ///   - work: Reads a capture, in a separate process.
  ///   - failed: Writes of a capture whose process left nothing.
  ///   - taking: Takes what was written of a capture in the place of standard output; false to leave it there.
  ///   - receiver: Takes it in pieces.
  mutating func run(
    _ work: (String) throws -> Void,
    failed: (_ path: String, _ why: String) -> [UInt8] = { _, _ in [] },
    taking: ([UInt8]) -> Bool = { _ in false }, into receiver: (any CaptureReceiver)? = nil
  ) throws {
    // Made before, so that the copies have it, and no thread is at work in them.
    _ = Catalog.shared
    _ = Findings()
    _ = VendorFramings.builtIn
    _ = Console.isOutputTerminal
    Console.keepColumns()
    signal(SIGPIPE, SIG_IGN)
    let items = list.items
    var this = self
    let isTaken = taking([])
    var piece: [UInt8] = []
    try pool.run(items) { item in
      this.code(of: item, work)
    } output: { item, bytes in
      if let receiver {
        try receiver.take(bytes, of: item.path)
      } else if isTaken {
        piece += bytes
      } else {
        try this.write(bytes, of: item.path)
      }
    } ended: { result in
      if isTaken, !piece.isEmpty { _ = taking(piece) }
      piece = []
      try this.end(result, failed, receiver)
    } waiting: { done in
      this.report(done, of: items.count)
    }
    self = this
    Progress.erase()
    if summary.isEmpty {
      // A job that checks nothing does not succeed.
      let places = asked.prefix(3).joined(separator: ", ") + (asked.count > 3 ? ", …" : "")
      Console.complain("no \(summary.otherFiles == 0 ? "file" : "capture") found in \(places)")
      worst = 1
    }
  }

  /// The exit code of the whole run.
  var code: ExitCode { ExitCode(worst) }

  private func code(
    of item: CaptureList.Item, _ work: (String) throws -> Void
  ) -> Int32 {
    if item.isFound {
      do throws(CaptureError) {
        _ = try Capture(path: item.path, isText: isText)
      } catch {
        if error.isOtherFile { return Self.otherFile }
      }
    }
    do {
      try work(item.path)
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      Console.complain("\(error)")
      return 1
    }
  }

  // MARK: Output

  /// - Throws: `ExitCode.success` once the reader has closed the pipe.
  private func put(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    Progress.beginOutput()
    Pager.show()
    guard Console.write(bytes, to: 1) else {
      if errno == EPIPE { throw ExitCode.success }
      Console.complain("standard output: cannot write: \(systemMessage(errno))")
      throw ExitCode.failure
    }
  }

  private mutating func write(_ bytes: [UInt8], of path: String) throws {
    var out = TextBuffer()
    switch form {
    case .named: out.append(bytes)
    case .heading:
      if shown != path {
        if !isFirst { out.byte(0x0A) }
        style.write(.title, to: &out) { $0.printable("==> \(path) <==") }
        out.byte(0x0A)
        shown = path
      }
      out.append(bytes)
    case .objects, .rows:
      for byte in bytes {
        line.append(byte)
        if byte == 0x0A { writeLine(of: path, to: &out) }
      }
    }
    isFirst = false
    try put(out.bytes)
  }

  private mutating func writeLine(of path: String, to out: inout TextBuffer) {
    defer { line.removeAll(keepingCapacity: true) }
    switch form {
    case .objects where line.first == UInt8(ascii: "{"):
      out.text("{\"capture\":")
      out.json(path)
      if line.count > 3 { out.text(",") }
      out.append(Array(line.dropFirst()))
    case .rows(let separator):
      let isHeader = shown != path
      shown = path
      if isHeader, hasHeader { return }
      if isHeader {
        hasHeader = true
        out.text("capture")
      } else if separator == UInt8(ascii: ",") {
        out.string(Self.quoted(path))
      } else {
        out.printable(path)
      }
      out.byte(separator)
      out.append(line)
    default: out.append(line)
    }
  }

  /// RFC 4180.
  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }

  private mutating func end(
    _ result: CaptureJobs.Result, _ failed: (String, String) -> [UInt8],
    _ receiver: (any CaptureReceiver)?
  ) throws {
    if !line.isEmpty {
      var out = TextBuffer()
      writeLine(of: result.item.path, to: &out)
      try put(out.bytes)
    }
    if !result.errorOutput.isEmpty {
      Progress.erase()
      _ = Console.write(result.errorOutput, to: 2)
    }
    var why: String?
    switch result.end {
    case .code(Self.otherFile):
      summary.otherFiles += 1
      return
    case .code(Self.unchanged.rawValue):
      summary.unchanged += 1
      return
    case .code(let code): take(code, of: result)
    case .signal(let signal): why = "hark crashed while reading it (signal \(signal))"
    case .timedOut: why = "not read within \(Names.count(pool.timeLimit ?? 0, "second"))"
    case .notStarted: why = "the system cannot start more processes: end some, or lower --jobs"
    }
    try receiver?.end(result.item.path, result.end, why)
    guard let why else { return }
    Console.complain("\(result.item.path): \(why)")
    summary.captures += 1
    summary.unopened += 1
    worst = 1
    try put(failed(result.item.path, why))
  }

  private mutating func take(_ code: Int32, of result: CaptureJobs.Result) {
    summary.captures += 1
    let digest = CaptureDigest(result.notes)
    if let digest { summary.add(digest, of: result.item.path) }
    switch code {
    case 0: break
    // The code is that of its findings.
    case 3: if digest?.isDamaged == true { summary.damaged += 1 }
    case 2: summary.damaged += 1
    default: summary.unopened += 1
    }
    // Unreadable captures take precedence over findings, and findings over damage.
    let rank: [Int32] = [0, 2, 3]
    let rankOf = { (code: Int32) in rank.firstIndex(of: code) ?? rank.count }
    if rankOf(code) > rankOf(worst) { worst = code }
  }

  private func report(_ done: Int, of all: Int) {
    guard Console.isErrorTerminal, Console.now - begun > 1_000_000_000 else { return }
    Progress.show("\(done) of \(Names.count(all, "file"))")
  }
}
