import HarkDissection
import HarkLayout
import HarkProfile

/// The layouts and profiles that come with hark, for all captures of the process.
enum BundledDissectors {
  /// Loaded with the first use: it takes some milliseconds.
  static let areLoaded: Bool = {
    let layouts = BundledFiles.attached.compactMap { try? Layout.load($0, from: BundledFiles()) }
    Catalog.add(layouts.map { Entry($0) }, areLast: true)
    var taken = Set(layouts.map(\.id))
    Catalog.add(Profile.bundled.flatMap { $0.entries(besides: &taken) }, areLast: true)
    return true
  }()
}
