import HarkSession

/// The numbered fragments of one key, and the message they make.
///
/// A place is a fragment's number without its modulo. Where the numbers start over with each message,
/// it is counted from the message's first.
struct NumberedSeries: Sendable {
  /// How far a fragment may be ahead of the one that is missing: more were lost, not overtaken.
  private static let window = 16

  let key: ProfileValue
  private let rule: FragmentSequence
  /// The place that comes next; nil until a message began, where numbers run on.
  private var next: Int?
  /// In the making.
  private var growing: Growing?
  /// Ahead of a fragment that is missing, by place; none is before `next`.
  private var waiting: [Int: NumberedFragment] = [:]
  /// The first fragments of the message in the making that came again, one after the other: those of
  /// another that begins the same, should the next one be different.
  private var again: [NumberedFragment] = []
  /// What ended the last message: it may come once more.
  private var ended: (place: Int, bytes: [UInt8])?
  /// Whether further fragments belong to a message that was given up and reported.
  private var isSkipping = false
  /// Fragments of a message without its first one, reported together.
  private var strays: WholeMessage?

  private struct Growing: Sendable {
    var message: WholeMessage
    let start: Int
    let total: Int?
    /// Where the fragments are in the bytes, by place.
    var ranges: [Int: Range<Int>]

    init(_ fragment: NumberedFragment, at place: Int) {
      (message, start, total) = (fragment.part, place, fragment.total)
      ranges = [place: fragment.part.bytes.indices]
    }
  }

  init(_ rule: FragmentSequence, _ key: ProfileValue) { (self.rule, self.key) = (rule, key) }

  /// Whether numbers run on from message to message.
  private var runsOn: Bool { rule.first != nil }

  var isInside: Bool { growing != nil }

  mutating func receive(_ fragment: NumberedFragment) -> [Joining.Outcome] {
    var outcomes: [Joining.Outcome] = []
    receive(fragment, &outcomes)
    return outcomes
  }

  /// Reports what is in the making.
  mutating func interrupt(_ reason: Interruption) -> [Joining.Outcome] {
    var outcomes: [Joining.Outcome] = []
    end(reason, &outcomes)
    flushStrays(&outcomes)
    return outcomes
  }

  private mutating func receive(
    _ fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    guard let next, runsOn || growing != nil else {
      if fragment.isFirst { return begin(with: fragment, &outcomes) }
      return receiveLost(fragment, &outcomes)
    }
    let distance = distance(fragment.number, from: next)
    let place = next + distance
    if isRepeat(fragment, place) { return receiveAgain(fragment, place, &outcomes) }
    defer { again = [] }
    let belongs = belongs(fragment, place)
    if belongs, (0...Self.window).contains(distance) {
      if runsOn, fragment.isFirst { giveUp(before: place, fragment, &outcomes) }
      waiting[place] = fragment
      return drain(&outcomes)
    }
    if fragment.isFirst {
      if runsOn, distance > 0 { giveUp(before: place, fragment, &outcomes) }
      if runsOn, fragment.isLast || fragment.total == 1, (-Self.window..<0).contains(distance) {
        // Overtaken, and complete by itself.
        return outcomes.append(.message(fragment.part))
      }
      return begin(with: fragment, &outcomes)
    }
    if belongs, distance > 0 {
      giveUp(before: place, fragment, &outcomes)
      guard self.next == place, runsOn || growing != nil else {
        return receiveLost(fragment, &outcomes)
      }
      waiting[place] = fragment
      return drain(&outcomes)
    }
    receiveOther(fragment, place, &outcomes)
  }

  // MARK: Places

  /// How far a number is ahead of a place, or after: the nearer of both, where numbers begin again.
  private func distance(_ number: Int, from place: Int) -> Int {
    guard let modulo = rule.modulo else { return number - place }
    let ahead = (number - place % modulo + modulo) % modulo
    return ahead > (modulo - 1) / 2 ? ahead - modulo : ahead
  }

  private func number(_ place: Int) -> Int { rule.modulo.map { place % $0 } ?? place }

  private func isRepeat(_ fragment: NumberedFragment, _ place: Int) -> Bool {
    if let growing, let range = growing.ranges[place] {
      return growing.message.bytes[range].elementsEqual(fragment.part.bytes)
    }
    if let known = waiting[place] { return known.part.bytes == fragment.part.bytes }
    return runsOn && isEnded(fragment, place)
  }

  private func isEnded(_ fragment: NumberedFragment, _ place: Int) -> Bool {
    ended.map { $0.place == place && $0.bytes == fragment.part.bytes } ?? false
  }

  /// Whether it can be of the message in the making, or of the one that comes next.
  private func belongs(_ fragment: NumberedFragment, _ place: Int) -> Bool {
    if waiting[place] != nil { return false }
    guard let growing, let total = growing.total, !(runsOn && fragment.isFirst) else { return true }
    return fragment.total == total && place - growing.start < total
  }

  // MARK: Kinds of fragments

  private mutating func receiveAgain(
    _ fragment: NumberedFragment, _ place: Int, _ outcomes: inout [Joining.Outcome]
  ) {
    if place == growing?.start {
      if rule.repetition == .restart { return begin(with: fragment, &outcomes) }
      again = []
    }
    if let growing, place == growing.start + again.count { again.append(fragment) }
  }

