import HarkCore
import Testing

@testable import HarkReport
@testable import HarkSession

@Suite struct TimelineLayoutTests {
  private func lines(
    _ contents: [Event.Content], style: Style = .plain, step: Int64 = 1
  ) -> [String] {
    let session = Session()
    var timeline = Timeline(style: style)
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
      lines([.controllerReset]) == [
        "1970-01-01",
        "00:00:00.000     +0.000  hci0               host     controller reset  #1",
      ])
  }

  @Test func colorsOnlyWhenAsked() throws {
    #expect(!lines([.controllerReset]).joined().contains("\u{1B}"))
    #expect(lines([.controllerReset], style: Style(isColored: true)).joined().contains("\u{1B}[2m"))
    // Without its colours a coloured timeline is the plain one.
    let plain = try Sample.timeline("pebble-faults")
    let colored = try Sample.timeline("pebble-faults", style: Style(isColored: true))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func folding() {
    let open = Event.Content.channelOpened(psm: 1)
    let close = Event.Content.channelClosed(psm: 1)
    let told = lines([open, close, open, close, open, .linkParametersRefused])
    let ends = [
      "channel open: SDP (PSM 0x0001)  #1", "channel closed: SDP (PSM 0x0001)  #2",
      "channel closed: SDP (PSM 0x0001)  #4",
      "2 more: channel open: SDP (PSM 0x0001)  #3–5 (2 frames)",
      "connection parameters refused  #6",
    ]
    #expect(told.count == ends.count + 1)
    for (line, end) in zip(told.dropFirst(), ends) { #expect(line.hasSuffix("  " + end)) }
  }

  @Test func scanningIsFolded() {
    let scan: [Event.Content] = [.scanStarted, .scanStopped(devices: 1, reports: 2)]
    let told = lines(scan + scan + scan + [.controllerReset])
    #expect(told.count == 5)
    #expect(
      told[3].hasSuffix(
        "scanning went on, 2 more starts: 2 new devices in 4 reports  #3–6 (4 frames)"))
  }

  /// Messages are told one by one, even if they say the same.
  @Test func messagesAreNotFolded() {
    let note = Event.Content.note(source: "", text: "again")
    #expect(lines([note, note, note]).count == 4)
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
    let words = { (text: String) in
      text.split { $0 == " " || $0 == "\n" }.filter { !$0.hasPrefix("+") }.count
    }
    if width >= 120 { #expect(words(narrow) == words(wide)) }
  }

  @Test func durations() {
    let table: [(Int64, String)] = [
      (0, "0 µs"), (999_999, "999 µs"), (1_000_000, "1 ms"), (7_500_000, "7.5 ms"),
      (41_800_000_000, "41.8 s"), (200_000_000_000, "3 min 20 s"),
      (7_500_000_000_000, "2 h 5 min"), (273_600_000_000_000, "3 d 4 h"), (-5_000_000, "-5 ms"),
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
