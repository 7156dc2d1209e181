import HarkCore
import HarkFilter
import HarkPresentation
import HarkSession

/// Answers requests. The forms are described in docs/web.md.
struct PageAnswers: Sendable {
  let page: CapturePage

  /// The largest number of rows in an answer.
  static let mostRows = 500
  /// The number of events that a search checks before it reports how far it got.
  static let mostSearched = 40_000

  func answer(_ request: PageRequest) -> PageAnswer {
    do {
      switch request.path {
      case "status": return PageAnswer(json: status())
      case "rows": return try rows(request)
      case "density": return PageAnswer(json: try density(request))
      case "find": return try find(request)
      case "place": return PageAnswer(json: try place(request))
      case "packet": return packet(request)
      case "packets": return try packets(request)
      case "traffic": return PageAnswer(json: traffic(request))
      case "capture": return capture(request)
      case "explain": return PageAnswer(json: explain(request))
      default: return .refusal(.notFound, "no such page")
      }
    } catch {
      var out = TextBuffer()
      out.text("{\"error\":")
      out.json(error.description)
      out.text(",\"message\":")
      out.json(error.message)
      out.text("}")
      return PageAnswer(json: out.bytes)
    }
  }

  private func packet(_ request: PageRequest) -> PageAnswer {
    guard let number = request.values["number"].flatMap({ UInt32($0) }), number > 0 else {
      return .refusal(.badRequest, "packet numbers start at 1")
    }
    guard let text = page.packetCache.show(number) else {
      let why = page.log.failure.map { ": packets could not be stored: \($0)" } ?? ""
      return .refusal(.notFound, "there is no packet \(number)\(why)")
    }
    return PageAnswer(json: text.bytes)
  }

  /// Why an event is locked and which key decrypts it, as in `hark explain`; an empty object for other events.
  private func explain(_ request: PageRequest) -> [UInt8] {
    let index = request.number("index", in: 0...Int.max) ?? -1
    var out = TextBuffer()
    page.read { state in
      state.explanation.writeJSON(item: state.explained[index] ?? -1, to: &out)
    }
    return out.bytes
  }

  // MARK: Status

  func status() -> [UInt8] {
    var out = TextBuffer()
    page.read { state in
      out.text("{\"name\":")
      out.json(page.name)
      if let filter = page.filter {
        out.text(",\"filter\":")
        out.json(filter)
      }
      switch state.phase {
      case .reading(let part):
        out.text(",\"phase\":\"reading\",\"percent\":")
        out.decimal(Int((part * 100).rounded(.down)))
      case .live: out.text(",\"phase\":\"live\"")
      case .ended: out.text(",\"phase\":\"ended\"")
      }
      if let problem = state.problem {
        out.text(",\"problem\":")
        out.json(problem)
      }
      out.text(",\"generation\":")
      out.decimal(state.generation)
      out.text(",\"packets\":")
      out.decimal(state.packets)
      out.text(",\"events\":")
      out.decimal(state.events.count)
      out.text(",\"end\":")
      out.decimal(state.axis.end)
      out.text(",\"clock\":[")
      for (index, setting) in state.axis.settings.enumerated() {
        if index > 0 { out.text(",") }
        out.text("[")
        out.decimal(setting.place)
        out.text(",")
        // Milliseconds: nanoseconds since 1970 do not fit into a JavaScript number.
        if setting.time.isDated {
          out.decimal(setting.time.nanoseconds / 1_000_000)
          out.text(",")
          out.decimal(setting.time.nanoseconds % 1_000_000)
        } else {
          out.text("null,0")
        }
        out.text("]")
      }
      out.text("],\"parties\":")
      Self.write(state.parties, to: &out)
    }
    out.text("}")
    return out.bytes
  }

  /// The largest number of parties with their own lanes on the page.
  static let mostParties = 24

