import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkReport
import HarkSession

/// Replaces in a capture what names people and devices, and keys, by pseudonyms of the same length, and
/// proves that nothing is left and that the capture says the same.
public struct Redaction: Sendable {
  public struct Redacted: Sendable {
    /// The capture, as it was packed.
    public let bytes: [UInt8]
    public let list: RedactionList
    /// The earlier table and what was added to it.
    public let map: RedactionMap
    /// How many sealed messages the keys that were given open: what they say is in no redacted file.
    public let openedMessages: Int
    /// Puts into the words of the redacted capture what is said of the one it was made from.
    public let sentences: RedactedSentences
    /// The logs of the app's side that belong to the capture, in the order that was given.
    public var logs: [CaptureBytes] = []
  }

  public let level: RedactionLevel
  public let map: RedactionMap
  let keys: KeyRing
  let framings: VendorFramings

  /// - Parameter keys: What they open tells more texts that are to be removed.
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
    let log = try file.log()
    let packets = try PacketBytes(log ?? file)
    let capture = packets.bytes
    let pseudonyms = Pseudonyms(hash: map.hash, level: level, escaped: packets.escaped)
    var gathering = PersonalGathering(
      capture, PersonalTable(pseudonyms, known: map.values), level)
    var rows: [Range<Int>] = []
    let end = try read(packets, capture, keys) { session, record, reading in
      if record == nil {
        gathering.takeLongValues()
        gathering.takeFragmentsLeft()
        gathering.takeBondingKeys(session.keys)
      }
      if record != nil {
        rows.append(Int(reading.row.offset)..<Int(reading.row.offset) + Int(reading.row.count))
        gathering.take(reading, session)
      }
      for event in session.events {
        gathering.take(event, session)
        guard case .accessory(let accessory) = event.content else { continue }
        for frame in accessory.frames where Int(frame.number) <= rows.count && frame.number > 0 {
          gathering.explain(rows[Int(frame.number) - 1])
        }
      }
    }
    gathering.takeUnread(end)
    let texts = CaptureTexts(capture, level)
    for (range, kind) in texts.ranges { gathering.takeText(range, kind) }
    for range in texts.words { gathering.takeWords(range) }
    let rewritings = logs.map { LogRewriting($0, &gathering.table, level, isAlone: false) }
    gathering.table.keepIdentifiers(in: capture)
    let irks = gathering.irks
    gathering.table.settle(irks: irks)
    let search = SecretSearch(gathering.table)
    var (bytes, list) = try rewrite(
      &gathering, search, rows, packets, count: Int(end.records))
    list.isOfReport = log != nil
    let redactedLogs = try rewritings.map { log in
      var log = log
      var counts: [PersonalKind: Int] = [:]
      try rewrite(&log, gathering.table, search, &counts)
      return CaptureBytes(log.out, name: log.name)
    }
    return Redacted(
      bytes: (log ?? file).isCompressed ? try Deflater.pack(bytes, .gzip) : bytes, list: list,
      map: map.adding(gathering.table), openedMessages: gathering.openedMessages,
      sentences: sentences(gathering.table, search), logs: redactedLogs)
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
      map: map.adding(table), openedMessages: 0, sentences: sentences(table, search))
  }

  private func sentences(_ table: PersonalTable, _ search: SecretSearch) -> RedactedSentences {
    RedactedSentences(table, search, titles: Set(framings.all.map { $0.name }))
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

  /// How often it is tried again with less of what nobody explains.
  private static let mostRounds = 8

  /// Rewrites and proves. Bytes that nobody explains may still tell how others are read: those that turn
  /// out to stay.
  private func rewrite(
    _ gathering: inout PersonalGathering, _ search: SecretSearch, _ rows: [Range<Int>],
    _ packets: PacketBytes, count: Int
  ) throws -> ([UInt8], RedactionList) {
    var round = 0
    while true {
      var rewriting = Rewriting(gathering, rows: rows)
      rewriting.applyPlaces()
      rewriting.applyLocal()
      rewriting.sweep(search)
      rewriting.seal()
      try sweepFragments(packets, search, gathering, &rewriting)
      rewriting.mendChecks()
      // A checksum may lie in what is encrypted, and the CRC is over that.
      rewriting.seal()
      rewriting.mendChecks()
      var list = RedactionList(level: level, gathering, rewriting, packets: count)
      var proof = RedactionProof(self, packets, search, gathering.table)
      do {
        let bytes = Array(rewriting.out[..<gathering.size])
        let made = try packets.file(of: bytes)
        list.resizedRecords = made.resized
        try proof.prove(
          bytes, plaintexts: Array(rewriting.out[gathering.size...]),
          old: try packets.file(of: packets.bytes).bytes, new: made.bytes, &list)
        return (made.bytes, list)
      } catch let error as RedactionError {
        round += 1
        let isNew =
          round < Self.mostRounds
          && proof.differing.reduce(false) { isNew, number in
            let isThere = rows.indices.contains(Int(number) - 1)
            return isThere && gathering.need(rows[Int(number) - 1]) || isNew
          }
        if !isNew, !gathering.needMalformed() { throw error }
      }
    }
  }

  /// Reads all packets with their fields; calls `body` once more at the end, without a record.
  /// - Parameter bytes: What became of `packets`, so far; places of records are places in it.
  private func read(
    _ packets: PacketBytes, _ bytes: [UInt8], _ keys: KeyRing,
    _ body: (borrowing Session, CaptureRecord?, borrowing PacketReading) throws -> Void
  ) throws -> CaptureEnd {
    let source = try Capture(bytes: try packets.file(of: bytes).bytes, name: packets.name)
    guard packets.isFramed || source.canReadBack else { throw RedactionError.packed(packets.name) }
    var place = 0
    var session = Session(keys: keys, framings: framings)
    session.keepsFields = true
    var reading = PacketReading()
    let end = try source.forEachRecord { record, bytes in
      var record = record
      if packets.isFramed { record.offset = Int64(place) }
      place += record.count
      session.index(record, bytes)
      reading.read(record, bytes, &session)
      try body(session, record, reading)
      session.dropEvents()
      return true
    }
    session.finish()
    try body(session, nil, reading)
    return end
  }

  /// What is left in PDUs that came in several packets, each of which has a part of it only.
  private func sweepFragments(
    _ packets: PacketBytes, _ search: SecretSearch, _ gathering: PersonalGathering,
    _ rewriting: inout Rewriting
  ) throws {
    let capture = rewriting.out
    _ = try read(packets, Array(capture[..<gathering.size]), KeyRing.withoutExposed) {
      session, record, reading in
      guard record != nil else { return }
      for index in 0..<reading.completedCount where reading.completed[index].packets.count > 1 {
        let pdu = reading.completed[index]
        let matches = search.apart(in: pdu.bytes)
        guard !matches.isEmpty else { continue }
        let ranges = gathering.packets(of: pdu, session)
        guard let pieces = PDUPieces(of: pdu.bytes, in: ranges, capture) else { continue }
        rewriting.replace(matches, in: pdu.bytes, pieces)
      }
    }
  }
}

extension KeyRing {
  static var withoutExposed: KeyRing {
    var ring = KeyRing()
    ring.setsAsideExposed = true
    return ring
  }
}

/// Why a capture was not redacted.
public enum RedactionError: Error, CustomStringConvertible {
  /// A packed file in a packed file.
  case packed(String)
  /// What the proof found, a line each.
  case unproven([String])

  public var description: String {
    switch self {
    case .packed(let name): "\(name): is packed twice; unpack it once, with gunzip"
    case .unproven(let lines): lines.joined(separator: "\n")
    }
  }
}
