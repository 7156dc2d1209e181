/// The parts of a message that are keys, that contain one, or that follow from one.
package struct LayoutSecrets: Sendable {
  /// Bytes that are not shown.
  package private(set) var ranges: [Range<Int>] = []
  /// Members whose values follow from a key.
  private var computed: Set<Int>
  /// Members that share bytes with a key.
  private let shared: Set<Int>

  /// Nil if no member of the layout is a key.
  package init?(_ layout: Layout, _ story: LayoutStory) {
    guard layout.holdsKeys else { return nil }
    var (computed, ranges) = (layout.keys, [Range<Int>]())
    var found: [(field: Int, range: Range<Int>)] = []
    var groups: [(field: Int, start: Int)] = []
    for event in story.events {
      switch event {
      case .open(let field, let offset, _): groups.append((field, offset))
      case .close(let offset):
        guard let group = groups.popLast() else { break }
        let range = group.start..<max(group.start, offset)
        if layout.keys.contains(group.field) { ranges.append(range) }
      case .found(let field, _, let range, _):
        if layout.keys.contains(field) {
          ranges.append(range)
        } else {
          found.append((field, range))
        }
      case .failed(let failure, let range):
        // What could not be read may be a key, or the rest of one. Checks fail after reading.
        if case .check = failure.reason { break }
        if let field = failure.field, layout.fields[field].isInstance, !layout.keys.contains(field)
        {
          break
        }
        ranges.append(range)
      case .computed, .unclaimed: break
      }
    }
    let keys = ranges
    shared = Set(
      found.filter { item in keys.contains { $0.overlaps(item.range) } }.map(\.field))
    var reached = shared
    while !reached.isEmpty {
      let next = layout.sources.filter { field, sources in
        !computed.contains(field) && !sources.isDisjoint(with: reached)
      }
      computed.formUnion(next.keys)
      reached = Set(next.keys)
    }
    for (field, range) in found where computed.contains(field) { ranges.append(range) }
    (self.computed, self.ranges) = (computed, ranges)
  }

  /// Whether bytes are, or may be, those of a key.
  package func overlaps(_ range: Range<Int>) -> Bool {
    ranges.contains { $0.overlaps(range) }
  }

  /// Whether the value of a member contains a part of a key, or follows from one.
  package func contains(_ field: Int) -> Bool {
    computed.contains(field) || shared.contains(field)
  }
}
