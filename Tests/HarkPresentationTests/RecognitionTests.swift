import Foundation
import HarkCapture
import HarkCore
import HarkProfile
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// Attributes that no discovery shows, and whose values prove what they are. What the messages say is that of the
/// whole sample, which others than hark generated (ORIGIN.md of the samples).
@Suite struct RecognitionTests {
  private struct Heard {
    var opened = 0
    var locked = 0
    var recognized: [(handle: UInt16, uuid: BluetoothUUID)] = []
    var sentences: [String] = []
  }

  /// Reads the records that `isKept` keeps.
  private static func hear(
    _ name: String, _ isKept: (borrowing CaptureRecord) -> Bool
  ) throws -> Heard {
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session(keys: try Sample.keys(name), framings: .known)
    var heard = Heard()
    func take(_ session: borrowing Session) {
      for event in session.events {
        switch event.content {
        case .accessory(let accessory):
          guard case .message(let message) = accessory.content else { continue }
          if message.opened != nil { heard.opened += 1 } else { heard.locked += 1 }
        case .attribute(.recognized(let one)):
          heard.recognized.append((one.handle, one.uuid))
          heard.sentences.append(one.evidence.words)
        default: continue
        }
      }
    }
    _ = capture.forEachRecord { record, bytes in
      if isKept(record) { session.index(record, bytes) }
      take(session)
      session.dropEvents()
      return true
    }
    session.finish()
    take(session)
    return heard
  }

