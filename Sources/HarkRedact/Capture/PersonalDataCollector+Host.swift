import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

extension PersonalDataCollector {
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
}
