import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkFindings
import HarkPresentation
import HarkSelection
import HarkSession

/// Makes of a capture one of the same size that can be given away: bytes of fields that reveal nothing about
/// people and devices stay, values become pseudonyms, checksums are recomputed, and everything else is
/// overwritten. Then it proves that nothing is left.
public struct Redaction: Sendable {
  public struct Redacted: Sendable {
    /// The capture, as it was packed.
    public let bytes: [UInt8]
    public internal(set) var list: RedactionList
    /// The earlier table and what was added to it.
    public var map: RedactionMap { earlier.adding(table) }
    let earlier: RedactionMap
    /// How many sealed messages the keys that were given open: what they say is in no redacted file.
    public let openedMessages: Int
    /// Puts into the words of the redacted capture what is said about the one it was made from.
    public var sentences: RedactedSentences { RedactedSentences(table, titles: titles) }
    /// The logs of the app's side that belong to the capture, in the order that was given.
    public var logs: [CaptureBytes] = []
    let table: PersonalTable
    /// What framings are called.
    let titles: Set<String>
  }

  public let level: RedactionLevel
  public let map: RedactionMap
  let keys: KeyRing
  /// Fields of which nothing stays, whatever is declared: tests choose them.
  var withheld: Set<Field> = []
  let framings: VendorFramings

  /// - Parameter keys: What they open shows more texts that are to be removed.
  public init(
    level: RedactionLevel, map: RedactionMap, keys: KeyRing = KeyRing(),
    framings: VendorFramings = .builtIn
  ) {
    (self.level, self.map, self.framings) = (level, map, framings)
    var keys = keys
    keys.setsAsideExposed = true
    self.keys = keys
  }

  /// - Parameters:
  ///   - file: The capture as it is stored.
  ///   - logs: Of the app's side.
  public func redact(_ file: CaptureBytes, logs: [CaptureBytes] = []) throws -> Redacted {
    var file = file
    return try redact(taking: &file, logs: logs)
  }

  /// Takes the bytes out of `file`, so that a capture with a single owner is changed in place: of a large one
  /// two are too much.
  public func redact(
    taking file: inout CaptureBytes, logs: [CaptureBytes] = []
  ) throws -> Redacted {
    let log = try file.log()
    let isCompressed = (log ?? file).isCompressed
    let isOfReport = log != nil
    var packets = try PacketBytes(log ?? file)
    file = CaptureBytes([], name: file.name)
    return try redact(&packets, isCompressed: isCompressed, isOfReport: isOfReport, logs: logs)
  }

  private func redact(
    _ packets: inout PacketBytes, isCompressed: Bool, isOfReport: Bool, logs: [CaptureBytes]
  ) throws -> Redacted {
    var damaged: CaptureBytes?
    do {
      return try redact(&packets, isCompressed, isOfReport, logs) { damaged = $0 }
    } catch let error as RedactionError {
      guard error.isOfDamage, let whole = damaged?.withoutDamage() else { throw error }
      packets = try PacketBytes(whole)
      var redacted = try redact(&packets, isCompressed, isOfReport, logs) { _ in }
      redacted.list.isRewritten = true
      return redacted
    }
  }

