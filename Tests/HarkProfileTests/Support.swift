import FoundationEssentials
import HarkCapture
import HarkCore
import HarkCrypto
import HarkLayout
import HarkProfile
import HarkSession
import HarkTestSupport
import Testing

/// Files of the project, by their path in it.
struct ProjectFiles: LayoutFiles {
  func text(at path: String) -> String? {
    (try? Data(contentsOf: Project.root.appending(path: path))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  func bytes(at path: String) -> [UInt8]? {
    (try? Data(contentsOf: Project.root.appending(path: path))).map { Array($0) }
  }
}

/// Files of a test.
struct MadeFiles: LayoutFiles {
  var texts: [String: String]
  var binaries: [String: [UInt8]] = [:]

  func bytes(at path: String) -> [UInt8]? { binaries[path] ?? texts[path].map { Array($0.utf8) } }
  func text(at path: String) -> String? { texts[path] }
}

extension Profile {
  static func project(_ name: String) throws -> Profile {
    try Profile.load("dissectors/\(name)/profile.yaml", from: ProjectFiles())
  }
}

enum Sample {
  /// All that happens in a bundled capture, with and without its keys.
  static func events(_ name: String, _ framings: VendorFramings, withKeys: Bool) throws -> [Event] {
    let folder = Project.captures.appending(path: name)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    let file = try #require(names.first { $0.hasSuffix(".btsnoop") })
    let keys = names.filter { withKeys && $0.hasSuffix(".harkkeys") }
    let ring = KeyRing(try keys.map { try KeyFile(path: folder.appending(path: $0).path()) })
    let capture = try Capture(path: folder.appending(path: file).path())
    var session = Session(keys: ring, framings: framings)
    var events: [Event] = []
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      events += session.events
      session.dropEvents()
      return true
    }
    session.finish()
    return events + session.events
  }
}

/// SplitMix64.
struct Random: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      guard let index = bytes.indices.randomElement(using: &self) else { break }
      switch Int.random(in: 0...3, using: &self) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes.removeSubrange(index...)
      case 2: bytes.remove(at: index)
      default: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
      }
    }
    return bytes
  }
}
