import HarkCapture
import HarkCore
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

@Suite struct TimelineLayoutTests {
  private func lines(
    _ contents: [Event.Content], style: Style = .plain, step: Int64 = 1, isWhole: Bool = true
  ) -> [String] {
    let session = Session()
    var timeline = Timeline(style: style, isWhole: isWhole)
    var out = TextBuffer()
    for (index, content) in contents.enumerated() {
      let event = Event(
        time: Timestamp(nanoseconds: Int64(index) * step * 1_000_000),
        frames: Event.Frames(PacketID(UInt32(index + 1))), controller: 0, content: content)
      timeline.write(event, session, to: &out)
    }
    timeline.flush(to: &out)
    return out.string.split(separator: "\n").map(String.init)
  }

  @Test func line() {
    #expect(
      lines([.controller(.reset)]) == [
        "clock not set",
        "00:00:00.000     +0.000  hci0               host           controller reset  #1",
      ])
  }

  /// A recorder that starts before its clock is set: no date is made up, and columns hold.
  @Test func clockIsSetMeanwhile() {
    var session = Session()
    session.index(CaptureRecord(), [UInt8]().raw)
    var timeline = Timeline()
    var out = TextBuffer()
    // 12 s after the start, a day later, and 2026-03-19 06:00:00.
    for (index, seconds) in [Int64(12), 86_412, 1_773_900_000].enumerated() {
      let event = Event(
        time: Timestamp(seconds: seconds, nanoseconds: 0),
        frames: Event.Frames(PacketID(UInt32(index + 1))), controller: 0,
        content: .controller(.reset))
      timeline.write(event, session, to: &out)
      timeline.flush(to: &out)
    }
    #expect(
      out.string.split(separator: "\n") == [
        "clock not set",
        "00:00:12.000    +12.000  hci0               host           controller reset  #1",
        "clock not set, day 2 of it",
        "00:00:12.000 +86412.000  hci0               host           controller reset  #2",
        "2026-03-19",
        "06:00:00.000   +20531 d  hci0               host           controller reset  #3",
      ])
  }

  @Test func colorsOnlyWhenAsked() throws {
    #expect(!lines([.controller(.reset)]).joined().contains("\u{1B}"))
    #expect(
      lines([.controller(.reset)], style: Style(isColored: true)).joined().contains("\u{1B}[2m"))
    // Without its colors a coloured timeline is the plain one.
    let plain = try Sample.timeline("pebble-faults")
    let colored = try Sample.timeline("pebble-faults", style: Style(isColored: true))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func channelsOfSDPAreDistinguishedByTheRequest() {
    let channel = TimelineSentenceTests.channel(1)
    let life: [Event.Content] = [
      .channel(.opened(.init(channel: channel))), .channel(.closed(.init(channel: channel))),
    ]
    #expect(lines(life).isEmpty)
    #expect(lines(life, isWhole: false).count == 3)
  }

  @Test func folding() {
    // Channels of one PSM come and go under ever new CIDs.
    func open(_ cid: UInt16) -> Event.Content {
      .channel(.opened(.init(channel: TimelineSentenceTests.channel(3, local: cid))))
    }
    let close = Event.Content.channel(
      .closed(.init(channel: TimelineSentenceTests.channel(3))))
    let reported = lines([
      open(64), close, open(65), close, open(66),
      .link(.change(.parametersRefused(.init(byPeer: true, isLinkLayer: false)))),
    ])
    let cids = ", Source CID 0x0040, Destination CID 0x0051"
    let ends = [
      "channel opened: RFCOMM (PSM 0x0003)\(cids)  #1",
      "channel closed: RFCOMM (PSM 0x0003)\(cids)  #2",
      "channel closed: RFCOMM (PSM 0x0003)\(cids)  #4",
      "2 more times: channel opened: RFCOMM (PSM 0x0003)  #3–5 (2 packets)",
      "peer refuses the requested connection parameters  #6",
    ]
    #expect(reported.count == ends.count + 1)
    for (line, end) in zip(reported.dropFirst(), ends) { #expect(line.hasSuffix("  " + end)) }
  }

  @Test func scanningIsFolded() {
    let scan: [Event.Content] = [
      .controller(.discovery(.scanStarted)),
      .controller(.discovery(.scanStopped(.init(devices: 1, reports: 2)))),
    ]
    let reported = lines(scan + scan + scan + [.controller(.reset)])
    #expect(reported.count == 5)
    #expect(
      reported[3].hasSuffix(
        "scanning started and stopped 2 more times: 2 new devices in 4 reports  #3–6 (4 packets)"))
  }

  /// The first start of each set has a line, connection attempts that the host cancels fold with the rest,
  /// and what came once only is said as it is.
  @Test func theRadioFoldsByKind() {
    let cancel = Event.Content.link(
      .failed(.init(status: 0x02, peer: nil, transport: .le)))
    let reported = lines([
      .controller(.discovery(.advertisingStarted(.init(sets: [0])))),
      .controller(.discovery(.advertisingStarted(.init(sets: [1])))),
      .controller(.discovery(.scanStarted)),
      .controller(.discovery(.scanStopped(.init(devices: 0, reports: 0)))), cancel,
      .controller(.discovery(.scanStarted)),
      .controller(.discovery(.scanStopped(.init(devices: 0, reports: 0)))), cancel,
      .controller(.discovery(.scanStarted)),
      .controller(.reset),
      .controller(.discovery(.advertisingStarted(.init(sets: [1])))), .controller(.reset),
    ])
    let ends = [
      "advertising of set 0x00 started  #1", "advertising of set 0x01 started  #2",
      "scanning started  #3", "scanning stopped: nothing received  #4",
      "connection attempt cancelled  #5",
      "scanning started 2 more times, stopped once: nothing received; "
        + "1 more connection attempt cancelled  #6–9 (4 packets)",
      "controller reset  #10", "advertising of set 0x01 started  #11", "controller reset  #12",
    ]
    #expect(reported.count == ends.count + 1)
    for (line, end) in zip(reported.dropFirst(), ends) { #expect(line.hasSuffix("  " + end)) }
  }

  /// What is counted after a cancelled connection attempt is in the lane of what is counted.
  @Test func theRadioKeepsLanes() {
    let cancel = Event.Content.link(
      .failed(.init(status: 0x02, peer: nil, transport: .le)))
    let scan: [Event.Content] = [
      .controller(.discovery(.scanStarted)),
      .controller(.discovery(.scanStopped(.init(devices: 0, reports: 0)))),
    ]
    let reported = lines([cancel] + scan + scan + [.controller(.reset)])
    #expect(reported[1].contains("  link  ") && reported[1].hasSuffix("cancelled  #1"))
    #expect(reported.dropFirst(2).allSatisfy { $0.contains("  host  ") })
  }

  /// Phones scan and advertise while they do other things: neither keeps the others from being folded.
  @Test func theRadioIsFoldedBesideTheRest() {
    let busy: [Event.Content] = [
      .controller(.discovery(.scanStarted)),
      .controller(.discovery(.advertisingStarted(.init(sets: [0])))),
      .controller(.discovery(.scanStopped(.init(devices: 1, reports: 2)))),
      .controller(.discovery(.advertisingStopped(.init(sets: [1])))),
    ]
    let reported = lines(
      [.link(.change(.parametersRefused(.init(byPeer: true, isLinkLayer: false))))] + busy + busy
        + [
          .link(.change(.parametersRefused(.init(byPeer: true, isLinkLayer: false))))
        ] + busy)
    let ends = [
      "peer refuses the requested connection parameters  #1",
      "scanning started  #2",
      "advertising of set 0x00 started  #3", "scanning stopped: 1 new device in 2 reports  #4",
      "advertising of set 0x01 stopped  #5",
      "peer refuses the requested connection parameters  #10",
      "scanning started and stopped 2 more times: 2 new devices in 4 reports; "
        + "advertising of sets 0x00, 0x01 started and stopped 2 more times  #6–14 (8 packets)",
    ]
    #expect(reported.count == ends.count + 1)
    for (line, end) in zip(reported.dropFirst(), ends) { #expect(line.hasSuffix("  " + end)) }
    // What continues for hours is reported every ten minutes.
    let scans = (0..<60).flatMap { _ -> [Event.Content] in
      [
        .controller(.discovery(.scanStarted)),
        .controller(.discovery(.scanStopped(.init(devices: 0, reports: 0)))),
      ]
    }
    #expect(lines(scans, step: 10_000).count == 5)
    // Also if the clock goes back.
    for step: Int64 in [10_000, -10_000] {
      #expect(lines(scans, step: step).count { $0.contains("more times") } == 2)
    }
  }

  /// Of what a host logs the first is reported; what somebody wrote to be read is always told.
  @Test func notesAreFolded() {
    func note(_ source: String, _ text: String) -> Event.Content {
      .capture(.note(.init(source: source, text: text)))
    }
    let notes = (0..<10).map { note("bluetoothd", "\($0)") }
    let reported = lines(
      notes + [.controller(.reset), notes[0], note("note", "d"), note("note", "e")])
    let ends = [
      "bluetoothd: 0  #1", "9 more notes of bluetoothd  #2–10 (9 packets)",
      "controller reset  #11", "bluetoothd: 0  #12", "d  #13", "e  #14",
    ]
    #expect(reported.count == ends.count + 1)
    for (line, end) in zip(reported.dropFirst(), ends) { #expect(line.hasSuffix("  " + end)) }
    // A few are reported in full.
    #expect(lines(Array(notes.prefix(9))).count == 10)
    let comment = note("comment", "again")
    #expect(lines([comment, comment, comment]).count == 4)
    #expect(lines(notes + notes, isWhole: false).count == 21)
  }

  /// Values that begin alike are not the same.
  @Test func valuesAreComparedWhole() {
    func value(_ last: UInt8) -> Event.Content {
      .attribute(
        .value(
          TimelineSentenceTests.value(
            .handleValueNotification, 0x2A37, [UInt8](repeating: 0, count: 40) + [last])))
    }
    #expect(lines([value(1), value(2), value(1)]).count == 4)
    #expect(
      lines([value(1), value(1), value(1)]).last?.contains("2 more times: notification") == true)
    // To who asks for values each is shown.
    #expect(lines([value(1), value(1), value(1)], isWhole: false).count == 4)
  }

  @Test func countsAreAddedUp() throws {
    func more(_ times: Int, _ last: UInt8) -> Event.Content {
      .attribute(
        .repeated(
          .init(
            value: TimelineSentenceTests.value(.handleValueNotification, 0x2A19, [last]),
            times: times)))
    }
    let reported = lines([more(2, 90), more(5, 89), more(3, 88), more(1, 87)])
    let what = "notifications of Battery Level; the last: "
    #expect(reported.count == 3)
    #expect(reported[1].contains("  2 more \(what)90 %  #1"))
    #expect(reported[2].contains("  9 more \(what)87 %  #2–4"))
  }

  @Test func timesNeverGoBack() throws {
    for name in Sample.all {
      let times = try Sample.timeline(name).split(separator: "\n").dropFirst()
        .map { String($0.prefix(12)) }
      #expect(times == times.sorted())
    }
  }

  @Test(arguments: [40, 80, 120]) func narrowTerminal(_ width: Int) throws {
    let wide = try Sample.timeline("pebble-session")
    let narrow = try Sample.timeline("pebble-session", style: Style(width: width))
    if width >= 80 {
      for line in narrow.split(separator: "\n") { #expect(Columns.of(String(line)) <= width) }
    }
    // Nothing is lost by breaking lines: the words are all there.
    let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
    if width >= 80 { #expect(words(narrow) == words(wide)) }
  }

  @Test func durations() {
    let table: [(Int64, String)] = [
      (0, "0 µs"), (999_499, "999 µs"), (999_500, "1 ms"), (1_000_000, "1 ms"),
      (7_500_000, "7.5 ms"),
      (41_800_000_000, "41.8 s"), (200_000_000_000, "3 min 20 s"),
      (7_500_000_000_000, "2 h 5 min"), (273_600_000_000_000, "3 d 4 h"), (-5_000_000, "-5 ms"),
      // Rounded, also to the next unit.
      (12_267_646_000, "12.3 s"), (7_349_999_999, "7.3 s"), (999_940_000, "999.9 ms"),
      (999_960_000, "1 s"), (119_960_000_000, "2 min 0 s"), (7_199_600_000_000, "2 h 0 min"),
      (172_790_000_000_000, "2 d 0 h"), (.max, "106752 d 0 h"), (.min, "-106752 d 0 h"),
    ]
    for (nanoseconds, text) in table { #expect(Names.duration(nanoseconds) == text) }
    #expect(Names.interval(9) == "11.25 ms")
    #expect(Names.interval(7) == "8.75 ms")
    #expect(Names.interval(0xFFFF) == "81918.75 ms")
    #expect(Names.size(9_999) == "9999 bytes")
    #expect(Names.size(12_345) == "12.3 kB")
    #expect(Names.count(1_234_567) == "1 234 567")
  }

  @Test func columns() {
    #expect(Columns.of("abc") == 3)
    #expect(Columns.of("日本") == 4)
    #expect(Columns.of("🚆☕") == 4)
    #expect(Columns.of("e\u{301}") == 1)
    #expect(Columns.cut("abcdefgh", to: 5) == "abcd…")
    #expect(Columns.lines(of: "one two three four", width: 9) == ["one two", "three", "four"])
    #expect(Columns.lines(of: "abcdefghijkl", width: 8) == ["abcdefgh", "ijkl"])
  }
}
