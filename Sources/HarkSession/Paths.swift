import HarkDissection

/// The fields whose values the session reads, by the paths users type too.
enum Paths {
  static func field(_ path: String) -> Field {
    guard let field = Catalog.shared.fields(at: path).first else {
      preconditionFailure("no dissector declares the field \(path)")
    }
    return field
  }

  enum AD {
    static let localName = field("ad.localName")
  }
}
