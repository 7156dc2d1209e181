import ArgumentParser
import HarkCore
import HarkPresentation

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain what is encrypted and how to read it.",
    usage: "hark explain <capture> [<number>] [<options>]",
    discussion: """
      Lists each encrypted link, each accessory's encrypted messages, resolvable private addresses that no IRK \
      resolves, and encrypted proximity pairing advertising: what was found, what is missing, which \
      keys were tried and how they failed, the first lost packet counter, and the command or interface \
      that supplies the key. With a number, explains only that packet.

      Examples:
        hark explain sniffed.pcap
        hark explain session.btsnoop 154 --keys lab.harkkeys
        hark explain sniffed.pcap --format json | jq '.encrypted[].reason'
      """)

  @OptionGroup(title: "Capture") var argument: CaptureArgument

  @Argument(help: "The number of a packet, as shown by `hark packets`, starting at 1.")
  var number: String?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    if let number, let complaint = ShowCommand.complaint(about: number) {
      throw ValidationError(complaint)
    }
  }

  func run() throws {
    var reading = try Reading(
      CaptureOptions(argument.capture, knowledge, as: argument.form), keys: keys.ring())
    let packet = number.flatMap { UInt32($0) }.map { PacketID($0) }
    var explanation = Explanation(packet: packet)
    reading.findProfileMistakes()
    let end = try reading.run { session, _ in explanation.take(session) }
    if let packet, packet.number > reading.session.packets.count {
      Console.complain(
        "\(reading.capture.name): there is no packet \(packet.number); "
          + "the packets are 1 to \(reading.session.packets.count)")
      throw ExitCode.validationFailure
    }
    var out = Output(isImmediate: false)
    if output.format == .json {
      explanation.writeJSON(reading.session, to: &out.text)
    } else {
      explanation.write(reading.session, output.style, to: &out.text)
    }
    try out.flush()
    throw reading.status(end)
  }
}
