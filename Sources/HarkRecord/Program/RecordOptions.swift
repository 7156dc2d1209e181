import HarkCapture

/// What the command line asks for.
struct RecordOptions: Equatable {
  var source = "monitor"
  var path = ""
  /// What the path's ending says.
  var format = RecordingFormat.usual
  var rotation = Rotation()
  /// How many bytes may wait to be read, in the kernel, and to be written, here.
  var buffer = 32 << 20
  /// What to call the source, if hark passes on its packets; nil for its own name.
  var sourceName: String?
  /// Whether hark passes the packets on to another hark-record, which reports what it writes.
  var isRelay = false

  enum Request: Equatable {
    case record(RecordOptions)
    case list
    /// The list for programs.
    case table
    case help
    case version
  }

  /// A command line that is wrong, in words.
  struct Mistake: Error, Equatable {
    var text: String
    init(_ text: String) { self.text = text }
  }

  /// Understands the arguments, without the program's name.
  static func parse(_ arguments: [String]) throws(Mistake) -> Request {
    var options = RecordOptions()
    var sources: [String] = []
    var rest = arguments[...]
    var onlySources = false
    while let argument = rest.popFirst() {
      guard !onlySources, argument.hasPrefix("-"), argument != "-" else {
        sources.append(argument)
        continue
      }
      switch argument {
      case "-h", "--help": return .help
      case "--version": return .version
      case "--list": return .list
      case "--list=tsv": return .table
      case "--": onlySources = true
      case Self.relay: options.isRelay = true
      default:
        let (name, attached) = split(argument)
        guard Self.takesValue.contains(name) else { throw Mistake("unknown option '\(argument)'") }
        guard let value = attached ?? rest.popFirst() else {
          throw Mistake("'\(name)' needs a value")
        }
        try options.set(name, value)
      }
    }
    if sources.count > 1 {
      throw Mistake("only one source is possible: remove '\(sources[1])'")
    }
    if let source = sources.first { options.source = source }
    try options.check()
    return .record(options)
  }

  // For hark alone, which runs two of these programs: one reads, one writes.
  private static let relay = "--relay"
  private static let name = "--source-name"

  private static let takesValue = [
    "-w", "--write", "--rotate-size", "--rotate-time", "--rotate-count", "--buffer", name,
  ]

  /// `--name=value`, and `-wvalue`.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") {
      return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }
    if argument.hasPrefix("-w"), argument != "-w" { return ("-w", String(argument.dropFirst(2))) }
    return (argument, nil)
  }

  private mutating func set(_ name: String, _ value: String) throws(Mistake) {
    switch name {
    case "-w", "--write": path = value
    case "--rotate-size": rotation.size = try Self.number(.rotateSize, value)
    case "--rotate-time": rotation.time = try Self.number(.rotateTime, value)
    case "--rotate-count": rotation.count = try Self.number(.rotateCount, value)
    case Self.name: sourceName = value
    default: buffer = try Self.number(.buffer, value)
    }
  }

  private mutating func check() throws(Mistake) {
    if path.isEmpty { throw Mistake("name a file to write: -w FILE, or -w - for standard output") }
    do {
      format = try RecordingFormat(ofFile: path)
    } catch {
      throw Mistake(error.text)
    }
    if rotation.count != nil, !rotation.isWanted {
      throw Mistake("--rotate-count needs --rotate-size or --rotate-time")
    }
    if rotation.isWanted, path == "-" {
      throw Mistake("standard output cannot be rotated: name a file")
    }
  }

  private static func number(
    _ amount: RecordingAmount, _ value: String
  ) throws(Mistake) -> Int {
    do {
      return try amount.value(of: value)
    } catch {
      throw Mistake(error.text)
    }
  }
}
