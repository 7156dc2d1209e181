import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkFilter
import HarkFindings
import HarkPresentation
import HarkProfile
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkWeb

@Suite struct PageTests {
  static let captures = Project.root.appending(path: "captures")

  static let samples: [String] = {
    let all = FileManager.default.enumerator(at: captures, includingPropertiesForKeys: nil)
    let paths = (all?.allObjects as? [URL] ?? []).map { $0.path() }
    return paths.filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pklg") }.sorted()
  }()

  static func knowledge(_ file: String) throws -> Knowledge {
    let folder = URL(filePath: file).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let keys = try names.filter { $0.hasSuffix(".harkkeys") }.sorted()
      .map { try KeyFile(path: folder.appending(path: $0).path()) }
    return Knowledge(keys: KeyRing(keys), framings: .known)
  }

  /// Reads a capture as the program does, and gives the JSON of the timeline and of its findings.
  static func read(_ file: String, into page: CapturePage, _ knowledge: Knowledge) throws
    -> [String]
  {
    var session = knowledge.session()
    var out = TextBuffer()
    var findings = Findings()
    func take() {
      page.take(session)
      for event in session.events {
        TimelineJSON().write(event, session, to: &out)
        for finding in findings.events(after: event, session) {
          TimelineJSON().write(finding, session, to: &out)
        }
      }
      session.dropEvents()
    }
    _ = try Capture(path: file).forEachRecord { record, bytes in
      session.index(record, bytes)
      page.log.record(record, bytes)
      take()
      return true
    }
    session.finish()
    page.log.finish()
    take()
    page.log.close()
    page.finish(session)
    for finding in findings.lastEvents(session) {
      TimelineJSON().write(finding, session, to: &out)
    }
    page.enter(.ended)
    return out.string.split(separator: "\n").map(String.init)
  }

  static func page(_ file: String) throws -> (page: CapturePage, events: [String]) {
    let knowledge = try knowledge(file)
    let page = try CapturePage(name: "test", filter: nil, knowledge)
    return (page, try read(file, into: page, knowledge))
  }

  /// A btsnoop file of HCI packets with their H4 types.
  static func btsnoop(_ packets: [[UInt8]]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    var capture = Array("btsnoop\0".utf8) + number(1) + number(1002)
    for packet in packets {
      let size = number(UInt32(packet.count))
      // Bit 0: received; bit 1: command or event.
      let isReceived: UInt32 = packet[0] == 4 || packet[2] & 0x20 != 0 ? 1 : 0
      let flags = number(isReceived | (packet[0] == 2 ? 0 : 2))
      capture += size + size + flags + number(0) + number(0x00E3_0000) + number(0) + packet
    }
    return capture
  }

