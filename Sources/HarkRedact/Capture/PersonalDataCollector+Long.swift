import HarkCapture
import HarkCore
import HarkDissection
import HarkSession

/// The fields that say which values are parts of longer ones.
struct LongValueFields {
  enum Meaning: UInt8 {
    case none
    case operation, set, opcode, eventType, address, sid, train, status
    case attOpcode, attHandle, attOffset, attType, attAttribute
  }

  let advertising = Self.layer("Advertising Data")
  let advertisingFragments = ["hci.cmd.dataFragment", "hci.evt.dataFragment"].flatMap {
    Catalog.shared.fields(at: $0)
  }
  let attribute = Self.layer("ATT")
  /// By the number of the field.
  private var meanings: [Meaning] = []

  init() {
    let paths: [(String, Meaning)] = [
      ("hci.cmd.operation", .operation), ("hci.cmd.advertisingHandle", .set),
      ("hci.cmd.opcode", .opcode), ("hci.evt.extendedEventType", .eventType),
      ("hci.evt.address", .address), ("hci.evt.sid", .sid), ("hci.evt.syncHandle", .train),
      ("hci.evt.dataStatus", .status), ("att.opcode", .attOpcode), ("att.handle", .attHandle),
      ("att.offset", .attOffset), ("att.type", .attType), ("att.attribute", .attAttribute),
    ]
    for (path, meaning) in paths {
      for field in Catalog.shared.fields(at: path) {
        let missing = Int(field.id) + 1 - meanings.count
        if missing > 0 { meanings += [Meaning](repeating: .none, count: missing) }
        meanings[Int(field.id)] = meaning
      }
    }
  }

  func meaning(of field: Field) -> Meaning {
    Int(field.id) < meanings.count ? meanings[Int(field.id)] : .none
  }

  /// Whether it is advertising data, or a part of it.
  func isAdvertising(_ node: Tree.Node) -> Bool {
    node.kind == .layer ? node.field == advertising : advertisingFragments.contains(node.field)
  }

  /// Of ANCS, 4.
  static let dataSource = BluetoothUUID(high: 0x22EA_C6E9_24D6_4BB5, low: 0xBE44_B36A_CE7C_7BFB)

  private static func layer(_ name: String) -> Field? {
    Catalog.shared.entries.first { $0.name.description == name }?.layer
  }
}

extension PersonalDataCollector {
  // MARK: Advertising data

  /// Takes advertising data that is a part of more.
  /// - Returns: Where it is: on their own its bytes are something else.
  mutating func takeFragments(
    _ tree: Tree, _ pieces: PDUPieces, controller: UInt16
  ) -> [Range<Int>] {
    // Most packets have none.
    let fields = longFields
    guard tree.nodes.contains(where: { fields.isAdvertising($0) }) else { return [] }
    var ranges: [Range<Int>] = []
    var (opcode, set, address, sid, train) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    var (operation, status): (UInt64?, UInt64?)
    for node in tree.nodes {
      switch fields.meaning(of: node.field) {
      case .opcode: opcode = node.value
      case .set: set = node.value
      case .operation: operation = node.value
      case .address: address = node.value
      case .sid: sid = node.value
      case .train: train = node.value
      case .status: status = node.value
      case .eventType: status = node.value >> 5 & 3
      default: break
      }
      guard fields.isAdvertising(node) else { continue }
      if let operation {
        let source = LongValues.Source.set(controller: controller, opcode: opcode, handle: set)
        switch operation {
        case 1: begin(source, .advertisingData, node.range, pieces, isApart: true)
        case 0, 2:
          let offset = long.count(of: source)
          _ = add(to: source, node.range, at: offset, pieces)
          if operation == 2 { long.end(source) }
        default: continue
        }
      } else if let status {
        let source =
          address == 0
          ? LongValues.Source.train(controller: controller, handle: train)
          : .advertiser(controller: controller, address: address, set: sid)
        guard status == 1 || long.isOpen(source) else { continue }
        if long.isOpen(source) {
          let offset = long.count(of: source)
          _ = add(to: source, node.range, at: offset, pieces)
        } else {
          begin(source, .advertisingData, node.range, pieces, isApart: true)
        }
        if status != 1 { long.end(source) }
      } else {
        continue
      }
      ranges.append(node.range)
    }
    return ranges
  }

  private mutating func begin(
    _ source: LongValues.Source, _ content: LongValues.Content, _ range: Range<Int>,
    _ pieces: PDUPieces, isApart: Bool
  ) {
    let value = LongValues.Value(
      content: content, bytes: bytes(range, pieces), pieces: pieces.part(range, at: 0),
      isApart: isApart,
      isDoubtful: isDoubtful)
    long.begin(value, of: source)
  }

  private mutating func add(
    to source: LongValues.Source, _ range: Range<Int>, at offset: Int, _ pieces: PDUPieces
  ) -> Bool {
    let part = bytes(range, pieces)
    guard part.count == range.count else { return false }
    return long.add(to: source) { $0.add(part, at: offset, range, pieces) }
  }

  // MARK: Attributes