  /// - Parameter keep: Called with the capture if it is damaged, or may be.
  private func redact(
    _ packets: inout PacketBytes, _ isCompressed: Bool, _ isOfReport: Bool, _ logs: [CaptureBytes],
    keepingDamaged keep: (CaptureBytes) -> Void
  ) throws -> Redacted {
    if packets.isFramed { keep(packets.original) }
    let before = shown(by: try packets.file(of: packets.bytes).bytes, packets.name)
    let pseudonyms = Pseudonyms(hash: map.hash, level: level, escaped: packets.escaped)
    var gathering = PersonalDataCollector(
      packets.bytes, PersonalTable(pseudonyms, known: map.values),
      FieldRoles(level, without: withheld), framings)
    var opened = EventValues(level, framings)
    var rows = RecordRanges()
    let end = try read(packets, packets.bytes, keys) { session, record, reading in
      if record != nil {
        let start = Int(reading.row.offset)
        rows.append(start..<(start + Int(reading.row.count)))
        gathering.take(reading, session)
      } else {
        gathering.takeLongValues()
        gathering.takeBondingKeys(session.keys)
      }
      for event in session.events {
        gathering.take(event, session)
        if event.isOpened { opened.take(event, session) }
      }
      if record == nil { gathering.takeSecretPackets(session) }
    }
    guard end.records > 0 || !isOfReport else { throw RedactionError.withoutPackets(packets.name) }
    if end.status == .damaged, end.records > 0 { keep(packets.original) }
    if !packets.isFramed { gathering.takeContainer(rows) }
    if level == .share { gathering.takeFormsInKeptBytes() }
    let rewritings = logs.map { LogRewriting($0, &gathering.table, level, isAlone: false) }
    gathering.table.keepIdentifiers(in: packets.bytes)
    gathering.table.keepIdentifiers(of: gathering.sessions)
    let irks = gathering.irks
    try makeRoom(for: gathering.table, packets.name)
    gathering.table.settle(irks: irks)
    var wasShown = try before.value()
    wasShown.values.formUnion(opened)
    let search = EventValueSearch(wasShown.values)
    packets.release()
    var rewriting = try readingAgain(packets.name) {
      try rewrite(&gathering, rows, packets, search)
    }
    rows = RecordRanges()
    gathering.release()
    let made = try packets.file(of: rewriting.out)
    var list = RedactionList(
      level: level, gathering, rewriting, packets: Int(end.records),
      framing: (made.bytes.count - rewriting.out.count, made.blanked))
    list.isOfReport = isOfReport
    list.resizedRecords = made.resized
    let after = shown(by: made.bytes, packets.name, without: (wasShown.values, search))
    var proof = RedactionProof(self, packets, gathering, &rewriting)
    try readingAgain(packets.name) { try proof.prove(made.bytes, end, after, &list) }
    list.compare(wasShown.findings, try after.value().findings)
    let secrets = logs.isEmpty ? nil : SecretSearch(gathering.table)
    let redactedLogs = try rewritings.map { log in
      var log = log
      var counts: [PersonalKind: Int] = [:]
      if let secrets { try rewrite(&log, gathering.table, secrets, &counts) }
      return CaptureBytes(log.out, name: log.name)
    }
    return Redacted(
      bytes: isCompressed ? try Deflater.pack(made.bytes, .gzip) : made.bytes,
      list: list, earlier: map, openedMessages: gathering.openedMessages,
      logs: redactedLogs, table: gathering.table, titles: titles)
  }

  /// Runs `body`, which reads what became of a capture.
  /// - Throws: `RedactionError.damaged` if that cannot be opened: of damaged places only zeros are left.
  private func readingAgain<Made>(_ name: String, _ body: () throws -> Made) throws -> Made {
    do {
      return try body()
    } catch is CaptureError {
      throw RedactionError.damaged(name)
    }
  }

  private var titles: Set<String> { Set(framings.all.map { $0.name }) }

  /// A value takes fewer bytes than this in its pseudonym, in the search for what is left of it, and in the proof:
  /// 1.3 million addresses and names took 20 each, beside what is freed.
  private static let bytesPerValue = 64

  /// - Throws: Where what is to be made of this many values would take too much memory.
  private func makeRoom(for table: PersonalTable, _ name: String) throws {
    let count = table.values.count
    guard let reason = MemoryBudget.checkResult(of: count * Self.bytesPerValue) else { return }
    throw RedactionError.tooLarge("\(name): replacing \(count) values \(reason)")
  }

