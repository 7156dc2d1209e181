import ArgumentParser
import HarkFilter
import HarkReport
import HarkSession

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Tell what happened, in order: connections, pairing, keys, notifications.",
    discussion: """
      One line an event: the time on the capture's own clock, the seconds since the capture began, \
      the device, what kind of event it is, what happened, and the packets that show it. Events \
      that say the same again are counted; such a line has the time of the last of them. So are \
      values of an attribute that follow each other, of which the last is shown, and the notes of \
      a host that logs much; --lane gatt and --lane note show each. Of scanning and advertising \
      the first start and stop are told, the rest is counted together; JSON has each. Of the \
      channels of SDP only what was asked over them is told; --lane l2cap shows each.

      On less than 100 columns a sentence that does not fit beside the times stands under them.

      A message that cannot be read is shown too, with the exact reason and what would help.

      Lanes: \(Event.Lane.allCases.map(\.described).joined(separator: ", ")).

      Examples:
        hark timeline session.pklg --keys acme.harkkeys
        hark timeline btsnoop_hci.log --lane link,pair
        hark timeline session.pklg -Y 'device == "Acme Buds" and severity >= warning'
        hark timeline session.pklg -f json | jq 'select(.lane == "notification")'
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions

  @OptionGroup var filtering: FilterOptions

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Show these lanes only, with commas between. May be given several times.",
      valueName: "lane"),
    completion: .list(Event.Lane.allCases.map { $0.label.description }),
    transform: TimelineCommand.lanes)
  var lane: [[Event.Lane]] = []

  @Flag(help: "Leave out the lane note: what hosts and recorders wrote into the capture.")
  var noNotes = false

  @OptionGroup(title: "Output") var output: OutputOptions

  /// Takes the names that the timeline shows, and those of its JSON.
  static func lanes(_ names: String) throws -> [Event.Lane] {
    try names.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let lane = Event.Lane.allCases.first {
        $0.label.description == name || $0.rawValue == name
      }
      guard let lane else {
        let all = Event.Lane.allCases.map { $0.label.description }.joined(separator: ", ")
        throw ValidationError("There is no lane “\(name)”. The lanes are: \(all).")
      }
      return lane
    }
  }

  func validate() throws {
    if noNotes, lane.joined().contains(.note) {
      throw ValidationError("--no-notes leaves nothing of --lane note.")
    }
  }

  func run() throws {
    let lanes = Set(lane.isEmpty ? Event.Lane.allCases : Array(lane.joined()))
      .subtracting(noNotes ? [.note] : [])
    var reading = try Reading(capture, isStreaming: true)
    var out = Output(isImmediate: reading.isLive)
    var timeline = Timeline(style: output.style, isWhole: lane.isEmpty)
    let json = TimelineJSON()
    let isJSON = output.format == .json
    // A program counts for itself, and who names the lane asks for the values.
    reading.session.keepsValues = isJSON || lane.joined().contains(.gatt)
    var filter = try filtering.compiled().map { EventFilter($0) }
    if let filter, filter.filter.asksPackets {
      // Each value is asked, not the last of many.
      reading.session.keepsValues = true
      reading.kindsWithFields = filter.filter.kindsWithFields
    }
    var packet = PacketReading()
    var isEmpty = true
    let end = try reading.packets { session, record, bytes in
      if let record { filter?.take(record, bytes, &packet, &session) }
      for event in session.events where lanes.contains(event.lane) {
        guard filter?.matches(event, session) ?? true else { continue }
        isEmpty = false
        if isJSON {
          json.write(event, session, to: &out.text)
        } else {
          timeline.write(event, session, to: &out.text)
        }
      }
      if record == nil { timeline.flush(to: &out.text) }
      try out.written()
    }
    if isEmpty, end.damageCount == 0, !isJSON {
      let what =
        filter != nil ? "events that match" : lane.isEmpty ? "events" : "events of these lanes"
      Console.complain("\(reading.capture.name): no \(what) in \(end.records) packets")
    }
    try out.flush()
    throw reading.status(end)
  }
}
