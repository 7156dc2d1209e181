import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkProfile
import HarkSelection
import HarkSession

/// Reads any records: nothing may trap, and what the index pass writes down must agree with itself.
/// All that the commands write of it is made too, and every rule looks at it.
///
/// The first byte picks the keys. Each record has its kind, what is known about it, its length, and
/// its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSession(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  var session = Session(keys: input.byte() & 1 == 0 ? KeyRing() : keys, framings: .known)
  #if FAST
    var findings = Findings()
  #else
    session.keepsFields = true
    var output = Report()
  #endif
  var size: Int64 = 0
  var time: Int64 = 1_750_000_000_000_000
  while !input.isEmpty, session.packets.count < 4_096 {
    var record = CaptureRecord()
    record.kind = kinds[Int(input.byte()) % kinds.count]
    let flags = input.byte()
    let bytes = input.bytes()
    record.direction = flags & 1 == 0 ? .hostToController : .controllerToHost
    record.offset = size
    record.count = bytes.count
    record.originalCount = bytes.count + (flags & 2 == 0 ? 0 : 7)
    if flags & 4 != 0 { record.flags.insert(.directionUnknown) }
    record.controller = UInt16(flags >> 3 & 1)
    record.dropped = UInt32(flags >> 4 & 1)
    // A jump beyond every time limit, and a clock set back.
    time += flags & 32 != 0 ? 60_000_000 : flags & 64 != 0 ? -5_000_000 : 1_000
    record.time = Timestamp(microseconds: time)
    record.number = UInt32(session.packets.count + 1)
    size += Int64(bytes.count)
    session.index(record, bytes.raw)
    #if FAST
      findings.take(session)
      session.dropEvents()
    #else
      output.take(record, bytes.raw, &session)
    #endif
  }
  session.finish()
  #if FAST
    findings.take(session)
    findings.finish(session)
  #else
    output.end(&session)
  #endif
  return 0
}

/// Kept in this order: seeds count in it.
private let kinds = PacketKind.allCases

/// Those of the captures, so that some messages open.
private let keys: KeyRing = {
  let files = ["session", "rekey", "reboot", "faults"].map {
    "captures/pebble-\($0)/accessory.harkkeys"
  }
  return KeyRing(
    files.map { path in
      do {
        return try KeyFile(path: path)
      } catch {
        preconditionFailure("run it where the captures are: \(error)")
      }
    })
}()

/// Everything that is written of a capture.
private struct Report: ~Copyable {
  var timeline = Timeline()
  var narrow = Timeline(style: Style(isColored: false, width: 60))
  let events = TimelineJSON()
  var line = PacketLine(clock: .relative)
  var json = PacketJSON()
  var packet = PacketReading()
  var names = LinkNames()
  var capture = CaptureReport()
  var findings = Findings()
  var text = TextBuffer()
  /// Showing costs as much as all the rest: only the last packets are, where messages end.
  var last: [FrameEvents] = []

  mutating func take(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ session: inout Session
  ) {
    packet.read(record, bytes, &session)
    names.note(packet.row.link, session)
    text.write {
      line.write(packet, bytes, names, to: &$0)
      json.write(packet, bytes, names, to: &$0)
    }
    if last.count == 3 { last.removeFirst() }
    last.append(FrameEvents(PacketID(record.number)))
    for index in last.indices { last[index].take(session, bytes) }
    drain(&session)
    let number = Int(record.number)
    precondition(session.packets.count == number, "one row for each record")
  }

  mutating func drain(_ session: inout Session) {
    for event in session.events {
      let frames = event.frames
      precondition(frames.count >= 1 && frames.first <= frames.last, "\(frames)")
      precondition(Int(frames.last.number) <= session.packets.count, "no event before its packet")
      timeline.write(event, session, to: &text)
      narrow.write(event, session, to: &text)
      events.write(event, session, to: &text)
      capture.note(event)
      for finding in findings.events(after: event, session) { write(finding, session) }
    }
    session.dropEvents()
  }

  mutating func end(_ session: inout Session) {
    let none: [UInt8] = []
    for index in last.indices { last[index].take(session, none.raw) }
    drain(&session)
    for finding in findings.lastEvents(session) { write(finding, session) }
    timeline.flush(to: &text)
    narrow.flush(to: &text)
    GATTReport().write(session, to: &text)
    GATTReport().writeJSON(session, to: &text)
    checkText(text, "the output")
    let count = UInt32(session.packets.count)
    for number in stride(from: 1, through: count, by: 1) { check(number, count, session) }
    for events in last {
      text.clear()
      guard let frame = FrameView(events, session) else {
        preconditionFailure("each packet can be shown")
      }
      FrameText(style: .plain).write(frame, session, to: &text)
      frame.writeJSON(session, to: &text)
      checkText(text, "show")
    }
  }

  /// A finding as a row, whose packets the capture has.
  private mutating func write(_ finding: Event, _ session: borrowing Session) {
    timeline.write(finding, session, to: &text)
    events.write(finding, session, to: &text)
    guard case .finding(let remark) = finding.content else {
      preconditionFailure("a finding is a finding")
    }
    precondition(!remark.observed.isEmpty, "\(remark.rule): what was observed")
    for packet in remark.packets {
      precondition(1...session.packets.count ~= Int(packet.number), "\(remark.rule): \(packet)")
    }
  }

  private func check(_ number: UInt32, _ count: UInt32, _ session: borrowing Session) {
    guard let row = session.packets[number] else { preconditionFailure("a row for each packet") }
    precondition(row.chain <= count && row.related <= count, "rows refer to packets")
    if row.related != 0 {
      precondition(row.related != number, "no packet answers itself")
    }
    if let link = row.link { precondition(Int(link.index) < session.links.count) }
    if let channel = row.channel { precondition(Int(channel.index) < session.channels.count) }
  }
}
