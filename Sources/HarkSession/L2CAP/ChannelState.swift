import HarkCore
import HarkDissection

/// The state of a dynamic L2CAP channel in the index pass, in addition to what `Stream` contains.
@safe struct ChannelState: Sendable {
  var framing = L2CAPFraming()
  /// The largest SDU allowed in each direction: 672 bytes until it is negotiated. 5.1.
  var mtus: [UInt16] = [672, 672]
  /// The largest payload of a K-frame in each direction, if it is known. 4.22. The specification does not say whether
  /// the SDU Length of the first frame counts; without it, no frame is reported that a receiver may accept.
  var largestFrames: [UInt16?] = [nil, nil]
  /// Whether a violation of the limits has been reported, by the direction in which it was sent.
  var exceeds: [ExceededLimits] = [[], []]
  /// The mode each side requested in its last Configuration Request. Vol 3, Part A, 5.4.
  var modes: [L2CAPFraming.Mode?] = [nil, nil]
  /// Whether the last Configuration Request of each side was accepted. 4.5.
  var isAgreed = [false, false]
  /// Whether a Configuration Request of each side is not in the capture, only its answer: an MTU may be in it.
  var isUnseen = [false, false]
  /// Whether each side requested to omit the FCS. 5.5.
  var leavesOutFCS = [false, false]
  /// The number of the audio stream whose media the channel carries. See `AVDTPState`.
  var audioStream: Int?
  /// What the last frame carried inside the channel's own protocol. Entries live as long as their
  /// catalog, which never ends.
  var inner: Entry.Reference?
  /// The CID that determines how it is read, instead of the PSM.
  var numberedCID: UInt16?
  /// Whether it is still unknown what a channel with a dynamic PSM carries. The frames so far, if it may be AAP.
  var isUnidentified = false
  var aapSuspect: AAPSuspect?
  /// By the direction of the frames.
  var assembly = [SDUAssembly(), SDUAssembly()]
  /// How many K-frames may still be sent in each direction; nil if that is unknown. 3.4.
  var credits: [Int?] = [nil, nil]
  /// When the last credit of each direction was used, until there are more.
  var spentAt: [PacketTime?] = [nil, nil]
  /// The next TxSeq in each direction. 8.5.
  var expectedTxSeq: [UInt16?] = [nil, nil]
  /// How many unacknowledged I-frames may be sent in each direction, and the first that is not acknowledged; nil if
  /// that is unknown. 5.4, 8.6
  var windows: [UInt16?] = [nil, nil]
  var acknowledged: [UInt16?] = [nil, nil]
  /// Whether each side said that it is not ready to receive.
  var isNotReady = [false, false]
  /// How often each side polled the other one since the last answer. 8.6
  var polls = [0, 0]
  /// How many packets the capture had lost before the first of them.
  var lostBeforePolls = [0, 0]
  /// The TxSeq of the last I-frame of each direction with a wrong FCS, until it is retransmitted.
  var damaged: [UInt16?] = [nil, nil]
  /// I-frames of each direction that arrived before a missing one.
  var held: [[HeldFrame]] = [[], []]

  /// The largest SDU that both sides accept.
  var mtu: UInt16 { min(mtus[0], mtus[1]) }

  /// The bits of frame numbers. 3.3.2
  private var mask: UInt16 { framing.isExtended ? 0x3FFF : 0x3F }

  /// How far a frame number is ahead of the next expected one; nil if it is a past one. 8.3.
  func ahead(_ number: UInt16, _ side: Int) -> UInt16? {
    let distance = (number &- (expectedTxSeq[side] ?? number)) & mask
    return distance <= mask / 2 ? distance : nil
  }

  /// How many I-frames of a side are unacknowledged, up to the new one with a number; nil if that is unknown.
  func outstanding(upTo number: UInt16, _ side: Int) -> Int? {
    guard let first = acknowledged[side], ahead(number, side) != nil else { return nil }
    let count = Int((number &- first) & mask) + 1
    return count <= Int(mask) ? count : nil
  }

