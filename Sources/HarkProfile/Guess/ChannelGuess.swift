import HarkCore
import HarkSession

/// What the traffic of one channel seems to be: see `ChannelGuess.init`.
public struct ChannelGuess {
  public let traffic: Traffic
  /// Different from that of the other channels, fit for a file and for `meta/id`.
  public let id: String
  let assembly: GuessedAssembly
  /// Of whole messages; nil if `structure` says what they are.
  let encoding: GuessedEncoding?
  /// Of single values.
  let values: Structure
  /// Of the messages that values make, where that is something else.
  let messages: Structure?
  package let messageCount: Int
  /// Whether messages are put together on less evidence than a guess needs.
  let isTentative: Bool
  /// Keys in single values, with their places.
  let keys: [String]

  private static let mostKeys = 8

  /// Analyses the values of a channel.
  public init(_ traffic: Traffic, id: String) { self.init(traffic, id: id, isTentative: false) }

  /// The same on less evidence, for a search that proves it; nil if that makes no difference.
  var tentative: ChannelGuess? {
    let other = ChannelGuess(traffic, id: id, isTentative: true)
    let isOther: Bool =
      switch (assembly, other.assembly) {
      case (.none, .length), (.runs, .length): true
      default: searchedFragments == nil && other.searchedFragments != nil
      }
    return isOther ? other : nil
  }

  private init(_ traffic: Traffic, id: String, isTentative: Bool) {
    (self.traffic, self.id, self.isTentative) = (traffic, id, isTentative)
    let samples = Samples(traffic.values.map { Sample($0) })
    var (assembly, made) = AssemblyTrial.find(
      samples, isStream: traffic.isStream, isTentative: isTentative)
    let encoding = EncodingTrial.find((made ?? samples.all).map(\.bytes))
    var messages: Structure?
    var values = Structure()
    if let made {
      messages = encoding == nil ? StructureAnalysis.of(made) : Structure()
      if case .length = assembly {
        // A message is what a layout at the channel describes.
        (values, messages) = (messages ?? Structure(), nil)
      } else if case .sequence(let sequence) = assembly {
        values = sequence.structure(samples)
      }
    } else {
      values = encoding == nil ? StructureAnalysis.of(samples.all) : Structure()
      if values.fragments == nil, !values.cases.contains(where: { $0.structure.fragments != nil }),
        let runs = RunTrial.find(samples)
      {
        assembly = .runs(runs)
      }
    }
    (self.assembly, self.encoding) = (assembly, encoding)
    (self.values, self.messages) = (values, messages)
    keys = KeyTrial.single(samples).prefix(Self.mostKeys).map {
      "Packet \($0.frame), from byte \($0.offset) on: \($0.shape.described)"
    }
    messageCount = made?.count ?? traffic.values.count
  }
}

/// How values seem to make messages.
enum GuessedAssembly {
  case none
  case sentinels(SentinelTrial)
  /// Of a stream: where the length is, and what is added to it.
  case length(StreamTrial.Length)
  case cobs, slip
  /// Values are numbered parts of messages.
  case sequence(SequenceTrial)
  /// Values of the greatest size come in runs that end with a shorter one.
  case runs(RunTrial)
}

enum AssemblyTrial {
  /// How messages are made, and they; nil if each value is one.
  /// - Parameter isTentative: Whether a length may be right for few messages.
  static func find(
    _ samples: Samples, isStream: Bool, isTentative: Bool = false
  ) -> (assembly: GuessedAssembly, messages: [Sample]?) {
    if let sentinels = SentinelTrial.find(samples) {
      return (.sentinels(sentinels), sentinels.messages(samples))
    }
    let steps = samples.all.filter(\.isStep)
    if let messages = StreamTrial.cobs(steps) { return (.cobs, messages) }
    if let messages = StreamTrial.slip(steps) { return (.slip, messages) }
    if isStream, let length = StreamTrial.length(steps, isTentative: isTentative) {
      return (.length(length), length.messages)
    }
    if !isStream, let sequence = SequenceTrial.find(samples) {
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
}
