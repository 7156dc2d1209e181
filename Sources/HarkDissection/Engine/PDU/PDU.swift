import HarkCore

/// A window on the bytes of one PDU, read from its beginning.
///
/// One call reads, names, maps and claims a byte range. The window can only be
/// narrowed, so nothing reads past its container.
@safe public struct PDU<Out: Sink>: ~Escapable {
  public let bytes: RawSpan
  public private(set) var position: Int
  public private(set) var end: Int
  public var out: Out
  // Lives as long as the call of `reading` that made it.
  let state: UnsafeMutablePointer<PDUState>

  @_lifetime(copy bytes)
  private init(_ bytes: RawSpan, _ out: Out, _ state: UnsafeMutablePointer<PDUState>) {
    self.bytes = bytes
    position = 0
    end = min(bytes.byteCount, Int(UInt32.max))
    self.out = out
    unsafe self.state = state
  }

  /// Calls `body` with a window on `bytes`.
  @inline(__always)
  static func reading<Result>(
    _ bytes: RawSpan, out: Out, _ context: Context, by catalog: Catalog = .shared,
    _ body: (inout PDU) -> Result
  ) -> Result {
    var state = PDUState(context, catalog)
    return unsafe withUnsafeMutablePointer(to: &state) { state in
      var pdu = unsafe PDU(bytes, out, state)
      return body(&pdu)
    }
  }

  public var remaining: Int { end &- position }

  // MARK: Integers

