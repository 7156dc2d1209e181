import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkPlatform
import HarkProfile
import HarkSession
import HarkSystem

extension DissectorsCommand {
  struct Guess: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "guess",
      abstract: "Propose a layout and profile for an unknown protocol.",
      usage: "hark dissectors guess <capture> [<options>]",
      discussion: """
        Examines vendor-specific channels (characteristics, dynamic L2CAP channels, RFCOMM services, \
        External Accessory protocols) that no protocol or profile covers, and guesses their \
        structure: constants, counters, lengths, checksums, codes, texts, keys, ciphertext, tagged \
        values, fragments of longer messages. If the capture does not contain the discovery of an \
        attribute, hark names it by its handle; if it does not contain the opening of an L2CAP \
        channel, by its CID. The first line of a channel is an overview; the others are \
        guesses. Each guess shows how many values fit it. A guess needs at least 4 different \
        values, unless the bytes alone prove it.

        -o writes a layout per channel and a profile.yaml to a folder, as a starting point: \
        `hark dissectors check` and `try` accept them unchanged. With --channel and without -o, hark \
        prints them.

        With an accessory's private key (--keys) it also searches for keys of the sizes used in key \
        exchanges, in bytes, base64, hexadecimal digits, JSON, CBOR, OPACK, MessagePack, protobuf and property \
        lists, and tries the \
        documented derivations on later messages; the AES-GCM tag decides. Plaintexts are marked as found by \
        search. The profile that --write creates decrypts them in every command.

        Examples:
          hark dissectors guess session.pklg
          hark dissectors guess session.pklg --channel psm:0x0081 -o acme/
          hark dissectors guess session.pklg --keys acme.harkkeys --write acme/
          hark dissectors guess session.pklg --format json | jq .channels
        """)

    @OptionGroup(title: "Capture") var argument: CaptureArgument
    @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
    @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

    private var capture: CaptureOptions {
      CaptureOptions(argument.capture, knowledge, as: argument.form)
    }

    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp(
        "Only this channel, as named in the list; a characteristic may also be named by its "
          + "service. "
          + "May be repeated.", valueName: "channel"),
      transform: Guess.channel)
    var channel: [ChannelSelector] = []

    private static func channel(_ text: String) throws -> ChannelSelector {
      do {
        return try ChannelSelector(text)
      } catch {
        throw OptionMistake("--channel: \(error)")
      }
    }

    @Flag(help: "Include channels that a protocol or profile already covers.")
    var all = false

    @Option(
      name: [.short, .long, .customLong("write")],
      help: ArgumentHelp("The folder to write to; existing files are kept.", valueName: "folder"),
      completion: .directory)
    var output: String?

    @Option(name: .shortAndLong, help: "Output format: text for people, json for programs.")
    var format = OutputOptions.Format.text

    func run() throws {
      Dissectors.load(
        for: knowledge.dissectors.flatMap { ["", "", Dissectors.option, $0] })
      let listener = TrafficListener()
      var framings = VendorFramings(all ? [] : Dissectors.framings.all, listener: listener)
      framings.assigned = DecodeAs.assigned
      var reading = try Reading(capture, keys: keys.ring(), framings: framings)
      let end = try reading.run { _, _ in }
      let known = chosen(listener.traffic, reading.session)
      let traffic =
        channel.isEmpty ? known : known.filter { one in channel.contains { $0.matches(one) } }
      guard !traffic.isEmpty else {
        Console.complain("\(reading.capture.name): \(Self.complaint(channel, known))")
        throw ExitCode.failure
      }
      var guesses = Progress.during("comparing the values of \(reading.capture.name)") {
        zip(traffic, traffic.layoutNames).map { ChannelGuess($0, id: $1) }
      }
      var out = Output(isImmediate: false)
      var keys = reading.keys
      let search = Progress.during("searching \(reading.capture.name) for keys") {
        KeySearch.find(in: &guesses, &keys)
      }
      let summary = summary(of: search, guesses, keys)
      let files = Self.files(of: guesses, search)
      if format == .json {
        var json = GuessJSON()
        json.write(guesses, search, summary, profile: files.last?.text ?? "")
        swap(&out.text, &json.json.text)
        try out.flush()
        if let output { try Self.write(files, to: output) }
        throw reading.status(end)
      }
      for guess in guesses { Self.describe(guess, to: &out.text) }
      Self.describe(search, summary, to: &out.text)
      if let output {
        try out.flush()
        try Self.write(files, to: output)
      } else if !channel.isEmpty {
        for file in files {
          out.text.text("\n# ")
          out.text.printable(file.name)
          out.text.byte(0x0A)
          out.text.string(file.text)
        }
        try out.flush()
      } else {
        try out.flush()
        Console.complain(
          "use -o to write a layout for each and a profile, or --channel to select one")
      }
      throw reading.status(end)
    }

    // MARK: Channels

    private static func complaint(_ wanted: [ChannelSelector], _ all: [Traffic]) -> String {
      guard !wanted.isEmpty else {
        return "there is no data on channels without a known protocol; --all includes the others"
      }
      let names = wanted.map(\.text).joined(separator: ", ")
      let known = Array(Set(all.map(\.channel.selector))).sorted()
      let some = known.prefix(mostNamed).joined(separator: ", ")
      return "there is no data on \(names); "
        + (known.isEmpty
          ? "--all includes channels with a known protocol"
          : "this capture has \(some)\(known.count > mostNamed ? ", …" : "")")
    }

    private static let mostNamed = 12

    private func chosen(_ heard: [Traffic], _ session: borrowing Session) -> [Traffic] {
      let services = Self.services(session)
      var taken: [Traffic] = []
      for var traffic in heard.byDevice(session) {
        if case .characteristic(let uuid) = traffic.channel { traffic.service = services[uuid] }
        guard isWanted(traffic, session) else { continue }
        taken.append(traffic)
      }
      return taken
    }

    private func isWanted(_ traffic: Traffic, _ session: borrowing Session) -> Bool {
      !traffic.values.isEmpty && !traffic.isConfiguration
        && (all || !Self.isClaimed(traffic, session))
    }

    /// Whether hark has a protocol there. Those that the SIG assigned are not private.
    private static func isClaimed(_ traffic: Traffic, _ session: borrowing Session) -> Bool {
      let catalog = Catalog.shared
      switch traffic.channel {
      // What is only inferred to be a vendor's may be another's.
      case .characteristic where traffic.inferred.map(Self.isStandard) == true: return true
      case .characteristic(let uuid): return catalog.entry(at: .attribute(uuid)) != nil
      case .cid(let cid): return catalog.entry(at: .channel(cid)) != nil
      case .psm(let psm): return psm < 0x80 || catalog.entry(at: .psm(psm)) != nil
      case .service(let uuid): return catalog.entry(at: .service(uuid)) != nil
      case .serverChannel(let number):
        // Its messages show what it is.
        return session.streams.contains {
          $0.kind == .dataLink(serverChannel: number) && $0.isInferred
        }
      case .tcpPort(let port): return catalog.entry(at: .tcpPort(port)) != nil
      case .networkService(let type): return catalog.entry(at: .networkService(type)) != nil
      case .externalAccessory, .manufacturerData, .serviceData, .vendorEvent, .vendorCommand:
        return false
      }
    }

    /// Whether a specification defines the attribute: the SIG's, or that of one of Apple's services.
    private static func isStandard(_ type: BluetoothUUID) -> Bool {
      type.short != nil || VendorFramings.builtIn.using(.characteristic(type)) != nil
    }

    /// The services of the characteristics that were discovered.
    private static func services(_ session: borrowing Session) -> [BluetoothUUID: BluetoothUUID] {
      var found: [BluetoothUUID: BluetoothUUID] = [:]
      for database in session.databases.values {
        for characteristic in database.characteristics.values {
          let service = database.services.values.first {
            ($0.start...max($0.start, $0.end)).contains(characteristic.handle)
          }
          if let uuid = service?.uuid { found[characteristic.uuid] = uuid }
        }
      }
      return found
    }

    // MARK: Output

    private static func describe(_ guess: ChannelGuess, to text: inout TextBuffer) {
      for (index, line) in guess.summary.enumerated() {
        text.text(index == 0 ? "" : "  ")
        text.printable(line)
        text.byte(0x0A)
      }
      text.text("  --channel ")
      text.printable(guess.traffic.channel.selector)
      text.byte(0x0A)
      for line in guess.details {
        text.printable(line)
        text.byte(0x0A)
      }
    }

    /// Of what opened, the first bytes are shown.
    private static let mostShown = 160

    /// What the search found; a search for nothing is reported only if keys are given.
    private func summary(
      of search: KeySearch?, _ guesses: [ChannelGuess], _ ring: KeyRing
    ) -> [String] {
      if let search { return search.summary(guesses) }
      let privateKeys = ring.publicKeys.count
      guard privateKeys > 0 || !keys.keys.isEmpty else { return [] }
      return [KeySearch.failure(channels: guesses.count, privateKeys: privateKeys)]
    }

    private static func describe(
      _ search: KeySearch?, _ summary: [String], to text: inout TextBuffer
    ) {
      if !summary.isEmpty { text.byte(0x0A) }
      for line in summary {
        text.printable(line)
        text.byte(0x0A)
      }
      for message in search?.messages ?? [] {
        text.printable(
          "#\(message.frame)  found by search, from the "
            + "\(message.direction == .hostToAccessory ? "phone" : "accessory"): ")
        let bytes = Array(message.plaintext.prefix(mostShown))
        if let words = String(validating: bytes, as: UTF8.self),
          words.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0.value == 0x0A })
        {
          text.printable(words)
        } else {
          for (index, byte) in bytes.enumerated() {
            if index > 0 { text.byte(0x20) }
            text.hex(byte)
          }
        }
        if message.plaintext.count > mostShown { text.text(" …") }
        text.byte(0x0A)
      }
    }

    private static func files(
      of guesses: [ChannelGuess], _ search: KeySearch?
    ) -> [(name: String, text: String)] {
      let id = guesses.count == 1 ? guesses[0].id : "guess"
      return guesses.map { ($0.id + ".ksy", $0.layout) } + [
        (Profile.fileName, ProfileWriter.text(of: guesses, id: id, search: search))
      ]
    }

    private static func write(_ files: [(name: String, text: String)], to folder: String) throws {
      if !Directory.isFolder(folder), unsafe mkdir(folder, 0o755) != 0 {
        try fail(folder)
      }
      let paths = files.map { "\(FileTarget.withoutSlash(folder))/\($0.name)" }
      for path in paths {
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
          Console.complain("\(path): already exists; nothing was written")
          throw ExitCode.failure
        }
      }
      for (path, file) in zip(paths, files) {
        let output = try OutputBytes(path, besides: [])
        output.bytes = Array(file.text.utf8)
        try output.finish()
        Console.complain("wrote \(path)")
      }
    }

    private static func fail(_ path: String) throws {
      Console.complain("\(path): cannot write: \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
  }
}

extension DissectorsCommand.Guess: FileWriting {
  var writtenPaths: [String] { [output].compactMap { $0 } }
}
