import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Dynamic L2CAP channels that carry SDUs in segments. Core Specification, Vol 3, Part A.
@Suite struct SessionChannelTests {
  /// Indexes L2CAP frames, one each this many seconds: `>` for those the host sends, `<` for those it
  /// receives.
  private func index(
    _ frames: [String], seconds: Int64 = 0, drops: Set<Int> = [],
    _ each: (borrowing Session) -> Void = { _ in }
  ) -> [Event] {
    var session = Session()
    session.keepsFields = true
    session.followed = StreamID(0)
    for (number, frame) in frames.enumerated() {
      let isSent = frame.hasPrefix(">")
      let pdu = hex(String(frame.dropFirst()))
      let header: [UInt8] = [0x40, isSent ? 0x00 : 0x20, UInt8(pdu.count), 0]
      let bytes = header + pdu
      var record = CaptureRecord()
      record.kind = .acl
      record.time = Timestamp(nanoseconds: Int64(number) * seconds * 1_000_000_000)
      record.direction = isSent ? .hostToController : .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      record.dropped = drops.contains(number) ? 1 : 0
      session.index(record, bytes.raw)
      each(session)
    }
    session.finish()
    return session.events
  }

  /// LE_CREDIT_BASED_CONNECTION: SPSM 0x0080, CIDs 0x0040 and 0x0041, MTU 64, MPS 23, 3 credits for
  /// the responder and 2 for the requester. 4.22, 4.23
  private static let connection = [
    ">0e00 0500 14 01 0a00 8000 4000 4000 1700 0300",
    "<0e00 0500 15 01 0a00 4100 4000 1700 0200 0000",
  ]

  /// An SDU of 9 bytes in two K-frames, then one in a single frame. 3.4.3
  @Test func creditBased() {
    var pieces: [[UInt8]] = []
    var completed: [[UInt8]] = []
    let events = index(
      Self.connection + [
        ">0700 4100 0900 0102030405", ">0400 4100 06070809", "<0500 4000 0300 aabbcc",
      ]
    ) { session in
      pieces += session.pieces.map(\.bytes)
      completed += session.completed.all.map { Array(session.completed.bytes(of: $0)) }
    }
    #expect(pieces == [[1, 2, 3, 4, 5, 6, 7, 8, 9], [0xAA, 0xBB, 0xCC]])
    #expect(completed == [[1, 2, 3, 4, 5, 6, 7, 8, 9]])
    #expect(events.allSatisfy { $0.severity == .info || $0.frames.first.number == 1 })
  }

