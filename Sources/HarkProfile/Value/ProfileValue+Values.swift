import HarkCore
import HarkSession

extension Profile {
  /// What a message says that was read with an encoding, for filters and columns. What a layout reads has
  /// the layout's paths; members of other encodings have the profile's, their own and those they are in:
  /// `lens.note_title`. Items of an array have the array's.
  func values(
    _ message: DecodedMessage, _ bytes: [UInt8], _ encoding: Encoding
  ) -> [MessageValue] {
    if case .layout(let source, let type) = encoding { return source.values(bytes, type: type) }
    var values: [MessageValue] = []
    if case .raw = encoding { return values }
    message.value.add(to: &values, "", of: id, depth: 0)
    return values
  }
}

extension ProfileValue {
  fileprivate func add(
    to values: inout [MessageValue], _ path: String, of id: String, depth: Int
  ) {
    guard values.count < MessageValue.most, depth < 32 else { return }
    func add(_ content: MessageValue.Content) {
      if !path.isEmpty { values.append(MessageValue("\(id).\(path)", content)) }
    }
    switch self {
    case .null: break
    case .bool(let value): add(.flag(value))
    case .int(let value): add(.number(value.bits, size: 8))
    case .float(let value): add(.float(value, size: 8))
    case .text(let text): add(.text(Array(text.utf8)))
    case .bytes(let bytes): add(.bytes(bytes))
    case .array(let items):
      for item in items { item.add(to: &values, path, of: id, depth: depth + 1) }
    case .object(let members):
      add(.group)
      for (name, value) in zip(members.names, members.values) {
        let inner = path.isEmpty ? name : path + "_" + name
        value.add(to: &values, inner, of: id, depth: depth + 1)
      }
    }
  }
}
