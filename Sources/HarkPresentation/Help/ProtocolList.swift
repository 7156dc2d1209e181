import HarkCore
import HarkDissection

/// All protocols by layer, and the words that stand for several: `hark help protocols`.
public enum ProtocolList {
  public static let topic = "protocols"

  /// Each protocol that is built in is in one of these.
  static let layers: [(title: String, paths: [String])] = {
    let listed = Set(named.flatMap(\.paths))
    return named.map { layer in
      (layer.title, layer.title == brEDR ? pathsOfBREDR(without: listed) : layer.paths)
    }
  }()

  private static let brEDR = "BR/EDR"

  private static let named: [(title: String, paths: [String])] = [
    ("Between Host and Controller", ["hci.cmd", "hci.evt", "hci.acl", "hci.sco", "hci.iso"]),
    ("On a serial line", ["h4", "h5", "bcsp"]),
    ("Over the air", ["radio", "nordic", "ppi", "ll", "ll.control", "bb", "lmp", "resolved"]),
    ("On the local network", ["eth", "sll", "sll2", "loopback", "ip", "mdns"]),
    ("Records added by the recorder", ["monitor", "packetlogger", "note", "packetlogger.lmp"]),
    ("Channels and security", ["l2cap", "l2cap.signal", "l2cap.connectionless", "smp"]),
    (
      "Attributes",
      [
        "att", "gatt", "gatt.declaration", "health", "body", "user", "bonds", "object",
        "devicetime",
        "fitness",
        "machine",
        "location", "hid", "ancs",
        "ams", "hap",
      ]
    ),
    (
      "LE Audio",
      [
        "pacs", "ascs", "bass", "volume", "csis", "mcs", "tbs", "has", "audiorole", "unicast",
        "broadcast", "base", "biginfo", "pba",
      ]
    ),
    // Those that BR/EDR alone carries, which say so themselves.
    (brEDR, []),
    (
      "Advertising",
      [
        "ad", "continuity", "fastpair", "microsoft", "eddystone", "exposure", "ruuvi", "bthome",
        "tile", "smarttag", "dult", "matter",
      ]
    ),
    ("Mesh", ["mesh"]),
    (
      "Accessories",
      ["usb", "iap2", "iap2.csm", "iap2.ea", "iap2.file", "iap1", "aap", "fastpair.stream"]
    ),
  ]

  /// The protocols that are built in and hang where only BR/EDR has a place.
  private static func pathsOfBREDR(without listed: Set<String>) -> [String] {
    let entries = Catalog.shared.entries.filter { entry in
      !entry.isLayout && entry.places.contains { $0.isOfBREDR }
    }
    return ProtocolHelp.once(entries.map(\.path.description)).filter { !listed.contains($0) }
  }

  /// The words that there is help for beside commands: topics and protocols.
  public static var words: [String] {
    [topic] + ProtocolTopic.all.flatMap { [$0.name] + $0.words } + ProtocolHelp.protocols
  }

  /// Writes the list.
  /// - Parameter width: In columns.
  public static func write(width: Int, to text: inout TextBuffer) {
    text.string(
      "Protocols: `hark help PROTOCOL` shows where one is found, its codes and fields\n\n")
    let known = Set(layers.flatMap(\.paths))
    let added = ProtocolHelp.protocols.filter { !known.contains($0) }
    let groups = layers + (added.isEmpty ? [] : [("From layouts and profiles", added)])
    let indent = (groups.map(\.title.count).max() ?? 0) + 2
    for (title, paths) in groups { row(title, paths, indent, width, &text) }
    text.string("\nTopics\n")
    for topic in ProtocolTopic.all {
      row("  " + topic.name, [topic.title], indent, width, &text)
    }
    row("  " + FilterHelp.topic, ["Filters for packets and events"], indent, width, &text)
    text.string("\n")
  }

  private static func row(
    _ title: String, _ words: [String], _ indent: Int, _ width: Int, _ text: inout TextBuffer
  ) {
    let lines = Columns.lines(of: words.joined(separator: " "), width: width - indent)
    for (index, line) in lines.enumerated() {
      let label = index == 0 ? title : ""
      text.string(label + String(repeating: " ", count: max(1, indent - label.count)) + line)
      text.byte(0x0A)
    }
  }

  /// Writes what is said about the topic called `word`.
  /// - Parameter width: In columns.
  /// - Returns: Whether there is one.
  public static func writeTopic(
    _ word: String, width: Int, to text: inout TextBuffer
  ) -> Bool {
    guard let topic = ProtocolTopic.named(word.lowercased()) else { return false }
    text.string("\(topic.title)\n")
    for line in Columns.lines(of: topic.about, width: width - 2) { text.string("  \(line)\n") }
    text.string("\n  protocols      run `hark help NAME` for details\n")
    for path in topic.protocols {
      let entries = Catalog.shared.entries.filter { $0.path.description == path }
      let names = ProtocolHelp.once(entries.map(\.name.description)).joined(separator: ", ")
      let source = entries.first?.specification.description ?? ""
      row("    " + path, ["\(names) – \(source)"], 18, width, &text)
    }
    fields(topic.fields, &text)
    for vendor in VendorCodes.all where topic.vendors.contains(vendor.name) {
      codes("\(vendor.name)'s commands", vendor.commands, digits: 4, &text)
      codes("\(vendor.name)'s events", vendor.events, digits: 2, &text)
    }
    return true
  }

  private static func fields(_ prefixes: [String], _ text: inout TextBuffer) {
    for (index, prefix) in prefixes.enumerated() {
      text.string(index == 0 ? "\n  fields         " : "                 ")
      text.string("`hark fields \(prefix)` lists them\n")
    }
  }

  private static func codes(
    _ title: String, _ codes: [(code: UInt64, name: String)], digits: Int,
    _ text: inout TextBuffer
  ) {
    guard !codes.isEmpty else { return }
    text.string("\n  \(title)\n")
    for (code, name) in codes {
      text.text("    ")
      text.hex(code, digits: digits)
      text.string("  \(name)\n")
    }
  }
}

extension AttachmentPoint {
  fileprivate var isOfBREDR: Bool {
    switch self {
    case .psm, .service, .serverChannel, .avctp, .avctpBrowsing, .reassembled, .reassembledResponse,
      .media, .mediaPayload:
      true
    case .record, .linkLayerControl, .linkManager, .l2cap, .channel, .iap2, .iap1, .advertisingData,
      .advertisingType, .company, .serviceData, .vendorEvent, .vendorCommand, .attribute,
      .internetProtocol, .udpPort, .tcpPort, .networkService, .hidReport, .hidReportDescriptor:
      false
    }
  }
}
