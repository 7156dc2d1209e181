import HarkCore

// Numbers and runs of bytes. Kaitai Struct user guide, sections 4.1 to 4.4.
extension LayoutMachine {
  func byte(at position: Int, in space: Value.Space, _ packet: RawSpan) -> UInt8 {
    switch space {
    case .packet: packet.byte(at: position)
    case .scratch: scratch[position]
    case .constants: layout.constantBytes[position]
    }
  }

  /// Gives up the rest of a byte of which only some bits were read.
  mutating func align() { streams[stream].bitCount = 0 }

  func isAtEnd(_ stream: Int) -> Bool {
    streams[stream].available == 0 && streams[stream].bitCount == 0
  }

  private mutating func need(_ count: Int) throws(Stop) -> Int {
    let available = streams[stream].available
    guard count <= available else {
      throw Stop(.endOfStream(needed: count, available: available))
    }
    // Who reads nothing may be after the end.
    let start = min(streams[stream].position, streams[stream].end)
    if count > 0 { streams[stream].position = start + count }
    return start
  }

  // MARK: Numbers

  private mutating func word(
    _ octets: Int, _ flags: UInt8, _ packet: RawSpan
  ) throws(Stop) -> UInt64 {
    align()
    let start = try need(octets)
    let flags = Int(flags)
    let isLittle =
      flags & StepFlag.calculated != 0
      ? objects[object].isLittle : flags & StepFlag.little != 0
    let space = streams[stream].space
    var value: UInt64 = 0
    for index in 0..<octets {
      let place = isLittle ? start + octets - 1 - index : start + index
      value = value << 8 | UInt64(byte(at: place, in: space, packet))
    }
    return value
  }

  mutating func readInteger(
    _ octets: Int, _ flags: UInt8, _ packet: RawSpan
  ) throws(Stop) {
    let value = try word(octets, flags, packet)
    guard Int(flags) & StepFlag.signed != 0 else {
      stack.append(Value(Integer(unsigned: value)))
      return
    }
    let shift = UInt64(64 - octets * 8)
    stack.append(Value(Int(Int64(bitPattern: value << shift) >> Int64(shift))))
  }

