import Foundation
import HarkCore
import HarkTestSupport

@testable import HarkDissection

/// Bytes for a protocol, and what the session would know when it reads them.
struct FieldRecord: Sendable {
  /// Sets what is known. Not a `Context`: other modules see another size of an optional one.
  typealias Knowledge = @Sendable (inout Context) -> Void

  /// hark's own protocols alone: other tests may have added some to the shared one.
  static let catalog = Catalog(Catalog.protocols)

  let entry: Entry
  let bytes: [UInt8]
  let knowledge: Knowledge

  /// Reads the bytes into `tree`.
  func describe(into tree: inout Tree) {
    var context = Context()
    knowledge(&context)
    Self.catalog.describe(bytes.raw, entry, context, into: &tree)
  }
}

/// A search for records that show fields: one for each path of the catalog.
struct FieldSearch {
  private let catalog = FieldRecord.catalog
  /// The paths of each field, by those of the layers that declare it.
  private let declaring: [UInt16: [String: String]]
  /// The list, and those of it that each entry declares.
  private let paths: [String]
  private let own: [ObjectIdentifier: Set<String>]
  private let layers: [UInt16: String]
  private var seen: Set<UInt32> = []
  private(set) var found: [String: FieldRecord] = [:]
  private var tree = Tree()
  private var random = SplitMix(seed: 7)

  init() {
    var declaring: [UInt16: [String: String]] = [:]
    var paths: [String] = []
    var own: [ObjectIdentifier: Set<String>] = [:]
    for (path, field, entry) in catalog.paths {
      declaring[field.id, default: [:]][entry.path.description] = path
      if own[ObjectIdentifier(entry), default: []].insert(path).inserted { paths.append(path) }
    }
    (self.declaring, self.paths, self.own) = (declaring, paths, own)
    layers = Dictionary(
      catalog.entries.map { ($0.layer.id, $0.path.description) }, uniquingKeysWith: { $1 })
  }

  /// The paths that no record has shown, in the order of the list.
  var missing: [String] {
    var listed: Set<String> = []
    return paths.filter { found[$0] == nil && listed.insert($0).inserted }
  }

  /// Reads records: whether they show something new.
  @discardableResult
  mutating func read(_ record: FieldRecord) -> Bool {
    record.describe(into: &tree)
    var isNew = false
    var inside = [UInt16](repeating: .max, count: 64)
    for node in tree.nodes {
      let depth = min(Int(node.depth), 62)
      inside[depth + 1] = node.kind == .layer ? node.field.id : inside[depth]
      guard node.kind != .layer,
        seen.insert(UInt32(inside[depth]) << 16 | UInt32(node.field.id)).inserted
      else { continue }
      isNew = true
      let declaring = declaring[node.field.id] ?? [:]
      // One that several protocols declare is that of the layer it is in.
      let path =
        declaring.count == 1 ? declaring.first?.value : declaring[layers[inside[depth]] ?? ""]
      if let path { found[path] = found[path] ?? record }
    }
    return isNew
  }

  /// Reads seeds as PDUs of the protocol.
  /// - Returns: Those that show something new.
  mutating func read(_ seeds: [[UInt8]], as entry: Entry) -> [FieldRecord] {
    let knowledge = Self.knowledge(of: entry)
    var kept: [FieldRecord] = []
    for bytes in seeds {
      for knowledge in knowledge {
        let record = FieldRecord(entry: entry, bytes: bytes, knowledge: knowledge)
        if read(record) { kept.append(record) }
      }
    }
    return kept
  }

  /// Changes records of the protocol as long as that shows something.
  /// - Parameter most: So often they are changed in vain.
  mutating func search(_ entry: Entry, _ kept: [FieldRecord], most: Int) {
    let own = own[ObjectIdentifier(entry)] ?? []
    var open: Int { own.count { found[$0] == nil } }
    guard open > 0 else { return }
    let codes = codes(of: entry)
    var kept = kept + read(Self.fills(codes), as: entry)
    var (tries, left) = (0, open)
    while tries < most, left > 0, !kept.isEmpty {
      tries += 1
      let one = kept[Int(random.next() % UInt64(kept.count))]
      let record = FieldRecord(
        entry: entry, bytes: changed(one.bytes, codes), knowledge: one.knowledge)
      guard read(record) else { continue }
      kept.append(record)
      (tries, left) = (0, open)
    }
  }

