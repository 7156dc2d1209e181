import HarkCore
import HarkDissection

// What events call attributes.
extension AttributeEvent {
  /// The server of an event's attribute.
  static func server(
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

  /// A vendor's name is followed by the first part of its UUID, and a UUID that occurs several times on the server by
  /// the handle.
  static func characteristic(
    _ uuid: BluetoothUUID, _ handle: UInt16, _ server: GATTDatabase?
  ) -> String {
    let name = Names.attributeType(uuid)
    var marks: [String] = []
    if name != uuid.description, uuid.short == nil {
      marks.append("\(uuid.description.prefix(8))-…")
    }
    let isNoValue = server.map { $0.characteristics[handle] == nil } ?? false
    if isNoValue || server?.repeats(uuid) ?? false { marks.append(Names.hex(handle)) }
    if server?.isBorrowed(handle) ?? false { marks.append("borrowed") }
    if server?.characteristics[handle]?.isRecognized ?? false { marks.append("inferred") }
    return marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
  }

  static func name(
    _ handle: UInt16, _ uuid: BluetoothUUID?, isLocal: Bool, _ event: Event,
    _ session: borrowing Session
  ) -> String {
    guard let uuid, uuid.handle == nil else { return "attribute \(Names.hex(handle))" }
    let server = server(isLocal, event, session)
    // Servers may place attributes of their own among descriptors.
    guard uuid.isDescriptor, let server, let owner = server.characteristic(owning: handle)
    else { return characteristic(uuid, handle, server) }
    return "\(Names.attributeType(uuid)) of \(characteristic(owner.uuid, owner.handle, server))"
  }
}
