import ArgumentParser
import HarkCapture
import HarkCore
import HarkDissection
import HarkLayout
import HarkPresentation
import HarkProfile
import HarkSelection
import HarkSession
import HarkSystem

extension DissectorsCommand {
  struct Try: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "try",
      abstract: "Apply a layout or profile to a capture; show how well it fits.",
      usage: "hark dissectors try <layout or profile> <capture> [<options>]",
      discussion: """
        Lists the messages read with the layout, then how often each field was present, how many \
        bytes belong to no field, how many checks failed, and how many messages were not decoded.

        For a profile, lists each message with the rule that matches it and the value of each expression; for missing \
        values, their line and column in the profile. Then it counts the messages of each rule, and names likely mistakes \
        in the profile.

        The exit code is 0 if at least one message was read and nothing failed, otherwise 1.

        Examples:
          hark dissectors try acme.ksy session.pklg
          hark dissectors try acme.ksy session.pklg --messages 3 --watch
          hark dissectors try acme/profile.yaml session.pklg --keys acme.harkkeys
        """)

    @Argument(
      help: "A .ksy file with -hark-attach, a profile.yaml, or the folder of one.",
      completion: .file())
    var layout: String

    @OptionGroup(title: "Capture") var argument: CaptureArgument
    @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
    @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

    private var capture: CaptureOptions {
      CaptureOptions(argument.capture, knowledge, as: argument.form)
    }

    @Option(
      name: .long,
      help: ArgumentHelp("The number of messages to list.", valueName: "count"))
    var messages = 10

    @OptionGroup var watching: WatchOptions

    func validate() throws {
      guard watching.watch, capture.capture == "-" else { return }
      throw ValidationError("--watch reads the capture repeatedly: name a file")
    }

    func run() throws { try watching.run([layout]) { try read() } }

    private func read() throws {
      let file = Directory.isFolder(layout) ? layout + "/" + Profile.fileName : layout
      if file != layout, !WholeFile.exists(file) {
        Console.complain(
          "\(layout): no \(Profile.fileName) in this folder; name the .ksy file itself")
        throw ExitCode.failure
      }
      if file.hasSuffix(Profile.fileName) { return try readProfile(file) }
      let entry = try DissectorsCommand.attached(layout)
      var trial = LayoutTrial(entry)
      var places = CapturePlaces()
      var reading = try Reading(capture, keys: keys.ring())
      reading.session.keepsFields = true
      var out = Output(isImmediate: false)
      var packet = PacketReading()
      let end = try reading.packets { session, record, bytes in
        session.takeEvents { places.take($0) }
        guard let record else { return }
        packet.read(record, bytes, &session)
        trial.take(packet.tree, bytes, packet.number, most: messages, to: &out.text)
        for index in 0..<packet.completedCount {
          let pdu = packet.completed[index]
          trial.take(pdu.tree, pdu.bytes.raw, packet.number, most: messages, to: &out.text)
        }
      }
      trial.write(to: &out.text)
      if trial.messages == 0 {
        let absent = Dissectors.all.first { $0.entry === entry }?.layout.attachments ?? []
        for line in places.lines(
          without: absent.map { LayoutText.place($0) },
          isAttribute: absent.contains {
            if case .gattCharacteristic = $0 { true } else { false }
          },
          isPSM: absent.contains { if case .l2capPSM = $0 { true } else { false } },
          reading.session)
        {
          out.text.printable(line)
          out.text.byte(0x0A)
        }
      }
      try out.flush()
      guard trial.isGood else { throw ExitCode.failure }
      throw reading.status(end)
    }
  }
}

extension DissectorsCommand.Try {
  private func readProfile(_ file: String) throws {
    try DissectorsCommand.open(file)
    let profile = try DissectorsCommand.sound(Dissectors.profile(at: file))
    Dissectors.loadAll([Directory.isFolder(layout) ? layout : FileTarget.folder(of: file)])
    var trial = ProfileTrial(profile, file)
    var reading = try Reading(capture, keys: keys.ring())
    reading.session.treePackets = 1...UInt32.max
    reading.session.keepsValues = true
    var out = Output(isImmediate: false)
    let end = try reading.run { session, _ in
      for message in session.messages {
        if let tree = message.tree { trial.take(tree, most: messages, to: &out.text) }
      }
      for event in session.events { trial.take(event, most: messages, to: &out.text) }
    }
    trial.end(reading.keys)
    trial.write(reading.session, to: &out.text)
    try out.flush()
    guard trial.isGood else { throw ExitCode.failure }
    throw reading.status(end)
  }
}

/// How well a layout fits a capture.
struct LayoutTrial {
  private let entry: Entry
  private var fields: [UInt16: Int] = [:]
  private(set) var messages = 0
  private var bytes = 0
  private var unclaimed = 0
  private var failed = 0
  private var checks = 0

  init(_ entry: Entry) { self.entry = entry }

  var isGood: Bool { messages > 0 && failed == 0 && checks == 0 }

  /// Takes the messages of the layout in one tree.
  mutating func take(
    _ tree: borrowing Tree, _ span: RawSpan, _ number: UInt32, most: Int,
    to text: inout TextBuffer
  ) {
    var depth: UInt8?
    var isReported = false
    for node in tree.nodes {
      if let own = depth, node.depth <= own { depth = nil }
      if node.kind == .layer, node.field == entry.layer {
        depth = node.depth
        messages += 1
        bytes += Int(node.count)
        if messages <= most { begin(number, node, to: &text) }
        // What is wrong is known about the tree as a whole.
        if isReported { continue }
        isReported = true
        failed += tree.failures.count
        checks += tree.notes.count { $0.severity > .info }
        for failure in tree.failures where messages <= most { line("\(failure)", to: &text) }
        for note in tree.notes where messages <= most {
          line("bytes \(note.range.lowerBound)–\(note.range.upperBound): \(note.text)", to: &text)
        }
        continue
      }
      guard let own = depth else { continue }
      if node.kind == .undecoded {
        unclaimed += Int(node.count)
      } else {
        fields[node.field.id, default: 0] += 1
      }
      guard messages <= most else { continue }
      for _ in 0..<(2 * Int(node.depth - own)) { text.byte(0x20) }
      text.text(node.field.name)
      if node.kind != .layer, node.kind != .group {
        text.text(": ")
        Catalog.shared.write(node, of: span, to: &text)
      }
      text.byte(0x0A)
    }
  }

  private func begin(_ number: UInt32, _ node: Tree.Node, to text: inout TextBuffer) {
    text.printable("#\(number)  \(entry.name), \(node.count) \(node.count == 1 ? "byte" : "bytes")")
    text.byte(0x0A)
  }

  private func line(_ words: String, to text: inout TextBuffer) {
    text.text("  ! ")
    text.printable(words)
    text.byte(0x0A)
  }

  func write(to text: inout TextBuffer) {
    text.byte(0x0A)
    text.printable(
      "\(messages) \(messages == 1 ? "message" : "messages"), "
        + "\(bytes) \(bytes == 1 ? "byte" : "bytes"): \(unclaimed) unclaimed, "
        + "\(checks) \(checks == 1 ? "check" : "checks") failed, \(failed) not decoded")
    text.byte(0x0A)
    for path in Catalog.shared.paths where path.entry === entry {
      text.text("  ")
      text.decimal(UInt64(fields[path.field.id] ?? 0), padding: 8)
      text.text("  ")
      text.printable(path.path)
      text.byte(0x0A)
    }
  }
}
