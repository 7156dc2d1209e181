import HarkCore
import HarkDissection
import HarkSession

/// The value of a Client Characteristic Configuration for one of several clients. Vol 3, Part G, 3.3.3.3
struct GATTClient: Sendable {
  /// A client keeps its configuration over several connections.
  private enum Identity: Hashable {
    case device(DeviceID)
    case address(BluetoothAddress)
    case link(LinkID)
    /// The host of a controller.
    case host(UInt16)
  }

  let label: String
  /// The last value for it.
  let configuration: GATTDatabase.Configuration

  /// Those whose values the capture shows, in the order of their last ones. Empty unless there are several: the value of a
  /// single one is the attribute's.
  static func all(
    of handle: UInt16, in database: GATTDatabase, _ session: borrowing Session
  ) -> [GATTClient] {
    guard let configurations = database.configurations[handle], configurations.count > 1,
      database.type(of: handle)?.is(.clientCharacteristicConfiguration) == true
    else { return [] }
    var last: [Identity: GATTClient] = [:]
    for one in configurations {
      let (identity, label) = client(of: one, session)
      if let known = last[identity], known.configuration.frame > one.frame { continue }
      last[identity] = GATTClient(label: label, configuration: one)
    }
    guard last.count > 1 else { return [] }
    return last.values.sorted { $0.configuration.frame < $1.configuration.frame }
  }

  private static func client(
    of configuration: GATTDatabase.Configuration, _ session: borrowing Session
  ) -> (Identity, String) {
    let link = session.links[Int(configuration.link.index)]
    let isCentral = link.air != nil && !configuration.isOfPeer
    guard configuration.isOfPeer || isCentral else {
      return (.host(link.controller), "this host (hci\(link.controller))")
    }
    if let id = isCentral ? link.air?.centralDevice : link.device {
      let device = session.devices[Int(session.current(id).index)]
      return (.device(device.id), device.label)
    }
    if isCentral, let address = link.air?.central { return (.address(address), "\(address)") }
    return (
      .link(link.id), isCentral ? "Central of link \(link.designation)" : link.label
    )
  }

  /// `client Acme Phone (#141): 0x0001: Notification`
  var words: String {
    let value = AttributeValue(
      configuration.value, count: configuration.value.count,
      BluetoothUUID(AttributeType.clientCharacteristicConfiguration), in: .writeRequest, missing: 0)
    return "client \(label) (#\(configuration.frame.number)): \(value.words.text)"
  }

  func write(to json: inout JSONText) {
    json.string("client", label)
    json.number("link", configuration.link.index + 1)
    json.hex("last_value", configuration.value)
    json.number("last_frame", configuration.frame.number)
  }
}
