import HarkCore

/// Reads one report. Fields of a report begin and end at any bit: those that share octets are parts
/// of all octets they share.
struct HIDReportReading {
  private let report: HIDReports.Report
  /// The values of the octets that were begun, without those that are off.
  private var found: [(field: Field, value: UInt64, size: Int)] = []
  /// Where they began, in bits.
  private var start = 0
  private var usage: UInt32?
  private var isPadding = true
  /// Octets in front of `start` in which nothing is on.
  private var idle = 0

  /// Bits that are read one by one; longer reports are of vendors.
  private static let most = 4_096

  init(_ report: HIDReports.Report) { self.report = report }

  consuming func read(_ pdu: inout PDU<some Sink>) {
    let available = min(Self.most, pdu.remaining * 8)
    let base = pdu.position
    for item in report.items {
      if isBulk(item) {
        endIdle(&pdu)
        bulk(item, available, base, &pdu)
        continue
      }
      for index in 0..<item.count {
        let offset = item.offset + index * item.size
        guard offset + item.size <= available else { return endIdle(&pdu) }
        take(item, index, Self.bits(pdu, base, offset, item.size))
        if (offset + item.size) % 8 == 0 { end(at: offset + item.size, &pdu) }
      }
    }
    endIdle(&pdu)
  }

  /// Octets without a usage: padding, and data that only the vendor knows. Fields of more than 64 bits are
  /// none that the specification allows. 8.4
  private func isBulk(_ item: HIDReports.Item) -> Bool {
    guard start == item.offset, item.offset % 8 == 0, item.end % 8 == 0 else { return false }
    let page = (item.usages.first?.lowerBound ?? 0) >> 16
    return item.isConstant || item.usages.isEmpty || page >= 0xFF00 || item.size > 64
  }

  private mutating func bulk(
    _ item: HIDReports.Item, _ available: Int, _ base: Int, _ pdu: inout PDU<some Sink>
  ) {
    let end = min(item.end, available / 8 * 8)
    start = item.end
    guard base + end / 8 > pdu.position else { return }
    let fields = HIDReport.fields
    let range = pdu.position..<(base + end / 8)
    pdu.moveOn(to: range.upperBound)
    note(item.isConstant ? fields.padding : fields.data, range, &pdu)
  }

  private func note(_ field: Field, _ range: Range<Int>, _ pdu: inout PDU<some Sink>) {
    let value = range.count <= 8 ? pdu.bytes.unsigned(at: range.lowerBound, range.count) : 0
    pdu.out.found(field, value, at: range, isPart: false)
  }

  /// Up to 64 bits from `offset` on, least significant first. 5.8
  private static func bits(
    _ pdu: borrowing PDU<some Sink>, _ base: Int, _ offset: Int, _ size: Int
  ) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<min(size, 64) {
      let bit = offset + index
      let octet = UInt64(pdu.bytes.byte(at: base + bit / 8))
      value |= (octet >> UInt64(bit % 8) & 1) << UInt64(index)
    }
    return value
  }

  private mutating func take(_ item: HIDReports.Item, _ index: Int, _ raw: UInt64) {
    if item.isConstant { return }
    isPadding = false
    let fields = HIDReport.fields
    let unused = UInt64(64 - min(item.size, 64))
    let value =
      item.isSigned ? Int64(bitPattern: raw << unused) >> Int64(unused) : Int64(clamping: raw)
    guard item.isVariable else {
      if let usage = item.selected(by: value), usage & 0xFFFF != 0 { add(usage, item.size) }
      return
    }
    let usage = item.usage(of: index) ?? 0
    if item.size == 1 {
      if raw == 1 { add(usage, 1) }
      return
    }
    let values = item.isSigned ? fields.relative : fields.absolute
    let field = values.field(usage)
    if field == nil { self.usage = usage }
    found.append((field ?? values.value, UInt64(bitPattern: value), item.size))
  }

  /// A control that is on.
  private mutating func add(_ usage: UInt32, _ size: Int) {
    let (field, name) = HIDReport.fields.named(usage)
    found.append((field, name, size))
  }

  /// The octets up to the bit `end` are whole.
  private mutating func end(at end: Int, _ pdu: inout PDU<some Sink>) {
    let octets = (end - start) / 8
    defer {
      start = end
      (usage, isPadding) = (nil, true)
      found.removeAll(keepingCapacity: true)
    }
    guard !found.isEmpty || isPadding else {
      idle += octets
      return
    }
    endIdle(&pdu)
    let range = pdu.position..<(pdu.position + octets)
    pdu.moveOn(to: range.upperBound)
    if isPadding { return note(HIDReport.fields.padding, range, &pdu) }
    if let usage, found.count == 1 {
      pdu.out.inferred(HIDReport.fields.usage, UInt64(usage), at: range.lowerBound)
    }
    let mask = octets >= 8 ? UInt64.max : 1 << UInt64(octets * 8) - 1
    for item in found {
      let isPart = found.count > 1 || item.size != octets * 8
      pdu.out.found(item.field, item.value & mask, at: range, isPart: isPart)
    }
  }

  private mutating func endIdle(_ pdu: inout PDU<some Sink>) {
    guard idle > 0 else { return }
    let range = pdu.position..<(pdu.position + idle)
    pdu.moveOn(to: range.upperBound)
    idle = 0
    note(HIDReport.fields.none, range, &pdu)
  }
}
