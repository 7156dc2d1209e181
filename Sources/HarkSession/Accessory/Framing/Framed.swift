import HarkCore
import HarkCrypto

/// The result of a framing for one or more values.
public struct Framed: Sendable {
  public enum Content: Sendable {
    case security(SecurityStep)
    case transport(TransportFrame)
    case plain(PlainMessage)
    /// A private key that the framing sends in the clear.
    case exposedKey(AccessoryKey)
    /// The other side has received the message with this id.
    case accepted(id: String)
    case flowControl(FlowControl)
    case incomplete(Gap)
    case unreadable(UnreadableMessage)
    case blank(BlankMessage)
  }

  public var origin: MessageOrigin
  public var content: Content

  public init(_ origin: MessageOrigin, _ content: Content) {
    self.origin = origin
    self.content = content
  }

  /// Whether it is a message that its framing understands.
  var isReadable: Bool {
    switch content {
    case .security, .transport, .plain: true
    case .exposedKey, .accepted, .flowControl, .incomplete, .unreadable, .blank: false
    }
  }
}

/// The origin of a framing's message.
public struct MessageOrigin: Hashable, Sendable {
  /// All of its records, in order.
  public var frames: [PacketID]
  /// Of its first value.
  public var started: Timestamp
  /// The time of its last value so far.
  public var ended: Timestamp
  /// The last packet until then at which the clock of the capture was set; 0 if there is none.
  public var clockStep: PacketID
  public var direction: MessageDirection
  /// Its ATT values, including those that only mark its ends.
  public var values: Int
  /// How many of them were ATT_WRITE_CMDs.
  public var writeCommands: Int
  /// Bytes put together.
  public var size: Int
  /// Where its first value passed.
  public let channel: VendorChannel
  /// Whether the capture lacks bytes of it.
  public var isTruncated: Bool

  public init(_ value: VendorValue, _ direction: MessageDirection) {
    frames = value.frames
    started = value.time
    ended = value.time
    clockStep = value.clockStep
    self.direction = direction
    values = 1
    writeCommands = value.operation == .writeCommand ? 1 : 0
    size = value.bytes.count
    channel = value.channel
    isTruncated = value.missingBytes > 0
  }

  /// From its first to its last value, in nanoseconds; nil if the clock of the capture was set meanwhile.
  public var duration: Int64? { elapsed(since: started, in: frames.first ?? PacketID(0)) }

  /// The nanoseconds from an earlier packet to its last value; nil if the clock of the capture was set meanwhile.
  public func elapsed(since time: Timestamp, in packet: PacketID) -> Int64? {
    packet >= clockStep ? ended.since(time) : nil
  }
}

/// A key in transit, with what the framing adds to Apple's message.
public struct SecurityStep: Hashable, Sendable {
  /// The two steps of NotifBridge's second version.
  public enum Phase: String, Hashable, Sendable {
    /// The receiver stores the key pair.
    case prepare
    /// The receiver uses it with this encapsulated key.
    case activate
  }

  public var message: SecurityMessage
  public var phase: Phase?
  /// Connects the steps of one exchange.
  public var exchangeID: String?
  /// The receiver repeats it once the step is done.
  public var receiptID: String?

  public init(
    _ message: SecurityMessage, phase: Phase? = nil, exchangeID: String? = nil,
    receiptID: String? = nil
  ) {
    self.message = message
    self.phase = phase
    self.exchangeID = exchangeID
    self.receiptID = receiptID
  }
}

/// A transport message with what the framing adds to it.
public struct TransportFrame: Hashable, Sendable {
  public var message: TransportMessage
  /// The receiver repeats it once it has received the message.
  public var receiptID: String?
  /// The number of bytes that the recorder cut.
  public var missingBytes: Int

  public init(_ message: TransportMessage, receiptID: String? = nil, missingBytes: Int = 0) {
    self.message = message
    self.receiptID = receiptID
    self.missingBytes = missingBytes
  }
}

/// How single values are confirmed, with separate receipts. Times are in nanoseconds.
public enum FlowControl: Hashable, Sendable {
  /// A message whose last slice is confirmed.
  case confirmed(slices: Int, slowest: Int64)
  /// A slice without a receipt when the next one was sent or the link closed (`waited` is then 0, because the framing
  /// does not know the time).
  case unconfirmed(slice: [UInt8], waited: Int64, Interruption)
  /// A receipt that arrived after its slice was abandoned.
  case lateReceipt(slice: [UInt8], latency: Int64)
  /// A receipt for a slice that is not in the capture.
  case unknownReceipt(slice: [UInt8])
  /// A receiver connected to the relay, and the sender restarts its message.
  case receiverReady
}
