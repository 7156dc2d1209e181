import HarkCore

extension LayoutMachine {
  /// Runs steps until the layout ends.
  mutating func execute<Receiver: LayoutReceiver>(
    _ packet: RawSpan, _ out: inout Receiver
  ) throws(Stop) {
    // Held here, they are asked for once who else holds them.
    let (steps, constants) = (layout.steps, layout.constants)
    while true {
      stepsLeft &-= 1
      guard stepsLeft >= 0 else { throw Stop(.budget) }
      let step = steps[ip]
      ip &+= 1
      let a = Int(step.a)
      switch step.op {
      case .integer: stack.append(Value(a))
      case .constant: stack.append(constants[a])
      case .slot:
        let value = slots[base &+ a]
        guard value.tag != .unset else { throw Stop(.missingValue) }
        stack.append(value)
      case .instance: try instance(Int(step.b), of: object)
      case .member:
        let target = try popObject(type: Int(step.b))
        let value = slots[objects[target].base + a]
        guard value.tag != .unset else { throw Stop(.missingValue) }
        stack.append(value)
      case .memberInstance:
        guard let last = stack.last else { throw Stop(.missingValue) }
        let target = try number(of: last, type: a)
        try instance(Int(step.b), of: target, isOnStack: true)
      case .parent: stack.append(Self.reference(objects[object].parent))
      case .root: stack.append(Self.reference(objects[object].root))
      case .stream: stack.append(Value(.stream, number: objects[object].stream))
      case .memberParent: stack.append(Self.reference(objects[try popObject()].parent))
      case .memberRoot: stack.append(Self.reference(objects[try popObject()].root))
      case .memberStream: stack.append(Value(.stream, number: objects[try popObject()].stream))
      case .arrayCount:
        let value = slots[base &+ a]
        stack.append(Value(value.tag == .array ? arrays[value.number].count : 0))

      case .jump: ip &+= a
      case .jumpIfFalse: if try !popBool() { ip &+= a }
      case .jumpIfFalseOrDrop, .jumpIfTrueOrDrop:
        let isTrue = try popBool()
        if isTrue == (step.op == .jumpIfTrueOrDrop) {
          stack.append(Value(isTrue))
          ip &+= a
        }
      case .table:
        let value = pop()
        guard value.isInteger || value.tag == .enumeration else { throw Stop(.missingValue) }
        ip &+=
          (value.tag == .bigInt ? nil : skipped(step, Int64(bitPattern: value.bits)))
          ?? Int(step.b)

      case .add, .subtract, .multiply, .divide, .modulo, .bitAnd, .bitOr, .bitXor, .shiftLeft,
        .shiftRight, .negate, .invert:
        try arithmetic(step.op)
      case .not: stack.append(Value(try !popBool()))
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
        try comparison(step.op, packet)
      case .join, .index, .size, .length, .first, .last, .least, .most, .reverse, .substring,
        .parseInteger, .integerToString, .floatToInteger, .boolToInteger, .enumToInteger, .toEnum,
        .isInEnum, .decode, .makeArray, .makeBytes, .checkType, .streamPosition, .streamSize,
        .streamEnd, .text, .checksum:
        try method(step, packet)
      case .drop: _ = pop()

      case .mark:
        markField = Int(step.b)
        markStart = streams[stream].position
      case .readInteger: try readInteger(a, step.flags, packet)
      case .readFloat: try readFloat(a, step.flags, packet)
      case .readBits: try readBits(a, step.flags, packet)
      case .readSized:
        let count = try popCount()
        try readBytes(count)
      case .readToEnd:
        align()
        try readBytes(streams[stream].available)
      case .readTerminated: try readTerminated(layout.strips[a], packet)
      case .strip: strip(layout.strips[a], packet)
      case .xor, .rotate, .inflate: try process(step.op, packet)
      case .found:
        if Receiver.wantsFields, muted == 0, let value = stack.last {
          found(Int(step.b), value, &out)
        }
      case .store: slots[base &+ a] = pop()
      case .append: try append(to: a, last: Int(step.b))
      case .beginArray: try beginArray(step)
      case .loopWhileCount:
        let value = slots[base &+ Int(step.b)]
        let count = value.tag == .array ? arrays[value.number].count : 0
        if count >= slots[base &+ Int(step.c)].number { ip &+= a }
      case .loopUntilEnd: if isAtEnd(stream) { ip &+= a }
      case .check: try check(step, &out)

      case .call: try call(step, &out)
      case .endObject: if endObject(&out) { return }
      case .seek: try seek(step.flags)
      case .endInstance: endInstance(step, &out)
      case .show: if Receiver.wantsFields, muted == 0 { show(Int(step.b), &out) }
      case .setEndian: objects[object].isLittle = a != 0
      case .undecidedEndian: throw Stop(.undecidedEndianness)
      case .stop: return
      }
    }
  }

