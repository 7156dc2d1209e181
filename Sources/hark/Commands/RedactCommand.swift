import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact

struct RedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact", _superCommandName: Hark.name,
    abstract: "Remove personal data and keys from a capture.",
    usage: "hark redact <capture> <output> [<options>]",
    discussion: """
      Writes a capture that you can share, with the same format, size and times. Each byte is either \
      structural (opcodes, lengths, handles, flags, intervals), replaced (a pseudonym, zeros), recomputed \
      (checksums), or removed: bytes that belong to no field become zeros. hark prints how many of each there are.

      Names, addresses, keys, numbers and texts become pseudonyms of the same form. Resolvable \
      addresses still resolve with the IRK in the capture.

      hark then reads the result, searches it for everything it removed, and compares the findings of \
      both captures. If anything remains, nothing is written.

      Levels:
        strict   keeps only structure and pseudonyms
        share    also keeps vendors, models, versions, UUIDs, measurements, and the
                 undecoded bytes of known characteristics, channels and vendors'
                 records, which it lists with their counts

      The output file keeps the format of the capture and needs an extension of that format. For an Android bug \
      report, only the Bluetooth log is written, as btsnoop.

      The input may also be an app log: addresses, CoreBluetooth identifiers and names get the same pseudonyms \
      as in the capture if both use the same --map. With strict, only words that hark \
      interprets stay; with share, also words that programs are known to use.

      With --map, the same values become the same pseudonyms in the next capture, too. The file lists \
      every replacement; keep it private. Without it, the pseudonyms are random.

      Examples:
        hark redact session.pklg shared.pklg
        hark redact session.pklg shared.pklg --level share
        hark redact day2.btsnoop day2-shared.btsnoop --map bug-1432.map
        hark redact session.pklg shared.pklg --keys acme.harkkeys --format json
        hark redact log.ndjson log-shared.ndjson --map bug-1432.map

      Exit codes:
        0   the redacted capture is written
        1   a file could not be opened, read or written, or something remains:
            nothing is written
        2   the capture is truncated or damaged; the redacted one is written, with
            the same damage, or as a new file without the damaged parts
        64  the command line is wrong
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(
    help: "The capture (btsnoop, PacketLogger, pcap or pcapng), or an app log.",
    completion: .file())
  var capture: String

  @Argument(help: "The file to write.", completion: .file())
  var output: String

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @Option(
    help: ArgumentHelp("How much to remove: strict or share.", valueName: "level"))
  var level = RedactionLevel.strict

  @Option(
    help: ArgumentHelp(
      "A file for the pseudonym key and all replacements; hark reads it first if it exists.",
      valueName: "file"),
    completion: .file())
  var map: String?

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @Option(
    name: .shortAndLong, help: "Output format of the list: text for people, json for programs.")
  var format = Format.text

  func validate() throws {
    guard map != output else {
      throw ValidationError("the map and the output are the same file: name two files")
    }
  }

  func run() throws {
    let keys = try self.keys.ring()
    let run = RedactionRun(level: level, map: map, keys: keys, form: form)
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
