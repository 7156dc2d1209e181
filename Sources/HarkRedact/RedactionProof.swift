import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkFindings
import HarkReport
import HarkSession

/// Shows that a redacted capture says the same as the one it was made from, and nothing of what was
/// removed.
struct RedactionProof {
  private let redaction: Redaction
  private let packets: PacketBytes
  private let search: SecretSearch
  private let table: PersonalTable
  private var roles: FieldRoles
  private var problems: [String] = []
  private var problemCount = 0
  /// The packets in which something differs, and those that belong to them.
  private(set) var differing: Set<UInt32> = []

  /// More are only counted.
  private static let mostProblems = 20

  init(
    _ redaction: Redaction, _ packets: PacketBytes, _ search: SecretSearch, _ table: PersonalTable
  ) {
    (self.redaction, self.packets, self.search, self.table) = (redaction, packets, search, table)
    roles = FieldRoles(redaction.level)
  }

  private var name: String { packets.name }

  /// - Parameters:
  ///   - bytes: What was changed; of a capture with frames of a UART, what the packets are now.
  ///   - plaintexts: What is sent encrypted on the air.
  ///   - old: The capture.
  ///   - new: What is to be written.
  mutating func prove(
    _ bytes: [UInt8], plaintexts: [UInt8], old: [UInt8], new: [UInt8], _ list: inout RedactionList
  ) throws {
    if !packets.isFramed, old.count != new.count { fail("it has another length") }
    search.forEach(in: new) { match in left(match, "at byte \(match.range.lowerBound)") }
    if packets.isFramed { search.forEach(in: bytes) { match in left(match, "in a frame") } }
    search.forEach(in: plaintexts) { match in left(match, "in what is encrypted on the air") }
    try compare(old, new, &list)
    guard problemCount == 0 else {
      let more = problemCount - problems.count
      throw RedactionError.unproven(
        problems.map { "\(name): \($0)" } + (more > 0 ? ["\(name): and \(more) more"] : []))
    }
    list.searchedValues = table.values.indices.count { table.isSearched($0) }
  }

  private mutating func fail(_ problem: String) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  private mutating func differ(
    _ number: UInt32, _ reading: borrowing PacketReading, _ first: borrowing Session,
    _ second: borrowing Session
  ) {
    differing.insert(number)
    for index in 0..<reading.completedCount {
      differing.formUnion(reading.completed[index].packets)
    }
    for event in first.events { differ(event) }
    for event in second.events { differ(event) }
  }

  private mutating func differ(_ event: Event) {
    differing.formUnion([event.frames.first.number, event.frames.last.number])
    guard case .accessory(let accessory) = event.content else { return }
    differing.formUnion(accessory.frames.map(\.number))
  }

  /// Never says what it is.
  private mutating func left(_ match: SecretSearch.Match, _ place: String) {
    fail("a \(table.values[match.pattern.value].kind.rawValue) is left \(place)")
  }

  // MARK: Packets

  /// Reads both packet by packet.
  private mutating func compare(
    _ old: [UInt8], _ new: [UInt8], _ list: inout RedactionList
  ) throws {
    let (before, after) = (try Capture(bytes: old, name: name), try Capture(bytes: new, name: name))
    var first = Session(keys: .withoutExposed, framings: redaction.framings)
    var second = Session(keys: .withoutExposed, framings: redaction.framings)
    (first.keepsFields, second.keepsFields) = (true, true)
    var mine = PacketReading()
    var other = PacketReading()
    var (was, now) = (Findings(), Findings())
    let end = before.forEachRecord { record, bytes in
      var isThere = false
      _ = after.forEachRecord { twin, twinBytes in
        isThere = true
        first.index(record, bytes)
        mine.read(record, bytes, &first)
        second.index(twin, twinBytes)
        other.read(twin, twinBytes, &second)
        let count = problemCount
        compare(record, twin, mine, other, twinBytes)
        compare(first, second, record.number)
        if problemCount > count { differ(record.number, mine, first, second) }
        was.take(first)
        now.take(second)
        first.dropEvents()
        second.dropEvents()
        return false
      }
      if !isThere { fail("packet \(record.number) is missing") }
      return isThere
    }
    let twin = after.forEachRecord { _, _ in true }
    if end.damageCount != twin.damageCount || twin.records != end.records {
      fail("its end is another")
    }
    first.finish()
    second.finish()
    compare(first, second, end.records)
    was.take(first)
    now.take(second)
    was.finish(first)
    now.finish(second)
    list.packets = Int(end.records)
    list.findings = was.all.count
    let count = problemCount
    compare(was.sorted, now.sorted)
    if problemCount > count {
      for finding in was.sorted + now.sorted {
        differing.formUnion(finding.place.frames.map(\.number))
      }
    }
    if was.undecided.count != now.undecided.count { fail("what cannot be told is another") }
  }

