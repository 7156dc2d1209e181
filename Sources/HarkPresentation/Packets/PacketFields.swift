import HarkCore
import HarkDissection
import HarkFilter
import HarkSelection
import HarkSession

/// What can be asked of every packet, whatever it holds.
public enum PacketFrameField: String, CaseIterable, Sendable {
  case number = "frame.number"
  case time = "frame.time"
  case timeRelative = "frame.time_relative"
  case timeDelta = "frame.time_delta"
  case kind = "frame.kind"
  case direction = "frame.direction"
  case directionInferred = "frame.direction_inferred"
  case length = "frame.length"
  case originalLength = "frame.original_length"
  case controller = "frame.controller"
  case link = "frame.link"
  case channel = "frame.channel"
  case device = "frame.device"
  case address = "frame.address"
  case airChannel = "frame.air_channel"
  case related = "frame.related"
  case fragments = "frame.fragments"
  case malformed = "frame.malformed"
  case protocolName = "frame.protocol"
  case info = "frame.info"

  /// What it is, for the list of fields: as in filters, unless the column has another value.
  public var name: StaticString {
    switch self {
    case .time: "Seconds since 1970, by the capture's clock"
    case .device: "Name or address of the device"
    case .address: "Addresses in the packet, and identities of resolvable private ones"
    case .malformed: "Part that could not be decoded"
    case .protocolName: "Protocol, as hark packets names it"
    case .info: "Content in one line, as hark packets prints it"
    case .number, .timeRelative, .timeDelta, .kind, .direction, .directionInferred, .length,
      .originalLength, .controller, .link, .channel, .airChannel, .related, .fragments:
      FilterProperty(rawValue: rawValue)?.description ?? ""
    }
  }

  /// How its values are written, as `Field.Form` has it.
  var form: StaticString {
    switch self {
    case .number, .directionInferred, .length, .originalLength, .controller, .link, .channel,
      .airChannel, .related:
      "decimal"
    case .time, .timeRelative, .timeDelta: "float"
    case .kind, .direction, .device, .address, .fragments, .malformed, .protocolName, .info: "text"
    }
  }

  /// Whether it is a part of the line that `hark packets` prints.
  var isOfLine: Bool { self == .protocolName || self == .info }

  /// Whether its values are numbers in JSON.
  var isNumber: Bool { form.description != "text" }

  func write(
    _ packet: borrowing PacketReading, _ names: borrowing LinkNames, to text: inout TextPen
  ) {
    switch self {
    case .number: text.decimal(UInt64(packet.number))
    case .time: text.seconds(packet.row.time.nanoseconds, decimals: 9)
    case .timeRelative:
      text.seconds(packet.row.time.since(packet.firstTime), decimals: 9)
    case .timeDelta:
      text.seconds(packet.row.time.since(packet.timeBefore), decimals: 9)
    case .kind: text.text(packet.row.kind.name)
    case .direction: text.text(packet.row.directionName)
    case .directionInferred:
      if packet.row.flags.contains(.directionInferred) { text.byte(UInt8(ascii: "1")) }
    case .length: text.decimal(UInt64(packet.row.count))
    case .originalLength: text.decimal(packet.record.originalCount)
    case .controller: text.decimal(UInt64(packet.row.controller))
    case .link: if let link = packet.row.link { text.decimal(UInt64(link.index) + 1) }
    case .channel:
      if let channel = packet.row.channel { text.decimal(UInt64(channel.index) + 1) }
    case .device:
      if let link = packet.row.link, let name = names[link], name.device != nil {
        text.printable(name.text)
      }
    case .address:
      var addresses: [UInt64] = []
      Self.add(packet.tree, to: &addresses)
      for index in 0..<packet.completedCount {
        Self.add(packet.completed[index].tree, to: &addresses)
      }
      for (index, address) in addresses.enumerated() {
        if index > 0 { text.byte(UInt8(ascii: ",")) }
        text.address(address)
      }
    case .airChannel: if let channel = packet.channel { text.decimal(UInt64(channel)) }
    case .related: if packet.row.related != 0 { text.decimal(UInt64(packet.row.related)) }
    case .fragments:
      for (index, number) in packet.fragments.enumerated() {
        if index > 0 { text.byte(UInt8(ascii: ",")) }
        text.decimal(UInt64(number))
      }
    case .malformed:
      var failure = packet.tree.violation
      for index in 0..<packet.completedCount {
        failure = failure ?? packet.completed[index].tree.violation
      }
      if let failure { text.string(failure.description) }
    // Written by `PacketColumns`, which has the line.
    case .protocolName, .info: break
    }
  }

  /// Adds the addresses in a PDU, each once.
  private static func add(_ tree: borrowing Tree, to addresses: inout [UInt64]) {
    for address in tree.addresses where !addresses.contains(address.value) {
      addresses.append(address.value)
    }
  }
}

/// A field that does not exist, or that has no value.
public struct PacketFieldUnknown: Error, CustomStringConvertible {
  public let path: String
  /// The paths that are spelled most like it.
  public let nearest: [String]

  init(_ path: String) {
    self.path = path
    let wanted = path.lowercased()
    if let column = Self.columnsOfWireshark[wanted] {
      nearest = [column]
      return
    }
    let distances = PacketFieldList.paths.map {
      (distance: wanted.edits(to: $0.lowercased()), path: $0)
    }
    // Slips of the fingers; what is further away is another word.
    let most = max(1, path.utf8.count / 4)
    nearest = distances.sorted { $0 < $1 }.prefix(3).filter { $0.distance <= most }.map(\.path)
  }

