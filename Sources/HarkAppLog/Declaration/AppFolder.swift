import HarkCapture

/// The folder of an app or an extension.
struct AppFolder: BundleArchive {
  let paths: [String]
  private let root: String

  private static let mostFiles = 100_000
  /// Name.xcarchive/Products/Applications/Name.app/PlugIns/Name.appex
  private static let deepest = 8

  /// Nil if it is no folder.
  init?(path: String) {
    guard Directory.isFolder(path) else { return nil }
    var trimmed = path
    while trimmed.hasSuffix("/"), trimmed.utf8.count > 1 { trimmed.removeLast() }
    let name = LogPaths.name(trimmed)
    root = trimmed
    var found: [String] = []
    Self.walk(trimmed, prefix: name + "/", depth: 0, &found)
    paths = found.sorted()
  }

  /// Gathers the files with a bundle's declarations.
  private static func walk(
    _ folder: String, prefix: String, depth: Int, _ found: inout [String]
  ) {
    guard depth < deepest, let names = Directory.names(in: folder, most: mostFiles) else { return }
    for name in names where !Directory.isSpecial("\(folder)/\(name)") {
      if name == "Info.plist" || name == "embedded.mobileprovision"
        || AppInfo.definitionEndings.contains(LogPaths.ending(name))
      {
        found.append(prefix + name)
      } else if ["PlugIns", "Extensions", "Payload", "Products", "Applications"].contains(name)
        || name.hasSuffix(".app")
        || name.hasSuffix(".appex")
      {
        walk("\(folder)/\(name)", prefix: "\(prefix)\(name)/", depth: depth + 1, &found)
      }
    }
  }

  func executable(_ path: String) -> [UInt8]? {
    try? WholeFile.contents(root + path.drop { $0 != "/" }, most: CodeSignature.largest)
  }

  func contents(of path: String) throws(AppLogError) -> [UInt8] {
    let inside = path.drop { $0 != "/" }
    return try WholeFile.contents(root + inside, most: AppInfo.largest)
  }
}
