import HarkCore
import HarkDissection
import Synchronization

/// What the name in front of a comparison stands for.
enum FilterSubject {
  case property(FilterProperty)
  /// Protocols, by their path or the beginning of it.
  case protocols([Entry])
  /// The fields of one path, each with the protocol that declares it.
  case fields([(field: Field, entry: Entry)])
}

/// The names that a filter can use.
public enum FilterNames {
  static func subject(_ name: String, _ catalog: FilterCatalog) -> FilterSubject? {
    let wanted = name.lowercased()
    if let property = FilterProperty(named: wanted) { return .property(property) }
    let entries = catalog.protocols(at: wanted)
    if !entries.isEmpty { return .protocols(entries) }
    let fields = catalog.fields(at: wanted)
    if !fields.isEmpty { return .fields(fields) }
    if let paths = several[wanted] {
      let fields = paths.flatMap { catalog.fields(at: $0) }
      if !fields.isEmpty { return .fields(fields) }
    }
    return translated(wanted).flatMap { subject($0, catalog) }
  }

  /// Hark's name for a field of Wireshark's with the same values, or for a protocol; nil for any other name.
  public static func translated(_ name: String) -> String? {
    let wanted = name.lowercased()
    if let ours = translations[wanted] { return ours }
    return ofWireshark.first { wanted + "." == $0.theirs }.map { String($0.ours.dropLast()) }
  }

  private static let translations: [String: String] = {
    let lines = WiresharkNames.all.description.split(separator: "\n")
    let pairs = lines.compactMap { line in
      line.firstIndex(of: " ").map {
        (line[..<$0].lowercased(), String(line[line.index(after: $0)...]))
      }
    }
    return Dictionary(pairs) { first, _ in first }.merging(same) { first, _ in first }
  }()

  /// All names, each once: properties, protocols, fields.
  public static func all(_ catalog: Catalog = .shared) -> [String] {
    var seen: Set<String> = []
    let names =
      FilterProperty.allCases.flatMap { [$0.alias, $0.rawValue].compactMap { $0 } }
      + catalog.entries.map(\.path.description) + catalog.paths.map(\.path)
    return names.filter { seen.insert($0).inserted }
  }

  /// How Wireshark calls what is called otherwise here: the longest that fits counts.
  private static let ofWireshark: [(theirs: String, ours: String)] = [
    ("bthci_cmd.", "hci.cmd."), ("bthci_evt.", "hci.evt."), ("bthci_acl.", "hci.acl."),
    ("bthci_sco.", "hci.sco."), ("bthci_iso.", "hci.iso."), ("btl2cap.", "l2cap."),
    ("btatt.", "att."), ("btsmp.", "smp."), ("btsdp.", "sdp."), ("btrfcomm.", "rfcomm."),
    ("btavdtp.", "avdtp."), ("btavctp.", "avctp."), ("btavrcp.", "avrcp."),
    ("btcommon.eir_ad.entry.", "ad."), ("btle_rf.", "radio."), ("btle.control.", "ll.control."),
    ("btle.", "ll."), ("nordic_ble.", "nordic."), ("btbredr_rf.", "bb."),
  ]

  /// With the same values, as those of `WiresharkNames`.
  private static let same: [String: String] = [
    "btatt.uuid16": "att.uuid", "btatt.uuid128": "att.uuid",
  ]

  /// Fields that are several here.
  private static let several: [String: [String]] = [
    "btatt.uuid16": ["att.uuid", "att.type"], "btatt.uuid128": ["att.uuid", "att.type"],
  ]

  /// With other values: hark suggests them.
  private static let similar: [String: String] = [
    "frame.len": "frame.original_length", "frame.cap_len": "frame.length",
    "_ws.malformed": "frame.malformed", "_ws.expert": "note", "bluetooth.addr": "frame.device",
    "bluetooth.src": "frame.device", "bluetooth.dst": "frame.device",
    "hci_h4.direction": "frame.direction", "hci_h4.type": "frame.kind",
  ]

  /// The names that come nearest to one that is unknown, at most three.
  static func nearest(to name: String, _ catalog: Catalog) -> [String] {
    // Longer names are not misspellings, and comparing takes time.
    guard name.utf8.count <= 64 else { return [] }
    var wanted = name.lowercased()
    if let other = similar[wanted] { return [other] }
    if let other = ofWireshark.first(where: { wanted.hasPrefix($0.theirs) }) {
      wanted = other.ours + wanted.dropFirst(other.theirs.count).filter { $0 != "_" }
    }
    let names = all(catalog)
    // Letters are the end of many.
    let ends = wanted.utf8.count > 2 ? names.filter { $0.lowercased().hasSuffix("." + wanted) } : []
    if !ends.isEmpty { return Array(ends.prefix(3)) }
    // Of a name of Wireshark's that is ours after its prefix, no other is meant.
    if let same = names.first(where: { $0.lowercased() == wanted }) { return [same] }
    let most = max(1, wanted.utf8.count / 3)
    let similar = names.filter { abs($0.utf8.count - wanted.utf8.count) <= most }
    let ranked = similar.map { (edits: wanted.edits(to: $0.lowercased()), name: $0) }
      .filter { $0.edits <= most }.sorted { $0 < $1 }
    // What is much further away than the nearest is another word.
    return ranked.prefix(3).filter { $0.edits <= (ranked.first?.edits ?? 0) + 1 }.map(\.name)
  }

