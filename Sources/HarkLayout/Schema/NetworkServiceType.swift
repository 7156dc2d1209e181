/// How the type of a service on the local network is written: `_acme._tcp`. RFC 6763, 4.1.2, 7.
package enum NetworkServiceType {
  package static let expected = "expected the type of a service over TCP, such as _acme._tcp"

  /// The type in small letters, as names are compared; nil if the text is not a type.
  package static func name(_ text: String) -> String? {
    let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count == 2, labels[1] == "_tcp", labels[0].hasPrefix("_"),
      (2...16).contains(labels[0].utf8.count)
    else { return nil }
    return labels.joined(separator: ".")
  }
}
