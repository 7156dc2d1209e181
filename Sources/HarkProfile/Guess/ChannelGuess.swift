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
  /// Keys in single values, with their places.
  let keys: [String]
  /// How they are made.
  let made: MadeMessages

  private static let mostKeys = 8

  /// Analyses the values of a channel.
  public init(_ traffic: Traffic, id: String) {
    self.init(traffic, id, MadeMessages(traffic.samples, traffic))
  }

  /// The same on less evidence, for a search that proves it; nil if that makes no difference.
  var tentative: ChannelGuess? {
    let other = MadeMessages(traffic.samples, traffic, isTentative: true)
    let isOther: Bool =
      switch (assembly, other.assembly) {
      case (.none, .length), (.runs, .length), (.none, .sequence), (.runs, .sequence): true
      default: made.fragments == nil && other.fragments != nil
      }
    return isOther ? ChannelGuess(traffic, id, other) : nil
  }

  /// As if the messages were made like those of another channel, for a search that proves it; nil if the values do not
  /// fit that.
  func like(_ other: ChannelGuess) -> ChannelGuess? {
    MadeMessages(traffic.samples, like: other.made).map { ChannelGuess(traffic, id, $0) }
  }

  private init(_ traffic: Traffic, _ id: String, _ made: MadeMessages) {
    (self.traffic, self.id, self.made, encoding) = (traffic, id, made, made.encoding)
    let samples = made.samples
    var assembly = made.assembly
    var messages: Structure?
    var values = Structure()
    if let made = made.messages {
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
    (self.assembly, self.values, self.messages) = (assembly, values, messages)
    keys = KeyTrial.single(samples).prefix(Self.mostKeys).map {
      "Packet \($0.frame), from byte \($0.offset) on: \($0.shape.described)"
    }
    messageCount = made.messages?.count ?? traffic.values.count
  }
}

extension Traffic {
  fileprivate var samples: Samples { Samples(values.map { Sample($0) }) }
}

/// How values seem to make messages.
enum GuessedAssembly {
  case none
  case sentinels(SentinelTrial)
  /// Of a stream: where the length is, and what is added to it.
  case length(StreamTrial.Length)
  case cobs, slip, lines
  /// Values are numbered parts of messages.
  case sequence(SequenceTrial)
  /// Values of the greatest size come in runs that end with a shorter one.
  case runs(RunTrial)
}