  @inline(__always)
  mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(
    _: T.Type, _ field: () -> Field, bigEndian: Bool = false
  ) throws(Malformed) -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw truncated(size, field()) }
    let start = position
    let raw = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: T.self)
    let value = bigEndian ? T(bigEndian: raw) : T(littleEndian: raw)
    position = start &+ size
    if Out.wantsFields {
      out.found(field(), UInt64(truncatingIfNeeded: value), at: start..<position, isPart: false)
    }
    return value
  }

  @discardableResult @inline(__always)
  public mutating func u8(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt8 {
    try integer(UInt8.self, field)
  }

  @discardableResult @inline(__always)
  public mutating func u16(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt16 {
    try integer(UInt16.self, field)
  }

  @discardableResult @inline(__always)
  public mutating func u32(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt32 {
    try integer(UInt32.self, field)
  }

  @discardableResult @inline(__always)
  public mutating func u64(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt64 {
    try integer(UInt64.self, field)
  }

  @discardableResult @inline(__always)
  public mutating func u16be(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt16 {
    try integer(UInt16.self, field, bigEndian: true)
  }

  @discardableResult @inline(__always)
  public mutating func u32be(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt32 {
    try integer(UInt32.self, field, bigEndian: true)
  }

  @discardableResult @inline(__always)
  public mutating func u64be(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt64 {
    try integer(UInt64.self, field, bigEndian: true)
  }

  /// An unsigned integer of `count` (1 to 8) octets, least significant first.
  @discardableResult
  public mutating func unsigned(
    _ count: Int, _ field: @autoclosure () -> Field
  ) throws(Malformed) -> UInt64 {
    guard remaining >= count else { throw truncated(count, field()) }
    let start = position
    let value = bytes.unsigned(at: start, count)
    position = start &+ count
    if Out.wantsFields { out.found(field(), value, at: start..<position, isPart: false) }
    return value
  }

  /// A Bluetooth Device Address of 6 octets.
  @discardableResult
  public mutating func address(_ field: @autoclosure () -> Field) throws(Malformed) -> UInt64 {
    try unsigned(6, field())
  }

  /// Reads `count` (1 to 8) octets, from which `part` makes several fields.
  @inline(__always)
  public mutating func word(
    _ count: Int, of field: @autoclosure () -> Field
  ) throws(Malformed) -> UInt64 {
    guard remaining >= count else { throw truncated(count, field()) }
    let value =
      count == 2
      // Most words have two octets, which need no look at how many are behind them.
      ? UInt64(
        UInt16(
          littleEndian: unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: position, as: UInt16.self)))
      : bytes.unsigned(at: position, count)
    position = position &+ count
    return value
  }

  /// A field made from some bits of the `count` octets just read with `word`.
  @inline(__always)
  public mutating func part(_ field: @autoclosure () -> Field, _ value: UInt64, of count: Int) {
    if Out.wantsFields {
      out.found(field(), value, at: (position &- count)..<position, isPart: true)
    }
  }

  /// A value that the session knows from other packets and that no byte here contains.
  @inline(__always)
  public mutating func inferred(_ field: @autoclosure () -> Field, _ value: UInt64) {
    if Out.wantsFields { out.inferred(field(), value, at: position) }
  }

  /// The type of an attribute, which the session knows from other packets and no byte here contains. A node has room
  /// for half of it: types without a name are not recorded.
  @inline(__always)
  public mutating func inferred(_ field: @autoclosure () -> Field, _ uuid: BluetoothUUID) {
    if Out.wantsFields, AssignedNumbers.attributeType(high: uuid.high) == uuid {
      out.inferred(field(), uuid.high, at: position)
    }
  }

  // MARK: Runs of bytes

  /// The next `count` bytes as one value; returns their range.
  @discardableResult
  public mutating func bytes(
    _ count: Int, _ field: @autoclosure () -> Field
  ) throws(Malformed) -> Range<Int> {
    guard count >= 0, count <= remaining else { throw truncated(count, field()) }
    let start = position
    position = start &+ count
    if Out.wantsFields {
      let value = count <= 8 ? bytes.unsigned(at: start, count) : 0
      out.found(field(), value, at: start..<position, isPart: false)
    }
    return start..<position
  }

  /// The next `count` bytes, which spell the number `value` or a code with that number.
  public mutating func bytes(
    _ count: Int, _ field: @autoclosure () -> Field, as value: UInt64
  ) throws(Malformed) {
    guard count >= 0, count <= remaining else { throw truncated(count, field()) }
    let start = position
    position = start &+ count
    if Out.wantsFields { out.found(field(), value, at: start..<position, isPart: false) }
  }

  /// A UUID of `count` (2, 4 or 16) octets.
  @discardableResult
  public mutating func uuid(
    _ count: Int, _ field: @autoclosure () -> Field
  ) throws(Malformed) -> BluetoothUUID? {
    let range = try bytes(count, field())
    return BluetoothUUID(littleEndian: bytes.extracting(range))
  }

  /// All remaining bytes as one value, or nothing if there are none. This becomes the PDU's payload.
  @discardableResult @inline(__always)
  public mutating func rest(_ field: @autoclosure () -> Field) -> Range<Int> {
    let range = position..<end
    facts.payloadOffset = UInt32(truncatingIfNeeded: range.lowerBound)
    facts.payloadCount = UInt32(truncatingIfNeeded: range.count)
    position = end
    if Out.wantsFields, !range.isEmpty {
      let value = range.count <= 8 ? bytes.unsigned(at: range.lowerBound, range.count) : 0
      out.found(field(), value, at: range, isPart: false)
    }
    return range
  }

  /// Moves on to `position`. The bytes before it were recorded through `out`.
  public mutating func moveOn(to position: Int) {
    self.position = min(max(position, self.position), end)
  }

  /// Skips `count` bytes if they are there and their fields are not wanted.
  @inline(__always)
  mutating func skip(_ count: Int) -> Bool {
    guard !Out.wantsFields, count <= remaining else { return false }
    position = position &+ count
    return true
  }

  /// Returns the octet `offset` after the position without reading it; 0 past the end.
  public func peek(_ offset: Int = 0) -> UInt8 {
    offset < remaining ? bytes.byte(at: position &+ offset) : 0
  }

  // MARK: Structure

  /// Narrows the window to the next `count` bytes until the layer ends; the bytes after them are
  /// shown as undecoded. If the recorder truncated the record, reads the captured bytes.
  @inline(__always)
  public mutating func limit(
    to count: Int, by field: @autoclosure () -> Field
  ) throws(Malformed) {
    guard count <= remaining else {
      if context.isTruncated { return }
      throw truncated(count, field())
    }
    if Out.wantsFields { limit = field() }
    end = position &+ count
  }

  /// Reads a part of `count` bytes with `body`; bytes that it leaves are shown as undecoded. A part that
  /// cannot be read does not stop its container, because its length shows where the next one begins.
  @inline(__always)
  public mutating func within(
    _ count: Int, _ field: @autoclosure () -> Field,
    _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    guard count >= 0, count <= remaining else { throw truncated(count, field()) }
    let outer = (end, limit)
    end = position &+ count
    if Out.wantsFields { limit = field() }
    let token = out.open(field(), at: position)
    defer {
      (end, limit) = outer
      out.close(token, at: position)
    }
    do { try body(&self) } catch { fail(error) }
    leaveUndecoded()
  }

  /// Reads the next `count` bytes with `body`, as parts of the open group; bytes that it leaves
  /// are shown as undecoded. If they cannot be read, reading continues after them.
  @inline(__always)
  public mutating func inside(
    _ count: Int, by field: @autoclosure () -> Field,
    _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    guard count >= 0, count <= remaining else { throw truncated(count, field()) }
    let outer = (end, limit)
    end = position &+ count
    if Out.wantsFields { limit = field() }
    defer { (end, limit) = outer }
    do { try body(&self) } catch { fail(error) }
    leaveUndecoded()
  }

  /// Reads a part that ends where `body` stops.
  @inline(__always)
  public mutating func group(
    _ field: @autoclosure () -> Field, _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    let token = Out.wantsFields ? out.open(field(), at: position) : 0
    defer { if Out.wantsFields { out.close(token, at: position) } }
    try body(&self)
  }

  /// The protocol at `place`.
  @inline(__always)
  private func entry(at place: AttachmentPoint) -> Entry.Reference? {
    unsafe catalog._withUnsafeGuaranteedRef { $0[place] }
  }

  /// Whether a protocol attaches to `place`.
  func hasPlace(_ place: AttachmentPoint) -> Bool { entry(at: place) != nil }

  /// Whether a layout says which parts of the values of an attribute type are keys.
  func hidesKeys(_ type: BluetoothUUID) -> Bool {
    unsafe catalog._withUnsafeGuaranteedRef { $0.hidesKeys(type) }
  }

  /// Passes all remaining bytes to the protocol at `place`; if there is none, `field` claims them.
  @inline(__always)
  public mutating func hand(to place: AttachmentPoint, orElse field: @autoclosure () -> Field) {
    if let next = entry(at: place) {
      run(next)
    } else {
      rest(field())
    }
  }

  /// Passes all remaining bytes to the protocol at `place`, inside `part`; `field` claims them if
  /// there is none, or if it reads messages of a stream. To the PDU, they stay one value, its payload.
  public mutating func hand(to place: AttachmentPoint, in part: Field, orElse field: Field) {
    guard remaining > 0, let next = entry(at: place), !next.isCut else {
      rest(field)
      return
    }
    let token = out.open(part, at: position)
    runInside(next)
    out.close(token, at: position)
  }

  /// Passes all remaining bytes to the protocol of the dynamic channel, as far as the session knows it.
  @inline(__always)
  public mutating func handToChannel(orElse field: @autoclosure () -> Field) {
    if let next = context.channel {
      runInside(next)
    } else {
      rest(field())
    }
  }

  /// Passes all remaining bytes to the protocol inside the channel's own, as far as the session knows it.
  @inline(__always)
  public mutating func handToInner(orElse field: @autoclosure () -> Field) {
    if let next = context.inner {
      runInside(next)
    } else {
      rest(field())
    }
  }

  /// Reads all remaining bytes with `entry`, which the session named. The message is the same whether
  /// `entry` is known or not: one value, the payload.
  private mutating func runInside(_ entry: Entry.Reference) {
    var outer = facts
    outer.payloadOffset = UInt32(truncatingIfNeeded: position)
    outer.payloadCount = UInt32(truncatingIfNeeded: remaining)
    run(entry)
    facts = outer
  }

  /// Reads all remaining bytes with `entry`. A malformed child never stops its parent.
  mutating func run(_ entry: Entry.Reference) {
    guard depth < Self.deepest else { return leaveUndecoded() }
    depth &+= 1
    let outer = (layer, limit, end)
    // Only the report of a malformed PDU needs its layer.
    if Out.wantsFields { layer = entry.layer }
    let token = Out.wantsFields ? out.open(entry.layer, at: position, isLayer: true) : 0
    Out.run(entry, &self)
    if facts.isMalformed, facts.malformedLayer == nil { facts.malformedLayer = entry.layer }
    leaveUndecoded()
    end = outer.2
    leaveUndecoded()
    if Out.wantsFields {
      (layer, limit) = (outer.0, outer.1)
      out.close(token, at: position)
    }
    depth &-= 1
  }

  /// Reads with `body`, and records why if it cannot.
  @inline(__always)
  mutating func read(_ body: (inout PDU<Out>) throws(Malformed) -> Void) {
    do { try body(&self) } catch { fail(error) }
  }

  /// Records why the remaining bytes of the window cannot be read.
  @inline(never)
  private mutating func fail(_ error: Malformed) {
    var error = error
    error.isCutByRecorder = isCut(error.reason)
    facts.fail(isCut: error.isCutByRecorder)
    out.failed(error)
    if error.isSecret { leaveUndecoded(isSecret: true) }
  }

  @inline(__always)
  mutating func leaveUndecoded(isSecret: Bool = false) {
    if position < end {
      if Out.wantsFields {
        out.undecoded(position..<end, isSecret: isSecret || context.isSecret)
      }
      position = end
    }
  }
}

extension Sink {
  mutating func open(_ field: Field, at offset: Int) -> Int {
    open(field, at: offset, isLayer: false)
  }
}
