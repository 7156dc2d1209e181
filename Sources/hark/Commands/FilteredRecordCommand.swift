import ArgumentParser
import HarkCapture
import HarkCore
import HarkFilter
import HarkPlatform
import HarkPresentation
import HarkSelection
import HarkSession

/// `hark record` with a filter. The recorder decodes nothing, so what it reads comes here, where there
/// are no privileges, and what matches continues to another that writes.
struct FilteredRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hark record",
    abstract: "Record only packets that match a filter.",
    discussion: """
      hark-record reads the source with its privileges and without decoders; hark filters the packets \
      without privileges, and a second hark-record writes the matching ones to the file.

      Packets needed to understand the matching ones are kept, too: commands and events about \
      controllers, links, pairing and encryption, the opening of channels, service discovery, the \
      other fragments of PDUs that are kept, the responses to requests, and the controller's reports \
      that packets have completed. \
      --no-state drops these. Dropped packets are lost: to keep everything, use 'hark live -w' \
      and filter later with 'hark convert'.

      hark keeps the state of the last million packets, so a recording can run for days.
      """)

  @Argument(help: ArgumentHelp("Where to read packets from.", valueName: "source"))
  var source = LiveSource.monitor

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var presets: PacketPresets

  @Flag(help: "Write only the packets that match.")
  var noState = false

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "Recording") var recording: RecordingOptions

  @Option(
    help: ArgumentHelp(
      "Buffer size in the kernel, and the same in memory: 32M.", valueName: "size"))
  var buffer: String?

  /// Whether one of these arguments is a filter.
  static func isMeant(_ arguments: [String]) -> Bool {
    arguments.contains { argument in
      let name = argument.prefix { $0 != "=" }
      return argument.hasPrefix("-Y")
        || ["--filter", "--device", "--service", PacketPresets.name].contains(String(name))
    }
  }

  mutating func validate() throws {
    guard recording.write != nil else {
      throw ValidationError("name a file to write with -w FILE, or - for standard output")
    }
    try RecordingOptions.check(.buffer, buffer)
    try filtering.compile(and: presets.filters)
    try filtering.refuseWhatIsKnownLater()
  }

  func run() throws {
    guard let filter = filtering.compiled?.filter else { return }
    let keys = try self.keys.ring()
    let signals = try Signals()
    guard let file = try LiveRecording(recording, besides: source) else { return }
    let input = try LiveSource(
      recording: source, buffer: buffer, isWritten: true, signals: signals.descriptor,
      stops: [file.descriptor]
    ) {
      file.flush()
      return true
    }
    let status: ExitCode
    do {
      var reading = Reading(try input.open(), keys: keys)
      status = try record(&reading, Selection(filter, keepsState: !noState), file)
      try input.close()
    } catch {
      _ = try? input.close()
      try file.finish()
      throw error
    }
    try file.finish()
    throw signals.isPending ? ExitCode.success : status
  }

  /// Writes what matches until the source ends or is to end.
  private func record(
    _ reading: inout Reading, _ selection: consuming Selection, _ file: LiveRecording
  ) throws -> ExitCode {
    reading.capture.zone = knowledge.timeZone
    try file.begin(reading.capture.info)
    Confinement.enterAfterOpening(.none)
    reading.kindsWithFields = selection.kindsWithFields
    reading.forgetting = PacketForgetting()
    if knowledge.memory == nil { MemoryBudget.end() }
    let end = try reading.take { session, record, bytes in
      selection.take(record, bytes, &session, file)
      return true
    }
    selection.finish(file)
    let count = reading.session.packets.count
    Console.complain(
      "\(selection.matching) of \(count) \(count == 1 ? "packet matches" : "packets match")"
        + (noState ? "" : "; \(selection.state) more kept to decode them"))
    return reading.status(file.judged(end), NamedDevice(filtering.device))
  }

  /// The part of a source that is written.
  private struct Selection: ~Copyable {
    private var filter: PacketFilter
    private var needed: PacketFilter?
    private var packet = PacketReading()
    private var names = 0
    /// The numbers of the records that were written last, in order, at most `mostWritten`.
    private var written: [UInt32] = []
    private static let mostWritten = 1_024
    private var pending = PendingFragments()
    private var outstanding = OutstandingPackets()
    private(set) var matching = 0
    private(set) var state = 0

    init(_ filter: Filter, keepsState: Bool) throws {
      self.filter = PacketFilter(filter)
      let state = "\(StateRecords.filter) or \(StateRecords.requests)"
      needed = keepsState ? PacketFilter(try Filter(state)) : nil
    }

    /// As `Reading` has it.
    var kindsWithFields: [Bool] {
      let kinds = filter.filter.kindsToRead
      return needed.map { zip(kinds, $0.filter.kindsToRead).map { $0 || $1 } } ?? kinds
    }

    /// Writes the record that was indexed last, or leaves it out, once that is decided.
    mutating func take(
      _ record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session, _ file: LiveRecording
    ) {
      let number = UInt32(truncatingIfNeeded: session.packets.count)
      var isKept = takes(record, bytes, &session)
      let pdu = needed == nil ? nil : session.packetsOfPDU
      if let pdu {
        // All fragments of a PDU are kept, or none.
        if !isKept, let last = pdu.numbers.dropLast().last, isWritten(last) {
          remember(number)
          state += 1
          isKept = true
        }
        if isKept { state += pending.keep(pdu.numbers) }
      }
      let isOpen = !isKept && pdu?.isComplete == false
      if isKept || isOpen, let row = session.packets[number] { outstanding.keep(row) }
      if pending.isEmpty, !isOpen {
        return isKept ? file.append(record, bytes) : file.skip(record)
      }
      pending.add(number, record, bytes, isKept: isKept, isOpen: isOpen)
      pending.release { Self.write($0, file) }
    }

    /// The source has ended.
    mutating func finish(_ file: LiveRecording) {
      pending.release(all: true) { Self.write($0, file) }
    }

    private static func write(_ entry: PendingFragments.Entry, _ file: LiveRecording) {
      if entry.isKept {
        file.append(entry.record, entry.bytes.raw)
      } else {
        file.skip(entry.record)
      }
    }

    /// Whether to write the record that was indexed last.
    private mutating func takes(
      _ record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session
    ) -> Bool {
      // A later filter may select the devices that it names.
      let hasNamed = session.nameChanges != names
      names = session.nameChanges
      let number = UInt32(truncatingIfNeeded: session.packets.count)
      // Whatever else keeps the record, the packets that it reports are no longer outstanding.
      let completes = needed != nil && outstanding.complete(session.completedPackets(bytes))
      if filter.matches(record, bytes, &packet, &session) {
        matching += 1
        remember(number)
        return true
      }
      guard needed != nil,
        hasNamed || needed?.matches(record, bytes, &packet, &session) == true
          || answersWritten(number, session) || completes
      else { return false }
      remember(number)
      state += 1
      return true
    }

    /// Whether the record is the response to one that was written: without it, that one would seem to have none.
    private func answersWritten(_ number: UInt32, _ session: borrowing Session) -> Bool {
      guard let request = session.packets[number]?.related, request > 0, request < number
      else { return false }
      return isWritten(request)
    }

    private func isWritten(_ number: UInt32) -> Bool {
      written.last { $0 <= number } == number
    }

    private mutating func remember(_ number: UInt32) {
      if written.count == Self.mostWritten { written.removeFirst(Self.mostWritten / 2) }
      written.append(number)
    }
  }
}
