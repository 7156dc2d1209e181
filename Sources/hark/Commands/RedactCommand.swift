import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact

struct RedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact", _superCommandName: Hark.name,
    abstract: "Remove personal data and keys from a capture, and prove it.",
    usage: "hark redact <capture> <output> [<options>]",
    discussion: """
      Writes a capture of the same format, size and times that can be given away. Each byte of it is \
      structural (opcodes, lengths, handles, flags, intervals), replaced (a pseudonym, zeros), computed \
      anew (checksums), or removed: what no field explains becomes zeros. The numbers are printed.

      Names, addresses, keys, numbers and texts become pseudonyms of the same form. Resolvable \
      addresses still resolve with the IRK that is in the capture.

      Then hark reads the result, looks for everything that was removed, and compares the findings of \
      both. If anything is left, nothing is written.

      Levels:
        strict   only structure and pseudonyms stay
        share    also keeps makers, models, versions, UUIDs, measurements, and the
                 undecoded bytes of known characteristics, channels and vendors'
                 records, which it lists with their counts

      OUT ends as IN does, or as captures of its format do: what is written has that format. Of a bug \
      report of Android the Bluetooth log alone is written, as btsnoop.

      IN may also be a log of the app's side: addresses, identifiers of CoreBluetooth and names become \
      what they became in the capture, with the same --map. With strict only the words that tell hark \
      what a line says stay, with share also those that programs are known to use.

      With --map the same values become the same pseudonyms in the next capture, too; the file says \
      what became what, and is yours alone. Without it the pseudonyms are random.

      Examples:
        hark redact session.pklg shared.pklg
        hark redact session.pklg shared.pklg --level share
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
    help: ArgumentHelp("How much is removed: strict or share.", valueName: "level"))
  var level = RedactionLevel.strict

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

extension RedactCommand: FileWriting {
  var writtenPaths: [String] { [output, map].compactMap { $0 } }
}
