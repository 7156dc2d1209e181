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
  var numbers = Record()
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
  var hasNumbers: Bool { numbers.right > numbers.wrong }

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
