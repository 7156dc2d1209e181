import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkRedact

/// Of the identifiers, addresses and keys of a capture and of those that its keys show, no group of digits is in a strict report.
@Suite struct ReportIdentifierTests {
  /// One whose session has a UUID that begins with digits only, and some others each day.
  static let samples: [String] = {
    let all = Samples.all.filter { !Samples.withLayouts.contains($0) }
    let first = "pebble-faults/pebble-faults.btsnoop"
    return [first] + DailyPart.of(all.filter { $0 != first }, oneIn: 30)
  }()

  private static func keys(of path: String) -> [String] {
    let folder = Samples.folder.appending(path: path).deletingLastPathComponent()
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".harkkeys") }.sorted()
      .flatMap { ["--keys", folder.appending(path: $0).path()] }
  }

  /// Hexadecimal digits without the signs between them.
  private static func digits(_ text: some StringProtocol) -> String {
    String(text).filter(\.isHexDigit).lowercased()
  }

  /// Texts of eight or more digits, and UUIDs and addresses as they are written.
  private static func groups(_ text: String) -> Set<String> {
    let all = text.matches(
      of:
        /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{8,}/
    )
    return Set(all.map { String($0.output.0) })
  }

  @Test(arguments: samples) func nothingIsLeft(_ path: String) throws {
    let folder = try TestFolder()
    let capture = Samples.folder.appending(path: path).path()
    let program = HarkProgram.url.path
    let keys = Self.keys(of: path)
    func text(_ name: String, _ options: [String]) throws -> String {
      let file = folder.path(name)
      let run = try OtherProgram.run(program, ["report", capture] + keys + options + [file])
      try #require([0, 2].contains(run.code), "\(run.stated)")
      return try String(contentsOfFile: file, encoding: .utf8)
    }
    let original = try text("original.json", ["-o"])
    let file = try Samples.read(path)
    let redacted = try redact(file, .strict)
    let kept = [UInt8](redacted.bytes)
    var secrets: Set<String> = []
    // What was replaced in the capture.
    for (value, other) in redacted.map.values where value.bytes != other && !value.kind.isText {
      guard (4...64).contains(value.bytes.count) else { continue }
      secrets.insert(Hex.text(value.bytes))
      secrets.insert(Hex.text(Array(value.bytes.reversed())))
    }
    // What keys show, such as sessions; what the copy has too, such as services, is no secret.
    for group in Self.groups(original) where group.contains("-") {
      guard let bytes = Hex.bytes(group), !kept.holds(bytes), !kept.holds(bytes.reversed()) else {
        continue
      }
      secrets.insert(Self.digits(group))
    }
    let all = secrets.filter { Set($0).count > 3 }.joined(separator: " ")
    let bundle = folder.path("bundle.zip")
    let made = try OtherProgram.run(program, ["report", capture, "--bundle", bundle] + keys)
    try #require([0, 2].contains(made.code), "\(made.stated)")
    let unpacked = try OtherProgram.run("/usr/bin/env", ["python3", "-c", Self.unpack, bundle]).text
    var texts = [("bundle", unpacked)]
    for form in ["md", "json", "html"] {
      texts.append((form, try text("r.\(form)", ["--redact", "-o"])))
    }
    for (form, text) in texts {
      for group in Self.groups(text).map(Self.digits) where Set(group).count > 3 {
        let isLeft = (0...(group.count - 8)).contains { start in
          let part = group.dropFirst(start).prefix(8)
          return Set(part).count > 3 && all.contains(part)
        }
        #expect(!isLeft, "\(path), \(form): \(group)")
      }
    }
  }

  private static let unpack = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as z:
        for name in z.namelist():
            if name.endswith((".md", ".html", ".json")): print(z.read(name).decode())
    """
}
