import HarkCore

/// The Local Name in advertising data, found without reading the rest: most reports repeat what is known.
/// Core Specification Supplement, Part A, 1.2
package struct LocalName: Sendable {
  /// Whether it is not shortened.
  package let isComplete: Bool
  /// Where the name is in the bytes.
  package let text: Range<Int>

  /// The complete name, or else the shortened one.
  /// - Parameter data: Where in `bytes` the AD structures are; a length of 0 ends them early.
  ///   Vol 3, Part C, 11
  package init?(_ bytes: RawSpan, _ data: Range<Int>) {
    var shortened: Range<Int>?
    var at = data.lowerBound
    while at + 1 < data.upperBound, bytes.byte(at: at) > 0 {
      let end = at + 1 + Int(bytes.byte(at: at))
      let text = at + 2..<max(at + 2, min(end, data.upperBound))
      if !text.isEmpty {
        switch bytes.byte(at: at + 1) {
        case 0x08: shortened = shortened ?? text
        case 0x09:
          (isComplete, self.text) = (true, text)
          return
        default: break
        }
      }
      at = end
    }
    guard let shortened else { return nil }
    (isComplete, text) = (false, shortened)
  }
}
