import HarkSession

/// What the user's own processes and subsystems are called.
public struct AppNames: Sendable {
  /// Of the app and its extensions.
  public let all: Set<String>
  /// Of those, the extensions'.
  public let extensions: Set<String>
  /// The extension points of those that name one.
  public let points: [String: String]

  /// Without names nothing is known about them.
  public init(
    all: Set<String> = [], extensions: Set<String> = [], points: [String: String] = [:]
  ) {
    (self.all, self.extensions, self.points) = (all, extensions, points)
  }

  /// What of them is not an extension's.
  public var apps: Set<String> { all.subtracting(extensions) }

  public init(_ declaration: AppDeclaration?) {
    func names(_ bundles: [AppDeclaration.Bundle]) -> Set<String> {
      Set(bundles.flatMap { [$0.identifier, $0.executable] }.compactMap { $0 })
    }
    all = names(declaration?.bundles ?? [])
    extensions = names(declaration?.extensions ?? [])
    var points: [String: String] = [:]
    for bundle in declaration?.extensions ?? [] {
      for name in names([bundle]) { points[name] = bundle.extensionPoint }
    }
    self.points = points
  }
}
