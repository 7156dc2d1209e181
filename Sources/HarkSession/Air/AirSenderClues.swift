import HarkDissection

/// Clues to the sender of a connection's packets if the sniffer does not record it.
struct AirSenderClues {
  /// How often a clue was right and wrong about packets whose sender is certain.
  struct Record {
    private(set) var right = 0
    private(set) var wrong = 0

    mutating func note(_ isRight: Bool) {
      if isRight { right += 1 } else { wrong += 1 }
    }
  }

  /// From the times: the packets of a connection event alternate.
  var times = Record()
  /// Of the sequence numbers.
  private var numbers = Record()
  /// SN xor NESN of the Central's packets; the Peripheral's are the other value. Both numbers of a side change together
  /// when the other side has received its packet and answered it, so that the value stays the same, however many packets
  /// the sniffer misses. It changes only if the Peripheral answers a packet that it received with errors. Nil until
  /// something shows it. 4.5.9
  private var centralParity: UInt8?
  /// Whether the last packet had the numbers of the other side than the sniffer stated.
  private var isContradicted = false
  /// Whether only its sequence numbers show that the Peripheral sent the last packet, which ends the connection event.
  var isLastByNumbers = false
  /// Whether two packets were as close together as those of a connection event.
  var hasEvents = false
  /// Whether sequence numbers were recorded: they change.
  private(set) var hasChangingNumbers = false
  private var firstNumbers: (sn: UInt8, nesn: UInt8)?
  /// Whether the sender of the current packet is unknown: its side is only the usual one.
  var isGuess = false
  /// Which sides send ATT requests and commands.
  var asksATT = [false, false]
  /// The last PDU of the Security Manager.
  var lastSMP: (exchange: SMPMessage.Exchange?, side: Int)?

  /// Times that contradict what only one side sends are made up, or rounded, and prove nothing. A missed packet makes
  /// them wrong occasionally, too.
  var hasTimes: Bool { hasEvents && times.wrong * 8 <= times.right }
  /// Sequence numbers that contradict what only one side sends are made up.
  private var hasNumbers: Bool { hasChangingNumbers && numbers.right >= numbers.wrong }
  /// Whether nothing has shown yet what sequence numbers the sides have.
  var isUnknown: Bool { centralParity == nil }

  /// The numbers of both sides begin at 0. 4.5.9
  mutating func begin() { (centralParity, firstNumbers) = (0, (0, 0)) }

  private static func parity(_ header: LLDataHeader) -> UInt8 { header.sn ^ header.nesn }

  /// The side that sends packets with such sequence numbers.
  func sender(_ header: LLDataHeader) -> Int? {
    guard hasNumbers, let centralParity else { return nil }
    return Self.parity(header) == centralParity ? 0 : 1
  }

  /// Takes a packet whose sender is known from something else than its sequence numbers.
  mutating func note(_ header: LLDataHeader, from side: Int) {
    let parity = Self.parity(header) ^ UInt8(side & 1)
    if let centralParity, hasChangingNumbers { numbers.note(parity == centralParity) }
    centralParity = parity
  }

  /// Takes a packet whose sender the sniffer states: if a single packet has the numbers of the other side, that may be
  /// wrong.
  mutating func note(_ header: LLDataHeader, stated side: Int) {
    let contradicts = sender(header) == 1 - side
    if !contradicts || isContradicted { note(header, from: side) }
    isContradicted = contradicts && !isContradicted
  }

  mutating func note(_ header: LLDataHeader) {
    guard !hasChangingNumbers else { return }
    let numbers = (header.sn, header.nesn)
    if let firstNumbers { hasChangingNumbers = firstNumbers != numbers }
    firstNumbers = numbers
  }

  /// The only side that sends ATT requests, as far as they were received.
  var client: Int? {
    guard asksATT[0] != asksATT[1] else { return nil }
    return asksATT[0] ? 0 : 1
  }
}