  mutating func readFloat(_ octets: Int, _ flags: UInt8, _ packet: RawSpan) throws(Stop) {
    let value = try word(octets, flags, packet)
    stack.append(
      Value(
        octets == 4
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: value)))
          : Double(bitPattern: value)))
  }

  /// Bits from the highest of a byte on, or from the lowest where they are little-endian. What is
  /// left of a byte is lost when the order changes.
  mutating func readBits(_ count: Int, _ flags: UInt8, _ packet: RawSpan) throws(Stop) {
    let isLittle = Int(flags) & StepFlag.little != 0
    if streams[stream].bitsAreLittle != isLittle { align() }
    streams[stream].bitsAreLittle = isLittle
    var have = streams[stream].bitCount
    var bits = have > 0 ? UInt128(streams[stream].bits) : 0
    // The byte whose rest is read first is after the position.
    markStart = streams[stream].position - (have > 0 ? 1 : 0)
    let octets = count > have ? (count - have + 7) / 8 : 0
    let start: Int
    do throws(Stop) {
      start = try need(octets)
    } catch {
      align()
      throw error
    }
    for index in 0..<octets {
      let next = UInt128(byte(at: start + index, in: streams[stream].space, packet))
      bits = isLittle ? bits | next << UInt128(have) : bits << 8 | next
      have += 8
    }
    let rest = have - count
    let value: UInt128
    if isLittle {
      value = bits & (UInt128(1) << UInt128(count) - 1)
      bits >>= UInt128(count)
    } else {
      value = bits >> UInt128(rest)
      bits &= UInt128(1) << UInt128(rest) - 1
    }
    streams[stream].bits = UInt64(truncatingIfNeeded: bits)
    streams[stream].bitCount = rest
    let number = UInt64(truncatingIfNeeded: value)
    stack.append(
      Int(flags) & StepFlag.boolean != 0 ? Value(number != 0) : Value(Integer(unsigned: number)))
  }

  // MARK: Bytes

  mutating func readBytes(_ count: Int) throws(Stop) {
    align()
    let start = try need(count)
    stack.append(Value(.bytes, streams[stream].space, start..<(start + count)))
  }

  mutating func readTerminated(_ strip: Layout.Strip, _ packet: RawSpan) throws(Stop) {
    align()
    let end = streams[stream].end
    let start = min(streams[stream].position, end)
    let (space, width) = (streams[stream].space, strip.width)
    try take(bytes: end - start)
    guard
      let place = find(strip, in: start..<end, space, packet)
    else {
      guard !strip.isRequired else { throw Stop(.missingTerminator) }
      streams[stream].position = end
      stack.append(Value(.bytes, space, start..<end))
      return
    }
    streams[stream].position = strip.consumes ? place + width : place
    stack.append(Value(.bytes, space, start..<(strip.includes ? place + width : place)))
  }

  /// Where the terminator of `strip` stands, a whole number of characters from the beginning.
  private func find(
    _ strip: Layout.Strip, in range: Range<Int>, _ space: Value.Space, _ packet: RawSpan
  ) -> Int? {
    let terminator = strip.terminator ?? 0
    var place = range.lowerBound
    while place + strip.width <= range.upperBound {
      var isEnd = true
      for index in 0..<strip.width
      where byte(at: place + index, in: space, packet) != terminator { isEnd = false }
      if isEnd { return place }
      place += strip.width
    }
    return nil
  }

  /// Cuts padding and what follows a terminator from the bytes on the stack.
  mutating func strip(_ strip: Layout.Strip, _ packet: RawSpan) {
    let value = pop()
    guard value.tag == .bytes else { return stack.append(value) }
    var range = value.range
    // Where both are the same, the first one is the terminator.
    if let padding = strip.padding, padding != strip.terminator {
      while let last = range.last, byte(at: last, in: value.space, packet) == padding {
        range = range.dropLast()
      }
    }
    if strip.terminator != nil, let place = find(strip, in: range, value.space, packet) {
      range = range.lowerBound..<(strip.includes ? place + strip.width : place)
    }
    stack.append(Value(.bytes, value.space, range))
  }

  // MARK: What bytes are made into

  func bytes(of value: Value, _ packet: RawSpan) -> [UInt8] {
    switch value.space {
    case .packet: value.range.map { packet.byte(at: $0) }
    case .scratch: Array(scratch[value.range])
    case .constants: Array(layout.constantBytes[value.range])
    }
  }

  /// Keeps bytes that are not in the packet.
  mutating func made(_ tag: Value.Tag, _ bytes: [UInt8]) throws(Stop) -> Value {
    madeCount += bytes.count
    guard madeCount <= budget.bytes else { throw Stop(.budget) }
    try take(bytes: bytes.count)
    let start = scratch.count
    scratch += bytes
    return Value(tag, .scratch, start..<scratch.count)
  }

  /// User guide, section 4.12 ("Processing").
  mutating func process(_ op: Step.Op, _ packet: RawSpan) throws(Stop) {
    let argument = op == .inflate ? Value.null : pop()
    let value = pop()
    guard value.tag == .bytes else { throw Stop(.missingValue) }
    try take(bytes: value.count)
    var bytes = bytes(of: value, packet)
    switch op {
    case .xor:
      let key: [UInt8]
      switch argument.tag {
      case .bytes: key = self.bytes(of: argument, packet)
      case .int, .bigInt: key = [UInt8(truncatingIfNeeded: argument.bits)]
      default: throw Stop(.missingValue)
      }
      if !key.isEmpty { for index in bytes.indices { bytes[index] ^= key[index % key.count] } }
    case .rotate:
      guard argument.isInteger else { throw Stop(.missingValue) }
      let count = UInt8(truncatingIfNeeded: argument.bits) & 7
      for index in bytes.indices {
        bytes[index] = bytes[index] << count | bytes[index] >> (8 - count)
      }
    default:
      guard let inflated = Zlib.inflate(bytes, limit: budget.bytes - madeCount) else {
        throw Stop(.badCompression)
      }
      bytes = inflated
    }
    stack.append(try made(.bytes, bytes))
  }
}
