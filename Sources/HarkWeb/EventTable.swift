import HarkSession

/// What is known of each event without its text, in columns: 22 bytes an event.
struct EventTable: Sendable {
  /// Where an event stands on the time axis, in nanoseconds; never less than that of the one before.
  private(set) var axis: [Int64] = []
  private(set) var parties: [UInt16] = []
  private(set) var first: [UInt32] = []
  private(set) var last: [UInt32] = []
  private var kinds: [UInt8] = []

  var count: Int { axis.count }

  mutating func append(_ event: Event, axis place: Int64, party: UInt16) {
    axis.append(place)
    parties.append(party)
    first.append(event.frames.first.number)
    last.append(event.frames.last.number)
    kinds.append(PageLane(event.lane).rawValue | event.severity.rawValue << 6)
  }

  func lane(_ index: Int) -> UInt8 { kinds[index] & 0x3F }
  func severity(_ index: Int) -> UInt8 { kinds[index] >> 6 }

  /// The first event that stands at `place` or behind it; `count` if there is none.
  func firstIndex(from place: Int64) -> Int {
    var (low, high) = (0, axis.count)
    while low < high {
      let middle = (low + high) / 2
      if axis[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
