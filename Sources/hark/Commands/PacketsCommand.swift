import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFilter
import HarkPresentation
import HarkSelection
import HarkSession

struct PacketsCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, tsv, csv, json
  }

  static let configuration = CommandConfiguration(
    commandName: "packets", _superCommandName: Hark.name,
    abstract: "List packets, one line each.",
    usage: "hark packets <captures> ... [<options>]",
    discussion: """
      Prints one line per packet: number, seconds since the first packet, direction (→ from the host, \
      ← to it; ⇢ ⇠ if inferred because the capture does not record it, – if unknown), \
      device, protocol, what the packet is, and its main values.

      Examples:
        hark packets session.btsnoop
        hark packets session.btsnoop -Y 'att.opcode == 0x1b && device == "Acme Buds"'
        hark packets session.btsnoop -e frame.number,att.opcode,att.handle
        hark packets session.btsnoop -e frame.number,frame.time_delta --format csv
        hark packets session.btsnoop --from +60 --to +75 --limit 20
        hark packets session.btsnoop --format json | jq 'select(.malformed)'
        hark packets captures/ -e frame.number,att.opcode --format csv
        hark fields att.
      """)

  @OptionGroup(title: "Captures") var capture: ManyCaptureOptions
  @OptionGroup(title: "Captures") var many: ManyOptions
  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var times: TimeRangeOptions

  @OptionGroup var presets: PacketPresets

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output format: text to read, tsv and csv for tables, json with every field, or with those "
        + "of -e."))
  var format: Format?

  @Option(
    name: [.customShort("e"), .customLong("field")], parsing: .singleValue,
    help: ArgumentHelp(
      "Fields to print as columns of a table, separated by commas. May be repeated.",
      valueName: "field"),
    completion: ShellCompletion.of { ShellCompletion.last(of: $1, among: PacketFieldList.columns) })
  var field: [String] = []

  private var shown: Format { format ?? (columns.isEmpty ? .text : .tsv) }

  private var columns: [String] {
    field.flatMap { names in
      names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Flag(help: "Print date and time instead of seconds since the first packet.")
  var absoluteTime = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this many packets.", valueName: "count"),
    transform: OptionNumber.of("--limit", 1...Int.max, "a number of at least 1"))
  var limit: Int?

  @Option(help: "Colors: auto follows the terminal and NO_COLOR.")
  var color = LookOptions.Color.auto

  @OptionGroup var pager: PagerOptions

  mutating func validate() throws {
    try filtering.compile(and: presets.filters + times.filters())
    try FilterOptions.refuseFilters(among: capture.captures)
    if !columns.isEmpty, format == .text {
      throw ValidationError("-e prints a table or JSON: use --format tsv, csv or json")
    }
    if absoluteTime, shown != .text {
      throw ValidationError(
        "--absolute-time changes the output for people: in tables and JSON, use -e frame.time")
    }
    if !columns.isEmpty { _ = try table() }
  }

  func run() throws {
    let form: ManyCaptures.Form =
      switch shown {
      case .text: .heading
      case .tsv: .rows(separator: 0x09)
      case .csv: .rows(separator: UInt8(ascii: ","))
      case .json: .objects
      }
    let style = Style(isColored: color.isWanted)
    guard var many = try ManyCaptures(capture.captures, self.many, form, style) else {
      return try show(
        CaptureOptions(capture.captures[0], knowledge, as: self.many.form), self.keys.ring())
    }
    let keys = try self.keys.ring()
    try many.run { try show(CaptureOptions($0, knowledge, as: self.many.form), keys) }
    Console.complain(many.summary.sentence)
    throw many.code
  }

  private func show(_ capture: CaptureOptions, _ keys: KeyRing) throws {
    switch shown {
    case .text:
      let style = Style(isColored: color.isWanted)
      try write(of: capture, keys) { filter in
        PacketLine(
          clock: absoluteTime ? .absolute : .relative, style: style, filter: filter)
      }
    case .tsv: try write(of: capture, keys) { _ in try table() }
    case .csv: try write(of: capture, keys) { _ in try table(.csv) }
    case .json where columns.isEmpty: try write(of: capture, keys) { _ in PacketJSON() }
    case .json: try write(of: capture, keys) { _ in try table(.json) }
    }
  }

  private func table(_ form: PacketColumns.Form = .tsv) throws -> PacketColumns {
    do {
      return try PacketColumns(columns.isEmpty ? PacketColumns.usual : columns, as: form)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private func write<Writer: PacketWriter>(
    of capture: CaptureOptions, _ keys: KeyRing, _ make: @escaping (Filter?) throws -> Writer
  ) throws {
    let device = NamedDevice(filtering.device)
    var reading = try Reading(capture, keys: keys, isStreaming: true, device: device)
    reading.session.keepsCompleted = true
    let wanted = try filtering.filter(at: reading.traces)
    // Without a filter, the fields are read as they are written.
    reading.session.keepsFields = wanted != nil
    let writer = try make(wanted)
    let found = FirstPass(wanted, columns: writer.protocols)
    var ahead: ReadAhead?
    if let found {
      if NamedDevice.isFile(capture.capture) {
        try found.read(capture, reading.keys)
      } else {
        ahead = ReadAhead(found, of: reading)
      }
    }
    var filter = wanted.map { PacketFilter($0, found?.marks) }
    reading.kindsWithFields = filter?.filter.kindsToRead
    var printer = PacketPrinter(
      writer, isImmediate: reading.isLive || Console.isOutputTerminal, messages: found?.messages
    ) { try make(wanted) }
    var isEmpty = true
    var left = limit ?? .max
    // Calling the filter itself would copy it for each packet.
    let isFiltered = wanted != nil
    let end = try reading.packets(&ahead) { session, record, bytes in
      guard let record else { return }
      let isPrinted = try printer.add(bytes, &session) { packet, session in
        if isFiltered { return filter?.matches(record, bytes, &packet, &session) == true }
        packet.readFieldsLater(record, bytes, &session)
        return true
      }
      if isPrinted {
        isEmpty = false
        left -= 1
        if left == 0 {
          try printer.finish()
          throw ExitCode.success
        }
      }
      // Reading the clock takes longer than most other work for a packet.
      if record.number & 0x3F == 0 { try printer.printOverdue() }
    }
    try printer.finish()
    if let complaint = found?.complaint {
      Console.complain("\(reading.capture.name): \(complaint)")
    }
    let status = reading.status(end, device)
    if isEmpty, end.damageCount == 0, status == .success {
      let reason =
        end.records == 0
        ? "the capture has no packets" : "no match in \(Names.count(Int(end.records), "packet"))"
      Console.complain("\(reading.capture.name): \(reason)")
    }
    throw status
  }
}

struct FieldsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fields", _superCommandName: Hark.name,
    abstract: "List the fields of all protocols, for -e and -Y.",
    usage: "hark fields [<prefix>] [<options>]",
    discussion: """
      Prints one line per field: its path, the form of its values, and its name, separated by tabs; or one JSON object \
      with --format json. A group or a list has no value: -Y can test whether it is present \
      and how often, but -e does not accept it.

      Examples:
        hark fields att.
        hark fields | grep -i address
      """)

  @Argument(
    help: "List only fields whose path starts with this.",
    completion: ShellCompletion.of { _, prefix in
      PacketFieldList.columns.filter { $0.hasPrefix(prefix) }
    })
  var prefix = ""

  @OptionGroup var folders: DissectorsCommand.Folders

  @Option(name: .shortAndLong, help: "Output format: text for people, json for programs.")
  var format = OutputOptions.Format.text

  @OptionGroup var pager: PagerOptions

  func run() throws {
    var out = Output(isImmediate: false)
    if format == .json {
      PacketFieldList.writeJSON(prefix: prefix, to: &out.text)
    } else {
      out.text.write { PacketFieldList.write(prefix: prefix, to: &$0) }
    }
    guard !out.text.isEmpty else {
      Console.complain(PacketFieldList.complaint(about: prefix))
      throw ExitCode.failure
    }
    try out.flush()
  }
}
