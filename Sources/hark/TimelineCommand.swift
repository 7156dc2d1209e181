import ArgumentParser
import HarkReport

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Tell what happened, in order: connections, pairing, keys, notifications.",
    discussion: """
      One line an event: the time on the capture's own clock, the seconds since the capture began, \
      the device, what kind of event it is, what happened, and the packets that show it. Events \
      that say the same again are counted; such a line has the time of the last of them.

      A message that cannot be read is shown too, with the exact reason and what would help.

      Kinds: host (controller), link, pair (pairing, encryption), l2cap, gatt, keys (key exchange), \
      session, notify (to the accessory), reply (from it), config, note, gap (what is missing).

      Examples:
        hark timeline session.pklg --keys acme.harkkeys
        hark timeline btsnoop_hci.log --format json | jq 'select(.lane == "notification")'
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    var reading = try Reading(capture, isStreaming: true)
    var out = Output(isImmediate: reading.isLive)
    var timeline = Timeline(style: output.style)
    let json = TimelineJSON()
    let isJSON = output.format == .json
    var isEmpty = true
    let end = try reading.run { session, record in
      for event in session.events {
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
      Console.complain("\(reading.capture.name): no events in \(end.records) packets")
    }
    try out.flush()
    throw reading.status(end)
  }
}
