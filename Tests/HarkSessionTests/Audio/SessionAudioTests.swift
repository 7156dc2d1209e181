import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Streams of audio and their remote control, from the L2CAP frames of a link.
@Suite struct SessionAudioTests {
  struct Reported {
    var events: [Event] = []
    var completed: [String] = []
    /// The number of the packet that each packet answers, or is answered by.
    var related: [UInt32] = []
    var payloads: [String] = []

    var audio: [AudioEvent] {
      events.compactMap { if case .audio(let event) = $0.content { event } else { nil } }
    }
    /// The names of the events' cases.
    var names: [String] {
      audio.map { String("\($0)".prefix { $0.isLetter || $0.isNumber }) }
    }
  }

  /// Indexes L2CAP payloads: `>` for those the host sends, `<` for those it receives, then the CID,
  /// then the bytes. One packet comes every 10 ms; `+` is followed by seconds to wait, `!` by how many packets the
  /// recorder lost. `?` is one that the host sends or receives: the format does not say which.
  static func reported(_ frames: [String]) -> Reported {
    var session = Session()
    session.keepsFields = true
    var reported = Reported()
    var wait: Int64 = 0
    var dropped: UInt32 = 0
    let packets = frames.filter { !$0.hasPrefix("+") && !$0.hasPrefix("!") }
    var index = -1
    for frame in frames {
      if frame.hasPrefix("+") {
        wait += (Int64(frame.dropFirst()) ?? 0) * 1_000_000_000
        continue
      }
      if frame.hasPrefix("!") {
        dropped = UInt32(frame.dropFirst()) ?? 0
        continue
      }
      index += 1
      let isUnknown = frame.hasPrefix("?")
      let isSent = frame.hasPrefix(">") || isUnknown
      let payload = hex(String(frame.dropFirst(5)))
      let cid = UInt16(frame.dropFirst().prefix(4), radix: 16) ?? 0
      let length = payload.count
      let pdu: [UInt8] = [
        UInt8(length & 0xFF), UInt8(length >> 8), UInt8(cid & 0xFF), UInt8(cid >> 8),
      ]
      let header: [UInt8] = [
        0x40, isSent && !isUnknown ? 0x00 : 0x20, UInt8((length + 4) & 0xFF),
        UInt8((length + 4) >> 8),
      ]
      let bytes = header + pdu + payload
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = isSent ? .hostToController : .controllerToHost
      record.time = Timestamp(nanoseconds: Int64(index) * 10_000_000 + wait)
      (record.count, record.originalCount, record.dropped) = (bytes.count, bytes.count, dropped)
      if isUnknown { record.flags.insert(.directionUnknown) }
      dropped = 0
      session.index(record, bytes.raw)
      reported.completed += session.completed.all.map {
        "\($0.name) \(Hex.text(Array(session.completed.bytes(of: $0))))"
      }
      var tree = Tree()
      if let row = session.packets[UInt32(index + 1)] {
        session.takeFields(bytes.raw, row, into: &tree)
      }
      let layers = tree.nodes.filter { $0.kind == .layer && $0.depth > 1 }
      reported.payloads.append(layers.map { "\($0.field.name)" }.joined(separator: " "))
    }
    session.finish()
    reported.events = session.events
    reported.related = packets.indices.map { session.packets[UInt32($0 + 1)]?.related ?? 0 }
    return reported
  }

  /// A channel the host opens: its own CID, the peer's, the PSM. Core Specification, Vol 3, Part A,
  /// 4.2, 4.3
  static func open(_ psm: String, _ local: String, _ remote: String, id: String) -> [String] {
    [
      ">0001 02 \(id) 0400 \(psm) \(local)",
      "<0001 03 \(id) 0800 \(remote) \(local) 0000 0000",
    ]
  }

  static func close(_ local: String, _ remote: String, id: String) -> [String] {
    ["<0001 06 \(id) 0400 \(local) \(remote)", ">0001 07 \(id) 0400 \(local) \(remote)"]
  }

  /// One end point of the peer, an SNK of SBC, is found, configured and opened. AVDTP 1.3, 8.6 to
  /// 8.12; A2DP 1.4, 4.3.2: 44.1 kHz, joint stereo, bitpool 2 to 53.
  static let opened =
    open("1900", "4000", "4100", id: "01") + [
      ">0041 00 01", "<0040 02 01 0408",
      ">0041 10 0c 04", "<0040 12 0c 0100 0706 0000 ffff 0235 0800",
      ">0041 20 03 04 08 0100 0706 0000 2115 0235", "<0040 22 03",
      ">0041 30 06 04", "<0040 32 06",
    ] + open("1900", "4200", "4300", id: "02")
  /// AVDTP 1.3, 8.13
  static let started = [">0041 40 07 04", "<0040 42 07"]

