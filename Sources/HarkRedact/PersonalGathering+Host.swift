import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

extension PersonalGathering {
  /// Keys of bonds that the host gives the kernel, and their addresses.
  mutating func takeManagement(_ record: CaptureRecord) {
    guard record.kind == .controlCommand || record.kind == .controlEvent else { return }
    let start = Int(record.offset)
    let bytes = Array(capture[start..<(start + record.count)])
    for place in ManagementKey.all(in: bytes.raw, record.kind) {
      let pieces = PDUPieces(at: start, count: bytes.count)
      let key = PersonalValue(kind: .key, bytes: Array(bytes[place.key]))
      if let index = table.add(key) {
        if place.kind == .identityResolvingKey { irks.insert(index) }
        keep(index, place.key, pieces)
      }
      guard let address = place.address else { continue }
      let value = bytes.raw.unsigned(at: address.lowerBound, 6)
      let octets = PersonalTable.octets(value)
      if let index = table.add(PersonalValue(kind: .address, bytes: octets)) {
        if place.isRandom { table.isRandom(value) }
        keep(index, address, pieces, spelling: .reversed)
      }
    }
  }

  /// Addresses in what a log says: six pairs of digits with one character between them.
  mutating func takeAddresses(inTextAt start: Int, _ count: Int) {
    let text = capture[start..<(start + count)]
    guard count >= 17 else { return }
    for place in start...(start + count - 17) where ":-_".utf8.contains(text[place + 2]) {
      let digits = text[place..<(place + 17)]
      let isApart = (2..<17).filter { $0 % 3 == 2 }.allSatisfy {
        text[place + $0] == text[place + 2]
      }
      let isAlone = place == start || Hex.value(of: text[place - 1]) == nil
      guard isApart, isAlone,
        let octets = Hex.bytes(
          String(decoding: digits.filter { $0 != text[place + 2] }, as: UTF8.self)),
        octets.count == 6
      else { continue }
      _ = table.add(PersonalValue(kind: .address, bytes: octets))
    }
  }
}
