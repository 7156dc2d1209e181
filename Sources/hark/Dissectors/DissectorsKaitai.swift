import ArgumentParser
import HarkCore
import HarkDissection
import HarkPresentation
import HarkSession

extension DissectorsCommand {
  struct Kaitai: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "kaitai",
      abstract: "Export a message for Kaitai's tools.",
      usage: "hark dissectors kaitai <capture> <number> --output <output> [<options>]",
      discussion: """
        With --layout: writes the bytes that the layout reads. Without it: writes the plaintext of an \
        encrypted message if a key decrypts it; otherwise the bytes that the packet's innermost protocol \
        left undecoded. Key bytes are never written.

        Examples:
          hark dissectors kaitai session.pklg 154 --layout acme.ksy -o x.bin
          hark dissectors kaitai session.pklg 160 --keys acme.harkkeys -o plaintext.bin
        """)

    @OptionGroup(title: "Capture") var argument: CaptureArgument
    @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
    @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

    private var capture: CaptureOptions {
      CaptureOptions(argument.capture, knowledge, as: argument.form)
    }

    @Argument(help: "The packet number shown by `hark packets`, starting at 1.")
    var number: String

    @Option(help: "The layout, a .ksy file with -hark-attach.", completion: .file())
    var layout: String?

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String

    func validate() throws {
      if let complaint = ShowCommand.complaint(about: number) { throw ValidationError(complaint) }
    }

    func run() throws {
      let own = try layout.map { try DissectorsCommand.attached($0) }
      var reading = try Reading(capture, keys: keys.ring())
      reading.session.keepsFields = true
      var events = FrameEvents(PacketID(UInt32(number) ?? 0))
      let end = try reading.packets { session, _, bytes in events.take(session, bytes) }
      let name = reading.capture.name
      guard let frame = FrameView(events, reading.session) else {
        let count = reading.session.packets.count
        Console.complain(
          "\(name): there is no packet \(number); "
            + (count == 0 ? "the capture has no packets" : "the packets are 1 to \(count)"))
        throw ExitCode.failure
      }
      let found: [UInt8]
      switch Found(own, frame) {
      case .bytes(let bytes): found = bytes
      case .secret:
        Console.complain("\(name): packet \(number) carries a key; its bytes are not written")
        throw ExitCode.failure
      case .nothing:
        Console.complain("\(name): packet \(number) contains no message for this layout or key")
        throw ExitCode.failure
      }
      let file = try OutputBytes(output, besides: [capture.capture])
      file.bytes = found
      try file.finish()
      throw reading.status(end)
    }
  }

  /// What a packet has for Kaitai's tools.
  private enum Found {
    case bytes([UInt8])
    case secret
    case nothing

    /// - Parameter entry: The layout's; nil for what no protocol read.
    init(_ entry: Entry?, _ frame: FrameView) {
      self = .nothing
      if entry == nil, let plaintext = Self.plaintext(of: frame) {
        self = plaintext
        return
      }
      // What comes later was made from what comes before.
      for section in frame.sections.reversed() {
        guard case .tree(let tree) = section.content else { continue }
        self = Self(entry, tree, section.bytes)
        if case .nothing = self { continue }
        return
      }
    }

    private static func plaintext(of frame: FrameView) -> Self? {
      for event in frame.messages {
        guard case .message(let message) = event.content,
          case .opened(let opened) = message.outcome
        else { continue }
        return opened.decoded.isOpen ? .bytes(opened.plaintext) : .secret
      }
      return nil
    }

    /// The bytes of the layout's layer; without one, those of the last value of bytes.
    private init(_ entry: Entry?, _ tree: borrowing Tree, _ bytes: [UInt8]) {
      self = .nothing
      var range: Range<Int>?
      for node in tree.nodes {
        let definition = node.field.definition
        if definition.secret, node.count > 0 { self = .secret }
        if let entry {
          if node.kind == .layer, node.field == entry.layer { range = node.range }
        } else if node.count > 0, node.kind == .undecoded || node.kind == .value {
          if case .bytes = definition.form { range = node.range }
        }
      }
      if case .secret = self { return }
      if let range { self = .bytes(Array(bytes[range.clamped(to: bytes.indices)])) }
    }
  }
}

extension DissectorsCommand.Kaitai: FileWriting {
  var writtenPaths: [String] { [output] }
}
