import HarkCore
import HarkDissection

/// Reports a tree what a layout found, in the order of the bytes: each is claimed once or shown as
/// undecoded, and children lie inside their parents.
///
/// A layout may read the same bytes twice, and bytes far from where it is. Data that it reads after
/// everything else is shown like the rest, inside the part it belongs to; of bytes read a second time,
/// numbers are shown as inferred.
struct LayoutTreeBuilder {
  private let dissector: LayoutDissector
  /// Where the layout's bytes begin in the PDU, and where they end.
  private let start: Int
  private let end: Int
  /// What ended the run, which the facts of the PDU know already.
  private let failure: LayoutFailure?
  private let secrets: LayoutSecrets?
  /// All before it is claimed.
  private var cursor: Int
  /// The bytes of the last bit fields, or of unpacked data.
  private var part = 0..<0
  private var groups: [Group] = []
  /// The number of open groups that are not shown.
  private var hidden = 0

  private struct Group {
    /// Nil if it is not shown.
    let token: Int?
    let limit: Int?
  }

  init(
    _ dissector: LayoutDissector, from start: Int, to end: Int, _ failure: LayoutFailure?,
    _ secrets: LayoutSecrets?
  ) {
    (self.dissector, self.secrets) = (dissector, secrets)
    (self.start, self.end, self.failure) = (start, end, failure)
    cursor = start
  }

  mutating func report<Out: Sink>(_ events: [LayoutStory.Event], to pdu: inout PDU<Out>) {
    for (index, event) in events.enumerated() {
      switch event {
      case .open(let field, let offset, let limit):
        open(field, at: start + offset, limit.map { start + $0 }, &pdu)
      case .close(let offset): close(at: start + offset, &pdu)
      case .found(let field, let value, let range, let isPart):
        var range = start + range.lowerBound..<start + range.upperBound
        if isPart {
          range = union(events, from: index, range)
        } else {
          range = shown(value, range, pdu.bytes)
        }
        found(field, value, range, isPart, &pdu)
      case .computed(let field, let value):
        if hidden == 0, secrets?.contains(field) != true { infer(field, value, &pdu) }
      case .unclaimed(let range):
        if hidden == 0 { claim(upTo: start + range.upperBound, &pdu) }
      case .failed(let failure, let range): report(failure, over: range, &pdu)
      }
    }
    if failure != nil, secrets != nil { claim(upTo: end, &pdu) }
    pdu.moveOn(to: cursor)
  }

  // MARK: Groups

  /// Where the innermost part ends whose end is known; nil inside of one where it is not.
  private var limit: Int? { groups.isEmpty ? end : groups[groups.count - 1].limit }

  private mutating func open<Out: Sink>(
    _ field: Int, at offset: Int, _ limit: Int?, _ pdu: inout PDU<Out>
  ) {
    // Read elsewhere: only what has an end can be there without hiding what follows.
    let isElsewhere = dissector.layout.fields[field].isInstance && self.limit == nil
    guard hidden == 0, !isElsewhere, offset >= cursor || part.contains(offset), offset <= end
    else {
      hidden += 1
      groups.append(Group(token: nil, limit: nil))
      return
    }
    claim(upTo: offset, &pdu)
    let token = pdu.out.open(dissector.fields[field], at: offset, isLayer: false)
    groups.append(Group(token: token, limit: limit.map { min($0, end) }))
  }

  private mutating func close<Out: Sink>(at offset: Int, _ pdu: inout PDU<Out>) {
    guard let group = groups.popLast() else { return }
    guard let token = group.token else {
      hidden -= 1
      return
    }
    if let limit = group.limit { claim(upTo: limit, &pdu) }
    pdu.out.close(token, at: max(min(offset, end), cursor))
  }

  /// Shows the bytes between what is claimed and `offset` as undecoded.
  private mutating func claim<Out: Sink>(upTo offset: Int, _ pdu: inout PDU<Out>) {
    let offset = min(offset, limit ?? end)
    guard offset > cursor else { return }
    let isSecret = secrets?.overlaps(cursor - start..<offset - start) ?? false
    pdu.out.undecoded(cursor..<offset, isSecret: isSecret || pdu.context.isSecret)
    cursor = offset
    part = cursor..<cursor
  }

  // MARK: Values