  /// Those with the most events, in the order in which they were first seen.
  static func shown(_ parties: TimelineActors) -> [Int] {
    let all = Array(parties.all.indices)
    guard all.count > mostParties else { return all }
    let totals = parties.all.map(\.total)
    return all.sorted { (totals[$1], $0) < (totals[$0], $1) }.prefix(mostParties).sorted()
  }

  private static func write(_ parties: TimelineActors, to out: inout TextBuffer) {
    out.text("[")
    for (place, index) in shown(parties).enumerated() {
      let party = parties.all[index]
      out.text(place > 0 ? ",{\"id\":" : "{\"id\":")
      out.decimal(index)
      out.text(",\"label\":")
      out.json(party.label)
      if let address = party.address {
        out.text(",\"address\":")
        out.json(address)
      }
      out.text(",\"severity\":")
      out.json(party.severity.name.description)
      out.text(",\"lanes\":{")
      var isFirst = true
      for (lane, count) in zip(Event.Lane.allCases, party.counts) where count > 0 {
        if !isFirst { out.text(",") }
        isFirst = false
        out.json(lane.name)
        out.text(":")
        out.decimal(count)
      }
      out.text("}}")
    }
    out.text("]")
  }

  // MARK: Rows

  /// The requested events or packets: all, or those that match a filter.
  struct Selection {
    let matches: [UInt32]?
    let count: Int
    /// The number of events or packets that the filter has checked.
    let looked: Int?
    /// Whether the filter took too long and gave up.
    var gaveUp = false
    /// Whether the filter has checked a capture that has ended to its end.
    var isOver = false

    /// The number, from 0, of the event or packet of a row.
    func number(at row: Int) -> Int { matches.map { Int($0[row]) } ?? row }

    /// The first row whose event or packet is number `index`, from 0, or a later one.
    func row(of index: Int) -> Int {
      guard let matches else { return min(index, count) }
      return (0..<count).partitioningIndex { Int(matches[$0]) >= index }
    }
  }

  private func selection(
    _ request: PageRequest, _ total: Int
  ) throws(FilterError) -> Selection {
    try selection(request, total, by: page.filters)
  }

  /// - Parameter total: The number of events or packets; a filter may have checked more by now.
  func selection(
    _ request: PageRequest, _ total: Int, by filters: FilterJobs
  ) throws(FilterError) -> Selection {
    guard let filter = request.text("filter") else {
      return Selection(matches: nil, count: total, looked: nil)
    }
    let (matches, looked, gaveUp, isOver) = try filters.job(filter).result
    // Matches are in order: those beyond `total` are at the end.
    var count = matches.count
    while count > 0, Int(matches[count - 1]) >= total { count -= 1 }
    return Selection(
      matches: matches, count: count, looked: min(looked, total), gaveUp: gaveUp, isOver: isOver)
  }

  private func begin(_ selection: Selection, _ total: Int, to out: inout TextBuffer) {
    out.text("{\"events\":")
    out.decimal(total)
    out.text(",\"total\":")
    out.decimal(selection.count)
    if let looked = selection.looked {
      out.text(",\"looked\":")
      out.decimal(looked)
    }
    if selection.gaveUp { out.text(",\"gave_up\":true") }
  }

  /// The answer if the temporary file with the events cannot be read.
  static let unreadable = PageAnswer.refusal(
    .internalServerError, "hark cannot read the temporary file with the data of this page")

