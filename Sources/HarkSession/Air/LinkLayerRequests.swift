import HarkDissection

/// The pending LL Control PDUs of a connection, one of each side: a side begins no procedure before its last one has
/// ended. Core Specification, Vol 6, Part B, 2.4.2, 5.1 and 5.2.
struct LinkLayerRequests {
  private struct Request {
    let opcode: LLControlPDU.Opcode
    /// Since the connection began, in nanoseconds.
    let time: Int64
    let isGuess: Bool
  }

  /// By sender: 0 is the Central, 1 the Peripheral.
  private var waiting: [Request?] = [nil, nil]

  /// The procedure response timeout, in nanoseconds. 5.2
  private static let timeout: Int64 = 40_000_000_000

  /// A side's request that has not been answered.
  func opcode(of side: Int, at time: Int64) -> LLControlPDU.Opcode? {
    guard let request = waiting[side], time &- request.time <= Self.timeout else { return nil }
    return request.opcode
  }

  /// Whether the requesting side is only a guess. Then the answering side is a guess, too.
  func isGuess(of side: Int) -> Bool { waiting[side]?.isGuess ?? false }

  /// The PDU that a side refuses with an LL_REJECT_IND, which does not name it. Versions are never refused.
  func refused(by side: Int, at time: Int64) -> LLControlPDU.Opcode? {
    let opcode = opcode(of: 1 - side, at: time)
    return opcode == .versionInd ? nil : opcode
  }

  /// The only possible sender of a PDU, because it answers the other side.
  func sender(of pdu: LLControlPDU, at time: Int64) -> Int? {
    let toPeripheral = opcode(of: 1, at: time).map(pdu.answers) ?? false
    let toCentral = opcode(of: 0, at: time).map(pdu.answers) ?? false
    guard toPeripheral != toCentral else {
      // A PDU that only one side sends can be refused only by the other.
      return (pdu.named?.sender?.rawValue).map { 1 - $0 }
    }
    return toPeripheral ? 0 : 1
  }

  /// Takes a PDU from `side`, as far as that is known.
  mutating func note(_ pdu: LLControlPDU, by side: Int, isGuess: Bool, at time: Int64) {
    guard let opcode = pdu.opcode else { return }
    if let asked = self.opcode(of: 1 - side, at: time), pdu.answers(asked) {
      waiting[1 - side] = nil
      // The second LL_VERSION_IND, or LL_START_ENC_RSP, ends what the first began.
      if asked == opcode { return }
    }
    if opcode.isAnswered {
      waiting[side] = Request(opcode: opcode, time: time, isGuess: isGuess)
    }
  }
}
