import HarkCore
import HarkDissection
import HarkSession

/// What discovery showed of each server, for the library of a later capture: attributes and whose they are,
/// without values. docs/gatt.md describes the form.
public struct GATTLibraryJSON: Sendable {
  /// One server.
  private struct Known {
    /// Nil if the link's beginning is missing.
    let device: Device?
    let hash: [UInt8]?
    let database: GATTDatabase
  }

  private let known: [Known]

  public init(_ session: borrowing Session) {
    let keys = GATTReport.keys(session).filter(\.isPeer)
    var known: [Known] = []
    for key in keys {
      guard let database = session.database(for: key),
        database.characteristics.values.contains(where: { $0.isDiscovered })
          || database.services.values.contains(where: { !$0.isBorrowed })
      else { continue }
      var device: Device?
      if case .device(let id) = key { device = session.devices[Int(id.index)] }
      known.append(Known(device: device, hash: session.hash(of: key), database: database))
    }
    self.known = known
  }

  /// How many databases there are.
  public var count: Int { known.count }

  /// Writes the object of a file.
  public func write(to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("format", GATTLibrary.format)
      json.number("version", GATTLibrary.version)
      members(to: &json)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// Writes the member with the databases.
  package func members(to json: inout JSONText) {
    json.objects("databases", known) { one, json in
      if let device = one.device { Self.write(device, to: &json) }
      if let hash = one.hash { json.hex("database_hash", hash) }
      Self.write(one.database, to: &json)
    }
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
    let characteristics = database.characteristics.values.filter(\.isDiscovered)
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

extension GATTDatabase.Characteristic {
  fileprivate var isDiscovered: Bool { !isBorrowed && !isRecognized }
}
