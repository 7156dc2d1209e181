import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Hark.name,
    abstract: "Show packets in full: every field with its bytes.",
    usage: """
      hark show <capture> <number> ... [<options>]
      hark show --xpc <file> [--format <format>]
      """,
    discussion: """
      Shows each packet as a tree of named fields, each with its offset in the hex dump \
      below. The last fragment of an L2CAP PDU also shows the reassembled PDU. If a packet carries a \
      vendor's message, hark also shows the message and, with the accessory's key, its plaintext.

      With --xpc, shows a file (or - for standard input) of XPC data from the app's side: RemoteXPC messages, \
      XPC objects, property lists, NSKeyedArchiver archives, in binary form, or as the hexadecimal \
      digits or Base64 that logs contain. The exit code is 1 if the file contains no such data, and 2 if \
      hark cannot read the data to its end.

      Examples:
        hark show session.btsnoop 44
        hark show session.btsnoop 44-50 120
        hark show session.btsnoop 44 --format json | jq .layers
        hark show session.btsnoop 190 --keys acme.harkkeys
        hark show --xpc message.bin
        grep Connection app.log | hark show --xpc -
      """)

  @Argument(
    help: "The capture: btsnoop, PacketLogger, pcap or pcapng, or - for standard input.",
    completion: .file())
  var capture: String?

  @Argument(
    help: ArgumentHelp(
      "The packet number shown by `hark packets`, starting at 1, or a range such as 44-50. May be repeated.",
      valueName: "number"))
  var numbers: [String] = []

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @Option(
    help: ArgumentHelp(
      "Show XPC objects or property lists from this file, or - for standard input.",
      valueName: "file"),
    completion: .file())
  var xpc: String?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    guard xpc == nil else {
      guard capture == nil else { throw ValidationError("--xpc takes no capture and no number") }
      guard form == nil, !keys.areNamed else {
        throw ValidationError("--xpc takes no \(form == nil ? "keys" : "--as")")
      }
      return
    }
    guard capture != nil else {
      throw ValidationError("missing expected argument '<capture>'")
    }
    guard !numbers.isEmpty else {
      throw ValidationError("missing expected argument '<number>'")
    }
    for number in numbers {
      if let complaint = Self.complaint(about: number) { throw ValidationError(complaint) }
    }
    guard PacketNumbers.all(numbers) != nil else {
      throw ValidationError(
        "hark show takes at most \(PacketNumbers.most) packets; 'hark packets' lists any number")
    }
  }

  /// Why a text is not a packet number; nil if it could be one.
  static func complaint(about number: String) -> String? {
    if PacketNumbers.range(number) != nil { return nil }
    let problem = "'\(number)' is not a packet number"
    if WholeFile.exists(number) {
      return "\(problem): one capture comes first: hark show CAPTURE 44"
    }
    if let first = number.utf8.first, 0x31...0x39 ~= first {
      return "\(problem): write numbers and ranges such as 44 50-60"
    }
    return "\(problem): the first is 1, and 'hark packets' lists them"
  }

  /// A negative number looks like an option, so it is found before the arguments are parsed.
  static func complaint(about arguments: [String]) -> String? {
    guard arguments.dropFirst().first == configuration.commandName else { return nil }
    for (before, number) in zip(arguments, arguments.dropFirst())
    where number.hasPrefix("-") && Int(number) != nil && !before.hasPrefix("-") {
      return complaint(about: number)
    }
    return nil
  }

  func run() throws {
    if let xpc { return try show(xpc) }
    let numbers = PacketNumbers.all(numbers) ?? []
    var reading = try Reading(
      CaptureOptions(capture ?? "-", knowledge, as: form), keys: keys.ring())
    reading.session.keepsFields = true
    if let first = numbers.first, let last = numbers.last {
      reading.session.treePackets = first...last
    }
    var out = Output(isImmediate: false)
    var wanted = WantedPackets(numbers)
    let end = try reading.packets { session, _, bytes in wanted.take(session, bytes) }
    var missing: [UInt32] = []
    for (index, events) in wanted.frames.enumerated() {
      guard let frame = FrameView(events, reading.session) else {
        missing.append(events.packet.number)
        continue
      }
      if output.format == .json {
        frame.writeJSON(reading.session, to: &out.text)
      } else {
        if index > 0 { out.text.byte(0x0A) }
        FrameText(style: output.style).write(frame, reading.session, to: &out.text)
      }
      try out.written()
    }
    try out.flush()
    if let first = missing.first, let last = missing.last {
      let count = reading.session.packets.count
      let missed =
        last > first
        ? "there are no packets \(first) to \(last)" : "there is no packet \(first)"
      Console.complain(
        "\(reading.capture.name): \(missed); "
          + (count == 0 ? "the capture has no packets" : "the packets are 1 to \(count)"))
      throw ExitCode.validationFailure
    }
    throw reading.status(end)
  }

  /// Shows a file of the app's side.
  private func show(_ path: String) throws {
    var out = Output(isImmediate: false)
    let name = path == "-" ? "standard input" : path
    let file: ObjectFile
    do throws(AppLogError) {
      file = try ObjectFile(path: path == "-" ? "/dev/stdin" : path)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
    if file.nodes.isEmpty, let problem = file.problem {
      Console.complain("\(name): \(problem)")
      throw ExitCode.failure
    }
    if output.format == .json {
      ObjectText.json(file, name, to: &out.text)
    } else {
      ObjectText(style: output.style).write(file, name, to: &out.text)
    }
    try out.flush()
    if file.problem != nil { throw ExitCode(2) }
  }
}
