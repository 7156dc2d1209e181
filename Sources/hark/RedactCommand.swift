import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact

struct RedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact",
    abstract: "Remove names, addresses and keys from a capture, and prove it.",
    usage: "hark redact <capture> <output> [<options>]",
    discussion: """
      Writes a capture of the same format, with the same packets, lengths and times, in which \
      addresses, names, keys, serial numbers, telephone numbers and texts are replaced by pseudonyms \
      of the same form. Resolvable addresses still resolve with the IRK that is in it.

      Then hark reads both, and compares packets, fields, times, events and findings, and looks for \
      all that was removed: raw, reversed, in hexadecimal digits, Base64 and UTF-16. If anything is \
      left, nothing is written.

      Levels:
        share    what names people and single devices, and keys
        strict   also makers, models, data of companies, and bytes that no protocol
                 explains, as far as nothing else depends on them

      OUT ends as IN does, or as captures of its format do: what is written has that format. Of a bug \
      report of Android the Bluetooth log alone is written, as btsnoop.

      IN may also be a log of the app's side: addresses, identifiers of CoreBluetooth and names become \
      what they became in the capture, with the same --map; of what programs say, words that are not \
      known to be theirs are replaced, and with strict all that hark does not read.

      With --map the same values become the same pseudonyms in the next capture, too; the file says \
      what became what, and is yours alone. Without it the pseudonyms are random.

      Examples:
        hark redact session.pklg shared.pklg
        hark redact session.pklg shared.pklg --level strict
        hark redact day2.btsnoop day2-shared.btsnoop --map bug-1432.map
        hark redact session.pklg shared.pklg --keys acme.harkkeys --format json
        hark redact log.ndjson log-shared.ndjson --map bug-1432.map

      Exit codes:
        0   the redacted capture is written
        1   a file could not be opened, read or written, or something is left: nothing
            is written
        2   the capture is truncated or damaged; the redacted one is written, and is
            so too
        64  the command line is wrong
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(
    help: "The capture: btsnoop, PacketLogger, pcap or pcapng; or a log of the app's side.",
    completion: .file())
  var capture: String

  @Argument(help: "The file to write.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("How much is removed: share or strict.", valueName: "level"))
  var level = RedactionLevel.share

  @Option(
    help: ArgumentHelp(
      "The key of the pseudonyms and what became what. It is read if it is there, and written.",
      valueName: "file"),
    completion: .file())
  var map: String?

  @OptionGroup(title: "Knowledge") var knowledge: KnowledgeOptions

  @Option(name: .shortAndLong, help: "How to write the list: for people, or for programs.")
  var format = Format.text

  func validate() throws {
    guard map != output else {
      throw ValidationError("The map and the capture to write are one file: name two.")
    }
  }

  func run() throws {
    let keys = try knowledge.keyRing()
    let run = RedactionRun(level: level, map: map, keys: keys)
    let (list, code) = try run.redact(capture, to: output)
    var out = Output(isImmediate: false)
    switch format {
    case .text: list.write(output, to: &out.text)
    case .json: list.writeJSON(output, to: &out.text)
    }
    try out.flush()
    throw code
  }
}

extension RedactionLevel: ExpressibleByArgument {}
