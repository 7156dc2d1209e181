import HarkCapture
import HarkCore
import HarkDissection
import HarkPresentation
import HarkSelection
import HarkSession

/// Undecoded bytes that `share` keeps: values of characteristics, channels and vendors' records that are
/// known by their type, but undocumented. Everything else that no field explains is removed.
struct KeptBytes {
  /// Where such bytes come from.
  enum Source: Hashable {
    case attribute(BluetoothUUID)
    case channel(psm: UInt16)
    case dataLink
    case vendorCommand(UInt16)
    case vendorEvent(UInt8)
    case advertising
    case layout(String)
    case note

    /// Whether its values belong to one characteristic, or pass over one kind of channel.
    var isPlace: Bool {
      switch self {
      case .attribute, .channel, .dataLink: true
      case .vendorCommand, .vendorEvent, .advertising, .layout, .note: false
      }
    }
  }

  /// What is put together again to look for values that lie in several packets.
  struct Stream: Hashable {
    let source: Source
    let link: LinkID?
    let isReceived: Bool
  }

  struct Piece {
    // No capture has more than 2 GiB.
    private let start: UInt32
    private let size: UInt32
    /// Whether a value begins with it.
    fileprivate(set) var isFirst = false

    init(place: Int, count: Int) {
      (start, size) = (UInt32(clamping: place), UInt32(clamping: count))
    }

    var place: Int { Int(start) }
    var count: Int { Int(size) }
    var range: Range<Int> { place..<(place + count) }
  }

  private(set) var pieces: [Stream: [Piece]] = [:]
  /// How many values there are of each source.
  private(set) var values: [Source: Int] = [:]

  var isEmpty: Bool { pieces.isEmpty }

  mutating func add(_ stream: Stream, _ new: [Piece]) {
    guard !new.isEmpty else { return }
    var new = new
    new[0].isFirst = true
    values[stream.source, default: 0] += 1
    pieces[stream, default: []] += new
  }

  /// The numbers of the packets that have such bytes.
  /// - Parameter rows: The places of packets.
  func packets(_ rows: RecordRanges) -> Set<UInt32> {
    var packets: Set<UInt32> = []
    for piece in pieces.values.joined() {
      if let index = rows.index(of: piece.place) { packets.insert(UInt32(index) + 1) }
    }
    return packets
  }

  /// Removes what packets have. With a value of a characteristic or a channel, all of its values go: another read of
  /// the attribute has the same value.
  /// - Parameters:
  ///   - packets: Their numbers.
  ///   - isAlone: Whether other values stay.
  /// - Returns: What was removed.
  mutating func remove(
    _ packets: Set<UInt32>, _ rows: RecordRanges, isAlone: Bool
  ) -> [Piece] {
    guard !packets.isEmpty else { return [] }
    func isMeant(_ piece: Piece) -> Bool {
      rows.index(of: piece.place).map { packets.contains(UInt32($0) + 1) } ?? false
    }
    var sources: Set<Source> = []
    if !isAlone {
      for (stream, pieces) in pieces where stream.source.isPlace {
        if pieces.contains(where: isMeant) { sources.insert(stream.source) }
      }
    }
    var removed: [Piece] = []
    for (stream, pieces) in pieces {
      let isAll = sources.contains(stream.source)
      let stays = isAll ? [] : pieces.filter { !isMeant($0) }
      guard stays.count < pieces.count else { continue }
      removed += isAll ? pieces : pieces.filter(isMeant)
      values[stream.source, default: 0] -=
        pieces.count(where: \.isFirst) - stays.count(where: \.isFirst)
      self.pieces[stream] = stays.isEmpty ? nil : stays
    }
    values = values.filter { $0.value > 0 }
    return removed
  }

  /// A sentence for each kind of place, with counts.
  var sentences: [String] {
    var groups = [(values: Int, places: Int)](repeating: (0, 0), count: 5)
    for (source, count) in values {
      let group: Int? =
        switch source {
        case .attribute: 0
        case .channel, .dataLink: 1
        case .vendorCommand, .vendorEvent: 2
        case .advertising: 3
        case .layout: 4
        case .note: nil
        }
      guard let group else { continue }
      groups[group].values += count
      groups[group].places += 1
    }
    return groups.indices.filter { groups[$0].places > 0 }.map { group in
      "\(Names.count(groups[group].values, "value")) \(Self.place(group, groups[group].places))"
    }
  }

  private static func place(_ group: Int, _ count: Int) -> String {
    switch group {
    case 0: "of \(Names.count(count, "undescribed characteristic"))"
    case 1: "of \(Names.count(count, "undescribed channel"))"
    case 2: "of \(Names.count(count, "vendor command or event", "vendor commands or events"))"
    case 3:
      "of "
        + Names.count(
          count, "undescribed kind of advertising data", "undescribed kinds of advertising data")
    default:
      "in parts that \(Names.count(count, "layout does", "layouts do")) not describe"
    }
  }
}

