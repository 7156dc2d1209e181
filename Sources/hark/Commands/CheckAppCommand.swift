import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession

struct CheckAppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-app", _superCommandName: Hark.name,
    abstract: "Check an app's declarations, without a capture.",
    usage: "hark check-app <app> ... [<options>]",
    discussion: """
      Reads an app and the extensions inside it: extension points, entitlements of the code signature, \
      keys of Info.plist, deployment targets, capabilities, External Accessory protocols, and the \
      frameworks that executables link. Applies the rules of hark findings that check declarations; \
      hark findings --app-info compares the same declarations with a capture.

      Examples:
        hark check-app Acme.ipa
        hark check-app Acme.app --fail-on warning --format junit > app.xml
        hark check-app Info.plist --entitlements Acme.entitlements

      Exit codes:
        0   everything was read, and no finding is as severe as --fail-on
        1   an app could not be opened or read
        3   there is a finding at least as severe as --fail-on
        64  the command line is wrong
      """)

  @Argument(
    help: "The apps: an .ipa, an .app, .appex or .xcarchive folder, or an Info.plist.",
    completion: .file())
  var apps: [String]

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The entitlements for an Info.plist, in the same order, or BUNDLE=FILE for a bundle in an app: its "
        + "identifier, executable, name or path.", valueName: "file"),
    completion: .file())
  var entitlements: [String] = []

  @Option(
    help: ArgumentHelp(
      "Exit with code 3 if a finding is at least this severe: info, warning or error.",
      valueName: "severity"))
  var failOn: FindingsCommand.Level?

  @Option(name: .shortAndLong, help: ArgumentHelp(stringLiteral: FindingsFormat.help))
  var format = FindingsFormat.text

  @OptionGroup(title: "Output") var look: LookOptions
  @OptionGroup(title: "Output") var pager: PagerOptions

  func validate() throws {
    guard AppInfo.numbered(entitlements).count <= apps.count else {
      throw ValidationError(
        "there are more --entitlements than apps: give at most one for each app")
    }
  }

  func run() throws {
    var out = Output(isImmediate: false)
    let rules = Self.rules
    var writer = format.writer(
      rules.map { $0.about }, failing: failOn?.severity ?? .warning, style: look.style,
      version: Hark.version)
    var (worst, code): (Finding.Severity?, ExitCode) = (nil, .success)
    writer.begin(to: &out.text)
    let numbered = AppInfo.numbered(entitlements)
    let named = entitlements.filter { !numbered.contains($0) }
    var unused = named
    for (index, path) in apps.enumerated() {
      do throws(AppLogError) {
        let declaration = try AppInfo.read(
          [path], entitlements: (index < numbered.count ? [numbered[index]] : []) + named,
          areOfSeveral: apps.count > 1)
        unused.removeAll { one in declaration.map { AppInfo.isFor(one, $0) } ?? false }
        let found = judge(path, declaration, rules, &writer, &out)
        worst = [worst, found].compactMap { $0 }.max()
        if let bundles = declaration?.withoutEntitlements, !bundles.isEmpty {
          let isInside = bundles.contains { !$0.path.isEmpty }
          Console.complain(
            "\(path): entitlements not checked: \(Names.list(bundles.map(\.label), "and")) "
              + "\(bundles.count == 1 ? "has" : "have") no code signature or provisioning profile; give them with "
              + "--entitlements \(isInside ? "BUNDLE=FILE" : "FILE")")
        }
      } catch {
        writer.write(path, unopened: "\(error)", to: &out.text)
        Console.complain("\(error)")
        code = .failure
      }
    }
    writer.finish(to: &out.text)
    try out.flush()
    // An app that cannot be read may have it.
    if code == .success, !unused.isEmpty {
      for one in unused {
        Console.complain("--entitlements \(one): there is no such bundle in any of the apps")
      }
      code = .failure
    }
    if code == .failure { throw code }
    if let failOn, let worst, worst >= failOn.severity { throw ExitCode(3) }
  }

  /// The rules that check a declaration. A picker finds advertised services, and which bundle an accessory
  /// launches, it reports itself: only captures contain both.
  static var rules: [any Rule.Type] {
    let others = ["app.not-listed", "app.launch-bundle"]
    return Rules.all.filter { rule in
      rule.about.needs.contains(.declaration) && !others.contains(rule.about.id)
    }
  }

  private func judge(
    _ path: String, _ declaration: AppDeclaration?, _ rules: [any Rule.Type],
    _ writer: inout any FindingsWriter, _ out: inout Output
  ) -> Finding.Severity? {
    guard let end = Self.emptyCapture(path) else { return nil }
    var session = Session(keys: KeyRing(), framings: .known)
    var findings = Findings(rules)
    var event = AppEvent(.declaration, AppEvent.Origin(file: path, line: 0))
    (event.declaration, event.isCertain) = (declaration, true)
    let time = Timestamp(nanoseconds: 0)
    session.report(event, at: time, before: time)
    findings.take(session)
    session.finish()
    findings.finish(session)
    writer.write(path, findings, session, end, to: &out.text)
    return findings.worst
  }

  /// The end of a capture without records, with which rules check an app: the header of btsnoop.
  private static func emptyCapture(_ name: String) -> CaptureEnd? {
    let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    return (try? Capture(bytes: header, name: name))?.forEachRecord { _, _ in true }
  }
}