  static func ask(_ page: CapturePage, _ path: String, _ values: [String: String]) throws
    -> [String: Any]
  {
    let answer = PageAnswers(page: page).answer(PageRequest(path: path, values: values))
    return try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  /// What a session is given a second time makes the same events happen.
  @Test(arguments: samples) func replay(_ file: String) throws {
    let knowledge = try Self.knowledge(file)
    let (page, events) = try Self.page(file)
    var replay = Replay(page.log, knowledge)
    var out = TextBuffer()
    var findings = Findings()
    while replay.step(
      before: { _, _ in },
      after: { _, _, session in
        for event in session.events {
          TimelineJSON().write(event, session, to: &out)
          for finding in findings.events(after: event, session) {
            TimelineJSON().write(finding, session, to: &out)
          }
        }
      })
    {}
    let hasEnded = replay.hasEnded
    #expect(hasEnded)
    for finding in findings.lastEvents(replay.session) {
      TimelineJSON().write(finding, replay.session, to: &out)
    }
    #expect(out.string.split(separator: "\n").map(String.init) == events)
  }

  /// Beside a link whose peer has a private address, and beside encrypted advertising, the page has what `hark explain`
  /// says about them. Core Specification, Vol 4, Part E, 7.7.65.1, 7.7.65.2; the report is of a public example.
  @Test func explains() throws {
    let address = "cc 1d d7 22 11 4a"
    let packets = [
      "04 3e 13 01 00 40 00 00 01 \(address) 18 00 00 00 48 00 00",
      "04 3e 2b 02 01 00 01 \(address) 1f 1e ff 4c 00 07 19 01 0e 20 2b 99 8f 11 00 00"
        + " 72 c2 1c 93 85 6e 33 ba 4c c8 3b a5 f4 47 da e7 c4",
    ].map { Hex.bytes($0) ?? [] }
    let folder = try TestFolder()
    let path = folder.path("a.btsnoop")
    try Data(Self.btsnoop(packets)).write(to: URL(filePath: path))
    let (page, events) = try Self.page(path)
    var reasons: [String: String] = [:]
    for (index, event) in events.enumerated() {
      guard let kind = event.firstMatch(of: /"kind":"([a-z-]+)"/)?.1 else { continue }
      let why = try Self.ask(page, "explain", ["index": "\(index)"])
      reasons[String(kind)] = why["reason"] as? String
      if kind == "link-opened" {
        let remedies = why["remedies"] as? [String] ?? []
        #expect(remedies.contains { $0.contains("--irk KEY@") })
      }
    }
    #expect(reasons == ["link-opened": "irk", "advertising-locked": "irk-and-proximity-key"])
  }

  /// The page has a color for each lane of the timeline, and calls no lane otherwise.
  @Test func lanes() throws {
    let script = try String(
      contentsOf: Project.root.appending(path: "web/lanes.js"), encoding: .utf8)
    let start = try #require(script.range(of: "const LANES = {")).upperBound
    let end = try #require(script.range(of: "};", range: start..<script.endIndex)).lowerBound
    let names = script[start..<end].matches(of: /(\w+): "/).map { String($0.1) }
    #expect(names == Event.Lane.allCases.map(\.name))
  }

  /// A filter sees the same rows as the page, those of findings among them.
  @Test(arguments: samples) func filters(_ file: String) throws {
    let (page, events) = try Self.page(file)
    #expect(try Self.ask(page, "rows", ["count": "0"])["total"] as? Int == events.count)
    let expected = events.indices.filter { events[$0].contains("\"lane\":\"finding\"") }
    var answer: [String: Any] = [:]
    for _ in 0..<1_000 {
      answer = try Self.ask(page, "rows", ["filter": "lane == finding"])
      if answer["looked"] as? Int == events.count { break }
      usleep(10_000)
    }
    #expect(answer["looked"] as? Int == events.count)
    let rows = try #require(answer["rows"] as? [[String: Any]])
    #expect(rows.map { $0["index"] as? Int } == expected)
    #expect(
      rows.allSatisfy { ($0["event"] as? [String: Any])?["lane"] as? String == "finding" })
  }

  /// The numbers of the packets that match, once the filter has checked all.
  private static func packets(_ page: CapturePage, _ filter: String) throws -> [Int] {
    var answer: [String: Any] = [:]
    for _ in 0..<1_000 {
      answer = try ask(page, "packets", ["filter": filter, "count": "500"])
      if answer["isOver"] as? Bool == true, answer["read"] as? Int == answer["packets"] as? Int {
        break
      }
      usleep(10_000)
    }
    #expect(answer["looked"] as? Int == answer["packets"] as? Int)
    let rows = try #require(answer["rows"] as? [[String: Any]])
    #expect(rows.count == answer["total"] as? Int)
    return rows.compactMap { $0["number"] as? Int }
  }

  /// A link opens, its MTU is exchanged, and it closes. What a packet has itself, the sentence of its event, and what all of
  /// these have in common select packets.
  @Test func filtersOfPackets() throws {
    let packets = [
      "04 3e 13 01 00 40 00 00 00 11 22 33 44 55 66 18 00 00 00 48 00 00",
      "02 40 00 07 00 03 00 04 00 02 05 02",
      "02 40 20 07 00 03 00 04 00 03 40 00",
      "04 05 04 00 40 00 13",
    ].map { Hex.bytes($0) ?? [] }
    let folder = try TestFolder()
    let path = folder.path("a.btsnoop")
    try Data(Self.btsnoop(packets)).write(to: URL(filePath: path))
    let (page, _) = try Self.page(path)
    #expect(try Self.packets(page, "att") == [2, 3])
    #expect(try Self.packets(page, "att.opcode == 3 or frame.kind == event") == [1, 3, 4])
    #expect(try Self.packets(page, "event == \"mtu\"") == [2, 3])
    #expect(try Self.packets(page, "lane == link and not att") == [1, 4])
    #expect(try Self.packets(page, "att.opcode == 0x1b") == [])
    // Once it is over, each answer is complete.
    #expect(try Self.packets(page, "att") == [2, 3])
    let filter = ["filter": "att", "count": "1"]
    for (number, from, row) in [(1, 0, 2), (2, 0, 2), (3, 1, 3), (4, 2, nil)] {
      let values = filter.merging(["number": "\(number)"]) { $1 }
      let answer = try Self.ask(page, "packets", values)
      #expect(answer["from"] as? Int == from)
      #expect((answer["rows"] as? [[String: Any]])?.first?["number"] as? Int == row)
    }
    let wrong = try Self.ask(page, "packets", ["filter": "att.opcod"])
    #expect((wrong["message"] as? String)?.contains("att.opcode") == true)
  }

  /// While a capture goes on, a packet is filtered before later packets reveal to which event it belongs; when the capture
  /// has ended, all are filtered again.
  @Test func filtersOfPacketsOfALiveCapture() throws {
    let packets = [
      "04 3e 13 01 00 40 00 00 00 11 22 33 44 55 66 18 00 00 00 48 00 00",
      "02 40 00 07 00 03 00 04 00 02 05 02",
      "02 40 20 07 00 03 00 04 00 03 40 00",
    ].map { Hex.bytes($0) ?? [] }
    let folder = try TestFolder()
    let path = folder.path("a.btsnoop")
    try Data(Self.btsnoop(packets)).write(to: URL(filePath: path))
    let knowledge = Knowledge(keys: KeyRing(), framings: .known)
    let page = try CapturePage(name: "test", filter: nil, knowledge)
    var session = knowledge.session()
    _ = try Capture(path: path).forEachRecord { record, bytes in
      session.index(record, bytes)
      page.log.record(record, bytes)
      page.take(session)
      session.dropEvents()
      let count = session.packets.count
      for _ in 0..<1_000 {
        let values = ["filter": "event == \"mtu\"", "count": "9"]
        guard let answer = try? Self.ask(page, "packets", values) else { return false }
        if answer["looked"] as? Int == count {
          let rows = answer["rows"] as? [[String: Any]] ?? []
          #expect(rows.compactMap { $0["number"] as? Int } == (count == 3 ? [3] : []))
          #expect(answer["isOver"] == nil)
          return true
        }
        usleep(10_000)
      }
      return false
    }
    #expect(session.packets.count == 3)
    session.finish()
    page.log.finish()
    page.take(session)
    page.log.close()
    page.finish(session)
    page.enter(.ended)
    #expect(try Self.packets(page, "event == \"mtu\"") == [2, 3])
  }

  /// A filter that takes too long says so, and keeps what it has found; others are not in its way.
  @Test func slowFiltersGiveUp() throws {
    let (page, events) = try Self.page(try #require(Self.samples.first))
    let knowledge = Knowledge(keys: KeyRing(), framings: .known)
    let slow = try Filter("frame matches \"(a?){40}(b?){40}x\"")
    let job = FilterJob(EventSearch(slow, page.log, knowledge), waitLimit: 0)
    job.advance()
    for _ in 0..<1_000 where !job.result.gaveUp { usleep(10_000) }
    let (_, looked, gaveUp, _) = job.result
    #expect(gaveUp && looked < events.count)
    job.advance()
    usleep(50_000)
    #expect(job.result.looked == looked)
    #expect(try Self.ask(page, "rows", ["count": "0"])["gave_up"] == nil)
  }

  /// Events that cannot be read back are an error, and no empty rows.
  @Test func unreadableEventsAreAnError() throws {
    let file = try #require(Self.samples.first { $0.hasSuffix("earbuds-session.btsnoop") })
    let knowledge = try Self.knowledge(file)
    // Can be written to, and not be read.
    let texts = TemporaryFile(descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC))
    let page = try CapturePage(name: "test", filter: nil, knowledge, texts: texts)
    let events = try Self.read(file, into: page, knowledge)
    try #require(events.count > PackedTexts.blockSize)
    for request in [
      PageRequest(path: "rows", values: ["count": "1"]),
      PageRequest(path: "find", values: ["text": "no event says this"]),
    ] {
      let answer = PageAnswers(page: page).answer(request)
      #expect(answer.status == .internalServerError, "\(request.path)")
      #expect(String(decoding: answer.body, as: UTF8.self).contains("temporary file"))
    }
    // The last ones are still in memory.
    let last = ["from": "\(events.count - 1)"]
    let rows = try #require(try Self.ask(page, "rows", last)["rows"] as? [[String: Any]])
    #expect(rows.count == 1 && rows[0]["event"] is [String: Any])
  }

  /// Whatever the zoom, each event is counted once.
  @Test(arguments: samples.prefix(12), [1, 7, 500]) func density(_ file: String, _ buckets: Int)
    throws
  {
    let (page, events) = try Self.page(file)
    let end = page.read { $0.axis.end }
    var total = 0
    // In two halves that meet.
    for (from, to) in [(0, end / 2), (end / 2, end + 1)] {
      let answer = try Self.ask(
        page, "density", ["from": "\(from)", "to": "\(to)", "buckets": "\(buckets)"])
      for lane in try #require(answer["lanes"] as? [[String: Any]]) {
        let cells = try #require(lane["cells"] as? [Int])
        for start in stride(from: 0, to: cells.count, by: 4) {
          #expect(0..<buckets ~= cells[start])
          total += cells[start + 1]
          let row = try Self.ask(
            page, "rows", ["from": "\(cells[start + 3])", "count": "1"])
          let first = try #require((row["rows"] as? [[String: Any]])?.first)
          let event = try #require(first["event"] as? [String: Any])
          #expect(event["lane"] as? String == lane["lane"] as? String)
          #expect(first["party"] as? Int == lane["party"] as? Int)
          #expect(from..<max(to, from + 1) ~= Int64(try #require(first["axis"] as? Int)))
        }
      }
    }
    #expect(total == events.count)
  }

