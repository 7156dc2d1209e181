import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkPresentation
import HarkSelection
import HarkSession

/// Reads a capture and collects which bytes stay, which are replaced, and where they are. All others are removed.
struct PersonalDataCollector {
  /// A part of a value in the capture.
  struct Place {
    let place: UInt32
    let count: UInt32
    let value: UInt32
    /// Its offset in the value.
    let from: UInt32
    let spelling: Spelling

    /// Its offset in the capture.
    var range: Range<Int> { Int(place)..<(Int(place) + Int(count)) }
  }

  /// The encoding of a value in a field.
  enum Spelling: UInt8 {
    case plain, reversed, utf16
    /// In digits, with separators.
    case digits

    func bytes(_ value: [UInt8]) -> [UInt8] {
      switch self {
      case .plain, .digits: value
      case .reversed: value.reversed()
      case .utf16: SecretEncoding.utf16(isBigEndian: true).encode(value)
      }
    }
  }

  private(set) var capture: [UInt8]
  let level: RedactionLevel
  var table: PersonalTable
  var ledger: ByteLedger
  var places: [Place] = []
  /// By kind, the number of places whose values are overwritten without being searched for elsewhere.
  private(set) var blanked: [PersonalKind: Int] = [:]
  var kept = KeptBytes()
  /// The numbers of packets of which no undecoded byte stays.
  var unkept: Set<UInt32> = []
  /// The numbers of packets of keys and encrypted messages, and of messages that are neither.
  var sealedPackets: Set<UInt32> = []
  var plainPackets: Set<UInt32> = []
  /// The numbers of all packets that a framing explains.
  var framedPackets: Set<UInt32> = []
  /// After the removal, the numbers of packets with undecoded bytes that stay.
  var keptPackets: Set<UInt32> = []
  /// The private keys that the capture reveals, by their public keys.
  var exposed: Set<Fingerprint> = []
  let framings: VendorFramings
  /// The texts that a framing states itself, by its name.
  var statedTexts: [String: Set<String>] = [:]
  var irks: Set<PersonalTable.Index> = []
  var checks: [PayloadCheck] = []
  var airChecks = AirChecks()
  var headerChecks: [HeaderCheck] = []
  /// Whether checksums have their most significant octet first.
  var orders: [Field: Bool] = [:]
  /// Values that are searched for only in their own packets.
  var local: [(value: PersonalTable.Index, frames: [PacketID])] = []
  /// By the number of a packet: the number of the packet that answers it.
  private(set) var answers: [UInt32: UInt32] = [:]
  private var roles: FieldRoles
  var long = LongValues()
  let longFields = LongValueFields()
  let opaqueFields = OpaqueFields()
  /// The layers of protocols that a layout describes.
  let layouts = Set(Catalog.shared.entries.filter(\.isLayout).map(\.layer))
  /// The last request on a bearer of ATT: an attribute, from an offset on.
  var asked: [Bearer: (handle: UInt64, offset: Int)] = [:]
  let words: LogWords
  var known = Surroundings()
  private var addresses: [UInt64: PersonalTable.Index] = [:]
  /// How many encrypted messages the given keys decrypt.
  var openedMessages = 0
  /// The sessions of encrypted messages that stay: UUIDs, as texts.
  var sessions: Set<String> = []
  /// How many encrypted messages stay.
  var sealedMessages = 0

  init(
    _ capture: [UInt8], _ table: PersonalTable, _ roles: FieldRoles, _ framings: VendorFramings
  ) {
    (self.capture, self.table, self.roles) = (capture, table, roles)
    self.framings = framings
    level = roles.level
    ledger = ByteLedger(count: capture.count)
    words = LogWords(level, guesses: false)
  }

  /// The capture and the ledger. The caller then owns them alone.
  mutating func takeCapture() -> ([UInt8], ByteLedger) {
    let all = (capture, ledger)
    (capture, ledger) = ([], ByteLedger(count: 0))
    return all
  }

  /// The places of fields. The caller then owns them alone.
  mutating func takePlaces() -> [Place] {
    let all = places
    places = []
    return all
  }

  /// Frees what only rewriting needs: captures are large.
  mutating func release() {
    (checks, headerChecks, local, answers, addresses) = ([], [], [], [:], [:])
    (unkept, sealedPackets, plainPackets, framedPackets) = ([], [], [], [])
    airChecks = AirChecks()
    long = LongValues()
  }

  // MARK: Fields

