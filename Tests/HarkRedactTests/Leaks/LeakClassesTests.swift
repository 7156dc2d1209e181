import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// A secret in places that no field explains, or that explain themselves only together with packets that
/// are missing: with `strict` nothing of it stays, and each byte is accounted for.
@Suite struct LeakClassesTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let build: @Sendable (_ secret: [UInt8]) -> [UInt8]

    init(_ name: String, _ build: @escaping @Sendable ([UInt8]) -> [UInt8]) {
      (testDescription, self.build) = (name, build)
    }

    /// Of packets.
    init(packets name: String, _ plant: @escaping @Sendable ([UInt8], inout MadeCapture) -> Void) {
      self.init(name) { secret in
        var capture = MadeCapture()
        // LE Connection Complete. Core Specification, Vol 4, Part E, 7.7.65.1
        capture.event(
          0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
        plant(secret, &capture)
        return capture.bytes
      }
    }
  }

  /// Letters that no word has.
  private static func secret(_ seed: UInt64) -> [UInt8] {
    var dice = Dice(state: seed)
    return (0..<14).map { _ in
      Array("bcdfghjklmnpqrstvwxz".utf8)[Int.random(in: 0..<20, using: &dice)]
    }
  }

  private static func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  // MARK: Packets

  /// Core Specification, Vol 4, Part E, 7
  private static let hci: [Place] = [
    Place(packets: "behind the parameters of a command") { secret, capture in
      capture.add(2, [3, 0x0C, UInt8(secret.count)] + secret)
    },
    // HCI_Set_AFH_Host_Channel_Classification, 7.3.46: a map of ten octets, and more than that.
    Place(packets: "a channel map and bytes behind it") { secret, capture in
      capture.command(0x0C3F, secret)
    },
    // Extended Flow Specification, Vol 3, Part A, 5.6: sixteen octets of numbers, all declared.
    Place(packets: "a text in the place of numbers") { secret, capture in
      capture.l2cap(1, [4, 1, 22, 0, 0x41, 0, 0, 0, 6, 16] + secret + [0, 0])
    },
    // Set Device ID, 0x0028: eight octets. BlueZ, doc/mgmt-protocol.rst
    Place(packets: "behind the parameters of a management command") { secret, capture in
      capture.add(16, [7, 0, 0, 0, 0x28, 0] + secret)
    },
    Place(packets: "behind the packet") { secret, capture in
      capture.add(2, [3, 0x0C, 0] + secret)
    },
    Place(packets: "behind the parameters of an event") { secret, capture in
      capture.event(0x0E, [1, 3, 0x0C, 0] + secret)
    },
    Place(packets: "a command nobody knows") { secret, capture in capture.command(0x2FFF, secret) },
    Place(packets: "an event nobody knows") { secret, capture in capture.event(0xEE, secret) },
    Place(packets: "a vendor's event") { secret, capture in capture.event(0xFF, [0x55] + secret) },
    Place(packets: "a vendor's command") { secret, capture in capture.command(0xFC77, secret) },
    // 7.8.22: Key, Plaintext_Data
    Place(packets: "LE Encrypt") { secret, capture in
      capture.command(0x2017, [UInt8](repeating: 7, count: 16) + secret + [0, 1])
    },
    Place(packets: "the result of LE Encrypt") { secret, capture in
      capture.event(0x0E, [1, 0x17, 0x20, 0] + secret + [0, 1])
    },
    // 7.8.37
    Place(packets: "LE Generate DHKey") { secret, capture in
      capture.command(0x2026, secret + [UInt8](repeating: 9, count: 50))
    },
    Place(packets: "LE Generate DHKey Complete") { secret, capture in
      capture.event(0x3E, [9, 0] + secret + [UInt8](repeating: 9, count: 18))
    },
    Place(packets: "a failed answer") { secret, capture in
      capture.event(0x0E, [1, 0x14, 0x0C, 0x0C] + secret)
    },
    // Vol 3, Part C, 11: a zero length ends the data early.
    Place(packets: "an EIR behind a zero length") { secret, capture in
      let data = [2, 1, 6, 0] + secret
      capture.event(
        0x2F,
        [1, 1, 2, 3, 4, 5, 6, 1, 0, 4, 4, 8, 0, 0, 0xC0] + data
          + [UInt8](repeating: 0, count: 240 - data.count))
    },
    Place(packets: "advertising data behind a zero length") { secret, capture in
      let data = [2, 1, 6, 0] + secret
      capture.event(0x3E, [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0])
    },
    Place(packets: "an AD type nobody knows") { secret, capture in
      let data = [UInt8(secret.count + 1), 0xE5] + secret
      capture.event(0x3E, [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0])
    },
    // Core Specification Supplement, Part A, 1.14: the coordinates of a place.
    Place(packets: "Indoor Positioning") { secret, capture in
      let data = [UInt8(secret.count + 2), 0x25, 0x03] + secret
      capture.event(0x3E, [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0])
    },
    // 0x27: a mask of features, of any length.
    Place(packets: "LE Supported Features") { secret, capture in
      let data = [UInt8(secret.count + 1), 0x27] + secret
      capture.event(0x3E, [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0])
    },
    Place(packets: "synchronous data") { secret, capture in
      capture.add(7, [0x40, 0, UInt8(secret.count)] + secret)
    },
    Place(packets: "a record of a kind nobody knows") { secret, capture in capture.add(200, secret)
    },
  ]

  private static func acl(
    _ flags: UInt8, _ data: [UInt8], in capture: inout MadeCapture
  ) {
    capture.add(5, [0x40, flags, UInt8(data.count), 0] + data)
  }

  /// Core Specification, Vol 3, Part A and F
  private static let channels: [Place] = [
    Place(packets: "the first fragment of a PDU alone") { secret, capture in
      acl(0x20, [60, 0, 4, 0, 0x1B, 3, 0] + secret, in: &capture)
    },
    Place(packets: "a continuing fragment alone") { secret, capture in
      acl(0x10, secret, in: &capture)
    },
    Place(packets: "a fragment behind a lost one") { secret, capture in
      acl(0x20, [60, 0, 4, 0, 0x1B, 3, 0, 1, 2], in: &capture)
      acl(0x10, secret, in: &capture)
      capture.l2cap(4, [0x1B, 3, 0, 1])
    },
    Place(packets: "a channel that nobody opened") { secret, capture in
      capture.l2cap(0x55, [1] + secret)
    },
    Place(packets: "a fixed channel that nobody knows") { secret, capture in
      capture.l2cap(0x3D, secret)
    },
    // 4.22, 4.23: LE Credit Based Connection, SPSM 0x0080; then an SDU in two K-frames.
    Place(packets: "an SDU of a credit-based channel") { secret, capture in
      capture.l2cap(
        5, [0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 0, 2, 64, 0, 9, 0], isReceived: false)
      capture.l2cap(5, [0x15, 1, 10, 0, 0x41, 0, 0, 2, 64, 0, 9, 0, 0, 0])
      capture.l2cap(0x40, [UInt8(secret.count), 0] + secret[..<7])
      capture.l2cap(0x40, Array(secret[7...]))
    },
    Place(packets: "a segment whose SDU began earlier") { secret, capture in
      capture.l2cap(0x41, secret)
    },
    Place(packets: "bytes behind a signal") { secret, capture in
      capture.l2cap(5, [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 200, 0] + secret)
    },
    Place(packets: "an echo") { secret, capture in
      capture.l2cap(1, [8, 1, UInt8(secret.count), 0] + secret)
    },
    Place(packets: "Read Blob without its beginning") { secret, capture in
      capture.l2cap(4, [0x0C, 3, 0, 22, 0], isReceived: false)
      capture.l2cap(4, [0x0D] + secret)
    },
    Place(packets: "Prepare Write without its beginning") { secret, capture in
      capture.l2cap(4, [0x16, 3, 0, 18, 0] + secret, isReceived: false)
    },
    Place(packets: "a value of an unknown attribute") { secret, capture in
      capture.l2cap(4, [0x1B, 0x77, 0] + secret)
    },
    Place(packets: "a signed write") { secret, capture in
      capture.l2cap(4, [0xD2, 0x77, 0] + secret + [UInt8](repeating: 5, count: 12))
    },
    Place(packets: "an ATT opcode that nobody knows") { secret, capture in
      capture.l2cap(4, [0x3F] + secret)
    },
    Place(packets: "bytes behind a pairing PDU") { secret, capture in
      capture.l2cap(6, [5, 4] + secret)
    },
    Place(packets: "a pairing PDU that nobody knows") { secret, capture in
      capture.l2cap(6, [0x33] + secret)
    },
    Place(packets: "the Confirm Value of pairing") { secret, capture in
      capture.l2cap(6, [3] + secret + [0, 1])
    },
    Place(packets: "a service's name by its UUID") { secret, capture in
      // Read By Group Type, a service of 128 bits. Vol 3, Part F, 3.4.4.10
      capture.l2cap(4, [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], isReceived: false)
      capture.l2cap(4, [0x11, 20, 1, 0, 9, 0] + secret + [0x12, 0x34])
    },
  ]

  /// Values of a characteristic that a person has. Assigned Numbers, 3.8
  private static func characteristic(_ name: String, _ uuid: UInt16, _ before: [UInt8]) -> Place {
    Place(packets: name) { secret, capture in
      let value = before + secret
      capture.l2cap(
        4, [0x08, 1, 0, 0xFF, 0xFF, UInt8(uuid & 0xFF), UInt8(uuid >> 8)], isReceived: false)
      capture.l2cap(4, [0x09, UInt8(value.count + 2), 0x10, 0] + value)
    }
  }

  private static let values = [
    characteristic("Emergency Text", 0x2B2E, []), characteristic("Model Number", 0x2A24, []),
    characteristic("Heart Rate Measurement", 0x2A37, [0x10]),
    characteristic("Glucose Measurement", 0x2A18, [0]),
    characteristic("Blood Pressure Measurement", 0x2A35, [0]),
    characteristic("Weight Measurement", 0x2A9D, [0]),
    characteristic("Location and Speed", 0x2A67, [0xFF, 0]),
    characteristic("Mesh Proxy Data Out", 0x2ADE, [1, 1]),
    characteristic("a characteristic nobody knows", 0x2BFE, []),
  ]

  // MARK: Files

  private static func block(_ type: Int, _ body: [UInt8], filled: UInt8 = 0) -> [UInt8] {
    let body = body + [UInt8](repeating: filled, count: -body.count & 3)
    return little(type) + little(body.count + 12) + body + little(body.count + 12)
  }

  private static func option(_ code: Int, _ value: [UInt8]) -> [UInt8] {
    little(code, 2) + little(value.count, 2) + value
      + [UInt8](repeating: 0, count: -value.count & 3)
  }

  private static let section = block(
    0x0A0D_0D0A, little(0x1A2B_3C4D) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8))

  private static func interface(_ options: [UInt8] = []) -> [UInt8] {
    block(1, little(201, 2) + [0, 0] + little(0) + options)
  }

  /// HCI Reset's Command Complete in an Enhanced Packet Block.
  private static func packet(_ options: [UInt8] = [], padding: [UInt8] = [0]) -> [UInt8] {
    let data: [UInt8] = [0, 0, 0, 1, 4, 0x0E, 4, 1, 3, 0x0C, 0]
    return block(
      6,
      little(0) + little(0x61000) + little(0) + little(data.count) + little(data.count) + data
        + padding + options)
  }

  /// draft-ietf-opsawg-pcapng, 4
  private static let files: [Place] =
    [
      Place("pcapng, an option nobody knows") {
        section + interface() + packet(option(77, $0)) + packet()
      },
      Place("pcapng, a packet's hash") { section + interface() + packet(option(3, [2] + $0)) },
      Place("pcapng, a packet's verdict") { section + interface() + packet(option(7, [2] + $0)) },
      Place("pcapng, behind the last option") {
        section + interface() + packet([0, 0, 0, 0] + $0)
      },
      Place("pcapng, an option that is too long") {
        section + interface() + packet(little(2, 2) + little(99, 2) + $0)
      },
      Place("pcapng, an interface's option nobody knows") {
        section + interface(option(99, $0)) + packet()
      },
      Place("pcapng, a section's option nobody knows") {
        block(
          0x0A0D_0D0A,
          little(0x1A2B_3C4D) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + option(99, $0))
          + interface() + packet()
      },
      Place("pcapng, a block nobody knows") { section + interface() + block(0x99, $0) + packet() },
      Place("pcapng, a custom block") { section + interface() + block(0xBAD, $0) + packet() },
      Place("pcapng, a name's record") {
        section + interface() + packet() + block(4, option(1, [10, 1, 2, 3] + $0))
      },
      // Link type 201: the direction in four octets, then a packet of a kind that there is not.
      Place("pcapng, in the place of a direction") { secret in
        section + interface()
          + block(
            6,
            little(0) + little(0x61000) + little(0) + little(secret.count) + little(secret.count)
              + secret + [0, 0]) + packet()
      },
      Place("pcapng, behind the file") { section + interface() + packet() + $0 },
      Place("pcapng, an unsupported interface") {
        let data = $0
        return section + interface() + block(1, little(1, 2) + [0, 0] + little(0)) + packet()
          + block(
            6,
            little(1) + little(0x61000) + little(0) + little(data.count) + little(data.count)
              + data)
      },
      Place("pcapng, a Simple Packet Block's rest") {
        let data: [UInt8] = [0, 0, 0, 1, 4, 0x0E, 4, 1, 3, 0x0C, 0, 0]
        return section + interface() + block(3, little(11) + data + $0) + packet()
      },
    ]
    + MadeCapture.Container.allCases.flatMap { container in
      [
        Place("\(container), behind the last record") { secret in
          var capture = MadeCapture(container)
          capture.event(0x0E, [4, 1, 3, 0x0C, 0])
          capture.event(0x0E, [4, 1, 3, 0x0C, 0])
          return capture.bytes + secret
        },
        Place("\(container), in zeros behind the last record") { secret in
          var capture = MadeCapture(container)
          for _ in 0..<6 { capture.event(0x0E, [4, 1, 3, 0x0C, 0]) }
          return capture.bytes + [UInt8](repeating: 0, count: 64) + secret
            + [UInt8](repeating: 0, count: 16)
        },
      ]
    }

  /// pcap of packets on the air. https://www.tcpdump.org/linktypes.html
  private static func air(_ link: UInt8, _ packets: [[UInt8]]) -> [UInt8] {
    let head =
      [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
      + [0xFF, 0xFF, 0, 0, link, link == 16 ? 1 : 0, 0, 0]
    return packets.enumerated().reduce(head) { file, packet in
      let count = little(packet.element.count)
      return file + little(packet.offset) + little(0) + count + count + packet.element
    }
  }

  private static let sniffers: [Place] = [
    Place("Nordic, a header nobody reads") { air(16, [[0xFF, 3, 0, 9, 0, 0, 6] + $0]) },
    Place("PPI, a header nobody reads") { air(192, [[0, 0, 0xFF, 0xFF, 251, 0, 0, 0] + $0]) },
    Place("LE radio, a PDU with a wrong CRC") {
      air(251, [[0xD6, 0xBE, 0x89, 0x8E, 0x40, UInt8($0.count)] + $0 + [1, 2, 3]])
    },
    Place("BR/EDR baseband") { air(255, [[UInt8](repeating: 1, count: 22) + $0]) },
  ]

  @Test(arguments: hci + channels + values + files + sniffers)
  func strict(_ place: Place) throws {
    for seed: UInt64 in 1...2 {
      let secret = Self.secret(seed)
      let file = place.build(secret)
      let redacted = try redact(CaptureBytes(file, name: "leak"), .strict)
      #expect(file.holds(secret) || place.testDescription.contains("credit-based"))
      // Of two bytes that look alike no one knows a secret.
      for start in 0...(secret.count - 6) {
        let part = Array(secret[start..<(start + 6)])
        #expect(!redacted.bytes.holds(part))
      }
      let counted = redacted.list.bytes.reduce(0) { $0 + $1.count }
      #expect(counted == redacted.bytes.count)
      #expect(redacted.bytes != file)
    }
  }

  /// HCI_Remote_Host_Supported_Features_Notification, Core Specification, Vol 4, Part E, 7.7.50: what is in
  /// its mask stays, but where the bytes behind show that the event is none.
  @Test func flagsOfAnotherEvent() throws {
    // Its first octets are no text in any encoding: a text would be removed whatever stands behind it.
    var dice = Dice(state: 6)
    let secret = dice.bytes(14)
    for rest in [0, secret.count - 8] {
      var capture = MadeCapture()
      capture.event(0x3D, [1, 2, 3, 4, 5, 6] + secret[..<(8 + rest)])
      let redacted = try redact(CaptureBytes(capture.bytes, name: "flags"), .strict)
      #expect(redacted.bytes.holds(Array(secret[..<8])) == (rest == 0))
      #expect(!redacted.bytes.holds(Array(secret[6...])))
    }
  }

  /// HCI_Sniff_Subrating, Core Specification, Vol 4, Part E, 7.7.37: four numbers of two octets behind a status and a
  /// handle stay, but where the bytes behind show that the event is another.
  @Test func numbersOfAnotherEvent() throws {
    var dice = Dice(state: 6)
    let secret = dice.bytes(16)
    for rest in [0, secret.count - 8] {
      var capture = MadeCapture()
      capture.event(0x2E, [0, 1, 0] + secret[..<(8 + rest)])
      let redacted = try redact(CaptureBytes(capture.bytes, name: "numbers"), .strict)
      #expect(redacted.bytes.holds(Array(secret[..<8])) == (rest == 0))
      #expect(!redacted.bytes.holds(Array(secret[6...])))
    }
  }

  /// A list of 16-bit UUIDs in advertising data (CSS, Part A, 1.1) stays if they are assigned, or few. Three that nobody
  /// assigned have room for a name.
  @Test func listsOfUnassignedUUIDs() throws {
    var dice = Dice(state: 7)
    for (list, stays) in [
      ([0x0D, 0x18, 0x0F, 0x18, 0x0A, 0x18, 0x12, 0x18], true), ([0xE0, 0xFF, 0xF0, 0xFF], true),
      ([0x0D, 0x18, 0xE0, 0xFF, 0xF0, 0xFF, 0x0A, 0x18], true), (Array("AdasWatch2".utf8), false),
      (dice.bytes(6), false),
    ] as [([UInt8], Bool)] {
      let data = [UInt8(list.count + 1), 3] + list
      var capture = MadeCapture()
      capture.event(
        0x3E, [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC4])
      let redacted = try redact(CaptureBytes(capture.bytes, name: "list"), .strict)
      #expect(redacted.bytes.holds(list) == stays)
      #expect(stays || !redacted.bytes.holds(Array(list[..<4])))
    }
  }

  /// Bytes where a record has its time are none of a time: of each format.
  @Test(arguments: [MadeCapture.Container.h4, .monitor, .packetLogger, .pcap, .pcapng])
  func times(_ container: MadeCapture.Container) throws {
    let places: [MadeCapture.Container: (place: Int, count: Int)] = [
      .h4: (16, 8), .monitor: (16, 8), .packetLogger: (4, 8), .pcap: (0, 8), .pcapng: (12, 8),
    ]
    let (place, count) = try #require(places[container])
    var capture = MadeCapture(container)
    for _ in 0..<3 { capture.event(0x0E, [1, 3, 0x0C, 0]) }
    let start = capture.bytes.count
    for _ in 0..<3 { capture.event(0x0E, [1, 3, 0x0C, 0]) }
    var file = capture.bytes
    let secret = Array(Self.secret(8)[..<count])
    file.replaceSubrange((start + place)..<(start + place + count), with: secret)
    let redacted = try redact(CaptureBytes(file, name: "times"), .strict)
    for offset in 0...(count - 6) {
      #expect(!redacted.bytes.holds(Array(secret[offset..<(offset + 6)])))
    }
    // The times before stay.
    #expect(redacted.bytes[..<start].elementsEqual(file[..<start]))
  }

  /// What share promises, where packets are missing: it keeps nothing that it does not know.
  @Test(arguments: (hci + channels + values + files + sniffers).filter { !isListed($0) })
  func share(_ place: Place) throws {
    let secret = Self.secret(3)
    let redacted = try redact(CaptureBytes(place.build(secret), name: "leak"), .share)
    for start in 0...(secret.count - 6) {
      #expect(!redacted.bytes.holds(Array(secret[start..<(start + 6)])))
    }
  }

  /// What share keeps, and says so: vendors' records, UUIDs, models, measurements, known channels.
  private static func isListed(_ place: Place) -> Bool {
    [
      "vendor's", "by its UUID", "Model Number", "Measurement", "Location and Speed",
      "credit-based",
    ].contains { place.testDescription.contains($0) }
  }
}
