import HarkCore

extension LayoutMachine {
  /// The value of a `-hark-stream` `total`, after a run over the bytes of the header: how long the
  /// message is. Nil if the layout says nothing or cannot say.
  public mutating func total(_ packet: RawSpan) -> Int? {
    guard let entry = layout.totalEntry,
      let value = try? evaluate(entry, packet), value.isInteger
    else { return nil }
    return value.integer.int
  }

  /// The layout's `to-string`, after a run over `packet`, as UTF-8. Nil if it has none, or what
  /// it needs could not be read.
  public mutating func summary(_ packet: RawSpan) -> [UInt8]? {
    guard let entry = layout.summaryEntry,
      let value = try? evaluate(entry, packet), value.tag == .string
    else { return nil }
    return bytes(of: value, packet)
  }

  /// The value of an expression in the context of what the last run read.
  mutating func evaluate(_ entry: Int, _ packet: RawSpan) throws(Stop) -> Value {
    guard !objects.isEmpty else { throw Stop(.missingValue) }
    stack.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    moved.removeAll(keepingCapacity: true)
    muted = 0
    stepsLeft = budget.steps
    madeCount = 0
    (object, base, stream, ip) = (0, objects[0].base, objects[0].stream, entry)
    var silence = LayoutSilence()
    try execute(packet, &silence)
    return pop()
  }
}
