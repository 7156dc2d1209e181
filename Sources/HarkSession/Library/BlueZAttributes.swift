import HarkCore
import HarkDissection

// What BlueZ stores about a device: the section `Attributes` of its `cache/ADDRESS`, and `ADDRESS/attributes`, which
// has the same section or one for each attribute.
extension GATTLibrary {
  /// - Parameter path: Contains the device's address, in the last component or the one before.
  /// - Returns: Nil if the text is not such a file.
  public static func readBlueZ(_ bytes: [UInt8], path: String, source: String) -> Entry? {
    var entry = Entry(source: source)
    entry.addresses = path.split(separator: "/").suffix(2).compactMap { BluetoothAddress($0) }
      .suffix(1)
    var section = ""
    var isBlueZ = false
    var stored: [UInt16: StoredAttribute] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { continue }
      let (name, value) = (line[..<sign], line[line.index(after: sign)...])
      switch section {
      case "General" where name == "Name": entry.name = String(value)
      // `attributes` has handles at its beginning, outside of sections, or in this one.
      case "Attributes", "":
        guard name.utf8.count == 4, let handle = UInt16(name, radix: 16), handle > 0 else {
          continue
        }
        if add(value.split(separator: ":"), at: handle, to: &entry) { isBlueZ = true }
      default:
        guard let handle = UInt16(section), handle > 0 else { continue }
        switch name {
        case "UUID": stored[handle, default: StoredAttribute()].type = BluetoothUUID(value)
        case "Value": stored[handle, default: StoredAttribute()].value = Hex.bytes(String(value))
        case "EndGroupHandle": stored[handle, default: StoredAttribute()].end = UInt16(value)
        default: break
        }
      }
    }
    if add(stored, to: &entry) { isBlueZ = true }
    return isBlueZ ? entry : nil
  }

  /// A section of `ADDRESS/attributes`, named after the handle in decimal digits.
  private struct StoredAttribute {
    var type: BluetoothUUID?
    /// For a service its UUID, most significant octet first; for any other attribute what a client reads.
    var value: [UInt8]?
    var end: UInt16?
  }

  private static func add(_ stored: [UInt16: StoredAttribute], to entry: inout Entry) -> Bool {
    let attributes = stored.sorted { $0.key < $1.key }
    func isService(_ type: BluetoothUUID?) -> Bool {
      type == .primaryService || type == .secondaryService
    }
    let starts = attributes.filter { isService($0.value.type) }.map(\.key)
    var values: Set<UInt16> = []
    var isUseful = false
    for (handle, attribute) in attributes {
      guard let type = attribute.type else { continue }
      if isService(type) {
        guard let uuid = attribute.value.flatMap({ BluetoothUUID(Hex.text($0)) }) else { continue }
        let next = starts.first { $0 > handle }
        let end = attribute.end ?? next.map { $0 - 1 } ?? .max
        guard end >= handle else { continue }
        entry.database.add(
          GATTDatabase.Service(
            start: handle, end: end, uuid: uuid, isPrimary: type == .primaryService,
            frame: .borrowed))
      } else if type == .characteristicDeclaration {
        guard let octets = attribute.value, let it = CharacteristicDeclaration(octets.raw),
          it.valueHandle > handle
        else { continue }
        values.insert(it.valueHandle)
        entry.database.add(
          GATTDatabase.Characteristic(
            declaration: handle, handle: it.valueHandle, uuid: it.uuid, properties: it.properties,
            frame: .borrowed))
      } else if type == .include {
        entry.database.note(.include, at: handle)
      } else if !values.contains(handle) {
        entry.database.add(GATTDatabase.Descriptor(handle: handle, uuid: type, frame: .borrowed))
      }
      isUseful = true
    }
    return isUseful
  }

  /// An attribute: its type, then the content of its declaration, and the UUID last.
  private static func add(
    _ parts: [Substring], at handle: UInt16, to entry: inout Entry
  ) -> Bool {
    guard let uuid = parts.last.flatMap({ BluetoothUUID($0) }), let first = parts.first else {
      return false
    }
    func number(_ index: Int) -> UInt16? {
      index < parts.count ? UInt16(parts[index], radix: 16) : nil
    }
    switch BluetoothUUID(first) {
    case .primaryService?, .secondaryService?:
      guard parts.count == 3, let end = number(1), end >= handle else { return false }
      entry.database.add(
        GATTDatabase.Service(
          start: handle, end: end, uuid: uuid,
          isPrimary: BluetoothUUID(first) == .primaryService, frame: .borrowed))
    case .characteristicDeclaration?:
      guard parts.count >= 4, let value = number(1), value > handle, let properties = number(2)
      else { return false }
      // For the Database Hash, the value precedes the UUID.
      if parts.count == 5, uuid == .databaseHash, let hash = Hex.bytes(String(parts[3])),
        hash.count == hashCount
      {
        entry.hash = hash
      }
      entry.database.add(
        GATTDatabase.Characteristic(
          declaration: handle, handle: value, uuid: uuid,
          properties: UInt8(truncatingIfNeeded: properties), frame: .borrowed))
    case .include?: entry.database.note(.include, at: handle)
    default:
      // For Characteristic Extended Properties, the value precedes the UUID.
      guard parts.count <= 2 else { return false }
      entry.database.add(GATTDatabase.Descriptor(handle: handle, uuid: uuid, frame: .borrowed))
    }
    return true
  }
}
