import HarkCore
import HarkDissection
import HarkSession

/// Writes what discovery showed of each server, for the library of a later capture: attributes and whose they
/// are, without values. docs/gatt.md describes the form.
public struct GATTLibraryJSON: Sendable {
  public init() {}

  /// - Returns: How many databases were written.
  public func write(_ session: borrowing Session, to out: inout TextBuffer) -> Int {
    let keys = GATTReport.keys(session).filter { key in
      guard case .device = key, let database = session.database(for: key) else { return false }
      return database.characteristics.values.contains { !$0.isBorrowed }
        || database.services.values.contains { !$0.isBorrowed }
    }
    let databases = keys.map { session.database(for: $0) ?? GATTDatabase() }
    let hashes = keys.map { session.hash(of: $0) }
    let devices = session.devices
    var json = JSONText()
    json.object { json in
      json.string("format", GATTLibrary.format)
      json.number("version", GATTLibrary.version)
      json.array("databases") { json in
        for (index, key) in keys.enumerated() {
          guard case .device(let id) = key else { continue }
          json.object { json in
            Self.write(devices[Int(id.index)], to: &json)
            if let hash = hashes[index] { json.hex("database_hash", hash) }
            Self.write(databases[index], to: &json)
          }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
    return keys.count
  }

  /// Private addresses change, but this one may come again within minutes.
  private static func write(_ device: Device, to json: inout JSONText) {
    json.object("device") { json in
      json.members(of: device)
      json.array("addresses") { json in
        for address in device.addresses.prefix(mostAddresses) { json.element(address.description) }
      }
    }
  }

  private static let mostAddresses = 16

  private static func write(_ database: GATTDatabase, to json: inout JSONText) {
    let services = database.services.values.filter { !$0.isBorrowed }.sorted { $0.start < $1.start }
    json.objects("services", services) { service, json in
      json.number("start", service.start)
      json.number("end", service.end)
      json.described("uuid", service.uuid)
      json.flag("primary", service.isPrimary)
    }
    let characteristics = database.characteristics.values.filter { !$0.isBorrowed }
    json.objects("characteristics", characteristics.sorted { $0.handle < $1.handle }) { one, json in
      json.number("declaration", one.declaration)
      json.number("handle", one.handle)
      json.described("uuid", one.uuid)
      json.array("properties") { json in
        for property in GATTReport.properties(one.properties) { json.element(property) }
      }
    }
    let descriptors = database.descriptors.values.filter { !$0.isBorrowed }
    json.objects("descriptors", descriptors.sorted { $0.handle < $1.handle }) { one, json in
      json.number("handle", one.handle)
      json.described("uuid", one.uuid)
    }
  }
}