  /// Hark's names for one of Wireshark's whose values differ; nil for any other name, or if no name here is like it.
  public static func complaint(aboutWireshark name: String, _ catalog: Catalog = .shared) -> String?
  {
    isOfWireshark(name) && !nearest(to: name, catalog).isEmpty
      ? complaint(about: name, catalog) : nil
  }

  private static func isOfWireshark(_ name: String) -> Bool {
    ofWireshark.contains { name.lowercased().hasPrefix($0.theirs.dropLast()) }
      || similar[name.lowercased()] != nil
  }

  private static let unattached = Mutex<Set<String>>([])

  /// Notes a layout that attaches nowhere, so that it has no fields.
  public static func addUnattached(_ id: String) {
    _ = unattached.withLock { $0.insert(id) }
  }

  /// Why a field of a layout is unknown; nil for any other name.
  public static func complaint(aboutUnattached name: String) -> String? {
    let id = String(name.prefix { $0 != "." })
    guard unattached.withLock({ $0.contains(id) }) else { return nil }
    return "the layout \(id) is attached nowhere; use -hark-attach in it, or --decode-as"
  }

  static func complaint(about name: String, _ catalog: Catalog) -> String {
    if ["frame.info", "frame.protocol"].contains(name.lowercased()) {
      return
        "'\(name)' can be a column only (-e); filters have the fields, and 'text' for the sentences of events"
    }
    let nearest = nearest(to: name, catalog)
    if nearest.isEmpty, let unattached = complaint(aboutUnattached: name) {
      return "there is no field \(quoted(name)): \(unattached)"
    }
    if nearest.isEmpty {
      return "there is no field \(quoted(name)); 'hark fields' and 'hark help filters' list them"
    }
    let list = nearest.map { "'\($0)'" }.joined(separator: ", ")
    return "there is no field \(quoted(name)); did you mean \(list)?"
  }

  private static func quoted(_ name: String) -> String {
    name.utf8.count <= 64 ? "'\(name)'" : "of this name"
  }

  static func shown(_ name: String) -> String {
    name.utf8.count <= 64 ? name : "this"
  }

  /// How a name is written does not matter: `Read By Type`, `READ_BY_TYPE` and `read-by-type` are one.
  static func key(_ name: some StringProtocol) -> String {
    var key: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0x41...0x5A: key.append(byte | 0x20)
      case 0x30...0x39, 0x61...0x7A, 0x80...: key.append(byte)
      default: if let last = key.last, last != 0x5F { key.append(0x5F) }
      }
    }
    if key.last == 0x5F { key.removeLast() }
    return String(decoding: key, as: UTF8.self)
  }

  /// The code whose name is `name`, in the table of `definition`; nil if there is no such code.
  static func code(_ name: String, _ definition: Field.Definition) -> UInt64? {
    let wanted = [key(name), "hci_" + key(name)]
    if let found = definition.names.filter({ wanted.contains(key($0.value.description)) }).keys
      .min()
    {
      return found
    }
    if let bit = definition.flags.filter({ wanted.contains(key($0.value.description)) }).keys.min(),
      bit < 64
    {
      return 1 << bit
    }
    guard let lookup = definition.lookup else { return nil }
    return (0...0xFFFF).first { lookup($0).map { wanted.contains(key($0)) } ?? false }
  }

  /// All names of codes and bits, for suggestions.
  static func names(_ definition: Field.Definition) -> [String] {
    var names =
      (definition.names.sorted { $0.key < $1.key } + definition.flags.sorted { $0.key < $1.key })
      .map(\.value.description)
    if let lookup = definition.lookup { names += (0...0xFFFF).compactMap { lookup($0) } }
    return names
  }

  /// The names that come nearest to `name`, at most three.
  static func nearest(to name: String, among names: [String]) -> [String] {
    guard name.utf8.count <= 64 else { return [] }
    let wanted = key(name)
    var seen: Set<String> = []
    let all = names.filter { !$0.isEmpty && $0.utf8.count <= 128 && seen.insert($0).inserted }
    let holding = all.filter { wanted.count >= 3 && key($0).hasPrefix(wanted) }
    let most = max(1, wanted.utf8.count / 3)
    let similar = all.filter { abs($0.utf8.count - wanted.utf8.count) <= most }
    let ranked = similar.map { (edits: wanted.edits(to: key($0)), name: $0) }
      .filter { $0.edits <= most }.sorted { $0 < $1 }
    let near = ranked.map(\.name)
    return Array((near + holding.filter { !near.contains($0) }).prefix(3))
  }
}
