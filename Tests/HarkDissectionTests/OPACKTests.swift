import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkDissection

@Suite struct OPACKTests {
  /// Made by `captures/generator/opack.py`, an encoder of its own.
  struct Made: Decodable {
    let bytes: String
    let value: String
  }

  @Test func readsWhatAnotherEncoderWrites() throws {
    let file = Project.tests.appending(path: "HarkDissectionTests/Vectors/opack.json")
    let made = try JSONDecoder().decode([Made].self, from: Data(contentsOf: file))
    #expect(made.count > 80)
    for vector in made {
      let bytes = try #require(Hex.bytes(vector.bytes))
      #expect(Self.value(bytes).map(Self.text) == vector.value)
      // Nothing is read of a value that is not whole.
      for count in 0..<bytes.count { #expect(Self.value(bytes.prefix(count)) == nil) }
      var tree = Tree()
      let message = Self.message(bytes)
      Catalog.shared.describe(message.raw, AAPTests.channel, Context(), into: &tree)
      #expect(tree.failures.map(\.description) == [])
      #expect(!Catalog.shared.lines(tree, of: message.raw).contains { $0.contains("Undecoded") })
    }
  }

  @Test(arguments: [
    "00", "03", "34", "37", "65", "95", "c5", "f0", "d1", "d103", "df", "e141", "ef4161", "a0",
    "d24161a1", "6f6162", "44616263", "91ff",
  ])
  func refuses(_ hex: String) throws {
    #expect(Self.value(try #require(Hex.bytes(hex))) == nil)
  }

  @Test func endsAtItsLimits() {
    let deep = [UInt8](repeating: 0xD1, count: 10_000) + [0x04]
    #expect(Self.value(deep) == nil)
    #expect(Self.value(deep.suffix(OPACK.deepest)) != nil)
    #expect(Self.value(deep.suffix(OPACK.deepest + 1)) == nil)
    let wide = [0xDF] + [UInt8](repeating: 0x04, count: 100_000) + [0x03]
    #expect(Self.value(wide) == nil)
    let message = Self.message(deep)
    var tree = Tree()
    Catalog.shared.describe(message.raw, AAPTests.channel, Context(), into: &tree)
    #expect(
      tree.failures.map(\.description)
        == ["AAP: Tag: is nested too deep at byte \(15 + OPACK.deepest)"])
  }

  /// Lengths of which no two sources say the same.
  @Test(arguments: [
    ("6301000061", 0), ("9301000000aa", 1), ("d24161c3000000", 1), ("940100000000000000aa", 1),
  ])
  func marksWhatSourcesDisagreeOn(_ object: String, _ count: Int) throws {
    let message = Self.message(try #require(Hex.bytes(object)))
    var tree = Tree()
    Catalog.shared.describe(message.raw, AAPTests.channel, Context(), into: &tree)
    #expect(tree.notes.map(\.severity) == [Note.Severity](repeating: .info, count: count))
  }

  @Test func givesValuesByKey() {
    let value = OPACKValue.dictionary([.init(.string("a"), .integer(1)), .init(.null, .null)])
    #expect(value["a"] == .integer(1))
    #expect(value["b"] == nil)
    #expect(OPACKValue.null["a"] == nil)
  }

  static func value(_ bytes: some Sequence<UInt8>) -> OPACKValue? {
    let bytes = Array(bytes)
    return OPACKValue(bytes.raw)
  }

  /// A smart-routing message with the object in it.
  static func message(_ object: [UInt8]) -> [UInt8] {
    let length = object.count + 1
    return [4, 0, 4, 0, 0x10, 0, 1, 2, 3, 4, 5, 6, UInt8(length & 0xFF), UInt8(length >> 8), 1]
      + object
  }

  static func text(_ value: OPACKValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let isTrue): "\(isTrue)"
    case .integer(let number): "\(number)"
    case .float(let number): "float " + hex(number.bitPattern)
    case .string(let string): "\"\(string)\""
    case .data(let bytes): "data \(Hex.text(bytes))"
    case .uuid(let uuid): "uuid \(uuid)"
    case .absoluteTime(let bits): "time " + hex(bits)
    case .array(let items): "[\(items.map(text).joined(separator: ", "))]"
    case .dictionary(let entries):
      "{\(entries.map { "\(text($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
    }
  }

  private static func hex(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
