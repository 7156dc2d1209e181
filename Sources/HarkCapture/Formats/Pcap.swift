import HarkCore

/// pcap: a file header of 24 bytes and records with a header of 16 (seconds, µs or ns, included
/// and original length), in the byte order of its writer.
/// https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcap/
struct Pcap: FramedReader {
  let order: CaptureInfo.ByteOrder
  let link: LinkType
  /// Nanoseconds per unit of the fraction: 1,000 or 1.
  let unit: Int64
  var headerSize: Int { 16 }

  private static func variant(
    _ window: inout Window
  ) -> (order: CaptureInfo.ByteOrder, unit: Int64)? {
    guard window.ensure(4) else { return nil }
    return switch window.u32(at: 0, .bigEndian) {
    case 0xA1B2_C3D4: (.bigEndian, 1_000)
    case 0xA1B2_3C4D: (.bigEndian, 1)
    case 0xD4C3_B2A1: (.littleEndian, 1_000)
    case 0x4D3C_B2A1: (.littleEndian, 1)
    default: nil
    }
  }

  static func recognises(_ window: inout Window) -> Bool { variant(&window) != nil }

  static func open(
    _ window: inout Window, _ journal: Journal
  ) throws(CaptureError) -> any RecordReader {
    let name = window.source.name
    guard let (order, unit) = variant(&window), window.ensure(24) else {
      throw CaptureError(
        name, "the end of the capture", offset: Int64(window.count),
        expected: "24 bytes of pcap file header")
    }
    // The upper half says how long a frame check sequence is.
    let number = window.u32(at: 20, order) & 0xFFFF
    let link = LinkType(number)
    guard link.isSupported else {
      throw CaptureError(
        name, LinkType.name(number), offset: 20, expected: LinkType.supported, isOtherFile: true)
    }
    window.advance(24)
    journal.info.format = "pcap"
    journal.info.byteOrder = order
    journal.info.interfaces = [
      CaptureInfo.Interface(
        linkType: number, resolution: unit == 1 ? "1 ns" : "1 µs", isSupported: true)
    ]
    let reader = Pcap(order: order, link: link, unit: unit)
    if case .usb = link { return USBReader(reader, order) }
    return reader
  }

  @inline(__always)
  func payloadCount(_ window: borrowing Window, at position: Int) -> Int? {
    let count = Int(window.u32(at: position + 8, order))
    // Zeros at the end of a file are no empty records.
    if count == 0, window.u32(at: position, order) == 0 { return nil }
    return count <= longestRecord ? count : nil
  }

  /// Ubertooth writes fractions below zero, of the seconds before.
  @inline(__always)
  func time(_ window: borrowing Window, at position: Int) -> Timestamp {
    Timestamp(
      seconds: Int64(window.u32(at: position, order)),
      nanoseconds: Int64(Int32(bitPattern: window.u32(at: position + 4, order))) * unit)
  }

  func lengthField(_ window: borrowing Window, at position: Int) -> UInt32 {
    window.u32(at: position + 8, order)
  }

  @inline(__always)
  func isPlausible(_ window: borrowing Window, at position: Int) -> Bool {
    let included = window.u32(at: position + 8, order)
    let original = window.u32(at: position + 12, order)
    return Int64(window.u32(at: position + 4, order)) * unit < 1_000_000_000
      && original >= included && original <= longestRecord
  }

  @inline(__always)
  func isSound(_ window: borrowing Window, at position: Int, count: Int) -> Bool {
    isPlausible(window, at: position)
      && link.isSound(
        window, at: position + 16, count: count,
        original: Int(window.u32(at: position + 12, order)))
  }

  @inline(__always)
  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    guard let count = frame(&window, journal, &record) else { return nil }
    record.offset = window.offset + 16
    record.count = count
    record.originalCount = max(count, Int(window.u32(at: 12, order)))
    record.time = time(window, at: 0)
    let start = link.describe(&record, window, at: 16, direction: nil)
    let bytes = unsafe window.bytes(at: start, count: record.count)
    window.advance(16 &+ count)
    return unsafe bytes
  }
}
