import HarkCrypto
import HarkSession

/// What was sent encrypted on the air, and a key opens: the plaintexts lie behind the capture, where
/// everything is found and replaced in them as in packets, and are encrypted again in the end.
struct AirPlaintexts {
  private struct One {
    let pdu: OpenedAirPDU
    /// In the capture, with the MIC.
    let sealed: Range<Int>
    /// Behind it.
    let text: Range<Int>
  }

  private var all: [One] = []
  private var places: [UInt32: Range<Int>] = [:]

  /// Where the plaintext of a packet is; nil where it has none.
  subscript(packet: UInt32) -> Range<Int>? { places[packet] }

  /// - Parameter start: Where the packet begins.
  mutating func add(_ pdu: OpenedAirPDU, at start: Int, _ capture: inout [UInt8]) {
    let sealed = (start + pdu.payload.lowerBound)..<(start + pdu.payload.upperBound)
    guard sealed.count == pdu.plaintext.count + 4, sealed.upperBound <= capture.count,
      places[pdu.number] == nil
    else { return }
    let text = capture.count..<(capture.count + pdu.plaintext.count)
    capture += pdu.plaintext
    all.append(One(pdu: pdu, sealed: sealed, text: text))
    places[pdu.number] = text
  }

  /// Encrypts what the plaintexts became: where the key is another one now, with that.
  func seal(_ capture: inout [UInt8], _ table: PersonalTable) {
    for one in all {
      let pdu = one.pdu
      let cipher = table.cipher(for: pdu) ?? pdu.cipher
      let sealed = cipher.seal(
        Array(capture[one.text]), header: pdu.header, counter: pdu.counter,
        fromCentral: pdu.fromCentral)
      if let sealed { capture.replaceSubrange(one.sealed, with: sealed) }
    }
  }
}

extension PersonalTable {
  /// That of a connection whose LTK is in the capture; nil where the key stays.
  fileprivate func cipher(for pdu: OpenedAirPDU) -> LinkLayerCipher? {
    let octets = pdu.key.exposedOctets
    for isReversed in [false, true] {
      let bytes = isReversed ? octets.reversed() : octets
      guard let index = find(PersonalValue(kind: .key, bytes: bytes)) else { continue }
      var new = isReversed ? replacements[index].reversed() : replacements[index]
      let key = try? BondingKey(.longTermKey, &new, address: nil, origin: pdu.key.origin)
      return key?.linkLayerCipher(pdu.diversifiers)
    }
    return nil
  }
}