  private mutating func compare(
    _ record: CaptureRecord, _ twin: CaptureRecord, _ mine: borrowing PacketReading,
    _ other: borrowing PacketReading, _ bytes: RawSpan
  ) {
    let number = record.number
    // A part of a frame has its escapes.
    let isPart = packets.isFramed && record.kind == .other
    if record.time != twin.time || record.direction != twin.direction || record.kind != twin.kind
      || record.count != twin.count && !isPart
      || record.originalCount != twin.originalCount && !isPart || record.flags != twin.flags
      || record.controller != twin.controller
      || record.dropped != twin.dropped
    {
      fail("packet \(number): its record differs")
    }
    let (row, twinRow) = (mine.row, other.row)
    if row.flags != twinRow.flags || row.link != twinRow.link || row.channel != twinRow.channel
      || row.chain != twinRow.chain || row.related != twinRow.related
    {
      fail("packet \(number): it belongs to something else")
    }
    // What was not heard right has no structure; that nothing is left in it counts all the same.
    let isHeard = !roles.isDoubtful(mine.tree) || !roles.isDoubtful(other.tree)
    if !isPart, isHeard { compare(mine.tree, other.tree, number) }
    take(other.tree, bytes, number)
    guard isHeard else { return }
    guard mine.completedCount == other.completedCount else {
      return fail("packet \(number): it completes something else")
    }
    for index in 0..<mine.completedCount {
      let (pdu, twinPDU) = (mine.completed[index], other.completed[index])
      if pdu.packets != twinPDU.packets || pdu.bytes.count != twinPDU.bytes.count {
        fail("packet \(number): what it completes differs")
      }
      compare(pdu.tree, twinPDU.tree, number)
      take(twinPDU.tree, twinPDU.bytes.raw, number, " of the \(twinPDU.name)")
      if twinPDU.packets.count > 1 {
        search.forEach(in: twinPDU.bytes) { left($0, "in what packet \(number) completes") }
      }
    }
  }

  /// The same fields in the same places; other values only where something is removed, or follows
  /// from that.
  private mutating func compare(_ tree: Tree, _ twin: Tree, _ number: UInt32) {
    // What was malformed already may be so in another way: a part of it was removed elsewhere.
    guard tree.failures.isEmpty || twin.failures.isEmpty else { return }
    // Once nothing is pressed, a report has no keys.
    let isInput = tree.nodes.contains { roles.role(of: $0).kind == .input }
    let nodes = isInput ? withoutInput(tree) : Array(tree.nodes)
    let others = isInput ? withoutInput(twin) : Array(twin.nodes)
    guard nodes.count == others.count else {
      return fail("packet \(number): it has other fields")
    }
    for (node, other) in zip(nodes, others) {
      if node.field != other.field || node.kind != other.kind || node.depth != other.depth
        || node.range != other.range
      {
        return fail("packet \(number): its field \(node.field.name) is another")
      }
    }
    if tree.failures.count != twin.failures.count || tree.notes.count != twin.notes.count {
      fail("packet \(number): something else is wrong with it")
    }
  }

  private mutating func withoutInput(_ tree: Tree) -> [Tree.Node] {
    tree.nodes.filter { roles.role(of: $0).kind != .input }
  }

  /// Values in fields, as far as they are too short to be looked for everywhere.
  private mutating func take(
    _ tree: Tree, _ bytes: RawSpan, _ number: UInt32, _ place: String = ""
  ) {
    for node in tree.nodes where node.count > 0 && node.kind != .inferred {
      let role = roles.role(of: node)
      guard let kind = role.kind, kind != .opaque else { continue }
      if role.isDocument || role.isUTF16 {
        for part in role.texts(in: bytes.array(node.range)) where isLeft(part.value) {
          fail("packet \(number): a \(part.value.kind.rawValue) is left in a field\(place)")
        }
        continue
      }
      let value = kind == .address ? PersonalTable.octets(node.value) : bytes.array(node.range)
      guard isLeft(PersonalValue(kind: kind, bytes: value)) else { continue }
      fail("packet \(number): a \(kind.rawValue) is left in a field\(place)")
    }
  }

  // MARK: What happened

  private mutating func compare(
    _ first: borrowing Session, _ second: borrowing Session, _ number: UInt32
  ) {
    guard first.events.count == second.events.count else {
      return fail("packet \(number): something else happens")
    }
    for (event, twin) in zip(first.events, second.events) {
      let differences = [
        (event.lane != twin.lane, "lane"), (event.severity != twin.severity, "severity"),
        (event.time != twin.time, "time"), (event.frames != twin.frames, "packets"),
        (event.link != twin.link, "link"), (event.device != twin.device, "device"),
      ].filter(\.0).map(\.1)
      if !differences.isEmpty {
        fail(
          "packet \(number): something else happens, in \(event.lane.rawValue): other "
            + differences.joined(separator: ", "))
      }
      for text in Self.texts(twin) where isLeft(text) {
        fail("packet \(number): a text is left in a message")
      }
    }
  }

  private func isLeft(_ text: String) -> Bool {
    isLeft(PersonalValue(kind: .text, bytes: Array(text.utf8)))
  }

  private func isLeft(_ value: PersonalValue) -> Bool {
    guard let index = table.find(value) else { return false }
    return table.changes(index) && !table.isPseudonym(value.bytes)
  }

  private static func texts(_ event: Event) -> [String] {
    guard case .accessory(let accessory) = event.content,
      case .plain(let message) = accessory.content
    else { return [] }
    return message.contents.flatMap(\.personalTexts)
  }

  private mutating func compare(_ was: [Finding], _ now: [Finding]) {
    guard was.count == now.count else {
      return fail("it has \(now.count) findings instead of \(was.count)")
    }
    for (finding, twin) in zip(was, now) {
      let differences = [
        (finding.rule.id != twin.rule.id, "rule"), (finding.severity != twin.severity, "severity"),
        (finding.confidence != twin.confidence, "confidence"),
        (finding.occurrences != twin.occurrences, "occurrences"),
        (finding.place.frames != twin.place.frames, "packets"),
      ].filter(\.0).map(\.1)
      if !differences.isEmpty {
        fail(
          "its finding \(finding.rule.id) is another, with other "
            + differences.joined(separator: ", "))
      }
    }
  }
}
