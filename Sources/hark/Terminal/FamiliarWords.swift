/// What other programs for captures call what hark has under another name.
enum FamiliarWords {
  /// Commands that other programs have, or that users try, and what hark has instead.
  private static let commands: [(words: [String], instead: String)] = [
    (["stats", "stat", "statistics", "summary", "capinfos", "describe"], "hark info"),
    (["conv", "conversations", "follow", "channels"], "hark streams"),
    (
      ["decode", "dissect", "dump", "list", "ls", "print", "read", "cat", "tshark"], "hark packets"
    ),
    (["view", "events", "log", "analyze", "analyse", "parse"], "hark timeline"),
    (["grep", "search", "filter", "find", "query"], "hark packets CAPTURE -Y FILTER"),
    (["capture", "sniff", "monitor", "btmon", "dumpcap", "tail", "watch"], "hark live"),
    (["lint", "validate", "diagnose", "problems"], "hark findings"),
    (["merge", "cut", "split", "trim", "editcap", "mergecap"], "hark convert"),
    (["anonymize", "anonymise", "sanitize", "sanitise", "scrub", "clean"], "hark redact"),
    (["compare"], "hark diff"),
    (["services", "characteristics", "attributes"], "hark gatt"),
    (["decrypt", "unlock"], "hark timeline CAPTURE --keys FILE"),
    (["web", "serve", "server", "gui", "ui"], "hark timeline CAPTURE --web"),
    (["sqlite", "csv", "sql"], "hark export"),
    (["rules"], "hark findings --list"), (["lanes", "filters"], "hark help filters"),
    (["protocols"], "hark help protocols"),
    (["layouts", "profiles", "plugins"], "hark dissectors"),
    (["completion", "completions"], "hark --generate-completion-script bash"),
    (["man", "manual"], "hark help"), (["version"], "hark --version"),
  ]

  /// What hark has in place of a command; nil if the word means nothing.
  static func command(_ word: String) -> String? {
    commands.first { $0.words.contains(word.lowercased()) }?.instead
  }

  private static let withJSON = [
    "timeline", "live", "findings", "expect", "check-app", "report", "diff", "info", "gatt",
    "streams", "packets",
    "show", "explain", "fields", "redact", "seal", "doctor",
  ]

  /// Options of tshark, btmon and others, and what hark has instead, in the commands that have it (empty: in all).
  private static let options: [(words: [String], commands: [String], instead: String)] = [
    (["-r"], [], "name the capture without an option"),
    (["--json", "-j"], withJSON, "use '--format json'"),
    (["--json", "-j"], ["export"], "use '--format jsonl'"),
    (["--csv"], ["packets"], "use '--format csv'"),
    (["-c", "--count"], ["packets"], "use '--limit'"),
    (["-T"], ["packets"], "use '--format', and '-e' for fields"),
    (["-V", "-x", "-O"], ["packets"], "'hark show CAPTURE NUMBER' shows packets in full"),
    (["-w"], ["packets", "timeline", "show"], "'hark convert' writes captures"),
    (["-t"], ["packets"], "use '--absolute-time'"), (["-R"], ["packets", "timeline"], "use '-Y'"),
    (["-z"], ["packets"], "'hark info' and 'hark streams' show statistics"),
    (["-d"], ["packets", "timeline", "show"], "use '--decode-as'"),
    (["-i"], ["packets", "timeline"], "'hark live' and 'hark record' take sources"),
    (["-V", "-v"], [""], "use '--version'"),
  ]

  /// What hark has in place of an option of a command, which is empty before any; nil if the option means nothing.
  static func option(_ word: String, of command: String) -> String? {
    options.first {
      $0.words.contains(word) && ($0.commands.isEmpty || $0.commands.contains(command))
    }?.instead
  }
}
