import HarkDissection
import HarkLayout
import HarkProfile

/// The layouts and profiles that come with hark, for all captures of the process.
enum BundledDissectors {
  /// Loads them, with the first use: it takes some milliseconds.
  /// - Returns: Whether they count; not where the modules below were used before.
  static let areLoaded: Bool = {
    let layouts = BundledFiles.attached.compactMap { try? Layout.load($0, from: BundledFiles()) }
    var taken = Set(layouts.map(\.id))
    let messages = Profile.bundled.flatMap { $0.entries(besides: &taken) }
    return Catalog.addUnlessUsed(messages + layouts.map { Entry($0) })
  }()
}
