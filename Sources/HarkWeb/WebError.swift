/// Why there is no page: one sentence.
public struct WebError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
