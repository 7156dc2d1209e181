import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkFindings
import HarkPresentation
import HarkSession

/// Shows that nothing that was removed is left in a redacted capture: each byte has the fate that the
/// account says, no field has a value that was removed, no such value stands anywhere else, and what was
/// encrypted on the air cannot be opened.
struct RedactionProof {
  private let redaction: Redaction
  private let packets: PacketBytes
  private let gathering: PersonalDataCollector
  private let out: [UInt8]
  private var ledger: ByteLedger
  private let sums: UnchangedSums
  private let table: PersonalTable
  private var roles: FieldRoles
  private var problems: [String] = []
  private var problemCount = 0
  /// Addresses that were replaced, and that nothing became.
  private var addresses: Set<UInt64> = []

  /// More are only counted.
  private static let mostProblems = 20

  init(
    _ redaction: Redaction, _ packets: PacketBytes, _ gathering: PersonalDataCollector,
    _ rewriting: inout Rewriting
  ) {
    (self.redaction, self.packets) = (redaction, packets)
    (self.gathering, table) = (gathering, gathering.table)
    (out, sums) = (rewriting.out, rewriting.sums)
    ledger = rewriting.takeLedger()
    roles = FieldRoles(redaction.level)
    for index in table.values.indices where table.values.kind(index) == .address {
      let value = table.values[index]
      if table.changes(index), !table.isPseudonym(value.bytes) {
        addresses.insert(value.bytes.reduce(0) { $0 << 8 | UInt64($1) })
      }
    }
  }

  private var name: String { packets.name }

  /// - Parameters:
  ///   - file: What is to be written.
  ///   - end: How the capture ended.
  ///   - shown: What hark shows of the file, and of the values of the original's events.
  mutating func prove(
    _ file: [UInt8], _ end: CaptureEnd, _ shown: Beside<Redaction.Shown>,
    _ list: inout RedactionList
  ) throws {
    account()
    search(file)
    let count = try read().records
    take(try shown.value())
    // Where damage is, other records may be found in what is left.
    let hasAll = end.status != .complete || count == end.records
    if !hasAll {
      fail("\(count) packets can be read from the result, but \(end.records) from the capture")
    }
    list.searchedValues = table.searchedCount
    guard problemCount == 0 else {
      let more = problemCount - problems.count
      throw RedactionError.unproven(
        problems.map { "\(name): \($0)" } + (more > 0 ? ["\(name): and \(more) more"] : [])
          + (hasAll && end.status != .damaged ? [] : [RedactionError.damaged(name).description]))
    }
  }

  private mutating func fail(_ problem: String) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  // MARK: Bytes

  /// Each byte is what its fate says.
  private mutating func account() {
    guard ledger.count == out.count else { return fail("its length differs") }
    if !ledger.isBlank(out) { fail("bytes listed as removed remain") }
    if let range = sums.difference(to: ledger.sums(out)) {
      fail("bytes \(range.lowerBound) to \(range.upperBound - 1) differ from their record")
    }
    // It is as large as the packets.
    ledger = ByteLedger(count: 0)
  }

  /// Never says what it is.
  private mutating func left(_ match: SecretSearch.Match, _ place: String) {
    fail("\(table.values.kind(match.pattern.value).withArticle) is left \(place)")
  }

  /// Values as they are sent, in the whole file; in every encoding, in undecoded bytes.
  private mutating func search(_ file: [UInt8]) {
    SecretSearch(table, isPlain: true).forEach(in: file) { match in
      left(match, "at byte \(match.range.lowerBound)")
    }
    guard !gathering.kept.isEmpty, table.searchedCount <= SecretSearch.mostValues else { return }
    let search = SecretSearch(table, inAnyCase: true)
    for pieces in gathering.kept.pieces.values {
      let bytes = pieces.flatMap { out[$0.place..<($0.place + $0.count)] }
      search.forEach(in: bytes) { left($0, "in undecoded bytes") }
    }
  }

  /// What the events of the original show: this part of the proof uses nothing of the removal.
  private mutating func take(_ shown: Redaction.Shown) {
    for number in shown.left.packets.sorted() {
      fail("packet \(number): an event still shows a text or an address of the original")
    }
    for place in shown.left.places {
      fail(
        "a text or an address that an event of the original shows is left at byte \(place.lowerBound)"
      )
    }
  }

  // MARK: Packets

  /// Reads what is to be written, as somebody does who has nothing else.
  private mutating func read() throws -> CaptureEnd {
    try redaction.read(packets, out, .withoutExposed) { session, record, reading in
      for event in session.events {
        if case .accessory(let accessory) = event.content, gathering.isLeft(in: accessory) {
          fail(
            "packet \(accessory.frames.last?.number ?? 0): a message still shows what was removed")
        }
      }
      guard let record else {
        for key in session.keys.bondingKeys where key.origin.isExposed {
          let octets = key.exposedOctets
          let isOld = [octets, octets.reversed()].contains {
            isLeft(PersonalValue(kind: .key, bytes: $0))
          }
          if isOld { fail("an old bond key can be recovered") }
        }
        return
      }
      take(reading.tree, capture: out, at: Int(record.offset), record)
      for index in 0..<reading.completedCount {
        let pdu = reading.completed[index]
        take(pdu.tree, capture: pdu.bytes, at: 0, record)
      }
    }
  }

  /// No field has a value that was removed; of pairing on the air nothing is left that a key could be
  /// found by.
  private mutating func take(
    _ tree: Tree, capture: [UInt8], at start: Int, _ record: CaptureRecord
  ) {
    for node in tree.nodes where node.count > 0 && node.kind != .inferred {
      let role = roles.role(of: node)
      if role.isPairing {
        let range = (start + node.range.lowerBound)..<(start + node.range.upperBound)
        if capture[range].contains(where: { $0 != 0 }) {
          fail("packet \(record.number): a value remains by which keys of pairing can be found")
        }
      }
      guard let kind = role.kind else { continue }
      if kind == .address {
        if addresses.contains(node.value) {
          fail("packet \(record.number): an address remains in a field")
        }
        continue
      }
      guard kind.isSearched || kind == .passkey else { continue }
      let bytes = Array(
        capture[(start + node.range.lowerBound)..<(start + node.range.upperBound)])
      let values =
        role.isDocument || role.isUTF16
        ? role.texts(in: bytes).map(\.value) : [PersonalValue(kind: kind, bytes: bytes)]
      for value in values where isLeft(value) {
        fail("packet \(record.number): \(value.kind.withArticle) remains in a field")
      }
    }
  }

  private func isLeft(_ value: PersonalValue) -> Bool {
    guard let index = table.find(value), value.bytes.contains(where: { $0 != 0 }) else {
      return false
    }
    return table.changes(index) && !table.isPseudonym(value.bytes)
  }
}
