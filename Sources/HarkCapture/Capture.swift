import HarkCore

/// One open capture: a file, a pipe, standard input or bytes in memory.
///
/// Its format is recognized by its content. Memory use does not depend on its size.
public final class Capture {
  private let source: Source
  private var window: Window
  private var reader: any RecordReader
  private let journal = Journal()
  private let spool: Spool?
  private var record = CaptureRecord()
  private var end: CaptureEnd?

  /// Opens the capture at `path`; `-` is standard input. With `keepsBytes` the bytes of packets that
  /// cannot be read again (from pipes, compressed, UART or USB captures) go to a temporary file for
  /// `bytes(at:count:)`.
  /// - Parameter isText: Whether a file that is in no format of captures is a text of packets, whatever it looks like.
  public convenience init(
    path: String, keepsBytes: Bool = false, isText: Bool = false
  ) throws(CaptureError) {
    if isText {
      let source = try Source(Endpoint(path))
      if !CaptureFormat.isRecognized(source) {
        try self.init(text: source, keepsBytes: keepsBytes)
        return
      }
    }
    guard let found = try PacketLogs.source(at: path) else {
      let endpoint = Endpoint(path)
      try self.init(Source(endpoint), as: endpoint.format, keepsBytes: keepsBytes)
      return
    }
    try self.init(found.source, keepsBytes: keepsBytes)
    journal.info.format += ", " + found.origin
  }

  /// Whether a folder is an unpacked sysdiagnose, whose packet logs are one capture, or holds nothing else.
  public static func isSysdiagnose(_ path: String) -> Bool {
    PacketLogs.isSysdiagnose(path) && (try? PacketLogs.source(at: path)) != nil
  }

  /// Opens a capture that may still be growing.
  /// - Parameter format: What comes, where the bytes do not say so themselves.
  public convenience init(
    _ endpoint: Endpoint, as format: StreamFormat? = nil, waitPolicy: ReadWaitPolicy,
    keepsBytes: Bool = false
  ) throws(CaptureError) {
    try self.init(
      Source(endpoint, waitPolicy: waitPolicy), as: format ?? endpoint.format,
      keepsBytes: keepsBytes)
  }

  /// Opens a capture that is in memory; `name` stands for it in messages.
  public convenience init(
    bytes: [UInt8], name: String, keepsBytes: Bool = false
  ) throws(CaptureError) {
    try self.init(Source(bytes: bytes, name: name), keepsBytes: keepsBytes)
  }

  /// Opens a capture that was read as a whole.
  public convenience init(_ file: CaptureBytes) throws(CaptureError) {
    let source = try Source(bytes: file.bytes, name: file.name)
    if file.isText {
      try self.init(text: source, keepsBytes: false)
    } else {
      try self.init(source, keepsBytes: false)
      journal.take(file.unreadLines)
    }
  }

  private convenience init(text source: Source, keepsBytes: Bool) throws(CaptureError) {
    let text = try TextCapture.forced(in: source)
    try self.init(Source(bytes: text.bytes, name: source.name), keepsBytes: keepsBytes)
    journal.info.modified = source.modified
    journal.take(text)
  }

  /// The same of what passes on a line, of which at most `chunk` bytes are there at a time.
  package convenience init(
    bytes: [UInt8], name: String, as format: StreamFormat?, chunk: Int
  ) throws(CaptureError) {
    try self.init(
      Source(bytes: bytes, name: name, chunk: chunk), as: format, keepsBytes: false)
  }

  /// Reads a capture from `descriptor`, as `endpoint` was opened before, and closes it in the end
  /// unless it is that of standard input.
  /// - Parameter format: What comes, where the bytes do not say so themselves.
  public convenience init(
    descriptor: Int32, of endpoint: Endpoint, as format: StreamFormat? = nil,
    waitPolicy: ReadWaitPolicy
  ) throws(CaptureError) {
    try self.init(
      Source(
        descriptor: descriptor, name: endpoint.name, isOwned: !endpoint.isStandardInput,
        waitPolicy: waitPolicy),
      as: format, keepsBytes: false)
  }

