import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkExport
import HarkPlatform
import HarkPresentation
import HarkRedact
import HarkSession
import HarkSystem

/// Exports many captures into tables: a separate process reads each, and this one writes.
struct ExportRun {
  let command: ExportCommand
  let keys: KeyRing
  private let redaction: RedactionRun?
  /// The map at the start, with its values.
  private let map: RedactionMap?

  init(_ command: ExportCommand, _ keys: KeyRing) throws {
    (self.command, self.keys) = (command, keys)
    redaction = command.redact.map {
      RedactionRun(level: $0, map: command.map, keys: keys, form: command.many.form)
    }
    map = try redaction?.readMap()
  }

  private var identity: CaptureIdentity {
    CaptureIdentity(root: command.root, map: map?.withoutValues, keys: keys)
  }

  func run() throws {
    // A file that reaches its size limit counts as a full disk and does not end this process.
    signal(SIGXFSZ, SIG_IGN)
    guard
      var many = try ManyCaptures(
        command.captures, command.many, .named, command.look.style, takesOne: true)
    else { return }
    // Without it, later runs could not continue with the same pseudonyms.
    if let map, let path = command.map { try redaction?.write(Array(map.text.utf8), to: path) }
    let writer = ExportWriter(
      try destination(), identity, format: command.format, map: map
    ) { map in
      if let path = command.map { try redaction?.write(Array(map.text.utf8), to: path) }
    }
    try many.run({ try read($0, writer.destination) }, into: writer)
    try writer.finish()
    var out = Output(isImmediate: false)
    // Of captures that are not read again, the tables may have some.
    many.summary.writeFindings(
      command.look.style,
      none: many.summary.unchanged == 0
        ? "No findings.\n"
        : "No findings in the captures read now; unchanged captures were skipped and may have some.\n",
      to: &out.text)
    if let captures = try? writer.destination.exported() {
      ExportNotes(captures, command.captures, identity).write(to: &out.text)
    }
    try out.flush()
    throw many.code
  }

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  private func destination() throws -> any ExportDestination {
    do {
      switch command.format {
      case .sqlite:
        // Files of other users are not overwritten.
        _ = try FileTarget(command.output)
        let database = try FleetDatabase(
          command.output, command.options, version: Hark.version)
        Confinement.refuseWriting(
          butFiles: database.writtenFiles, [command.map].compactMap { $0 })
        return database
      case .jsonl:
        let folder = try FleetFolder(command.output, command.options, version: Hark.version)
        Confinement.refuseWriting(butFiles: [], command.writtenPaths)
        return folder
      }
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  // MARK: In the process of a capture

  private func read(_ path: String, _ destination: any ExportDestination) throws {
    destination.closeInCopy()
    Confinement.enterCopy(reading: path, command.format == .jsonl ? [command.output] : [])
    let file = identity.file(path, readsContents: true)
    if !command.again, let content = file.content, destination.has(file.key, content: content) {
      throw ManyCaptures.unchanged
    }
    try read(path, file, RowBytes(asLines: command.format == .jsonl))
  }

  private func read(_ path: String, _ file: ExportedFile, _ sink: RowBytes) throws {
    let capture: Capture
    var isRewritten = false
    var cause: (any Error)?
    do {
      (capture, isRewritten) = try open(path) { cause = $0 }
    } catch {
      let problem: String
      if let error = error as? CaptureError {
        Console.complain("\(error)")
        problem = redaction == nil ? error.reason : "hark cannot read it"
      } else {
        problem = Self.reason(cause) ?? "hark cannot redact it"
      }
      var sink = sink
      file.write(.unopened, problem, to: &sink)
      try send(sink.takeFrames(all: true, day: nil) + ExportFrame.end.bytes)
      throw ExitCode.failure
    }
    var rows = CaptureRows(file, command.options, sink)
    // Of a redacted capture everything that is known elsewhere was not searched for what is personal.
    let isRedacted = redaction != nil
    var reading = Reading(
      capture, keys: isRedacted ? KeyRing() : keys,
      library: isRedacted ? GATTLibrary() : GATTFiles.library)
    if rows.wantsFields { reading.session.keepsFields = true }
    var end = try reading.packets { session, record, bytes in
      rows.take(record, bytes, &session)
      try send(rows.takeFrames(session))
    }
    if isRewritten { end.status = .damaged }
    rows.finish(capture.info, end, reading.session)
    try send(rows.takeFrames(all: true, reading.session) + ExportFrame.end.bytes)
    var digest = CaptureDigest(reading.session, rows.firmware)
    for finding in rows.findings.sorted {
      digest.add(finding, reading.session, rows.firmware)
    }
    CaptureJobs.note(digest.bytes)
    throw reading.status(end)
  }

  /// The capture, or its redacted copy, which exists only in memory.
  /// - Parameter failed: Called with the reason for which it cannot be redacted.
  /// - Returns: It, and whether it is a new file with the packets of a damaged one.
  private func open(
    _ path: String, failed: @escaping (any Error) -> Void
  ) throws -> (Capture, isRewritten: Bool) {
    guard var redaction, let map else {
      return (try command.knowledge.open(path, as: command.many.form), false)
    }
    redaction.failed = failed
    var file = try redaction.read(path)
    let redacted = try redaction.redact(taking: &file, after: map.withoutValues)
    try send(ExportFrame.map(Array(redacted.map.text.utf8)).bytes)
    let capture = try ReportInput.open(
      CaptureBytes(redacted.bytes, name: path), zone: command.knowledge.timeZone?.withheld)
    return (capture, redacted.list.isRewritten)
  }

  /// Why a capture cannot be redacted, without names and contents; nil if that would not say anything.
  private static func reason(_ cause: (any Error)?) -> String? {
    switch cause {
    case let error as CaptureError: error.withoutContents
    case RedactionError.packed?: "the file is compressed twice"
    case RedactionError.damaged?: "it is damaged so that it cannot be redacted"
    case RedactionError.withoutPackets?: "the file contains no Bluetooth packets"
    default: nil
    }
  }

  private func send(_ frames: [UInt8]) throws {
    guard frames.isEmpty || Console.write(frames, to: 1) else { throw ExitCode.failure }
  }
}

extension CaptureError {
  /// The error, without the name of the file.
  fileprivate var reason: String {
    let text = "\(self)"
    return text.hasPrefix(name + ": ") ? String(text.dropFirst(name.count + 2)) : text
  }
}
