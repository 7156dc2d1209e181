import HarkCore
import HarkDissection
import HarkSession

/// Writes the GATT databases of a capture as trees: services, characteristics, descriptors, each
/// with the packets that prove it.
public struct GATTReport: Sendable {
  let style: Style

  public init(style: Style = .plain) { self.style = style }

  /// One attribute of a database, as a row.
  struct Row: Sendable {
    var depth: Int
    var handles: String
    var name: String
    var uuid: String
    var kind: String
    var proof: String
    var use: GATTDatabase.Use?
    /// Those with a value of their own.
    var clients: [GATTClient] = []
    var handle: UInt16
    var type: BluetoothUUID?
    /// Whether it was used and never shown by discovery.
    var isUndiscovered = false
    var certainty = Certainty.seen
  }

  /// How well it is known what an attribute is.
  package enum Certainty: String, Sendable {
    /// Discovered on the link it was last used on, or later.
    case seen
    /// Discovered on an earlier link than it was last used on: the server may have changed since.
    case borrowed
    /// The server announced a change of its attributes after the discovery, and no later discovery shows it.
    case invalidated
    /// Known from a file of the library.
    case library
    /// Used, and no discovery in the capture shows its type: if anything shows what it is, its values do.
    case inferred

    /// - Parameter proof: The packet that showed the attribute.
    package init(
      _ handle: UInt16, proof: PacketID, _ use: GATTDatabase.Use?, of database: GATTDatabase,
      _ session: borrowing Session
    ) {
      if proof == .borrowed {
        self = .library
        return
      }
      if database.isInvalidated(handle, discovered: proof) {
        self = .invalidated
        return
      }
      guard let last = use?.lastFrame, let used = session.row(of: last)?.link,
        let shown = session.row(of: proof)?.link
      else {
        self = .seen
        return
      }
      self = shown.index < used.index ? .borrowed : .seen
    }
  }

  /// Writes all databases, or a sentence if there are none.
  public func write(_ session: borrowing Session, to out: inout TextBuffer) {
    let keys = Self.keys(session)
    if keys.isEmpty {
      out.text("No GATT attribute was discovered or used in this capture.\n")
    }
    for (index, key) in keys.enumerated() {
      if index > 0 { out.byte(0x0A) }
      guard let database = session.database(for: key) else { continue }
      write(database, Self.title(key, session), session, lender: session.lender(of: key), to: &out)
    }
  }

  /// The databases in order: devices, links whose peer is unknown, this host's own.
  package static func keys(_ session: borrowing Session) -> [Session.DatabaseKey] {
    func order(_ key: Session.DatabaseKey) -> (Int, UInt32) {
      switch key {
      case .device(let id): (0, id.index)
      case .link(let id): (1, UInt32(id.index))
      case .local(let controller): (2, UInt32(controller))
      }
    }
    return session.databases.filter { !$0.value.isEmpty || !$0.value.uses.isEmpty }.keys
      .sorted { order($0) < order($1) }
  }

  static func title(_ key: Session.DatabaseKey, _ session: borrowing Session) -> String {
    switch key {
    case .device(let id):
      let device = session.devices[Int(id.index)]
      return device.name.map { "\($0) (\(device.address))" } ?? "\(device.address)"
    case .link(let id):
      let link = session.links[Int(id.index)]
      return "\(link.peerName ?? "unknown device") on link \(link.designation), "
        + (link.wasOpenBefore
          ? "opened before the capture began" : "whose start is not in the capture")
    case .local(0xFFFF): return "server of a Central whose connection was not captured"
    case .local(let controller): return "this host's own server (hci\(controller))"
    }
  }

  // MARK: Rows

