import HarkCore

// Places that a profile declares to be secret.
extension PDU {
  /// Whether all that is at `place` is secret.
  func conceals(_ place: AttachmentPoint) -> Bool {
    unsafe catalog._withUnsafeGuaranteedRef { $0.conceals(place) }
  }

  /// Whether secrets pass in advertising, so that fragments, and what cannot be decoded, may be part of one.
  var hidesAdvertising: Bool {
    unsafe catalog._withUnsafeGuaranteedRef { $0.hidesAdvertising }
  }
}
