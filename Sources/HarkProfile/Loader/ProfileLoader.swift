import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession

extension Profile {
  /// Loads the profile at `path` and the layouts it names, which lie beside it. Throws everything
  /// that is wrong, in all files.
  public static func load(
    _ path: String, from files: any LayoutFiles
  ) throws(LayoutErrors) -> Profile {
    let loader = ProfileLoader(path, files)
    guard let profile = loader.load(), !loader.diagnostics.hasErrors else {
      throw LayoutErrors(diagnostics: loader.diagnostics.inOrder)
    }
    return profile
  }
}

/// Reads a profile. docs/profiles.md has all keys.
final class ProfileLoader {
  static let mostRules = 1000

  let diagnostics = Diagnostics()
  private let path: String
  private let files: any LayoutFiles
  private var layouts: [String: LayoutSource?] = [:]
  private var schemas: [String: ProtobufSchema] = [:]
  private var tables: [String: ProfileTable] = [:]
  private var forms: [String: SourceNode] = [:]
  /// Forms that are being read: one cannot be inside of itself.
  private var openForms: Set<String> = []
  var ruleCount = 0
  /// Whether the channel or plaintext that is being read may hold secrets.
  var isSecret = false
  var secretNames: Set<String> = []
  /// Whether the known names could not be read, so that no name is reported as unknown.
  private var namesAreUnknown = false

  init(_ path: String, _ files: any LayoutFiles) { (self.path, self.files) = (path, files) }

  func load() -> Profile? {
    guard let text = files.text(at: path) else {
      let top = SourceLocation(line: 1, column: 1)
      diagnostics.add(Diagnostic(.error, file: path, top, path: "/", files.problem(at: path)))
      return nil
    }
    guard let root = Document.read(text, file: path, diagnostics) else { return nil }
    allow(["profile", "tables", "forms", "channels", "plaintext"], in: root)
    readTables(root["tables"])
    for (key, value) in pairs(root["forms"]) { forms[key.scalar?.text ?? ""] = value }
    let head = need("profile", in: root)
    let channels = items(need("channels", in: root)).compactMap { channel($0) }
    let plaintexts = items(root["plaintext"]).compactMap { plaintext($0) }
    checkDoubles(channels, root)
    guard let head, allow(["id", "name", "doc", "service"], in: head) else { return nil }
    let id = need("id", in: head).flatMap { string($0) } ?? ""
    var service: BluetoothUUID?
    if let node = head["service"] { service = uuid(node) }
    return Profile(
      id: id, name: head["name"].flatMap { string($0) } ?? id,
      documentation: head["doc"].flatMap { string($0) } ?? "", service: service,
      warnings: diagnostics.inOrder, channels: channels, plaintexts: plaintexts,
      secretNames: secretNames)
  }

  private func checkDoubles(_ channels: [Profile.Channel], _ root: SourceNode) {
    var seen: Set<VendorChannel> = []
    for (channel, node) in zip(channels, root["channels"]?.items ?? [])
    where !seen.insert(channel.channel).inserted {
      diagnostics.error(node, "the channel already exists; add its messages there")
    }
  }

  // MARK: Channels

  private static let places = [
    "gatt-characteristic", "gatt-handle", "l2cap-psm", "cid", "rfcomm-service", "rfcomm-channel",
    "ea-protocol", "tcp-port", "service", "advertising-company", "advertising-service-data",
    "hci-vendor-event", "hci-vendor-command",
  ]

  private func channel(_ node: SourceNode) -> Profile.Channel? {
    guard
      allow(
        Self.places + [
          "doc", "from", "secret", "longest", "wrapper", "receipts", "assembly",
        ] + Self.contentsKeys, in: node)
    else { return nil }
    let given = (node.pairs ?? []).filter { Self.places.contains($0.key.scalar?.text ?? "") }
    if given.count != 1 {
      diagnostics.error(node, "expected one of: \(Self.places.joined(separator: ", "))")
    }
    let place =
      given.count == 1 ? self.place(given[0].key.scalar?.text ?? "", given[0].value) : nil
    let direction = self.direction(node["from"])
    isSecret = bool(node["secret"])
    let longest = node["longest"].flatMap { number($0, 1...WholeMessage.byteLimit) }
    let wrapper = node["wrapper"].flatMap { self.wrapper($0) }
    let receipts = node["receipts"].flatMap { receipt($0) }
    let assembly = node["assembly"].map { self.assembly($0) } ?? Assembly.none
    // All is read before anything is given up, so that all is reported.
    guard let contents = contents(node), let place else { return nil }
    return Profile.Channel(
      channel: place, direction: direction, isSecret: isSecret, longest: longest,
      wrapper: wrapper, receipts: receipts, assembly: assembly, contents: contents)
  }

