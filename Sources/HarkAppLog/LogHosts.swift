/// Whether the name of a host precedes the names of processes in a log as text, from all of its lines: syslogs write one in
/// front of all lines, or of none.
struct LogHosts: Sendable {
  /// Processes of the system, which have no blanks in their names: what precedes them is a host.
  private static let system = Meaning.daemons.union(["kernel", "runningboardd"])
  /// What `log show` writes for the host.
  private static let local = "localhost"
  /// So many processes whose names begin with the same word are not all of one app.
  private static let many = 8

  /// The user's processes.
  var own: Set<String> = []
  /// The name of the host, as far as a line showed it.
  private var host: String?
  /// Whether a line showed that there is no host.
  private var hasNone = false
  /// The different first words and the different names of lines that show neither.
  private var firstWords: Set<String> = []
  private var names: Set<String> = []

  /// Whether further lines are not needed.
  var isDecided: Bool { host != nil || hasNone || firstWords.count > 1 || names.count >= Self.many }

  /// Whether the lines do not show if there is a host.
  var isGuess: Bool { !isDecided && firstWords.count == 1 && firstWords.first != Self.local }

  /// Takes the name of a process, which a host's name may precede, and the library that wrote the line.
  mutating func take(_ name: Substring, _ library: String?) {
    guard let last = name.lastIndex(of: " "), let behindHost = Self.behindHost(name) else {
      hasNone = true
      return
    }
    if Self.system.contains(String(name[name.index(after: last)...])) {
      host = String(LogText.trimmed(name[..<last]))
      return
    }
    guard host == nil, !hasNone, names.count < Self.many else { return }
    let firstWord = String(name.prefix { $0 != " " })
    if own.contains(String(behindHost)) || Self.wrote(library, behindHost) {
      host = firstWord
    } else if own.contains(String(name)) || Self.wrote(library, name) {
      hasNone = true
    } else {
      firstWords.insert(firstWord)
      names.insert(String(name))
    }
  }

  /// The name of the process, which may have blanks.
  func process(in name: Substring, _ library: String?) -> Substring {
    guard let last = name.lastIndex(of: " "), let behindHost = Self.behindHost(name) else {
      return name
    }
    let word = name[name.index(after: last)...]
    if Self.system.contains(String(word)) { return word }
    if let host, name.hasPrefix(host) {
      let behind = name.dropFirst(host.count)
      if behind.first == " " { return behind.drop { $0 == " " } }
    }
    if hasNone { return name }
    if Self.wrote(library, behindHost) { return behindHost }
    return Self.wrote(library, name) || firstWords.count > 1 ? name : behindHost
  }

  private static func behindHost(_ name: Substring) -> Substring? {
    guard let blank = name.firstIndex(of: " ") else { return nil }
    let behind = name[blank...].drop { $0 == " " }
    return behind.isEmpty ? nil : behind
  }

  /// What a process itself writes comes from a library with its name.
  private static func wrote(_ library: String?, _ name: Substring) -> Bool {
    guard let library, !library.isEmpty else { return false }
    return name.filter { $0 != " " }.hasPrefix(library.filter { $0 != " " })
  }
}
