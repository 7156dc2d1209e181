import HarkCore
import HarkCrypto

/// Collects values of attributes that may be the parts of one message, and looks for a key in what they make: with a
/// small MTU, no value has a whole one.
struct KeyParts {
  private struct Run {
    let owner: Session.DatabaseKey
    let handle: UInt16
    let toServer: Bool
    var parts: [[UInt8]] = []
    var count = 0
  }

  private var runs: [Run] = []
  /// How many more values may be kept, and runs searched, in the whole capture.
  private var valuesLeft = 1_024
  private var searchesLeft = 128

  private static let mostRuns = 16
  /// A shorter value is no full packet.
  private static let smallest = 16
  /// The text of an X-Wing key and what is around it.
  private static let longest = 2_048
  /// How many bytes of a header a part may have.
  private static let longestHeader = 8

  var isSpent: Bool { valuesLeft == 0 || searchesLeft == 0 }

  /// - Returns: The key in the message that this value ends.
  mutating func take(
    _ value: RawSpan, at handle: UInt16, toServer: Bool, of owner: Session.DatabaseKey
  ) -> KeyShape? {
    guard !isSpent else { return nil }
    var run = Run(owner: owner, handle: handle, toServer: toServer)
    if let index = runs.firstIndex(where: {
      $0.handle == handle && $0.toServer == toServer && $0.owner == owner
    }) {
      run = runs.remove(at: index)
    }
    // Parts are of one size, except for the last, which is shorter.
    let size = run.parts.first?.count ?? 0
    if value.byteCount > size || run.count + value.byteCount > Self.longest {
      (run.parts, run.count) = ([], 0)
      guard value.byteCount >= Self.smallest else { return nil }
    }
    valuesLeft -= 1
    run.parts.append(value.array(0..<value.byteCount))
    run.count += value.byteCount
    guard run.parts.count > 1, value.byteCount < size else {
      if runs.count == Self.mostRuns { runs.removeFirst() }
      runs.append(run)
      return nil
    }
    searchesLeft -= 1
    return run.count >= KeyShape.p256.size ? Self.key(in: run.parts) : nil
  }

  private static func key(in parts: [[UInt8]]) -> KeyShape? {
    for header in 0...longestHeader where parts.allSatisfy({ $0.count > header }) {
      let message = parts.flatMap { $0.dropFirst(header) }
      if let shape = KeyShape.whole(in: message.raw) { return shape }
    }
    return nil
  }
}
