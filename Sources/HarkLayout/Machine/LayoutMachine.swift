import HarkCore

/// Runs a layout over packets. It keeps its memory from one to the next, so that it stops
/// allocating.
public struct LayoutMachine: ~Copyable {
  public enum Mode: Sendable {
    /// A packet that ends early keeps what was read; a failed `valid` is reported, and reading continues.
    case lenient
    /// As Kaitai Struct's own readers: the first thing wrong ends it.
    case strict
  }

  /// What one packet may take at most, whatever its layout says.
  public struct Budget: Sendable {
    public var steps = 1 << 18
    /// Members and items that are kept.
    public var values = 1 << 16
    /// Bytes that are decoded, unpacked or joined.
    public var bytes = 1 << 20
    /// Objects inside each other.
    public var depth = 64

    public init() {}
  }

  let layout: Layout
  let mode: Mode
  let budget: Budget

  // Registers.
  var ip = 0
  var object = 0
  var base = 0
  var stream = 0
  var markField = -1
  var markStart = 0

  var stack: [Value] = []
  var frames: [Frame] = []
  var slots: [Value] = []
  var objects: [Object] = []
  var streams: [Stream] = []
  var moved: [Stream] = []
  var arrays: [[Value]] = []
  var arrayCount = 0
  var valueCount = 0
  var scratch: [UInt8] = []
  var madeCount = 0
  var stepsLeft = 0
  /// What is left for showing instances that nothing needs: a run takes the same way whether it is
  /// looked at or not, so they have an allowance of their own.
  var reserve = (steps: 0, values: 0, made: 0)
  var showing = 0
  /// How many instances are being computed because others need them: they are shown where they
  /// belong, with their object.
  var muted = 0

  public init(_ layout: Layout, mode: Mode = .lenient, budget: Budget = Budget()) {
    self.layout = layout
    self.mode = mode
    self.budget = budget
  }

  struct Object {
    var type: Int
    /// Where its slots begin.
    var base: Int
    /// -1 for none.
    var parent: Int
    var root: Int
    var stream: Int
    var isLittle: Bool
  }

  /// Bytes that are read from the front, or a part of such.
  struct Stream {
    var space: Value.Space
    var start: Int
    var end: Int
    var position: Int
    /// Where in the packet its bytes are, or those they were unpacked from.
    var origin: Range<Int>
    /// Bits of the last byte that are not read yet.
    var bits: UInt64 = 0
    var bitCount = 0
    var bitsAreLittle = false

    var available: Int { max(0, end - position) }
  }

  struct Frame {
    enum Kind { case object, instance, show }

    var kind: Kind
    /// Where to continue, and with what.
    var ip: Int
    var object: Int
    var stream: Int
    var markField: Int
    var markStart: Int
    var height: Int
    /// The slot of the instance it computes, and what to put back there after showing it.
    var slot = 0
    var kept = Value.unset
    /// Whether it reads bytes of its own, so that others can continue if it fails.
    var isBounded = false
    /// The stream an instance reads elsewhere; -1 for none. How it was is in `moved`.
    var moved = -1
  }

  // MARK: Running

  /// Reads `bytes` as the layout's own type, or as the one `type` numbers. Gives what ended it
  /// early, which was also reported to `receiver`.
  @discardableResult
  public mutating func run<Receiver: LayoutReceiver>(
    _ bytes: RawSpan, type: Int = 0, into receiver: inout Receiver
  ) -> LayoutFailure? {
    reset(bytes)
    guard layout.types.indices.contains(type), bytes.byteCount <= Int(Int32.max) else { return nil }
    var first: LayoutFailure?
    do throws(Stop) {
      try makeObject(type: type, parent: -1, root: 0, stream: 0, isLittle: true)
      object = 0
      base = 0
      ip = layout.types[type].entry
    } catch {
      return LayoutFailure(reason: error.reason, field: nil, offset: 0)
    }
    while true {
      do throws(Stop) {
        try execute(bytes, &receiver)
        break
      } catch {
        let failure = LayoutFailure(
          reason: error.reason, field: markField < 0 ? nil : markField,
          offset: offset(of: min(markStart, streams[stream].end), in: streams[stream]))
        let wasShowing = showing > 0
        let goesOn = recover(from: failure, &receiver)
        if first == nil, !wasShowing { first = failure }
        if !goesOn { break }
      }
    }
    if Receiver.wantsFields { leaveUnclaimed(0, &receiver) }
    return first
  }

  private mutating func reset(_ bytes: RawSpan) {
    stack.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    streams.removeAll(keepingCapacity: true)
    moved.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
    arrayCount = 0
    valueCount = 0
    madeCount = 0
    stepsLeft = budget.steps
    reserve = (budget.steps, 0, 0)
    showing = 0
    (markField, markStart, stream, muted) = (-1, 0, 0, 0)
    streams.append(
      Stream(
        space: .packet, start: 0, end: bytes.byteCount, position: 0, origin: 0..<bytes.byteCount))
  }

  @discardableResult
  mutating func makeObject(
    type: Int, parent: Int, root: Int, stream: Int, isLittle: Bool
  ) throws(Stop) -> Int {
    let count = layout.types[type].slotCount
    try take(values: count + 1)
    objects.append(
      Object(
        type: type, base: slots.count, parent: parent, root: root, stream: stream,
        isLittle: isLittle))
    for _ in 0..<count { slots.append(.unset) }
    return objects.count - 1
  }

  mutating func take(values count: Int) throws(Stop) {
    valueCount += count
    if valueCount > budget.values { throw Stop(.budget) }
  }

  /// Work that is more than a step.
  mutating func take(bytes count: Int) throws(Stop) {
    stepsLeft -= count >> 3
    if stepsLeft < 0 { throw Stop(.budget) }
  }

  mutating func swapReserve() {
    (stepsLeft, reserve.steps) = (reserve.steps, stepsLeft)
    (valueCount, reserve.values) = (reserve.values, valueCount)
    (madeCount, reserve.made) = (reserve.made, madeCount)
  }

  mutating func pop() -> Value { stack.popLast() ?? .null }

  mutating func popInteger() throws(Stop) -> Integer {
    let value = pop()
    guard value.isInteger || value.tag == .enumeration else { throw Stop(.missingValue) }
    return value.integer
  }

  /// A size, count or position.
  mutating func popCount() throws(Stop) -> Int {
    let value = try popInteger()
    guard let count = value.int else { return Int(Int32.max) }
    guard count >= 0 else { throw Stop(.negative) }
    return min(count, Int(Int32.max))
  }

  func offset(of position: Int, in stream: Stream) -> Int {
    stream.space == .packet ? position : stream.origin.lowerBound
  }
}
