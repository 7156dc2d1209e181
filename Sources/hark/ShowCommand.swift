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

  @Argument(help: "The number of the packet, as `hark packets` gives it: 1 is the first.")
  var number: String

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if let complaint = Self.complaint(about: number) { throw ValidationError(complaint) }
  }

  /// What is wrong with the number of a packet; nil if it could be one.
  static func complaint(about number: String) -> String? {
    if let value = UInt32(number), value > 0 { return nil }
    return "'\(number)' is no number of a packet: the first is 1, and `hark packets` lists them."
  }

  /// A number below 0 looks like an option. It is found before the arguments are read.
  static func complaint(about arguments: [String]) -> String? {
    guard arguments.dropFirst().first == configuration.commandName else { return nil }
    for (before, number) in zip(arguments, arguments.dropFirst())
    where number.hasPrefix("-") && Int(number) != nil && !before.hasPrefix("-") {
      return complaint(about: number)
    }
    return nil
  }

  func run() throws {
    let number = UInt32(number) ?? 0
    var reading = try Reading(capture)
    reading.session.keepsFields = true
    var out = Output(isImmediate: false)
    var events = FrameEvents(PacketID(number))
    let end = try reading.packets { session, _, bytes in events.take(session, bytes) }
    guard let frame = FrameView(events, reading.session) else {
      let count = reading.session.packets.count
      Console.complain(
        "\(reading.capture.name): there is no packet \(number); "
          + (count == 0 ? "the capture holds none" : "they go from 1 to \(count)"))
      throw ExitCode.validationFailure
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
