import HarkCore
import HarkDissection

extension Entry {
  /// The protocol a layout describes, at the places it attaches itself to. Its fields are declared
  /// again with each call: call it once per layout.
  /// - Parameter places: Further places where it attaches.
  public convenience init(_ layout: Layout, besides places: [AttachmentPoint] = []) {
    let dissector = LayoutDissector(layout)
    let listed = zip(layout.fields, dissector.fields).filter { !$0.0.name.isEmpty }
    let own = Set(dissector.fields)
    let concealing = zip(layout.fields, dissector.concealing).filter {
      !$0.0.name.isEmpty && !own.contains($0.1)
    }
    self.init(
      name: dissector.name, path: StaticString(kept: layout.id),
      specification: StaticString(kept: layout.references.joined(separator: "; ")),
      places: layout.places + places, externalAccessories: layout.externalAccessories,
      cutter: LayoutCutter(layout),
      listed: listed.map { (label: $0.0.label, field: $0.1, documentation: $0.0.described) },
      concealing: concealing.map { (label: $0.0.label, field: $0.1) },
      documentation: ([layout.documentation] + layout.references).described, dissector)
  }
}

extension Layout {
  /// The last parts of the paths of the fields that its own type leads to. The others are of types with which only
  /// profiles read: messages that are decrypted, or put together from several values.
  public var ownLabels: Set<String> {
    let reached = types.isEmpty ? [] : types(reachedFrom: 0)
    let names = Set(reached.map { types[$0].name.split(separator: ":").joined(separator: ".") })
    return Set(
      fields.filter { field in
        names.contains(field.path.split(separator: ".").dropLast().joined(separator: "."))
      }.map(\.label))
  }

  /// A type, and all types that its members have.
  func types(reachedFrom type: Int) -> Set<Int> {
    let starts = types.map(\.entry).sorted()
    var reached: Set<Int> = []
    var open = [type]
    while let number = open.popLast() {
      guard reached.insert(number).inserted else { continue }
      let start = types[number].entry
      let end = starts.first { $0 > start } ?? steps.count
      open += steps[start..<end].filter { $0.op == .call }.map { Int($0.a) }
    }
    return reached
  }

  /// Whether members of a type, or of the types that it leads to, are keys.
  package func holdsKeys(type: Int) -> Bool {
    holdsKeys && types.indices.contains(type)
      && types(reachedFrom: type).contains { reached in
        types[reached].fields.contains { keys.contains($0) }
      }
  }

  /// The fields of a layout that attaches nowhere itself, for callers that read messages with it. They are declared
  /// again with each call.
  public var declaredFields: [(label: String, field: Field, documentation: String)] {
    zip(fields, declared).filter { !$0.0.name.isEmpty }.map { field, declared in
      (label: field.label, field: declared, documentation: field.described)
    }
  }

  /// A declaration of each field.
  var declared: [Field] {
    fields.indices.map { Field(fields[$0], of: self, isKey: keys.contains($0)) }
  }

  /// The places where it attaches, among those that hark has.
  public var places: [AttachmentPoint] {
    attachments.compactMap { attachment in
      switch attachment {
      case .gattCharacteristic(let uuid): BluetoothUUID(uuid).map { .attribute($0) }
      case .gattHandle(let handle): .handle(handle)
      case .cid(let cid): .channel(cid)
      case .rfcommChannel(let number): .serverChannel(number)
      case .externalAccessory: nil
      case .tcpPort(let port): .tcpPort(port)
      case .networkService(let type): .networkService(type)
      case .rfcommService(let uuid): BluetoothUUID(uuid).map { .service($0) }
      case .serviceData(let uuid): BluetoothUUID(uuid).map { .serviceData($0) }
      case .l2capPSM(let psm): .psm(psm)
      case .manufacturerData(let company): .company(company)
      case .hciVendorEvent(let first): .vendorEvent(first)
      case .hciVendorCommand(let opcode): .vendorCommand(opcode)
      }
    }
  }
}

extension Layout {
  /// The protocols of External Accessory that it attaches itself to.
  public var externalAccessories: [String] {
    attachments.compactMap { if case .externalAccessory(let name) = $0 { name } else { nil } }
  }
}

extension LayoutField {
  /// The last part of its path for filters and columns: `title_title`.
  package var label: String { path.replacingDots }

  /// Its documentation and where more is to be found, in one line.
  fileprivate var described: String { ([documentation] + references).described }
}

extension [String] {
  fileprivate var described: String {
    filter { !$0.isEmpty }.map { $0.split(separator: "\n").joined(separator: " ") }
      .joined(separator: " ")
  }
}

