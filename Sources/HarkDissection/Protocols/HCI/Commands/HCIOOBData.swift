/// Out of Band data of one side, as places in the packet: the commitments and the random numbers, which are secret.
/// Core Specification, Vol 4, Part E, 7.1.34, 7.1.53, 7.3.60, 7.3.95.
package struct HCIOOBData: Sendable {
  package let p192: Place?
  package let p256: Place?

  package struct Place: Sendable {
    /// C
    package let commitment: Range<Int>
    /// R
    package let randomizer: Range<Int>

    init?(_ commitment: Range<Int>?, _ randomizer: Range<Int>?) {
      guard let commitment, let randomizer else { return nil }
      (self.commitment, self.randomizer) = (commitment, randomizer)
    }
  }

  init(_ values: ParameterValues) {
    let pairing = HCIParameters.shared.pairing
    p192 =
      Place(values.range(pairing.hash), values.range(pairing.randomizer))
      ?? Place(values.range(pairing.hash192), values.range(pairing.randomizer192))
    p256 = Place(values.range(pairing.hash256), values.range(pairing.randomizer256))
  }
}
