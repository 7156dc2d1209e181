import ArgumentParser
import HarkCapture
import HarkFindings

struct MinimizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "minimize", _superCommandName: Hark.name,
    abstract: "Reduce a capture to the packets that show a finding.",
    usage: """
      hark minimize <capture> --finding <rule[@n]> ... --output <out>
                   [<options>]
      """,
    discussion: """
      Removes whole links first, then ever smaller groups of packets, as long as the same rule still \
      reports the same finding for the same device. The result is small enough to attach to a bug and read quickly. \
      Fragments of a PDU stay together; times and bytes do not change. hark then reads the written file \
      to verify it.

      The extension of OUT selects the format, unless --format does; - writes to standard output.

      Formats:
      \(CaptureOutput.list)
        btsnoop, pcap      the variant that fits the capture

      Examples:
        hark findings session.pklg --keys acme.harkkeys
        hark minimize session.pklg --finding link.pairing-failed -o small.pklg
        hark minimize a.pklg -k acme.harkkeys --finding keys.nonce-reuse -o b.pklg
        hark minimize session.pklg --finding link.pairing-failed@2 -o second.btsnoop

      Exit codes:
        0   the smaller capture is written, and shows the findings
        1   a file could not be opened, read or written, or the capture shows no such
            finding
        2   the capture is truncated or damaged; the smaller one is written
        64  the command line is wrong
      """)

  /// One finding of a capture.
  struct Choice {
    let rule: String
    /// Which of the rule's findings, from 1, in the order of `hark findings`.
    let number: Int

    init(_ text: String) throws {
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count <= 2, let number = parts.count == 1 ? 1 : Int(parts[1]), number > 0 else {
        throw OptionMistake(
          "--finding takes a rule and, after @, a number from 1 on, not '\(text)'")
      }
      (rule, self.number) = (String(parts[0]), number)
    }
  }

  @Argument(
    help: "The capture: btsnoop, PacketLogger, pcap or pcapng.", completion: .file())
  var capture: String

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Keep the first finding of this rule; @2 keeps its second. May be repeated "
        + "to keep several.", valueName: "rule[@n]"),
    completion: .list(RuleOptions.ids), transform: { try Choice($0) })
  var finding: [Choice]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The capture to write, or - for standard output.", valueName: "out"),
    completion: .file())
  var output: String

  @Option(
    name: [.customShort("f"), .customLong("format"), .customLong("to-format")],
    help: ArgumentHelp("The format to write.", valueName: "format"),
    completion: .list(CaptureOutput.names))
  var format: String?

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  func validate() throws {
    guard capture != "-" else {
      throw ValidationError("hark reads the capture several times: name a file")
    }
    for choice in finding { _ = try RuleOptions.rule(choice.rule) }
    _ = try CaptureOutput.name(for: output, format)
  }

  func run() throws {
    MemoryLimit.refuseParts()
    var slice = try CaptureSlice(
      self, keys: keys.ring(), as: CaptureOutput.name(for: output, format))
    throw try slice.run()
  }
}

extension MinimizeCommand: FileWriting {
  var writtenPaths: [String] { [output] }
}