extension Field {
  /// In the packet's line, the first code of the layout's own type is what the message is called;
  /// sizes, counts and offsets, which Kaitai's style guide names so, are left out, as are bytes.
  /// - Parameter isKey: Whether its value is a key, contains one, or follows from one.
  init(_ field: LayoutField, of layout: Layout, isKey: Bool) {
    let isOwn = !field.path.contains(".")
    let title = layout.fields.first { !$0.path.contains(".") && $0.enumeration != nil }
    let isSize = ["len_", "num_", "ofs_"].contains { field.name.hasPrefix($0) }
    let isShown =
      switch field.form {
      case .group, .bytes, .other: false
      default: !isSize && !field.name.isEmpty
      }
    var names: [UInt64: StaticString] = [:]
    if let index = field.enumeration {
      names = layout.enums[index].members.mapValues { StaticString(kept: $0.name) }
    } else if field.form == .bool {
      names = [0: "false", 1: "true"]
    }
    var checksum: Checksum?
    if let algorithm = field.checksum {
      checksum = { bytes in UInt64(algorithm.value(over: bytes)) }
    }
    // Nothing says what it is computed from: it may be what redaction removes.
    let isCheck =
      checksum == nil && names.isEmpty && field.unit.isEmpty && field.isNamedLikeChecksum
    self.init(
      StaticString(kept: field.name.isEmpty ? "unnamed" : field.name), field.fieldForm,
      names: names, unit: StaticString(kept: field.unit), inLine: isShown,
      title: isOwn && field.path == title?.path,
      secret: isKey, personal: isKey ? .key : field.personal?.ofField,
      structural: isCheck ? false : nil,
      role: field.isNamedLikeDescription ? .description : nil, checksum: checksum)
  }
}

extension LayoutField {
  /// The last word in the names of checksums.
  private static let checksums: Set<String> = [
    "checksum", "chksum", "cksum", "csum", "crc", "crc8", "crc16", "crc32", "fcs", "lrc", "bcc",
    "mic",
    "hash", "digest", "checkcode",
  ]

  /// Whether it is a number that is called a checksum, as authors do who describe no algorithm.
  fileprivate var isNamedLikeChecksum: Bool {
    switch fieldForm {
    case .decimal, .signed, .hex:
      let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
      return words.last.map { Self.checksums.contains(String($0)) } ?? false
    default: return false
    }
  }

  /// Whether it is a text that its name says to be a version, a language, or another description of a thing.
  fileprivate var isNamedLikeDescription: Bool {
    guard case .text = fieldForm else { return false }
    let name = name.lowercased()
    return ["version", "revision", "language", "type", "scheme", "supported", "indicator", "key"]
      .contains { name.contains($0) }
  }

  fileprivate var fieldForm: Field.Form {
    switch (format, form) {
    case (.address, _), (.addressBigEndian, _): .address
    case (.uuid, _): .uuidBigEndian
    case (.uuidLittleEndian, _): .uuid
    case (_, .group): isRepeated ? .list : .group
    case (.hex, .unsigned), (.hex, .signed): .hex
    case (_, .unsigned), (_, .bool): .decimal
    case (_, .signed): .signed
    case (_, .float): .float
    case (_, .text): .text
    case (_, .bytes), (_, .encodedText), (_, .other): .bytes
    }
  }
}

extension LayoutField.Personal {
  fileprivate var ofField: Field.Personal {
    switch self {
    case .name: .name
    case .text: .text
    case .media: .media
    case .key: .key
    case .model: .model
    case .phoneNumber: .phoneNumber
    case .serialNumber: .serialNumber
    }
  }
}

extension LayoutSeverity {
  var forNote: Note.Severity {
    switch self {
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

extension LayoutFailure {
  /// What is said about it.
  package var text: StaticString {
    switch reason {
    case .endOfStream: "needs more bytes than are available"
    case .missingTerminator: "its terminator is missing"
    case .check(.equal): "is not the value that its layout requires"
    case .check(.least): "is below the minimum of its layout"
    case .check(.most): "is above the maximum of its layout"
    case .check(.anyOf): "is not one of the values that its layout allows"
    case .check(.inEnum): "is not a member of its enum"
    case .check(.expression): "does not satisfy its layout"
    case .check(.checksum): "is not the checksum of the bytes"
    case .undecidedEndianness: "its byte order is undecided"
    case .conversion: "is not an integer"
    case .divisionByZero: "a division by zero"
    case .wrongType: "has a type that its layout does not expect"
    case .missingValue: "needs a missing value"
    case .badIndex: "an index outside of its array"
    case .negative: "a negative size, count or position"
    case .unknownEncoding: "its encoding is unknown"
    case .badCompression: "cannot be unpacked"
    case .cycle: "needs itself"
    case .budget: "needs more steps or memory than allowed per packet"
    }
  }
}

extension String {
  /// Paths have a dot only between a protocol and a field.
  fileprivate var replacingDots: String { String(map { $0 == "." ? "_" : $0 }) }
}
