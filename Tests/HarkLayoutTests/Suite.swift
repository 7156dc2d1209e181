import Foundation
import HarkCore
import HarkTestSupport

@testable import HarkLayout

/// Kaitai Struct's own tests, beside the project (kaitai-io/kaitai_struct_tests, MIT). Absent for
/// users: what needs them is skipped, with a word.
enum Suite {
  static let root = Project.root.path

  static let folder: String? = {
    let folder = root + "/../shared/kaitai-tests"
    return FileManager.default.fileExists(atPath: folder + "/formats") ? folder : nil
  }()

  static func files(in part: String, ending: String) -> [String] {
    guard let folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + part)) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted()
  }

  static func bytes(of path: String) -> [UInt8] {
    (FileManager.default.contents(atPath: path)).map { [UInt8]($0) } ?? []
  }

  static func text(of path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// The lines of a list beside the tests, without comments.
  static func list(_ name: String) -> [String] {
    let text = Suite.text(of: root + "/Tests/HarkLayoutTests/Expected/" + name) ?? ""
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }
}

struct DiskFiles: LayoutFiles {
  func text(at path: String) -> String? { Suite.text(of: path) }
}

struct MemoryFiles: LayoutFiles {
  let texts: [String: String]
  func text(at path: String) -> String? { texts[path] }
}
