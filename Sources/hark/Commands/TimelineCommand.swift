import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFilter
import HarkPresentation
import HarkSession

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", _superCommandName: Hark.name,
    abstract: "Show what happened, in order.",
    usage: "hark timeline <captures> ... [<options>]",
    discussion: """
      Prints one line per event: the time on the capture's clock, the seconds since the capture began, \
      the device, the lane, what happened, and the packets that show it.

      Repeated events are printed once, with a count and the time of the last one. The same applies to \
      consecutive values of an attribute (the last one is shown) and to the notes of a host that logs a lot; \
      --lane gatt and --lane note show each one. The first start and stop of scanning and of advertising are \
      printed, and the others counted; JSON lists each one. SDP channels show only their requests; \
      --lane l2cap shows each channel.

      On terminals narrower than 100 columns, a sentence that does not fit beside the time is printed below it.

      Messages that cannot be decrypted or decoded are listed too, with the reason and a remedy.

      --apns adds messages of the internet transport, which does not use Bluetooth, at their times; those without a time \
      come after the capture. It also works without a capture.

      Lanes: \(Event.Lane.allCases.map(\.described).joined(separator: ", ")).

      Examples:
        hark timeline session.pklg --keys acme.harkkeys
        hark timeline btsnoop_hci.log --lane link,pairing
        hark timeline session.pklg -Y 'device == "Acme Buds" and severity >= warning'
        hark timeline session.pklg -f json | jq 'select(.lane == "notification")'
        hark timeline session.pklg --from 16:41:05 --to 16:41:10
        hark timeline session.pklg --app-log journal.ndjson
        hark timeline session.pklg --keys acme.harkkeys --apns payloads.ndjson
        hark timeline --apns payloads.ndjson --keys acme.harkkeys
        hark timeline nightly/ -Y 'severity == error'
        hark timeline session.pklg --web
      """)

  @OptionGroup(title: "Captures") var capture: OptionalCaptureOptions
  @OptionGroup(title: "Captures") var many: ManyOptions
  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "The app's side") var app: AppOptions

  @OptionGroup(title: "Internet transport") var internet: InternetOptions

  @OptionGroup var filtering: FilterOptions

  @OptionGroup var times: TimeRangeOptions

  @OptionGroup(title: "Lanes") var lanes: LaneOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  @OptionGroup(title: "Browser") var web: WebOptions

  mutating func validate() throws {
    try web.check(output)
    try FilterOptions.refuseFilters(among: capture.captures)
    if capture.captures.isEmpty {
      guard !internet.apns.isEmpty else {
        throw ValidationError("missing expected argument '<captures>'")
      }
      if web.web || !app.isEmpty {
        throw ValidationError("without a capture, --apns works alone: omit --web and logs")
      }
    }
    if capture.captures.count != 1, web.web {
      throw ValidationError("--web shows one capture: name exactly one")
    }
    if (capture.captures + internet.apns).filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input can be read only once: as a capture, or as payloads")
    }
    try filtering.compile(and: (web.web ? lanes.asFilter : []) + times.filters())
  }

  func run() throws {
    guard let first = capture.captures.first else { return try showPayloads() }
    if web.web { return try serve(CaptureOptions(first, knowledge, as: self.many.form)) }
    let form: ManyCaptures.Form = output.format == .json ? .objects : .heading
    guard var many = try ManyCaptures(capture.captures, self.many, form, output.style) else {
      return try show(CaptureOptions(first, knowledge, as: self.many.form), self.keys.ring())
    }
    let keys = try self.keys.ring()
    try many.run { try show(CaptureOptions($0, knowledge, as: self.many.form), keys) }
    Console.complain(many.summary.sentence)
    throw many.code
  }

  private func show(_ capture: CaptureOptions, _ keys: KeyRing) throws {
    let device = NamedDevice(filtering.device)
    var reading = try Reading(
      capture, keys: keys, isStreaming: true, app: app, device: device)
    reading.add(try internet.messages(reading.keys, of: capture))
    var out = Output(isImmediate: reading.isLive)
    var writer = EventWriter(lanes, try filtering.filter(at: reading.traces), output)
    reading.session.keepsValues = writer.wantsValues
    reading.findProfileMistakes()
    reading.session.keepsMessages = writer.wantsMessages
    reading.kindsWithFields = writer.kindsWithFields
    let end = try reading.packets { session, record, bytes in
      if let record { writer.take(record, bytes, &session) }
      writer.write(session, to: &out)
      if record == nil { writer.finish(session, to: &out) }
      try out.written()
    }
    try out.flush()
    let status = reading.status(end, device)
    if writer.isEmpty, end.damageCount == 0, status == .success {
      let what =
        writer.isFiltering
        ? "match" : lanes.isAll ? "events" : "events of these lanes"
      Console.complain(
        "\(reading.capture.name): no \(what) in \(Names.count(Int(end.records), "packet"))")
    }
    throw status
  }

  /// Shows only messages of the internet transport.
  private func showPayloads() throws {
    let keys = try self.keys.ring()
    let messages = try internet.messages(keys)
    var session = Session(keys: keys)
    var out = Output(isImmediate: false)
    var writer = EventWriter(lanes, try filtering.filter(at: nil), output)
    var side = AppSide([], nil, offset: nil, landmarks: nil)
    side.add(messages)
    // Times are relative to the first of them.
    let first = messages.compactMap(\.time).min() ?? Timestamp(nanoseconds: 0)
    side.report(before: first, &session)
    side.report(before: nil, &session)
    session.finish()
    writer.write(session, to: &out)
    writer.finish(session, to: &out)
    try out.flush()
    if writer.isEmpty {
      Console.complain(messages.isEmpty ? "the files have no payloads" : "no match")
    }
  }

  private func serve(_ capture: CaptureOptions) throws {
    let keys = try self.keys.ring()
    let traces = try NamedDevice(filtering.device)?.traces(
      in: [capture], keys, Dissectors.framings)
    let filter = try filtering.filter(at: traces)
    var side = try app.side(of: capture, keys)
    let messages = try internet.messages(keys, of: capture)
    if !messages.isEmpty {
      side = side ?? AppSide([], nil, offset: nil, landmarks: nil)
      side?.add(messages)
    }
    let signals = try Signals()
    let waitPolicy = ReadWaitPolicy(
      stops: [signals.descriptor], longestGap: ReadWaitPolicy.usualGap)
    do {
      let opened = try Capture(Endpoint(capture.capture), waitPolicy: waitPolicy)
      opened.zone = capture.knowledge.timeZone
      var run = try WebRun(opened, keys, web, filter: filter, app: side)
      let end = try run.follow(signals)
      try run.finish(end, signals)
    } catch let error as CaptureError {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }
}
