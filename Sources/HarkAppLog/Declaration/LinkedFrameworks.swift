import HarkSession

/// The frameworks that a bundle links: its executable, and the libraries inside the app that it loads.
/// Xcode puts the code of debug builds into such a library (`Acme.debug.dylib`).
struct LinkedFrameworks {
  /// Libraries of one bundle that are opened.
  private static let most = 64

  private(set) var frameworks: AppDeclaration.Frameworks
  private var waiting: [String]
  private var seen: Set<String> = []

  /// - Parameters:
  ///   - executable: Of the bundle.
  ///   - place: The folder of the bundle, and of the app that it lies in, both with `/` at the end.
  /// - Returns: Nil if the executable is no Mach-O file.
  static func read(
    _ executable: [UInt8], in archive: some BundleArchive, _ place: String, app root: String
  ) -> AppDeclaration.Frameworks? {
    guard let libraries = MachO.libraries(of: executable) else { return nil }
    var reading = LinkedFrameworks(frameworks: .init(), waiting: [])
    reading.take(libraries)
    while let name = reading.waiting.popLast() {
      guard reading.seen.count < most else {
        reading.frameworks.isWhole = false
        break
      }
      guard reading.seen.insert(name).inserted else { continue }
      let places = [place, place + "Frameworks/", root + "Frameworks/"]
      let found = places.lazy.compactMap { archive.executable($0 + name) }
        .compactMap { MachO.libraries(of: $0) }.first
      if let found { reading.take(found) } else { reading.frameworks.isWhole = false }
    }
    return reading.frameworks
  }

  private init(frameworks: AppDeclaration.Frameworks, waiting: [String]) {
    (self.frameworks, self.waiting) = (frameworks, waiting)
  }

  private mutating func take(_ libraries: Set<MachO.Library>) {
    for library in libraries {
      let parts = library.path.split(separator: "/")
      if library.path.hasPrefix("@") {
        // Relative to folders of the app, which the loader searches.
        let inside = parts.dropFirst()
        if let name = inside.last, !inside.contains("..") {
          let folder = inside.dropLast().last.map { $0.hasSuffix(".framework") ? "\($0)/" : "" }
          waiting.append((folder ?? "") + name)
        } else {
          frameworks.isWhole = false
        }
      } else if library.path.hasPrefix("/System/Library/"),
        let folder = parts.last(where: { $0.hasSuffix(".framework") })
      {
        let name = String(folder.dropLast(".framework".count))
        if library.isWeak { frameworks.weak.insert(name) } else { frameworks.strong.insert(name) }
      }
    }
  }
}
