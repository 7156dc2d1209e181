import HarkSession

/// What the user's own processes and subsystems are called.
public struct AppNames: Sendable {
  /// Of the app and its extensions.
  public let all: Set<String>
  /// Of those, the extensions'.
  public let extensions: Set<String>

  /// Without names nothing is known of them.
  public init(all: Set<String> = [], extensions: Set<String> = []) {
    (self.all, self.extensions) = (all, extensions)
  }

  public init(_ declaration: AppDeclaration?) {
    func names(_ bundles: [AppDeclaration.Bundle]) -> Set<String> {
      Set(bundles.flatMap { [$0.identifier, $0.executable] }.compactMap { $0 })
    }
    all = names(declaration?.bundles ?? [])
    extensions = names(declaration?.extensions ?? [])
  }
}
