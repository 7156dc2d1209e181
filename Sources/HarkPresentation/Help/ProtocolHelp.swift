import HarkCore
import HarkDissection
import HarkSession

/// What the declarations of a protocol say about it, for people: `hark help att`.
public enum ProtocolHelp {
  /// The paths of all protocols, each once.
  public static let protocols: [String] = {
    var seen: Set<String> = []
    return Catalog.shared.entries.map(\.path.description).filter { seen.insert($0).inserted }
  }()

  /// Writes the help for the protocols that are called `name` or have it as their path or as the
  /// beginning of it; false if there are none.
  public static func write(_ name: String, to text: inout TextBuffer) -> Bool {
    let groups = groups(name)
    for (index, entries) in groups.enumerated() {
      if index > 0 { text.byte(0x0A) }
      write(entries, &text)
    }
    return !groups.isEmpty
  }

  /// The protocols that `name`, of a protocol or a topic, stands for; those of one path together.
  static func groups(_ name: String) -> [[Entry]] {
    let wanted = aliases[name.lowercased()] ?? name.lowercased()
    let isAll = wanted == ProtocolList.topic
    let several = ProtocolTopic.named(wanted)?.protocols ?? []
    let entries = Catalog.shared.entries.filter { entry in
      let path = entry.path.description
      return isAll || several.contains(path) || path == wanted || path.hasPrefix(wanted + ".")
        || entry.name.description.lowercased() == wanted
    }
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.path.description).inserted }.map { first in
      Catalog.shared.entries.filter { $0.path.description == first.path.description }
    }
  }

  /// What people call protocols that are part of another here.
  private static let aliases = [
    "acl": "hci.acl", "sco": "hci.sco", "esco": "hci.sco", "iso": "hci.iso", "eatt": "att",
    "gap": "ad", "eir": "ad", "advertising": "ad", "hsp": "hfp", "headset": "hfp", "a2dp": "avdtp",
    "mgmt": "monitor", "btmon": "monitor", "opack": "aap", "aacp": "aap", "ea": "iap2.ea",
    "ibeacon": "continuity", "airpods": "aap", "swiftpair": "microsoft", "gfp": "fastpair",
    "goep": "obex", "pan": "bnep", "glucose": "health", "heartrate": "health", "bms": "bonds",
    "ots": "object", "dts": "devicetime", "homekit": "hap",
  ]

  /// Each text once, in order.
  static func once(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// The protocols of one path: the same one in several places, mostly.
  private static func write(_ entries: [Entry], _ text: inout TextBuffer) {
    guard let first = entries.first else { return }
    let names = once(entries.map(\.name.description))
    text.string("\(lines(names).joined(separator: ",\n"))\n")
    let specifications = once(entries.map(\.specification.description)).filter { !$0.isEmpty }
    for (index, specification) in specifications.enumerated() {
      text.string(index == 0 ? "  specification  " : "                 ")
      text.string("\(specification)\n")
    }
    let places = entries.flatMap(\.places)
    let types = places.compactMap(Self.attributeType)
    let found =
      places.isEmpty
      ? ["fields of other protocols"]
      : places.filter { Self.attributeType($0) == nil }.map { Self.text(of: $0) }
        + types.enumerated().map { $0.offset == 0 ? "attributes: \($0.element)" : $0.element }
    for (index, line) in lines(found).enumerated() {
      text.string(index == 0 ? "  found in       " : "                 ")
      text.string("\(line)\n")
    }
    text.string(
      "  example        hark packets CAPTURE -Y '\(example(of: first.path.description))'\n")
    fields(of: first.path.description, &text)
  }

  /// A filter for packets of a protocol: those with the first code that names them, or else all.
  static func example(of path: String) -> String {
    for (path, field) in declared(path) where field.definition.title {
      let first = field.definition.names.min { $0.key < $1.key }
      guard let name = first?.value.description, !name.contains(where: "'\"\\".contains) else {
        continue
      }
      return "\(path) == \"\(name)\""
    }
    return path
  }

  /// Words put together to lines of a common width.
  private static func lines(_ words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 2 + word.count <= 76 {
        lines[lines.count - 1] = last + ", " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  /// The name of the attributes in which a protocol is found by their type; nil for other places.
  private static func attributeType(_ place: AttachmentPoint) -> String? {
    guard case .attribute(let uuid) = place, uuid.handle == nil else { return nil }
    return Names.uuid(uuid)
  }

  static func text(of place: AttachmentPoint) -> String {
    switch place {
    case .record(let kind): "\(kind.name) records"
    case .linkLayerControl: "LL Control PDUs of LE connections"
    case .linkManager: "LMP PDUs of BR/EDR links"
    case .l2cap: "reassembled L2CAP frames"
    case .channel(let cid): "L2CAP channel \(Names.hex(cid))"
    case .psm(let psm): "PSM \(Names.hex(psm))"
    case .service(let uuid): "channels of service \(Names.uuid(uuid))"
    case .serverChannel(let number): "RFCOMM channel \(number)"
    case .avctp(let profile): "AVCTP control channels of profile \(Names.hex(profile))"
    case .avctpBrowsing(let profile): "AVCTP browsing channels of profile \(Names.hex(profile))"
    case .reassembled(let psm): "reassembled messages of PSM \(Names.hex(psm))"
    case .reassembledResponse: "reassembled responses"
    case .media: "media channels of AVDTP"
    case .mediaPayload(let codec): "media packets of codec \(Names.hex(codec))"
    case .iap2(let type):
      "iAP2 sessions of type \(Names.of(type, "iap2.sessionType") ?? "\(type)")"
    case .iap1: "the same RFCOMM channels as iAP2"
    case .advertisingData: "advertising data"
    case .advertisingType(let type):
      "advertising data of type \(Names.of(type, "ad.type") ?? Names.hex(type))"
    case .company(let id): "manufacturer data of \(Names.company(id))"
    case .serviceData(let uuid): "service data of \(uuid)"
    case .vendorEvent(let first): "vendor-specific events that begin with \(Names.hex(first))"
    case .vendorCommand(let opcode): "vendor-specific command \(Names.hex(opcode))"
    case .attribute(let uuid):
      uuid.handle.map { "the attribute at handle \(Names.hex($0))" }
        ?? "attributes of type \(Names.uuid(uuid))"
    case .internetProtocol: "IP packets"
    case .udpPort(let port): "UDP port \(port)"
    case .tcpPort(let port): "TCP port \(port)"
    case .networkService(let type): "TCP connections to services of type \(type)"
    case .hidReport: "reports of HID over L2CAP"
    case .hidReportDescriptor: "HIDDescriptorList of service records"
    }
  }

  /// The fields of a protocol with their paths, each path once.
  static func declared(_ path: String) -> [(path: String, field: Field)] {
    var seen: Set<String> = []
    return Catalog.shared.paths.filter {
      $0.entry.path.description == path && seen.insert($0.path).inserted
    }.map { ($0.path, $0.field) }
  }

  private static func fields(of path: String, _ text: inout TextBuffer) {
    let own = declared(path)
    guard !own.isEmpty else { return }
    text.string("  fields         for 'hark packets -e' and in JSON\n")
    let width = own.map(\.path.count).max() ?? 0
    for (path, field) in own {
      let definition = field.definition
      let padding = String(repeating: " ", count: width - path.count)
      text.string("    \(path)\(padding)  \(definition.form.name.description.padded(to: 8))")
      text.string("  \(definition.name)\n")
      guard definition.title else { continue }
      codes(definition.names, &text)
    }
  }

  /// A line for each code, and one for codes that follow one another and share a name.
  private static func codes(_ names: [UInt64: StaticString], _ text: inout TextBuffer) {
    let codes = names.map { (code: $0.key, name: $0.value.description) }.sorted {
      $0.code < $1.code
    }
    let digits = max(2, String(codes.last?.code ?? 0, radix: 16).count + 1 & ~1)
    var index = 0
    while index < codes.count {
      var last = index
      while last + 1 < codes.count, codes[last + 1].name == codes[index].name,
        codes[last + 1].code == codes[last].code + 1
      {
        last += 1
      }
      text.text("      ")
      text.hex(codes[index].code, digits: digits)
      if last > index {
        text.text("–")
        text.hex(codes[last].code, digits: digits)
      }
      text.string("  \(codes[index].name)\n")
      index = last + 1
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
