import HarkCore

extension PersonalTable {
  /// Makers put serial numbers into names (`NOVA_O38240700268`), and what devices send may have the number alone.
  /// It becomes what it becomes in the name. So does a serial number without what is in front of it: `SN-7F3K29QX81`.
  mutating func addNumbersInNames() {
    for index in values.indices where !isDoubtful(index) {
      let kind = values.kind(index)
      guard kind == .name || kind == .serialNumber else { continue }
      let name = values[index].bytes
      let ranges = Self.serialNumbers(in: name, digits: kind == .name ? 6 : 4).filter {
        $0.count < name.count
      }
      guard !ranges.isEmpty else { continue }
      let other = pseudonym(of: index)
      for range in ranges {
        let number = PersonalValue(kind: .serialNumber, bytes: Array(name[range]))
        guard find(number) == nil else { continue }
        _ = add(number, becoming: Array(other[range]), isSearched: true)
      }
    }
  }

  /// Where letters and digits stand in a row, eight or more, of which so many are digits: a model's name has fewer than
  /// six.
  private static func serialNumbers(in name: [UInt8], digits: Int) -> [Range<Int>] {
    let isPart = name.map { isDigit($0) || 0x41...0x5A ~= $0 & 0xDF }
    var ranges: [Range<Int>] = []
    var start = 0
    for end in 0...name.count where end == name.count || !isPart[end] {
      if end - start >= 8, name[start..<end].count(where: isDigit) >= digits {
        ranges.append(start..<end)
      }
      start = end + 1
    }
    return ranges
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
