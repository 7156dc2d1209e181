import Foundation
import HarkTestSupport
import Testing

/// What is wrong with the command line is reported alike, by whatever it is noticed: one line with what is wrong, one with
/// where to look, and exit code 64.
@Suite struct CommandLineMistakeTests {
  private static let sample = "captures/pebble-session/pebble-session.btsnoop"

  /// Arguments, what is wrong with them, and the command whose help is named.
  static let mistakes: [(arguments: String, problem: String, help: String)] = [
    // The argument parser's own.
    ("info S --nokeys", "unknown option '--nokeys'; did you mean '--keys'?", "info"),
    ("info S --zzzzzzzz", "unknown option '--zzzzzzzz'", "info"),
    ("live - --from 1", "unknown option '--from'", "live"),
    // Of other programs.
    ("packets -r S", "unknown option '-r'; name the capture without an option", "packets"),
    ("findings S --json", "unknown option '--json'; use '--format json'", "findings"),
    ("packets S -c 5", "unknown option '-c'; use '--limit'", "packets"),
    ("packets S att", "there is no file 'att'; to filter, use -Y 'att'", "packets"),
    // Before a value that hark would take for something else.
    ("packets S --protocol att", "unknown option '--protocol'", "packets"),
    ("packets S -Q att", "unknown option '-Q'", "packets"),
    ("packets S -R att", "unknown option '-R'; use '-Y'", "packets"),
    ("timeline S --filtr att", "unknown option '--filtr'; did you mean '--filter'?", "timeline"),
    ("packets S --no-pager att", "there is no file 'att'; to filter, use -Y 'att'", "packets"),
    ("packets -- S --protocol att", "there is no file 'att'; to filter, use -Y 'att'", "packets"),
    ("show S --from +12", "unknown option '--from'", "show"),
    ("streams S --number x", "unknown option '--number'", "streams"),
    (
      "packets S -V", "unknown option '-V'; 'hark show CAPTURE NUMBER' shows packets in full",
      "packets"
    ),
    ("info", "missing expected argument '<captures> ...'", "info"),
    ("info S -k", "missing value for '-k <file>'", "info"),
    ("diff S", "missing expected argument '<bad>'", "diff"),
    ("gatt S S", "unexpected argument 'S'", "gatt"),
    (
      "info S --format xml",
      "the value 'xml' is invalid for '--format <format>': use 'text' or 'json'", "info"
    ),
    (
      "findings S --fail-on warn",
      "the value 'warn' is invalid for '--fail-on <severity>': use one of 'info', 'warning' or 'error'",
      "findings"
    ),

    // Those of options whose values are read by hark.
    ("timeline S --lane pairin", "there is no lane 'pairin'; did you mean 'pairing'?", "timeline"),
    ("info S --memory lots", "--memory takes a size such as 2G, not 'lots'", "info"),
    ("info S --memory 1k", "--memory must be at least 64M, not '1k'", "info"),
    ("info S --width -3", "--width takes 0, or a number from 40 to 10000, not '-3'", "info"),
    ("info S --jobs 0", "--jobs takes a number from 1 to 1024, not '0'", "info"),
    ("packets S --limit -1", "--limit takes a number of at least 1, not '-1'", "packets"),
    (
      "timeline S --web --port 99999", "--port takes a number from 0 to 65535, not '99999'",
      "timeline"
    ),
    (
      "minimize S --finding keys.nonce-reuse@0 -o o.btsnoop",
      "--finding takes a rule and, after @, a number from 1 on, not 'keys.nonce-reuse@0'",
      "minimize"
    ),
    (
      "minimize S --finding nonsense -o o.btsnoop",
      "there is no rule 'nonsense'; 'hark findings --list' shows all rules", "minimize"
    ),
    (
      "findings S --rule keys.nonse-reuse",
      "there is no rule 'keys.nonse-reuse'; did you mean 'keys.nonce-reuse'?", "findings"
    ),
    (
      "findings --explain mesh",
      "'mesh' is a group of 1 rule, which 'hark findings --list' shows; --rule and --skip take 'mesh.*'",
      "findings"
    ),
    (
      "findings S --rule credits",
      "there is no rule 'credits'; did you mean 'link.credits-exceeded' or 'link.credits-lacking'?",
      "findings"
    ),
    (
      "convert S o.btsnoop --link foo",
      "--link takes the number of a link, or its handle such as 0x0040, not 'foo'", "convert"
    ),
    (
      "show S abc",
      "'abc' is not a packet number: the first is 1, and 'hark packets' lists them", "show"
    ),
    (
      "show S 12-9",
      "'12-9' is not a packet number: write numbers and ranges such as 44 50-60", "show"
    ),
    (
      "show S 44..46", "'44..46' is not a packet number: write numbers and ranges such as 44 50-60",
      "show"
    ),
    (
      "show 44 S", "'S' is not a packet number: one capture comes first: hark show CAPTURE 44",
      "show"
    ),
    (
      "show S 1-20000",
      "hark show takes at most 10000 packets; 'hark packets' lists any number", "show"
    ),
    (
      "show S -1",
      "'-1' is not a packet number: the first is 1, and 'hark packets' lists them", "show"
    ),
    (
      "streams S 0",
      "'0' is not the number of a stream: the first is 1, and 'hark streams' lists them", "streams"
    ),
    (
      "packets S -e att.opcod", "there is no field 'att.opcod'; did you mean 'att.opcode'?",
      "packets"
    ),
    ("keys generate k --suite rsa", "--suite takes p256 or xWing, not 'rsa'", "keys generate"),
    (
      "dissectors guess S --channel pms:1",
      "--channel: 'pms' is not a kind of channel; did you mean 'psm'?", "dissectors guess"
    ),
    // Options without which others have no effect.
    ("report S -o r.md --level share", "--level needs --redact or --bundle", "report"),
    ("report S -o r.md --map m", "--map needs --redact or --bundle", "report"),
    ("export S e.sqlite --map m", "--map needs --redact", "export"),
    (
      "packets S -f csv --absolute-time",
      "--absolute-time changes the output for people: in tables and JSON, use -e frame.time",
      "packets"
    ),
    ("streams S 1 --follow -f json", "--follow writes text: omit --format json", "streams"),
    ("streams S 1 -o x", "--output needs --raw", "streams"),
    ("gatt S --save g.json -f json", "--save writes its own JSON: omit --format json", "gatt"),
    (
      "diff S S -o d.html -f json",
      "--output writes a report, in the format of its extension: omit --format json", "diff"
    ),
    ("findings --list --fail-on error", "--fail-on and --baseline need a capture", "findings"),
    (
      "findings --list --explain link.bond-lost",
      "--list shows all rules, --explain one: omit one of them", "findings"
    ),
    ("doctor --keys K", "--keys needs a capture", "doctor"),
    ("doctor --memory 1G", "--memory needs a capture", "doctor"),
    ("show --xpc x --keys K", "--xpc takes no keys", "show"),
    (
      "live --list -w x.btsnoop", "--list only lists devices: omit the source, -w and --web", "live"
    ),
    ("timeline S --port 80", "--port and --open need --web", "timeline"),
    (
      "seal x --public-key 00 --passphrase-file p", "--passphrase-file needs --keys", "seal"
    ),
    ("keys add k --kind ltk --suite p256", "--suite needs --kind accessory", "keys add"),
    (
      "keys add k --kind irk --direction HostToAccessory",
      "--direction needs --kind session or --kind internet", "keys add"
    ),
    (
      "keys add k --kind accessory --suite p256 --index 2", "--index needs --kind internet",
      "keys add"
    ),
    // Commands.
    ("tmeline S", "there is no command 'tmeline'; did you mean 'timeline'?", ""),
    ("nofile.pklg", "there is neither a command nor a file 'nofile.pklg'", ""),
    (
      "captures",
      "'captures' is a folder: 'hark info captures' shows what it contains, 'hark timeline captures' "
        + "what happened", ""
    ),
    (
      "README.md",
      "'README.md' is a file: 'hark info README.md' shows what it contains, 'hark timeline README.md' "
        + "what happened", ""
    ),
    (
      "dissectors foo",
      "there is no command 'dissectors foo'; the commands are list, show, check, try, guess, kaitai",
      "dissectors"
    ),
    ("keys ad", "there is no command 'keys ad'; did you mean 'keys add'?", "keys"),
  ]

