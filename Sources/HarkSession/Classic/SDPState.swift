import HarkCore
import HarkDissection

/// The state of an SDP channel in the index pass: the requests in flight, and unfinished responses.
struct SDPState {
  /// The packet that completes a request, and what it shows of it.
  struct Asked {
    let request: SDPMessage.Identifier
    let packet: PacketID
    let time: Timestamp
    let byPeer: Bool
    /// How many packets the capture lacked then.
    let lost: Int
  }

  /// A request, and its responses so far.
  struct Exchange {
    /// The UUIDs that the request searched for.
    var wanted: [BluetoothUUID] = []
    /// The record of which the request wants attributes.
    var handle: UInt32?
    /// The request; nil if the capture does not have it.
    var asked: Asked?
    /// The attribute bytes of the responses so far, and their packets.
    private(set) var bytes: [UInt8] = []
    private(set) var packets: [UInt32] = []
    private(set) var parts = 0
    /// Whether a part is missing.
    var isBroken = false
    /// Whether that was reported.
    fileprivate(set) var isReported = false

    /// The records of one device have a few thousand bytes.
    static let most = 1 << 18
    static let mostParts = 4_096

    mutating func add(_ part: RawSpan, _ packets: [UInt32]) {
      guard bytes.count + part.byteCount <= Self.most, parts < Self.mostParts else {
        isBroken = true
        return
      }
      bytes += part.array
      self.packets += packets
      parts += 1
    }

    var isWhole: Bool { parts > 0 && !isBroken }
  }

  /// The requests without a response, by TransactionID. 4.2
  private var pending: [UInt16: Exchange] = [:]
  /// Responses that another request continues, by their Continuation Information. 4.3
  private var continued: [[UInt8]: Exchange] = [:]
  /// Whether the capture contains a request of this channel.
  private var hasRequests = false
  /// Whether the recorder cut the Continuation Information of a response.
  var isContinuationCut = false

  /// Clients send one request after the other.
  private static let most = 16

  /// - Returns: What arrived of attribute lists that the request continues, if a part of them is not in the capture.
  mutating func asked(
    _ request: SDPMessage.Identifier, _ message: SDPMessage, _ bytes: RawSpan,
    lost: Int, _ moment: PacketContext
  ) -> Exchange? {
    // The response to a request without its TransactionID is one to an unknown request.
    guard let transaction = message.transaction else {
      self = SDPState()
      return nil
    }
    hasRequests = true
    var broken: Exchange?
    var exchange = Exchange(
      wanted: moment.isTruncated ? [] : message.pattern, handle: message.handle)
    if message.isContinued {
      let known = continued.removeValue(forKey: bytes.array(message.continuation))
      exchange = known ?? Exchange(isBroken: true)
      if known == nil, request != .searchRequest, !isContinuationCut { broken = takeLast() }
    } else {
      isContinuationCut = false
    }
    if pending.count >= Self.most { pending.removeAll() }
    exchange.asked = Asked(
      request: request, packet: moment.packet, time: moment.time, byPeer: moment.isFromPeer,
      lost: lost)
    pending[transaction] = exchange
    return broken
  }

  /// What arrived last of attribute lists that are not complete.
  private mutating func takeLast() -> Exchange {
    let begun = (Array(pending.values) + continued.values).filter { $0.isWhole && !$0.isReported }
    continued.removeAll()
    for key in pending.keys where pending[key]?.isWhole == true { pending[key]?.isReported = true }
    return begun.max { ($0.packets.last ?? 0) < ($1.packets.last ?? 0) } ?? Exchange()
  }

  /// Takes the request that a response answers. A client ignores every other response.
  /// - Parameter mayLackRequests: Whether requests may be missing in the capture.
  mutating func answered(_ message: SDPMessage, mayLackRequests: Bool) -> Exchange? {
    // It is unknown which request the recorder cut the answer to.
    if message.transaction == nil { pending.removeAll() }
    let exchange = message.transaction.flatMap { pending.removeValue(forKey: $0) }
    return exchange ?? (hasRequests && !mayLackRequests ? nil : Exchange())
  }

  /// The requests without a response, in the order in which they were sent.
  var unanswered: [Asked] {
    pending.values.compactMap(\.asked).sorted { $0.packet.number < $1.packet.number }
  }

  /// The client can request the next part of a response.
  mutating func goesOn(_ exchange: Exchange, _ continuation: [UInt8]) {
    if continued.count >= Self.most { continued.removeAll() }
    continued[continuation] = exchange
  }
}
