import HarkCore

// Methods. Kaitai Struct user guide, section 6.4.
extension LayoutMachine {
  mutating func method(_ step: Step, _ packet: RawSpan) throws(Stop) {
    let a = Int(step.a)
    switch step.op {
    case .makeArray, .makeBytes: try makeList(step.op, a)
    case .index:
      let place = try popInteger()
      guard let place = place.int else { throw Stop(.badIndex) }
      stack.append(try element(place, of: pop(), packet))
    case .first, .last, .size, .least, .most: try sequence(step.op, packet)
    case .join:
      let (b, first) = (pop(), pop())
      guard first.tag == .string, b.tag == .string else { throw Stop(.missingValue) }
      guard first.count + b.count <= budget.bytes else { throw Stop(.budget) }
      stack.append(try made(.string, bytes(of: first, packet) + bytes(of: b, packet)))
    case .length, .reverse, .substring, .parseInteger: try text(step.op, packet)
    case .integerToString:
      stack.append(try made(.string, Array(try popInteger().description.utf8)))
    case .floatToInteger:
      let value = pop()
      if value.isInteger { return stack.append(value) }
      guard value.tag == .float else { throw Stop(.missingValue) }
      guard let number = Int128(exactly: value.double.rounded(.towardZero)) else {
        throw Stop(.conversion)
      }
      stack.append(Value(Integer(wide: number)))
    case .boolToInteger: stack.append(Value(try popBool() ? 1 : 0))
    case .enumToInteger:
      let value = pop()
      guard value.tag == .enumeration || value.isInteger else { throw Stop(.missingValue) }
      stack.append(Value(tag: .int, bits: value.bits))
    case .toEnum:
      let value = try popInteger()
      stack.append(Value(tag: .enumeration, detail: UInt32(a), bits: value.bits))
    case .isInEnum:
      let value = pop()
      stack.append(Value(layout.enums[a].members[value.bits] != nil))
    case .decode: try decode(layout.encodings[a], packet)
    case .checkType:
      let value = pop()
      if value.tag == .object { _ = try number(of: value, type: a) }
      guard value.tag == .object || value.tag == .null else { throw Stop(.wrongType) }
      stack.append(value)
    case .streamPosition, .streamSize, .streamEnd: try streamMember(step.op)
    case .text: try makeText()
    case .checksum:
      let value = pop()
      guard value.tag == .bytes else { throw Stop(.missingValue) }
      try take(bytes: value.count * 8)
      let sum = layout.checksums[a].value(over: bytes(of: value, packet))
      stack.append(Value(Int(sum)))
    default: break
    }
  }

  private mutating func streamMember(_ op: Step.Op) throws(Stop) {
    let value = pop()
    guard value.tag == .stream else { throw Stop(.missingValue) }
    let stream = streams[value.number]
    switch op {
    case .streamPosition: stack.append(Value(stream.position - stream.start))
    case .streamSize: stack.append(Value(stream.end - stream.start))
    default: stack.append(Value(isAtEnd(value.number)))
    }
  }

  // MARK: Arrays and bytes

  private mutating func makeList(_ op: Step.Op, _ count: Int) throws(Stop) {
    guard count <= stack.count else { throw Stop(.missingValue) }
    let items = Array(stack.suffix(count))
    stack.removeLast(count)
    if op == .makeBytes {
      guard items.allSatisfy(\.isInteger) else { throw Stop(.missingValue) }
      stack.append(try made(.bytes, items.map { UInt8(truncatingIfNeeded: $0.bits) }))
    } else {
      try take(values: count)
      let array = try makeArray()
      arrays[array] += items
      stack.append(Value(.array, number: array))
    }
  }

  private func count(of value: Value) throws(Stop) -> Int {
    switch value.tag {
    case .array: arrays[value.number].count
    case .bytes: value.count
    default: throw Stop(.missingValue)
    }
  }

  func element(_ place: Int, of value: Value, _ packet: RawSpan) throws(Stop) -> Value {
    guard place >= 0, place < (try count(of: value)) else { throw Stop(.badIndex) }
    return value.tag == .array
      ? arrays[value.number][place]
      : Value(Int(byte(at: value.start + place, in: value.space, packet)))
  }

  private mutating func sequence(_ op: Step.Op, _ packet: RawSpan) throws(Stop) {
    let value = pop()
    let count = try count(of: value)
    if op == .size { return stack.append(Value(count)) }
    guard count > 0 else { throw Stop(.badIndex) }
    if op == .first || op == .last {
      return stack.append(try element(op == .first ? 0 : count - 1, of: value, packet))
    }
    try take(bytes: count * 8)
    var best = try element(0, of: value, packet)
    for place in 1..<max(count, 1) {
      let next = try element(place, of: value, packet)
      if try order(next, best, packet) == (op == .least ? -1 : 1) { best = next }
    }
    stack.append(best)
  }

  // MARK: Text

  private mutating func decode(_ encoding: TextEncoding, _ packet: RawSpan) throws(Stop) {
    let value = pop()
    guard value.tag == .bytes else { throw Stop(.missingValue) }
    try take(bytes: value.count * 2)
    let raw = bytes(of: value, packet)
    guard let text = encoding.decode(raw) else { throw Stop(.unknownEncoding) }
    // Mostly it is what is there: then nothing is kept twice.
    stack.append(
      text == raw ? Value(.string, value.space, value.range) : try made(.string, text))
  }

  private mutating func text(_ op: Step.Op, _ packet: RawSpan) throws(Stop) {
    switch op {
    case .length:
      let scalars = try popScalars(packet)
      stack.append(Value(scalars.count))
    case .reverse:
      let scalars = try popScalars(packet)
      stack.append(try made(.string, Self.utf8(scalars.reversed())))
    case .substring:
      let to = try popCount()
      let from = try popCount()
      let scalars = try popScalars(packet)
      let range = min(from, scalars.count)..<max(min(from, scalars.count), min(to, scalars.count))
      stack.append(try made(.string, Self.utf8(scalars[range])))
    default:
      let radix = try popCount()
      let value = pop()
      guard value.tag == .string else { throw Stop(.missingValue) }
      guard (2...36).contains(radix), value.count < 80,
        let number = Int128(
          String(decoding: bytes(of: value, packet), as: UTF8.self), radix: radix),
        number >= Int128(Int64.min), number <= Int128(UInt64.max)
      else { throw Stop(.conversion) }
      stack.append(Value(Integer(wide: number)))
    }
  }

  private mutating func popScalars(_ packet: RawSpan) throws(Stop) -> [UnicodeScalar] {
    let value = pop()
    guard value.tag == .string else { throw Stop(.missingValue) }
    try take(bytes: value.count * 4)
    return Array(String(decoding: bytes(of: value, packet), as: UTF8.self).unicodeScalars)
  }

  private static func utf8(_ scalars: some Sequence<UnicodeScalar>) -> [UInt8] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return Array(String(view).utf8)
  }

  /// Makes text of what is in an `f"..."`.
  private mutating func makeText() throws(Stop) {
    let value = pop()
    switch value.tag {
    case .string: stack.append(value)
    case .int, .bigInt: stack.append(try made(.string, Array(value.integer.description.utf8)))
    case .float: stack.append(try made(.string, Array(value.double.description.utf8)))
    default: throw Stop(.missingValue)
    }
  }
}
