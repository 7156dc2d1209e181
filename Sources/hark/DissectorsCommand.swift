import ArgumentParser
import HarkCore
import HarkDissection
import HarkLayout
import HarkReport

struct DissectorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dissectors",
    abstract: "List, check and try layouts of private protocols.",
    discussion: """
      A layout is a Kaitai Struct file (.ksy) that says how the messages of a protocol are made, and \
      with -hark-attach where they are found. hark reads those in ~/.config/hark/dissectors, and \
      those in the folders of --dissectors. See docs/layouts.md.

      Examples:
        hark dissectors check acme/            everything that is wrong, with its place
        hark dissectors try acme.ksy session.pklg
        hark timeline session.pklg --dissectors acme/
      """,
    subcommands: [List.self, Show.self, Check.self, Try.self, Guess.self, Kaitai.self])

  /// Folders to look into.
  struct Folders: ParsableArguments {
    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp(
        "A folder with layouts, besides the user's own. May be given several times.",
        valueName: "folder"),
      completion: .directory)
    var dissectors: [String] = []

    func load() {
      Dissectors.load(for: dissectors.flatMap { [Dissectors.option, $0] })
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the layouts that are read, and where they hang.")

    @OptionGroup var folders: Folders

    func run() throws {
      folders.load()
      var out = Output(isImmediate: false)
      for loaded in Dissectors.all {
        let places = loaded.layout.attachments.map { LayoutText.place($0) }.joined(separator: ", ")
        for (column, end) in [(loaded.layout.id, 0x09), (places, 0x09), (loaded.path, 0x0A)] {
          out.text.printable(column)
          out.text.byte(UInt8(end))
        }
      }
      guard !out.text.isEmpty else {
        Console.complain(
          "there are no layouts; put some into \(Dissectors.userFolder ?? "a folder"), or name a "
            + "folder with --dissectors")
        throw ExitCode.failure
      }
      try out.flush()
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what a layout says: its places, fields, units, codes and documentation.")

    @Argument(help: "The id of a layout that is read, or a .ksy file.", completion: .file())
    var name: String

    @OptionGroup var folders: Folders

    func run() throws {
      let layout = try found()
      var out = Output(isImmediate: false)
      LayoutText.write(layout, to: &out.text)
      try out.flush()
    }

    private func found() throws -> Layout {
      guard !name.hasSuffix(".ksy") else { return try DissectorsCommand.layout(at: name) }
      folders.load()
      guard let loaded = Dissectors.all.first(where: { $0.layout.id == name }) else {
        let all = Dissectors.all.map(\.layout.id).joined(separator: ", ")
        Console.complain(
          all.isEmpty
            ? "there is no layout \(name), and no other"
            : "there is no layout \(name); there are \(all)")
        throw ExitCode.failure
      }
      return loaded.layout
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say everything that is wrong with layouts, with its place.",
      discussion: "The exit code is 0 if nothing is wrong, else 1; warnings do not count.")

    @Argument(help: "A .ksy file, or a folder with such files.", completion: .file())
    var paths: [String]

    @OptionGroup var watching: WatchOptions

    func run() throws { try watching.run(paths) { try check() } }

    private func check() throws {
      var (checked, isSound) = (0, true)
      var out = Output(isImmediate: false)
      for path in paths {
        let folder = DissectorFiles.isFolder(path) ? path : "."
        for file in DissectorFiles.layouts(at: path) {
          checked += 1
          let diagnostics: [Diagnostic]
          switch Dissectors.open(file, in: folder) {
          case .success(let layout): diagnostics = layout.warnings
          case .failure(let errors): diagnostics = errors.diagnostics
          }
          for diagnostic in diagnostics {
            if diagnostic.severity == .error { isSound = false }
            DissectorsCommand.write(diagnostic, to: &out.text)
          }
        }
      }
      guard checked > 0 else {
        Console.complain("no .ksy file in \(paths.joined(separator: ", "))")
        throw ExitCode.failure
      }
      try out.flush()
      if !isSound { throw ExitCode.failure }
      Console.complain("\(checked) \(checked == 1 ? "layout" : "layouts"), nothing wrong")
    }
  }

  /// A layout that is named by its file.
  static func layout(at path: String) throws -> Layout {
    switch Dissectors.open(path, in: ".") {
    case .success(let layout): return layout
    case .failure(let errors):
      var out = Output(isImmediate: false)
      for diagnostic in errors.diagnostics { write(diagnostic, to: &out.text) }
      _ = Console.write(out.text.bytes, to: 2)
      throw ExitCode.failure
    }
  }

  /// What is wrong, the line it is in, and a caret under its place.
  static func write(_ diagnostic: Diagnostic, to text: inout TextBuffer) {
    text.printable("\(diagnostic)")
    text.byte(0x0A)
    let lines = DissectorFiles().text(at: diagnostic.file)?
      .split(separator: "\n", omittingEmptySubsequences: false)
    let (line, column) = (diagnostic.location.line, diagnostic.location.column)
    guard let lines, line > 0, line <= lines.count else { return }
    let shown = String(lines[line - 1])
    text.text("  ")
    text.printable(shown)
    text.text("\n  ")
    // Tabs keep their width: the caret stands under its character.
    for scalar in shown.unicodeScalars.prefix(max(0, column - 1)) {
      text.text(scalar == "\t" ? "  " : " ")
    }
    text.text("^\n")
  }
}
