import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkReport
import HarkSession

/// Reads a capture for what is to be removed, and where it is.
struct PersonalGathering {
  /// A part of a value in the capture.
  struct Place {
    let place: Int
    let count: UInt32
    let value: UInt32
    /// Where in the value it begins.
    let from: UInt32
    let spelling: Spelling
  }

  /// How a value stands in a field.
  enum Spelling {
    case plain, reversed, utf16

    func bytes(_ value: [UInt8]) -> [UInt8] {
      switch self {
      case .plain: value
      case .reversed: value.reversed()
      case .utf16: SecretEncoding.utf16(isBigEndian: true).encode(value)
      }
    }
  }

  /// With what was opened on the air behind it.
  private(set) var capture: [UInt8]
  private(set) var plaintexts = AirPlaintexts()
  /// How many bytes of it are the capture's own.
  let size: Int
  var table: PersonalTable
  var places: [Place] = []
  var irks: Set<PersonalTable.Index> = []
  var checks: [PayloadCheck] = []
  /// Whether checksums have their most significant octet first.
  var orders: [Field: Bool] = [:]
  /// What is only looked for in the packets that it came in.
  var local: [(value: PersonalTable.Index, frames: [PacketID])] = []
  /// By the number of a packet: that of the one that answers it.
  private(set) var answers: [UInt32: UInt32] = [:]
  /// PDUs whose bytes are in no packet as they are.
  var unplaced = 0
  private var roles: FieldRoles
  var long = LongValues()
  let longFields = LongValueFields()
  /// What a bearer of ATT was asked for last: an attribute, from an offset on.
  var asked: [Bearer: (handle: UInt64, offset: Int)] = [:]
  let words: LogWords
  /// Bytes of the capture that some protocol explains, wherever its PDU began.
  private var explained: [Bool]
  /// Bytes of the capture that have to stay though nobody explains them.
  private var needed: [Bool]
  /// Where PDUs are that could not be read to their end.
  private var malformed: [Range<Int>] = []
  /// How many bytes stay that no protocol explains.
  private(set) var opaqueBytes = 0
  /// How many sealed messages the keys that were given open.
  private(set) var openedMessages = 0
  /// How many sealed messages stay.
  private(set) var sealedMessages = 0

  init(_ capture: [UInt8], _ table: PersonalTable, _ level: RedactionLevel) {
    (self.capture, self.table, roles) = (capture, table, FieldRoles(level))
    size = capture.count
    words = LogWords(level, guesses: false)
    explained = [Bool](repeating: false, count: capture.count)
    needed = explained
  }

  // MARK: Fields

  /// Takes the fields of a packet and of what it completes.
  mutating func take(_ reading: borrowing PacketReading, _ session: borrowing Session) {
    let record = reading.record
    let related = reading.row.related
    if related != 0, related < record.number { answers[related] = record.number }
    isDoubtful = roles.isDoubtful(reading.tree)
    take(
      reading.tree, PDUPieces(at: Int(record.offset), count: record.count), reading.row,
      record.controller)
    takePlaintext(record, session)
    takeFragment(reading.tree, record)
    for index in 0..<reading.completedCount {
      let pdu = reading.completed[index]
      for number in pdu.packets { fragments[number] = nil }
      let packets = packets(of: pdu, session)
      guard let pieces = PDUPieces(of: pdu.bytes, in: packets, capture) else {
        unplaced += 1
        takeValues(pdu.tree, pdu.bytes)
        continue
      }
      take(pdu.tree, pieces, reading.row, record.controller)
    }
    takeManagement(record)
    if record.kind.isText { takeAddresses(inTextAt: Int(record.offset), record.count) }
    takeNotes(reading.tree, record)
  }

  /// Where fragments of keys are whose PDU is not whole, by the number of the packet.
  var fragments: [UInt32: Range<Int>] = [:]

  /// Whether what is read may have been heard wrong: a packet on the air whose CRC cannot be checked.
  var isDoubtful = false

  private mutating func take(
    _ tree: Tree, _ pieces: PDUPieces, _ row: PacketRow, _ controller: UInt16
  ) {
    let fragments = takeFragments(tree, pieces, controller: controller)
    takeAttributes(tree, pieces, row)
    take(tree, pieces, without: fragments)
  }