  @Test func packedTexts() throws { try checkTexts(TemporaryFile(name: "test")) }

  /// full(4): nothing can be written, so that blocks stay in memory.
  @Test func packedTextsWithoutDisk() throws {
    let full = open("/dev/full", O_RDWR | O_CLOEXEC)
    try #require(full >= 0)
    try checkTexts(TemporaryFile(descriptor: full))
  }

  private func checkTexts(_ file: TemporaryFile) throws {
    var texts = PackedTexts(file)
    let lines = (0..<1_000).map { "line \($0) \(String(repeating: "é", count: $0 % 7))" }
    for line in lines {
      var text = TextBuffer()
      text.string(line + "\n")
      text.withBytes { texts.append($0) }
    }
    for index in [0, 1, 127, 128, 129, 500, 895, 896, 999] {
      let block = texts.block(of: index)
      #expect(String(decoding: block[index % PackedTexts.blockSize], as: UTF8.self) == lines[index])
    }
  }

  /// Rows of stored blocks and of the open one, and where times are among them.
  @Test func eventsAreStored() throws {
    var events = EventTable(try TemporaryFile(name: "test"))
    // Several events stand at one place, across the bounds of blocks too.
    let places = (0..<20_000).map { Int64($0 / 7 * 10) }
    for (index, place) in places.enumerated() {
      events.append(
        EventRow(
          axis: place, party: UInt16(index % 5_000), lane: UInt8(index % 10),
          severity: UInt8(index % 3)))
    }
    #expect(events.count == places.count)
    var reader = events.reader
    for index in places.indices {
      let row = reader[index]
      #expect(row.axis == places[index] && row.party == UInt16(index % 5_000))
      #expect(row.lane == UInt8(index % 10) && row.severity == UInt8(index % 3))
    }
    for place in [-1, 0, 1, 10, 11_690, 11_700, 11_701, 23_400, 28_570, 28_571, 1 << 40] {
      let expected = places.firstIndex { $0 >= Int64(place) } ?? places.count
      #expect(reader.firstIndex(from: Int64(place)) == expected, "\(place)")
    }
  }

