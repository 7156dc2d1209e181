import HarkLayout
import HarkSession

/// The profiles and layouts that come with hark, by their path in `dissectors`.
public struct BundledFiles: LayoutFiles {
  public init() {}

  public static var paths: [String] { texts.keys.sorted() }

  public func text(at path: String) -> String? { Self.texts[path] }
}

extension Profile {
  /// What a profile's file is called.
  public static let fileName = "profile.yaml"

  /// Those that come with hark. That all of them load is tested.
  public static let bundled: [Profile] = BundledFiles.paths.filter { $0.hasSuffix("/" + fileName) }
    .compactMap { try? Profile.load($0, from: BundledFiles()) }
}

extension VendorFramings {
  /// All that hark knows by itself.
  public static let known = known(with: [])

  /// The same and those of a user's `profiles`, which take the channels they name.
  public static func known(with profiles: [Profile]) -> VendorFramings {
    VendorFramings(builtIn.all + (Profile.bundled + profiles).map(\.framing))
  }
}