  private func place(_ kind: String, _ node: SourceNode) -> VendorChannel? {
    switch kind {
    case "gatt-characteristic": uuid(node).map { .characteristic($0) }
    case "gatt-handle": number(node, 1...0xFFFF).map { .handle(UInt16(truncatingIfNeeded: $0)) }
    case "cid": number(node, 8...0xFFFF).map { .cid(UInt16(truncatingIfNeeded: $0)) }
    case "rfcomm-service": uuid(node).map { .service($0) }
    case "l2cap-psm": number(node, 1...0xFFFF).map { .psm(UInt16(truncatingIfNeeded: $0)) }
    case "rfcomm-channel":
      number(node, 1...30).map { .serverChannel(UInt8(truncatingIfNeeded: $0)) }
    case "advertising-company":
      number(node, 0...0xFFFF).map { .manufacturerData(UInt16(truncatingIfNeeded: $0)) }
    case "advertising-service-data": uuid(node).map { .serviceData($0) }
    case "tcp-port": number(node, 1...0xFFFF).map { .tcpPort(UInt16(truncatingIfNeeded: $0)) }
    case "service": networkService(node)
    case "hci-vendor-event":
      number(node, 0...0xFF).map { .vendorEvent(UInt8(truncatingIfNeeded: $0)) }
    case "hci-vendor-command":
      number(node, 0xFC00...0xFFFF).map { .vendorCommand(UInt16(truncatingIfNeeded: $0)) }
    default: string(node).map { .externalAccessory($0) }
    }
  }

  private func networkService(_ node: SourceNode) -> VendorChannel? {
    guard let type = string(node) else { return nil }
    guard let name = NetworkServiceType.name(type) else {
      diagnostics.error(node, NetworkServiceType.expected)
      return nil
    }
    return .networkService(name)
  }

  func direction(_ node: SourceNode?) -> MessageDirection? {
    guard let node else { return nil }
    switch node.text {
    case "phone": return .hostToAccessory
    case "accessory": return .accessoryToHost
    default:
      diagnostics.error(node, "expected phone or accessory, got \(node.kindName)")
      return nil
    }
  }

  private func wrapper(_ node: SourceNode) -> Profile.Wrapper? {
    guard allow(["doc", "prefix", "size", "id"], in: node) else { return nil }
    let (prefix, size) = (need("prefix", in: node), need("size", in: node))
    let bytes = prefix.flatMap { self.bytes($0) }
    let count = size.flatMap { number($0, 1...512) }
    let id = node["id"].flatMap { formula($0, .raw) }
    guard let bytes, let count, let size else { return nil }
    guard count >= bytes.count else {
      diagnostics.error(size, "less than the \(bytes.count) bytes of the prefix")
      return nil
    }
    return Profile.Wrapper(prefix: bytes, size: count, id: id)
  }

  private func receipt(_ node: SourceNode) -> Profile.Receipt? {
    let (id, wrapper) = (formula(need("id", in: node), .raw), wrapper(node))
    guard let id, let wrapper else { return nil }
    return Profile.Receipt(prefix: wrapper.prefix, size: wrapper.size, id: id)
  }

  // MARK: Encodings

  /// The encoding that `node` names. An unknown name is reported; the rest is still read, so
  /// that everything that is wrong is reported at once.
  func encoding<T>(_ node: SourceNode?, _ read: (Encoding) -> T) -> T {
    if let encoding = node.flatMap({ encoding($0) }) { return read(encoding) }
    let wasUnknown = namesAreUnknown
    namesAreUnknown = true
    defer { namesAreUnknown = wasUnknown }
    return read(.raw)
  }