  /// The codes that the protocol's fields have names for: most tell what follows.
  private func codes(of entry: Entry) -> [UInt64] {
    var codes: Set<UInt64> = []
    for (_, field, other) in catalog.paths where other.path.description == entry.path.description {
      codes.formUnion(field.definition.names.keys)
    }
    return codes.sorted()
  }

  private static func fills(_ codes: [UInt64]) -> [[UInt8]] {
    let fills = [UInt8(0), 1, 0xFF].map { [UInt8](repeating: $0, count: 80) }
    var seeds = fills
    for fill in fills {
      for code in UInt8.min...UInt8.max { seeds.append([code] + fill) }
      for code in codes where code > 0xFF && code <= 0xFFFF {
        seeds.append([UInt8(truncatingIfNeeded: code), UInt8(code >> 8), 80] + fill)
      }
    }
    return seeds
  }

  private mutating func changed(_ bytes: [UInt8], _ codes: [UInt64]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int(random.next() % 4) {
      let place = bytes.isEmpty ? 0 : Int(random.next() % UInt64(min(bytes.count, 48)))
      switch random.next() % 9 {
      case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where !bytes.isEmpty: bytes[place] = UInt8(random.next() % 24)
      case 2 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next() % 12), at: place)
      case 4 where !bytes.isEmpty: bytes.remove(at: place)
      case 5:
        for _ in 0..<(random.next() % 24) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
      case 6 where bytes.count > 1: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      // A length of what follows.
      case 7 where !bytes.isEmpty:
        bytes[place] = UInt8(truncatingIfNeeded: bytes.count - place - 1 - Int(random.next() % 3))
      default:
        guard !codes.isEmpty else { continue }
        let code = codes[Int(random.next() % UInt64(codes.count))]
        var octets = [UInt8(truncatingIfNeeded: code)]
        if code > 0xFF { octets.append(UInt8(truncatingIfNeeded: code >> 8)) }
        if random.next() % 2 == 0 { octets.reverse() }
        for (index, octet) in octets.enumerated() where place + index < bytes.count {
          bytes[place + index] = octet
        }
      }
    }
    return bytes
  }

  /// What is known beside the bytes of a PDU: each kind of it alone.
  private static func knowledge(of entry: Entry) -> [FieldRecord.Knowledge] {
    var all: [FieldRecord.Knowledge] = [{ _ in }]
    for place in entry.places {
      if case .attribute(let uuid) = place { all.append { $0.attributeType = uuid } }
    }
    func add(_ companies: [UInt16]) {
      for company in companies { all.append { $0.manufacturer = company } }
    }
    switch entry.path.description {
    case "hci.cmd", "hci.evt": add(TableRecords.companies.map(\.1))
    case "hid":
      for descriptor in MadeRecords.reportDescriptors {
        let report = HIDReportContext(HIDReports.kept(descriptor.raw), type: 1)
        all.append { $0.report = report }
      }
    case "ll":
      all += [
        { $0.linkLayer.isRetransmission = true }, { $0.linkLayer.isDoubtful = true },
        { $0.linkLayer.isUnfollowed = true }, { $0.linkLayer.channel = .broadcast },
        { $0.linkLayer.channel = .connected }, { $0.linkLayer.channel = .periodic },
        {
          $0.linkLayer.channel = .broadcast
          $0.linkLayer.broadcast = .init(seedAccessAddress: 0x1234_5678, stream: 1)
        },
      ]
    case "l2cap":
      all.append { $0.psm = 0x0019 }
      for mode in UInt8(1)...5 {
        for hasFCS in [false, true] {
          all.append {
            $0.framing.mode = L2CAPFraming.Mode(rawValue: mode) ?? .basic
            ($0.framing.hasFCS, $0.framing.beginsSDU) = (hasFCS, hasFCS)
          }
        }
      }
    case "att":
      for type in UInt16(0x2800)...0x2803 {
        all.append { $0.requestedType = BluetoothUUID(type) }
        all.append { $0.attributeType = BluetoothUUID(type) }
      }
    case "hcrp": all += [{ $0.isFromAcceptor = true }, { $0.isFromAcceptor = false }]
    default: break
    }
    return all
  }
}