  /// - Parameter parts: Where something is that says nothing on its own.
  mutating func take(_ tree: Tree, _ pieces: PDUPieces, without parts: [Range<Int>] = []) {
    var isRandom = false
    var layers: [(depth: UInt8, offset: Int)] = []
    if !tree.failures.isEmpty {
      malformed += pieces.pieces.map { $0.place..<($0.place + $0.range.count) }
    }
    // Behind what may be noise: all of it is replaced, whatever it is read as.
    var misheardEnd = 0
    for node in tree.nodes {
      if !parts.isEmpty, parts.contains(where: { $0.contains(Int(node.offset)) }) { continue }
      if Int(node.offset) < misheardEnd { continue }
      let role = roles.role(of: node)
      if role.kind == .misheard { misheardEnd = node.range.upperBound }
      while let last = layers.last, last.depth >= node.depth { layers.removeLast() }
      if role.isAddressType { isRandom = node.value & 1 == 1 }
      if role.isAirCRC { takeCRC(node, from: layers.last?.offset ?? 0, pieces) }
      if let checksum = role.checksum {
        takeCheck(checksum, node, from: layers.last?.offset ?? 0, pieces)
      }
      if node.kind == .layer { layers.append((node.depth, Int(node.offset))) }
      if !role.isOpaque, !role.isFragment { explain(node, pieces) }
      let isRest = role.kind == nil && node.kind == .undecoded && !tree.failures.isEmpty
      if role.isOpaque, role.kind == nil, !isRest { opaqueBytes += Int(node.count) }
      guard let kind = isRest ? .rest : role.kind, node.count > 0, node.kind != .inferred else {
        continue
      }
      if kind == .address {
        takeAddress(node, isRandom || role.isRandom, pieces)
      } else {
        takeValue(node.range.dropFirst(role.front), kind, role, pieces)
      }
    }
  }

  /// Where the packets of a PDU are, or what was decrypted of them.
  func packets(of pdu: PacketReading.Completed, _ session: borrowing Session) -> [Range<Int>] {
    pdu.packets.compactMap { number in
      plaintexts[number]
        ?? session.packets[number].map { Int($0.offset)..<(Int($0.offset) + Int($0.count)) }
    }
  }

  private mutating func takePlaintext(_ record: CaptureRecord, _ session: borrowing Session) {
    guard let pdu = session.openedAirPDU, pdu.number == record.number else { return }
    plaintexts.add(pdu, at: Int(record.offset), &capture)
    let more = [Bool](repeating: false, count: capture.count - explained.count)
    explained += more
    needed += more
  }

  /// What is said in bytes that no packet has as they are: it cannot be replaced there, but must not be
  /// left either.
  private mutating func takeValues(_ tree: Tree, _ bytes: [UInt8]) {
    for node in tree.nodes where node.count > 0 && node.kind != .inferred {
      let role = roles.role(of: node)
      guard let kind = role.kind, kind.isSearched || role.isDocument else { continue }
      let value = kind == .address ? PersonalTable.octets(node.value) : bytes.raw.array(node.range)
      if role.isDocument || role.isUTF16 {
        for part in role.texts(in: value) { _ = table.add(part.value, isDoubtful: isDoubtful) }
        continue
      }
      _ = table.add(PersonalValue(kind: kind, bytes: value), isDoubtful: isDoubtful)
    }
  }

  private mutating func explain(_ node: Tree.Node, _ pieces: PDUPieces) {
    guard node.kind == .value || node.kind == .part else { return }
    pieces.forEach(of: node.range) { place, count, _ in
      for index in place..<(place + count) { explained[index] = true }
    }
  }

  /// All of the packets that a vendor's message came in.
  mutating func explain(_ packet: Range<Int>) {
    guard packet.upperBound <= explained.count else { return }
    for index in packet { explained[index] = true }
  }

  /// Keeps what nobody explains in a packet that something else depends on.
  /// - Returns: Whether that was not known.
  mutating func need(_ packet: Range<Int>) -> Bool {
    guard packet.upperBound <= needed.count, packet.contains(where: { !needed[$0] }) else {
      return false
    }
    for index in packet { needed[index] = true }
    return true
  }

