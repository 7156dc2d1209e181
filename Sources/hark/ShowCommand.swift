import ArgumentParser
import HarkCapture
import HarkCore
import HarkReport
import HarkSession

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one packet in full: every field with its bytes.",
    discussion: """
      The packet as a tree of named fields. Beside each stands where its bytes are in the hex dump \
      below. The last fragment of an L2CAP PDU also shows the PDU put together. Packets of an \
      accessory's message show the message and, with its key, what it says.

      Examples:
        hark show session.btsnoop 44
        hark show session.btsnoop 44 --format json | jq .layers
        hark show session.btsnoop 190 --keys acme.harkkeys
      """)

  @OptionGroup(title: "Capture") var capture: CaptureOptions

  @Argument(help: "The number of the packet, as `hark packets` gives it.")
  var number: UInt32

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    var reading = try Reading(capture, keepsBytes: true)
    var out = Output(isImmediate: false)
    var events = FrameEvents(PacketID(number))
    let end = try reading.run { session, _ in events.take(session.events) }
    guard
      let frame = try FrameView(
        events, reading.session,
        bytes: { offset, count throws(CaptureError) in
          try reading.capture.bytes(at: offset, count: count)
        })
    else {
      let count = reading.session.packets.count
      Console.complain(
        "\(reading.capture.name): there is no packet \(number); "
          + (count == 0 ? "the capture holds none" : "the last is \(count)"))
      throw ExitCode.failure
    }
    if output.format == .json {
      frame.writeJSON(reading.session, to: &out.text)
    } else {
      FrameText(style: output.style).write(frame, reading.session, to: &out.text)
    }
    try out.flush()
    throw reading.status(end)
  }
}
