import HarkCapture

/// What stands around the packets of a capture file: headers, whose numbers stay, and texts and values
/// beside them. What is not listed here is not known, and is removed.
struct ContainerClaims {
  /// What a program or a person wrote beside the packets.
  private(set) var values: [(range: Range<Int>, kind: PersonalKind)] = []
  /// Texts of programs: some of their words stay.
  private(set) var words: [Range<Int>] = []

  private let capture: [UInt8]
  private let level: RedactionLevel
  private var isBigEndian = true
  private var ledger = ByteLedger(count: 0)

  /// Claims numbers of the format's own: lengths, times, types.
  /// - Parameter records: Where the records that could be read have their bytes, in order.
  init(
    _ capture: [UInt8], records: RecordRanges, _ level: RedactionLevel, _ ledger: inout ByteLedger
  ) {
    (self.capture, self.level) = (capture, level)
    swap(&self.ledger, &ledger)
    defer { swap(&self.ledger, &ledger) }
    if capture.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) {
      pcapng(records)
    } else if capture.starts(with: "btsnoop\0".utf8) {
      btsnoop(records)
    } else if let header = pcapHeader() {
      pcap(header, records)
    } else {
      packetLogger(records)
    }
  }

  private mutating func keep(_ range: Range<Int>) {
    if range.lowerBound >= 0, range.upperBound <= capture.count {
      ledger.claim(range, .structural)
    }
  }

  // MARK: btsnoop, pcap, PacketLogger

  /// Lengths, flags, drops and the time, 24 bytes; in H4 an indicator, which the record leaves out.
  private mutating func btsnoop(_ records: RecordRanges) {
    keep(0..<min(16, capture.count))
    guard capture.count >= 16 else { return }
    let indicator = u32(12) == 1002 ? 1 : 0
    let isMonitor = u32(12) == 2001
    var last: Int?
    for record in records {
      let header = headerStart(24, before: record, indicator: indicator) {
        self.u32($0 + 4) == UInt32(record.upperBound - $0 - 24)
      }
      guard let header else { continue }
      last = header
      keep(header..<(header + 8))
      // Elsewhere, only two bits of four octets have a meaning.
      if isMonitor { keepMonitorHeader(header + 8) } else { keep((header + 11)..<(header + 12)) }
      // As many were never dropped.
      if u32(header + 12) < 1 << 16 { keep((header + 12)..<(header + 16)) }
      if isTime(ofBtsnoop: header + 16) { keep((header + 16)..<(header + 24)) }
      keep((header + 24)..<record.lowerBound)
    }
    guard let last, let start = records.last?.upperBound, start + 24 <= capture.count else {
      return
    }
    let fits =
      isCutOff(start + 24, included: u32(start + 4), original: u32(start))
      && u32(start + 8) < 4 && u32(start + 12) == 0 && u32(start + 16) == u32(last + 16)
    if fits { keep(start..<(start + 24)) }
  }

  /// Whether the eight bytes are microseconds since the year 0 in this century or the last ones, or since
  /// a clock was started: what is in zeros may be read as a record.
  private func isTime(ofBtsnoop place: Int) -> Bool {
    capture[place] == 0 && (capture[place + 1] < 0x10 || 0xDC...0xEF ~= capture[place + 1])
  }

  /// Whether a header whose bytes are there can be that of the record in which the file ends: nothing else
  /// that stands after the last record may stay.
  private func isCutOff(_ end: Int, included: UInt32, original: UInt32) -> Bool {
    included > capture.count - end && included <= original && original < 1 << 17
  }

  private func pcapHeader() -> Int? {
    guard capture.count >= 24 else { return nil }
    let magic = u32(0)
    return [0xA1B2_C3D4, 0xA1B2_3C4D, 0xD4C3_B2A1, 0x4D3C_B2A1].contains(magic) ? 24 : nil
  }

  /// Seconds, their fraction and two lengths, 16 bytes; then the pseudo-header of the link type.
  private mutating func pcap(_ header: Int, _ records: RecordRanges) {
    isBigEndian = capture[0] == 0xA1
    // The time zone and the accuracy are zeros in all files; the snapshot length and the link type count.
    keep(0..<8)
    keep(16..<24)
    let mostOfSecond: UInt32 = u32(0) == 0xA1B2_3C4D ? 1_000_000_000 : 1_000_000
    var last: Int?
    for record in records {
      let start = headerStart(16, before: record, indicator: 5) {
        self.u32($0 + 8) == UInt32(record.upperBound - $0 - 16)
      }
      guard let start else { continue }
      last = start
      keep(start..<(start + 4))
      if u32(start + 4) < mostOfSecond { keep((start + 4)..<(start + 8)) }
      keep((start + 8)..<(start + 16))
      pseudoHeader((start + 16)..<record.lowerBound)
    }
    guard let last, let start = records.last?.upperBound, start + 16 <= capture.count else {
      return
    }
    let fits =
      isCutOff(start + 16, included: u32(start + 8), original: u32(start + 12))
      && u32(start) >> 12 == u32(last) >> 12 && u32(start + 4) < 1_000_000_000
    if fits { keep(start..<(start + 16)) }
  }

  private mutating func packetLogger(_ records: RecordRanges) {
    // In the other byte order, a length may fit by chance, a byte further on.
    let adjoining = [true, false].map { bigEndian in
      isBigEndian = bigEndian
      var end = 0
      return records.reduce(0) { count, record in
        defer { end = record.upperBound }
        let start = packetLoggerHeader(before: record)
        return count + (start == end || start == end + 2 ? 1 : 0)
      }
    }
    let isUsuallyBig = adjoining[0] >= adjoining[1]
    var end = 0
    for record in records {
      defer { end = record.upperBound }
      isBigEndian = isUsuallyBig
      var found = packetLoggerHeader(before: record)
      if found == nil {
        // Two files in one may have one each.
        isBigEndian.toggle()
        found = packetLoggerHeader(before: record).flatMap { $0 == end ? $0 : nil }
      }
      guard let start = found else { continue }
      // The device's service puts a length of its own in front.
      let length = record.upperBound - start
      let prefix = start - 2
      let isService =
        prefix >= 0 && Int(capture[prefix]) | Int(capture[prefix + 1]) << 8 == length
      keep((isService ? prefix : start)..<(start + 8))
      if u32(start + 8) < 1_000_000 { keep((start + 8)..<(start + 12)) }
      keep((start + 12)..<record.lowerBound)
    }
  }

  /// A type that hark does not know is the first byte of the record.
  private func packetLoggerHeader(before record: Range<Int>) -> Int? {
    headerStart(12, before: record, indicator: 1) {
      self.u32($0) == UInt32(record.upperBound - $0 - 4)
    }
  }

  /// Where the header of a record begins: up to `indicator` bytes may stand between it and the packet.
  private func headerStart(
    _ size: Int, before record: Range<Int>, indicator: Int, _ fits: (Int) -> Bool
  ) -> Int? {
    for between in 0...indicator {
      let start = record.lowerBound - between - size
      if start >= 0, fits(start) { return start }
    }
    return nil
  }

  /// What the link type puts in front of the packet: an indicator of H4; the index and the opcode of the
  /// Linux monitor; or a direction, which is the last of four bytes.
  private mutating func pseudoHeader(_ range: Range<Int>) {
    guard range.count <= 5 else { return }
    switch range.count {
    case 5: keep(range.dropFirst(3))
    case 4: keepMonitorHeader(range.lowerBound)
    default: keep(range)
    }
  }

  /// The index and the opcode of the monitor, two bytes each, with the most significant byte first. Both are below 256,
  /// except for the index 0xFFFF, which stands for no controller. Other numbers may be part of a text.
  private mutating func keepMonitorHeader(_ place: Int) {
    let index = place..<(place + 2)
    if capture[place] == 0 || index.allSatisfy({ capture[$0] == 0xFF }) { keep(index) }
    keep((capture[place + 2] == 0 ? place + 2 : place + 3)..<(place + 4))
  }

  // MARK: pcapng. https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/

  private mutating func pcapng(_ records: RecordRanges) {
    var place = 0
    var next = records.startIndex
    while place + 12 <= capture.count {
      if capture[place...].starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) {
        isBigEndian = capture[place + 8] == 0x1A
      }
      let (type, length) = (u32(place), Int(u32(place + 4)))
      guard length >= 12, length <= capture.count - place,
        Int(u32(place + length - 4)) == length
      else {
        // Damage: the next block that is whole is looked for, as the reader does.
        place += 1
        continue
      }
      keep(place..<(place + 8))
      keep((place + length - 4)..<(place + length))
      take(type, place..<(place + length - 4))
      if PcapngBlock.isPacket(type) {
        let data = place + (type == PcapngBlock.simplePacket ? 12 : 28)
        while next < records.endIndex, records[next].lowerBound < data { next += 1 }
        if next < records.endIndex, records[next].lowerBound < place + length {
          pseudoHeader(data..<records[next].lowerBound)
        }
      }
      place += length
    }
  }

  private func u32(_ place: Int) -> UInt32 {
    guard place >= 0, place + 4 <= capture.count else { return 0 }
    let bytes = capture[place..<(place + 4)]
    return isBigEndian
      ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
      : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func u16(_ place: Int) -> Int {
    let (a, b) = (Int(capture[place]), Int(capture[place + 1]))
    return isBigEndian ? a << 8 | b : b << 8 | a
  }

  /// Whether a number of eight octets has no more than five: nothing is counted further.
  private func isSmall(_ number: Range<Int>) -> Bool {
    guard number.count == 8 else { return false }
    let high = isBigEndian ? number.prefix(3) : number.suffix(3)
    return high.allSatisfy { capture[$0] == 0 }
  }

  /// A time in two numbers of four octets, the high one first: in 2100 nanoseconds have no more.
  private mutating func keepTime(_ place: Int, in block: Range<Int>) {
    if u32(place) < 1 << 30 { keep((place..<(place + 8)).clamped(to: block)) }
  }

  /// Takes a block of a type, without its second length.
  private mutating func take(_ type: UInt32, _ block: Range<Int>) {
    let start = block.lowerBound
    func body(_ count: Int) -> Range<Int> {
      (start + 8)..<min(start + 8 + count, block.upperBound)
    }
    switch type {
    // Byte order, version, length of the section.
    case PcapngBlock.section:
      keep(body(8))
      let length = body(16).suffix(8)
      if isSmall(length) || length.allSatisfy({ capture[$0] == 0xFF }) { keep(length) }
      options(from: start + 24, block, makers: [2, 3, 4])
    // Link type and snapshot length; the clock's unit and offset, the length of check sequences.
    case PcapngBlock.interface:
      keep(body(2))
      keep((start + 12)..<min(start + 16, block.upperBound))
      options(
        from: start + 16, block, numbers: [9: 1, 13: 1, 14: 8], makers: [2, 3, 11, 12, 15],
        addresses: [4, 5, 6, 7])
    case PcapngBlock.simplePacket: keep(body(4))
    // Interface, drops, time and two lengths; then the packet, filled up to four bytes.
    case PcapngBlock.packet, PcapngBlock.enhancedPacket:
      guard block.count >= 28 else { return }
      keep(body(4))
      keepTime(start + 12, in: block)
      keep((start + 20)..<(start + 28))
      let count = Int(u32(start + 20))
      options(
        from: start + 28 + (count + 3) & ~3, block,
        numbers: type == PcapngBlock.enhancedPacket ? [4: 8] : [:],
        flags: type == PcapngBlock.enhancedPacket ? 2 : nil)
    // Interface and time; then what was counted.
    case PcapngBlock.statistics:
      keep(body(4))
      keepTime(start + 12, in: block)
      options(from: start + 20, block, numbers: [4: 8, 5: 8, 6: 8, 7: 8, 8: 8])
    // The type of secrets that open what was captured, and their length.
    case PcapngBlock.decryptionSecrets: keep(body(8))
    default: break
    }
  }

  /// Codes and lengths stay, so that readers continue; of the values only those that are listed.
  /// - Parameters:
  ///   - numbers: The lengths of values that are numbers of the format's own.
  ///   - flags: The option that has flags of 32 bits: those of Bluetooth's packets are in the lowest octet.
  ///   - makers: Options that name machines and programs.
  private mutating func options(
    from start: Int, _ block: Range<Int>, numbers: [Int: Int] = [:], flags: Int? = nil,
    makers: Set<Int> = [],
    addresses: Set<Int> = []
  ) {
    var place = start
    while place >= block.lowerBound, place + 4 <= block.upperBound {
      let (code, length) = (u16(place), u16(place + 2))
      guard code != 0, place + 4 + length <= block.upperBound else { return }
      keep(place..<(place + 4))
      let value = (place + 4)..<(place + 4 + length)
      switch code {
      case 1: values.append((value, .comment))
      case _ where makers.contains(code) && level == .strict: values.append((value, .model))
      // A filter has its kind in front.
      case _ where makers.contains(code): words.append(code == 11 ? value.dropFirst() : value)
      case 4 where addresses.contains(code): values.append((value.prefix(4), .networkAddress))
      case 5 where addresses.contains(code): values.append((value.prefix(16), .networkAddress))
      case _ where addresses.contains(code): values.append((value, .number))
      case _ where code == flags && length == 4:
        keep(isBigEndian ? value.suffix(1) : value.prefix(1))
      case _ where numbers[code] == length && (length < 8 || isSmall(value)): keep(value)
      default: break
      }
      place += 4 + (length + 3) & ~3
    }
  }
}
