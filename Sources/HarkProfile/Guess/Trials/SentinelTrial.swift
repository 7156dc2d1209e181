/// Whether each message has values of its own before and after it.
struct SentinelTrial {
  let start: [UInt8]
  let end: [UInt8]
  /// Bytes before a value's own ones, in all values.
  let header: Int
  /// Of the header, those that are the same in all.
  let prefix: [UInt8]
  let rounds: Int

  private static let longest = 32
  private static let mostHeader = 32
  /// Short ones may be commands and answers that take turns.
  private static func fewestRounds(_ shorter: Int) -> Int { shorter < 4 ? 3 : 2 }

  static func find(_ samples: Samples) -> SentinelTrial? {
    let steps = samples.all.filter(\.isStep)
    guard steps.count >= 6 else { return nil }
    if let found = find(steps, header: 0, []) { return found }
    // After a wrapper that each value has, which begins with the same bytes.
    let prefix = commonPrefix(steps)
    guard prefix.count >= 2 else { return nil }
    for header in prefix.count...max(prefix.count, mostHeader) {
      if let found = find(steps, header: header, prefix) { return found }
    }
    return nil
  }

  private static func commonPrefix(_ steps: [Sample]) -> [UInt8] {
    guard var prefix = steps.first?.bytes.prefix(8) else { return [] }
    for step in steps {
      while !step.bytes.starts(with: prefix) { prefix.removeLast() }
    }
    return Array(prefix)
  }

  private static func find(_ steps: [Sample], header: Int, _ prefix: [UInt8]) -> SentinelTrial? {
    guard steps.allSatisfy({ $0.bytes.count > header }) else { return nil }
    let contents = steps.map { $0.bytes.dropFirst(header) }
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for content in contents where content.count <= longest { counts[content, default: 0] += 1 }
    let often = counts.filter { $0.value >= fewestRounds($0.key.count) }
    guard let first = contents.first(where: { often[$0] != nil }) else { return nil }
    // In an order that does not change from run to run.
    var tried: Set<ArraySlice<UInt8>> = [first]
    for end in contents where often[end] != nil && tried.insert(end).inserted {
      guard let rounds = rounds(contents, first, end) else { continue }
      return SentinelTrial(
        start: Array(first), end: Array(end), header: header, prefix: prefix, rounds: rounds)
    }
    return nil
  }

  /// How many messages stand between the two; nil unless the two take turns and everything else is between.
  private static func rounds(
    _ contents: [ArraySlice<UInt8>], _ start: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>
  ) -> Int? {
    var isOpen = false
    var (rounds, inside, empty, broken) = (0, 0, 0, 0)
    for content in contents {
      switch content {
      case start:
        // A message that was not brought to its end, as when the link was lost.
        if isOpen { broken += 1 }
        (isOpen, inside) = (true, 0)
      case end:
        guard isOpen else { return nil }
        isOpen = false
        rounds += 1
        if inside == 0 { empty += 1 }
      default:
        guard isOpen else { return nil }
        inside += 1
      }
    }
    return rounds >= fewestRounds(min(start.count, end.count)) && empty == 0 && broken * 3 <= rounds
      ? rounds : nil
  }

  func messages(_ samples: Samples) -> [Sample] {
    var messages: [Sample] = []
    var parts: [UInt8] = []
    for sample in samples.all where sample.isStep {
      let content = sample.bytes.dropFirst(header)
      if content.elementsEqual(start) {
        parts = []
      } else if content.elementsEqual(end) {
        messages.append(
          Sample(parts, frame: sample.frame, toServer: sample.toServer, isStep: true))
      } else {
        parts += content
      }
    }
    return messages
  }
}
