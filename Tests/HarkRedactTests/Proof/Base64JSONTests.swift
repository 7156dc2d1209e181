import Foundation
import HarkCore
import Testing

@testable import HarkRedact

/// Base64 in JSON, in which a slash may have a backslash before it: RFC 8259, 7.
@Suite struct Base64JSONTests {
  /// The length stays, and the text says what takes its place, wherever that has no fewer slashes.
  @Test(arguments: [
    ("ab/c", "xy/z"), ("ab/c", "x//z"), ("abcd", "////"), ("a/b/c/d/", "////////"),
    ("abcd", "wxyz"),
  ])
  func slashes(_ old: String, _ new: String) throws {
    let made = Base64.escaped(Array(new.utf8), like: Array(old.utf8))
    #expect(made.count == Base64.escaped(Array(old.utf8)).count)
    let json = Data([0x5B, 0x22] + made + [0x22, 0x5D])
    #expect(try JSONSerialization.jsonObject(with: json) as? [String] == [new])
  }

  /// With fewer slashes, the text still is Base64 of the same length.
  @Test func fewer() {
    let made = Base64.escaped(Array("wx/z".utf8), like: Array("a//d".utf8))
    #expect(made == Array(#"w\/\/z"#.utf8))
  }
}
