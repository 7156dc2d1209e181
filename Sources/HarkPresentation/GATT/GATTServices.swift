import HarkSession

/// The services of a database in order, and which of them holds a handle. Handles are asked for in
/// ascending order, so that the whole database is walked once.
package struct GATTServices: Sendable {
  package let all: [GATTDatabase.Service]
  private var next = 0
  /// Those that begin before the handle asked for last and may hold it.
  private var open: [Int] = []

  package init(_ database: GATTDatabase) {
    all = database.services.values.sorted { $0.start < $1.start }
  }

  /// The index of the service that holds `handle`: of several, the one that begins last.
  package mutating func index(containing handle: UInt16) -> Int? {
    while next < all.count, all[next].start <= handle {
      open.append(next)
      next += 1
    }
    while let last = open.last, all[last].end < handle { open.removeLast() }
    return open.last
  }
}
