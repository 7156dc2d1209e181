import HarkDissection
import Testing

@testable import HarkRedact

/// What fields are replaced.
@Suite struct FieldRoleTests {
  /// A field that is declared a secret needs no word of its own to be removed. Its fragments have no key of
  /// their own: what they are put together to has it. Unexplained bytes are overwritten with `strict`.
  @Test(arguments: [RedactionLevel.share, .strict]) func secrets(_ level: RedactionLevel) {
    let secrets = Catalog.shared.paths.map(\.field).filter { $0.definition.secret }
    #expect(secrets.count > 50)
    for field in secrets {
      let role = FieldRoles(level).made(of: field)
      let isRemoved = role.kind != nil || role.isOfKey
      #expect(isRemoved || field.definition.personal == .opaque, "\(field.name)")
      if level == .strict { #expect(isRemoved || role.isOpaque, "\(field.name)") }
    }
  }
}
