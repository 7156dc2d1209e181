import HarkLayout
import HarkProfile

/// The files that come with hark by their names alone, and others.
struct Files: LayoutFiles {
  var texts: [String: String] = bundled

  func text(at path: String) -> String? { texts[path] }

  private static let bundled: [String: String] = {
    var texts: [String: String] = [:]
    for path in BundledFiles.paths {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      texts[name] = BundledFiles().text(at: path)
    }
    return texts
  }()
}
