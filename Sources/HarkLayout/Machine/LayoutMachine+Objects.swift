// Objects, instances, and what becomes of them when reading fails.
extension LayoutMachine {
  private mutating func pushFrame(_ kind: Frame.Kind, ip: Int) throws(Stop) {
    guard frames.count < budget.depth else { throw Stop(.budget) }
    frames.append(
      Frame(
        kind: kind, ip: ip, object: object, stream: stream, markField: markField,
        markStart: markStart, height: stack.count))
  }

  private mutating func popFrame() -> Frame? {
    guard let frame = frames.popLast() else { return nil }
    if frame.kind == .instance { muted -= 1 }
    if frame.kind == .show {
      slots[frame.slot] = frame.kept
      showing -= 1
      if showing == 0 { swapReserve() }
    }
    if frame.moved >= 0, let saved = moved.popLast() { streams[frame.moved] = saved }
    object = frame.object
    base = objects[object].base
    stream = frame.stream
    (markField, markStart) = (frame.markField, frame.markStart)
    ip = frame.ip
    return frame
  }

  // MARK: Objects

  mutating func call<Receiver: LayoutReceiver>(
    _ step: Step, _ out: inout Receiver
  ) throws(Stop) {
    let flags = Int(step.flags)
    align()
    var bytes: Value?
    if flags & StepFlag.substream != 0 {
      let value = pop()
      guard value.tag == .bytes else { throw Stop(.missingValue) }
      bytes = value
    }
    var parent = flags & (StepFlag.foreign | StepFlag.noParent) != 0 ? -1 : object
    if flags & StepFlag.givenParent != 0 {
      let value = pop()
      parent = value.tag == .object ? value.number : -1
    }
    let isForeign = flags & StepFlag.foreign != 0
    let root =
      isForeign ? (flags & StepFlag.top != 0 ? objects.count : -1) : objects[object].root
    let count = Int(step.c)
    let height = stack.count - count
    guard height >= 0 else { throw Stop(.missingValue) }
    let made = try makeObject(
      type: Int(step.a), parent: parent, root: root, stream: stream,
      isLittle: objects[object].isLittle)
    for index in 0..<count { slots[objects[made].base + index] = stack[height + index] }
    stack.removeLast(count)
    let own: Int? = if let bytes { try makeStream(bytes) } else { nil }
    try pushFrame(.object, ip: ip)
    if let own {
      frames[frames.count - 1].isBounded = true
      stream = own
    }
    objects[made].stream = stream
    object = made
    base = objects[made].base
    ip = layout.types[Int(step.a)].entry
    if Receiver.wantsFields, muted == 0 {
      let read = streams[stream]
      let limit = read.space == .packet ? read.end : read.origin.upperBound
      out.open(
        Int(step.b), at: offset(of: min(read.position, read.end), in: read),
        limit: own == nil ? nil : limit)
    }
  }

  private mutating func makeStream(_ bytes: Value) throws(Stop) -> Int {
    try take(values: 2)
    let outer = streams[stream]
    let origin = bytes.space == .packet ? bytes.range : concerned(outer)
    streams.append(
      Stream(
        space: bytes.space, start: bytes.start, end: bytes.start + bytes.count,
        position: bytes.start, origin: origin))
    return streams.count - 1
  }

  /// Ends the object that is read. True if it is the layout's own.
  mutating func endObject<Receiver: LayoutReceiver>(_ out: inout Receiver) -> Bool {
    guard !frames.isEmpty else { return true }
    let made = object
    if Receiver.wantsFields, muted == 0 { closeObject(&out) }
    _ = popFrame()
    stack.append(Value(.object, number: made))
    return false
  }

  private mutating func closeObject(_ out: inout some LayoutReceiver) {
    if frames.last?.isBounded == true { leaveUnclaimed(stream, &out) }
    let current = streams[stream]
    out.close(
      at: current.space == .packet
        ? min(current.position, current.end) : current.origin.upperBound)
  }

  mutating func leaveUnclaimed(_ index: Int, _ out: inout some LayoutReceiver) {
    let rest = streams[index]
    guard rest.space == .packet, rest.position < rest.end else { return }
    out.unclaimed(rest.position..<rest.end)
    streams[index].position = rest.end
    streams[index].bitCount = 0
  }

  // MARK: Instances