  /// The redacted bytes, each of which is accounted for.
  private func rewrite(
    _ gathering: inout PersonalDataCollector, _ rows: RecordRanges, _ packets: PacketBytes,
    _ search: EventValueSearch
  ) throws -> Rewriting {
    var rewriting = Rewriting(&gathering)
    rewriting.apply(gathering.takePlaces())
    if level == .share, !gathering.kept.isEmpty {
      if gathering.table.searchedCount > SecretSearch.mostValues {
        rewriting.drop(gathering.kept.pieces.values.joined())
        gathering.kept = KeptBytes()
      } else {
        rewriting.applyLocal(gathering, rows)
        rewriting.drop(gathering.kept.remove(gathering.unkept, rows, isAlone: true))
      }
    }
    if !gathering.kept.isEmpty, gathering.table.searchedCount <= SecretSearch.mostValues {
      let secrets = SecretSearch(gathering.table, inAnyCase: true)
      rewriting.sweep(gathering.kept, secrets)
      let texts = gathering.kept.unexplained(gathering.framedPackets, rows)
      // The pseudonym of a text may be like a value.
      if rewriting.replaceTexts(in: texts, gathering.words, gathering.table.pseudonyms) {
        rewriting.sweep(gathering.kept, secrets)
      }
    }
    rewriting.blank()
    rewriting.overwriteLeft(SecretSearch(gathering.table, isPlain: true))
    rewriting.mendChecks(gathering)
    try removeShown(&rewriting, &gathering, rows, packets)
    // Nothing named them where they are. The proof looks for them again.
    let left = search.find(in: rewriting.out)
    if !left.isEmpty {
      rewriting.overwrite(left)
      rewriting.mendChecks(gathering)
    }
    return rewriting
  }

  /// How often the result is read again after a removal.
  private static let mostReadings = 8

  /// Reads the result as a report does. A message that still shows a text, an address or a key, because its encoding
  /// hides that from the search, is removed with all values of its characteristic or channel.
  private func removeShown(
    _ rewriting: inout Rewriting, _ gathering: inout PersonalDataCollector, _ rows: RecordRanges,
    _ packets: PacketBytes
  ) throws {
    guard level == .share, !gathering.plainPackets.isEmpty || gathering.exposesKey else { return }
    for reading in 0...Self.mostReadings {
      gathering.keptPackets = gathering.kept.packets(rows)
      guard !gathering.keptPackets.isEmpty else { return }
      var left: Set<UInt32> = []
      try readEvents(packets, rewriting.out) { accessory in
        if gathering.isLeft(in: accessory) { left.formUnion(accessory.frames.map(\.number)) }
      }
      guard !left.isEmpty else { return }
      let isLast = reading == Self.mostReadings
      rewriting.drop(
        gathering.kept.remove(isLast ? gathering.keptPackets : left, rows, isAlone: false))
      rewriting.blank()
      rewriting.mendChecks(gathering)
    }
    gathering.keptPackets = []
  }

  /// Reads the events of accessories in what became of `packets`, without keys.
  private func readEvents(
    _ packets: PacketBytes, _ bytes: [UInt8], _ body: (AccessoryEvent) -> Void
  ) throws {
    let source = try Capture(bytes: try packets.file(of: bytes).bytes, name: packets.name)
    var session = Session(keys: .withoutExposed, framings: framings)
    func take(_ session: borrowing Session) {
      for event in session.events {
        if case .accessory(let accessory) = event.content { body(accessory) }
      }
    }
    _ = source.forEachRecord { record, bytes in
      session.index(record, bytes)
      take(session)
      session.dropEvents()
      return true
    }
    session.finish()
    take(session)
  }

  /// What hark shows of a capture without keys.
  struct Shown: Sendable {
    var findings = Findings()
    /// Of the original.
    var values: EventValues
    /// Of the result: the packets that still show a value of the original, and where such values are in the file.
    var left: (packets: Set<UInt32>, places: [Range<Int>]) = ([], [])
  }

