import HarkCore

/// pcapng: blocks of a type, a length, a body and the length again; sections, interfaces, packets
/// with options. https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/
struct Pcapng: RecordReader {
  /// The longest block that is passed over; longer ones are taken for damage.
  private static let longestBlock = 1 << 24

  private struct Interface {
    var link: LinkType
    var clock: PcapngClock
    var snapLength: UInt32
  }

  private var order = CaptureInfo.ByteOrder.littleEndian
  private var interfaces: [Interface] = []
  /// The place of the section's first interface in those of the capture.
  private var firstInterface = 0

  static func recognises(_ window: inout Window) -> Bool {
    // Of a file that ends within its first header, the type alone has to do.
    if !window.ensure(12) {
      return window.count >= 4 && window.u32(at: 0, .bigEndian) == PcapngBlock.section
    }
    return window.u32(at: 0, .bigEndian) == PcapngBlock.section && byteOrder(window, at: 8) != nil
  }

  private static func byteOrder(
    _ window: borrowing Window, at position: Int
  ) -> CaptureInfo.ByteOrder? {
    switch window.u32(at: position, .bigEndian) {
    case PcapngBlock.byteOrderMagic: .bigEndian
    case 0x4D3C_2B1A: .littleEndian
    default: nil
    }
  }

  /// Reads up to the first packet, so that a capture of other link types is refused at once.
  static func open(
    _ window: inout Window, _ journal: Journal
  ) throws(CaptureError) -> any RecordReader {
    var reader = Pcapng()
    var none = CaptureRecord()
    none.number = 1
    journal.info.format = "pcapng"
    while reader.locate(&window, journal, &none) == .described {}
    let links = journal.info.interfaces
    if let first = links.first, !links.contains(where: \.isSupported) {
      throw CaptureError(
        window.source.name, LinkType.name(first.linkType ?? 0), expected: LinkType.supported,
        isOtherFile: true)
    }
    reader.early = none.flags
    let hasUSB = reader.interfaces.contains {
      if case .usb = $0.link { return true }
      return false
    }
    return hasUSB ? USBReader(reader, reader.order) : reader
  }

  /// What was found wrong before the first record.
  private var early = CaptureRecord.Flags()

  private enum Step: Equatable {
    /// A block was read that holds no packet.
    case described
    /// A packet's block is in memory.
    case packet(type: UInt32, length: Int)
    case end
  }

  func leastCount(_ window: borrowing Window) -> Int {
    guard window.count >= 12 else { return 12 }
    let isSection = window.u32(at: 0, order) == PcapngBlock.section
    let found = isSection ? Self.byteOrder(window, at: 8) : order
    let length = found.map { Int(window.u32(at: 4, $0)) } ?? 12
    // A length that cannot be one is found wrong without more bytes.
    return length <= Window.reach ? max(12, length) : 12
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    record.flags.formUnion(early)
    early = []
    while true {
      switch locate(&window, journal, &record) {
      case .described: continue
      case .end: return nil
      case .packet(let type, let length):
        let start = window.offset
        let place = readPacket(type, length, window, journal, &record)
        if let place {
          let bytes = unsafe window.bytes(at: place, count: record.count)
          window.advance(length)
          return unsafe bytes
        }
        window.advance(length)
        let number = type == PcapngBlock.simplePacket ? 0 : interfaceNumber
        journal.report(
          interfaces.indices.contains(Int(number)) ? .header : .unknownInterface(number), &record,
          at: start, resumedAt: window.offset)
      }
    }
  }

  /// The interface the last packet block named.
  private var interfaceNumber: UInt32 = 0

