import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkTestSupport
import Testing

@testable import HarkSession

/// The captures to test with: those that come with hark, and real ones where they are at hand.
enum Samples {
  static let root = Project.root.path

  static let endings = ["btsnoop", "pklg", "pcap", "pcapng", "log", "cfa", "gz"]

  static func captures(below folder: String) -> [String] {
    let files = FileManager.default.subpaths(atPath: folder) ?? []
    return files.filter { file in endings.contains { file.hasSuffix("." + $0) } }
      .sorted().map { folder + "/" + $0 }
  }

  static let bundled = captures(below: root + "/captures")

  /// Real captures beside the project, by the list that comes with them: what other tools say of
  /// each. Absent for users: what needs them is skipped, with a word.
  static let manifest: [ManifestRow] = {
    let folder = root + "/../shared/corpus/"
    guard let text = try? String(contentsOfFile: folder + "MANIFEST.tsv", encoding: .utf8) else {
      print("no corpus of real captures here: only the bundled ones are used")
      return []
    }
    return text.split(separator: "\n").dropFirst().map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      return ManifestRow(
        file: String(columns[0]), path: folder + columns[0], format: String(columns[3]),
        packets: Int(columns[4]) ?? 0)
    }
  }()

  struct ManifestRow: Sendable, CustomTestStringConvertible {
    let file: String
    let path: String
    /// `btsnoop v1 dl1002`, `pcapng dlt256`.
    let format: String
    let packets: Int

    var testDescription: String { file }
    /// Whether more is left of it than a part of its header.
    var isCapture: Bool {
      !["empty", "unrecognised", "pcapng dlt"].contains(format)
    }
    var isHCI: Bool {
      isCapture
        && (format.contains("btsnoop") || format.hasPrefix("pklg")
          || ["dlt187", "dlt201", "dlt254"].contains { format.hasSuffix($0) })
    }
    /// Of link types that sniffers on the air have.
    var isAir: Bool {
      isCapture
        && ["dlt192", "dlt251", "dlt255", "dlt256", "dlt272"].contains { format.hasSuffix($0) }
    }
    /// Derived from others by writing over bytes, or by leaving out the end.
    var isDamaged: Bool { file.hasPrefix("derived-shared/fuzz/") }
    var isCut: Bool { file.hasPrefix("derived-shared/trunc/") }
  }

  /// What the generator of a bundled capture says about it.
  static func truth(beside path: String) throws -> [String: Any] {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let names = ["truth.json", "formats.json"].map { folder.appending(path: $0) }
    let file = try #require(names.first { FileManager.default.fileExists(atPath: $0.path) })
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let truth = try #require(object as? [String: Any])
    // Where a folder has several, each has a part of its own.
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return truth[name] as? [String: Any] ?? truth
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Runs the index pass over a capture; `each` sees every event after it was reported.
  static func index(
    _ capture: Capture, keys: KeyRing = KeyRing(),
    each: (borrowing Session, Event) -> Void = { _, _ in }
  ) -> (events: [String], packets: Int, records: Int) {
    var session = Session(keys: keys, framings: .known)
    var events: [String] = []
    func drain(_ session: inout Session) {
      for event in session.events {
        events.append("\(event.frames) \(event.content)")
        each(session, event)
      }
      session.dropEvents()
    }
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      drain(&session)
      return true
    }
    session.finish()
    drain(&session)
    return (events, session.packets.count, Int(end.records))
  }
}