  private func encoding(_ node: SourceNode) -> Encoding? {
    if let known = Encoding.named.first(where: { $0.name == node.text }) { return known.encoding }
    switch node.text {
    case let name? where name.contains(".ksy"): return layout(name, node)
    case let name? where name.contains(".desc"): return descriptors(name, node)
    default:
      let names = Encoding.named.map(\.name).joined(separator: ", ")
      diagnostics.error(
        node,
        "expected \(names), a layout such as acme.ksy or acme.ksy::type, or a message of a "
          + "descriptor set such as acme.desc::acme.Message, got \(node.kindName)"
          + (node.text ?? "").hint(among: Encoding.named.map(\.name)))
      return nil
    }
  }

  /// The file beside the profile that `name` begins with, and what is after the colons.
  private func parts(_ name: String) -> (file: String, type: String?) {
    let parts = name.split(separator: "::", maxSplits: 1)
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return (
      String(folder + (parts.first ?? "")), parts.count > 1 ? String(parts[1]) : nil
    )
  }

  private func descriptors(_ name: String, _ node: SourceNode) -> Encoding? {
    let (file, type) = parts(name)
    if schemas[file] == nil {
      guard let bytes = files.bytes(at: file) else {
        diagnostics.error(node, "no such file: \(file)")
        return nil
      }
      guard let schema = ProtobufSchema(bytes) else {
        diagnostics.error(node, "\(file) is not a descriptor set, as written by protoc")
        return nil
      }
      schemas[file] = schema
    }
    guard let schema = schemas[file] else { return nil }
    guard let number = type.flatMap({ schema.message(named: $0) }) else {
      let known = schema.messageNames.prefix(16).joined(separator: ", ")
      diagnostics.error(
        node,
        "\(file) has no message '\(type ?? "")'\((type ?? "").hint(among: schema.messageNames)), "
          + "expected after '::': \(known)")
      return nil
    }
    return .protobuf(schema, type: number)
  }

  private func layout(_ name: String, _ node: SourceNode) -> Encoding? {
    let (file, type) = parts(name)
    guard let source = source(file) else { return nil }
    guard let number = source.layout.type(named: type ?? "") else {
      let hint = (type ?? "").hint(among: source.layout.typeNames)
      diagnostics.error(node, "\(file) has no type '\(type ?? "")'\(hint)")
      return nil
    }
    return .layout(source, type: number)
  }

  private func source(_ file: String) -> LayoutSource? {
    if let known = layouts[file] { return known }
    var source: LayoutSource?
    do throws(LayoutErrors) {
      source = LayoutSource(try Layout.load(file, from: files))
    } catch {
      for diagnostic in error.diagnostics { diagnostics.add(diagnostic) }
    }
    layouts[file] = .some(source)
    return source
  }

  private func readTables(_ node: SourceNode?) {
    for (key, value) in pairs(node) {
      var table: ProfileTable = [:]
      for (number, text) in pairs(value) {
        guard let code = number.integer?.int else {
          diagnostics.error(number, "expected an integer, got \(number.kindName)")
          continue
        }
        if table.count < ProfileValue.Members.most { table[code] = string(text) }
      }
      tables[key.scalar?.text ?? ""] = table
    }
  }

  // MARK: Expressions

  /// The form of that name, for as long as `read` reads it.
  func form<T>(_ name: SourceNode, _ read: (SourceNode) -> T?) -> T? {
    guard let text = name.text, let node = forms[text] else {
      let known = forms.keys.sorted().joined(separator: ", ")
      let hint = (name.text ?? "").hint(among: forms.keys)
      diagnostics.error(name, "unknown form \(name.kindName)\(hint), expected: \(known)")
      return nil
    }
    guard openForms.insert(text).inserted else {
      diagnostics.error(name, "the form '\(text)' contains itself")
      return nil
    }
    defer { openForms.remove(text) }
    return read(node)
  }

  func formula(_ node: SourceNode?, _ encoding: Encoding) -> Formula? {
    guard let node, let text = string(node) else { return nil }
    do throws(ExpressionError) {
      let expression = try ExpressionParser.parse(text)
      let context = Formula.Context(names: encoding.names, tables: tables)
      // What needs no names is checked all the same: the words of a member.
      if namesAreUnknown { return (try? Formula(expression, context)) ?? .constant(.null) }
      return try Formula(expression, context)
    } catch {
      diagnostics.error(node, "'\(text)': \(error.message)")
      return nil
    }
  }
}
