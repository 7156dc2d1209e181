import HarkCore

/// The options at the end of a pcapng block: code, length, value, padding to 4 bytes.
struct PcapngOptions {
  struct Option {
    var code: UInt16
    /// Where the value begins in the window.
    var start: Int
    var length: Int

    /// The longest text that is kept, in bytes.
    static let longestText = 1 << 14

    /// Nil if there is none. Some writers end texts with a zero, or fill them up with zeros.
    func text(_ window: borrowing Window) -> String? {
      let bytes = unsafe window.bytes(at: start, count: min(length, Self.longestText))
      let count = unsafe bytes.firstIndex(of: 0) ?? bytes.count
      return unsafe count == 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  let range: Range<Int>
  let order: CaptureInfo.ByteOrder

  init(from start: Int, to end: Int, _ order: CaptureInfo.ByteOrder) {
    range = start..<max(start, end)
    self.order = order
  }

  /// Calls `body` per option up to the end mark, or to the first that does not fit.
  @inline(__always)
  func forEach(_ window: borrowing Window, _ body: (Option) -> Void) {
    var position = range.lowerBound
    while position + 4 <= range.upperBound {
      let code = window.u16(at: position, order)
      let length = Int(window.u16(at: position + 2, order))
      guard code != 0, position + 4 + length <= range.upperBound else { return }
      body(Option(code: code, start: position + 4, length: length))
      position += 4 + (length + 3) & ~3
    }
  }
}

extension Journal {
  /// Keeps an Interface Statistics Block for copies. 4.6
  func takeStatistics(
    of interface: UInt32, _ clock: PcapngClock, _ length: Int, _ window: borrowing Window,
    _ order: CaptureInfo.ByteOrder
  ) {
    guard info.statistics.count < Self.limit else { return }
    func time(at place: Int) -> Timestamp {
      let high = UInt64(window.u32(at: place, order))
      return clock.time(high << 32 | UInt64(window.u32(at: place + 4, order)))
    }
    var statistics = CaptureInfo.InterfaceStatistics(interface: interface, time: time(at: 12))
    PcapngOptions(from: 20, to: length - 4, order).forEach(window) { option in
      guard option.length >= 8 else { return }
      switch option.code {
      case 2: statistics.start = time(at: option.start)
      case 3: statistics.end = time(at: option.start)
      case 4...8 where statistics.counts.count < 8:
        statistics.counts.append(
          .init(code: option.code, packets: window.u64(at: option.start, order)))
      default: break
      }
    }
    info.statistics.append(statistics)
  }

  /// Keeps a Custom Block for copies, which are little-endian: what its data means in the other byte order, only its maker
  /// knows. 4.7
  func takeCustom(
    _ length: Int, _ window: borrowing Window, _ order: CaptureInfo.ByteOrder,
    before record: UInt32
  ) {
    // The type, two lengths and the enterprise.
    let count = length - 16
    guard order == .littleEndian, 0...customRoom ~= count, info.customBlocks.count < Self.limit
    else { return }
    customRoom -= count
    let block = CaptureInfo.CustomBlock(
      enterprise: window.u32(at: 8, order), data: unsafe Array(window.bytes(at: 12, count: count)),
      record: record)
    info.customBlocks.append(block)
  }
}

/// An interface's clock: the unit of its times and an offset.
struct PcapngClock {
  /// Seconds per unit as a negative power: of ten, or with the top bit set, of two.
  var unit: UInt8 = 6
  /// Seconds to be added.
  var offset: Int64 = 0

  /// The moment `units` after 1970, saturated.
  @inline(__always)
  func time(_ units: UInt64) -> Timestamp {
    if unit == 6, offset == 0, units <= UInt64(Int64.max) {
      return Timestamp(microseconds: Int64(units))
    }
    return slowTime(units)
  }

  private func slowTime(_ units: UInt64) -> Timestamp {
    let perSecond = unitsPerSecond
    let seconds: UInt64
    let part: Int64
    if let perSecond {
      let (whole, rest) = units.quotientAndRemainder(dividingBy: perSecond)
      seconds = whole
      // rest < perSecond, so the quotient is less than 10^9 and fits.
      let (high, low) = rest.multipliedFullWidth(by: 1_000_000_000)
      part = Int64(perSecond.dividingFullWidth((high, low)).quotient)
    } else {
      seconds = 0
      part = 0
    }
    let (sum, overflow) = Int64(clamping: seconds).addingReportingOverflow(offset)
    return Timestamp(
      seconds: overflow ? (offset < 0 ? .min : .max) : sum, nanoseconds: part)
  }

  /// Nil for units so small that 64 bits of them make no second.
  private var unitsPerSecond: UInt64? {
    let exponent = unit & 0x7F
    if unit & 0x80 != 0 { return exponent < 64 ? 1 << UInt64(exponent) : nil }
    guard exponent <= 19 else { return nil }
    var value: UInt64 = 1
    for _ in 0..<exponent { value *= 10 }
    return value
  }
}

extension PcapngClock: CustomStringConvertible {
  /// `1 µs`, `1 ns`, or the power: `10^-3 s`.
  var description: String {
    switch unit {
    case 6: "1 µs"
    case 9: "1 ns"
    default: "\(unit & 0x80 == 0 ? 10 : 2)^-\(unit & 0x7F) s"
    }
  }
}