  /// The clock is set, continues, and is set back.
  @Test func axisGoesForward() {
    var axis = TimeAxis()
    let second: Int64 = 1_000_000_000
    let noon = 1_800_000_000 * second
    let times = [
      5 * second, 7 * second, noon, noon + second, noon - 60 * second, noon - 59 * second,
      noon + 172_800 * second, noon + 172_802 * second,
    ]
    let places = times.map {
      axis.place(of: Timestamp(nanoseconds: $0), start: Timestamp(nanoseconds: 4 * second))
    }
    #expect(places == [1, 3, 3, 4, 4, 5, 5, 7].map { $0 * second })
    #expect(axis.settings.map(\.place) == [0, 3, 4, 5].map { $0 * second })
  }

  /// A row that cannot be read is at 0.
  @Test(arguments: [(100, 0), (109, 0), (110, 1), (199, 9), (200, 9), (0, 0), (.max, 9), (.min, 0)])
  func intervals(_ axis: Int64, _ index: Int) {
    #expect(AxisIntervals(from: 100, to: 200, count: 10).index(of: axis) == index)
  }

  /// What the program serves is what lies in `web`.
  @Test func served() throws {
    let folder = Project.root.appending(path: "web")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(Set(names) == Set(PageFiles.all.keys), "run Tools/generate-page.py")
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(PageFiles.all[name]?.text == text, "run Tools/generate-page.py: \(name)")
    }
  }
}