  /// The SDUs of a channel that nothing describes, each once; the others are counted, unless each is wanted.
  @Test func undescribedData() throws {
    let frames =
      Self.connection + [
        ">0700 4100 0900 0102030405", ">0400 4100 06070809", "<0500 4000 0300 aabbcc",
        "<0500 4000 0300 aabbdd", "<0500 4000 0300 aabbee",
      ]
    #expect(
      data(frames) == [
        "this host sent data on dynamic (SPSM 0x0080): 01 02 03 04 05 06 07 08 09 #3–4",
        "peer sent data on dynamic (SPSM 0x0080): aa bb cc #5",
        "2 more times: peer sent data on dynamic (SPSM 0x0080); the last: aa bb ee #6–7",
      ])
  }

  /// Each SDU is reported where all values are wanted.
  @Test func allUndescribedData() {
    let frames = Self.connection + ["<0500 4000 0300 aabbcc", "<0500 4000 0300 aabbdd"]
    #expect(
      data(frames, keepsValues: true) == [
        "peer sent data on dynamic (SPSM 0x0080): aa bb cc #3",
        "peer sent data on dynamic (SPSM 0x0080): aa bb dd #4",
      ])
  }

  /// The link was open before the capture began, and nothing shows its transport: the length of an SDU in a frame
  /// shows LE, whose dynamic channels have CIDs up to 0x007F. Core Specification, Vol 3, Part A, 2.1 and 3.4.3.
  @Test func undescribedDataInTheMiddle() {
    let frames = [
      ">0500 4100 0300 aabbcc", ">0500 4100 0400 aabbcc", "<0500 4000 0300 ddeeff",
      "<0500 8000 0300 ddeeff", "<0200 4000 0000", "<0100 4000 00",
    ]
    #expect(
      data(frames) == [
        "this host sent data on channel 0x0041: 03 00 aa bb cc #1",
        "peer sent data on channel 0x0040: 03 00 dd ee ff #3",
      ])
  }

  /// A public key in an SDU: the base point of P-256 (NIST SP 800-186, 3.2.1.3), and the same with another last byte.
  @Test func keyInData() {
    let point =
      "04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
      + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51"
    func hints(_ frames: [String]) -> [String] {
      index(frames) { _ in }.compactMap { event in
        guard case .channel(.unframedKey(let key)) = event.content else { return nil }
        return "\(key.shape) #\(event.frames.first.number)"
      }
    }
    let whole =
      Self.connection + [
        ">4500 4100 4300 a710 \(point)f5", "<4500 4000 4300 a711 \(point)f5",
      ]
    #expect(hints(whole) == ["p256Uncompressed #3"])
    #expect(hints(Self.connection + [">4500 4100 4300 a710 \(point)f4"]).isEmpty)
    #expect(hints([">4500 4100 4300 a710 \(point)f5"]) == ["p256Uncompressed #1"])
  }

  private func data(_ frames: [String], keepsValues: Bool = false) -> [String] {
    var session = Session()
    session.keepsValues = keepsValues
    for frame in frames {
      let isSent = frame.hasPrefix(">")
      let pdu = hex(String(frame.dropFirst()))
      let bytes = [0x40, isSent ? 0x00 : 0x20, UInt8(pdu.count), 0] + pdu
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = isSent ? .hostToController : .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
    }
    session.finish()
    var lines: [String] = []
    for event in session.events {
      switch event.content {
      case .channel(.data), .channel(.dataRepeated): break
      default: continue
      }
      let (first, last) = (event.frames.first.number, event.frames.last.number)
      lines.append(
        "\(Event.sentence(of: event.content.described, event, session).text) #\(first)"
          + (first == last ? "" : "–\(last)"))
    }
    return lines
  }

  /// Two credits were given: a third frame is one too many, unless more come in time. 10.1
  @Test(arguments: [(false, 1), (true, 0)])
  func credits(areGranted: Bool, _ expected: Int) {
    let frame = ">0300 4100 0100 01"
    let more = "<0800 0500 16 02 0400 4100 0100"
    let events = index(Self.connection + [frame, frame] + (areGranted ? [more] : []) + [frame])
    let exceeded = events.filter {
      if case .channel(.creditsExceeded) = $0.content { true } else { false }
    }
    #expect(exceeded.count == expected)
  }

  /// Both credits are spent at 6 s; more come 2 s later, or never until the last packet at 10 s.
  @Test(arguments: [(true, Int64(2)), (false, 4)])
  func creditsLack(untilGranted: Bool, _ expected: Int64) {
    let frame = ">0300 4100 0100 01"
    let more = untilGranted ? ["<0800 0500 16 02 0400 4100 0100"] : ["<0300 4000 0100 01"]
    let events = index(
      Self.connection + [frame, frame] + more + ["<0300 4000 0100 01"], seconds: 2)
    let reported = events.compactMap { event -> String? in
      if case .channel(.creditsLacking(let it)) = event.content {
        "\(it.byPeer) \(it.nanoseconds)"
      } else {
        nil
      }
    }
    #expect(reported == ["false \(expected * 1_000_000_000)"])
  }

  /// A classic channel for PSM 0x1001, both sides asking for Enhanced Retransmission mode. 4.4, 5.4
  private static func retransmission(fcs: String) -> [String] {
    [
      ">0800 0100 02 01 0400 0110 4000", "<0c00 0100 03 01 0800 4100 4000 0000 0000",
      ">\(fcs.isEmpty ? "13" : "16")00 0100 04 02 \(fcs.isEmpty ? "0f" : "12")00 4100 0000 "
        + "0409 03 08 03 d007 e02e 4000\(fcs)",
      "<\(fcs.isEmpty ? "13" : "16")00 0100 04 02 \(fcs.isEmpty ? "0f" : "12")00 4000 0000 "
        + "0409 03 08 03 d007 e02e 4000\(fcs)",
    ]
  }

  /// What is reported once both sides have agreed: 1024 bytes asked for by the host, the default of the
  /// peer, and no FCS where both leave it out. 4.5, 5.1, 5.5
  @Test(arguments: [("", true), (" 050100", false)])
  func configuration(fcs: String, _ hasFCS: Bool) {
    let asked = Self.retransmission(fcs: fcs)
    let longer =
      asked[2].replacing("1300 0100 04 02 0f00", with: "1700 0100 04 02 1300")
      .replacing("1600 0100 04 02 1200", with: "1a00 0100 04 02 1600") + " 0102 0004"
    let events = index(
      [asked[0], asked[1], longer, asked[3]] + [
        "<0a00 0100 05 02 0600 4000 0000 0000", ">0a00 0100 05 02 0600 4100 0000 0000",
      ])
    let reported = events.compactMap { event -> Channel.Configuration? in
      if case .channel(.configured(let it)) = event.content {
        it.configuration
      } else {
        nil
      }
    }
    #expect(
      reported == [
        Channel.Configuration(
          mode: .enhancedRetransmission, localMTU: 1024, peerMTU: 672, hasFCS: hasFCS,
          isExtended: false)
      ])
  }

  /// I-frames: Start, a repeated Start, Continuation, End; an S-frame between. Without FCS. 3.3.2
  @Test func enhancedRetransmission() {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.retransmission(fcs: " 050100") + [
        ">0700 4100 0040 0600 010203", ">0700 4100 0040 0600 010203", "<0200 4000 0101",
        ">0400 4100 02c0 0405", ">0300 4100 0480 06", ">0400 4100 0600 7788",
      ]
    ) { pieces += $0.pieces.map(\.bytes) }
    #expect(pieces == [[1, 2, 3, 4, 5, 6], [0x77, 0x88]])
    #expect(
      !events.contains { if case .channel(.framesMissing) = $0.content { true } else { false } })
  }

  /// The receiver discards an I-frame whose FCS is wrong, and uses the one that is sent again. 3.3.5, 8.6.1
  @Test func wrongFCS() {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.retransmission(fcs: "") + [
        ">0600 4100 0000 6688 a8ad", ">0600 4100 0000 7788 a8ad",
      ]
    ) { pieces += $0.pieces.map { [UInt8($0.packet.number)] + $0.bytes } }
    #expect(pieces == [[6, 0x77, 0x88]])
    #expect(gaps(events) == [])
    let damaged = events.compactMap { event -> UInt32? in
      if case .channel(.frameDamaged(let it)) = event.content, !it.byPeer {
        event.frames.first.number
      } else {
        nil
      }
    }
    #expect(damaged == [5])
  }

  /// The first I-frame of a channel, TxSeq 0, has a wrong FCS: the next one waits until it is sent again. 3.3.5, 8.5.1, 8.6.1
  @Test func wrongFCSOfFirstFrame() {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.retransmission(fcs: "") + [
        ">0900 4100 0040 0600010203 d1fb", ">0700 4100 0280 040506 e5a7",
        "<0400 4000 0500 1714", ">0900 4100 0040 0600010203 84ae",
        ">0700 4100 0280 040506 e5a7", "<0400 4000 0102 9415",
      ]
    ) { pieces += $0.pieces.map { [UInt8($0.packet.number)] + $0.bytes } }
    #expect(pieces == [[8, 1, 2, 3, 4, 5, 6]])
    #expect(gaps(events) == [])
  }

  /// The host polls twice (RR, P=1) before it closes the channel; an answer has F=1. 3.3.2, 8.6. The recorder may have
  /// lost it after the first poll, at index 1 of what follows the configuration.
  @Test(arguments: [
    (["<0200 4000 8100"], nil, 0), (["<0200 4000 0100"], nil, 2), ([], nil, 2), ([], 0, 2),
    ([], 2, 0),
  ])
  func polls(answer: [String], lost: Int?, _ expected: Int) {
    let configured = Self.retransmission(fcs: " 050100")
    let events = index(
      configured + [">0400 4100 0000 7788"] + [
        ">0200 4100 1100", ">0200 4100 1100",
      ] + answer + [">0800 0100 06 05 0400 4100 4000", "<0800 0100 07 05 0400 4100 4000"],
      drops: Set([lost.map { configured.count + $0 }].compactMap { $0 }))
    let counts = events.compactMap { event -> Int? in
      if case .channel(.pollsUnanswered(let it)) = event.content, !it.byPeer {
        it.count
      } else {
        nil
      }
    }
    #expect(counts == (expected > 0 ? [expected] : []))
  }

  /// What is reported for frames that are missing.
  private func gaps(_ events: [Event]) -> [String] {
    events.compactMap { event -> String? in
      switch event.content {
      case .channel(.framesMissing(let it)): "\(event.frames.first.number) missing \(it.count)"
      case .capture(.incompletePDU(let pdu)):
        "\(event.frames.first.number) \(pdu.missing) \(pdu.have)"
      default: nil
      }
    }
  }

  /// TxSeq 1 is not in the capture, and who receives acknowledges it: the SDU it belongs to is lost,
  /// and said to be. An SREJ acknowledges nothing. 8.6
  @Test func missingFrame() {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.retransmission(fcs: " 050100") + [
        ">0700 4100 0040 0600 010203", ">0300 4100 0480 06", ">0400 4100 0600 7788",
        "<0200 4000 0d03", "<0200 4000 0104",
      ]
    ) { pieces += $0.pieces.map { [UInt8($0.packet.number)] + $0.bytes } }
    #expect(pieces == [[9, 0x77, 0x88]])
    #expect(gaps(events) == ["5 3 3", "9 missing 1"])
  }

  /// The same where the capture ends before that is known.
  @Test func missingFrameAtTheEnd() {
    let events = index(
      Self.retransmission(fcs: " 050100") + [">0400 4100 0000 7788", ">0400 4100 0400 7788"])
    #expect(gaps(events) == ["6 missing 1"])
  }

  /// TxSeq 1 comes when it is asked for; what came before it is put behind it, and is not used
  /// twice when it is sent again. 8.6.1.3
  @Test func rejectedFrame() {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.retransmission(fcs: " 050100") + [
        "<0700 4000 0040 0600 010203", "<0300 4000 0480 06", "<0400 4000 0600 7788",
        ">0200 4100 0501", "<0400 4000 02c0 0405", "<0300 4000 0480 06", "<0400 4000 0600 7788",
      ]
    ) { pieces += $0.pieces.map { [UInt8($0.packet.number)] + $0.bytes } }
    #expect(pieces == [[9, 1, 2, 3, 4, 5, 6], [9, 0x77, 0x88]])
    #expect(gaps(events) == [])
  }

  /// No more than 63 frames wait: then the one that is missing is given up. Extended Control Field,
  /// for which the Extended Window Size option stands. 3.3.2, 5.7
  @Test func manyFramesWait() {
    let options = "0409 03 08 03 d007 e02e 4000 050100 07020040"
    let frames = ([0] + Array(2...65)).map { number in
      "<0500 4000 \(Hex.text([0, 0, UInt8(number << 2 & 0xFF), UInt8(number >> 6)])) aa"
    }
    let events = index(
      Array(Self.retransmission(fcs: "").prefix(2)) + [
        ">1a00 0100 04 02 1600 4100 0000 \(options)", "<1a00 0100 04 02 1600 4000 0000 \(options)",
      ] + frames)
    // Four frames of signaling, one, and 63 that wait: the next tells of it.
    #expect(gaps(events) == ["69 missing 1"])
  }

  /// A K-frame is not in the capture: the SDU is reported to be incomplete, and the next one is read
  /// from its beginning. MPS 23: frames before the last of an SDU are that long. 3.4.3
  @Test(arguments: [
    // Of 60 bytes the second K-frame; the third is shorter. The next SDU comes in one frame.
    (["1700 4100 3c00 \(filler(21))", "1000 4100 \(filler(16))"], "23 37"),
    // The last of them: the next SDU does not fit in what is missing.
    (["1700 4100 1900 \(filler(21))"], "4 21"),
  ])
  func missingKFrame(_ frames: [String], _ expected: String) {
    var pieces: [[UInt8]] = []
    let events = index(
      Self.connection + frames.map { ">" + $0 } + [">0700 4100 0500 0102030405"]
    ) { pieces += $0.pieces.map(\.bytes) }
    #expect(pieces == [[1, 2, 3, 4, 5]])
    #expect(
      gaps(events).map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
        expected
      ])
  }

  /// The channel ends within an SDU. 4.6, 4.7
  @Test func unfinishedSDU() {
    let events = index(
      Self.connection + [
        ">0700 4100 0900 0102030405", ">0800 0500 06 02 0400 4100 4000",
        "<0800 0500 07 02 0400 4100 4000",
      ])
    #expect(gaps(events) == ["3 4 5"])
  }

  private static func filler(_ count: Int) -> String {
    Hex.text([UInt8](repeating: 0x20, count: count))
  }

  /// ATT over BR/EDR: a response as long as the MTU that the host asked for does not end the value.
  /// Vol 3, Part A, 5.1; Part F, 3.4.4.4.
  @Test func configuredMTU() {
    let events = index([
      ">0800 0100 02 01 0400 1f00 4000", "<0c00 0100 03 01 0800 4100 4000 0000 0000",
      ">0c00 0100 04 02 0800 4100 0000 0102 3000", "<0c00 0100 04 02 0800 4000 0000 0102 a002",
      ">0300 4100 0a0300", "<3000 4000 0b \(Self.filler(47))",
      ">0500 4100 0c0300 2f00", "<0400 4000 0d 010203",
    ])
    let values = events.compactMap { event -> String? in
      guard case .attribute(.value(let value)) = event.content else { return nil }
      return "\(value.handle): \(value.count)"
    }
    #expect(values == ["3: 50"])
  }

  /// The values that are reported; of ATT over BR/EDR the first answer fills 48 bytes, and the MTU that
  /// was configured before tells whether it may continue. 4.5, 5.1
  @Test(arguments: [
    // The host asks for 64 bytes, and the peer answers that it sends 48. Then a Success that says
    // nothing of it leaves 64.
    (["<0e00 0100 05 02 0a00 4000 0000 0000 0102 3000"], 50),
    (["<0a00 0100 05 02 0600 4000 0000 0000"], 47),
    // Unacceptable parameters: the host asks again, and for less. What was refused does not hold.
    (
      [
        "<0e00 0100 05 02 0a00 4000 0000 0100 0102 3000",
        ">0c00 0100 04 03 0800 4100 0000 0102 3000", "<0a00 0100 05 03 0600 4000 0000 0000",
      ], 50
    ),
    // Pending says nothing yet.
    (["<0a00 0100 05 02 0600 4000 0000 0400"], 47),
  ])
  func configurationResponse(_ answers: [String], _ expected: Int) {
    let events = index(
      [
        ">0800 0100 02 01 0400 1f00 4000", "<0c00 0100 03 01 0800 4100 4000 0000 0000",
        "<0c00 0100 04 02 0800 4000 0000 0102 a002",
        ">0c00 0100 04 02 0800 4100 0000 0102 4000",
      ] + answers + [
        ">0300 4100 0a0300", "<3000 4000 0b \(Self.filler(47))",
        ">0500 4100 0c0300 2f00", "<0400 4000 0d 010203",
      ])
    #expect(values(events).first == "3: \(expected)")
  }

  private func values(_ events: [Event]) -> [String] {
    events.compactMap { event in
      guard case .attribute(.value(let value)) = event.content else { return nil }
      return "\(value.handle): \(value.count)"
    }
  }

  /// Unknown options: the second request leaves out the mode, and the channel is one of Basic mode.
  @Test func refusedMode() {
    var pieces: [[UInt8]] = []
    let request = Self.retransmission(fcs: "")
    _ = index(
      request.prefix(3) + [
        "<0b00 0100 05 02 0700 4000 0000 0300 04", ">0800 0100 04 03 0400 4100 0000",
        "<0a00 0100 05 03 0600 4000 0000 0000", "<0800 0100 04 02 0400 4000 0000",
        ">0300 4100 aabbcc",
      ]
    ) { pieces += $0.pieces.map(\.bytes) }
    #expect(pieces == [[0xAA, 0xBB, 0xCC]])
  }

  /// L2CAP_CREDIT_BASED_RECONFIGURE: both sides take 128 bytes on the first of two bearers. The names
  /// of channels are those of who asks. 4.27, 4.28
  @Test(arguments: [("0000", "64 128 64 true", 63), ("0300", "refused 3", 66)])
  func reconfiguration(_ result: String, _ expected: String, _ count: Int) {
    let events = index([
      ">1000 0500 17 01 0c00 2700 4000 4000 0500 4000 4100",
      "<1000 0500 18 01 0c00 4000 4000 0500 0000 5000 5100",
      // MTU 128, MPS 64, at 0x0040 of the host and 0x0050 of the peer.
      ">0a00 0500 19 02 0600 8000 4000 4000", "<0600 0500 1a 02 0200 0000",
      "<0a00 0500 19 02 0600 8000 4000 5000", ">0600 0500 1a 02 0200 \(result)",
      // 63 bytes fill a response of 64.
      ">0500 5000 0300 0a0300", "<4200 4000 4000 0b \(Self.filler(63))",
      ">0700 5000 0500 0c0300 3f00", "<0600 4000 0400 0d 010203",
      ">0500 5100 0300 0a0400", "<4200 4100 4000 0b \(Self.filler(63))",
      ">0700 5100 0500 0c0400 3f00", "<0600 4100 0400 0d 010203",
    ])
    let changes = events.compactMap { event -> String? in
      switch event.content {
      case .channel(.reconfigured(let it)):
        "\(it.channel.localCID) \(it.mtu) \(it.mps) \(it.byPeer)"
      case .channel(.reconfigurationRefused(let it)): "refused \(it.result)"
      default: nil
      }
    }
    #expect(changes == ["64 128 64 false", expected])
    #expect(values(events) == ["3: \(count)", "4: 66"])
  }

  /// Enhanced ATT: each channel is a bearer with a transaction of its own, and a response belongs to
  /// the request of its channel. Vol 3, Part F, 3.3.
  @Test func enhancedBearers() {
    let events = index([
      // L2CAP_CREDIT_BASED_CONNECTION for two channels of PSM 0x0027, MTU 64, MPS 64, 5 credits. 4.25
      ">1000 0500 17 01 0c00 2700 4000 4000 0500 4000 4100",
      "<1000 0500 18 01 0c00 4000 4000 0500 0000 5000 5100",
      // Reads of handles 3 and 4, answered the other way round.
      ">0500 5000 0300 0a0300", ">0500 5100 0300 0a0400",
      "<0500 4100 0300 0bbbbb", "<0500 4000 0300 0baaaa",
    ])
    let values = events.compactMap { event -> String? in
      guard case .attribute(.value(let value)) = event.content else { return nil }
      return "\(event.frames.first.number) \(value.handle) \(Hex.text(value.bytes))"
    }
    #expect(values == ["5 4 bbbb", "6 3 aaaa"])
  }

  /// ATT_EXCHANGE_MTU_REQ is not for Enhanced ATT bearers, whose ATT_MTU is the smaller one of the two MTUs of the
  /// channel, here 64: a response of 64 bytes is full, one of 48 is not. The exchange says 48. Vol 3, Part F, 3.2.8,
  /// 3.4.2.1
  @Test(arguments: [(63, 66), (47, 47)])
  func exchangedMTUOfBearer(_ first: Int, _ expected: Int) {
    let sdu = Hex.text([UInt8(first + 1), 0])
    let frame = Hex.text([UInt8(first + 3), 0])
    let events = index([
      // The host takes 64 bytes, the peer 128.
      ">0e00 0500 17 01 0a00 2700 4000 4000 0500 4000",
      "<0e00 0500 18 01 0a00 8000 4000 0500 0000 5000",
      ">0500 5000 0300 023000", "<0500 4000 0300 030002",
      ">0500 5000 0300 0a0300", "<\(frame) 4000 \(sdu) 0b \(Self.filler(first))",
      ">0700 5000 0500 0c0300 3f00", "<0600 4000 0400 0d 010203",
    ])
    #expect(values(events).first == "3: \(expected)")
    let exchanges = events.compactMap { event -> String? in
      guard case .attribute(.mtu(let it)) = event.content else { return nil }
      return "\(it.client) \(it.server) \(it.channelMTU ?? 0) \(event.severity)"
    }
    #expect(exchanges == ["48 512 64 warning"])
  }
}
