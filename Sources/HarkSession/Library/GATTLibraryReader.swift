import HarkCore
import HarkDissection

/// Why a file is not added to a library.
public struct GATTLibraryError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension GATTLibrary {
  /// The version of the format that hark writes. docs/gatt.md describes it.
  public static let version = 1
  public static let format = "hark-gatt"

  /// Reads the output of `hark gatt --save`, `hark gatt -f json` or `hark report`, or a map written by hand.
  /// - Throws: `GATTLibraryError`
  public static func readJSON(_ bytes: [UInt8], source: String) throws -> [Entry] {
    let root = try parse(bytes)
    let reader = JSONReader(bytes: bytes, source: source)
    let names = try root["names"].map(reader.names)
    if let version = root["version"] {
      guard try reader.number(version, UInt16.self) == Self.version else {
        throw GATTLibraryError(
          "its version is not \(Self.version), the one that this version of hark reads")
      }
    }
    if let captures = root["captures"] {
      let databases = try reader.list(captures).compactMap { $0["databases"] }
      guard !databases.isEmpty else {
        throw GATTLibraryError("it is a report without GATT databases")
      }
      return try databases.flatMap { try reader.list($0).map(reader.entry) }
    }
    guard let databases = root["databases"] else {
      guard root["attributes"] != nil || root["characteristics"] != nil else {
        if names != nil { return [] }
        throw GATTLibraryError(
          "it has neither “databases”, as hark gatt --save writes them, nor “attributes” nor “names”"
        )
      }
      return [try reader.entry(root)]
    }
    return try reader.list(databases).map(reader.entry)
  }

  /// Reads the names that a file gives to UUIDs.
  /// - Throws: `GATTLibraryError`
  public static func readNames(_ bytes: [UInt8]) throws -> [BluetoothUUID: String] {
    try parse(bytes)["names"].map(JSONReader(bytes: bytes, source: "").names) ?? [:]
  }

  private static func parse(_ bytes: [UInt8]) throws -> JSONNode {
    do {
      return try JSONParser.read(bytes, in: bytes.indices, limits)
    } catch {
      throw GATTLibraryError("invalid JSON at byte \(error.offset)")
    }
  }

  private static let limits = JSONParser.Limits(
    levels: 16, values: 1 << 20, takesDuplicates: false)
}

private struct JSONReader {
  let bytes: [UInt8]
  let source: String

  func entry(_ node: JSONNode) throws -> GATTLibrary.Entry {
    var entry = GATTLibrary.Entry(source: source)
    let device = node["device"] ?? node
    entry.name = try device["name"].map(text)
    if let address = device["address"] { entry.addresses.append(try self.address(address)) }
    for address in try device["addresses"].map(list) ?? [] {
      entry.addresses.append(try self.address(address))
    }
    entry.hash = try node["database_hash"].map { hash in
      guard let octets = Hex.bytes(try text(hash)), octets.count == GATTLibrary.hashCount else {
        throw failure("32 hexadecimal digits", hash)
      }
      return octets
    }
    for service in try node["services"].map(list) ?? [] {
      let start = try handle(service, "start")
      let end = try handle(service, "end")
      guard start <= end else { throw failure("a service that ends after it starts", service) }
      entry.database.add(
        GATTDatabase.Service(
          start: start, end: end, uuid: try service["uuid"].map(uuid),
          isPrimary: try service["primary"].map(flag) ?? true, frame: .borrowed))
    }
    for one in try node["characteristics"].map(list) ?? [] {
      let value = try handle(one, "handle")
      try add(
        value, declaration: one["declaration"].map { try number($0, UInt16.self) },
        uuid(try member(one, "uuid")), properties(one["properties"]), to: &entry.database)
    }
    for descriptor in try node["descriptors"].map(list) ?? [] {
      entry.database.add(
        GATTDatabase.Descriptor(
          handle: try handle(descriptor, "handle"), uuid: try uuid(member(descriptor, "uuid")),
          frame: .borrowed))
    }
    if let attributes = node["attributes"] { try add(attributes, to: &entry.database) }
    return entry
  }

