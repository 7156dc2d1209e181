import HarkCore
import HarkSession

// How a channel is spelled.
extension VendorChannel {
  /// The key of a profile and its value.
  var profileKey: (key: String, value: String) {
    switch self {
    case .characteristic(let uuid):
      uuid.handle.map { ("gatt-handle", Self.hex($0)) }
        ?? ("gatt-characteristic", Self.text(uuid))
    case .cid(let cid): ("cid", Self.hex(cid))
    case .psm(let psm): ("l2cap-psm", Self.hex(psm))
    case .service(let uuid): ("rfcomm-service", Self.text(uuid))
    case .serverChannel(let number): ("rfcomm-channel", "\(number)")
    case .externalAccessory(let name): ("ea-protocol", GuessLines.quoted(name))
    case .tcpPort(let port): ("tcp-port", "\(port)")
    case .networkService(let type): ("service", GuessLines.quoted(type))
    case .manufacturerData(let company): ("advertising-company", Self.hex(company))
    case .serviceData(let uuid): ("advertising-service-data", Self.text(uuid))
    case .vendorEvent(let first): ("hci-vendor-event", "\(first)")
    case .vendorCommand(let opcode): ("hci-vendor-command", Self.hex(opcode))
    }
  }

  /// The same for a layout.
  var attachment: (key: String, value: String) {
    switch self {
    case .manufacturerData(let company): ("manufacturer-data", Self.hex(company))
    case .serviceData(let uuid): ("service-data", Self.text(uuid))
    default: profileKey
    }
  }

  /// What `--channel` takes: `psm:0x0081`.
  public var selector: String {
    switch self {
    case .characteristic(let uuid): uuid.handle.map { "handle:\(Self.hex($0))" } ?? Self.text(uuid)
    case .cid(let cid): "cid:\(Self.hex(cid))"
    case .psm(let psm): "psm:\(Self.hex(psm))"
    case .service(let uuid): "rfcomm:\(Self.text(uuid))"
    case .serverChannel(let number): "rfcomm:\(number)"
    case .externalAccessory(let name): "ea:\(name)"
    case .tcpPort(let port): "tcp:\(port)"
    case .networkService(let type): "service:\(type)"
    case .manufacturerData(let company): "company:\(Self.hex(company))"
    case .serviceData(let uuid): "service-data:\(Self.text(uuid))"
    case .vendorEvent(let first): "vendor-event:\(first)"
    case .vendorCommand(let opcode): "vendor-command:\(Self.hex(opcode))"
    }
  }

  /// For people.
  public var described: String {
    switch self {
    case .characteristic(let uuid):
      uuid.handle.map { "GATT handle \(Self.hex($0))" } ?? "GATT characteristic \(uuid)"
    case .cid(let cid): "L2CAP CID \(Self.hex(cid))"
    case .psm(let psm): "L2CAP PSM \(Self.hex(psm))"
    case .service(let uuid): "RFCOMM service \(uuid)"
    case .serverChannel(let number): "RFCOMM channel \(number)"
    case .externalAccessory(let name): "External Accessory protocol \(name)"
    case .tcpPort(let port): "TCP port \(port)"
    case .networkService(let type): "network service \(type)"
    case .manufacturerData(let company): "manufacturer data of \(Self.hex(company))"
    case .serviceData(let uuid): "service data of \(uuid)"
    case .vendorEvent(let first): "HCI vendor events that begin with \(first)"
    case .vendorCommand(let opcode): "HCI vendor command \(Self.hex(opcode))"
    }
  }

  /// Beginning of a name of a layout.
  var idBase: String {
    switch self {
    case .characteristic(let uuid):
      uuid.handle.map { "handle_" + Self.hex($0).dropFirst(2) }
        ?? "gatt_" + Self.text(uuid).prefix(8).lowercased()
    case .psm(let psm): "psm_" + Self.hex(psm).dropFirst(2)
    case .cid(let cid): "cid_" + Self.hex(cid).dropFirst(2)
    case .service(let uuid): "rfcomm_" + Self.text(uuid).prefix(8).lowercased()
    case .serverChannel(let number): "rfcomm_\(number)"
    case .manufacturerData(let company): "company_" + Self.hex(company).dropFirst(2)
    case .serviceData(let uuid): "service_data_" + Self.text(uuid).prefix(8).lowercased()
    case .vendorEvent(let first): "vendor_event_\(first)"
    case .vendorCommand(let opcode): "vendor_command_" + Self.hex(opcode).dropFirst(2)
    case .tcpPort(let port): "tcp_\(port)"
    case .networkService(let name): "service_" + Self.letters(name)
    case .externalAccessory(let name): "ea_" + Self.letters(name)
    }
  }

  /// Letters, digits and underscores that are like `name`.
  private static func letters(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.prefix(40).map { scalar in
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
      })
  }

  private static func text(_ uuid: BluetoothUUID) -> String {
    let text = uuid.description
    return String(text.withoutHexPrefix ?? text[...])
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension [Traffic] {
  /// Names for layouts, each once.
  public var layoutNames: [String] {
    var counts: [String: Int] = [:]
    return map { traffic in
      let base = traffic.channel.idBase
      counts[base, default: 0] += 1
      let count = counts[base] ?? 1
      return count == 1 ? base : "\(base)_\(count)"
    }
  }
}