  /// Takes the fields of a packet and of the PDUs that it completes.
  mutating func take(_ reading: borrowing PacketReading, _ session: borrowing Session) {
    let record = reading.record
    let related = reading.row.related
    if related != 0, related < record.number { answers[related] = record.number }
    isDoubtful = roles.isDoubtful(reading.tree)
    known = surroundings(reading, session)
    isCut = record.count < record.originalCount
    isHostInterface =
      switch record.kind {
      case .command, .event, .controlCommand, .controlEvent: true
      default: false
      }
    defer { isHostInterface = false }
    take(
      reading.tree, PDUPieces(at: Int(record.offset), count: record.count), reading.row,
      record.controller)
    for index in 0..<reading.completedCount {
      let pdu = reading.completed[index]
      // Its parts are collected apart, also those of data that is never completed.
      if isHostInterface, pdu.packets.count > 1 { continue }
      // The plaintext of an encrypted over-the-air packet is nowhere in the capture.
      guard let pieces = PDUPieces(of: pdu.bytes, in: packets(of: pdu, session), capture) else {
        takeValues(pdu.tree, pdu.bytes)
        continue
      }
      take(pdu.tree, pieces, reading.row, record.controller)
    }
    takeManagement(record)
    takeNotes(reading.tree, record)
  }

  /// Whether the packet may have been received with errors: over the air, with a CRC that cannot be checked.
  var isDoubtful = false
  /// Whether the recorder truncated the packet.
  private var isCut = false
  /// Whether the packet is a command or an event of HCI or of the management interface: their parameters end where
  /// the packet does.
  private var isHostInterface = false

  private mutating func take(
    _ tree: Tree, _ pieces: PDUPieces, _ row: PacketRow, _ controller: UInt16
  ) {
    var parts = takeFragments(tree, pieces, controller: controller)
    if let part = takeAttributes(tree, pieces, row) { parts.append(part) }
    take(tree, pieces, without: parts)
  }

  /// - Parameter parts: The places of parts that mean nothing on their own.
  mutating func take(_ tree: Tree, _ pieces: PDUPieces, without parts: [Range<Int>] = []) {
    var addresses = AddressTypes()
    var layers: [(depth: UInt8, offset: Int, layer: Field, isMalformed: Bool, isPartial: Bool)] = []
    let partial = Self.partialLayers(of: tree)
    let hasFailures = !tree.failures.isEmpty
    // The fields after possible noise are all overwritten, whatever they seem to be.
    var misheardEnd = 0
    var isFirst = true
    var list = NumberList()
    var declared = NumberList(shortestText: NumberList.shortestDeclaredText)
    for index in tree.nodes.indices {
      let node = tree.nodes[index]
      while let last = layers.last, last.depth >= node.depth { layers.removeLast() }
      if node.kind == .layer {
        let isPartial = partial.contains(index)
        // Noise, or a sealed packet, has a length that its opcode does not have.
        let isMalformed =
          hasFailures && self.isMalformed(node.field, tree)
          || isPartial && FieldRoles.isControl(node.field)
        layers.append((node.depth, Int(node.offset), node.field, isMalformed, isPartial))
        list.beginLayer()
        continue
      }
      if node.kind == .group { known.serviceData = nil }
      if node.kind == .group || node.kind == .inferred || node.count == 0 { continue }
      if Int(node.offset) < misheardEnd { continue }
      if !parts.isEmpty, parts.contains(where: { $0.contains(Int(node.offset)) }) { continue }
      if isHostInterface, node.kind == .undecoded,
        let numbers = list.numbers(before: node.range.lowerBound)
      {
        claim(numbers, pieces, .withheld)
      }
      let role = roles.role(of: node)
      if role.isUUID, node.count == 2 { known.serviceData = node.value }
      if let type = role.addressType {
        let next = index + 1 < tree.nodes.count ? tree.nodes[index + 1] : nil
        if let random = addresses.take(type, node, before: next) { table.isRandom(random) }
      }
      if role.isCRCInit { airChecks.announce(crcInit: UInt32(truncatingIfNeeded: node.value)) }
      if role.isAirCRC { takeCRC(node, of: tree, from: layers.last?.offset ?? 0, pieces) }
      if let checksum = role.checksum {
        takeCheck(checksum, node, from: layers.last?.offset ?? 0, pieces)
        claim(node.range, pieces, .withheld)
        continue
      }
      if role.isHeaderCheck { takeHeaderCheck(node, pieces) }
      if role.keepsNamed, node.field.definition.name(of: node.value) != nil {
        claim(node.range, pieces, .structural)
        continue
      }
      if let kind = role.kind {
        if kind == .misheard { misheardEnd = node.range.upperBound }
        if kind.isBlanked {
          blanked[kind, default: 0] += 1
          claim(node.range, pieces, .withheld)
        } else if role.isFreeText {
          takeFreeText(node.range, role, pieces)
        } else if kind == .address {
          takeAddress(node, addresses.isRandom(node) || role.isRandom, pieces)
        } else {
          takeValue(node.range, kind, role, pieces)
        }
        continue
      }
      if role.showsFragment, node.value == 1 { isFirst = false }
      if role.isFragment {
        // Length and channel of the PDU that begins here. Core Specification, Vol 3, Part A, 3.1
        if isFirst, node.count >= 4, role.isOfL2CAP {
          claim(node.range.prefix(4), pieces, .structural)
        }
        continue
      }
      // If undecoded bytes follow it, the packet may be of another kind.
      if role.hasUnnamedBits(node), tree.nodes.contains(where: { $0.kind == .undecoded }) {
        continue
      }
      let isMalformed = layers.last?.isMalformed ?? false
      // If there are more bytes than its PDU has, it may be of another kind, and this a part of a text.
      if layers.last?.isPartial ?? false, node.count >= 6, case .all = role.structure {
        claim(node.range, pieces, .withheld)
        continue
      }
      if role.stays(node, bytes(node.range, pieces)) {
        if !isMalformed || role.isTitle { claim(node.range, pieces, .structural) }
        if role.isGuessed || role.isDeclaredNumber, isBinary(node, pieces) {
          declared.extend(by: node.range)
        }
        if role.isGuessed {
          let next = index + 1 < tree.nodes.count ? tree.nodes[index + 1] : nil
          take(node, role, isLength: node.isLength(of: next), into: &list, pieces)
        } else if role.isShortUUID(node) {
          for range in list.take(uuid: node) { claim(range, pieces, .withheld) }
        }
      } else if case .reserved = role.structure {
        continue
      } else if node.kind == .part {
        claim(node.range, pieces, .withheld)
      } else if role.isOpaque, level == .share, !hasFailures {
        let last = index > 0 ? tree.nodes[index - 1].field : nil
        keepOpaque(node, after: last, in: layers.last?.layer, pieces)
      } else if let kind = role.replacement(node) {
        let prefix = role.isCommandName ? role.prefix(of: bytes(node.range, pieces)) : 0
        if prefix > 0 { claim(node.range.prefix(prefix), pieces, .structural) }
        takeValue(node.range.dropFirst(prefix), kind, role, pieces)
      }
    }
    list.end()
    if !list.runs.isEmpty { withholdTexts(list, pieces) }
    declared.end()
    if !declared.runs.isEmpty { withholdTexts(declared, pieces) }
  }