  /// Of another message than the one in the making.
  private mutating func receiveOther(
    _ fragment: NumberedFragment, _ place: Int, _ outcomes: inout [Joining.Outcome]
  ) {
    if let first = again.first, place == growing.map({ $0.start + again.count }) {
      let rest = again.dropFirst() + [fragment]
      again = []
      begin(with: first, &outcomes)
      for fragment in rest { receive(fragment, &outcomes) }
      return
    }
    end(.startedAgain, &outcomes)
    receiveLost(fragment, &outcomes)
  }

  /// Of a message whose first fragment is missing.
  private mutating func receiveLost(
    _ fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    if isSkipping {
      let isEnd = fragment.isLast || (!runsOn && fragment.number + 1 == fragment.total)
      if isEnd { isSkipping = false }
    } else if !isEnded(fragment, fragment.number) {
      stray(fragment, &outcomes)
    }
  }

  // MARK: Messages

  private mutating func begin(
    with fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    end(.startedAgain, &outcomes)
    next = fragment.number
    waiting = [fragment.number: fragment]
    drain(&outcomes)
  }

  /// Takes what is next, and what waited for it.
  private mutating func drain(_ outcomes: inout [Joining.Outcome]) {
    while let place = next, let fragment = waiting.removeValue(forKey: place) {
      take(fragment, at: place, &outcomes)
    }
  }

  private mutating func take(
    _ fragment: NumberedFragment, at place: Int, _ outcomes: inout [Joining.Outcome]
  ) {
    next = place + 1
    if fragment.isFirst, runsOn || place == 0 {
      flushStrays(&outcomes)
      reportEnd(.startedAgain, &outcomes)
      growing = Growing(fragment, at: place)
      if fragment.part.bytes.count > rule.longest { tooLarge(&outcomes) }
    } else if growing != nil {
      grow(fragment.part, at: place, &outcomes)
    } else {
      receiveLost(fragment, &outcomes)
    }
    guard let own = growing, fragment.isLast || place - own.start + 1 == own.total else { return }
    ended = (place, fragment.part.bytes)
    outcomes.append(.message(own.message))
    growing = nil
    guard !runsOn else { return }
    // After the end of a message, none of its fragments follow.
    for (_, left) in waiting.sorted(by: { $0.key < $1.key }) { stray(left, &outcomes) }
    waiting = [:]
  }

  private mutating func grow(
    _ part: WholeMessage, at place: Int, _ outcomes: inout [Joining.Outcome]
  ) {
    // Moved out while it grows, so that the bytes are not copied.
    guard var own = growing.take() else { return }
    let begin = own.message.bytes.count
    let isTaken = begin + part.bytes.count <= rule.longest && own.message.append(part)
    own.ranges[place] = begin..<own.message.bytes.count
    growing = own
    if !isTaken { tooLarge(&outcomes) }
  }

  private mutating func tooLarge(_ outcomes: inout [Joining.Outcome]) {
    guard let own = growing.take() else { return }
    outcomes.append(.gap(.tooLarge(limit: rule.longest), own.message.origin))
    isSkipping = true
  }

  // MARK: What is missing

  /// Reports the fragments that are missing before `place`.
  private mutating func giveUp(
    before place: Int, _ fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    while let missing = next, missing < place, runsOn || growing != nil {
      let found = min(waiting.keys.min() ?? place, place)
      lose(missing..<found, waiting[found] ?? fragment, &outcomes)
      drain(&outcomes)
    }
  }

  /// - Parameter fragment: The one after them.
  private mutating func lose(
    _ places: Range<Int>, _ fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    next = places.upperBound
    // Fragments of a message that was given up are not reported again.
    if isSkipping { return }
    outcomes.append(
      .gap(
        .lostFragments(first: number(places.lowerBound), count: places.count),
        growing?.message.origin ?? fragment.part.origin))
    if growing == nil || rule.gap == .drop { (growing, isSkipping) = (nil, true) }
  }

  /// Gives up the message in the making, with what waits.
  private mutating func end(_ reason: Interruption, _ outcomes: inout [Joining.Outcome]) {
    while let missing = next, let found = waiting.keys.min(), let fragment = waiting[found] {
      lose(missing..<found, fragment, &outcomes)
      drain(&outcomes)
    }
    reportEnd(reason, &outcomes)
  }

  private mutating func reportEnd(_ reason: Interruption, _ outcomes: inout [Joining.Outcome]) {
    if let own = growing.take() {
      outcomes.append(.gap(.moreWithoutLast(reason), own.message.origin))
    }
    isSkipping = false
  }

  private mutating func stray(
    _ fragment: NumberedFragment, _ outcomes: inout [Joining.Outcome]
  ) {
    let part = fragment.part
    if strays?.append(part) == true { return }
    flushStrays(&outcomes)
    strays = part
  }

  private mutating func flushStrays(_ outcomes: inout [Joining.Outcome]) {
    if let strays = strays.take() {
      outcomes.append(.gap(.continuationWithoutFirst, strays.origin))
    }
  }
}
