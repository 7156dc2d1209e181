import HarkCore
import HarkLayout
import HarkSession

/// Reads JSON (RFC 8259): an object or array, or several run together. Integers keep their 64 bits;
/// other numbers are floats.
enum JSONReader {
  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    if let value = try? value(bytes, bytes.indices) { return DecodedMessage(value: value) }
    if (try? JSONParser.read(bytes, in: bytes.indices, limits)) != nil {
      return DecodedMessage(value: .null, problem: .framing(.scalarJSON))
    }
    // Something is wrong: what, and what can be read all the same?
    let scan = JSONScan(bytes)
    var messages = scan.objects.map { range in
      do throws(FramingProblem) {
        return DecodedMessage(value: try value(bytes, range))
      } catch {
        return DecodedMessage(value: .null, problem: .framing(error))
      }
    }
    guard !messages.isEmpty else {
      return DecodedMessage(value: .null, problem: .framing(scan.problem ?? .empty))
    }
    var first = messages.removeFirst()
    if !messages.isEmpty { first.faults.append(.concatenatedJSON(objects: messages.count + 1)) }
    if let problem = scan.problem { first.faults.append(problem) }
    first.others = messages
    return first
  }

  private static let limits = JSONParser.Limits(
    levels: ByteReader.deepest, values: ByteReader.mostValues, takesDuplicates: true)

  /// An object or array that is all of the range.
  private static func value(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(FramingProblem) -> ProfileValue {
    let start = bytes[range].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let start, bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else {
      throw .notJSON(offset: start ?? range.upperBound)
    }
    do throws(JSONParser.Failure) {
      return value(try JSONParser.read(bytes, in: range, limits), bytes)
    } catch {
      throw problem(error)
    }
  }

  private static func problem(_ failure: JSONParser.Failure) -> FramingProblem {
    switch failure.reason {
    case .tooDeep: .tooDeep(encoding: "JSON", limit: ByteReader.deepest)
    case .tooMany: .tooMany(encoding: "JSON", limit: ByteReader.mostValues)
    case .expected, .expectedEnd, .duplicate: .notJSON(offset: failure.offset)
    }
  }

  private static func value(_ node: JSONNode, _ bytes: [UInt8]) -> ProfileValue {
    switch node.value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let range): return number(String(decoding: bytes[range], as: UTF8.self))
    case .string(let range): return .text(JSONParser.string(range, in: bytes))
    case .array(let nodes): return .array(nodes.map { value($0, bytes) })
    case .object(let nodes):
      var members = ProfileValue.Members()
      for node in nodes { members.set(node.name, value(node.value, bytes)) }
      return .object(members)
    }
  }

  private static func number(_ text: String) -> ProfileValue {
    if let value = Int64(text) { return .int(Integer(value)) }
    if let value = UInt64(text) { return .int(Integer(unsigned: value)) }
    return .float(Double(text) ?? .nan)
  }
}