  /// Columns of Wireshark's list of packets.
  private static let columnsOfWireshark = [
    "_ws.col.info": "frame.info", "_ws.col.protocol": "frame.protocol",
    "_ws.col.number": "frame.number", "_ws.col.time": "frame.time_relative",
    "_ws.col.def_src": "frame.device", "_ws.col.def_dst": "frame.device",
    "_ws.col.packet_length": "frame.length",
  ]

  public var description: String {
    if path.isEmpty { return "a field name is missing; 'hark fields' lists all of them" }
    if let ofFilters { return ofFilters }
    if let ofWireshark = FilterNames.complaint(aboutWireshark: path) { return ofWireshark }
    if !Catalog.shared.fields(at: path).isEmpty {
      return "\(path) is a group of fields, without a value: it can be used in filters only (-Y)"
    }
    let fields = PacketFieldList.paths(beginning: path + ".")
    guard fields.isEmpty else {
      let some = fields.prefix(4).joined(separator: ", ")
      return "\(path) is a protocol, not a field; name one of its fields: \(some)"
        + (fields.count > 4 ? ", … ('hark fields \(path).' lists all \(fields.count))" : "")
    }
    if nearest.isEmpty, let unattached = FilterNames.complaint(aboutUnattached: path) {
      return "there is no field '\(path)': \(unattached)"
    }
    return "there is no field '\(path)'; \(advice)"
  }

  /// What to say about a name that filters have; nil if they do not.
  fileprivate var ofFilters: String? {
    guard let property = FilterProperty(named: path.lowercased()) else { return nil }
    guard PacketFrameField(rawValue: property.rawValue) == nil else {
      return "\(path) is a filter name; as a column, use \(property.rawValue)"
    }
    let fields = PacketFieldList.paths(beginning: path + ".")
    return "\(path) can be used in filters only (-Y)"
      + (fields.isEmpty ? "" : "; 'hark fields \(path).' lists columns that start with it")
  }

  var advice: String {
    nearest.isEmpty
      ? "'hark fields' lists all of them"
      : "did you mean \(nearest.map { "'\($0)'" }.joined(separator: ", "))?"
  }
}

/// The list of all fields, for people and scripts.
public enum PacketFieldList {
  /// All paths, each once, in the order of the list.
  static let paths: [String] = {
    var seen: Set<String> = []
    return (PacketFrameField.allCases.map(\.rawValue) + Catalog.shared.paths.map(\.path))
      .filter { seen.insert($0).inserted }
  }()

  /// The paths that begin with `prefix`, in whatever case it is written.
  static func paths(beginning prefix: String) -> [String] {
    let prefix = prefix.lowercased()
    return paths.filter { $0.lowercased().hasPrefix(prefix) }
  }

  /// The paths that can be columns.
  public static var columns: [String] {
    let values = Catalog.shared.paths.filter { $0.field.definition.form.hasValue }
    let known = Set(values.map(\.path) + PacketFrameField.allCases.map(\.rawValue))
    return paths.filter(known.contains)
  }

  /// The declared path that matches `path` in any case, or as a name of Wireshark's; otherwise `path` itself.
  static func declared(_ path: String) -> String {
    let wanted = path.lowercased()
    if let found = paths.first(where: { $0.lowercased() == wanted }) { return found }
    guard let ours = FilterNames.translated(path), paths.contains(ours) else { return path }
    return ours
  }

  /// Why no path begins with `prefix`, and what to do.
  public static func complaint(about prefix: String) -> String {
    let unknown = PacketFieldUnknown(prefix)
    return unknown.ofFilters ?? "no field starts with \(prefix); \(unknown.advice)"
  }

  /// Path, form and name of each field whose path begins with `prefix`.
  private static func fields(
    beginning prefix: String
  ) -> [(path: String, form: StaticString, name: StaticString)] {
    let prefix = prefix.lowercased()
    let ofFrames = PacketFrameField.allCases.map { ($0.rawValue, $0.form, $0.name) }
    var seen: Set<String> = []
    let ofProtocols = Catalog.shared.paths.filter { seen.insert($0.path).inserted }.map {
      let definition = $0.field.definition
      return ($0.path, definition.form.name, definition.name)
    }
    return (ofFrames + ofProtocols).filter { $0.0.lowercased().hasPrefix(prefix) }
  }

  /// One line for each path that begins with `prefix`: path, form, name, with tabs between.
  public static func write(prefix: String, to text: inout TextPen) {
    for field in fields(beginning: prefix) {
      text.string("\(field.path)\t\(field.form)\t\(field.name)\n")
    }
  }

  /// The same as one JSON object; nothing where no path begins with `prefix`.
  public static func writeJSON(prefix: String, to text: inout TextBuffer) {
    let fields = fields(beginning: prefix)
    guard !fields.isEmpty else { return }
    var json = JSONText()
    json.object { json in
      json.objects("fields", fields) { field, json in
        json.string("path", field.path)
        json.string("form", field.form)
        json.string("name", field.name)
      }
    }
    text.append(json.text.bytes)
    text.byte(0x0A)
  }
}

extension Field.Form {
  /// Whether fields of the form have a value that a column can show.
  public var hasValue: Bool {
    switch self {
    case .group, .list: false
    default: true
    }
  }

  /// What users call the form: the order of a UUID's octets is no concern of theirs.
  var name: StaticString {
    switch self {
    case .decimal: "decimal"
    case .signed: "signed"
    case .hex: "hex"
    case .bytes: "bytes"
    case .text, .utf16: "text"
    case .address: "address"
    case .uuid, .attributeType, .uuidBigEndian: "uuid"
    case .float, .medical: "float"
    case .group: "group"
    case .list: "list"
    }
  }
}