extension PersonalDataCollector {
  /// The fields whose bytes may be kept, if what they belong to is known.
  struct OpaqueFields {
    let attributes = Self.ids("att.value", "gatt.value")
    let channels = Self.ids("l2cap.payload")
    let dataLinks = Self.ids("rfcomm.information")
    let serviceData = Self.ids("ad.serviceData")
    let companyData = Self.ids("ad.data")
    let companies = Self.ids("ad.company")
    /// The services whose data hark reads, as streams are named.
    let describedServices = Set(
      Catalog.shared.entries.flatMap(\.places).compactMap { place -> String? in
        guard case .service(let uuid) = place else { return nil }
        return AssignedNumbers.name(of: uuid) ?? "\(uuid)"
      })
    /// The characteristics that hark reads.
    let describedAttributes = Set(
      Catalog.shared.entries.flatMap(\.places).compactMap { place -> BluetoothUUID? in
        guard case .attribute(let uuid) = place else { return nil }
        return uuid
      })

    private static func ids(_ paths: String...) -> Set<Field> {
      Set(paths.flatMap { Catalog.shared.fields(at: $0) })
    }
  }

  /// What is known about a packet that may hold undecoded bytes.
  struct Surroundings {
    var attribute: BluetoothUUID?
    var psm: UInt16?
    var isOpaqueDataLink = false
    /// The UUID that advertised data is of.
    var serviceData: UInt64?
    var command: UInt16?
    var event: UInt8?
    var link: LinkID?
    var isReceived = false
  }

  /// - Returns: Nothing of a packet that was cut, or that may have been received with errors.
  func surroundings(
    _ reading: borrowing PacketReading, _ session: borrowing Session
  ) -> Surroundings {
    var known = Surroundings()
    let (record, row) = (reading.record, reading.row)
    guard level == .share, record.count == record.originalCount, !isDoubtful else { return known }
    (known.link, known.isReceived) = (row.link, record.direction == .controllerToHost)
    let start = Int(record.offset)
    // The header, and the first octet of the parameters.
    let beginning = Array(capture[start..<start + min(Int(record.count), 3)])
    switch record.kind {
    case .command:
      let code = HCICommandMessage(beginning.raw, isCut: true).code
      if HCIOpcode.isVendorSpecific(code) { known.command = code }
    case .event:
      if case .vendorSpecific(let code, _) = HCIEventMessage(beginning.raw, Context()) {
        known.event = code
      }
    default:
      // Of what has no direction, hark may not know a protocol that it reads elsewhere.
      guard row.kind.isData, !row.flags.contains(.directionUnknown) else { break }
      known.attribute = session.context(row).attributeType
      known.psm = reading.psm
      if known.psm == Self.rfcomm {
        known.isOpaqueDataLink = hasOpaqueDataLinks(row.link, session)
      }
    }
    return known
  }

  private static let rfcomm: UInt16 = 3

  /// Whether the services of all data links that are open are known, and hark describes no protocol of
  /// theirs: of those it does, what it cannot read is a part of something.
  private func hasOpaqueDataLinks(_ link: LinkID?, _ session: borrowing Session) -> Bool {
    var isFound = false
    for stream in session.streams where stream.link == link && stream.closed == nil {
      guard case .dataLink = stream.kind else { continue }
      guard let name = stream.name, !opaqueFields.describedServices.contains(name) else {
        return false
      }
      isFound = true
    }
    return isFound
  }

  mutating func keepOpaque(
    _ node: Tree.Node, after last: Field?, in layer: Field?, _ pieces: PDUPieces
  ) {
    guard let source = source(of: node, after: last, in: layer, known) else { return }
    let stream = KeptBytes.Stream(
      source: source, link: known.link, isReceived: known.isReceived)
    var found: [KeptBytes.Piece] = []
    pieces.forEach(of: node.range) { place, count, _ in
      found.append(KeptBytes.Piece(place: place, count: count))
    }
    for piece in found { ledger.claim(piece.place..<(piece.place + piece.count), .kept) }
    kept.add(stream, found)
  }

  /// The owner of an undecoded node's bytes; nil if unknown.
  /// - Parameter last: The field before it.
  func source(
    of node: Tree.Node, after last: Field?, in layer: Field?, _ known: Surroundings
  ) -> KeptBytes.Source? {
    if let command = known.command { return .vendorCommand(command) }
    if let event = known.event { return .vendorEvent(event) }
    if opaqueFields.attributes.contains(node.field), let type = known.attribute {
      // What Bluetooth's own services say may be somebody's, even where hark does not read it.
      let isAssigned = type.short.map { 0x2800...0x2FFF ~= $0 } ?? false
      let isDescribed = opaqueFields.describedAttributes.contains(type)
      return isAssigned || isDescribed ? nil : .attribute(type)
    }
    if opaqueFields.channels.contains(node.field), let psm = known.psm {
      return Catalog.shared.entry(forPSM: psm) == nil ? .channel(psm: psm) : nil
    }
    if opaqueFields.dataLinks.contains(node.field), known.isOpaqueDataLink { return .dataLink }
    // All other types of advertising data are Bluetooth's own: where somebody is, and what a label shows.
    if opaqueFields.companyData.contains(node.field) {
      return last.map(opaqueFields.companies.contains) == true ? .advertising : nil
    }
    if opaqueFields.serviceData.contains(node.field) {
      // Of Bluetooth's own services, too. Assigned Numbers, 3.4.
      let isAssigned = known.serviceData.map { 0x1800...0x18FF ~= $0 } ?? false
      return isAssigned ? nil : .advertising
    }
    if let layer, layouts.contains(layer) { return .layout(layer.name.description) }
    return nil
  }
}
