import HarkCore
import HarkDissection
import HarkSession

// The databases for programs: one JSON object for the capture.
extension GATTReport {
  public func writeJSON(_ session: borrowing Session, to out: inout TextBuffer) {
    let keys = Self.keys(session)
    let devices = session.devices
    let databases = session.databases
    let titles = keys.map { Self.title($0, session) }
    let lenders = keys.map { session.lender(of: $0) }
    let hashes = keys.map { session.hash(of: $0) }
    let facts = keys.map { key in databases[key].map { Self.facts($0, session) } ?? [:] }
    var json = JSONText()
    json.object { json in
      json.array("databases") { json in
        for (index, key) in keys.enumerated() {
          guard let database = databases[key] else { continue }
          json.object { json in
            json.string("server", titles[index])
            if case .device(let id) = key {
              TimelineJSON.device(devices[Int(id.index)], to: &json)
            }
            if let hash = hashes[index] { json.hex("database_hash", hash) }
            if let lender = lenders[index], database.showsBorrowed {
              json.object("borrowed") { json in
                json.string("source", lender.source)
                json.string("match", lender.match.rawValue)
              }
            }
            Self.write(database, facts[index], to: &json)
          }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// How well an attribute is known, and its clients.
  private typealias Facts = (certainty: Certainty, clients: [GATTClient])

  /// By handle.
  private static func facts(
    _ database: GATTDatabase, _ session: borrowing Session
  ) -> [UInt16: Facts] {
    var result: [UInt16: Facts] = [:]
    for row in rows(database, session) where row.depth > 0 {
      result[row.handle] = (row.certainty, row.clients)
    }
    return result
  }

  private static func write(
    _ database: GATTDatabase, _ facts: [UInt16: Facts], to json: inout JSONText
  ) {
    let uses = database.uses
    var services = GATTServices(database)
    json.objects("services", services.all) { service, json in
      json.number("start", service.start)
      json.number("end", service.end)
      json.described("uuid", service.uuid)
      json.string("name", service.uuid.flatMap { AssignedNumbers.name(of: $0) })
      json.flag("primary", service.isPrimary)
      frame(service.frame, to: &json)
      if service.isBorrowed { json.string("certainty", Certainty.library.rawValue) }
    }
    json.array("characteristics") { json in
      for characteristic in database.characteristics.values.sorted(by: { $0.handle < $1.handle }) {
        let service = services.index(containing: characteristic.handle).map { services.all[$0] }
        json.object { json in
          json.number(
            "declaration", characteristic.isRecognized ? nil : characteristic.declaration)
          json.number("handle", characteristic.handle)
          attribute(characteristic.uuid, to: &json)
          json.array("properties") { json in
            for property in properties(characteristic.properties) { json.element(property) }
          }
          json.number("service", service?.start)
          frame(characteristic.frame, to: &json)
          json.string("certainty", facts[characteristic.handle]?.certainty.rawValue)
          use(uses[characteristic.handle], to: &json)
        }
      }
    }
    descriptors(database, uses, facts, to: &json)
    undiscovered(database, uses, facts, to: &json)
  }

  private static func descriptors(
    _ database: GATTDatabase, _ uses: [UInt16: GATTDatabase.Use],
    _ facts: [UInt16: Facts], to json: inout JSONText
  ) {
    json.array("descriptors") { json in
      for descriptor in database.descriptors.values.sorted(by: { $0.handle < $1.handle }) {
        json.object { json in
          json.number("handle", descriptor.handle)
          attribute(descriptor.uuid, to: &json)
          json.number(
            "characteristic", database.characteristic(owning: descriptor.handle)?.handle)
          frame(descriptor.frame, to: &json)
          json.string("certainty", facts[descriptor.handle]?.certainty.rawValue)
          use(uses[descriptor.handle], facts[descriptor.handle]?.clients ?? [], to: &json)
        }
      }
    }
  }

  private static func undiscovered(
    _ database: GATTDatabase, _ uses: [UInt16: GATTDatabase.Use], _ facts: [UInt16: Facts],
    to json: inout JSONText
  ) {
    json.array("undiscovered") { json in
      for handle in uses.keys.filter({ isUndiscovered($0, in: database) }).sorted() {
        json.object { json in
          let type = database.knownType(of: handle)
          json.number("handle", handle)
          attribute(type, to: &json)
          json.string("certainty", (type == nil ? Certainty.inferred : .seen).rawValue)
          use(uses[handle], facts[handle]?.clients ?? [], to: &json)
        }
      }
    }
  }

  private static func frame(_ frame: PacketID, to json: inout JSONText) {
    if frame != .borrowed { json.number("frame", frame.number) }
  }

  private static func attribute(_ uuid: BluetoothUUID?, to json: inout JSONText) {
    guard let uuid else { return }
    json.described("uuid", uuid)
    json.string("name", AssignedNumbers.name(ofAttributeType: uuid))
  }

  private static func use(
    _ use: GATTDatabase.Use?, _ clients: [GATTClient] = [], to json: inout JSONText
  ) {
    guard let use else { return }
    json.object("use") { json in
      json.number("reads", use.reads)
      json.number("writes", use.writes)
      json.number("notifications", use.notifications)
      json.number("indications", use.indications)
      json.number("first_frame", use.firstFrame.number)
      json.number("last_frame", use.lastFrame.number)
      if use.isSecret {
        json.string("last_value", Names.count(use.lastCount, "secret byte"))
      } else {
        json.hex("last_value", use.lastValue)
      }
      json.string("last_operation", use.lastOperation)
      json.number("last_value_count", use.lastCount)
      if use.lastCut > 0 { json.number("last_value_cut", use.lastCut) }
      if !clients.isEmpty { json.objects("clients", clients) { $0.write(to: &$1) } }
    }
  }
}
