import HarkDissection

/// The fields whose values the session reads, by the paths users type too.
enum Paths {
  static func field(_ path: String) -> Field {
    guard let field = fields(path).first else { preconditionFailure("no field \(path)") }
    return field
  }

  /// All fields of a path that several share.
  static func fields(_ path: String) -> [Field] {
    let fields = Catalog.shared.fields(at: path)
    precondition(!fields.isEmpty, "no dissector declares the field \(path)")
    return fields
  }

  enum AD {
    static let structure = field("ad.structure")
    static let localName = field("ad.localName")
    static let uuid = field("ad.uuid")
  }
}
