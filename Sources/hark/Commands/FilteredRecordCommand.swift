import ArgumentParser
import Glibc
import HarkCapture
import HarkCore
import HarkFilter
import HarkPresentation
import HarkSession

/// `hark record` with a filter. The recorder decodes nothing, so what it reads comes here, where there
/// are no privileges, and what matches goes on to another that writes.
struct FilteredRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hark record",
    abstract: "Record what matches a filter.",
    discussion: """
      hark-record reads the source with its privileges and without a decoder; hark reads what it \
      sends, without privileges, and a second hark-record writes what matches into the file.

      Kept besides is what a reader needs to understand it: commands and events that tell of \
      controllers, links, pairing and encryption, the opening of channels, discovery of services. \
      --no-state leaves that out. What is left out is nowhere: 'hark live -w' records everything, \
      and 'hark convert' filters later.

      To know what a packet is about takes 40 bytes of memory for each that came: for days, record \
      everything.
      """)

  @Argument(help: ArgumentHelp("Where packets come from.", valueName: "source"))
  var source = LiveSource.monitor

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var presets: PacketPresets

  @Flag(help: "Write what matches alone.")
  var noState = false

  @OptionGroup(title: "Knowledge") var knowledge: KnowledgeOptions

  @OptionGroup(title: "Recording") var recording: RecordingOptions

  @Option(
    help: ArgumentHelp(
      "So much may wait in the kernel, and so much in memory: 32M.", valueName: "size"))
  var buffer: String?

  /// Whether one of these arguments asks for a filter.
  static func isMeant(_ arguments: [String]) -> Bool {
    arguments.contains { argument in
      let name = argument.prefix { $0 != "=" }
      return argument.hasPrefix("-Y")
        || ["--filter", "--device", "--service", PacketPresets.name].contains(String(name))
    }
  }

  mutating func validate() throws {
    guard recording.write != nil else {
      throw ValidationError("Name a file to write: -w FILE.")
    }
    try RecordingOptions.check(.buffer, buffer)
    try filtering.compile(and: presets.filters)
    try filtering.refuseWhatIsKnownLater()
  }

  func run() throws {
    guard let filter = filtering.compiled?.filter else { return }
    let keys = try knowledge.keyRing()
    let signals = try Signals()
    guard let file = try LiveRecording(recording, besides: source) else { return }
    let input = try LiveSource(
      recording: source, buffer: buffer, signals: signals.descriptor, stops: [file.descriptor]
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
    if knowledge.memory.memory == nil { MemoryBudget.end() }
    let end = try reading.take { session, record, bytes in
      if selection.takes(record, bytes, &session) {
        file.append(record, bytes)
      } else {
        file.skip(record)
      }
      return true
    }
    let count = reading.session.packets.count
    Console.complain(
      "\(selection.matching) of \(count) \(count == 1 ? "packet matches" : "packets match")"
        + (noState ? "" : "; \(selection.state) more are kept that they need"))
    return reading.status(file.judged(end), NamedDevice(filtering.device))
  }

  /// What is written of a source.
  private struct Selection: ~Copyable {
    private var filter: PacketFilter
    private var needed: PacketFilter?
    private var packet = PacketReading()
    private var names = 0
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

    /// Whether the record that was indexed last is to be written.
    mutating func takes(
      _ record: CaptureRecord, _ bytes: RawSpan, _ session: inout Session
    ) -> Bool {
      // Who is named in it may be asked for later.
      let hasNamed = session.nameChanges != names
      names = session.nameChanges
      if filter.matches(record, bytes, &packet, &session) {
        matching += 1
        return true
      }
      guard needed != nil, hasNamed || needed?.matches(record, bytes, &packet, &session) == true
      else { return false }
      state += 1
      return true
    }
  }
}