  /// How many steps the table of `step` skips for `key`.
  private func skipped(_ step: Step, _ key: Int64) -> Int? {
    let table = Int(step.a)..<(Int(step.a) + Int(step.c))
    let index = table.partitioningIndex { layout.cases[$0].key >= key }
    guard table.contains(index), layout.cases[index].key == key else { return nil }
    return layout.cases[index].skipped
  }

  private static func reference(_ object: Int) -> Value {
    object < 0 ? .null : Value(.object, number: object)
  }

  mutating func popBool() throws(Stop) -> Bool {
    let value = pop()
    guard value.tag == .bool else { throw Stop(.missingValue) }
    return value.isTrue
  }

  mutating func popObject(type: Int? = nil) throws(Stop) -> Int {
    try number(of: pop(), type: type)
  }

  func number(of value: Value, type: Int?) throws(Stop) -> Int {
    guard value.tag == .object else { throw Stop(.missingValue) }
    if let type, objects[value.number].type != type { throw Stop(.wrongType) }
    return value.number
  }

  // MARK: Arrays

  private mutating func beginArray(_ step: Step) throws(Stop) {
    if Int(step.flags) & StepFlag.counted != 0 {
      slots[base + Int(step.b)] = Value(try popCount())
    }
    slots[base + Int(step.a)] = Value(.array, number: try makeArray())
  }

  mutating func makeArray() throws(Stop) -> Int {
    try take(values: 1)
    if arrayCount < arrays.count {
      arrays[arrayCount].removeAll(keepingCapacity: true)
    } else {
      arrays.append([])
    }
    arrayCount += 1
    return arrayCount - 1
  }

  private mutating func append(to slot: Int, last: Int) throws(Stop) {
    let value = pop()
    slots[base + last] = value
    try take(values: 1)
    let array = slots[base + slot]
    if array.tag == .array { arrays[array.number].append(value) }
  }

  // MARK: What receivers see

  private func found(_ field: Int, _ value: Value, _ out: inout some LayoutReceiver) {
    let current = streams[stream]
    let isPart = current.space != .packet || current.bitCount > 0 || isBitField
    out.found(field, shown(value), at: concerned(current), isPart: isPart)
  }

  /// The bytes of the packet that the last member was read from.
  func concerned(_ stream: Stream) -> Range<Int> {
    guard stream.space == .packet else { return stream.origin }
    let start = min(markStart, stream.end)
    return start..<max(start, min(stream.position, stream.end))
  }

  private var isBitField: Bool { ip >= 2 && readsBits(ip - 2) || ip >= 3 && readsBits(ip - 3) }

  private func readsBits(_ place: Int) -> Bool {
    layout.steps[place].op == .readBits && layout.steps[place].a % 8 != 0
  }

  func shown(_ value: Value) -> LayoutValue {
    switch value.tag {
    case .int, .enumeration: .signed(Int64(bitPattern: value.bits))
    case .bigInt: .unsigned(value.bits)
    case .float: .float(value.double)
    case .bool: .bool(value.isTrue)
    case .string, .bytes:
      switch value.space {
      case .packet: .packet(value.range)
      case .scratch: .made(Array(scratch[value.range]))
      case .constants: .made(Array(layout.constantBytes[value.range]))
      }
    case .unset, .pending, .null, .array, .object, .stream: .none
    }
  }

  private mutating func check<Receiver: LayoutReceiver>(
    _ step: Step, _ out: inout Receiver
  ) throws(Stop) {
    guard try !popBool() else { return }
    let kind = LayoutFailure.Check(rawValue: UInt8(truncatingIfNeeded: step.a)) ?? .expression
    markField = Int(step.b)
    guard mode == .lenient else { throw Stop(.check(kind)) }
    guard Receiver.wantsFields, muted == 0 else { return }
    let range = concerned(streams[stream])
    out.failed(
      LayoutFailure(reason: .check(kind), field: Int(step.b), offset: range.lowerBound),
      over: range)
  }
}
