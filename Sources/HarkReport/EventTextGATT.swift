import HarkCore
import HarkDissection
import HarkSession

// GATT: Core Specification, Vol 3, Parts F and G.
extension EventText {
  static func gatt(_ event: Event, _ session: borrowing Session) -> String {
    let sides = Sides(of: event, session)
    switch event.content {
    case .mtu(let client, let server):
      return "MTU \(max(23, min(client, server))) (client \(client), server \(server))"
        + (min(client, server) < 23 ? "; no MTU may be less than 23" : "")
    case .discovery(let services, let characteristics, let descriptors, let isLocal):
      let whose =
        isLocal ? "\(sides.peer) discovered \(sides.hosts) database" : "discovered"
      return "\(whose): \(Names.count(services, "service")), "
        + "\(Names.count(characteristics, "characteristic")), "
        + Names.count(descriptors, "descriptor")
    case .serviceNotFound(let uuid, let isLocal):
      return (isLocal ? "\(sides.peer) searched for service " : "searched for service ")
        + "\(Names.uuid(uuid)): there is none"
    case .subscription(let handle, let uuid, let bits, let isLocal):
      let server = server(isLocal, event, session)
      let who = isLocal ? "\(sides.peer) " : ""
      return who + subscription(handle, uuid, bits, server)
    case .value(let value):
      let name = name(value, event, session)
      let bytes = bytes(of: value)
      return "\(action(value, name, sides, isPlural: false)): \(bytes)"
        + (value.isWriteToDeclaration ? "; a declaration, which cannot be written" : "")
    case .repeated(let value, 1):
      let name = name(value, event, session)
      let bytes = bytes(of: value)
      return "1 more: \(action(value, name, sides, isPlural: false)): \(bytes)"
    case .repeated(let value, let times):
      return "\(times) more: \(uncounted(value, event, session))\(last(value))"
    case .readMultiple(let attributes, let value, let isLocal):
      return (isLocal ? "\(sides.peer) read together " : "read together ")
        + Names.few(attributes.map { Names.attribute($0.type, $0.handle) })
        + ": \(bytes(Array(value.prefix(32)), count: value.count, nil))"
    case .attError(let request, let handle, let uuid, let error, _, let isLocal):
      let place = handle == 0 ? "" : " of \(Names.attribute(uuid, handle))"
      let (asker, server) =
        isLocal
        ? ("\(sides.peer): ", " by \(sides.host)")
        : sides.isAir ? ("Central: ", " by \(sides.thePeer)") : ("", "")
      return "\(asker)\(Names.request(request))\(place) refused\(server): "
        + Names.attError(error, uuid)
    case .mtuExceeded(let opcode, let handle, let size, let mtu):
      let place = handle == 0 ? "" : " of \(Names.hex(handle))"
      return "\(Names.request(opcode))\(place) has \(size) bytes, where the MTU is \(mtu)"
    case .requestTimeout(let request, let handle):
      let place = handle == 0 ? "" : " of \(Names.hex(handle))"
      return "\(Names.request(request))\(place) was not "
        + (request == 0x1D
          ? "confirmed within 30 s"
          : "answered within 30 s: no more can be asked on this link")
    case .requestUnanswered(let it): return unanswered(it, event, session)
    case .answeredLate(let request, let handle, let nanoseconds):
      let place = handle == 0 ? "" : " of \(Names.hex(handle))"
      return "\(Names.request(request))\(place) was "
        + "\(request == 0x1D ? "confirmed" : "answered") after \(Names.duration(nanoseconds))"
    default: return ""
    }
  }

  /// Client Characteristic Configuration. Vol 3, Part G, 3.3.3.3.
  private static func subscription(
    _ handle: UInt16, _ uuid: BluetoothUUID?, _ bits: UInt16, _ server: GATTDatabase?,
    isAsked: Bool = false
  ) -> String {
    let owner = server?.characteristic(owning: handle)
    let name =
      uuid.map { characteristic($0, owner?.handle ?? handle, server) }
      ?? "the characteristic of \(Names.hex(handle))"
    let (on, off) =
      isAsked
      ? ("asked to subscribe to", "asked to unsubscribe from")
      : ("subscribed to", "unsubscribed from")
    switch bits & 3 {
    case 0: return "\(off) \(name)"
    case 1: return "\(on) \(name) notifications"
    case 2: return "\(on) \(name) indications"
    default: return "\(on) \(name) notifications and indications"
    }
  }

