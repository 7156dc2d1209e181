import HarkCore
import HarkDissection

/// The state of a link's ATT bearer. Core Specification, Vol 3, Part F, 3.3.
struct ATTState: Sendable {
  /// The pending request of each side: a client sends the next one after the response (3.3.2).
  var requests: [Request?] = [nil, nil]
  /// Requests that a client sent before the pending one, oldest first: it did not wait for their responses, or the
  /// capture lacks these.
  var earlier: [[Request]] = [[], []]
  /// Responses that may answer several of a client's requests, by the client's direction.
  var undecided: [[UndecidedResponse]] = [[], []]
  /// The pending indication of each side, until its confirmation (3.4.7.2).
  var indications: [Indication?] = [nil, nil]
  /// The same for indications: those before the pending one, and the confirmations that may belong to several.
  var earlierIndications: [[Indication]] = [[], []]
  var confirmations: [[PacketID]] = [[], []]
  /// Whether it has been reported that a side did not wait.
  var hasSentEarly = [false, false]
  /// A value that may continue with the client's next request, by the client's direction.
  var reads: [LongRead?] = [nil, nil]
  /// Prepared writes, by the direction in which they were sent.
  var queues = [WriteQueue(), WriteQueue()]
  /// What the client wrote without a request while another write was pending, by the direction in which it was sent.
  var commands: [[Command]] = [[], []]
  /// The discovery in progress, by the client's direction.
  var discovery = [Discovery(), Discovery()]
  /// Whether a side has requested the MTU.
  var hasRequestedMTU = [false, false]
  /// Whether the last request of a side was left without an answer: it may follow.
  var mayAnswerEarlier = [false, false]
  /// Whether the last response did not fit: the right one may follow.
  var mayAnswerAgain = [false, false]
  /// Whether the last indication of a side was left without a confirmation.
  var mayConfirmEarlier = [false, false]
  /// How many packets the capture was known to lack when a side last sent a request or an indication.
  var lost = [0, 0]
  /// The channel, if it is not the fixed one.
  var channel: ChannelID?
  /// The index of this link's entry among the eliminations of the library.
  var elimination: Int?
  /// Whether a PDU that is too long has been reported, by the direction in which it was sent.
  var exceedsMTU = [false, false]

  /// Answers from the packet `first` on may be missing. A value that is to be written is kept, because messages may
  /// consist of such values.
  mutating func forgetRequests(before first: UInt32 = .max) {
    doubt()
    for side in requests.indices where (requests[side]?.packet ?? .max) < first {
      if requests[side]?.opcode == .writeRequest, requests[side]?.write != nil {
        requests[side]?.isForgotten = true
      } else {
        requests[side] = nil
      }
    }
    for side in earlier.indices where !earlier[side].isEmpty {
      earlier[side] = []
      undecided[side] = []
    }
  }

  /// The capture lacks something: answers may be for requests that it does not have.
  mutating func doubt() {
    mayAnswerEarlier = [true, true]
    mayConfirmEarlier = [true, true]
  }

  /// The requests of a client that have no response yet, oldest first.
  func pending(_ side: Int) -> [Request] { earlier[side] + (requests[side].map { [$0] } ?? []) }

  /// Makes these the pending requests.
  mutating func keep(_ pending: [Request], _ side: Int) {
    earlier[side] = pending.dropLast()
    requests[side] = pending.last
    undecided[side] = []
  }

  /// No indication of a side is pending any more.
  mutating func endIndications(_ side: Int) {
    indications[side] = nil
    earlierIndications[side] = []
    confirmations[side] = []
  }

  struct Request: Sendable {
    var opcode: ATTPDU.Opcode
    var handle: UInt16
    var moment: PacketContext
    var type: BluetoothUUID?
    /// The service that Find By Type Value looks for.
    var service: BluetoothUUID?
    /// The last handle of a search.
    var end: UInt16 = 0
    /// Where in the value Read Blob continues.
    var offset: UInt16 = 0
    /// The attributes requested by Read Multiple and Read Multiple Variable.
    var handles: [UInt16] = []
    /// What is written once the server accepts it.
    var write: Write?
    /// The prepared values that Execute Write cancels.
    var cancelled: [WriteQueue.Value] = []
    /// An Error Response that names another request, and what it names.
    var misfit: (packet: PacketID, refused: ATTPDU.Opcode?)?
    /// The Client Rx MTU in an Exchange MTU Request. Both sides may send one at the same time. 3.4.2
    var mtu: UInt16?
    /// Whether it requests the MTU again.
    var isRepeated = false
    /// Whether the missing answer has been reported.
    var isOverdue = false
    /// Whether its answer may have passed unread: no response counts as its answer, and none is missing.
    var isForgotten = false
    /// How many packets the capture was known to lack when it was sent.
    var lost = 0

    var packet: UInt32 { moment.packet.number }
    /// When it was sent; nil if its missing answer is not to be reported, or already was.
    var awaitedSince: Timestamp? { isOverdue || isForgotten ? nil : moment.time }

    /// Whether an Error Response may name the attribute: one of those requested, or none if the server does not support
    /// the request. Searches, and Execute Write, may fail for others. 3.4.1.1
    func mayFail(for named: UInt16) -> Bool {
      switch opcode {
      case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest:
        named == 0 || handle == 0 || named == handle
      case .readMultipleRequest, .readMultipleVariableRequest:
        named == 0 || handles.isEmpty || handles.contains(named)
      default: true
      }
    }

