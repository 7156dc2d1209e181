import Foundation
import HarkCapture
import HarkCrypto
import HarkProfile
import HarkSession
import HarkTestSupport

@testable import HarkRedact

/// Splitmix64: the same numbers in each run.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}

enum Samples {
  static let folder = Project.captures

  /// All captures, without those whose packets are in UART frames, which may get other lengths.
  static let all: [String] = {
    let endings = [".btsnoop", ".pklg", ".pcap", ".pcapng", ".gz"]
    let found = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String }
    return (found ?? []).filter { path in
      endings.contains { path.hasSuffix($0) } && !path.hasSuffix("bcsp.btsnoop")
        && !path.hasSuffix("h5.btsnoop")
    }.sorted()
  }()

  /// Those with checksums that a layout declares. Layouts belong to the catalog, which the tests of one
  /// process share: the program redacts these.
  static let withLayouts = all.filter { $0.hasPrefix("aria-") }

  static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "hark")

  static func read(_ path: String) throws -> CaptureBytes {
    try CaptureBytes(path: folder.appending(path: path).path())
  }
}

func redact(
  _ file: CaptureBytes, _ level: RedactionLevel = .share, map: RedactionMap = RedactionMap()
) throws -> Redaction.Redacted {
  try Redaction(level: level, map: map, framings: .known).redact(file)
}

/// Bytes in which is looked for many others, of six bytes or more.
struct Haystack {
  private let bytes: Data
  private var windows: Set<UInt64> = []

  init(_ bytes: [UInt8]) {
    self.bytes = Data(bytes)
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 & 0xFFFF_FFFF_FFFF | UInt64(byte)
      if index >= 5 { windows.insert(window) }
    }
  }

  func holds(_ part: [UInt8]) -> Bool {
    windows.contains(part[..<6].reduce(0) { $0 << 8 | UInt64($1) })
      && bytes.range(of: Data(part)) != nil
  }
}

extension [UInt8] {
  func holds(_ part: [UInt8]) -> Bool { Data(self).range(of: Data(part)) != nil }
}
