import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// SDP, RFCOMM and AT lines over frames that Bumble's `sdp.py` and `rfcomm.py` make.
@Suite struct SessionClassicTests {
  /// What the session told, and the PDUs it put together.
  private struct Story {
    var events: [Event.Content] = []
    var completed: [String] = []
    var streams: [Stream] = []
  }

  /// Indexes L2CAP frames: `>` for those the host sends, `<` for those it receives.
  private func index(_ frames: [String]) -> Story {
    var session = Session()
    var story = Story()
    session.keepsFields = true
    for frame in frames {
      let isSent = frame.hasPrefix(">")
      let pdu = hex(String(frame.dropFirst()))
      let bytes: [UInt8] = [0x40, isSent ? 0x00 : 0x20, UInt8(pdu.count), 0] + pdu
      var record = CaptureRecord()
      record.kind = .acl
      record.direction = isSent ? .hostToController : .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      for pdu in session.completed.all {
        story.completed.append("\(pdu.name) \(Hex.text(Array(session.completed.bytes(of: pdu))))")
      }
    }
    session.finish()
    story.events = session.events.map(\.content)
    story.streams = session.streams
    return story
  }

  /// CIDs 0x0040 here and 0x0041 there. Core Specification, Vol 3, Part A, 4.2, 4.3
  private static func channel(_ psm: String) -> [String] {
    [">0800 0100 02 01 0400 \(psm) 4000", "<0c00 0100 03 01 0800 4100 4000 0000 0000"]
  }

  private static let list = """
    353935370900000a00010003090001350619111f191203090004350c3503190100350519000308070900093508350619\
    111f090108090311090020
    """

  private static let search = [
    ">14004100060001000f350319111f001435050a0000ffff00",
    "<1e00400007000100190014353935370900000a00010003090001350619111f020014",
    ">160041000600010011350319111f001435050a0000ffff020014",
    """
    <2f004000070001002a0027191203090004350c3503190100350519000308070900093508350619111f0901080903110\
    9002000
    """,
  ]

  /// Vol 3, Part B, 4.3: the attribute list comes in two parts of 20 and 39 bytes.
  @Test func continuation() {
    let story = index(Self.channel("0100") + Self.search)
    #expect(story.completed == ["SDP attributes \(Self.list)"])
    let found = story.events.compactMap { event -> [ServiceRecord]? in
      if case .sdp(.found(let found)) = event, !found.isLocal { found.records } else { nil }
    }
    var record = ServiceRecord()
    record.handle = 0x0001_0003
    record.classes = [BluetoothUUID(0x111F as UInt16), BluetoothUUID(0x1203 as UInt16)]
    (record.serverChannel, record.version) = (7, 0x0108)
    #expect(found == [[record]])
  }

  /// A request that begins again drops what was begun before.
  @Test func brokenContinuation() {
    let story = index(Self.channel("0100") + Self.search[...1] + Self.search)
    #expect(story.completed == ["SDP attributes \(Self.list)"])
  }

  @Test func missingService() {
    let story = index(Self.channel("0100") + [Self.search[0], "<0a00400007000100050002350000"])
    let missing = story.events.compactMap { event -> BluetoothUUID? in
      if case .sdp(.missing(let it)) = event, !it.isLocal { it.uuids.first } else { nil }
    }
    #expect(missing == [BluetoothUUID(0x111F as UInt16)])
  }

  /// Responses belong to the request with their TransactionID; a client ignores the others. 4.2
  @Test(
    arguments: [
      // Another TransactionID; after an error response; to the other of two requests.
      ([search[0], "<0a00400007004d00050002350000"], []),
      ([search[0], "<0700400001000100020006", "<0a00400007004d00050002350000"], []),
      (
        [
          search[0], ">14004100060002000f3503191108001435050a0000ffff00",
          "<0a00400007000200050002350000", "<0a00400007000100050002350000",
        ], [0x1108, 0x111F]
      ),
      // A capture that begins after the request.
      (["<0a00400007000100050002350000"], [nil]),
    ] as [([String], [UInt16?])])
  func transactions(_ frames: [String], _ wanted: [UInt16?]) {
    let missing = index(Self.channel("0100") + frames).events.compactMap { event in
      if case .sdp(.missing(let it)) = event { [it.uuids.first] } else { nil as [BluetoothUUID?]? }
    }
    #expect(missing.flatMap { $0 } == wanted.map { $0.map { BluetoothUUID($0) } })
  }