    /// Whether the response to the other request would say the same.
    func asksSame(as other: Request) -> Bool {
      opcode == other.opcode && handle == other.handle && offset == other.offset
        && type == other.type && service == other.service && handles == other.handles
        && mtu == other.mtu && write?.bytes == other.write?.bytes
    }
  }

  /// A response, until it is known what it answers.
  struct UndecidedResponse: Sendable {
    var opcode: ATTPDU.Opcode
    var bytes: [UInt8]
    /// Its offset in `bytes`.
    var place: Range<Int>
    var facts: Facts
    var moment: PacketContext

    var pdu: ATTPDU { ATTPDU(facts, in: bytes.raw, at: place, isCut: moment.isTruncated) }
  }

  /// How many requests of a client may be pending: conforming clients have one.
  static let mostPending = 8
  /// How long, in nanoseconds, requests wait after an answer that may be for several of them while others follow. After
  /// that, the remaining answers are missing in the capture, or were never sent.
  static let longestFlight: Int64 = 1_000_000_000

  struct Indication: Sendable {
    var handle: UInt16
    var moment: PacketContext
    /// Whether an event has reported the missing confirmation.
    var isOverdue = false
    /// How many packets the capture was known to lack when it was sent.
    var lost = 0
  }

  /// A value that the client requested to write; its PDU limits it to 65,535 bytes.
  struct Write: Sendable {
    var offset: UInt16 = 0
    var bytes: [UInt8] = []
    var frames: [PacketID]
  }

  struct Command: Sendable {
    var opcode: ATTPDU.Opcode
    var handle: UInt16
    var write: Write
    var moment: PacketContext

    /// More than any client sends while one write is pending.
    static let most = 256
  }

  /// A value of Read, as far as Read Blob has continued it. Vol 3, Part F, 3.4.4.5.
  struct LongRead: Sendable {
    var handle: UInt16
    /// Up to the first part that the recorder cut.
    var bytes: [UInt8]
    /// How many bytes passed, kept or not.
    var count: Int
    /// Its packets; empty if the packet of `moment` is the only one, which is usual.
    var packets: [PacketID]
    var moment: PacketContext

    var frames: [PacketID] { packets.isEmpty ? [moment.packet] : packets }
    var isCut: Bool { bytes.count < count }

    /// The longest attribute value (3.2.9).
    static let longest = 512
  }

  struct WriteQueue: Sendable {
    /// One value, or parts of it.
    struct Value: Sendable {
      var handle: UInt16
      /// The slices, in the order of the queue.
      var bytes: [UInt8] = []
      /// Where in the value each slice goes, and its size; empty while each one continues the one before it.
      var slices: [(offset: Int, count: Int)] = []
      var frames: [PacketID] = []
      /// Set when a slice is missing.
      var isBroken = false
      /// Set if one of its slices has no answer in the capture.
      var isUnanswered = false
      /// How many bytes lie between slices, or did not fit.
      var missing = 0
      /// How many of them the recorder cut.
      var cut = 0
    }

    var values: [Value] = []
    private var count = 0
    private var slices = 0

    /// Attribute values have at most 512 octets (3.2.9); several may be queued.
    static let longest = 65_536
    static let mostSlices = 4_096

    /// Adds a slice: a queue may contain values of several attributes. Too many slices break the value they belong
    /// to.
    /// - Parameter mayLackSlices: Whether the capture may lack slices before it: without that, the client writes parts of
    ///   the value, in any order.
    mutating func add(
      _ write: Write, _ handle: UInt16, missing: Int, isUnanswered: Bool = false,
      mayLackSlices: Bool
    ) {
      var index = values.lastIndex { $0.handle == handle }
      let fits = count + write.bytes.count <= Self.longest && slices < Self.mostSlices
      if index.map({ write.offset == 0 && values[$0].isBegun && fits }) ?? true {
        guard values.count < Self.mostSlices else { return lose(write.bytes.count, at: 0) }
        values.append(Value(handle: handle))
        index = values.count - 1
      }
      guard let index else { return }
      guard fits else { return lose(write.bytes.count, at: index) }
      let gap = Int(write.offset) - values[index].bytes.count
      let goesOn = values[index].slices.isEmpty && gap == 0
      if values[index].isBroken || missing > 0 || !goesOn && mayLackSlices {
        values[index].isBroken = true
        values[index].cut += missing
        values[index].missing += missing + max(0, gap - values[index].missing)
      } else if !goesOn {
        if values[index].slices.isEmpty, !values[index].frames.isEmpty {
          values[index].slices.append((0, values[index].bytes.count))
        }
        values[index].slices.append((Int(write.offset), write.bytes.count))
      }
      if isUnanswered { values[index].isUnanswered = true }
      count += write.bytes.count
      slices += 1
      values[index].bytes += write.bytes
      values[index].frames += write.frames
    }

    private mutating func lose(_ count: Int, at index: Int) {
      values[index].isBroken = true
      values[index].missing += count
    }
  }

  struct Discovery: Sendable {
    var first: PacketID?
    var last = PacketID(0)
    var packets = 0
    /// The attributes that its responses show.
    var shown = HandleSet()
    /// Those that earlier discoveries on the link showed.
    var seen = HandleSet()
    /// Whether it shows that the server no longer has attributes that it had.
    var isNews = false
    /// Whether the recorder truncated one of its lists.
    var isCut = false
  }
}
