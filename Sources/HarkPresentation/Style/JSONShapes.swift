import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession

// Members that several objects have, under the same names.
extension JSONText {
  package mutating func members(of link: Link) {
    number("id", link.id.index + 1)
    if let air = link.air {
      number("access_address", air.accessAddress)
    } else if let network = link.network {
      string("client", "\(network.client)")
      string("server", "\(network.server)")
    } else if let accessory = link.usbAccessory {
      number("usb_accessory", accessory + 1)
    } else {
      number("handle", link.handle)
    }
    string("transport", link.transport.rawValue)
  }

  package mutating func members(of device: Device) {
    described("address", device.address)
    string("name", device.name)
  }

  /// How a capture ended, and what was wrong with it.
  package mutating func members(of end: CaptureEnd) {
    let status: StaticString =
      switch end.status {
      case .complete: "complete"
      case .stopped: "stopped"
      case .truncated: "truncated"
      case .damaged: "damaged"
      }
    string("status", status)
    objects("damages", end.damages) { damage, json in
      json.number("record", damage.record)
      json.number("offset", damage.offset)
      json.number("resumed_at", damage.resumedAt)
      json.string("reason", damage.reason.description)
    }
  }

  /// A key never appears but by its fingerprint.
  mutating func key(_ fingerprint: Fingerprint?, _ suite: CipherSuite? = nil) {
    string("cipher_suite", suite?.rawValue)
    described("fingerprint", fingerprint)
  }

  /// A code, and the name of its value in the field at `path`.
  mutating func code(
    _ member: StaticString, _ value: (some FixedWidthInteger)?, _ name: StaticString,
    _ path: String
  ) {
    number(member, value)
    if let value { string(name, Names.of(value, path)) }
  }

  /// An array with an object for each item.
  package mutating func objects<Item>(
    _ name: StaticString, _ items: [Item], _ body: (Item, inout JSONText) -> Void
  ) {
    array(name) { json in
      for item in items { json.object { body(item, &$0) } }
    }
  }
}