  /// Bit fields that share bytes have all of those bytes.
  private func union(
    _ events: [LayoutStory.Event], from index: Int, _ range: Range<Int>
  ) -> Range<Int> {
    if part.contains(range.lowerBound), part.upperBound >= range.upperBound { return part }
    var range = range
    for event in events[(index + 1)...] {
      guard case .found(_, _, let next, isPart: true) = event,
        start + next.lowerBound < range.upperBound, start + next.lowerBound >= range.lowerBound
      else { break }
      range = range.lowerBound..<max(range.upperBound, start + next.upperBound)
    }
    return range
  }

  /// A text that ends with a NUL is shown with it; other terminators and padding are not its own.
  private func shown(_ value: LayoutValue, _ range: Range<Int>, _ bytes: RawSpan) -> Range<Int> {
    guard case .packet(let own) = value else { return range }
    let inside = start + own.lowerBound..<start + own.upperBound
    guard inside.lowerBound == range.lowerBound, inside.upperBound < range.upperBound,
      bytes.byte(at: inside.upperBound) != 0
    else { return range }
    return inside
  }

  private mutating func found<Out: Sink>(
    _ field: Int, _ value: LayoutValue, _ range: Range<Int>, _ isPart: Bool,
    _ pdu: inout PDU<Out>
  ) {
    let isMore = isPart && range == part
    let isSecret = secrets?.overlaps(range.lowerBound - start..<range.upperBound - start) ?? false
    guard hidden == 0, range.lowerBound >= cursor || isMore, range.upperBound <= limit ?? end,
      !(dissector.layout.fields[field].isInstance && limit == nil)
    else {
      // A second look at a key shows nothing.
      if !isSecret { infer(field, value, &pdu) }
      return
    }
    if !isMore { claim(upTo: range.lowerBound, &pdu) }
    pdu.out.found(
      isSecret ? dissector.concealing[field] : dissector.fields[field],
      number(value, of: field, range, pdu.bytes), at: range, isPart: isPart)
    cursor = max(cursor, range.upperBound)
    part = isPart ? range : cursor..<cursor
  }

  private func infer<Out: Sink>(_ field: Int, _ value: LayoutValue, _ pdu: inout PDU<Out>) {
    switch value {
    case .unsigned, .signed, .float, .bool:
      if hidden == 0 {
        pdu.out.inferred(
          dissector.fields[field], number(value, of: field, 0..<0, pdu.bytes), at: cursor)
      }
    case .none, .packet, .made: break
    }
  }

  private func number(
    _ value: LayoutValue, of field: Int, _ range: Range<Int>, _ bytes: RawSpan
  ) -> UInt64 {
    switch value {
    case .unsigned(let value): return value
    case .signed(let value): return UInt64(bitPattern: value)
    case .float(let value):
      return range.count == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
    case .bool(let value): return value ? 1 : 0
    case .none, .packet, .made:
      guard range.count <= 8 else { return 0 }
      let number = bytes.unsigned(at: range.lowerBound, range.count)
      guard dissector.layout.fields[field].format == .addressBigEndian, !range.isEmpty else {
        return number
      }
      return number.byteSwapped >> UInt64(64 - range.count * 8)
    }
  }

  // MARK: What is wrong

  private func report<Out: Sink>(
    _ failure: LayoutFailure, over range: Range<Int>, _ pdu: inout PDU<Out>
  ) {
    let known = failure.field.map { dissector.layout.fields[$0] }
    let range = start + range.lowerBound..<start + range.upperBound
    if case .check = failure.reason {
      return pdu.out.note(
        Note(severity: (known?.severity ?? .warning).forNote, text: failure.text, range: range))
    }
    // What only was to be shown does not make a PDU malformed.
    if failure != self.failure, known?.isInstance == true {
      return pdu.out.note(Note(severity: .info, text: failure.text, range: range))
    }
    let reason: Malformed.Reason =
      if case .endOfStream(let needed, let available) = failure.reason {
        .truncated(needed: needed, available: available)
      } else {
        .invalid(failure.text)
      }
    var malformed = Malformed(
      reason: reason, layer: dissector.name,
      field: failure.field.map { dissector.fields[$0].name } ?? dissector.name,
      offset: start + failure.offset, limit: "the message")
    malformed.isCutByRecorder = failure.isAtEnd(of: pdu.end - start) && pdu.isEndOfTruncated
    pdu.out.failed(malformed)
  }
}
