import ArgumentParser
import HarkCapture
import HarkCore
import HarkLayout
import HarkProfile

extension DissectorsCommand {
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check layouts and profiles for errors.",
      discussion: """
        Prints every error with its line and column. A profile is checked together with its layouts.

        The exit code is 0 if there are no errors, otherwise 1; warnings do not count.

        Examples:
          hark dissectors check acme.ksy
          hark dissectors check acme/ --watch
        """)

    @Argument(
      help: "A .ksy file, a profile.yaml, or a folder with such files.", completion: .file())
    var paths: [String]

    @OptionGroup var watching: WatchOptions

    func run() throws { try watching.run(paths) { try check() } }

    private func check() throws {
      var (layouts, profiles) = (0, 0)
      // A layout is read by itself and by each profile that names it.
      var told: Set<Diagnostic> = []
      var out = Output(isImmediate: false)
      for path in paths {
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
          for diagnostic in diagnostics where told.insert(diagnostic).inserted {
            DissectorsCommand.write(diagnostic, to: &out.text)
          }
        }
      }
      guard layouts + profiles > 0 else {
        Console.complain(
          "no .ksy file or \(Profile.fileName) in \(paths.joined(separator: ", "))")
        throw ExitCode.failure
      }
      try out.flush()
      if told.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
      let counts = [Self.count(layouts, "layout"), Self.count(profiles, "profile")]
      Console.complain(counts.compactMap { $0 }.joined(separator: " and ") + ", no errors")
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
