import HarkDissection

/// What shows who sends the packets of a connection where the sniffer does not record it.
struct AirSenderClues {
  /// How often a clue was right where the sender is certain, and how often it was wrong.
  struct Record {
    private(set) var right = 0
    private(set) var wrong = 0

    mutating func note(_ isRight: Bool) {
      if isRight { right += 1 } else { wrong += 1 }
    }
  }

  /// Of the times: packets of a connection event come in turns.
  var times = Record()
  /// Of the sequence numbers.
  var numbers = Record()
  /// Whether two packets came as close together as those of a connection event.
  var hasEvents = false
  /// Whether nothing shows who sent the packet that is being read: its side is only the usual one.
  var isGuess = false
  /// Which sides send ATT requests and commands.
  var asksATT = [false, false]
  /// The last PDU of the Security Manager.
  var lastSMP: (exchange: SMPMessage.Exchange?, side: Int)?

  /// Times that contradict what only one side sends are made up, or rounded: they show nothing. A packet
  /// that was not received makes them wrong once in a while, too.
  var hasTimes: Bool { hasEvents && times.wrong * 8 <= times.right }
  var hasNumbers: Bool { numbers.right > numbers.wrong }

  /// The only side that sends ATT requests, as far as it was received.
  var client: Int? {
    guard asksATT[0] != asksATT[1] else { return nil }
    return asksATT[0] ? 0 : 1
  }
}
