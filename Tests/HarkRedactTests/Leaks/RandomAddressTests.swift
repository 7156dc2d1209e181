import HarkCapture
import HarkCore
import HarkDissection
import Testing

@testable import HarkRedact

/// Of an address that is random, no octet names a manufacturer: `share` keeps none. A type before it, behind it or in
/// the packet's header tells which ones are random.
@Suite struct RandomAddressTests {
  /// Where an address is, and the address.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let build: @Sendable (_ random: [UInt8], _ other: [UInt8]) -> [UInt8]

    init(_ name: String, _ build: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]) {
      (testDescription, self.build) = (name, build)
    }

    /// A packet of HCI or a message, under the number that the Linux monitor gives it.
    init(
      _ name: String, _ number: UInt8, _ payload: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) {
      self.init(name) { random, other in
        var capture = MadeCapture()
        capture.add(number, payload(random, other))
        return capture.bytes
      }
    }

    /// An advertising PDU. https://www.tcpdump.org/linktypes.html, 256
    init(
      air name: String, _ header: UInt8,
      _ body: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) {
      self.init(name) { random, other in
        let body = body(random, other)
        let pdu = [header, UInt8(body.count)] + body
        let crc = LinkLayerCRC.compute(
          pdu.raw, 0..<pdu.count, initial: LinkLayerCRC.advertising)
        let record =
          [0, 0, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x11, 0, 0xD6, 0xBE, 0x89, 0x8E] + pdu
          + [UInt8(crc & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc >> 16)]
        let count: [UInt8] = [UInt8(record.count), 0, 0, 0]
        return [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
          + [0xFF, 0xFF, 0, 0, 0, 1, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + count + count + record
      }
    }
  }

  private static func report(_ direct: UInt8, _ address: [UInt8], _ other: [UInt8]) -> [UInt8] {
    [0x3E, 26, 0x0D, 1, 0x15, 0, 0] + other + [1, 0, 0xFF, 0x7F, 0xC0, 0, 0, direct] + address + [0]
  }

  /// A vendor's event, or a command of Android's, after Read Local Version Information. Vol 4, Part E, 7.4.1
  private static func vendor(
    _ name: String, _ manufacturer: UInt16, _ code: UInt8, number: UInt8 = 3,
    _ parameters: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Place {
    Place(name) { random, _ in
      var capture = MadeCapture()
      let maker = [UInt8(manufacturer & 0xFF), UInt8(manufacturer >> 8)]
      capture.event(0x0E, [1, 0x01, 0x10, 0, 0x0B, 0, 0, 0x0B] + maker + [0, 0])
      let parameters = parameters(random)
      capture.add(
        number, [code] + (number == 2 ? [0xFD] : []) + [UInt8(parameters.count)] + parameters)
      return capture.bytes
    }
  }

  static let places: [Place] = [
    // Identity Address Information. Core Specification, Vol 3, Part H, 3.6.5
    Place("Identity Address Information", 5) { random, _ in
      [0x40, 0x20, 0x0C, 0, 0x08, 0, 0x06, 0, 0x09, 1] + random
    },
    // LE Bluetooth Device Address: the type is its last octet. Core Specification Supplement, Part A, 1.16
    Place("LE Bluetooth Device Address", 3) { random, other in
      [0x3E, 21, 2, 1, 0, 0] + other + [9, 8, 0x1B] + random + [1, 0xC0]
    },
    // A directed report, of which the controller could not resolve TargetA. Vol 4, Part E, 7.7.65.13
    Place("Direct_Address", 3) { report(1, $0, $1) },
    Place("Direct_Address, not resolved", 3) { report(0xFE, $0, $1) },
    // LE_Advertisement_Tracking: the address, then its type.
    // https://source.android.com/docs/core/connect/bluetooth/hci_requirements
    vendor("LE_Advertisement_Tracking", 0x0F, 0xFF) { [0x56, 0, 1, 0] + $0 + [1] },
    // LE_APCF, a filter of a broadcaster.
    vendor("LE_APCF", 0x0F, 0x57, number: 2) { [2, 0, 1] + $0 + [1] },
    // Read_Static_Addresses of Zephyr. include/zephyr/bluetooth/hci_vs.h
    vendor("Read_Static_Addresses", 0x05F1, 0x0E) {
      [1, 0x09, 0xFC, 0, 1] + $0 + [UInt8](repeating: 7, count: 16)
    },
    // Address, then Address_Type: 2 is LE Random. BlueZ, doc/mgmt-protocol.rst
    Place("Device Connected", 17) { random, _ in
      [7, 0, 0, 0, 0x0B, 0] + random + [2, 0, 0, 0, 0, 0, 0]
    },
    Place("Add Device", 16) { random, _ in [7, 0, 0, 0, 0x33, 0] + random + [2, 2] },
    // TxAdd is of the first address, RxAdd of the second one. Core Specification, Vol 6, Part B, 2.3
    Place(air: "ADV_IND", 0x40) { random, _ in random + [2, 1, 6] },
    Place(air: "ADV_DIRECT_IND, TargetA", 0x81) { random, other in other + random },
    Place(air: "ADV_DIRECT_IND, AdvA", 0x41) { random, other in random + other },
    Place(air: "SCAN_REQ", 0x83) { random, other in other + random },
    Place(air: "CONNECT_IND", 0x85) { random, other in
      other + random + [0x2C, 0x5D, 0x65, 0x50, 1, 2, 3, 2, 1, 0, 24, 0, 0, 0, 72, 0]
        + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
    },
    Place(air: "ADV_EXT_IND", 0x47) { random, _ in [9, 0x09] + random + [0x34, 0x12] },
  ]

  @Test(arguments: places) func nothingOfRandomOnesStays(_ place: Place) throws {
    let random: [UInt8] = [0x5A, 0x17, 0x2C, 0x8E, 0x94, 0xD3]
    let other: [UInt8] = [0x61, 0x42, 0x33, 0xB4, 0x5A, 0x3C]
    let file = place.build(random, other)
    let redacted = try redact(CaptureBytes(file, name: "made"), .share).bytes
    #expect(!redacted.holds(Array(random.suffix(3))))
    // A public one keeps its manufacturer.
    if file.holds(other) { #expect(redacted.holds(Array(other.suffix(3)))) }
    #expect(!redacted.holds(Array(other.prefix(3))))
  }

  /// The same places with the type of a public one.
  @Test(arguments: [
    Place("LE Bluetooth Device Address", 3) { random, other in
      [0x3E, 21, 2, 1, 0, 0] + random + [9, 8, 0x1B] + other + [0, 0xC0]
    },
    Place("Device Connected", 17) { _, other in
      [7, 0, 0, 0, 0x0B, 0] + other + [1, 0, 0, 0, 0, 0, 0]
    },
    // Own_Address_Type follows Peer_Address: LE Create Connection. Vol 4, Part E, 7.8.12
    Place("Own_Address_Type", 2) { _, other in
      [0x0D, 0x20, 25, 0x60, 0, 0x30, 0, 0, 0] + other
        + [1, 24, 0, 40, 0, 0, 0, 72, 0, 0, 0, 0, 0]
    },
    Place(air: "ADV_IND", 0x00) { _, other in other + [2, 1, 6] },
  ]) func manufacturersOfPublicOnesStay(_ place: Place) throws {
    let random: [UInt8] = [0x5A, 0x17, 0x2C, 0x8E, 0x94, 0xD3]
    let other: [UInt8] = [0x61, 0x42, 0x33, 0xB4, 0x5A, 0x3C]
    let redacted = try redact(CaptureBytes(place.build(random, other), name: "made"), .share).bytes
    #expect(redacted.holds(Array(other.suffix(3))))
  }
}