  /// Takes the parts of values of attributes, and values whose type only the whole PDU shows.
  /// - Returns: Where a part of a value is that says nothing on its own.
  mutating func takeAttributes(
    _ tree: Tree, _ pieces: PDUPieces, _ row: PacketRow
  ) -> Range<Int>? {
    guard let layer = tree.first(layer: longFields.attribute) else { return nil }
    let fields = longFields
    guard let opcode = tree.nodes.first(where: { fields.meaning(of: $0.field) == .attOpcode })
    else { return nil }
    var (handle, offset, start): (UInt64, Int, Int) = (0, 0, opcode.range.upperBound)
    var type: BluetoothUUID?
    for node in tree.nodes {
      switch fields.meaning(of: node.field) {
      case .attHandle:
        handle = node.value
        if opcode.value == 0x1B || opcode.value == 0x1D { start = node.range.upperBound }
      case .attOffset:
        (offset, start) = (Int(truncatingIfNeeded: node.value), node.range.upperBound)
      case .attAttribute: type = node.inferredUUID
      case .attType:
        type = BluetoothUUID(littleEndian: bytes(node.range, pieces).raw)
        start = node.range.upperBound
      default: break
      }
    }
    let bearer = Bearer(link: row.link, channel: row.channel)
    func source(_ handle: UInt64) -> LongValues.Source {
      .attribute(link: row.link, channel: row.channel, opcode: opcode.value, handle: handle)
    }
    let value = start..<max(start, layer.range.upperBound)
    switch opcode.value {
    case 0x0A: asked[bearer] = (handle, 0)
    case 0x0C: asked[bearer] = (handle, offset)
    case 0x0B, 0x0D:
      let isPart = opcode.value == 0x0D
      guard let (handle, offset) = asked.removeValue(forKey: bearer) else {
        return isPart ? value : nil
      }
      let source = LongValues.Source.attribute(
        link: row.link, channel: row.channel, opcode: 0x0B, handle: handle)
      takePart(value, at: offset, of: source, type, pieces, isApart: isPart)
      return isPart ? value : nil
    case 0x16, 0x17:
      takePart(value, at: offset, of: source(handle), type, pieces, isApart: true)
      return value
    // A response of ANCS takes several values, of which the first alone says what it is.
    case 0x1B, 0x1D:
      guard type == LongValueFields.dataSource else { break }
      let source = source(handle)
      if !row.flags.contains(.continuesMessage) {
        begin(source, .attribute(type), value, pieces, isApart: false)
      } else {
        _ = add(to: source, value, at: long.count(of: source), pieces)
        return value
      }
    case 0x06: takeAttribute(value, type, pieces)
    // Several values, and nothing shows where one ends.
    case 0x0F: return value
    default: break
    }
    return nil
  }

  /// Where ATT asks for one value after the other.
  struct Bearer: Hashable {
    let link: LinkID?
    let channel: ChannelID?
  }

  private mutating func takePart(
    _ range: Range<Int>, at offset: Int, of source: LongValues.Source, _ type: BluetoothUUID?,
    _ pieces: PDUPieces, isApart: Bool
  ) {
    guard !range.isEmpty else { return }
    if offset == 0 {
      begin(source, .attribute(type), range, pieces, isApart: isApart)
    } else {
      _ = add(to: source, range, at: offset, pieces)
    }
  }

  /// A value as that of an attribute of a type.
  private mutating func takeAttribute(
    _ range: Range<Int>, _ type: BluetoothUUID?, _ pieces: PDUPieces
  ) {
    guard let type, !range.isEmpty else { return }
    let value = LongValues.Value(
      content: .attribute(type), bytes: bytes(range, pieces), pieces: pieces.part(range, at: 0),
      isApart: true, isDoubtful: isDoubtful)
    take(value, Self.read(value, type), front: 1)
  }

  /// ATT_READ_RSP with the value.
  private static func read(_ value: LongValues.Value, _ type: BluetoothUUID) -> Tree {
    var tree = Tree()
    var context = Context()
    context.attributeType = type
    let bytes = [0x0B] + value.bytes
    Catalog.shared.describe(bytes.raw, .channel(4), context, into: &tree)
    return tree
  }

  /// - Parameter front: How many bytes precede it in what was read.
  private mutating func take(_ value: LongValues.Value, _ tree: Tree, front: Int) {
    let pieces = value.pieces.map {
      PDUPieces.Piece(
        place: $0.place, range: ($0.range.lowerBound + front)..<($0.range.upperBound + front))
    }
    let outer = isDoubtful
    isDoubtful = value.isDoubtful
    take(tree, PDUPieces(pieces))
    isDoubtful = outer
  }

  // MARK: The end

  /// What came in parts, once all packets were read.
  mutating func takeLongValues() {
    long.endAll()
    for value in long.ended {
      switch value.content {
      case .attribute(let type?):
        known = Surroundings(attribute: level == .share ? type : nil)
        take(value, Self.read(value, type), front: 1)
      case .attribute(nil): break
      case .advertisingData:
        var tree = Tree()
        Catalog.shared.describe(value.bytes.raw, .advertisingData, Context(), into: &tree)
        known = Surroundings()
        take(value, tree, front: 0)
      }
    }
  }
}

extension Tree {
  /// The first layer of a protocol.
  fileprivate func first(layer field: Field?) -> Node? {
    nodes.first { $0.kind == .layer && $0.field == field }
  }
}
