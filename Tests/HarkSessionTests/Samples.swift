import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// The captures to test with: those that come with hark, and real ones where they are at hand.
enum Samples {
  static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  static let endings = ["btsnoop", "pklg", "pcap", "pcapng", "log", "cfa", "gz"]

  static func captures(below folder: String) -> [String] {
    let files = FileManager.default.subpaths(atPath: folder) ?? []
    return files.filter { file in endings.contains { file.hasSuffix("." + $0) } }
      .sorted().map { folder + "/" + $0 }
  }

  static let bundled = captures(below: root + "/captures")

  /// Real captures beside the project. Absent for users: what needs them is skipped, with a word.
  static let corpus: [String] = {
    let found = captures(below: root + "/../shared/corpus")
    if found.isEmpty { print("no corpus of real captures here: only the bundled ones are used") }
    return found
  }()

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Runs the index pass over a capture; `each` sees every record after it was indexed.
  static func index(
    _ capture: Capture, keys: KeyRing = KeyRing(),
    each: (inout Session, CaptureRecord, RawSpan) -> Void = { _, _, _ in }
  ) -> (events: [String], packets: Int) {
    var session = Session(keys: keys)
    var events: [String] = []
    func drain(_ session: inout Session) {
      session.takeEvents { events.append("\($0.frames) \($0.content)") }
    }
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      each(&session, record, bytes)
      drain(&session)
      return true
    }
    session.finish()
    drain(&session)
    return (events, session.packets.count)
  }
}
