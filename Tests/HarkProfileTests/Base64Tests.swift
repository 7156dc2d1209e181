import FoundationEssentials
import HarkCore
import Testing

@testable import HarkProfile

struct Base64Tests {
  @Test func whole() throws {
    for count in 0...32 {
      let bytes = (0..<count).map { UInt8($0 * 37 & 0xFF) }
      let text = Data(bytes).base64EncodedString()
      #expect(try Base64.decode(text) == bytes)
      #expect(Base64.size(text) == count)
      let address = text.replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
      #expect(Base64.decode(address.utf8) == bytes)
    }
  }

  @Test(arguments: ["====", "A===", "=AAA", "AA=A", "AAA\u{E4}", "AAAAA", "AA A", "A\u{0}=="])
  func damaged(_ text: String) {
    #expect(throws: Evaluator.Fault.self) { try Base64.decode(text) }
  }
}