  /// `asked to write Alert Level: high, no answer captured`
  private static func unanswered(
    _ it: UnansweredRequest, _ event: Event, _ session: borrowing Session
  ) -> String {
    let sides = Sides(of: event, session)
    let name = name(it.handle, it.uuid, isLocal: it.isLocal, event, session)
    // The server indicates, the client does all else.
    if it.request == 0x1D {
      return (it.isLocal ? "\(sides.hosts) " : "")
        + "indication of \(name), no confirmation captured"
    }
    let who = it.isLocal ? "\(sides.peer) " : ""
    if let subscription = it.subscription {
      return who
        + self.subscription(
          it.handle, subscription.uuid, subscription.bits, server(it.isLocal, event, session),
          isAsked: true) + ", no answer captured"
    }
    let what = it.isLocal ? "\(sides.hosts) \(name)" : name
    let value = it.value.map { ": \(bytes(of: $0))" } ?? ""
    switch it.request {
    case 0x0A, 0x0C: return "\(who)asked to read \(what), no answer captured"
    case 0x12: return "\(who)asked to write \(what)\(value), no answer captured"
    case 0x16: return "\(who)asked to prepare a write of \(what)\(value), no answer captured"
    // It and each part have an answer.
    case 0x18:
      return "\(who)asked to write \(what) at length\(value), not every answer captured"
    default:
      return (it.isLocal ? "\(sides.peer): " : "")
        + "\(Names.request(it.request)), no answer captured"
    }
  }

  // MARK: Names

  /// The server that the attribute of an event belongs to.
  private static func server(
    _ isLocal: Bool, _ event: Event, _ session: borrowing Session
  ) -> GATTDatabase? {
    if isLocal {
      return event.link.flatMap { session.database(for: session.hostDatabase(on: $0)) }
        ?? event.controller.flatMap { session.database(for: .local($0)) }
    }
    return event.link.flatMap { link in
      session.database(for: session.device(of: link).map { .device($0) } ?? .link(link))
    }
  }

  /// A name of a vendor's own comes with the first part of its UUID; a UUID that the server has several times comes with the
  /// handle.
  private static func characteristic(
    _ uuid: BluetoothUUID, _ handle: UInt16, _ server: GATTDatabase?
  ) -> String {
    let name = Names.attributeType(uuid)
    var marks: [String] = []
    if name != uuid.description, uuid.short == nil {
      marks.append("\(uuid.description.prefix(8))-…")
    }
    let isNoValue = server.map { $0.characteristics[handle] == nil } ?? false
    if isNoValue || server?.repeats(uuid) ?? false { marks.append(Names.hex(handle)) }
    return marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
  }

  private static func name(
    _ value: Event.GATTValue, _ event: Event, _ session: borrowing Session
  ) -> String {
    name(value.handle, value.uuid, isLocal: value.isLocal, event, session)
  }

  private static func name(
    _ handle: UInt16, _ uuid: BluetoothUUID?, isLocal: Bool, _ event: Event,
    _ session: borrowing Session
  ) -> String {
    guard let uuid else { return "attribute \(Names.hex(handle))" }
    let server = server(isLocal, event, session)
    // Servers put attributes of their own among descriptors. Assigned Numbers, 3.7.
    guard let short = uuid.short, 0x2900...0x29FF ~= short, let server,
      let owner = server.characteristic(owning: handle)
    else { return characteristic(uuid, handle, server) }
    return "\(Names.attributeType(uuid)) of \(characteristic(owner.uuid, owner.handle, server))"
  }

  // MARK: Values

  /// Values that are counted by attribute, whatever their bytes.
  static func uncounted(
    _ value: Event.GATTValue, _ event: Event, _ session: borrowing Session
  ) -> String {
    action(value, name(value, event, session), Sides(of: event, session), isPlural: true)
  }