  /// A record with a PSM that the device handed out: its channels are named after the service.
  @Test func serviceOnL2CAP() {
    let story = index(
      Self.channel("0100") + [
        Self.search[0],
        """
        <2f004000070001002a00273525352309000135111c74ec21720bad4d018f77997b2be0722a0900043508350619\
        0100091005 00
        """,
        ">0800 0100 06 02 0400 4100 4000", "<0800 0100 07 02 0400 4100 4000",
      ] + Self.channel("0510"))
    #expect(story.streams.map(\.name) == [nil, "Apple Accessory Protocol"])
  }

  /// The other end of the channels that come after that of SDP.
  private static let session =
    [
      ">0800 0100 06 02 0400 4100 4000", "<0800 0100 07 02 0400 4100 4000",
    ]
    + channel("0300") + [">04004100033f011c", "<04004000037301d7"]
  private static let negotiation = [
    ">0e00410003ef1583110ef00700de03000270", "<0e00400001ef1581110ee007004a010001aa",
  ]

  private func links(_ story: Story) -> [String] {
    story.events.compactMap { event in
      guard case .rfcomm(let event) = event else { return nil }
      return switch event {
      case .opened(let it):
        "opened \(it.link.serverChannel) \(it.link.service?.version ?? 0) "
          + "\(it.link.frameSize ?? 0) \(it.byPeer)"
      case .refused(let it): "refused \(it.link.serverChannel)"
      case .unanswered(let it): "unanswered \(it.link.serverChannel)"
      case .notOpen(let it): "not open \(it.link.serverChannel) \(it.wasClosed)"
      case .sessionRefused: "session refused"
      case .closed(let it): "closed \(it.link.serverChannel)"
      case .recognized(let it): "recognized \(it.protocolName)"
      case .creditsExceeded: "credits exceeded"
      case .wrongFCS(let it): "wrong FCS \(it.dlci)"
      default: "other"
      }
    }
  }

  /// SABM, UA, data with one credit, of which more come in time, DISC, UA. RFCOMM 1.2, 6.5
  @Test func dataLink() {
    let story = index(
      Self.channel("0100") + Self.search + Self.session + Self.negotiation + [
        ">040041003b3f0106", "<040040003b7301cd", ">070041003bef076f6e65a5",
        "<0500400039ff010163", ">070041003bef076f6e65a5", ">040041003b5301e7",
        "<040040003b7301cd",
      ])
    #expect(links(story) == ["opened 7 264 330 false", "closed 7"])
    let stream = story.streams.last
    #expect(stream?.bytes == [6, 0] && stream?.packets == [2, 0])
    #expect(stream?.name == "AG Hands-Free" && stream?.parent == StreamID(number: 2))
    #expect(stream?.closed != nil)
  }

