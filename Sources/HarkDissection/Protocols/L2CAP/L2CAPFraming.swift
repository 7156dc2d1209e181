/// How the frames of an L2CAP channel carry SDUs, as its signaling settled it.
/// Core Specification, Vol 3, Part A, 2.4 and 3.
public struct L2CAPFraming: Equatable, Sendable {
  public enum Mode: UInt8, Sendable {
    case basic = 0
    case retransmission = 1
    case flowControl = 2
    case enhancedRetransmission = 3
    case streaming = 4
    /// LE and Enhanced Credit Based Flow Control.
    case creditBased = 5
  }

  public var mode = Mode.basic
  /// Whether a Frame Check Sequence ends each frame. 5.5.
  public var hasFCS = true
  /// Whether the Extended Control Field is used. 5.7.
  public var isExtended = false
  /// Whether the frame begins an SDU: no byte of a K-frame says so.
  public var beginsSDU = false

  /// Whether a frame that is missing is sent again. 8.4, 8.6.
  public var resends: Bool { mode == .enhancedRetransmission || mode == .retransmission }

  public init() {}
}

/// The fields that frames have beyond the basic header. Core Specification, Vol 3, Part A, 3.3, 3.4.
struct L2CAPFrame: Sendable {
  // 3.3.2
  static let types: [UInt64: StaticString] = [0: "I-frame", 1: "S-frame"]
  static let segments: [UInt64: StaticString] = [
    0: "Unsegmented L2CAP SDU", 1: "Start of L2CAP SDU", 2: "End of L2CAP SDU",
    3: "Continuation of L2CAP SDU",
  ]
  static let functions: [UInt64: StaticString] = [
    0: "RR - Receiver Ready", 1: "REJ - Reject", 2: "RNR - Receiver Not Ready",
    3: "SREJ - Select Reject",
  ]

  let frameType = Field("Frame Type", names: types)
  let txSeq = Field("TxSeq", inLine: true)
  let reqSeq = Field("ReqSeq", inLine: true)
  let poll = Field("Poll")
  let final = Field("Final")
  let retransmissionDisable = Field("Retransmission Disable Bit")
  let sar = Field("Segmentation and Reassembly", names: segments, inLine: true)
  let function = Field("Supervisory Function", names: functions, inLine: true)
  let sduLength = Field("L2CAP SDU Length", inLine: true)
  let segment = Field("SDU Segment", .bytes, inLine: true, role: .fragment)
  let fcs = Field("FCS", .hex, checksum: { UInt64(L2CAPFrame.crc16($0)) })

  static let shared = L2CAPFrame()

  /// Generator x^16 + x^15 + x^2 + 1, which begins with 0. 3.3.5
  private static func crc16(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { crc, byte in
      (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xA001 }
    }
  }

  /// Reads the Information Payload of a channel that is not in basic mode. `start` is where the
  /// frame's basic header begins; the recorder did not keep its last `cut` bytes.
  func read(_ pdu: inout PDU<some Sink>, from start: Int, cut: Int) throws(Malformed) {
    if pdu.context.framing.mode == .creditBased { return try creditBased(&pdu) }
    guard pdu.context.framing.hasFCS, cut < 2 else { return try controlled(&pdu) }
    try pdu.inside(max(0, pdu.remaining - 2 + cut), by: fcs) { pdu throws(Malformed) in
      try controlled(&pdu)
    }
    // Half of it says nothing.
    if cut > 0 { return }
    let checked = start..<pdu.position
    let value = try pdu.u16(fcs)
    if pdu.crc16(checked) != value {
      pdu.facts.hasBadFCS = true
      pdu.note(.error, "does not match the frame", over: 2, clause: "Vol 3, Part A, 3.3.5")
    }
  }

  /// 3.4.3
  private func creditBased(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard pdu.context.framing.beginsSDU else {
      pdu.facts.segment = .continuing
      pdu.rest(segment)
      return
    }
    let length = try pdu.u16(sduLength)
    pdu.facts.sduLength = length
    if Int(length) < pdu.remaining {
      pdu.note(
        .error, "is less than the frame contains", over: 2, clause: "Vol 3, Part A, 3.4.3")
    }
    // What is longer than its SDU is no message either.
    pdu.facts.segment = Int(length) == pdu.remaining ? .whole : .first
    content(&pdu)
  }

  /// 3.3.2
  private func controlled(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let isExtended = pdu.context.framing.isExtended
    let size = isExtended ? 4 : 2
    let word = try pdu.word(size, of: frameType)
    pdu.part(frameType, word & 1, of: size)
    let requested = isExtended ? word >> 2 & 0x3FFF : word >> 8 & 0x3F
    guard word & 1 == 0 else {
      let what = isExtended ? word >> 16 & 3 : word >> 2 & 3
      pdu.facts.segment = what == 2 ? .notReady : .none
      if what != 3 { pdu.facts.reqSeq = UInt16(truncatingIfNeeded: requested) }
      pdu.part(function, what, of: size)
      pdu.facts.polls = (isExtended ? word >> 18 : word >> 4) & 1 == 1
      pdu.part(poll, isExtended ? word >> 18 & 1 : word >> 4 & 1, of: size)
      seventhBit(word, isExtended, size, &pdu)
      pdu.part(reqSeq, requested, of: size)
      return
    }
    let sequence = isExtended ? word >> 18 : word >> 1 & 0x3F
    pdu.facts.txSeq = UInt16(truncatingIfNeeded: sequence)
    pdu.facts.reqSeq = UInt16(truncatingIfNeeded: requested)
    pdu.part(txSeq, sequence, of: size)
    seventhBit(word, isExtended, size, &pdu)
    pdu.part(reqSeq, requested, of: size)
    let part = isExtended ? word >> 16 & 3 : word >> 14
    pdu.part(sar, part, of: size)
    switch part {
    case 0: pdu.facts.segment = .whole
    case 1:
      pdu.facts.segment = .first
      pdu.facts.sduLength = try pdu.u16(sduLength)
    case 2: pdu.facts.segment = .last
    default: pdu.facts.segment = .continuing
    }
    content(&pdu)
  }

  /// The Final bit, which older modes use otherwise.
  private func seventhBit(
    _ word: UInt64, _ isExtended: Bool, _ size: Int, _ pdu: inout PDU<some Sink>
  ) {
    let bit = isExtended ? word >> 1 & 1 : word >> 7 & 1
    switch pdu.context.framing.mode {
    case .retransmission, .flowControl: pdu.part(retransmissionDisable, bit, of: size)
    default:
      pdu.facts.answersPoll = bit == 1
      pdu.part(final, bit, of: size)
    }
  }

  /// A whole SDU is read by its protocol, a part of one by none.
  private func content(_ pdu: inout PDU<some Sink>) {
    if pdu.facts.segment == .whole {
      pdu.handToChannel(orElse: segment)
    } else {
      pdu.rest(segment)
    }
  }
}

extension PDU {
  /// The Frame Check Sequence of a range of the bytes: generator x^16 + x^15 + x^2 + 1, which
  /// begins with 0. Core Specification, Vol 3, Part A, 3.3.5.
  func crc16(_ range: Range<Int>) -> UInt16 {
    var crc: UInt16 = 0
    for index in range {
      crc ^= UInt16(bytes.byte(at: index))
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xA001 }
    }
    return crc
  }
}