  mutating func advance(_ side: Int, to number: UInt16) {
    expectedTxSeq[side] = number & mask
  }

  /// Applies what both sides have requested so far.
  mutating func settle() {
    let asked = modes.compactMap { $0 }
    let isAgreed = asked.allSatisfy { $0 == asked.first }
    framing.mode = isAgreed ? asked.first ?? .basic : .basic
    framing.hasFCS = !(leavesOutFCS[0] && leavesOutFCS[1])
  }
}

/// Limits of a channel whose violation has been reported.
struct ExceededLimits: OptionSet, Sendable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ limit: ChannelEvent.LimitExceeded.Limit) {
    switch limit {
    case .sduSize: rawValue = 1
    case .frameSize: rawValue = 2
    case .credits: rawValue = 4
    case .noCredits: rawValue = 8
    case .sduLength: rawValue = 16
    case .window: rawValue = 32
    case .notReady: rawValue = 64
    }
  }
}

/// An I-frame that waits for an earlier one.
struct HeldFrame: Sendable {
  /// The window size without the Extended Control Field. 5.4.
  static let most = 63

  let txSeq: UInt16
  let segment: Facts.Segment
  let sduLength: UInt16
  /// How many bytes the recorder cut.
  let cut: Int
  let bytes: [UInt8]
  let packets: [UInt32]
}

/// Reassembles the segments of SDUs of one channel and direction. Core Specification, Vol 3, Part A, 3.3.3, 3.4.3.
struct SDUAssembly: Sendable {
  /// The bytes so far, up to the first one that the recorder cut; emptied and reused for the next SDU.
  private(set) var bytes: [UInt8] = []
  /// The packets of the segments so far.
  private(set) var packets: [UInt32] = []
  private(set) var expected = 0
  /// How many bytes were received, kept or not.
  private(set) var count = 0
  private(set) var isOpen = false
  /// How many packets the capture was known to lack when the SDU began.
  private(set) var lost = 0
  /// Whether an SDU began whose length was not kept, so that the beginning of the next one is unknown.
  var isLost = false
  /// How many bytes the first and the last segment had.
  private var sizes = (first: 0, last: 0)

  /// - Parameter lost: How many packets the capture is known to lack.
  mutating func begin(_ count: Int, lost: Int) {
    self.lost = lost
    sizes = (0, 0)
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
    (expected, self.count) = (count, 0)
    isOpen = true
  }

  /// Adds a segment from `packets` of which `cut` bytes were not kept; false if it exceeds the SDU Length.
  mutating func add(_ segment: RawSpan, cut: Int, _ packets: [UInt32]) -> Bool {
    let size = segment.byteCount + cut
    self.packets += packets
    sizes = (count == 0 ? size : sizes.first, size)
    guard count + size <= expected else { return false }
    if !isCut {
      for index in 0..<segment.byteCount { bytes.append(segment.byte(at: index)) }
    }
    count += size
    return true
  }

  var isWhole: Bool { count == expected }

  /// Whether the recorder cut a segment: nothing is appended after that.
  var isCut: Bool { bytes.count < count }

  /// Whether a K-frame begins another SDU although this one is incomplete, because frames are missing. Frames may be
  /// shorter than allowed, but senders shorten only the last one. 3.4.3.
  /// - Parameters:
  ///   - cut: How many bytes of the frame the recorder cut.
  ///   - mtu: The longest SDU allowed.
  ///   - mayMiss: Whether the capture may lack frames of the SDU.
  func isCutOff(by frame: RawSpan, cut: Int, mtu: UInt16, mayMiss: Bool) -> Bool {
    guard isOpen else { return false }
    let size = frame.byteCount + cut
    let isTooLong = size > expected - count
    if isTooLong, mayMiss { return true }
    guard isTooLong || sizes.last < sizes.first, let whole = KFrameBeginning(frame).size
    else { return false }
    if isTooLong, whole > Int(mtu) + KFrameBeginning.lengthSize { return false }
    return whole == size || whole > size && size >= sizes.first + KFrameBeginning.lengthSize
  }

  mutating func end() { isOpen = false }
}
