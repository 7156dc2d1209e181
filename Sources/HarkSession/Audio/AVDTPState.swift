import HarkCore
import HarkDissection

/// What a link's AVDTP remembers.
struct AVDTPState: Sendable {
  struct Command: Sendable {
    /// What was asked for.
    var message: AVDTPMessage
    var packet: UInt32

    /// The stream end points of who receives the command.
    var seids: ArraySlice<UInt8> { message.acpSEIDs.prefix(AVDTPState.mostStreams) }
  }

  /// A discovery under way, of the end points of one side.
  struct Discovery: Sendable {
    var first: PacketID
    var last: PacketID
    var packets: Int
  }

  /// A signal of which fragments have come.
  struct Assembly: Sendable {
    var bytes: [UInt8] = []
    var packets: [UInt32] = []
    var missing = 0
  }

  /// The channel that carries the signals: the first of the link. 5.4.2
  var signaling: ChannelID?
  /// Whether a signal came: until then, a channel that is the first of the capture may be another.
  var hasSignaled = false
  /// Commands without an answer, by transaction label and the direction they were sent in.
  var commands: [UInt8: Command] = [:]
  var assembly = [Assembly(), Assembly()]
  /// By whose they are: this host's, the peer's.
  var endpoints: [[AudioEndpoint]] = [[], []]
  var discoveries: [Discovery?] = [nil, nil]
  var streams: [AudioStream] = []
  /// The number of the stream that waits for its channels. 6.5
  var opening: Int?
  private var numbers = 0

  /// Of channels that carry reports or recovery.
  static let noStream = -1
  /// Of channels whose beginning is in the capture, and not what they were opened for.
  static let undecidedStream = -2
  /// An octet holds 62 stream end points; each of them has one stream at most.
  static let mostStreams = 62
  /// Fragments of a signal: what 255 packets hold.
  static let longestSignal = 65_536

  static func key(_ label: UInt8, _ side: Int) -> UInt8 { label << 1 | UInt8(side & 1) }

  /// The stream whose end point `seid` is of `side`.
  func stream(_ seid: UInt8, of side: Int) -> Int? {
    streams.lastIndex { !$0.seids.isEmpty && $0.seids[side] == seid }
  }

  /// Whether this host sends the media of a stream: what discovery said about either end.
  func isSource(_ seids: [UInt8]) -> Bool? {
    if let local = endpoints[0].first(where: { $0.seid == seids[0] }) { return !local.isSink }
    return endpoints[1].first { $0.seid == seids[1] }?.isSink
  }

  /// Takes up a stream of which only the media show that it is there.
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

  /// The channels that are opened next are those of the stream whose end point `seid` is of `side`.
  mutating func expectChannels(of seid: UInt8, of side: Int) {
    opening = stream(seid, of: side).map { streams[$0].number }
  }

  /// Counts a media packet of the stream `number`; gives how many are missing in front of it, and
  /// whether SBC is in it. `isSource`: whether this host sends it, where that is known.
  mutating func received(
    _ packet: RawSpan, _ number: Int, _ id: PacketID, _ time: Timestamp, isSource: Bool?
  ) -> (missing: Int, carriesSBC: Bool)? {
    guard let index = index(of: number) else { return nil }
    if streams[index].isSource == nil { streams[index].isSource = isSource }
    return (streams[index].account.count(packet, id, time), streams[index].carriesSBC)
  }

  func index(of number: Int) -> Int? { streams.firstIndex { $0.number == number } }

  /// Takes up a stream, in place of one that had an end point of it.
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