  /// Brings the next block into memory; reads it if it describes something.
  private mutating func locate(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> Step {
    guard window.ensure(12) else { return endOfBlocks(&window, journal, &record) }
    let type = window.u32(at: 0, order)
    var order = order
    if type == PcapngBlock.section {
      guard let found = Self.byteOrder(window, at: 8) else {
        return resynchronise(&window, journal, &record, .sectionHeader)
      }
      order = found
    }
    let field = window.u32(at: 4, order)
    let length = Int(field)
    guard length >= (PcapngBlock.isPacket(type) ? 16 : 12), length <= Self.longestBlock,
      length <= Window.reach || PcapngBlock.isPassedOver(type)
    else { return resynchronise(&window, journal, &record, .length(field)) }
    guard length <= Window.reach else {
      return pass(&window, journal, &record, field, order)
    }
    guard window.ensure(length) else {
      return resynchronise(
        &window, journal, &record,
        .cutRecord(present: window.count - 8, expected: length - 8))
    }
    let trailer = window.u32(at: length - 4, order)
    guard trailer == field else {
      return resynchronise(&window, journal, &record, .blockTrailer(trailer))
    }
    if PcapngBlock.isPacket(type) { return .packet(type: type, length: length) }
    self.order = order
    switch type {
    case PcapngBlock.section: beginSection(length, window, journal)
    case PcapngBlock.interface: addInterface(length, window, journal)
    case PcapngBlock.statistics: takeStatistics(length, window, journal)
    default:
      journal.info.otherBlocks += 1
      if type == PcapngBlock.custom {
        journal.takeCustom(length, window, order, before: record.number)
      }
      if type == PcapngBlock.uncopiedCustom { journal.info.uncopiedBlocks += 1 }
    }
    window.advance(length)
    return .described
  }

  private func endOfBlocks(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> Step {
    if window.count > 0 {
      journal.report(
        .cutHeader(present: window.count, expected: 12), &record, at: window.offset,
        resumedAt: nil)
      window.advance(window.count)
    }
    return .end
  }

  /// Passes over a block that is too long to be held.
  private func pass(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord, _ field: UInt32,
    _ order: CaptureInfo.ByteOrder
  ) -> Step {
    let start = window.offset
    let body = Int(field) - 4
    let passed = window.skip(body)
    guard passed == body, window.ensure(4) else {
      journal.report(
        .cutRecord(present: passed + window.count - 8, expected: body - 4), &record, at: start,
        resumedAt: nil)
      window.advance(window.count)
      return .end
    }
    let trailer = window.u32(at: 0, order)
    guard trailer == field else {
      return resynchronise(&window, journal, &record, .blockTrailer(trailer))
    }
    window.advance(4)
    // An Interface Statistics Block is never that long.
    journal.info.otherBlocks += 1
    return .described
  }

  /// Searches for the next block that is whole and followed by another or by the end.
  private func resynchronise(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord,
    _ reason: CaptureDamage.Reason
  ) -> Step {
    let start = window.offset
    var position = 1
    while window.ensure(position + 12) {
      if let end = wholeBlock(&window, at: position),
        wholeBlock(&window, at: end) != nil || !window.ensure(end + 12)
      {
        var reason = reason
        if case .cutRecord(_, let expected) = reason { reason = .length(UInt32(expected + 8)) }
        window.advance(position)
        journal.report(reason, &record, at: start, resumedAt: window.offset)
        return .described
      }
      position += 1
      if position >= Window.reach / 4 {
        window.advance(position)
        position = 0
      }
    }
    window.advance(window.count)
    journal.report(reason, &record, at: start, resumedAt: nil)
    return .end
  }

  /// The end of the block at `position`, if a block of a known type is there as a whole.
  private func wholeBlock(_ window: inout Window, at position: Int) -> Int? {
    guard position + 12 <= Window.reach, window.ensure(position + 12) else { return nil }
    let type = window.u32(at: position, order)
    guard PcapngBlock.isKnown(type) else { return nil }
    let order = type == PcapngBlock.section ? Self.byteOrder(window, at: position + 8) : order
    guard let order else { return nil }
    let field = window.u32(at: position + 4, order)
    guard field >= 12, field % 4 == 0, field <= Window.reach else { return nil }
    let end = position + Int(field)
    guard end <= Window.reach, window.ensure(end), window.u32(at: end - 4, order) == field
    else { return nil }
    return end
  }

  private mutating func beginSection(
    _ length: Int, _ window: borrowing Window, _ journal: Journal
  ) {
    interfaces.removeAll()
    firstInterface = journal.info.interfaces.count
    guard length >= 28, journal.info.sections.count < Journal.limit else { return }
    if journal.info.sections.isEmpty { journal.info.byteOrder = order }
    var section = CaptureInfo.Section()
    PcapngOptions(from: 24, to: length - 4, order).forEach(window) { option in
      switch option.code {
      case 1: if let text = option.text(window) { section.comments.append(text) }
      case 2: section.hardware = option.text(window)
      case 3: section.operatingSystem = option.text(window)
      case 4: section.application = option.text(window)
      default: break
      }
    }
    journal.info.sections.append(section)
  }

  private mutating func addInterface(
    _ length: Int, _ window: borrowing Window, _ journal: Journal
  ) {
    guard length >= 20, interfaces.count <= Int(UInt16.max) else { return }
    let number = UInt32(window.u16(at: 8, order))
    var interface = Interface(
      link: LinkType(number), clock: PcapngClock(), snapLength: window.u32(at: 12, order))
    var shown = CaptureInfo.Interface(
      linkType: number, resolution: "", isSupported: interface.link.isSupported)
    PcapngOptions(from: 16, to: length - 4, order).forEach(window) { option in
      switch option.code {
      case 1: if let text = option.text(window) { shown.comments.append(text) }
      case 2: shown.name = option.text(window)
      case 3: shown.description = option.text(window)
      case 9 where option.length >= 1: interface.clock.unit = window.byte(at: option.start)
      case 12: shown.operatingSystem = option.text(window)
      case 14 where option.length >= 8:
        interface.clock.offset = Int64(bitPattern: window.u64(at: option.start, order))
      case 15: shown.hardware = option.text(window)
      default: break
      }
    }
    shown.resolution = interface.clock.description
    interfaces.append(interface)
    if journal.info.interfaces.count < Journal.limit { journal.info.interfaces.append(shown) }
  }

  /// Section 4.6 of the format's document: interface, time, options.
  private func takeStatistics(_ length: Int, _ window: borrowing Window, _ journal: Journal) {
    journal.info.statisticsBlocks += 1
    guard length >= 24 else { return }
    let number = window.u32(at: 8, order)
    if interfaces.indices.contains(Int(number)) {
      let clock = interfaces[Int(number)].clock
      journal.takeStatistics(of: number, clock, length, window, order)
    }
    let place = firstInterface + Int(number)
    guard journal.info.interfaces.indices.contains(place) else { return }
    PcapngOptions(from: 20, to: length - 4, order).forEach(window) { option in
      if option.code == 5, option.length >= 8 {
        journal.info.interfaces[place].dropped = window.u64(at: option.start, order)
      }
    }
  }

  /// Describes the packet in the block of `length` bytes and returns where its bytes begin; nil if
  /// the block contradicts itself.
  private mutating func readPacket(
    _ type: UInt32, _ length: Int, _ window: borrowing Window, _ journal: Journal,
    _ record: inout CaptureRecord
  ) -> Int? {
    let isSimple = type == PcapngBlock.simplePacket
    let start = isSimple ? 12 : 28
    guard length >= start + 4 else { return nil }
    interfaceNumber =
      isSimple
      ? 0 : type == PcapngBlock.packet ? UInt32(window.u16(at: 8, order)) : window.u32(at: 8, order)
    guard interfaceNumber < interfaces.count else { return nil }
    let interface = interfaces[Int(interfaceNumber)]
    let original = Int(window.u32(at: isSimple ? 8 : 24, order))
    let room = length - start - 4
    if isSimple {
      let limit = interface.snapLength == 0 ? Int.max : Int(interface.snapLength)
      record.count = min(original, limit, room)
      record.flags.insert(.timeUnknown)
    } else {
      record.count = Int(window.u32(at: 20, order))
      let high = UInt64(window.u32(at: 12, order))
      record.time = interface.clock.time(high << 32 | UInt64(window.u32(at: 16, order)))
      if type == PcapngBlock.packet {
        let drops = window.u16(at: 10, order)
        record.dropped = drops == .max ? 0 : UInt32(drops)
      }
    }
    guard record.count <= room, record.count <= longestRecord else { return nil }
    record.originalCount = max(original, record.count)
    record.offset = window.offset + Int64(start)
    var direction: Direction?
    let options = start + (record.count + 3) & ~3
    if !isSimple, options + 4 <= length - 4 {
      direction = readOptions(from: options, to: length - 4, window, journal, &record)
    }
    return interface.link.describe(
      &record, window, at: start, direction: direction,
      interface: UInt16(truncatingIfNeeded: interfaceNumber))
  }

  /// Reads a packet's options and returns its direction, if one of them says so.
  private func readOptions(
    from start: Int, to end: Int, _ window: borrowing Window, _ journal: Journal,
    _ record: inout CaptureRecord
  ) -> Direction? {
    var direction: Direction?
    PcapngOptions(from: start, to: end, order).forEach(window) { option in
      switch option.code {
      case 1:
        guard let text = option.text(window) else { return }
        journal.comments.append(text)
        record.flags.insert(.commented)
      case 2 where option.length >= 4:
        // Bits 0 and 1: 1 inbound, 2 outbound, as the host sees it.
        switch window.u32(at: option.start, order) & 3 {
        case 1: direction = .controllerToHost
        case 2: direction = .hostToController
        default: break
        }
      case 4 where option.length >= 8:
        record.dropped = UInt32(clamping: window.u64(at: option.start, order))
      default: break
      }
    }
    return direction
  }
}
