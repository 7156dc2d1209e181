import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// A secret in each kind of field that says what it is, and the same secret elsewhere in the capture, in
/// several encodings: none of them survives.
@Suite struct PlantedFieldsTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of random bytes; nil for a text.
    var count: Int?
    let plant: @Sendable ([UInt8], inout MadeCapture) -> Void

    init(
      _ name: String, bytes: Int, _ plant: @escaping @Sendable ([UInt8], inout MadeCapture) -> Void
    ) {
      (testDescription, count, self.plant) = (name, bytes, plant)
    }

    init(_ name: String, _ plant: @escaping @Sendable ([UInt8], inout MadeCapture) -> Void) {
      (testDescription, self.plant) = (name, plant)
    }
  }

  private static func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  /// An AD structure. Core Specification, Vol 3, Part C, 11.
  private static func ad(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count + 1), type] + bytes
  }

  private static let device: [UInt8] = [6, 5, 4, 3, 2, 0xC1]

  /// Core Specification, Vol 4, Part E, 7.
  private static let hci: [Kind] = [
    Kind("Remote Name Request Complete") { $1.event(0x07, [0] + device + padded($0, 248)) },
    Kind("Write Local Name") { $1.command(0x0C13, padded($0, 248)) },
    Kind("Write Extended Inquiry Response") { $1.command(0x0C52, [0] + padded(ad(9, $0), 240)) },
    Kind("Extended Inquiry Result") {
      $1.event(0x2F, [1] + device + [1, 0, 4, 4, 8, 0, 0, 0xC0] + padded(ad(9, $0), 240))
    },
    Kind("LE Advertising Report") {
      let data = ad(9, $0)
      $1.event(0x3E, [2, 1, 0, 1] + device + [UInt8(data.count)] + data + [0xC0])
    },
    Kind("LE Extended Advertising Report") {
      let data = ad(9, $0)
      $1.event(
        0x3E,
        [0x0D, 1, 0, 0, 1] + device + [1, 0, 0xFF, 0x7F, 0xC0, 0, 0, 0] + [0, 0, 0, 0, 0, 0]
          + [UInt8(data.count)] + data)
    },
    Kind("LE Periodic Advertising Report, Broadcast_Name") {
      let data = ad(0x30, $0)
      $1.event(0x3E, [0x0F, 1, 0, 0x7F, 0xC0, 0xFF, 0, UInt8(data.count)] + data)
    },
    Kind("LE Set Advertising Data") {
      let data = ad(8, $0)
      $1.command(0x2008, [UInt8(data.count)] + padded(data, 31))
    },
    Kind("LE Set Extended Scan Response Data") {
      let data = ad(9, $0)
      $1.command(0x2038, [1, 3, 1, UInt8(data.count)] + data)
    },
    Kind("Link Key Notification", bytes: 16) { $1.event(0x18, device + $0 + [4]) },
    Kind("Link Key Request Reply", bytes: 16) { $1.command(0x040B, device + $0) },
    Kind("Remote OOB Data Request Reply", bytes: 16) {
      $1.command(0x0430, device + $0 + (0..<16).map { 3 * $0 + 1 })
    },
    Kind("LE Enable Encryption", bytes: 16) {
      $1.command(0x2019, [0x40, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + [9, 9] + $0)
    },
    Kind("LE Long Term Key Request Reply", bytes: 16) { $1.command(0x201A, [0x40, 0] + $0) },
    Kind("LE Add Device To Resolving List", bytes: 16) {
      $1.command(0x2027, [0] + device + $0 + (0..<16).map { 5 * $0 + 1 })
    },
    Kind("LE Create BIG, Broadcast_Code", bytes: 16) {
      $1.command(
        0x2068, [0, 0, 1, 0x10, 0x27, 0, 100, 0, 10, 0, 2, 1, 0, 0, 1] + $0)
    },
    Kind("LE Connection Complete", bytes: 6) {
      $1.event(0x3E, [1, 0, 0x41, 0, 0, 1] + $0 + [0x18, 0, 0, 0, 0x48, 0, 0])
    },
  ]

  /// Core Specification, Vol 3, Part H, 3.6.
  private static let pairing: [Kind] = [
    Kind("Encryption Information", bytes: 16) { $1.l2cap(6, [6] + $0) },
    Kind("Identity Information", bytes: 16) { $1.l2cap(6, [8] + $0) },
    Kind("Identity Address Information", bytes: 6) { $1.l2cap(6, [9, 0] + $0) },
    Kind("Signing Information", bytes: 16) { $1.l2cap(6, [10] + $0) },
  ]

  /// A value that is read by the UUID of its characteristic. Core Specification, Vol 3, Part F, 3.4.4.
  private static func characteristic(_ name: String, _ uuid: UInt16, _ before: [UInt8] = []) -> Kind
  {
    Kind(name) {
      let value = before + $0
      $1.l2cap(
        4, [0x08, 1, 0, 0xFF, 0xFF, UInt8(uuid & 0xFF), UInt8(uuid >> 8)], isReceived: false)
      $1.l2cap(4, [0x09, UInt8(value.count + 2), 0x10, 0] + value)
    }
  }

  /// Assigned Numbers, 3.8; the services' own specifications.
  private static let characteristics = [
    characteristic("Device Name", 0x2A00), characteristic("Serial Number String", 0x2A25),
    characteristic("Email Address", 0x2A87), characteristic("First Name", 0x2A8A),
    characteristic("Media Player Name", 0x2B93), characteristic("Track Title", 0x2B97),
    characteristic("Bearer Provider Name", 0x2BB3),
    characteristic("Incoming Call Target Bearer URI", 0x2BBC, [1]),
    characteristic("Incoming Call", 0x2BC1, [1]), characteristic("Call Friendly Name", 0x2BC2, [1]),
    characteristic("Audio Output Description", 0x2B83),
    characteristic("Audio Input Description", 0x2B7C),
  ]

  /// BlueZ, doc/mgmt-api.txt.
  private static let management: [Kind] = [
    Kind("Set Local Name") {
      $1.add(16, [1, 0, 0, 0, 0x0F, 0] + padded($0, 249) + [UInt8](repeating: 0, count: 11))
    },
    Kind("Local Name Changed") {
      $1.add(17, [1, 0, 0, 0, 0x08, 0] + padded($0, 249) + [UInt8](repeating: 0, count: 11))
    },
    Kind("New Link Key", bytes: 16) {
      $1.add(17, [1, 0, 0, 0, 0x09, 0] + [1] + device + [0] + [4] + $0 + [0])
    },
    Kind("New Long Term Key", bytes: 16) {
      $1.add(
        17,
        [1, 0, 0, 0, 0x0A, 0] + [1] + device + [1] + [0, 1, 16, 1, 2] + [1, 2, 3, 4, 5, 6, 7, 8]
          + $0)
    },
    Kind("New Identity Resolving Key", bytes: 16) {
      $1.add(17, [1, 0, 0, 0, 0x18, 0] + [1] + device + device + [1] + $0)
    },
    Kind("New Signature Resolving Key", bytes: 16) {
      $1.add(17, [1, 0, 0, 0, 0x19, 0] + [1] + device + [1] + [0] + $0)
    },
    Kind("Device Found") {
      let data = ad(9, $0)
      $1.add(
        17,
        [1, 0, 0, 0, 0x12, 0] + device + [1, 0xC0, 0, 0, 0, 0, UInt8(data.count), 0] + data)
    },
  ]

  private static func secret(_ kind: Kind, _ dice: inout Dice) -> [UInt8] {
    if let count = kind.count { return dice.bytes(count) }
    return (0..<12).map { _ in UInt8.random(in: 0x61...0x7A, using: &dice) }
  }

  @Test(arguments: hci + pairing + characteristics + management)
  func noneSurvives(_ kind: Kind) throws {
    var dice = Dice(state: 90)
    for level in RedactionLevel.allCases {
      var capture = MadeCapture()
      let secret = Self.secret(kind, &dice)
      // Not everything is a link's that the capture knows: a packet in front tells of one.
      capture.event(0x3E, [1, 0, 0x40, 0, 0, 1] + Self.device + [0x18, 0, 0, 0, 0x48, 0, 0])
      let traces = PlantedSecretsTests.traces(secret)
      for trace in traces.prefix(traces.count / 2) { capture.event(0xFF, [0x55, 1] + trace) }
      kind.plant(secret, &capture)
      for trace in traces.dropFirst(traces.count / 2) { capture.event(0xFF, [0x55, 2] + trace) }
      let planted = Haystack(capture.bytes)
      #expect(traces.allSatisfy { planted.holds($0) })
      let redacted = try redact(CaptureBytes(capture.bytes, name: "fields"), level)
      let left = Haystack(redacted.bytes)
      for trace in traces where left.holds(trace) {
        Issue.record("\(level): it survives as \(String(decoding: trace, as: UTF8.self))")
      }
    }
  }
}
