import ArgumentParser
import HarkCapture
import HarkCore
import HarkLayout
import HarkPresentation
import HarkProfile

extension DissectorsCommand {
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check layouts and profiles for errors.",
      discussion: """
        Prints every error with its line and column. A profile is checked together with its layouts. With \
        --format json, prints one object for programs.

        The exit code is 0 if there are no errors, otherwise 1; warnings do not count.

        Examples:
          hark dissectors check acme.ksy
          hark dissectors check acme/ --watch
          hark dissectors check acme/ --format json | jq '.diagnostics[].message'
        """)

    @Argument(
      help: "A .ksy file, a profile.yaml, or a folder with such files.", completion: .file())
    var paths: [String]

    @Option(name: .shortAndLong, help: "Output format: text for people, json for programs.")
    var format = OutputOptions.Format.text

    @OptionGroup var watching: WatchOptions

    func run() throws { try watching.run(paths) { try check() } }

    private func check() throws {
      var (layouts, profiles) = (0, 0)
      // A layout is read by itself and by each profile that names it.
      var reported: Set<Diagnostic> = []
      var ordered: [Diagnostic] = []
      var out = Output(isImmediate: false)
      for path in paths {
        try DissectorsCommand.open(path)
        let folder = Directory.isFolder(path) ? path : "."
        for file in DissectorFiles.dissectors(at: path) {
          let diagnostics: [Diagnostic]
          if file.hasSuffix(Profile.fileName) {
            profiles += 1
            diagnostics = Self.diagnostics(Dissectors.profile(at: file), \.warnings)
          } else {
            layouts += 1
            diagnostics = Self.diagnostics(Dissectors.open(file, in: folder), \.warnings)
          }
          for diagnostic in diagnostics where reported.insert(diagnostic).inserted {
            if format == .json {
              ordered.append(diagnostic)
            } else {
              DissectorsCommand.write(diagnostic, to: &out.text)
            }
          }
        }
      }
      guard layouts + profiles > 0 else {
        Console.complain(
          "no .ksy file or \(Profile.fileName) in \(paths.joined(separator: ", "))")
        throw ExitCode.failure
      }
      if format == .json { Self.write(ordered, layouts, profiles, to: &out.text) }
      try out.flush()
      if reported.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
      guard format == .text else { return }
      let counts = [Self.count(layouts, "layout"), Self.count(profiles, "profile")]
      Console.complain(counts.compactMap { $0 }.joined(separator: " and ") + ", no errors")
    }

    private static func write(
      _ diagnostics: [Diagnostic], _ layouts: Int, _ profiles: Int, to text: inout TextBuffer
    ) {
      var json = JSONText()
      json.object { json in
        json.number("layouts", layouts)
        json.number("profiles", profiles)
        json.array("diagnostics") { json in
          for diagnostic in diagnostics {
            json.object { json in
              json.string("severity", "\(diagnostic.severity)" as String)
              json.string("file", diagnostic.file)
              json.number("line", diagnostic.location.line)
              json.number("column", diagnostic.location.column)
              json.string("path", diagnostic.path)
              json.string("message", diagnostic.message)
            }
          }
        }
      }
      text.append(json.text.bytes)
      text.byte(0x0A)
    }

    private static func diagnostics<T>(
      _ result: Result<T, LayoutErrors>, _ warnings: (T) -> [Diagnostic]
    ) -> [Diagnostic] {
      switch result {
      case .success(let value): warnings(value)
      case .failure(let errors): errors.diagnostics
      }
    }

    private static func count(_ count: Int, _ what: String) -> String? {
      count == 0 ? nil : "\(count) \(what)\(count == 1 ? "" : "s")"
    }
  }
}