  /// The last of several values.
  static func last(_ value: Event.GATTValue) -> String {
    ", the last: \(bytes(of: value))"
  }

  /// `read Battery Level`, `notification of Heart Rate Measurement`.
  private static func action(
    _ value: Event.GATTValue, _ name: String, _ sides: Sides, isPlural: Bool
  ) -> String {
    let verb =
      switch value.opcode {
      case 0x0B: isPlural ? "reads of" : "read"
      case 0x1B: isPlural ? "notifications of" : "notification of"
      case 0x1D: isPlural ? "indications of" : "indication of"
      case 0x52: isPlural ? "writes without response to" : "wrote without response to"
      case 0xD2: isPlural ? "signed writes to" : "wrote, signed, to"
      case 0x18: isPlural ? "long writes to" : "wrote at length to"
      default: isPlural ? "writes to" : "wrote to"
      }
    guard value.isLocal else { return "\(verb) \(name)" }
    // What the server sends is this host's doing, all else the peer's.
    return value.opcode == 0x1B || value.opcode == 0x1D
      ? "\(sides.hosts) \(verb) \(name)" : "\(sides.peer): \(verb) \(sides.hosts) \(name)"
  }

  private static func bytes(of value: Event.GATTValue) -> String {
    bytes(
      value.bytes, count: value.count, value.uuid, missing: value.cut, report: value.report)
  }

  /// A value as its type asks for; as text where it is text; else its bytes.
  /// - Parameter count: Of the whole value, of which `bytes` may be the beginning.
  /// - Parameter missing: How many of them the recorder did not keep, at its end.
  static func bytes(
    _ bytes: [UInt8], count: Int, _ uuid: BluetoothUUID?, missing: Int = 0,
    report: HIDReportContext = HIDReportContext()
  ) -> String {
    guard missing > 0 else { return self.bytes(bytes, count: count, uuid, isCut: false, report) }
    let cut = "cut: \(Names.count(missing, "byte")) missing"
    if bytes.isEmpty { return cut }
    return "\(self.bytes(bytes, count: count - missing, uuid, isCut: true, report)), \(cut)"
  }

  /// - Parameter isCut: Whether it is only the beginning of a value.
  private static func bytes(
    _ bytes: [UInt8], count: Int, _ uuid: BluetoothUUID?, isCut: Bool, _ report: HIDReportContext
  ) -> String {
    guard count > 0, !bytes.isEmpty else { return "empty" }
    if !isCut, let words = words(bytes, count: count, uuid, report) { return words }
    let cut = count > bytes.count
    let isNamed = uuid?.short.map { textTypes.contains($0) } ?? false
    if let text = text(bytes, isCut: cut || isCut, isCertain: isNamed) {
      return "\"\(text)\(cut ? "…" : "")\"" + (cut ? " (\(count) bytes)" : "")
    }
    var hex = TextBuffer()
    for (index, byte) in bytes.enumerated() {
      if index > 0 { hex.byte(0x20) }
      hex.hex(byte)
    }
    return hex.string + (cut ? " … (\(count) bytes)" : "")
  }

  /// Characteristics whose value is text: names and strings of Device Information.
  private static let textTypes: Set<UInt16> = [
    0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2901,
  ]

  /// Bytes as text, if they are nothing else: printable, in UTF-8, and with a letter among them.
  static func text(_ bytes: [UInt8], isCut: Bool, isCertain: Bool = false) -> String? {
    var bytes = bytes[...]
    while bytes.last == 0 { bytes.removeLast() }
    // A cut may have gone through a character.
    if isCut {
      while let last = bytes.last, last >= 0x80 { bytes.removeLast() }
    }
    guard bytes.count >= (isCertain ? 1 : 2), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let isText = text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x0A
        || scalar.value == 0x0D
    }
    let letters = text.unicodeScalars.count { $0.properties.isAlphabetic }
    return isText && (isCertain || letters * 2 >= text.unicodeScalars.count) ? text : nil
  }
}