  /// Whether the fields of a layer that could not be read to its end may be wrong. In a truncated packet,
  /// the complete fields before the end are right.
  private func isMalformed(_ layer: Field, _ tree: Tree) -> Bool {
    let name = layer.name.description
    return tree.failures.contains { failure in
      if isCut, case .truncated = failure.reason { return false }
      return failure.layer.description == name
    }
  }

  /// The places of the packets of a PDU.
  func packets(
    of pdu: PacketReading.Completed, _ session: borrowing Session
  ) -> [Range<Int>] {
    pdu.packets.compactMap { number in
      session.packets[number].map { Int($0.offset)..<(Int($0.offset) + Int($0.count)) }
    }
  }

  /// Takes values in bytes that no packet contains as they are: they cannot be replaced there, but must not
  /// stay either.
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

  private mutating func takeAddress(_ node: Tree.Node, _ isRandom: Bool, _ pieces: PDUPieces) {
    guard node.count == 6 else { return }
    let index: PersonalTable.Index
    if let known = addresses[node.value], !table.isDoubtful(known) || isDoubtful {
      index = known
    } else {
      let value = PersonalValue(kind: .address, bytes: PersonalTable.octets(node.value))
      guard let added = table.add(value, isDoubtful: isDoubtful) else { return }
      addresses[node.value] = added
      index = added
    }
    if isRandom { table.isRandom(node.value) }
    var isReversed = false
    pieces.forEach(of: node.range) { place, _, from in
      // The lowest octet comes first in all protocols except those of the Internet.
      if from == 0 { isReversed = UInt64(capture[place]) == node.value & 0xFF }
    }
    if isReversed, node.value >> 40 == node.value & 0xFF {
      isReversed = bytes(node.range, pieces) != PersonalTable.octets(node.value)
    }
    keep(index, node.range, pieces, spelling: isReversed ? .reversed : .plain)
  }

  mutating func role(of node: Tree.Node) -> FieldRoles.Role { roles.role(of: node) }
}
