/// The messages that the values of a channel make, and their encoding.
struct MadeMessages {
  let samples: Samples
  let assembly: GuessedAssembly
  /// Nil if each value is one.
  let messages: [Sample]?
  /// Bits of a byte that show which values are parts of one message, where `assembly` has none.
  let fragments: FragmentTrial?
  let encoding: GuessedEncoding?
  /// The messages as a search for keys reads them.
  let searched: [Sample]
  /// The encoding that these have after a header of the vendor's, where they have none as a whole.
  let content: GuessedContent?

  /// - Parameter isTentative: Whether less evidence is enough, because a search proves what it finds.
  init(_ samples: Samples, _ traffic: Traffic, isTentative: Bool = false) {
    (assembly, messages) = Self.assembly(
      samples, isStream: traffic.isStream, isTentative: isTentative)
    encoding = EncodingTrial.find((messages ?? samples.all).map(\.bytes))
    let isWhole = messages != nil || encoding != nil
    fragments = isWhole ? nil : FragmentTrial.find(samples, isTentative: isTentative)
    searched = messages ?? fragments?.messages(samples) ?? samples.all.filter(\.isStep)
    content = encoding == nil ? GuessedContent.find(searched) : nil
    self.samples = samples
  }

  /// As another channel's are made, however few there are; nil if the values do not fit that, or each is a message
  /// that no encoding describes.
  init?(_ samples: Samples, like other: MadeMessages) {
    guard let (assembly, messages) = Self.again(other.assembly, samples) else { return nil }
    let fragments = other.fragments
    if let fragments, fragments.offset + 1 >= samples.shortest { return nil }
    let searched = messages ?? fragments?.messages(samples) ?? samples.all.filter(\.isStep)
    let encoding = other.encoding.flatMap { EncodingTrial.again($0, searched.map(\.bytes)) }
    let content = other.content.flatMap { $0.again(searched) }
    guard !searched.isEmpty, (encoding == nil) == (other.encoding == nil),
      (content == nil) == (other.content == nil),
      messages != nil || fragments != nil || encoding != nil || content != nil
    else { return nil }
    (self.samples, self.assembly, self.messages) = (samples, assembly, messages)
    (self.fragments, self.searched) = (fragments, searched)
    (self.encoding, self.content) = (encoding, content)
  }

  private static func assembly(
    _ samples: Samples, isStream: Bool, isTentative: Bool
  ) -> (GuessedAssembly, [Sample]?) {
    if let sentinels = SentinelTrial.find(samples) {
      return (.sentinels(sentinels), sentinels.messages(samples))
    }
    let steps = samples.all.filter(\.isStep)
    if let messages = StreamTrial.cobs(steps) { return (.cobs, messages) }
    if let messages = StreamTrial.slip(steps) { return (.slip, messages) }
    // Where each piece is a message of an encoding, it needs no other end.
    if isStream || StreamTrial.areTexts(steps), let lines = StreamTrial.lines(steps),
      EncodingTrial.find(samples.all.map(\.bytes)) == nil,
      EncodingTrial.find(lines.map(\.bytes)) != nil || StreamTrial.isText(lines, in: steps)
    {
      return (.lines, lines)
    }
    if isStream, let length = StreamTrial.length(steps, isTentative: isTentative) {
      return (.length(length), length.messages)
    }
    if !isStream, let sequence = SequenceTrial.find(samples, isTentative: isTentative) {
      return (.sequence(sequence), sequence.messages)
    }
    // Messages may span values, and several may be in one. Where each value is a whole message of an encoding, a
    // length that leads through them does so by chance.
    if !isStream, let length = StreamTrial.length(steps, isTentative: isTentative),
      length.spansPieces, EncodingTrial.find(samples.all.map(\.bytes)) == nil
    {
      return (.length(length), length.messages)
    }
    return (.none, nil)
  }

  private static func again(
    _ assembly: GuessedAssembly, _ samples: Samples
  ) -> (GuessedAssembly, [Sample]?)? {
    let steps = samples.all.filter(\.isStep)
    switch assembly {
    case .none, .runs: return (.none, nil)
    case .sentinels(let sentinels): return (assembly, sentinels.messages(samples))
    case .cobs: return StreamTrial.cobs(steps, fewest: 1).map { (assembly, $0) }
    case .slip: return StreamTrial.slip(steps, fewest: 1).map { (assembly, $0) }
    case .lines: return StreamTrial.lines(steps, fewest: 1).map { (assembly, $0) }
    case .length(let length):
      return StreamTrial.again(length, steps).map { (.length($0), $0.messages) }
    case .sequence(let sequence):
      return sequence.again(samples).map { (.sequence($0), $0.messages) }
    }
  }
}

/// A general encoding that messages have after a header of the vendor's, such as a type and a length.
struct GuessedContent {
  /// The size of the header.
  let skipped: Int
  let encoding: GuessedEncoding

  private static let mostSkipped = 8

  static func find(_ messages: [Sample]) -> GuessedContent? {
    for skipped in 0...mostSkipped {
      guard messages.allSatisfy({ $0.bytes.count > skipped }) else { return nil }
      if let encoding = EncodingTrial.find(messages.map { Array($0.bytes.dropFirst(skipped)) }) {
        return GuessedContent(skipped: skipped, encoding: encoding)
      }
    }
    return nil
  }

  /// The same in other messages; nil if they are not all so.
  func again(_ messages: [Sample]) -> GuessedContent? {
    guard messages.allSatisfy({ $0.bytes.count > skipped }) else { return nil }
    return EncodingTrial.again(encoding, of(messages).map(\.bytes)).map {
      GuessedContent(skipped: skipped, encoding: $0)
    }
  }

  func of(_ messages: [Sample]) -> [Sample] {
    messages.map {
      Sample(
        Array($0.bytes.dropFirst(skipped)), frame: $0.frame, toServer: $0.toServer,
        isStep: $0.isStep)
    }
  }
}