  /// Pushes the value of an instance, or begins to compute it and comes back to this step.
  mutating func instance(
    _ index: Int, of target: Int, isOnStack: Bool = false
  ) throws(Stop) {
    let instance = layout.instances[index]
    let value = slots[objects[target].base + instance.slot]
    switch value.tag {
    case .unset: try begin(instance, of: target, kind: .instance, ip: ip - 1)
    case .pending: throw Stop(.cycle)
    default:
      if isOnStack { stack.removeLast() }
      stack.append(value)
    }
  }

  private mutating func begin(
    _ instance: Layout.CompiledInstance, of target: Int, kind: Frame.Kind, ip next: Int
  ) throws(Stop) {
    try pushFrame(kind, ip: next)
    if kind == .instance { muted += 1 }
    let slot = objects[target].base + instance.slot
    frames[frames.count - 1].slot = slot
    frames[frames.count - 1].kept = slots[slot]
    slots[slot] = Value(tag: .pending)
    if kind == .show {
      if showing == 0 { swapReserve() }
      showing += 1
    }
    object = target
    base = objects[target].base
    stream = objects[target].stream
    ip = instance.entry
    markField = instance.field
    markStart = streams[stream].position
  }

  /// Shows an instance with the object it belongs to. Whether or not that was done, the run continues
  /// the same way.
  mutating func show(_ index: Int, _ out: inout some LayoutReceiver) {
    let instance = layout.instances[index]
    let value = slots[base + instance.slot]
    guard mode == .lenient, frames.count < budget.depth / 4, value.tag != .pending,
      value.tag != .null
    else { return }
    if instance.isValue, value.tag != .unset {
      showComputed(instance.field, value, &out)
    } else {
      try? begin(instance, of: object, kind: .show, ip: ip)
    }
  }

  private func showComputed(_ field: Int, _ value: Value, _ out: inout some LayoutReceiver) {
    let shown = shown(value)
    guard shown != .none else { return }
    let current = streams[stream]
    out.computed(field, shown, at: offset(of: min(current.position, current.end), in: current))
  }

  mutating func endInstance(_ step: Step, _ out: inout some LayoutReceiver) {
    if Int(step.flags) & StepFlag.store == 0 {
      let value = pop()
      slots[base + Int(step.a)] = value
      if frames.last?.kind == .show { showComputed(markField, value, &out) }
    }
    _ = popFrame()
  }

  /// Goes to where an instance lies; its frame remembers where its stream was.
  mutating func seek(_ flags: UInt8) throws(Stop) {
    let position = Int(flags) & StepFlag.position != 0 ? try popCount() : nil
    if Int(flags) & StepFlag.otherStream != 0 {
      let value = pop()
      guard value.tag == .stream else { throw Stop(.missingValue) }
      stream = value.number
    }
    if frames.last?.moved == -1 {
      frames[frames.count - 1].moved = stream
      moved.append(streams[stream])
    }
    guard let position else { return }
    streams[stream].position = streams[stream].start + position
    streams[stream].bitCount = 0
  }

  // MARK: Failures

  /// Leaves what cannot be read on. True if something around it can.
  mutating func recover<Receiver: LayoutReceiver>(
    from failure: LayoutFailure, _ out: inout Receiver
  ) -> Bool {
    let current = streams[stream]
    let range =
      current.space == .packet
      ? min(markStart, current.end)..<max(min(markStart, current.end), current.end)
      : current.origin
    if Receiver.wantsFields { out.failed(failure, over: range) }
    while let frame = frames.last {
      let made = object
      if frame.kind == .object {
        if Receiver.wantsFields, muted == 0 { closeObject(&out) }
        _ = popFrame()
        stack.removeLast(max(0, stack.count - frame.height))
        if frame.isBounded, mode == .lenient, failure.reason != .budget {
          stack.append(Value(.object, number: made))
          return true
        }
        keepPart(made)
        continue
      }
      // An instance that failed can be asked for again; who only wanted to show it continues.
      slots[frame.slot] = .unset
      _ = popFrame()
      stack.removeLast(max(0, stack.count - frame.height))
      if frame.kind == .show { return true }
    }
    return false
  }

  /// Keeps an object that could be read in part where it would have gone, had it been whole.
  private mutating func keepPart(_ made: Int) {
    let step = layout.steps[ip]
    let value = Value(.object, number: made)
    switch step.op {
    case .store: slots[base + Int(step.a)] = value
    case .append:
      slots[base + Int(step.b)] = value
      let array = slots[base + Int(step.a)]
      if array.tag == .array { arrays[array.number].append(value) }
    default: break
    }
  }
}
