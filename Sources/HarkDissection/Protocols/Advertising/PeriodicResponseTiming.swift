import HarkCore

/// What ACAD says about responses to periodic advertising. Core Specification Supplement, Part A, 1.24
package struct PeriodicResponseTiming: Message {
  /// RspAA, with which the responses are sent.
  package internal(set) var accessAddress: UInt32 = 0

  package init() {}

  /// Nil if `acad` says nothing about responses, or if it is not whole.
  package init?(_ bytes: RawSpan, in acad: Range<Int>) {
    var structures = ADStructures(bytes, acad)
    while let structure = structures.next(bytes) {
      guard structure.type == .periodicAdvertisingResponseTiming, structure.isWhole else {
        continue
      }
      let address = PDU.reading(
        bytes.extracting(structure.value), out: Summary(), Context()
      ) { pdu in try? pdu.u32(AdvertisingData.fields.accessAddress) }
      guard let address else { return nil }
      accessAddress = address
      return
    }
    return nil
  }
}
