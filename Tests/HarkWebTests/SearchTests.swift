import Foundation
import Testing

@testable import HarkWeb

@Suite struct SearchTests {
  private static let line = Array(
    #"{"device":{"label":"Acme \"Buds\"","address":"AA"},"note":"hidden","text":"LE link Été"}"#
      .utf8)

  @Test(arguments: ["le LINK", "buds", #""Buds""#, "Été", "acme"])
  func finds(_ text: String) { #expect(Search(text).fits(Self.line[...])) }

  @Test(arguments: ["hidden", "AA", "label", "", "links"])
  func passesOver(_ text: String) { #expect(!Search(text).fits(Self.line[...])) }
}
