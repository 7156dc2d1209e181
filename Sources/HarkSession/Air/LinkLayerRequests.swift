import HarkCore

/// The LL Control PDUs of a connection that wait for an answer, one of each side: a side begins no
/// procedure before its last one has ended. Core Specification, Vol 6, Part B, 2.4.2, 5.1 and 5.2.
struct LinkLayerRequests {
  private struct Request {
    let opcode: UInt8
    let time: Timestamp
    let isGuess: Bool
  }

  /// By who sent it: 0 is the Central, 1 the Peripheral.
  private var waiting: [Request?] = [nil, nil]

  /// The procedure response timeout, in nanoseconds. 5.2
  private static let timeout: Int64 = 40_000_000_000

  private static let versionInd: UInt8 = 0x0C
  private static let rejectInd: UInt8 = 0x0D

  /// What a side has asked for and has no answer to.
  func opcode(of side: Int, at time: Timestamp) -> UInt8? {
    guard let request = waiting[side], time.since(request.time) <= Self.timeout else { return nil }
    return request.opcode
  }

  /// Whether the side that asked was only guessed. Then the side that answers is a guess, too.
  func isGuess(of side: Int) -> Bool { waiting[side]?.isGuess ?? false }

  /// What a side refuses with an LL_REJECT_IND, which does not name it. Versions are never refused.
  func refused(by side: Int, at time: Timestamp) -> UInt8? {
    let opcode = opcode(of: 1 - side, at: time)
    return opcode == Self.versionInd ? nil : opcode
  }

  /// Whether both sides send the same PDU, one after the other: LL_VERSION_IND, LL_START_ENC_RSP.
  static func isEcho(_ opcode: UInt8) -> Bool { opcode == versionInd || opcode == 0x06 }

  /// The only side that a PDU can come from because it answers the other one.
  /// - Parameter named: What LL_UNKNOWN_RSP and LL_REJECT_EXT_IND name: the opcode that they refuse.
  func sender(of opcode: UInt8, naming named: UInt8, at time: Timestamp) -> Int? {
    let toPeripheral = self.opcode(of: 1, at: time).map { Self.answers(opcode, $0, named) } ?? false
    let toCentral = self.opcode(of: 0, at: time).map { Self.answers(opcode, $0, named) } ?? false
    guard toPeripheral != toCentral else {
      // What only one side sends, only the other one refuses.
      return opcode == 0x07 || opcode == 0x11 ? Self.sender(of: named).map { 1 - $0 } : nil
    }
    return toPeripheral ? 0 : 1
  }

  /// Takes a PDU that `side` sends, as far as that is known.
  mutating func note(
    _ opcode: UInt8, naming named: UInt8, by side: Int, isGuess: Bool, at time: Timestamp
  ) {
    if let asked = self.opcode(of: 1 - side, at: time), Self.answers(opcode, asked, named) {
      waiting[1 - side] = nil
      // The second LL_VERSION_IND, or LL_START_ENC_RSP, ends what the first began.
      if asked == opcode { return }
    }
    if Self.isAnswered(opcode) {
      waiting[side] = Request(opcode: opcode, time: time, isGuess: isGuess)
    }
  }

  /// Who alone sends a PDU: 0 the Central, 1 the Peripheral.
  static func sender(of opcode: UInt8) -> Int? {
    switch opcode {
    // LL_CONNECTION_UPDATE_IND, LL_CHANNEL_MAP_IND, LL_ENC_REQ, LL_FEATURE_REQ, LL_PAUSE_ENC_REQ,
    // LL_PHY_UPDATE_IND, LL_CIS_REQ, LL_CIS_IND, LL_SUBRATE_IND, LL_CHANNEL_REPORTING_IND, LL_CS_SEC_REQ
    case 0x00, 0x01, 0x03, 0x08, 0x0A, 0x18, 0x1F, 0x21, 0x27, 0x28, 0x39: 0
    // LL_ENC_RSP, LL_START_ENC_REQ, LL_PERIPHERAL_FEATURE_REQ, LL_CONNECTION_PARAM_RSP, LL_PHY_RSP,
    // LL_MIN_USED_CHANNELS_IND, LL_CIS_RSP, LL_SUBRATE_REQ, LL_CHANNEL_STATUS_IND, LL_CS_SEC_RSP
    case 0x04, 0x05, 0x0E, 0x10, 0x17, 0x19, 0x20, 0x26, 0x29, 0x2D: 1
    default: nil
    }
  }

  /// Whether the other side answers a PDU; of procedures with three steps, the second waits as well.
  private static func isAnswered(_ opcode: UInt8) -> Bool {
    switch opcode {
    case 0x03, 0x05, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x0F, 0x10, 0x12, 0x14, 0x16, 0x17, 0x1A, 0x1D,
      0x1F, 0x20, 0x23, 0x26, 0x2B, 0x2E, 0x30, 0x32, 0x33, 0x35, 0x36, 0x39, 0x3B:
      true
    default: false
    }
  }

  /// Whether a PDU ends the wait of the one that `asked` is the opcode of.
  private static func answers(_ opcode: UInt8, _ asked: UInt8, _ named: UInt8) -> Bool {
    switch opcode {
    case 0x07, 0x11: named == asked
    case rejectInd: asked != versionInd
    case 0x00: asked == 0x0F || asked == 0x10
    case 0x06: asked == 0x03 || asked == 0x05 || asked == 0x06
    case 0x09: asked == 0x08 || asked == 0x0E
    case versionInd: asked == versionInd
    case 0x18: asked == 0x16 || asked == 0x17
    case 0x21: asked == 0x20
    case 0x34: asked == 0x32 || asked == 0x33
    // LL_CS_SEC_RSP and LL_CS_TERMINATE_RSP do not have the number after their requests.
    case 0x2D: asked == 0x39
    case 0x3A: asked == 0x35
    case 0x0B, 0x10, 0x13, 0x15, 0x17, 0x1B, 0x1E, 0x20, 0x24, 0x27, 0x2C, 0x2F, 0x31, 0x33, 0x37,
      0x3C:
      asked == opcode - 1
    default: false
    }
  }
}