  /// Reads a capture as long as the fields of its packets are read, too.
  /// - Parameter original: The values that the result must not show any more; nil for the original itself.
  private func shown(
    by file: [UInt8], _ name: String,
    without original: (values: EventValues, search: EventValueSearch)? = nil
  ) -> Beside<Shown> {
    Beside { [framings, level] in
      let source = try Capture(bytes: file, name: name)
      var session = Session(keys: .withoutExposed, framings: framings)
      var shown = Shown(values: original?.values ?? EventValues(level, framings))
      func take(_ session: borrowing Session) {
        shown.findings.take(session)
        for event in session.events {
          if original == nil {
            shown.values.take(event, session)
          } else if shown.values.isShown(event, session) {
            shown.left.packets.insert(event.frames.last.number)
          }
        }
      }
      _ = source.forEachRecord { record, bytes in
        session.index(record, bytes)
        take(session)
        session.dropEvents()
        return true
      }
      session.finish()
      take(session)
      shown.findings.finish(session)
      if let original {
        shown.left.places = original.search.find(in: file)
      } else {
        shown.values.takeDevices(session)
      }
      return shown
    }
  }

  /// Whether these bytes are a log of the app's side.
  public static func isLog(_ file: CaptureBytes) -> Bool { AppLog.recognises(file.bytes) }

  /// - Parameter log: Of the app's side, alone.
  public func redact(log: CaptureBytes) throws -> Redacted {
    let pseudonyms = Pseudonyms(hash: map.hash, level: level)
    var table = PersonalTable(pseudonyms, known: map.values)
    var rewriting = LogRewriting(log, &table, level, isAlone: true)
    table.settle(irks: [])
    var counts: [PersonalKind: Int] = [:]
    let search = SecretSearch(table)
    let entries = try rewrite(&rewriting, table, search, &counts)
    return Redacted(
      bytes: log.isCompressed ? try Deflater.pack(rewriting.out, .gzip) : rewriting.out,
      list: RedactionList(
        level: level, table, counts, words: (rewriting.words, rewriting.wordPlaces),
        entries: entries),
      earlier: map, openedMessages: 0, table: table, titles: titles)
  }

  /// Rewrites and proves.
  /// - Returns: How many entries the log has.
  @discardableResult
  private func rewrite(
    _ log: inout LogRewriting, _ table: PersonalTable, _ search: SecretSearch,
    _ counts: inout [PersonalKind: Int]
  ) throws -> Int {
    log.rewrite(table, search, &counts)
    let (problems, entries) = try log.problems(table, search)
    guard problems.isEmpty else { throw RedactionError.unproven(Array(problems.prefix(20))) }
    return entries
  }

  /// Reads all packets with their fields; calls `body` once more at the end, without a record.
  /// - Parameter bytes: What became of `packets`, so far; places of records are places in it.
  func read(
    _ packets: PacketBytes, _ bytes: [UInt8], _ keys: KeyRing,
    _ body: (borrowing Session, CaptureRecord?, borrowing PacketReading) throws -> Void
  ) throws -> CaptureEnd {
    let source = try Capture(bytes: try packets.file(of: bytes).bytes, name: packets.name)
    guard packets.isFramed || source.canReadBack else { throw RedactionError.packed(packets.name) }
    var place = 0
    var session = Session(keys: keys, framings: framings)
    session.keepsFields = true
    var reading = PacketReading()
    let end = try source.forEachRecord { record, packet in
      var record = record
      if packets.isFramed {
        try packets.expect(packet, at: place)
        record.offset = Int64(place)
      }
      place += record.count
      session.index(record, packet)
      reading.read(record, packet, &session)
      try body(session, record, reading)
      session.dropEvents()
      return true
    }
    try packets.expectEnd(at: place)
    session.finish()
    try body(session, nil, reading)
    return end
  }
}

extension Event {
  /// Whether it shows what a given key decrypts.
  fileprivate var isOpened: Bool {
    guard case .accessory(let accessory) = content, case .message(let message) = accessory.content
    else { return false }
    return message.opened != nil
  }
}

extension KeyRing {
  static var withoutExposed: KeyRing {
    var ring = KeyRing()
    ring.setsAsideExposed = true
    return ring
  }
}
