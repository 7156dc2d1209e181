import HarkCapture
import HarkLayout
import HarkPlatform
import HarkProfile
import HarkSession

/// Measures reading a capture, and what indexing adds to it, in nanoseconds a packet; or what loading
/// all layouts and profiles takes that come with hark:
///
///     passes CAPTURE
///     passes --once CAPTURE
///     passes --load
///
/// With `--once` it indexes the capture once and measures nothing, for programs that watch it.
@main enum Passes {
  static let rounds = 5

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--load"] { return load() }
    if arguments.count == 2, arguments[0] == "--once" { return try index(arguments[1]) }
    guard arguments.count == 1 else {
      print("usage: passes CAPTURE, passes --once CAPTURE, or passes --load")
      exit(64)
    }
    let path = arguments[0]
    var packets = 0
    let reading = try median {
      packets = 0
      _ = try Capture(path: path).forEachRecord { _, _ in
        packets += 1
        return true
      }
    }
    // Indexed as they come, so that a packet is in the cache as it is in hark.
    let both = try median { try index(path) }
    print("read \(reading / max(1, packets)) ns")
    print("index \((both - reading) / max(1, packets)) ns")
  }

  private static func index(_ path: String) throws {
    var session = Session()
    _ = try Capture(path: path).forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      return true
    }
  }

  /// Once: the first time is what a run of hark takes, and it takes longest.
  private static func load() {
    let begin = clock()
    let profiles = Profile.bundled.count
    let layouts = BundledFiles.paths.filter { $0.hasSuffix(".ksy") }
      .compactMap { try? Layout.load($0, from: BundledFiles()) }.count
    let time = (clock() - begin) * 1_000_000_000 / Int(CLOCKS_PER_SEC)
    print("load \(time) ns of \(profiles) profiles and \(layouts) layouts")
  }

  /// The processor's time that `work` takes, in nanoseconds: the median of several rounds.
  private static func median(_ work: () throws -> Void) rethrows -> Int {
    var times: [Int] = []
    for _ in 0..<rounds {
      let begin = clock()
      try work()
      times.append((clock() - begin) * 1_000_000_000 / Int(CLOCKS_PER_SEC))
    }
    return times.sorted()[rounds / 2]
  }
}
