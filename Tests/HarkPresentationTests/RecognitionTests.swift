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

  /// The packets that discovery came in, and what it says of each handle.
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

  /// Values of other services have no such attributes.
  @Test(arguments: ["ams-session", "tutorial", "coc-session", "notifbridge-v1"])
  func nothing(_ name: String) throws {
    let known = try Self.discovery(name)
    let late = try Self.hear(name) { !known.packets.contains($0.number) }
    #expect(late.recognized.isEmpty)
  }
}