  /// The peer sends data until it has the DISC; DM answers that data, and UA the DISC. TS 27.010, 5.4.4
  @Test func dataAfterDISC() {
    let data = "<0700400039ef076f6e657f"
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + Self.negotiation + [
        ">040041003b3f0106", "<040040003b7301cd", ">040041003b5301e7", data,
        ">04004100391f014d", data, "<040040003b7301cd",
      ])
    #expect(links(story) == ["opened 7 0 330 false", "closed 7"])
  }

  @Test func creditsExceeded() {
    let data = ">070041003bef076f6e65a5"
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + Self.negotiation
        + [">040041003b3f0106", "<040040003b7301cd", data, data, data])
    #expect(links(story) == ["opened 7 0 330 false", "credits exceeded"])
  }

  /// Frames of a data link whose SABM is not in the capture, or whose UA is not. The C/R bit shows who started the
  /// session, and the DLCI 14 leads to a service of the other side. TS 27.010, 5.2.1.2; RFCOMM 5.4
  @Test(arguments: [
    ([">070041003bef076f6e65a5"], false), (["<0800400039ef0941542b567f"], false),
    (["<070040003bef076f6e65a5"], true), ([">0800410039ef0941542b567f"], true),
    ([">040041003b3f0106", "<0800400039ef0941542b567f"], false),
  ]) func openingNotInTheCapture(_ frames: [String], _ byPeer: Bool) {
    let story = index(Self.channel("0300") + frames)
    #expect(links(story).first == "opened 7 0 0 \(byPeer)")
  }

  /// The receiver discards a frame whose FCS is wrong. TS 27.010, 5.2.1.6
  @Test func wrongFCS() {
    let story = index(
      Self.channel("0100") + Self.search + Self.session + Self.negotiation + [
        ">040041003b3f0106", "<040040003b7301cd", ">040041003b530118", "<040040003b7301cd",
      ])
    #expect(links(story) == ["opened 7 264 330 false", "wrong FCS 14"])
  }

  @Test func refused() {
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + [">040041003b3f0106", "<040040003b1f012c"])
    #expect(links(story) == ["refused 7"])
  }

  /// UA answers the DISC with which the side that sent SABM gives up. TS 27.010, 5.4.1
  @Test func givenUp() {
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + [
        ">040041003b3f0106", ">040041003b5301e7", "<040040003b7301cd",
      ])
    #expect(links(story) == ["unanswered 7"])
  }

  /// Data that was on its way when its data link was closed, and data on one that nobody opened; if both sides send
  /// some, the capture lacks its SABM. TS 27.010, 5.4.4
  @Test(arguments: [
    (
      [
        ">040041003b3f0106", "<040040003b7301cd", ">040041003b5301e7", "<040040003b7301cd",
        "<0700400039ef076f6e657f", "<0700400039ef076f6e657f",
      ], ["opened 7 0 0 false", "closed 7", "not open 7 true"]
    ),
    (["<0700400039ef076f6e657f", ">04004100391f014d"], ["not open 7 false"]),
    (
      ["<0700400039ef076f6e657f", ">070041003bef076f6e65a5"],
      ["not open 7 false", "opened 7 0 0 false"]
    ),
  ]) func dataWithoutDataLink(_ frames: [String], _ expected: [String]) {
    let story = index(Self.channel("0300") + Self.session.suffix(2) + frames)
    #expect(links(story) == expected)
  }

  /// A command in two frames, after one that shows what the data link is for.
  @Test func linesOverFrames() {
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + [
        ">040041003b3f0106", "<040040003b7301cd", "<0c00400039ef1141542b424c444e0d7f",
        "<0800400039ef0941542b567f", "<0900400039ef0b47533d390d7f",
      ])
    let reported = story.events.compactMap { event -> String? in
      switch event {
      case .handsFree(.gain(let gain)): gain.isSpeaker ? "speaker \(gain.value)" : nil
      case .handsFree(.command(let command)):
        if case .redial = command.action { "redial" } else { nil }
      default: nil
      }
    }
    #expect(reported == ["redial", "speaker 9"])
    // No service record says so.
    #expect(links(story) == ["opened 7 0 0 false", "recognized HFP"])
    #expect(story.streams.last?.name == "HFP" && story.streams.last?.isInferred == true)
    #expect(story.completed == ["AT lines 41542b5647533d390d"])
  }

  /// Modems and others speak AT as well: `AT+CGMI` asks one who made it. TS 27.007, 5.1
  @Test func otherCommandsAreOfNobody() {
    let story = index(
      Self.channel("0300") + Self.session.suffix(2) + [
        ">040041003b3f0106", "<040040003b7301cd", "<0c00400039ef1141542b43474d490d7f",
      ])
    #expect(links(story) == ["opened 7 0 0 false"])
  }

  /// The service that Google's specification gives the message stream, on server channel 17, and what
  /// earbuds said on it to a phone: two messages in one frame, then one in two.
  @Test func fastPair() throws {
    let story = index(
      Self.channel("0100") + [
        Self.search[0],
        """
        <33004000070001002e002b352935270900013511 1cdf21fe2c25154fdb8886f12c4d67927c 090004350c\
        35031901003505190003081100
        """,
      ] + Self.session + [
        ">040041008b3f018f", "<040040008b730144",
        "<1200400089ef1d03010003649562030300036464ffe8",
        "<0b00400089ef0f030300036464ffe8",
        "<0800400089ef0903030003e8", "<0700400089ef076455ffe8",
      ])
    let reported = story.events.compactMap { event -> String? in
      switch event {
      case .fastPair(.model(let model)): String(model.id, radix: 16)
      case .fastPair(.battery(let batteries)):
        batteries.all.map { "\($0.component) \($0.level.map { "\($0)" } ?? "-") \($0.isCharging)" }
          .joined(separator: ", ")
      default: nil
      }
    }
    #expect(
      reported == [
        "649562", "left 100 false, right 100 false, box - true",
        "left 100 false, right 85 false, box - true",
      ])
    #expect(story.streams.last?.name == "Google Fast Pair Message Stream")
    #expect(
      story.completed.suffix(3) == [
        "message 03010003649562", "message 030300036464ff", "message 030300036455ff",
      ])
  }

  /// A service whose class no one has named is reported by its UUID.
  @Test func unnamedService() {
    let story = index(
      Self.channel("0100") + [
        Self.search[0],
        """
        <33004000070001002e002b352935270900013511 1c0000079ad10211e19b2300025b00a5a5 090004350c\
        35031901003505190003081100
        """,
      ] + Self.session + [">040041008b3f018f", "<040040008b730144"])
    #expect(story.streams.last?.name == "0000079A-D102-11E1-9B23-00025B00A5A5")
  }
}
