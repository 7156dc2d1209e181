import HarkCore

/// The Local Name in advertising data, found without reading the rest: most reports repeat what is known.
/// Core Specification Supplement, Part A, 1.2
package struct LocalName: Sendable {
  /// Whether it is not shortened.
  package let isComplete: Bool
  /// Where the name is in the bytes.
  package let text: Range<Int>
  /// Whether its structure ends where the data does, or before.
  package let isWhole: Bool

  /// The complete name, or else the shortened one.
  /// - Parameter data: Where in `bytes` the AD structures are; a length of 0 ends them early.
  ///   Vol 3, Part C, 11
  package init?(_ bytes: RawSpan, _ data: Range<Int>) {
    var shortened: ADStructures.Structure?
    var structures = ADStructures(bytes, data)
    while let structure = structures.next(bytes) {
      if structure.value.isEmpty { continue }
      switch structure.code {
      case ADType.shortenedLocalName.rawValue: shortened = shortened ?? structure
      case ADType.completeLocalName.rawValue:
        (isComplete, text, isWhole) = (true, structure.value, structure.isWhole)
        return
      default: break
      }
    }
    guard let shortened else { return nil }
    (isComplete, text, isWhole) = (false, shortened.value, shortened.isWhole)
  }
}
