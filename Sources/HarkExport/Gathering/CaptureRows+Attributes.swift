import HarkCore
import HarkDissection
import HarkPresentation
import HarkSession

// The GATT databases of a capture.
extension CaptureRows {
  /// An attribute on its way into a row.
  private struct Attribute {
    let handle: UInt16
    var endHandle: UInt16?
    let kind: String
    let uuid: BluetoothUUID?
    var parent: UInt16?
    var properties: UInt8?
    let frame: PacketID?
    var certainty = GATTReport.Certainty.seen
  }

  mutating func attributes(_ session: borrowing Session) {
    var number = 0
    for key in GATTReport.keys(session) {
      guard let database = session.database(for: key) else { continue }
      let uses = database.uses
      let device: DeviceID? = if case .device(let id) = key { session.current(id) } else { nil }
      for attribute in Self.list(database, uses, session).sorted(by: { $0.handle < $1.handle }) {
        number += 1
        let use = uses[attribute.handle]
        sink.begin(.attribute)
        sink.text("capture", file.key)
        sink.number("attribute", number)
        sink.text("server", key.isPeer ? "peer" : "host")
        sink.number("device", device.map { $0.index + 1 })
        sink.number("handle", attribute.handle)
        sink.number("end_handle", attribute.endHandle)
        sink.text("kind", attribute.kind)
        sink.text("uuid", attribute.uuid?.description)
        sink.text("name", Self.name(of: attribute))
        sink.number("parent", attribute.parent)
        sink.texts("properties", attribute.properties.map { GATTReport.properties($0) } ?? [])
        sink.text("certainty", attribute.certainty.rawValue)
        sink.number(
          "packet", attribute.frame.flatMap { $0 == .borrowed ? nil : $0.number })
        sink.number("reads", use?.reads ?? 0)
        sink.number("writes", use?.writes ?? 0)
        sink.number("notifications", use?.notifications ?? 0)
        sink.number("indications", use?.indications ?? 0)
      }
    }
  }

  private static func name(of attribute: Attribute) -> String? {
    guard let uuid = attribute.uuid else { return nil }
    return attribute.kind == "service"
      ? AssignedNumbers.name(of: uuid) : AssignedNumbers.name(ofAttributeType: uuid)
  }

  private static func list(
    _ database: GATTDatabase, _ uses: [UInt16: GATTDatabase.Use], _ session: borrowing Session
  ) -> [Attribute] {
    var all = database.services.values.map { service in
      Attribute(
        handle: service.start, endHandle: service.end, kind: "service", uuid: service.uuid,
        frame: service.frame, certainty: service.isBorrowed ? .library : .seen)
    }
    var services = GATTServices(database)
    for one in database.characteristics.values.sorted(by: { $0.handle < $1.handle }) {
      all.append(
        Attribute(
          handle: one.handle, kind: "characteristic", uuid: one.uuid,
          parent: services.index(containing: one.handle).map { services.all[$0].start },
          properties: one.properties, frame: one.frame,
          certainty: one.isRecognized
            ? .inferred
            : GATTReport.Certainty(
              one.handle, proof: one.frame, uses[one.handle], of: database, session)))
    }
    for one in database.descriptors.values {
      all.append(
        Attribute(
          handle: one.handle, kind: "descriptor", uuid: one.uuid,
          parent: database.characteristic(owning: one.handle)?.handle, frame: one.frame,
          certainty: GATTReport.Certainty(
            one.handle, proof: one.frame, uses[one.handle], of: database, session)))
    }
    for (handle, use) in uses where GATTReport.isUndiscovered(handle, in: database) {
      let type = database.knownType(of: handle)
      all.append(
        Attribute(
          handle: handle, kind: "unknown", uuid: type, frame: use.firstFrame,
          certainty: type == nil ? .inferred : .seen))
    }
    return all
  }
}