  /// A media packet with one SBC frame of 9 octets. `number` times 128 samples; AVDTP 1.3, 7.2.1.
  static func media(_ sequence: Int, at number: Int) -> String {
    let stamp = String(number * 128 + 0x1_0000_0000, radix: 16).dropFirst()
    let order = String(sequence + 0x1_0000, radix: 16).dropFirst()
    return ">0043 8060 \(order) \(stamp) 00000001 01 9c010211 0102030405"
  }

  @Test func stream() throws {
    let reported = Self.reported(
      Self.opened + Self.started + [1, 2, 4, 3, 4, 5].map { Self.media($0, at: $0) } + [
        ">0041 50 09 04", "<0040 52 09", ">0041 60 08 04", "<0040 62 08",
      ])
    #expect(
      reported.names == ["endpoints", "configured", "opened", "started", "suspended", "closed"])
    guard case .endpoints(let found) = reported.audio[0],
      case .configured(let configured) = reported.audio[1],
      case .suspended(let suspended) = reported.audio[4]
    else { throw Unexpected() }
    let (endpoints, stream) = (found.endpoints, configured.stream)
    #expect(!found.isLocal)
    #expect(endpoints.map(\.seid) == [1] && endpoints[0].isSink && !endpoints[0].isInUse)
    #expect(endpoints[0].codec?.type == 0)
    #expect(stream.seids == [2, 1] && stream.isSource == true)
    #expect(stream.codec?.samplingFrequency == 44_100)
    #expect(stream.codec?.channels == .jointStereo && stream.codec?.bitpool == 2...53)
    // 4 came twice, and 3 behind it.
    let account = suspended.stream.account
    #expect(account.packets == 6 && account.lost == 0 && account.late == 1)
    #expect(account.duplicates == 1)
    #expect(reported.payloads[14] == "RTP SBC")
    // Each answer to its command: AVDTP_DISCOVER is packet 3.
    #expect(Array(reported.related[2...5]) == [4, 3, 6, 5])
    #expect(reported.events.filter { $0.severity != .info }.count == 1)
  }

  /// Two streams are opened before the channel of the first: their channels come in the same order. AVDTP 1.3, 6.5
  @Test func twoStreamsAtOnce() {
    var frames = Array(Self.opened.dropLast(2))
    frames += [
      ">0041 70 03 0c 0c 0100 0706 0000 2115 0235", "<0040 72 03", ">0041 80 06 0c", "<0040 82 06",
    ]
    frames += Self.open("1900", "4200", "4300", id: "02")
    frames += Self.open("1900", "4400", "4500", id: "03")
    frames += [">0041 40 07 04 0c", "<0040 42 07"]
    for number in 1...4 { frames.append(Self.media(number, at: number)) }
    for number in 1...2 {
      frames.append(">0045" + Self.media(number, at: number).dropFirst(5))
    }
    frames += [">0041 50 08 04", "<0040 52 08", ">0041 60 08 0c", "<0040 62 08"]
    let packets = Self.reported(frames).audio.compactMap { event -> [Int]? in
      guard case .closed(let it) = event else { return nil }
      return [Int(it.stream.seids[1]), it.stream.account.packets]
    }
    #expect(packets == [[1, 4], [3, 2]])
  }

  /// The channels of media and of reports are requested in this order, and the peer accepts the second one first. AVDTP 1.3,
  /// 5.4.6
  @Test func answersInAnotherOrder() {
    let (media, reports) = (
      Self.open("1900", "4200", "4300", id: "02"), Self.open("1900", "4400", "4500", id: "03")
    )
    var frames = Array(Self.opened.dropLast(2)) + [media[0], reports[0], reports[1], media[1]]
    frames += Self.started
    for number in 1...4 { frames.append(Self.media(number, at: number)) }
    // RTCP: a Sender Report.
    frames.append(">0045 80c8 0006 00000001 0000000000000000 00000200 00000004 00000024")
    frames += [">0041 50 08 04", "<0040 52 08"]
    let packets = Self.reported(frames).audio.compactMap { event -> Int? in
      if case .closed(let it) = event { it.stream.account.packets } else { nil }
    }
    #expect(packets == [4])
  }

  /// Seven in a row are missing: that is reported at once, and in the end.
  @Test func gap() throws {
    let reported = Self.reported(
      Self.opened + Self.started + [0xFFFE, 0xFFFF, 7, 8].map { Self.media($0, at: $0) })
    #expect(reported.names.suffix(2) == ["gap", "ended"])
    guard case .gap(let gap) = reported.audio[4], case .ended(let ended) = reported.audio[5]
    else { throw Unexpected() }
    #expect(gap.lost == 7 && ended.stream.account.lost == 7 && ended.stream.account.packets == 4)
    #expect(ended.stream.state == .streaming)
  }

  /// A rejected configuration, a signal the peer does not know, and a broken link. AVDTP 1.3, 8.9.3,
  /// 8.18; A2DP 1.4, 5.1.3
  @Test func rejected() throws {
    let reported = Self.reported(
      Self.open("1900", "4000", "4100", id: "01") + [
        ">0041 20 03 04 08 0100 0706 0000 2115 0235", "<0040 23 03 07 c4",
        ">0041 30 0c 04", "<0040 31 0c",
      ])
    guard case .signalRejected(let first) = reported.audio[0],
      case .signalRejected(let second) = reported.audio[1]
    else { throw Unexpected() }
    #expect(first.signal == 3 && first.category == 7 && first.error == 0xC4)
    #expect(second.signal == 0x0C && second.category == nil && second.error == nil)
    #expect(reported.audio.count == 2)
  }

  /// Both sides configure a stream at once: one of them rejects the other's, with BAD_STATE or SEP_IN_USE, before or
  /// after its own is accepted. AVDTP 1.3, 8.9, 8.20.6.2
  @Test(arguments: [
    ([">0041 13 03 00 31", "<0040 22 03"], [true]),
    ([">0041 12 03", "<0040 23 03 00 13"], [true]),
    // No configuration remains.
    ([">0041 13 03 00 31", "<0040 23 03 00 31"], [true, false]),
    // UNSUPPORTED_CONFIGURATION
    ([">0041 13 03 07 29", "<0040 22 03"], [false]),
  ]) func configuredAtOnce(answers: [String], collides: [Bool]) {
    let reported = Self.reported(
      Self.open("1900", "4000", "4100", id: "01") + [
        ">0041 20 03 04 08 0100 0706 0000 2115 0235",
        "<0040 10 03 08 04 0100 0706 0000 2115 0235",
      ] + answers)
    #expect(Self.collisions(reported) == collides)
  }

  /// The stream end point was in use before.
  @Test func configuredBefore() {
    let reported = Self.reported(
      Self.open("1900", "4000", "4100", id: "01") + [
        "<0040 10 03 08 04 0100 0706 0000 2115 0235", ">0041 12 03",
        ">0041 20 03 04 08 0100 0706 0000 2115 0235", "<0040 23 03 00 13",
      ])
    #expect(Self.collisions(reported) == [false])
  }

  private static func collisions(_ reported: Reported) -> [Bool] {
    reported.audio.compactMap {
      if case .signalRejected(let it) = $0 { it.isCollision } else { nil }
    }
  }

  /// The capabilities come in a start, a continue and an end packet. AVDTP 1.3, 8.4
  @Test func fragmentedSignal() {
    let reported = Self.reported(
      Self.open("1900", "4000", "4100", id: "01") + [
        ">0041 00 01", "<0040 02 01 0408", ">0041 10 0c 04",
        "<0040 16 03 0c 0100", "<0040 1a 0706 0000", "<0040 1e ffff 0235",
      ])
    #expect(reported.completed == ["AVDTP signal 16030c010007060000ffff0235"])
    #expect(reported.names == ["endpoints"])
    #expect(reported.related[7] == 5)
  }

  /// The first channel signals, the second carries media, the third reports. AVDTP 1.3, 5.4.6
  @Test func channels() {
    let reported = Self.reported(
      Self.opened + Self.open("1900", "4400", "4500", id: "03") + Self.started + [
        Self.media(1, at: 1), ">0045 80c9 0001 00000001",
      ])
    #expect(reported.payloads[16] == "RTP SBC" && reported.payloads[17] == "RTP")
    #expect(reported.payloads[2] == "AVDTP")
  }

  /// When the signaling channel closes, its streams are gone. AVDTP 1.3, 6.12
  @Test func signalingClosed() throws {
    let reported = Self.reported(
      Self.opened + Self.close("4000", "4100", id: "07")
        + Self.open("1900", "5000", "5100", id: "08") + [">0051 00 01", "<0050 02 01 0408"])
    #expect(reported.names == ["endpoints", "configured", "opened", "ended", "endpoints"])
  }

  /// The capture begins in the middle: four packets of one source that follow each other are enough.
  /// Sequences with holes, and other channels, are not.
  @Test func recognizedMedia() throws {
    let holes = [1, 2, 4, 5, 7].map { Self.media($0, at: $0) }
    let reported = Self.reported(
      holes + [8, 9].map { Self.media($0, at: $0) } + [">0044 8060 0001"]
        + [10, 11, 13].map { Self.media($0, at: $0) })
    #expect(reported.names == ["recognized", "ended"])
    guard case .recognized(let recognized) = reported.audio[0],
      case .ended(let ended) = reported.audio[1]
    else { throw Unexpected() }
    #expect(recognized.cid == 0x43)
    #expect(recognized.stream.isSource == true && recognized.stream.codec == nil)
    #expect(ended.stream.account.packets == 3 && ended.stream.account.lost == 1)
    #expect(
      reported.events.filter { if case .audio = $0.content { true } else { false } }[0]
        .frames.first.number == 5)
    #expect(Array(reported.payloads.suffix(4)) == ["", "RTP SBC", "RTP SBC", "RTP SBC"])
  }

  /// The capture begins when the signals are over: the first channel of the capture carries the media,
  /// as no signal of AVDTP looks like them. AVDTP 1.3, 8.4: the second octet is the signal.
  @Test func mediaChannelFirst() throws {
    let reported = Self.reported(
      Self.open("1900", "4200", "4300", id: "02") + [1, 2, 4].map { Self.media($0, at: $0) }
        + Self.close("4200", "4300", id: "03"))
    #expect(reported.names == ["recognized", "ended"])
    guard case .recognized(let recognized) = reported.audio[0],
      case .ended(let ended) = reported.audio[1]
    else { throw Unexpected() }
    #expect(recognized.cid == 0x43 && !ended.withCapture)
    #expect(recognized.stream.isSource == true)
    #expect(ended.stream.account.packets == 3 && ended.stream.account.lost == 1)
    #expect(Array(reported.payloads[2...4]) == ["RTP SBC", "RTP SBC", "RTP SBC"])
  }

  /// The signaling channel was open before: a command and its response tell that it is one, and the
  /// channel that is opened then carries the media of the stream that was opened.
  @Test func recognizedSignals() throws {
    let reported = Self.reported(
      Array(Self.opened.dropFirst(2)) + Self.started + [1, 2].map { Self.media($0, at: $0) })
    #expect(
      reported.names == ["signalsRecognized", "configured", "opened", "started", "ended"]
        || reported.names
          == ["signalsRecognized", "endpoints", "configured", "opened", "started", "ended"]
    )
    guard case .signalsRecognized(let recognized) = reported.audio[0] else { throw Unexpected() }
    #expect(recognized.cid == 0x41)
    #expect(reported.payloads[1] == "AVDTP" && Array(reported.related[0...1]) == [2, 1])
    #expect(reported.payloads.suffix(2) == ["RTP SBC", "RTP SBC"])
  }

  /// What is no command, or whose answer is another's, tells nothing. AVDTP 1.3, 8.4 to 8.19
  @Test(arguments: [
    [">0041 00 01 04", "<0040 02 01 0408"], [">0041 00 06 05", "<0040 02 06"],
    [">0041 00 06 04", "<0040 12 06"], [">0041 00 06 04", "<0040 02 07"],
    [">0041 00 06 04", ">0041 02 06"], [">0041 00 0e 04", "<0040 02 0e"],
    [">0041 00 06 04", "<0040 02 06 00"],
  ])
  func noSignals(_ frames: [String]) {
    #expect(Self.reported(frames).names == [])
  }

  /// Data on a CID that no one opened has a stream; it is that of the channel once that is known.
  @Test func unknownStreams() {
    var session = Session()
    func index(_ frames: [String]) {
      for frame in frames {
        let payload = hex(String(frame.dropFirst(5)))
        let cid = UInt16(frame.dropFirst().prefix(4), radix: 16) ?? 0
        var record = CaptureRecord()
        record.kind = .acl
        record.direction = frame.hasPrefix(">") ? .hostToController : .controllerToHost
        let bytes: [UInt8] =
          [0x40, frame.hasPrefix(">") ? 0 : 0x20, UInt8(payload.count + 4), 0]
          + [UInt8(payload.count), 0, UInt8(cid & 0xFF), UInt8(cid >> 8)] + payload
        (record.count, record.originalCount) = (bytes.count, bytes.count)
        session.index(record, bytes.raw)
      }
    }
    index([">0050 aabb", "<0060 01", ">0050 cc"] + (1...4).map { Self.media($0, at: $0) })
    let (kinds, bytes) = (session.streams.map(\.kind), session.streams.map(\.bytes))
    #expect(
      kinds == [.unknownChannel(cid: 0x50), .unknownChannel(cid: 0x60), .channel(psm: 0x0019)])
    #expect(bytes == [[3, 0], [0, 1], [88, 0]])
    let areInferred = session.streams.allSatisfy(\.isInferred)
    #expect(areInferred)
    // Disconnection of 0x0050 there and 0x0060 here. Core Specification, Vol 3, Part A, 4.6, 4.7
    index(Self.close("6000", "5000", id: "04"))
    let areClosed = session.streams.map { $0.closed != nil }
    #expect(areClosed == [true, true, false])
  }

  struct Unexpected: Error {}
}