  /// An object of UUIDs and the names that the user gives them.
  func names(_ node: JSONNode) throws -> [BluetoothUUID: String] {
    guard case .object(let members) = node.value else {
      throw failure("an object of UUIDs and their names", node)
    }
    guard members.count <= AssignedNumbers.mostGivenNames else {
      throw failure("at most \(AssignedNumbers.mostGivenNames) names", node)
    }
    var names: [BluetoothUUID: String] = [:]
    for (key, value) in members {
      guard let uuid = BluetoothUUID(written: key) else {
        throw failure("a UUID such as 0xFFE1 instead of “\(key)”", value)
      }
      if let assigned = AssignedNumbers.assignedName(of: uuid) {
        throw failure("a UUID without an assigned name; \(key) is \(assigned)", value)
      }
      let name = try text(value)
      guard !name.isEmpty, name.utf8.count <= AssignedNumbers.longestGivenName,
        !name.unicodeScalars.contains(where: {
          [.control, .format, .lineSeparator, .paragraphSeparator]
            .contains($0.properties.generalCategory)
        })
      else {
        throw failure(
          "a name of 1 to \(AssignedNumbers.longestGivenName) bytes without control characters",
          value)
      }
      names[uuid] = name
    }
    return names
  }

  /// A map of handles to UUIDs.
  private func add(_ attributes: JSONNode, to database: inout GATTDatabase) throws {
    guard case .object(let members) = attributes.value else {
      throw failure("an object of handles and UUIDs", attributes)
    }
    for (name, value) in members {
      guard let handle = UInt16(written: name), handle > 0 else {
        throw failure("a handle from 0x0001 to 0xFFFF instead of “\(name)”", value)
      }
      let uuid = try uuid(value)
      if uuid.isDescriptor {
        database.add(GATTDatabase.Descriptor(handle: handle, uuid: uuid, frame: .borrowed))
      } else {
        try add(handle, declaration: nil, uuid, 0, to: &database)
      }
    }
  }

  /// The declaration is right before the value. Vol 3, Part G, 3.3.2
  private func add(
    _ handle: UInt16, declaration: UInt16?, _ uuid: BluetoothUUID, _ properties: UInt8,
    to database: inout GATTDatabase
  ) throws {
    database.add(
      GATTDatabase.Characteristic(
        declaration: declaration ?? handle &- 1, handle: handle, uuid: uuid,
        properties: properties, frame: .borrowed))
  }

  private func handle(_ node: JSONNode, _ name: String) throws -> UInt16 {
    let value = try member(node, name)
    guard let handle = try? number(value, UInt16.self), handle > 0 else {
      throw failure("a handle from 0x0001 to 0xFFFF as “\(name)”", value)
    }
    return handle
  }

  private func properties(_ node: JSONNode?) throws -> UInt8 {
    guard let node else { return 0 }
    return try list(node).reduce(0) { bits, name in
      guard let bit = GATTDatabase.propertyNames.firstIndex(of: try text(name)) else {
        throw failure("a property of GATT, such as “notify”", name)
      }
      return bits | 1 << UInt8(bit)
    }
  }

  private func member(_ node: JSONNode, _ name: String) throws -> JSONNode {
    guard let member = node[name] else { throw failure("a member “\(name)”", node) }
    return member
  }

  func list(_ node: JSONNode) throws -> [JSONNode] {
    guard case .array(let nodes) = node.value else { throw failure("a list", node) }
    return nodes
  }

  private func text(_ node: JSONNode) throws -> String {
    guard case .string(let range) = node.value else { throw failure("a text", node) }
    return JSONParser.string(range, in: bytes)
  }

  private func flag(_ node: JSONNode) throws -> Bool {
    guard case .bool(let flag) = node.value else { throw failure("true or false", node) }
    return flag
  }

  /// A number, or a text with a hexadecimal number.
  func number<Number: FixedWidthInteger>(_ node: JSONNode, _: Number.Type) throws -> Number {
    let number: Number?
    switch node.value {
    case .number(let range): number = Number(String(decoding: bytes[range], as: UTF8.self))
    case .string:
      let text = try text(node)
      number = Number(written: text)
    default: number = nil
    }
    guard let number else { throw failure("a number up to \(Number.max)", node) }
    return number
  }

  private func address(_ node: JSONNode) throws -> BluetoothAddress {
    guard let address = BluetoothAddress(try text(node)) else {
      throw failure("an address such as C0:DE:00:00:00:01", node)
    }
    return address
  }

  private func uuid(_ node: JSONNode) throws -> BluetoothUUID {
    let text = try text(node)
    guard let uuid = BluetoothUUID(written: text) else {
      throw failure("a UUID such as 0x180F", node)
    }
    return uuid
  }

  private func failure(_ expected: String, _ node: JSONNode) -> GATTLibraryError {
    let line = bytes[..<node.offset].count { $0 == 0x0A } + 1
    return GATTLibraryError("line \(line): expected \(expected)")
  }
}