  init(
    _ source: Source, as format: StreamFormat? = nil, keepsBytes: Bool
  ) throws(CaptureError) {
    let outer = source
    let log = format == nil ? try BugReport.log(in: outer) : nil
    let text = format == nil && log == nil ? TextCapture.capture(in: outer) : nil
    let source =
      try (log?.bytes ?? text?.bytes).map { bytes throws(CaptureError) in
        try Source(bytes: bytes, name: outer.name)
      } ?? outer
    self.source = source
    var window = Window(source)
    journal.info.size = source.size
    journal.info.modified = outer.modified
    journal.info.isCompressed = source.isCompressed
    do {
      if let format {
        reader = format.open(journal)
      } else {
        reader = try CaptureFormat.open(&window, journal)
        if let log { journal.info.format += ", " + log.origin }
        if let text { journal.take(text) }
      }
    } catch {
      var error = error
      error.isUnpacked = source.isCompressed
      throw error
    }
    journal.holdsMore = window.count > 0
    let isDirect = source.isRandomAccess && reader.isInPlace
    spool = keepsBytes && !isDirect ? try Spool(name: source.name) : nil
    canReadBack = isDirect || spool != nil
    self.window = window
  }

  /// The capture's name as messages show it: its path, or `standard input`.
  public var name: String { source.name }

  /// What the capture says about itself, as far as it was read.
  public var info: CaptureInfo {
    var info = journal.info
    info.zone = journal.zone.flatMap {
      $0.isWithheld
        ? nil
        : CaptureInfo.Zone(name: $0.name, secondsEast: $0.secondsEast(at: journal.shownTime))
    }
    return info
  }

  /// The zone that its clock shows: set it, and records are handed out with their times in UTC.
  public var zone: ClockZone? {
    get { journal.zone }
    set { journal.zone = newValue }
  }

  /// How many bytes of the file were read, before decompression: compare with `info.size`.
  public var position: Int64 { source.position }

  /// Whether `forEachRecord` stops where the rest of a record has not come yet, as it does after `body` returned
  /// false. Otherwise it waits for the rest, and nothing else can be done meanwhile.
  public var stopsInsideRecords: Bool {
    get { journal.stopsInsideRecords }
    // The bytes that a packed source has do not show how many come out of them.
    set { journal.stopsInsideRecords = newValue && !source.isCompressed }
  }

  /// Waits until the next record, or a part of it, can be read.
  /// - Parameter milliseconds: At most so long; 0 only looks, -1 waits for ever.
  public func wait(milliseconds: Int32) -> ReadWaitPolicy.Outcome {
    journal.holdsMore ? .ready : source.wait(milliseconds: milliseconds)
  }

  /// What is wrong right before or in the record that was handed out last, if its flags say so.
  public var damage: CaptureDamage? { journal.damage }

  /// The comments on the record that was handed out last, if its flags say that there are any.
  public var comments: [String] { journal.comments }

  /// Whether `bytes(at:count:)` works for this capture.
  public let canReadBack: Bool

  /// Calls `body` once per record, in the order of the capture, with the record's bytes, until the
  /// end or until `body` returns false. A second call continues where the first left off.
  ///
  /// The bytes are valid during the call only. Nothing is allocated per record.
  public func forEachRecord<E: Error>(
    _ body: (CaptureRecord, RawSpan) throws(E) -> Bool
  ) throws(E) -> CaptureEnd {
    if let end { return end }
    guard try reader.run(&window, journal, &record, spool, body) else {
      return journal.end(.stopped, records: record.number)
    }
    let ended = finish()
    end = ended
    return ended
  }

  private func finish() -> CaptureEnd {
    let count = record.number
    record.number &+= 1
    if let problem = source.problem {
      journal.reportEnd(problem, &record, at: window.offset)
    }
    if let code = spool?.failure {
      journal.report(.store(code), &record, at: window.offset, resumedAt: nil)
    }
    return journal.end(records: count)
  }

  /// The bytes of a record that was handed out, by its `offset` and `count`.
  public func bytes(at offset: Int64, count: Int) throws(CaptureError) -> [UInt8] {
    if let spool { return try spool.bytes(at: offset, count: count) }
    guard canReadBack else { throw .notKept(name) }
    return try source.bytes(at: offset, count: count)
  }

  /// A finding with the capture's name in front, for people.
  public func message(_ damage: CaptureDamage) -> String { "\(name): \(damage)" }
}
