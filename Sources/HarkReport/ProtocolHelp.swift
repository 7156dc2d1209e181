import HarkCore
import HarkDissection

/// What the declarations of a protocol say of it, for people: `hark help att`.
public enum ProtocolHelp {
  /// The paths of all protocols, each once.
  public static let protocols: [String] = {
    var seen: Set<String> = []
    return Catalog.builtIn.entries.map(\.path.description).filter { seen.insert($0).inserted }
  }()

  /// Writes the help for the protocols that are called `name` or have it as their path or as the
  /// beginning of it; false if there are none.
  public static func write(_ name: String, to text: inout TextBuffer) -> Bool {
    let wanted = name.lowercased()
    let entries = Catalog.builtIn.entries.filter { entry in
      let path = entry.path.description
      return path == wanted || path.hasPrefix(wanted + ".")
        || entry.name.description.lowercased() == wanted
    }
    var written: Set<String> = []
    for entry in entries where written.insert(entry.path.description).inserted {
      if written.count > 1 { text.byte(0x0A) }
      write(Catalog.builtIn.entries.filter { $0.path.description == entry.path.description }, &text)
    }
    return !entries.isEmpty
  }

  /// The protocols of one path: the same one in several places, mostly.
  private static func write(_ entries: [Entry], _ text: inout TextBuffer) {
    guard let first = entries.first else { return }
    var names: [String] = []
    for entry in entries where !names.contains(entry.name.description) {
      names.append(entry.name.description)
    }
    text.string("\(names.joined(separator: ", "))\n")
    var specifications: [String] = []
    for entry in entries where !specifications.contains(entry.specification.description) {
      specifications.append(entry.specification.description)
    }
    for (index, specification) in specifications.enumerated() {
      text.string(index == 0 ? "  specification  " : "                 ")
      text.string("\(specification)\n")
    }
    let places = entries.flatMap(\.places).map { Self.text(of: $0) }
    for (index, line) in lines(places).enumerated() {
      text.string(index == 0 ? "  found in       " : "                 ")
      text.string("\(line)\n")
    }
    fields(of: first.path.description, &text)
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

  private static func text(of place: Place) -> String {
    switch place {
    case .record(let kind): "\(kind.name) records"
    case .l2cap: "reassembled L2CAP frames"
    case .channel(let cid): "L2CAP channel \(Names.hex(cid))"
    case .psm(let psm): "PSM \(Names.hex(psm))"
    case .service(let uuid): "RFCOMM channels of service \(uuid)"
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
    case .company(let id): "manufacturer data of \(Names.company(id))"
    case .serviceData(let uuid): "service data of \(BluetoothUUID(uuid))"
    case .attribute(let uuid): "attributes of type \(Names.uuid(uuid))"
    }
  }

  private static func fields(of path: String, _ text: inout TextBuffer) {
    var seen: Set<String> = []
    let own = Catalog.builtIn.paths.filter {
      $0.entry.path.description == path && seen.insert($0.path).inserted
    }
    guard !own.isEmpty else { return }
    text.string("  fields         for `hark packets -e` and in JSON\n")
    let width = own.map(\.path.count).max() ?? 0
    for (path, field, _) in own {
      let definition = field.definition
      let padding = String(repeating: " ", count: width - path.count)
      text.string("    \(path)\(padding)  \("\(definition.form)".padded(to: 8))")
      text.string("  \(definition.name)\n")
      guard definition.title else { continue }
      for (code, name) in definition.names.sorted(by: { $0.key < $1.key }) {
        let digits = String(code, radix: 16)
        let zeros = String(repeating: "0", count: max(0, 2 - digits.count))
        text.string("      0x\(zeros)\(digits)  \(name)\n")
      }
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
