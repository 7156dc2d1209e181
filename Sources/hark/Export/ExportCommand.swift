import ArgumentParser
import HarkCapture
import HarkExport
import HarkRedact
import HarkSystem

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Hark.name,
    abstract: "Write captures into a database, or as tables.",
    usage: "hark export <captures> ... <output> [<options>]",
    discussion: """
      Reads any number of captures, and writes devices, links, channels, events, findings, attributes and \
      notifications as tables: into one SQLite database, or with --format jsonl into a folder of compressed JSON \
      lines that DuckDB, Spark and pandas read. docs/fleet.md describes the tables and has example queries.

      Run the same command again to add new captures: hark skips captures that have not changed, and continues where \
      it was stopped. A capture that cannot be read gets a row with the error.

      Without --with-text, the tables contain no text that people wrote or read. Names and addresses of devices stay: --redact \
      replaces them with pseudonyms, the same ones in all captures with the same --map.

      Examples:
        hark export nightly/ fleet.sqlite
        hark export nightly/ 'reports/*.pklg' fleet.sqlite --keys acme.harkkeys
        hark export nightly/ fleet.sqlite --redact share --map fleet.map
        hark export nightly/ tables/ --format jsonl
        hark report fleet.sqlite -o fleet.html

      Exit codes:
        0   everything was read and written
        1   a capture or a key file could not be opened or read, or the output
            could not be written
        2   a capture is truncated or damaged; hark wrote what it could read
        64  the command line is wrong
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case sqlite, jsonl
  }

  @Argument(
    help: ArgumentHelp(
      "The captures (files, folders, quoted patterns, @LIST); the last one is the output.",
      valueName: "captures ... output"),
    completion: .file())
  var paths: [String] = []

  @Option(
    name: .shortAndLong,
    help: "The output format: sqlite, or jsonl for a folder of compressed JSON lines.")
  var format = Format.sqlite

  @Flag(help: "Include texts: notifications, names and bytes in sentences and members.")
  var withText = false

  @Flag(help: "Also write a row for each packet.")
  var packets = false

  @Flag(help: "Also read captures that have not changed.")
  var again = false

  @Option(
    help: ArgumentHelp(
      "Name captures by their paths below this folder.", valueName: "folder"),
    completion: .directory)
  var root: String?

  @Option(
    help: ArgumentHelp(
      "Export redacted copies: how much to remove, strict or share. Needs --map.",
      valueName: "level"))
  var redact: RedactionLevel?

  @Option(
    help: ArgumentHelp(
      "With --redact: a file for the pseudonym key and all replacements; hark reads it first if it exists.",
      valueName: "file"),
    completion: .file())
  var map: String?

  @OptionGroup(title: "Captures") var many: ManyOptions

  @OptionGroup(title: "Keys and protocols") var keys: KeyOptions
  @OptionGroup(title: "Keys and protocols") var knowledge: KnowledgeOptions

  @OptionGroup(title: "Output") var look: LookOptions

  func validate() throws {
    guard paths.count > 1 else {
      throw ValidationError("name captures and an output: hark export nightly/ fleet.sqlite")
    }
    guard output != "-" else {
      throw ValidationError("a database cannot be written to standard output: name a file")
    }
    guard (redact == nil) == (map == nil) else {
      throw ValidationError(
        redact == nil
          ? "--map needs --redact"
          : "--redact needs --map: without its key, a later export has other pseudonyms")
    }
    guard format == .jsonl || !output.hasSuffix("/") && !Directory.isFolder(output) else {
      throw ValidationError(
        "\(output) is a folder: name a file for the database, or use --format jsonl")
    }
    if let ending = Self.otherEndings.first(where: { output.lowercased().hasSuffix("." + $0) }),
      format.rawValue != ending
    {
      throw ValidationError(
        "hark export does not write .\(ending): it writes an SQLite database (fleet.sqlite) or, with "
          + "--format jsonl, a folder of compressed JSON lines")
    }
    guard map != output, !captures.contains(output) else {
      throw ValidationError("choose a separate output")
    }
  }

  /// Extensions of other formats that tables are kept in.
  private static let otherEndings = [
    "parquet", "arrow", "feather", "orc", "avro", "csv", "tsv", "json", "jsonl", "ndjson", "xlsx",
    "duckdb", "gz", "zip", "html", "md",
  ]

  var captures: [String] { Array(paths.dropLast()) }

  /// Without the slash that a folder may end with.
  var output: String {
    var path = paths.last ?? ""
    while format == .jsonl, path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  var options: ExportOptions {
    ExportOptions(
      withTexts: withText, withPackets: packets, redaction: redact?.rawValue ?? "none")
  }

  func run() throws {
    Confinement.enterAfterOpening(
      .none, writing: writtenPaths, watching: [FileTarget.folder(of: output)])
    let keys = try self.keys.ring()
    try ExportRun(self, keys).run()
  }
}

extension ExportCommand: FileWriting {
  var writtenPaths: [String] { [output, map].compactMap { $0 } }
}
