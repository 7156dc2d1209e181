import ArgumentParser
import HarkCapture
import HarkCore
import HarkDissection
import HarkLayout
import HarkPlatform
import HarkPresentation

struct DissectorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dissectors",
    abstract: "List, check and try layouts and profiles.",
    discussion: """
      Layouts and profiles describe private protocols. A layout is a Kaitai Struct file (.ksy) that \
      describes the structure of messages and, with -hark-attach, where they are found. A profile \
      (profile.yaml) describes what they mean. hark reads those in ~/.config/hark/dissectors and in the \
      folders given with --dissectors. See docs/layouts.md and docs/profiles.md.

      Examples:
        hark dissectors check acme/           print every error with its location
        hark dissectors try acme.ksy session.pklg
        hark timeline session.pklg --dissectors acme/
      """,
    subcommands: [List.self, Show.self, Check.self, Try.self, Guess.self, Kaitai.self])

  /// Folders to look into.
  struct Folders: ParsableArguments {
    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp(
        "A folder with layouts and profiles, besides your own. May be repeated.",
        valueName: "folder"),
      completion: .directory)
    var dissectors: [String] = []

    func load() {
      Dissectors.loadAll(dissectors)
    }
  }

  /// - Throws: `ExitCode.failure`, after it reports that there is no such file or that it cannot be read.
  static func open(_ path: String) throws {
    guard unsafe access(path, R_OK) != 0 else { return }
    Console.complain("\(path): cannot open: \(systemMessage(errno))")
    throw ExitCode.failure
  }

  /// A layout that is named by its file.
  static func layout(at path: String) throws -> Layout {
    try open(path)
    return try sound(Dissectors.open(path, in: "."))
  }

  /// The entry of a layout that says where it is found.
  static func attached(_ path: String) throws -> Entry {
    let parsed = try layout(at: path)
    guard !parsed.attachments.isEmpty || !DecodeAs.places(of: parsed.id).isEmpty else {
      Console.complain(
        "\(path): no -hark-attach, so the layout is never used; attach it with "
          + "\(DecodeAs.option)")
      throw ExitCode.failure
    }
    guard let loaded = Dissectors.add(path, parsed) else { throw ExitCode.failure }
    DecodeAs.resolve()
    return loaded.entry
  }

  /// What was loaded; throws after reporting what is wrong with it.
  static func sound<T>(_ result: Result<T, LayoutErrors>) throws -> T {
    switch result {
    case .success(let value): return value
    case .failure(let errors):
      var out = Output(isImmediate: false)
      for diagnostic in errors.diagnostics { write(diagnostic, to: &out.text) }
      _ = Console.write(out.text.bytes, to: 2)
      throw ExitCode.failure
    }
  }

  /// How many characters of a line are shown, and how many of them precede the place.
  private static var mostShown: Int { 200 }
  private static var mostBefore: Int { 150 }

  /// What is wrong, the line it is in, and a caret under its place.
  static func write(_ diagnostic: Diagnostic, to text: inout TextBuffer) {
    text.printable("\(diagnostic)")
    text.byte(0x0A)
    let lines = DissectorFiles().text(at: diagnostic.file)?
      .split(separator: "\n", omittingEmptySubsequences: false)
    let (line, column) = (diagnostic.location.line, diagnostic.location.column)
    guard let lines, line > 0, line <= lines.count else { return }
    let all = lines[line - 1].unicodeScalars
    // Of a file that is not text, nothing is shown.
    guard !all.contains(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\r" }) else { return }
    // Of a very long line what stands around the place.
    let before = max(0, column - 1)
    let skipped = before > mostBefore ? before - mostBefore : 0
    let shown = String(String.UnicodeScalarView(all.dropFirst(skipped).prefix(mostShown)))
    text.text(skipped > 0 ? "  …" : "  ")
    text.printable(shown)
    text.text(skipped + mostShown < all.count ? "…\n  " : "\n  ")
    if skipped > 0 { text.byte(0x20) }
    // Tabs keep their width: the caret stands under its character.
    for scalar in shown.unicodeScalars.prefix(before - skipped) {
      text.text(scalar == "\t" ? "  " : " ")
    }
    text.text("^\n")
  }
}
