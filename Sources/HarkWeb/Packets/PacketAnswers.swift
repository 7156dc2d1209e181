import HarkCapture
import HarkCore
import HarkFilter

/// Answers about packets. The forms are described in docs/web.md.
extension PageAnswers {
  /// Lines of packets, starting at a row, a packet or a time.
  func packets(_ request: PageRequest) throws(FilterError) -> PageAnswer {
    let list = page.packets
    list.advance()
    let count = request.number("count", in: 0...Self.mostRows) ?? 100
    let read = list.read { $0.rows.count }
    let selection = try selection(request, read, by: page.packetFilters)
    let found = list.read { state -> (from: Int, lines: [ArraySlice<UInt8>]?) in
      var from = request.number("from", in: 0...selection.count) ?? 0
      if let number = request.number("number", in: 1...Int.max) {
        from = selection.row(of: number - 1)
      } else if let axis = request.number("axis", in: 0...Int.max) {
        var reader = state.rows.reader
        from = selection.row(of: reader.firstIndex(from: Int64(axis)))
      }
      var lines: [ArraySlice<UInt8>] = []
      var block: (place: Int, lines: [ArraySlice<UInt8>]) = (-1, [])
      for row in from..<min(selection.count, from + count) {
        let (place, line) = selection.number(at: row)
          .quotientAndRemainder(dividingBy: PackedTexts.blockSize)
        if place != block.place {
          block = (place, state.lines.block(of: place * PackedTexts.blockSize))
        }
        guard line < block.lines.count else { return (from, nil) }
        lines.append(block.lines[line])
      }
      return (from, lines)
    }
    guard let lines = found.lines else { return Self.unreadable }
    var out = TextBuffer()
    out.text("{\"packets\":")
    out.decimal(page.read { $0.packets })
    out.text(",\"read\":")
    out.decimal(read)
    out.text(",\"total\":")
    out.decimal(selection.count)
    if let looked = selection.looked {
      out.text(",\"looked\":")
      out.decimal(looked)
    }
    if selection.gaveUp { out.text(",\"gave_up\":true") }
    if selection.isOver { out.text(",\"isOver\":true") }
    out.text(",\"from\":")
    out.decimal(found.from)
    out.text(",\"rows\":[")
    for (place, line) in lines.enumerated() {
      if place > 0 { out.text(",") }
      out.append(Array(line))
    }
    out.text("]}")
    return PageAnswer(json: out.bytes)
  }

  /// The traffic of the busiest streams in each bucket.
  func traffic(_ request: PageRequest) -> [UInt8] {
    let list = page.packets
    list.advance()
    let from = Int64(request.number("from", in: 0...(Int.max / 4)) ?? 0)
    let to = Int64(request.number("to", in: 0...(Int.max / 4)) ?? 0)
    let buckets = request.number("buckets", in: 1...Density.mostBuckets) ?? 400
    let traffic = list.read { state in
      StreamTraffic(state, from: from, to: max(to, from + 1), buckets: buckets)
    }
    var out = TextBuffer()
    out.text("{\"packets\":")
    out.decimal(page.read { $0.packets })
    traffic.write(to: &out)
    out.text("}")
    return out.bytes
  }

  /// The largest number of packets in one file.
  private static let mostSaved = 1_000_000

  /// A pcapng file of the packets `from` to `to`.
  func capture(_ request: PageRequest) -> PageAnswer {
    guard let from = request.number("from", in: 1...Int.max),
      let to = request.number("to", in: 1...Int.max), from <= to, to - from < Self.mostSaved
    else {
      return .refusal(.badRequest, "from and to are packet numbers; at most a million packets")
    }
    guard let source = page.source else {
      return .refusal(.notFound, "nothing has been read yet")
    }
    var writer = CaptureWriter(.pcapng, of: [source], application: "hark")
    var bytes: [UInt8] = []
    writer.begin(to: &bytes)
    var number = 0
    var reader = SessionLog.Reader(page.log)
    while number < to, let (tag, record, range) = reader.next() {
      guard tag == .record else { continue }
      number += 1
      guard number >= from else { continue }
      let window = reader.window
      _ = writer.append(
        record, window.raw.extracting(range), RecordOrigin(source, controller: record.controller),
        to: &bytes)
    }
    guard writer.count > 0 else { return .refusal(.notFound, "there are no such packets") }
    return PageAnswer(bytes, type: "application/x-pcapng")
  }
}

/// The bytes of each stream in each bucket, and the longest time until an answer.
struct StreamTraffic: Sendable {
  /// The number of streams shown.
  private static let most = 8

  private struct Cell {
    var sent: UInt64 = 0
    var received: UInt64 = 0
    /// In microseconds.
    var latency: UInt32 = 0
  }

  private var streams: [(name: String, total: UInt64, cells: [Cell])] = []

  init(_ state: borrowing PacketList.State, from: Int64, to: Int64, buckets: Int) {
    streams = state.streams.map { ($0, 0, []) }
    let intervals = AxisIntervals(from: from, to: to, count: buckets)
    var reader = state.rows.reader
    let first = reader.firstIndex(from: from)
    let last = reader.firstIndex(from: to)
    for index in first..<max(first, last) {
      let row = reader[index]
      guard row.stream > 0, Int(row.stream) <= streams.count else { continue }
      let stream = Int(row.stream) - 1
      if streams[stream].cells.isEmpty {
        streams[stream].cells = [Cell](repeating: Cell(), count: buckets)
      }
      let bucket = intervals.index(of: row.axis)
      streams[stream].total += UInt64(row.size)
      if row.isReceived {
        streams[stream].cells[bucket].received += UInt64(row.size)
      } else {
        streams[stream].cells[bucket].sent += UInt64(row.size)
      }
      let latency = streams[stream].cells[bucket].latency
      streams[stream].cells[bucket].latency = max(latency, row.latency)
    }
    let busiest = streams.indices.sorted {
      (streams[$1].total, $0) < (streams[$0].total, $1)
    }.prefix(Self.most)
    streams = busiest.sorted().map { streams[$0] }.filter { $0.total > 0 }
  }

  /// Four numbers for each bucket that is not empty: its index, bytes sent, bytes received, the longest latency.
  func write(to out: inout TextBuffer) {
    out.text(",\"streams\":[")
    for (place, stream) in streams.enumerated() {
      out.text(place > 0 ? ",{\"name\":" : "{\"name\":")
      out.json(stream.name)
      out.text(",\"bytes\":")
      out.decimal(stream.total)
      out.text(",\"cells\":[")
      var isFirst = true
      for (bucket, cell) in stream.cells.enumerated() where cell.sent + cell.received > 0 {
        if !isFirst { out.text(",") }
        isFirst = false
        out.decimal(bucket)
        for value in [cell.sent, cell.received, UInt64(cell.latency)] {
          out.text(",")
          out.decimal(value)
        }
      }
      out.text("]}")
    }
    out.text("]")
  }
}