  /// The packets that discovery came in, and what it says about each handle.
  private static func discovery(
    _ name: String
  ) throws -> (packets: Set<UInt32>, types: [UInt16: Set<BluetoothUUID>]) {
    let capture = try Capture(path: Sample.path(name, Sample.firstFile(name)))
    var session = Session(framings: .known)
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      return true
    }
    var packets: Set<UInt32> = []
    var types: [UInt16: Set<BluetoothUUID>] = [:]
    let databases = session.databases
    for database in databases.values {
      packets.formUnion(database.services.values.map(\.frame.number))
      packets.formUnion(database.descriptors.values.map(\.frame.number))
      for one in database.characteristics.values {
        packets.insert(one.frame.number)
        types[one.handle, default: []].insert(one.uuid)
      }
    }
    return (packets, types)
  }

  /// From the encapsulated key on, and nothing but data: the link has no beginning, address or name.
  @Test func fromSessionMessage() throws {
    let whole = try Self.hear("pebble-session") { _ in true }
    #expect(whole.opened > 8 && whole.locked == 0 && whole.recognized.isEmpty)
    // #151 is the first packet with the encapsulated key, as tshark has it (value of 103 octets).
    let late = try Self.hear("pebble-session") { $0.number >= 151 && $0.kind == .acl }
    #expect(late.opened == whole.opened)
    #expect(late.locked == 0)
    let types = try Self.discovery("pebble-session").types
    #expect(late.recognized.count == 2)
    for one in late.recognized { #expect(types[one.handle]?.contains(one.uuid) == true) }
    #expect(
      late.sentences.first == "an encapsulated key of P-256 (65 bytes) in 1 value of this form")
  }

  /// Without the packets of discovery.
  @Test func withoutDiscovery() throws {
    let name = "pebble-session"
    let known = try Self.discovery(name)
    let whole = try Self.hear(name) { _ in true }
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    #expect(whole.opened > 0)
    #expect(late.opened == whole.opened)
    #expect(!late.recognized.isEmpty)
    for one in late.recognized { #expect(known.types[one.handle]?.contains(one.uuid) == true) }
  }

  /// ANCS of a phone, whose characteristics Apple's specification names, without their discovery.
  @Test func notificationCenter() throws {
    let name = "ancs-session"
    let known = try Self.discovery(name)
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    let found = Dictionary(uniqueKeysWithValues: late.recognized.map { ($0.uuid, $0.handle) })
    let expected = [
      "9FBF120D-6301-42D9-8C58-25E699A21DBD", "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9",
      "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB",
    ].compactMap { BluetoothUUID($0) }
    #expect(Set(found.keys) == Set(expected))
    for (uuid, handle) in found { #expect(known.types[handle]?.contains(uuid) == true) }
  }

  /// AMS of a phone: a list of commands, and updates of what was asked for.
  @Test func mediaService() throws {
    let name = "ams-session"
    let known = try Self.discovery(name)
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    let found = Dictionary(uniqueKeysWithValues: late.recognized.map { ($0.uuid, $0.handle) })
    let expected = [
      "9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2", "2F7CABCE-808D-411F-9A0C-BB92BA96C102",
    ].compactMap { BluetoothUUID($0) }
    #expect(Set(found.keys) == Set(expected))
    for (uuid, handle) in found { #expect(known.types[handle]?.contains(uuid) == true) }
  }

  /// NotifBridge: a private key and an encapsulated key of X-Wing, each in many values between two sentinels.
  @Test(arguments: ["notifbridge-v1", "notifbridge-v0"])
  func betweenSentinels(_ name: String) throws {
    let known = try Self.discovery(name)
    let whole = try Self.hear(name) { _ in true }
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    #expect(whole.opened > 0)
    #expect(late.opened == whole.opened)
    #expect(!late.recognized.isEmpty)
    let service = Set(known.types.filter { $0.key >= 0x1D }.map(\.key))
    for one in late.recognized { #expect(service.contains(one.handle)) }
    let first = try #require(late.recognized.first)
    #expect(known.types[first.handle]?.contains(first.uuid) == true)
    #expect(late.sentences.first?.contains("of X-Wing (1216 bytes) in ") == true)
  }

  /// No sample is said to have an attribute that it does not have, whatever discovery it lacks.
  @Test(arguments: Sample.all + Sample.profiles)
  func nothingWrong(_ name: String) throws {
    let known = try Self.discovery(name)
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    for one in late.recognized {
      let types = known.types[one.handle] ?? []
      // The attributes of NotifBridge have messages of one form: its sentence says so.
      let isAlike = name.hasPrefix("notifbridge") && types.contains { $0.isOf(one.uuid) }
      #expect(
        types.contains(one.uuid) || isAlike,
        "\(Hex.text([UInt8(one.handle >> 8), UInt8(one.handle & 0xFF)]))")
    }
    let services = [
      "pebble", "notifbridge", "ancs", "ams",
    ]
    if !services.contains(where: name.hasPrefix) { #expect(late.recognized.isEmpty) }
  }

  // MARK: By hand

  /// Packets of one LE link that begins in the middle; returns handles and types that are recognized.
  private static func hear(_ pdus: [(isReceived: Bool, pdu: [UInt8], seconds: Int)]) -> Heard {
    var session = Session(framings: .known)
    var heard = Heard()
    for (number, one) in pdus.enumerated() {
      let frame = [UInt8(one.pdu.count), 0, 4, 0] + one.pdu
      let bytes = [0x40, one.isReceived ? 0x20 : 0, UInt8(frame.count), 0] + frame
      var record = CaptureRecord()
      (record.kind, record.number) = (.acl, UInt32(number + 1))
      record.direction = one.isReceived ? .controllerToHost : .hostToController
      record.time = Timestamp(nanoseconds: Int64(one.seconds) * 1_000_000_000)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      for event in session.events {
        guard case .attribute(.recognized(let one)) = event.content else { continue }
        heard.recognized.append((one.handle, one.uuid))
        heard.sentences.append(one.evidence.words)
      }
      session.dropEvents()
    }
    return heard
  }

  /// A mouse of USB's HID 1.11, Appendix E.10: three bytes of input. The MTU is larger than the descriptor.
  private static let mouse: [UInt8] = [
    0x05, 0x01, 0x09, 0x02, 0xA1, 0x01, 0x09, 0x01, 0xA1, 0x00, 0x05, 0x09, 0x19, 0x01, 0x29, 0x03,
    0x15, 0x00, 0x25, 0x01, 0x95, 0x03, 0x75, 0x01, 0x81, 0x02, 0x95, 0x01, 0x75, 0x05, 0x81, 0x01,
    0x05, 0x01, 0x09, 0x30, 0x09, 0x31, 0x15, 0x81, 0x25, 0x7F, 0x75, 0x08, 0x95, 0x02, 0x81, 0x06,
    0xC0, 0xC0,
  ]

  private static func reading(_ value: [UInt8]) -> [(isReceived: Bool, pdu: [UInt8], seconds: Int)]
  {
    [
      (false, [0x02, 0x80, 0x00], 0), (true, [0x03, 0x80, 0x00], 0),
      (false, [0x0A, 0x21, 0x00], 1),
      (true, [0x0B] + value, 1), (true, [0x1B, 0x25, 0x00, 0x00, 0x05, 0xFB], 2),
      (true, [0x1B, 0x29, 0x00, 0x00, 0x05], 3),
    ]
  }

  @Test func reportMap() {
    let heard = Self.hear(Self.reading(Self.mouse))
    #expect(heard.recognized.map(\.handle) == [0x21, 0x25])
    #expect(
      heard.recognized.map(\.uuid) == [
        BluetoothUUID(0x2A4B as UInt16), BluetoothUUID(0x2A4D as UInt16),
      ])
    #expect(
      heard.sentences == [
        "a value that is a whole report descriptor (50 bytes)",
        "3 bytes, like an input report of the descriptor at 0x0021",
      ])
  }

  /// Each prefix of it, each byte of it changed so that the collections do not match, and another value.
  @Test func noReportMap() {
    for count in 1..<Self.mouse.count {
      #expect(
        Self.hear(Self.reading(Array(Self.mouse.prefix(count)))).recognized.isEmpty, "\(count)")
    }
    for place in [4, 8, 48, 49] {
      var other = Self.mouse
      other[place] = 0x05
      #expect(Self.hear(Self.reading(other)).recognized.isEmpty, "\(place)")
    }
    #expect(Self.hear(Self.reading(Array(1...60))).recognized.isEmpty)
  }

  /// SEC 2, 2.4.2: the generator of P-256, and twice the same as NIST's test vectors have it.
  private static let point = octets(
    "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
      + "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5")
  private static let otherPoint = octets(
    "7CF27B188D034F7E8A52380304B51AC3C08969E277F21B35A60B48FC47669978"
      + "07775510DB8ED040293D9AC69F7430DBBA7DADE63CE982299E04B79D227873D1")

  private static func octets(_ digits: String) -> [UInt8] { Hex.bytes(digits) ?? [] }

  private static func notified(_ value: [UInt8]) -> (isReceived: Bool, pdu: [UInt8], seconds: Int) {
    (true, [0x1B, 0x21, 0x00] + value, 1)
  }

  private static func written(_ value: [UInt8]) -> (isReceived: Bool, pdu: [UInt8], seconds: Int) {
    (false, [0x52, 0x24, 0x00] + value, 2)
  }

  /// Any vendor may put a byte before Apple's form of a public key, as Pebble does: only Pebble's session message
  /// shows whose it is (kind 02, 65 bytes, a length and the phone's identifier, as in dissectors/pebble).
  @Test func publicKeyAlone() {
    let key = Self.notified([1] + Self.point)
    let others = (0..<8).map { Self.written([3, $0, 0xAA, 0xBB, $0]) }
    #expect(Self.hear([key] + others).recognized.isEmpty)
    let identifier = Array("6F1C2B7A-1F33-4D11-9E61-0B5D2C1A77E1".utf8)
    // Another kind, an identifier without its length, and a length that is too great.
    for session in [
      [5, 4] + Self.otherPoint + [36] + identifier, [2, 4] + Self.otherPoint + identifier,
      [2, 4] + Self.otherPoint + [37] + identifier,
      [2, 4] + Self.point.reversed() + [36] + identifier,
    ] {
      #expect(Self.hear([key, Self.written(session)] + others).recognized.isEmpty)
    }
    let heard = Self.hear([key, Self.written([2, 4] + Self.otherPoint + [36] + identifier)])
    #expect(heard.recognized.map(\.handle) == [0x21, 0x24])
    #expect(
      heard.sentences == [
        "a public key of P-256 (64 bytes) in 1 value of this form",
        "an encapsulated key of P-256 (65 bytes) in 1 value of this form",
      ])
  }

  /// Four falls by one, minutes apart, as also a temperature has them: `BatteryRecognitionTests` has what proves more.
  @Test func fallingValue() {
    let levels: [UInt8] = [90, 90, 89, 88, 87, 86, 85]
    let heard = Self.hear(
      levels.enumerated().map {
        (true, [0x1B, 0x31, 0x00, $0.element], $0.offset * 90 + ($0.offset > 3 ? 30 : 0))
      })
    #expect(heard.recognized.isEmpty)
  }
}

extension BluetoothUUID {
  /// Whether it has the same digits but for the last octet, as characteristics of one vendor mostly do.
  fileprivate func isOf(_ other: BluetoothUUID) -> Bool {
    "\(self)".dropLast(2) == "\(other)".dropLast(2)
  }
}