  private func rows(_ request: PageRequest) throws(FilterError) -> PageAnswer {
    let total = page.read { $0.events.count }
    let selection = try selection(request, total)
    let from = request.number("from", in: 0...selection.count) ?? 0
    let count = request.number("count", in: 0...Self.mostRows) ?? 100
    let range = from..<min(selection.count, from + count)
    var out = TextBuffer()
    begin(selection, total, to: &out)
    out.text(",\"from\":")
    out.decimal(from)
    out.text(",\"rows\":[")
    // Locked throughout: counting the events of a long time holds the lock that long.
    let places = page.read { state in
      var reader = state.events.reader
      return range.map { row in
        let index = selection.number(at: row)
        return (index: index, event: reader[index])
      }
    }
    var lines = Lines(page)
    for (index, event) in places {
      guard let line = lines.line(index) else { return Self.unreadable }
      out.text(index == places.first?.index ? "{\"index\":" : ",{\"index\":")
      out.decimal(index)
      out.text(",\"axis\":")
      out.decimal(event.axis)
      out.text(",\"party\":")
      out.decimal(Int(event.party))
      out.text(",\"event\":")
      out.append(Array(line))
      out.text("}")
    }
    out.text("]}")
    return PageAnswer(json: out.bytes)
  }

  /// The row of an event, or of a time.
  private func place(_ request: PageRequest) throws(FilterError) -> [UInt8] {
    let total = page.read { $0.events.count }
    let selection = try selection(request, total)
    let index =
      request.number("index", in: 0...max(0, total - 1))
      ?? page.read { state in
        var reader = state.events.reader
        return reader.firstIndex(from: Int64(request.number("axis", in: 0...Int.max) ?? 0))
      }
    var out = TextBuffer()
    begin(selection, total, to: &out)
    out.text(",\"row\":")
    out.decimal(selection.row(of: index))
    out.text("}")
    return out.bytes
  }

  /// Searches sentences and device names for words.
  private func find(_ request: PageRequest) throws(FilterError) -> PageAnswer {
    let total = page.read { $0.events.count }
    let selection = try selection(request, total)
    let search = Search(request.text("text") ?? "")
    let isBackward = request.text("backward") != nil
    var row = request.number("from", in: -1...selection.count) ?? 0
    var lines = Lines(page)
    var found = false
    for _ in 0..<Self.mostSearched {
      guard (0..<selection.count).contains(row) else { break }
      guard let line = lines.line(selection.number(at: row)) else { return Self.unreadable }
      if search.fits(line) {
        found = true
        break
      }
      row += isBackward ? -1 : 1
    }
    var out = TextBuffer()
    begin(selection, total, to: &out)
    out.text(found ? ",\"found\":" : ",\"next\":")
    out.decimal(row)
    if !found, !(0..<selection.count).contains(row) { out.text(",\"isOver\":true") }
    out.text("}")
    return PageAnswer(json: out.bytes)
  }

  // MARK: Density

  private func density(_ request: PageRequest) throws(FilterError) -> [UInt8] {
    let total = page.read { $0.events.count }
    let selection = try selection(request, total)
    let from = Int64(request.number("from", in: 0...(Int.max / 4)) ?? 0)
    let to = Int64(request.number("to", in: 0...(Int.max / 4)) ?? 0)
    let buckets = request.number("buckets", in: 1...Density.mostBuckets) ?? 1_000
    var out = TextBuffer()
    begin(selection, total, to: &out)
    let density = page.read { state in
      Density(
        state.events, selection, from: from, to: max(to, from + 1), buckets: buckets,
        shown: Self.shown(state.parties))
    }
    density.write(to: &out)
    out.text("}")
    return out.bytes
  }
}

/// Lines of events, unpacked block by block.
private struct Lines {
  private let page: CapturePage
  private var place = -1
  private var block: [ArraySlice<UInt8>] = []

  init(_ page: CapturePage) { self.page = page }

  /// Nil if the temporary file cannot be read.
  mutating func line(_ index: Int) -> ArraySlice<UInt8>? {
    let (place, row) = index.quotientAndRemainder(dividingBy: PackedTexts.blockSize)
    if place != self.place || row >= block.count {
      // The texts are copied out, not unpacked, while the reader of the capture waits.
      let texts = page.read { $0.texts }
      block = texts.block(of: index)
      self.place = place
    }
    return row < block.count ? block[row] : nil
  }
}
