import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFilter
import HarkPresentation
import HarkSelection
import HarkSession

/// Captures on their way into another one.
struct Conversion {
  private let inputs: [String]
  private let path: String
  private let command: ConvertCommand
  private let keys: KeyRing
  private let filter: Filter?
  private var merge: CaptureMerge
  private var writer: CaptureWriter
  private let output: OutputBytes
  /// What is to be said about a device that was named and is not there.
  private var missing: String?
  /// Encrypted packets of links on the air, and how many of them were written in the clear.
  private var encrypted = (all: 0, cleared: 0)
  /// How many texts of PacketLogger became comments.
  private var noteCount = 0
  private var leftNotes = 0

  /// Opens everything.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(
    _ inputs: [String], to path: String, as format: String, _ command: ConvertCommand
  ) throws {
    (self.inputs, self.path, self.command) = (inputs, path, command)
    keys = try command.keys.ring()
    let traces = try NamedDevice(command.filtering.device)?.traces(
      in: inputs.map { CaptureOptions($0, command.knowledge, as: command.form) }, keys,
      Dissectors.framings)
    filter = try command.filtering.filter(at: traces)
    merge = try Self.open(inputs, command)
    let sources = merge.captures.map(\.info)
    guard let kind = CaptureOutput.choose(format, for: sources) else {
      throw ValidationError("there is no output format '\(format)'")
    }
    if let refusal = Self.refusal(kind, sources) {
      Console.complain("\(path): \(refusal)")
      throw ExitCode.validationFailure
    }
    writer = CaptureWriter(kind, of: sources, application: "hark \(Hark.version)")
    writer.copiesBlocks = sources.count == 1
    output = try OutputBytes(path, besides: inputs)
  }

  /// Why nothing of the captures could be written.
  private static func refusal(_ kind: CaptureOutput, _ sources: [CaptureInfo]) -> String? {
    let held = Set(sources.map(\.contentOtherThanHCI))
    guard held.count == 1, case let content?? = held.first, !kind.holds(content) else { return nil }
    return "\(kind.title) cannot store \(content.rawValue): write pcap or pcapng."
  }

  private static func open(
    _ inputs: [String], _ command: ConvertCommand
  ) throws -> CaptureMerge {
    do {
      return CaptureMerge(
        try inputs.map { path throws(CaptureError) in
          try command.knowledge.open(path, as: command.form)
        })
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Reads and writes everything.
  /// - Returns: The exit code.
  mutating func run() throws -> ExitCode {
    let found = FirstPass(filter)
    let isReadAgain = inputs.allSatisfy(NamedDevice.isFile)
    if let found, isReadAgain { found.read(try opened(), keys) }
    let kept = command.keepState ? try chosen(found) : nil
    writer.begin(to: &output.bytes)
    let ends = needsSession ? try convert(kept, found, isReadAgain: isReadAgain) : try copy()
    let records = ends.reduce(0) { $0 + Int($1.records) }
    let isWhole = writer.count == records && !command.isPart && !command.decrypt
    writer.finish(merge.captures.map(\.info), isWhole: isWhole, to: &output.bytes)
    // What is there already is not replaced by nothing.
    let isEmpty = writer.count == 0 && ends.contains { $0.records > 0 }
    if !isEmpty { try output.finish() }
    if let complaint = found?.complaint { Console.complain("\(output.name): \(complaint)") }
    let code = report(ends)
    return isEmpty ? .failure : code
  }

  /// The captures once more, from their beginnings.
  private func opened() throws -> CaptureMerge { try Self.open(inputs, command) }

  private var wantsComments: Bool { writer.output == .pcapng && !command.noComments }

  /// Comments that are not hark's stay.
  private var keepsNotes: Bool {
    writer.output == .pcapng && merge.captures.contains { $0.info.isOfPacketLogger }
  }

  /// Whether more is to be known of a packet than its record says.
  private var needsSession: Bool {
    filter != nil || command.decrypt || command.link != nil || wantsComments || keepsNotes
      || merge.captures.contains(where: \.info.lacksDirections)
  }

  /// Writes all records as they are.
  private mutating func copy() throws -> [CaptureEnd] {
    var progress = Progress(isStreaming: false)
    defer { Progress.erase() }
    return try merge.forEachRecord { record, bytes in
      progress.report(merge, every: writer.count)
      _ = writer.append(record, bytes, origin(of: record), to: &output.bytes)
      try output.written()
      return true
    }
  }

  private func origin(of record: CaptureRecord) -> RecordOrigin {
    var origin = RecordOrigin(merge.captures[merge.current].info, controller: merge.controller)
    if record.flags.contains(.commented) {
      origin.comments = merge.comments.filter { !$0.hasPrefix(RecordOrigin.mark) }
    }
    return origin
  }

  /// Writes the records that are wanted, with what is known about them.
  private mutating func convert(
    _ kept: KeptRecords?, _ found: FirstPass?, isReadAgain: Bool
  ) throws -> [CaptureEnd] {
    let remarks =
      wantsComments ? RecordRemarks(holdsPlaintexts: command.keys.areGiven) : nil
    var selection = Selection(filter, command.link, keys, found)
    remarks?.prepare(&selection.session)
    selection.session.keepsClearedRecords = command.decrypt
    var held = HeldRecords(remarks, keepsNotes: keepsNotes, canHold: writer.canHold)
    var progress = Progress(isStreaming: false)
    defer { Progress.erase() }
    let ends: [CaptureEnd]
    if let found, !isReadAgain {
      ends = try convert(&selection, &held, found)
    } else {
      ends = try merge.forEachRecord { record, bytes in
        progress.report(merge, every: selection.session.packets.count)
        selection.take(record, bytes, origin(of: record), kept, &held)
        try held.release { try write($0) }
        return true
      }
    }
    selection.session.finish()
    encrypted = (selection.session.counts.air.encrypted, selection.session.counts.air.opened)
    held.comment(selection.session)
    missing = NamedDevice(command.filtering.device)?.complaint(selection.session)
    try held.release(all: true) { try write($0) }
    (noteCount, leftNotes) = (held.noteCount, held.leftNotes)
    return ends
  }

  /// The same of what can be read only once: what is known about a record later is found ahead of it.
  private mutating func convert(
    _ selection: inout Selection, _ held: inout HeldRecords, _ found: FirstPass
  ) throws -> [CaptureEnd] {
    var ahead = found.session(keys)
    found.isAhead = true
    let waiting = RecordQueue<RecordOrigin>()
    func pass(_ entry: RecordQueue<RecordOrigin>.Entry) throws {
      found.begin(packet: UInt32(truncatingIfNeeded: selection.session.packets.count + 1))
      let bytes = entry.bytes
      selection.take(entry.record, bytes.raw, entry.remark, nil, &held)
      try held.release { try write($0) }
    }
    var progress = Progress(isStreaming: false)
    let ends = try merge.forEachRecord { record, bytes in
      progress.report(merge, every: ahead.packets.count)
      ahead.index(record, bytes)
      found.take(ahead)
      ahead.dropEvents()
      waiting.append(record, bytes, origin(of: record))
      while let entry = waiting.excess() { try pass(entry) }
      return true
    }
    ahead.finish()
    found.finish(ahead)
    while let entry = waiting.first() { try pass(entry) }
    return ends
  }

  private mutating func write(_ entry: HeldRecords.Entry) throws {
    guard entry.isWanted else { return writer.skip(entry.record) }
    _ = writer.append(entry.record, entry.bytes.raw, entry.origin, to: &output.bytes)
    try output.written()
  }

  /// Reads everything, and finds what is wanted and what that needs.
  private func chosen(_ found: FirstPass?) throws -> KeptRecords {
    var selection = Selection(filter, command.link, keys, found)
    var kept = try KeptRecords()
    let merge = try opened()
    var progress = Progress(isStreaming: false)
    _ = merge.forEachRecord { record, bytes in
      progress.report(merge, every: selection.session.packets.count)
      let isSelected = selection.take(record, bytes)
      kept.take(record, bytes, isSelected: isSelected, &selection)
      selection.session.dropEvents()
      return true
    }
    progress.finish()
    selection.session.finish()
    kept.takeEvents(selection.session)
    kept.close(selection.session)
    return kept
  }

  /// Reports what was written, what could not be, and what was wrong.
  private mutating func report(_ ends: [CaptureEnd]) -> ExitCode {
    writer.close(merge.captures.map(\.info))
    for renumbering in merge.renumberings {
      Console.complain(
        "\(merge.captures[renumbering.capture].name): hci\(renumbering.from) is "
          + "hci\(renumbering.to) in \(output.name): another capture from the same time has hci\(renumbering.from), too"
      )
    }
    if command.decrypt {
      let rest = encrypted.all - encrypted.cleared
      Console.complain(
        encrypted.all == 0
          ? "\(output.name): the captures have no encrypted over-the-air packets"
          : "\(output.name): \(encrypted.cleared) of \(encrypted.all) encrypted packets are in the clear"
            + (rest > 0 ? "; 'hark explain' lists what decrypts the others" : ""))
    }
    if noteCount > 0 {
      let are = noteCount == 1 ? "is a comment" : "are comments"
      Console.complain(
        "\(output.name): \(Names.count(noteCount, "text")) of PacketLogger \(are) on the next packet"
      )
    }
    if leftNotes > 0 {
      Console.complain(
        "\(output.name): \(Names.count(leftNotes, "text")) of PacketLogger not written: there is no packet to "
          + "comment on")
    }
    for sentence in writer.losses.sentences { Console.complain("\(output.name): \(sentence)") }
    let count = ends.reduce(0) { $0 + Int($1.records) }
    Console.complain(
      writer.count > 0 || count == 0
        ? "\(output.name): \(writer.count) of \(count) records written"
        : command.isPart
          ? "\(output.name): not written: no match in \(Names.count(count, "packet"))"
            + (missing.map { "; \($0)" } ?? "")
          : "\(output.name): not written: the format cannot store any of the \(count) records")
    var code = ExitCode.success
    for (capture, end) in zip(merge.captures, ends) {
      let status = Reading.status(end, of: capture)
      if status != .success { code = status }
    }
    return code
  }
}

/// Records on their way through the index pass, and which of them are asked for.
struct Selection: ~Copyable {
  var session: Session
  var packet = PacketReading()
  private var filter: PacketFilter?
  private let link: LinkChoice?
  private var outstanding = OutstandingPackets()

  /// - Parameter found: What a first pass finds of the captures, where the filter needs one.
  init(_ filter: Filter?, _ link: LinkChoice?, _ keys: KeyRing, _ found: FirstPass?) {
    session = Session(
      keys: keys, framings: Dissectors.framings, library: GATTFiles.library)
    session.onKeySearch = Progress.keySearch
    self.filter = filter.map { PacketFilter($0, found?.marks) }
    self.link = link
    packet.messages = found?.messages
  }

  /// Indexes a record, and says whether it is wanted.
  mutating func take(_ record: CaptureRecord, _ bytes: RawSpan) -> Bool {
    session.keepsFields = filter != nil
    session.index(record, bytes)
    if let link, !isOn(link, session.packets[number]?.link) { return false }
    return filter?.matches(record, bytes, &packet, &session) ?? true
  }

  /// Indexes a record, and holds it until it is known what it shows.
  /// - Parameter kept: What is wanted, where that is known already.
  mutating func take(
    _ record: CaptureRecord, _ bytes: RawSpan, _ origin: RecordOrigin, _ kept: KeptRecords?,
    _ held: inout HeldRecords
  ) {
    let isSelected = take(record, bytes)
    var origin = origin
    if let row = session.packets[number], row.flags.contains(.directionInferred) {
      origin.inferred = row.direction
    }
    let isWanted = kept.map { keeps(bytes, $0) } ?? isSelected
    if let cleared = session.clearedRecord {
      var record = record
      record.originalCount -= bytes.byteCount - cleared.count
      record.count = cleared.count
      held.take(record, cleared.raw, origin, isWanted: isWanted, session)
    } else {
      held.take(record, bytes, origin, isWanted: isWanted, session)
    }
    session.dropEvents()
  }

  /// Whether the record that was indexed last is kept, in a pass after the one that chose: for itself, or because it
  /// reports that packets which are kept have completed.
  mutating func keeps(_ bytes: RawSpan, _ kept: KeptRecords) -> Bool {
    let completes = outstanding.complete(session.completedPackets(bytes))
    guard completes || kept.contains(number) else { return false }
    if let row = session.packets[number] { outstanding.keep(row) }
    return true
  }

  private var number: UInt32 { UInt32(truncatingIfNeeded: session.packets.count) }

  private func isOn(_ choice: LinkChoice, _ link: LinkID?) -> Bool {
    guard let link else { return false }
    return switch choice {
    case .number(let number): Int(link.index) + 1 == number
    case .handle(let handle): session.handle(of: link) == handle
    }
  }
}
