// What the events that a packet shows say about it. They are known only when all events are: they are counted
// in a first pass, and given to the packet in a second one.
extension FilterRun {
  /// How many numbers a tally has.
  public var tallyCount: Int { filter.eventTests.count }

  /// Adds to a tally what was given since `begin`: how many values there were for each test of events,
  /// and how many of them fit.
  public func tally(into tally: inout ArraySlice<UInt32>) {
    for (place, test) in zip(tally.indices, filter.eventTests) {
      let count = min((tally[place] >> 16) + UInt32(clamping: states[test].count), 0xFFFF)
      let fits = min((tally[place] & 0xFFFF) + UInt32(clamping: states[test].fits), count)
      tally[place] = count << 16 | fits
    }
  }

  /// Whether what was given since `begin` says more to a test of events than that there is an event.
  public var mayDecide: Bool {
    filter.eventTests.contains {
      states[$0].fits > 0 || filter.tests[$0].needsAll && states[$0].count > 0
    }
  }

  /// Gives a packet what a tally says.
  public mutating func add(tally: ArraySlice<UInt32>) {
    for (word, test) in zip(tally, filter.eventTests) {
      states[test].count += Int(word >> 16)
      states[test].fits += Int(word & 0xFFFF)
    }
  }
}
