import Foundation
import Testing

@testable import HarkLayout

/// The schemas of Kaitai Struct's own test suite that its compiler refuses or warns of, each with
/// where it says so in its first comment.
@Suite struct RejectionTests {
  @Test(.enabled(if: Suite.folder != nil, "no Kaitai Struct test suite beside the project"))
  func schemas() throws {
    let folder = try #require(Suite.folder) + "/formats_err"
    let unsupported = Set(Suite.list("formats-err-unsupported.txt").map { $0.prefix { $0 != ":" } })
    var (met, all) = (0, 0)
    for name in Suite.files(in: "formats_err", ending: ".ksy") {
      let text = try #require(Suite.text(of: folder + "/" + name))
      let expected = Self.expectations(text)
      guard !expected.isEmpty else { continue }
      all += 1
      let isListed = unsupported.contains(Substring(name))
      let missing = expected.filter { !Self.isMet($0, by: Self.diagnostics(name, in: folder)) }
      if missing.isEmpty {
        met += 1
        #expect(!isListed, "\(name) is met: take it from formats-err-unsupported.txt")
      } else {
        #expect(isListed, "\(name): \(missing), got \(Self.diagnostics(name, in: folder))")
      }
    }
    print("Kaitai Struct rejections: \(met)/\(all)")
  }

  /// What Kaitai's compiler takes is taken, but for what is listed.
  @Test(.enabled(if: Suite.folder != nil, "no Kaitai Struct test suite beside the project"))
  func accepted() throws {
    let folder = try #require(Suite.folder) + "/formats"
    let unsupported = Set(Suite.list("formats-unsupported.txt").map { $0.prefix { $0 != ":" } })
    for name in Suite.files(in: "formats", ending: ".ksy") {
      let isListed = unsupported.contains(Substring(name))
      do throws(LayoutErrors) {
        _ = try Layout.load(
          folder + "/" + name, importPaths: [folder + "/ks_path"], from: DiskFiles())
        #expect(!isListed, "\(name) is taken: take it from formats-unsupported.txt")
      } catch {
        #expect(isListed, "\(name): \(error.diagnostics.map(\.description))")
      }
    }
  }

  /// One line of a schema's first comment.
  private struct Expectation {
    let file: String
    let path: String
    let severity: Diagnostic.Severity
  }

  private static func diagnostics(_ name: String, in folder: String) -> [Diagnostic] {
    do throws(LayoutErrors) {
      return try Layout.load(folder + "/" + name, from: DiskFiles()).warnings
    } catch {
      return error.diagnostics
    }
  }

  private static func expectations(_ text: String) -> [Expectation] {
    let lines = text.split(separator: "\n").prefix { $0.hasPrefix("#") }.map { $0.dropFirst(2) }
    return zip(lines, lines.dropFirst()).compactMap { place, message in
      let word = message.drop { $0 == "\t" }
      guard word.hasPrefix("error:") || word.hasPrefix("warning:"), place.hasSuffix(":") else {
        return nil
      }
      let parts = place.dropLast().split(separator: ":", maxSplits: 1)
      return Expectation(
        file: String(parts[0]), path: normal(parts[1].drop { $0 == " " }),
        severity: word.hasPrefix("error:") ? .error : .warning)
    }
  }

  /// Cases stand in the expected paths as Kaitai's compiler prints expressions.
  private static func normal(_ path: Substring) -> String {
    var path = String(path)
    for (prefix, suffix, quote) in [
      ("Name(identifier(", "))", ""), ("IntNum(", ")", ""), ("Bool(", ")", ""), ("Str(", ")", "\""),
    ] {
      guard let start = path.range(of: "/" + prefix), path.hasSuffix(suffix) else { continue }
      path =
        path[..<start.lowerBound] + "/" + quote + path[start.upperBound...].dropLast(suffix.count)
        + quote
    }
    return path
  }

  private static func isMet(_ expected: Expectation, by diagnostics: [Diagnostic]) -> Bool {
    diagnostics.contains { found in
      // Errors of YAML itself have a line and column for a path.
      let place = "\(found.location.line):\(found.location.column)"
      return found.severity == expected.severity && found.file.hasSuffix("/" + expected.file)
        && (found.path == expected.path || place == expected.path)
    }
  }
}
