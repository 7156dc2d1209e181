import HarkCore

// What BlueZ remembers of a device: the section `Attributes` of its `cache/ADDRESS` and `ADDRESS/attributes`.
extension GATTLibrary {
  /// - Parameter path: Names the device by its address, in the last part or the one before.
  /// - Returns: Nil if the text is no such file.
  public static func readBlueZ(_ bytes: [UInt8], path: String, source: String) -> Entry? {
    var entry = Entry(source: source)
    entry.addresses = path.split(separator: "/").suffix(2).compactMap { BluetoothAddress($0) }
      .suffix(1)
    var section = ""
    var isBlueZ = false
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { continue }
      let (name, value) = (line[..<sign], line[line.index(after: sign)...])
      switch section {
      case "General" where name == "Name": entry.name = String(value)
      // `attributes` has handles at its beginning, in no section, or in this one.
      case "Attributes", "":
        guard name.utf8.count == 4, let handle = UInt16(name, radix: 16), handle > 0 else {
          continue
        }
        if add(value.split(separator: ":"), at: handle, to: &entry) { isBlueZ = true }
      default: break
      }
    }
    return isBlueZ ? entry : nil
  }

  /// An attribute: its type, then what its declaration says, and the UUID last.
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
      // Of the Database Hash the value precedes the UUID.
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
      // Of Characteristic Extended Properties the value precedes the UUID.
      guard parts.count <= 2 else { return false }
      entry.database.add(GATTDatabase.Descriptor(handle: handle, uuid: uuid, frame: .borrowed))
    }
    return true
  }
}
