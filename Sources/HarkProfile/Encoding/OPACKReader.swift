import HarkCore
import HarkDissection
import HarkLayout
import HarkSession

/// Reads OPACK: one object. Keys of dictionaries become text, UUIDs are their 16 bytes, times their
/// number, whose meaning is not published.
enum OPACKReader {
  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    ByteReader.read(bytes, "OPACK") { (reader) throws(FramingProblem) in
      let reading = OPACKValue.read(bytes.raw)
      reader.position = reading.count
      switch reading.problem {
      case nil: break
      case .truncated(let needed):
        reader.fail(.tooShort(field: "OPACK", needed: needed, available: bytes.count))
      case .wrong: reader.fail(reader.wrong)
      }
      return reading.value.map { ProfileValue($0) } ?? .null
    }
  }
}

extension ProfileValue {
  fileprivate init(_ value: OPACKValue) {
    switch value {
    case .null: self = .null
    case .boolean(let isTrue): self = .bool(isTrue)
    case .integer(let number): self.init(number)
    case .float(let number): self = .float(number)
    case .string(let text): self = .text(text)
    case .data(let bytes): self = .bytes(bytes)
    case .uuid(let uuid):
      self = .bytes(
        [uuid.high, uuid.low].flatMap { half in
          (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
        })
    case .absoluteTime(let number): self = .int(Integer(unsigned: number))
    case .array(let items): self = .array(items.map { ProfileValue($0) })
    case .dictionary(let entries):
      var members = Members()
      for entry in entries {
        members.set(ProfileValue(entry.key).asKey, ProfileValue(entry.value))
      }
      self = .object(members)
    }
  }
}
