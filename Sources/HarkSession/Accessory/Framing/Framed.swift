import HarkCore
import HarkCrypto

/// What a framing made of one or more values.
public struct Framed: Sendable {
  public enum Content: Sendable {
    case security(SecurityStep)
    case transport(TransportFrame)
    case plain(PlainMessage)
    /// A private key that the framing sends in the clear.
    case exposedKey(AccessoryKey)
    /// The other side has taken the message with this id.
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
}

/// Where a message of a framing came from.
public struct MessageOrigin: Hashable, Sendable {
  /// All records that made it, in order.
  public var frames: [PacketID]
  /// Of its first value.
  public var started: Timestamp
  /// Of its last value so far.
  public var ended: Timestamp
  public var direction: MessageDirection
  /// ATT values that made it, those that only mark its ends included.
  public var values: Int
  /// Those of them that were ATT_WRITE_CMDs.
  public var writeCommands: Int
  /// Bytes put together.
  public var size: Int

  public init(_ value: VendorValue, _ direction: MessageDirection) {
    frames = value.frames
    started = value.time
    ended = value.time
    self.direction = direction
    values = 1
    writeCommands = value.operation == .writeCommand ? 1 : 0
    size = value.bytes.count
  }
}

/// A key on its way, with what the framing adds to Apple's message.
public struct SecurityStep: Hashable, Sendable {
  /// The two steps of NotifBridge's second version.
  public enum Phase: String, Hashable, Sendable {
    /// The receiver is to store the key pair.
    case prepare
    /// The receiver is to use it with this encapsulated key.
    case activate
  }

  public var message: SecurityMessage
  public var phase: Phase?
  /// Ties the steps of one exchange together.
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
  /// The receiver repeats it once it has the message.
  public var receiptID: String?
  /// Bytes that the recorder did not keep.
  public var missingBytes: Int

  public init(_ message: TransportMessage, receiptID: String? = nil, missingBytes: Int = 0) {
    self.message = message
    self.receiptID = receiptID
    self.missingBytes = missingBytes
  }
}

/// How single values are confirmed, by receipts of their own. Times are nanoseconds.
public enum FlowControl: Hashable, Sendable {
  /// A message whose last slice is confirmed.
  case confirmed(slices: Int, slowest: Int64)
  /// A slice that had no receipt when the next one was sent or the link closed (`waited` is then
  /// 0: the framing is not told when).
  case unconfirmed(slice: [UInt8], waited: Int64, Interruption)
  /// A receipt that came after its slice had been given up.
  case lateReceipt(slice: [UInt8], latency: Int64)
  /// A receipt for a slice that was not seen.
  case unknownReceipt(slice: [UInt8])
  /// A receiver came to the relay; the sender starts its message over.
  case receiverReady
}
