import HarkCore
import HarkDissection

/// A media packet of a stream.
struct ReceivedMedia: Sendable {
  /// How many are missing before it.
  let missing: Int
  let carriesSBC: Bool
  /// Whether it is the first that was sent long after its stream was suspended, or before it was started.
  let isLate: Bool
}

/// What a link's AVDTP remembers.
struct AVDTPState: Sendable {
  struct Command: Sendable {
    /// What was asked for.
    var message: AVDTPMessage
    var packet: UInt32
    var time = Timestamp(nanoseconds: 0)
    var byPeer = false
    /// How many packets the capture lacked when it was sent.
    var lost = 0
    /// Whether a part of its answer arrived, or its absence was judged, or cannot be.
    var isSettled = false

    /// The stream endpoints of the receiver of the command.
    var seids: ArraySlice<UInt8> { message.acpSEIDs.prefix(AVDTPState.mostStreams) }
  }

  /// A discovery in progress, of the endpoints of one side.
  struct Discovery: Sendable {
    var first: PacketID
    var last: PacketID
    var packets: Int
  }

  /// The channel that carries the signals: the first of the link. 5.4.2
  var signaling: ChannelID?
  /// Whether a signal has arrived: until then, the first channel in the capture may be another one.
  var hasSignaled = false
  /// Commands without an answer, by transaction label and the direction in which they were sent.
  var commands: [UInt8: Command] = [:]
  /// Signals that have arrived in part, by direction.
  var assembly = [PacketAssembly(), PacketAssembly()]
  /// By owner: this host, the peer.
  var endpoints: [[AudioEndpoint]] = [[], []]
  var discoveries: [Discovery?] = [nil, nil]
  var streams: [AudioStream] = []
  /// The numbers of the streams that were opened, in that order: each then gets its channels. 6.5
  private var opened: [Int] = []
  private var numbers = 0

  /// The channels for reports or recovery.
  static let noStream = -1
  /// Channels whose beginning is in the capture, but not their purpose.
  static let undecidedStream = -2
  /// An octet can number 62 stream endpoints, each of which has at most one stream.
  static let mostStreams = 62

  static func key(_ label: UInt8, _ side: Int) -> UInt8 { label << 1 | UInt8(side & 1) }

  /// The stream whose end point `seid` belongs to `side`.
  func stream(_ seid: UInt8, of side: Int) -> Int? {
    streams.lastIndex { !$0.seids.isEmpty && $0.seids[side] == seid }
  }

  /// Whether this host sends the media of a stream, according to the discovery of either end.
  func isSource(_ seids: [UInt8]) -> Bool? {
    if let local = endpoints[0].first(where: { $0.seid == seids[0] }) { return !local.isSink }
    return endpoints[1].first { $0.seid == seids[1] }?.isSink
  }

  /// Adds a stream that is known only from its media.
  mutating func addInferred(isSBC: Bool, isSource: Bool) -> AudioStream? {
    guard streams.count < Self.mostStreams else { return nil }
    numbers += 1
    var stream = AudioStream(
      seids: [], isSource: isSource, state: .streaming,
      account: MediaAccount(clock: nil, hasRTP: true), number: numbers)
    stream.showsSBC = isSBC
    streams.append(stream)
    return stream
  }

  /// The next channels belong to the stream whose end point `seid` belongs to `side`.
  mutating func expectChannels(of seid: UInt8, of side: Int) {
    opened = opened.filter { index(of: $0) != nil }
    guard let number = stream(seid, of: side).map({ streams[$0].number }) else { return }
    opened.removeAll { $0 == number }
    opened.append(number)
  }

  /// The place of the stream that a new channel belongs to, and whether it carries its media: one that has no such channel
  /// waits for it first. Several streams may be opened at once. 6.5
  /// - Parameter earlier: How many channels were requested before it and are not open yet: these come first.
  func expecting(after earlier: Int) -> (place: Int, isMedia: Bool)? {
    let places = opened.compactMap { index(of: $0) }
    let waiting = places.filter { !streams[$0].hasMediaChannel }
    if earlier < waiting.count { return (waiting[earlier], true) }
    return (waiting.last ?? places.last).map { ($0, false) }
  }

  /// The command that an answer belongs to: it names the same signal. 8.5
  mutating func takeCommand(
    answeredBy message: AVDTPMessage, _ identifier: UInt8, _ moment: PacketContext
  ) -> Command? {
    // Without its sender, it may answer a command of either side.
    if !moment.isSenderKnown {
      for side in 0...1 { commands[Self.key(message.transaction, side)]?.isSettled = true }
    }
    let key = Self.key(message.transaction, 1 - moment.side)
    guard let command = commands[key],
      message.type == .generalReject || command.message.identifier == identifier
    else { return nil }
    commands[key] = nil
    return command
  }

  /// Whether `side`, which rejects a configuration, requested one itself at the same time: both sides configured a
  /// stream at once, and that of `side` remains if it is accepted. 8.9
  func collides(_ command: Command, with answer: AVDTPMessage, of side: Int) -> Bool {
    guard command.message.signal == .setConfiguration, answer.isEndpointTaken else { return false }
    let isUnanswered = commands.contains {
      Int($0.key & 1) == side && $0.value.message.signal == .setConfiguration
        && !$0.value.isSettled
    }
    let isAccepted = streams.contains {
      $0.configured.map { $0.side == side && $0.packet > command.packet } ?? false
    }
    return isUnanswered || isAccepted
  }

  /// Counts a media packet of the stream `number`. `isSource`: whether this host sends it, if that is known.
  mutating func received(
    _ packet: RawSpan, _ number: Int, _ moment: PacketContext, _ counts: borrowing Session.Counts,
    isSource: Bool?
  ) -> ReceivedMedia? {
    guard let index = index(of: number) else { return nil }
    if streams[index].isSource == nil { streams[index].isSource = isSource }
    let isIdle = streams[index].isIdle
    let isLate = isIdle && streams[index].isLate(moment, counts)
    if isLate { streams[index].hasIdleMedia = true }
    return ReceivedMedia(
      missing: streams[index].account.count(
        packet, moment.packet, moment.time, clockSince: counts.clock.lastStep, isIdle: isIdle),
      carriesSBC: streams[index].carriesSBC, isLate: isLate)
  }

  func index(of number: Int) -> Int? { streams.firstIndex { $0.number == number } }

  /// Adds a stream, and replaces one that had the same end point.
  mutating func add(_ seids: [UInt8], _ codec: AudioCodec?, isProtected: Bool) -> AudioStream? {
    streams.removeAll {
      !$0.seids.isEmpty && ($0.seids[0] == seids[0] || $0.seids[1] == seids[1])
    }
    guard streams.count < Self.mostStreams else { return nil }
    numbers += 1
    let stream = AudioStream(
      seids: seids, codec: codec, isProtected: isProtected, isSource: isSource(seids),
      account: MediaAccount(clock: codec?.clock, hasRTP: codec?.hasRTP ?? true), number: numbers)
    streams.append(stream)
    return stream
  }
}
