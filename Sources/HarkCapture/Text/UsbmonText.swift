import HarkCore

/// The text output of Linux usbmon, in the form with bus numbers (`1u`):
/// `d5ea89a0 3575914560 C Ci:1:001:0 0 4 = 01050000`. It shows at most 32 bytes per transfer.
/// https://docs.kernel.org/usb/usbmon.html. Becomes a pcap capture of link type 189.
struct UsbmonText: TextForm {
  static let origin = "in usbmon's text"
  static let hasOtherLines = false

  private let writer = PcapWriter(LinkType(189), unit: 1_000)
  private(set) var file: [UInt8] = []
  private var (last, turns) = (0, 0)

  init() { writer.begin(to: &file) }

  func begin(_ line: TextLine) -> Transfer? { Transfer(line) }

  func extend(_ transfer: inout Transfer, by line: TextLine) -> Bool { false }

  /// Whether a line begins with a tag and a time, or has an address.
  func isLikely(_ line: TextLine) -> Bool {
    var words = line
    guard let tag = words.word(), tag.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let time = words.word(), let event = words.word(), let address = words.word()
    else { return false }
    return tag.count >= 8 && TextLine.number(time) != nil && event.count == 1
      || address.count { $0 == 0x3A } == 3
  }

  mutating func append(_ transfer: Transfer) -> TextPacketEnd {
    // The clock counts microseconds in 32 bits.
    if transfer.time < last, last - transfer.time > 1 << 31 { turns += 1 }
    last = transfer.time
    transfer.append(to: &file, time: transfer.time + turns << 32)
    return .appended
  }

  struct Transfer {
    let tag: UInt64
    let time: Int
    let event: UInt8
    /// `C`, `B`, `I` or `Z`, and `i` or `o`.
    let kind: UInt8
    let isIn: Bool
    let (bus, device, endpoint): (Int, Int, Int)
    var status = 0
    var setup: [UInt8]?
    var length = 0
    /// `=` before data, otherwise the reason for its absence.
    var mark: UInt8 = 0x3C
    var data: [UInt8] = []

    init?(_ line: TextLine) {
      var words = line
      guard let tag = words.word(),
        let number = UInt64(String(decoding: tag, as: UTF8.self), radix: 16),
        let time = words.number(), (0..<(1 << 32)).contains(time), let event = words.word(),
        event.count == 1, let letter = event.first, [0x53, 0x43, 0x45].contains(letter),
        let address = words.word()?.split(separator: 0x3A), address.count == 4,
        address[0].count == 2, let kind = address[0].first, "CBIZ".utf8.contains(kind),
        let way = address[0].last, way == 0x69 || way == 0x6F,
        let bus = TextLine.number(address[1]), let device = TextLine.number(address[2]),
        let endpoint = TextLine.number(address[3]), (0...0xFFFF).contains(bus),
        (0...127).contains(device), (0...15).contains(endpoint)
      else { return nil }
      (self.tag, self.time, self.event, self.kind, isIn) = (number, time, letter, kind, way == 0x69)
      (self.bus, self.device, self.endpoint) = (bus, device, endpoint)
      guard takeStatus(&words) else { return nil }
      // The descriptors of isochronous packets do not locate their data.
      guard kind != 0x5A else { return }
      guard let length = words.number(), (0...longestRecord).contains(length) else { return nil }
      self.length = length
      // The kernel prints no mark where there is no data.
      guard let mark = words.word() else {
        guard length == 0 else { return nil }
        return
      }
      guard mark.count == 1, let mark = mark.first else { return nil }
      self.mark = mark
      guard mark == 0x3D else { return }
      while let word = words.word() {
        guard let octets = Hex.bytes(String(decoding: word, as: UTF8.self)) else { return nil }
        data += octets
      }
      guard data.count == min(length, Self.mostData) else { return nil }
    }

    /// DATA_MAX of drivers/usb/mon/mon_text.c
    private static let mostData = 32

    /// The status, or `s` and a Setup packet: bmRequestType, bRequest, wValue, wIndex, wLength.
    private mutating func takeStatus(_ words: inout TextLine) -> Bool {
      guard let word = words.word() else { return false }
      guard word.count == 1, word.first == 0x73 else {
        guard let first = word.split(separator: 0x3A).first, let status = TextLine.number(first)
        else { return false }
        self.status = status
        return true
      }
      var setup: [UInt8] = []
      for size in [1, 1, 2, 2, 2] {
        guard let value = words.number(radix: 16), (0..<(1 << (8 * size))).contains(value) else {
          return false
        }
        for index in 0..<size { setup.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
      }
      self.setup = setup
      return true
    }

    /// Appends a record of link type 189, little-endian.
    func append(to bytes: inout [UInt8], time: Int) {
      let kinds: [UInt8: UInt8] = [0x5A: 0, 0x49: 1, 0x43: 2, 0x42: 3]
      bytes.append(little: UInt32(truncatingIfNeeded: time / 1_000_000))
      bytes.append(little: UInt32(truncatingIfNeeded: time % 1_000_000))
      bytes.append(little: UInt32(48 + data.count))
      bytes.append(little: UInt32(48 + max(length, data.count)))
      bytes.append(little: tag)
      bytes.append(event)
      bytes.append(kinds[kind] ?? 0)
      bytes.append(UInt8(truncatingIfNeeded: endpoint) | (isIn ? 0x80 : 0))
      bytes.append(UInt8(truncatingIfNeeded: device))
      bytes.append(little: UInt16(truncatingIfNeeded: bus))
      bytes.append(setup == nil ? 0x2D : 0)
      bytes.append(mark == 0x3D ? 0 : mark)
      bytes.append(little: UInt64(truncatingIfNeeded: time / 1_000_000))
      bytes.append(little: UInt32(truncatingIfNeeded: time % 1_000_000))
      bytes.append(little: Int32(truncatingIfNeeded: status))
      bytes.append(little: UInt32(truncatingIfNeeded: length))
      bytes.append(little: UInt32(truncatingIfNeeded: data.count))
      bytes += setup ?? [UInt8](repeating: 0, count: 8)
      bytes += data
    }
  }
}
