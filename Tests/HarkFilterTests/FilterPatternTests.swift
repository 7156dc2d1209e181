import HarkCore
import Testing

@testable import HarkFilter

@Suite struct FilterPatternTests {
  /// As PCRE2 has it, without regard to case.
  @Test(
    arguments: [
      ("abc", "xABCx", true), ("a.c", "abc", true), ("a.c", "ac", false), ("^abc$", "abc", true),
      ("^b", "abc", false), ("c$", "abc", true), ("a*", "", true), ("a+", "b", false),
      ("ab?c", "ac", true),
      ("a{2}", "aa", true), ("a{2}", "a", false), ("^a{2,3}$", "aaaa", false),
      ("^a{2,}$", "aaaa", true),
      ("a{,3}", "a{,3}", true), ("x|yz", "ayz", true), ("^(x|yz)+$", "xyzx", true),
      ("^(?:ab)*$", "abab", true),
      ("[a-c]", "B", true), ("[^a-c]", "b", false), ("[^a-c]", "B", false), ("[]a]", "]", true),
      ("[a-]", "-", true), ("[\\d-]", "-", true), ("\\d+", "a1", true), ("\\D", "1", false),
      ("\\w\\s\\w", "a b", true),
      ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true),
      ("\\x41", "a", true), ("\\.", "a", false), ("\\.", ".", true), ("^.$", "é", true),
      ("^..$", "é", false),
      ("é", "café", true), ("(a|b)*?c", "abc", true), ("a++b", "aab", true), ("()", "", true),
      ("a||b", "c", true),
      ("[[:x]", ":", true), ("a{1", "a{1", true),
    ]
  ) func matches(_ expression: String, _ text: String, _ expected: Bool) throws {
    let pattern = try FilterPatternParser.pattern(Array(expression.utf8), isText: true)
    let bytes = Array(text.utf8)
    let fits = pattern.matches(bytes.raw, 0..<bytes.count)
    #expect(fits == expected)
  }

  @Test func bytesAreNoCharacters() throws {
    let pattern = try FilterPatternParser.pattern(Array("^\\x80.\\xff$".utf8), isText: false)
    let bytes: [UInt8] = [0x80, 0x0A, 0xFF]
    let (fits, fitsCut) = (pattern.matches(bytes.raw, 0..<3), pattern.matches(bytes.raw, 0..<2))
    #expect(fits && !fitsCut)
  }
}
