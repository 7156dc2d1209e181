import HarkDissection
import HarkLayout
import HarkProfile

/// hark's built-in layouts and profiles, shared by all captures of the process.
enum BundledDissectors {
  /// Loads them at the first use, which takes some milliseconds.
  /// - Returns: Whether they were added: false if the process used the catalog of protocols before.
  static let areLoaded: Bool = {
    let layouts = BundledFiles.attached.compactMap { try? Layout.load($0, from: BundledFiles()) }
    var taken = Set(layouts.map(\.id))
    let messages = Profile.bundled.flatMap { $0.entries(besides: &taken) }
    return Catalog.addUnlessUsed(messages + layouts.map { Entry($0) })
  }()
}
