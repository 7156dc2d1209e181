/// What an Access Address may be. Core Specification, Vol 6, Part B, 2.1.2.
package enum LLAccessAddress {
  /// Of the primary and secondary advertising channels.
  package static let advertising: UInt32 = 0x8E89_BED6

  /// Whether a connection may have it: of noise, a run of equal bits is likely.
  package static func isAllowed(_ address: UInt32) -> Bool {
    let changes = address ^ (address >> 1 | address & 0x8000_0000)
    var (run, longest) = (1, 1)
    for bit in 0..<31 {
      run = changes >> bit & 1 == 0 ? run + 1 : 1
      longest = max(longest, run)
    }
    return longest <= 6 && changes.nonzeroBitCount <= 24
      && (changes >> 26).nonzeroBitCount >= 2 && address != address.byteSwapped
      && !isMisheardAdvertising(address)
  }

  /// Whether it is that of advertising but for some bits, as sniffers hear it through noise; that of a
  /// connection may not differ in one bit only.
  package static func isMisheardAdvertising(_ address: UInt32) -> Bool {
    (address ^ advertising).nonzeroBitCount <= 8
  }
}