  /// What stands behind the place where reading ended: it may be a part of any packet.
  mutating func takeUnread(_ end: CaptureEnd) {
    guard let damage = end.damages.last, damage.resumedAt == nil,
      end.damageCount == end.damages.count, damage.offset >= 0
    else { return }
    let head =
      capture.starts(with: "btsnoop".utf8)
      ? 24 : capture.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) ? 28 : 16
    // What makes it unreadable stays.
    let start = Int(damage.offset) + head
    guard start < size else { return }
    malformed.append(start..<size)
    takeText(start..<size, .rest)
  }

  /// Keeps what nobody explains in all PDUs that are malformed.
  /// - Returns: Whether there is any.
  mutating func needMalformed() -> Bool {
    malformed.reduce(false) { need($1) || $0 }
  }

  func isUnexplained(_ value: UInt32) -> Bool { table.values[Int(value)].kind.isUnexplained }

  /// Whether a byte that nobody explains stays where it is.
  func stays(_ index: Int) -> Bool { explained[index] || needed[index] }

  /// How many bytes stay because something else depends on them.
  var neededBytes: Int {
    var found: Set<Int> = []
    for place in places where isUnexplained(place.value) {
      for index in place.place..<(place.place + Int(place.count))
      where needed[index] && !explained[index] {
        found.insert(index)
      }
    }
    return found.count
  }

  private mutating func takeAddress(_ node: Tree.Node, _ isRandom: Bool, _ pieces: PDUPieces) {
    guard node.count == 6 else { return }
    let octets = PersonalTable.octets(node.value)
    guard
      let index = table.add(PersonalValue(kind: .address, bytes: octets), isDoubtful: isDoubtful)
    else { return }
    if isRandom { table.isRandom(node.value) }
    let isReversed = bytes(node.range, pieces) != octets
    keep(index, node.range, pieces, spelling: isReversed ? .reversed : .plain)
  }

  private mutating func takeValue(
    _ range: Range<Int>, _ kind: PersonalKind, _ role: FieldRoles.Role, _ pieces: PDUPieces
  ) {
    let bytes = bytes(range, pieces)
    guard bytes.count == range.count else { return }
    if role.isDocument || role.isUTF16 { return takeTexts(bytes, range, role, pieces) }
    guard kind.isText || role.isText || kind == .key && Self.isPassphrase(bytes) else {
      guard let index = table.add(PersonalValue(kind: kind, bytes: bytes), isDoubtful: isDoubtful)
      else { return }
      if role.isIRK { irks.insert(index) }
      return keep(index, range, pieces)
    }
    // A text, and what a longer one left behind it.
    let textKind = kind.isText ? kind : .text
    var start = 0
    for (end, byte) in (bytes + [0]).enumerated() where byte == 0 {
      if end > start {
        let value = PersonalValue(kind: textKind, bytes: Array(bytes[start..<end]))
        if let index = table.add(value, isDoubtful: isDoubtful) {
          keep(index, (range.lowerBound + start)..<(range.lowerBound + end), pieces)
        }
      }
      start = end + 1
    }
  }

  /// Passphrases stand where keys do.
  private static func isPassphrase(_ bytes: [UInt8]) -> Bool {
    let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
    return !text.isEmpty && text.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// The texts in a document, and one in UTF-16.
  private mutating func takeTexts(
    _ bytes: [UInt8], _ range: Range<Int>, _ role: FieldRoles.Role, _ pieces: PDUPieces
  ) {
    for part in role.texts(in: bytes) {
      guard let index = table.add(part.value, isDoubtful: isDoubtful) else { continue }
      let place =
        (range.lowerBound + part.range.lowerBound)..<(range.lowerBound + part.range.upperBound)
      keep(
        index, place, pieces, spelling: role.isUTF16 && part.value.kind.isText ? .utf16 : .plain)
    }
  }

  mutating func role(of node: Tree.Node) -> FieldRoles.Role { roles.role(of: node) }

  func bytes(_ range: Range<Int>, _ pieces: PDUPieces) -> [UInt8] {
    var bytes: [UInt8] = []
    pieces.forEach(of: range) { place, count, from in
      if from == bytes.count { bytes += capture[place..<(place + count)] }
    }
    return bytes
  }

  mutating func keep(
    _ value: PersonalTable.Index, _ range: Range<Int>, _ pieces: PDUPieces,
    spelling: Spelling = .plain
  ) {
    var found: [Place] = []
    pieces.forEach(of: range) { place, count, from in
      found.append(
        Place(
          place: place, count: UInt32(count), value: UInt32(value), from: UInt32(from),
          spelling: spelling))
    }
    places += found
  }

  /// A text, or a secret, that stands beside the packets.
  mutating func takeText(_ range: Range<Int>, _ kind: PersonalKind) {
    guard let index = table.add(PersonalValue(kind: kind, bytes: Array(capture[range]))) else {
      return
    }
    keep(index, 0..<range.count, PDUPieces(at: range.lowerBound, count: range.count))
  }

  // MARK: What happened

  /// Takes what is told of the packets: texts and keys in vendors' messages.
  mutating func take(_ event: Event, _ session: borrowing Session) {
    guard case .accessory(let accessory) = event.content else { return }
    switch accessory.content {
    case .plain(let message):
      for content in message.contents { take(content, accessory.frames) }
    case .message(let message):
      if message.opened != nil { openedMessages += 1 }
      // What was opened with a key that was given: it may also stand somewhere else.
      for content in message.opened?.decoded.contents ?? [] { take(content, []) }
      if roles.level == .strict || exposesKey {
        add(.sealed, message.sealed, accessory.frames)
      } else {
        sealedMessages += 1
      }
    case .exposedKey(let event):
      exposesKey = true
      if let key = session.keys.setAside.first(where: { $0.fingerprint == event.fingerprint }) {
        takeExposed(key, accessory.frames)
      }
    default: break
    }
  }

  /// Whether the capture gave a private key away, as far as it was read.
  private(set) var exposesKey = false

  private mutating func take(_ content: AccessoryContent, _ frames: [PacketID]) {
    for address in content.addresses { add(.address, address, frames) }
    for text in content.personalTexts { add(.text, Array(text.utf8), frames) }
    if case .networkSharing(.network(let network)) = content {
      add(.text, Array(network.ssid.utf8), frames)
    }
  }

  mutating func add(_ kind: PersonalKind, _ bytes: [UInt8], _ frames: [PacketID]) {
    guard let index = table.add(PersonalValue(kind: kind, bytes: bytes)) else { return }
    if !frames.isEmpty { local.append((index, frames)) }
  }
}
