import HarkDissection
import HarkSamples
import HarkTestSupport
import Testing

@testable import HarkRedact

/// How redaction treats each field. A new field shows here, and so does one whose new name, form or declaration
/// changes what is removed: `make golden` writes the list, and its diff is to be read like code.
@Suite struct FieldRoleGoldenTests {
  @Test func roles() {
    let levels = [RedactionLevel.share, .strict].map { FieldRoles($0) }
    var paths: [String: Set<String>] = [:]
    for (path, field, _) in Catalog.shared.paths {
      switch field.definition.form {
      // They have no bytes of their own.
      case .group, .list: continue
      default: break
      }
      let roles = levels.map { Self.text($0.made(of: field)) }
      paths["share: \(roles[0]); strict: \(roles[1])", default: []].insert(path)
    }
    let lines = paths.keys.sorted().flatMap { role in
      [role] + paths[role, default: []].sorted().map { "  " + $0 }
    }
    expectGolden(
      lines.joined(separator: "\n") + "\n",
      Project.tests.appending(path: "Transcripts/redaction.golden").path)
  }

  /// `removed as name, isText`, `stays up to 2 bytes, isGuessed`
  private static func text(_ role: FieldRoles.Role) -> String {
    let structure =
      switch role.structure {
      case .none: "not kept"
      case .all: "stays"
      case .number(let most): "stays up to \(most) bytes"
      case .flags: "stays, named flags"
      case .named: "stays if named"
      case .assignedUUID: "stays if assigned"
      case .reserved: "reserved"
      }
    let flags = Mirror(reflecting: role).children.compactMap { child in
      child.value as? Bool == true ? child.label : nil
    }
    let checksum = role.checksum == nil ? [] : ["checksum"]
    let addressType = role.addressType.map { ["type of the \($0) address"] } ?? []
    let kind = role.kind.map { "removed as \($0.rawValue)" } ?? structure
    return ([kind] + flags + addressType + checksum).joined(separator: ", ")
  }
}