  static func rows(_ database: GATTDatabase, _ session: borrowing Session) -> [Row] {
    var services = GATTServices(database)
    var inside = [[Row]](repeating: [], count: services.all.count)
    var others: [Row] = []
    for row in attributes(of: database, session) {
      if let index = services.index(containing: row.handle) {
        inside[index].append(row)
      } else {
        others.append(row)
      }
    }
    var rows: [Row] = []
    for (service, attributes) in zip(services.all, inside) {
      rows.append(
        Row(
          depth: 0,
          handles: Names.hex(service.start) + "–" + Names.hex(service.end),
          name: service.uuid.map { Names.uuid($0) } ?? "service of unknown UUID",
          uuid: service.uuid?.description ?? "",
          kind: service.isPrimary ? "primary service" : "secondary service",
          proof: Self.proof(service.frame), handle: service.start,
          certainty: service.isBorrowed ? .library : .seen))
      rows += attributes
    }
    if !others.isEmpty {
      rows.append(
        Row(
          depth: 0, handles: "", name: "outside of discovered services", uuid: "", kind: "",
          proof: "", handle: 0, isUndiscovered: true))
      rows += others
    }
    return rows
  }

  /// All attributes but services, in order of handles.
  private static func attributes(
    of database: GATTDatabase, _ session: borrowing Session
  ) -> [Row] {
    let uses = database.uses
    var rows: [Row] = []
    for characteristic in database.characteristics.values {
      rows.append(
        Row(
          depth: 1, handles: Names.hex(characteristic.handle),
          name: Names.attributeType(characteristic.uuid), uuid: characteristic.uuid.description,
          kind: properties(characteristic.properties).joined(separator: ", "),
          proof: Self.proof(characteristic.frame),
          use: uses[characteristic.handle], handle: characteristic.handle,
          type: characteristic.uuid,
          certainty: characteristic.isRecognized
            ? .inferred
            : Certainty(
              characteristic.handle, proof: characteristic.frame, uses[characteristic.handle],
              of: database, session)))
    }
    for descriptor in database.descriptors.values {
      rows.append(
        Row(
          depth: 2, handles: Names.hex(descriptor.handle),
          name: Names.attributeType(descriptor.uuid),
          uuid: descriptor.uuid.description, kind: "descriptor",
          proof: Self.proof(descriptor.frame), use: uses[descriptor.handle],
          handle: descriptor.handle, type: descriptor.uuid,
          certainty: Certainty(
            descriptor.handle, proof: descriptor.frame, uses[descriptor.handle], of: database,
            session)))
    }
    for (handle, use) in uses where isUndiscovered(handle, in: database) {
      // Reading by type shows the type of an attribute.
      let type = database.knownType(of: handle)
      rows.append(
        Row(
          depth: 1, handles: Names.hex(handle),
          name: type.map { Names.attributeType($0) } ?? "used, type not in the capture",
          uuid: type?.description ?? "", kind: "", proof: "", use: use, handle: handle, type: type,
          isUndiscovered: type == nil, certainty: type == nil ? .inferred : .seen))
    }
    for index in rows.indices {
      rows[index].clients = GATTClient.all(of: rows[index].handle, in: database, session)
    }
    return rows.sorted { $0.handle < $1.handle }
  }

  /// Whether discovery shows neither the attribute at `handle` nor what it declares.
  package static func isUndiscovered(_ handle: UInt16, in database: GATTDatabase) -> Bool {
    database.characteristics[handle] == nil && database.descriptors[handle] == nil
      && database.knownType(of: handle)?.isDeclaration != true
  }

  private static func proof(_ frame: PacketID) -> String {
    frame == .borrowed ? "" : "#\(frame.number)"
  }

  package static func properties(_ bits: UInt8) -> [String] {
    let names = GATTDatabase.propertyNames
    return names.indices.filter { bits >> UInt8($0) & 1 == 1 }.map { names[$0] }
  }

  /// `1 read, 12 notifications (#125–190)`.
  static func use(_ use: GATTDatabase.Use) -> String {
    var parts: [String] = []
    if use.reads > 0 { parts.append(Names.count(use.reads, "read")) }
    if use.writes > 0 { parts.append(Names.count(use.writes, "write")) }
    if use.notifications > 0 { parts.append(Names.count(use.notifications, "notification")) }
    if use.indications > 0 { parts.append(Names.count(use.indications, "indication")) }
    return parts.joined(separator: ", ") + " (\(Names.packets(use.firstFrame, use.lastFrame)))"
  }
}