  @Test(arguments: mistakes.indices) func reported(_ index: Int) throws {
    let (arguments, problem, help) = Self.mistakes[index]
    let words = arguments.split(separator: " ").map { $0 == "S" ? Self.sample : String($0) }
    let printed = try HarkProgram.transcript(words)
    let expected = problem.replacing("'S'", with: "'\(Self.sample)'")
    #expect(
      printed == """
        ! hark: \(expected)
        ! hark: see 'hark \(help.isEmpty ? "" : help + " ")--help'
        ? 64

        """)
  }

  /// A filter's mistake has lines that show its place.
  @Test func filter() throws {
    let printed = try HarkProgram.transcript(["packets", Self.sample, "-Y", "att.opcod == 1"])
    #expect(
      printed == """
        ! hark: there is no field 'att.opcod'; did you mean 'att.opcode'?
        !   att.opcod == 1
        !   ^^^^^^^^^
        ! hark: see 'hark packets --help'
        ? 64

        """)
  }

  /// The option before a filter's mistake is known, although the help of the command does not list it.
  @Test func filterOfRecorder() throws {
    let printed = try HarkProgram.transcript([
      "record", "-", "-w", "/dev/null", "-Y", "att.opcod",
    ])
    #expect(printed.hasPrefix("! hark: there is no field 'att.opcod'; did you mean"))
  }

  /// A message that begins with a value of the user's keeps its case.
  @Test func caseOfValues() throws {
    let printed = try HarkProgram.transcript(["packets", Self.sample, "-Y", "device == Acme"])
    #expect(
      printed == """
        ! hark: Acme is not an address; write names in quotes: "Acme"
        !   device == Acme
        !             ^^^^
        ! hark: see 'hark packets --help'
        ? 64

        """)
  }

  /// What is asked for is no mistake, and help for topics names what the word is otherwise.
  @Test func help() throws {
    let help = try HarkProgram.run("info", "--help")
    #expect(help.code == 0 && help.stated.isEmpty && help.text.hasPrefix("OVERVIEW: "))
    let recording = try HarkProgram.run("record", "-Y", "att", "--help")
    #expect(recording.code == 0 && recording.text.contains("USAGE: hark record"))
    let rule = try HarkProgram.transcript(["help", "keys.nonce-reuse"])
    #expect(rule.contains("'hark findings --explain keys.nonce-reuse' explains it\n"))
    #expect(rule.hasSuffix("? 64\n"))
  }

  /// Short answers that cannot be written are an error, too.
  @Test(arguments: [
    ["--help"], ["--version"], ["timeline", "--help"], ["--generate-completion-script", "bash"],
    ["extcap", "--extcap-interfaces"],
  ])
  func fullDisk(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = HarkProgram.url
    process.arguments = arguments
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(errors), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    #expect(process.terminationStatus == 1)
    #expect(text == "hark: standard output: cannot write: No space left on device\n")
  }

  /// A missing file is reported alike, by whatever reads it.
  @Test(arguments: [
    ["info", "nofile"], ["timeline", Self.sample, "-k", "nofile"],
    ["timeline", Self.sample, "--app-log", "nofile"],
    ["timeline", Self.sample, "--gatt", "nofile"],
    ["timeline", Self.sample, "--apns", "nofile"],
    ["timeline", Self.sample, "--dissectors", "nofile"], ["expect", "nofile", Self.sample],
    ["check-app", "nofile.ipa"], ["dissectors", "check", "nofile"],
    ["dissectors", "try", "nofile.ksy", Self.sample],
    ["findings", Self.sample, "--baseline", "nofile"],
    ["seal", "nofile", "--public-key", "00"], ["keys", "list", "nofile"],
  ])
  func missingFiles(_ arguments: [String]) throws {
    let name = arguments.first { $0.hasPrefix("nofile") } ?? ""
    let printed = try HarkProgram.transcript(arguments)
    #expect(printed.hasSuffix("? 1\n"))
    #expect(
      printed.contains("! hark: \(name): cannot open: No such file or directory"), "\(printed)")
  }
}
