import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkSession
import Testing

@testable import HarkPresentation

@Suite struct GATTTests {
  /// The handles that the generator's server gave its characteristics, and what was read of them.
  @Test(arguments: Sample.all)
  func database(_ name: String) throws {
    let gatt = try #require(Sample.truth(name)["gatt"] as? [String: Any])
    let handles = try #require(gatt["handles"] as? [String: Int])
    let session = try Sample.read(name, Sample.firstFile(name)) { _, _ in }
    let key = try #require(GATTReport.keys(session).first)
    let rows = GATTReport.rows(try #require(session.databases[key]), session)
    for (attribute, handle) in handles {
      let uuid = try #require(BluetoothUUID(attribute.prefix { $0 != " " }))
      let row = try #require(rows.first { $0.depth == 1 && Int($0.handle) == handle })
      #expect(row.type == uuid)
      #expect(row.proof.hasPrefix("#"))
    }
    #expect(rows.count { $0.depth == 1 } == handles.count)
    for (attribute, value) in gatt["read"] as? [String: String] ?? [:] {
      let uuid = try #require(BluetoothUUID(attribute))
      let use = try #require(rows.first { $0.type == uuid }?.use)
      #expect(use.reads > 0)
      #expect(value.hasPrefix(Hex.text(use.lastValue)))
      #expect(use.lastCount == value.utf8.count / 2)
    }
  }

  /// The accessory of the sample notifies one characteristic, and the phone writes another.
  @Test func lastOperations() throws {
    let name = "pebble-session"
    let session = try Sample.read(name, Sample.firstFile(name)) { _, _ in }
    var out = TextBuffer()
    GATTReport().writeJSON(session, to: &out)
    for operation in ["read", "write", "notification"] {
      #expect(out.string.contains("\"last_operation\":\"\(operation)\""))
    }
  }

  @Test func nothingToShow() {
    let session = Session()
    var out = TextBuffer()
    GATTReport().write(session, to: &out)
    #expect(out.string == "No GATT attribute was discovered or used in this capture.\n")
  }

  /// Attributes in use whose discovery is missing are shown as such: here the capture begins when
  /// discovery is over.
  @Test func undiscovered() throws {
    let capture = try Capture(path: Sample.path("pebble-session", "pebble-session.btsnoop"))
    var session = Session()
    _ = capture.forEachRecord { record, bytes in
      if record.number > 143 { session.index(record, bytes) }
      return true
    }
    session.finish()
    let key = try #require(GATTReport.keys(session).first)
    let rows = GATTReport.rows(try #require(session.databases[key]), session)
    #expect(!rows.contains { !$0.isUndiscovered })
    #expect(rows.filter { $0.depth > 0 }.allSatisfy { $0.certainty == .inferred })
    #expect(rows.compactMap(\.use).map(\.notifications).reduce(0, +) == 3)
    #expect(rows.compactMap(\.use).map(\.writes).reduce(0, +) == 14)
    #expect(GATTReport.title(key, session).hasPrefix("unknown device on link 0x0001"))
  }

  /// After a reconnect the phone uses what it remembers, and so does hark: it says so.
  @Test func borrowed() throws {
    let session = try Sample.read("pebble-reboot", "pebble-reboot.btsnoop") { _, _ in }
    let key = try #require(GATTReport.keys(session).first)
    let rows = GATTReport.rows(try #require(session.databases[key]), session)
    let borrowed = rows.filter { $0.certainty == .borrowed }
    #expect(!borrowed.isEmpty)
    #expect(borrowed.allSatisfy { $0.use != nil && $0.proof.hasPrefix("#") })
    #expect(rows.contains { $0.certainty == .seen && $0.use != nil })
    var (text, json) = (TextBuffer(), TextBuffer())
    GATTReport().write(session, to: &text)
    GATTReport().writeJSON(session, to: &json)
    #expect(text.string.split(separator: " borrowed\n").count == borrowed.count + 1)
    #expect(json.string.split(separator: "\"borrowed\"").count == borrowed.count + 1)
  }

  @Test func properties() {
    #expect(GATTReport.properties(0x12) == ["read", "notify"])
    #expect(GATTReport.properties(0xFF).count == 8)
    #expect(GATTReport.properties(0).isEmpty)
  }

  @Test func json() throws {
    var out = TextBuffer()
    let session = try Sample.read("pebble-session", "pebble-session.btsnoop") { _, _ in }
    GATTReport().writeJSON(session, to: &out)
    let object = try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any]
    let databases = try #require(object?["databases"] as? [[String: Any]])
    #expect(databases.count == 1)
    #expect((databases[0]["services"] as? [Any])?.count == 5)
    #expect((databases[0]["characteristics"] as? [Any])?.count == 13)
  }

  // MARK: Several clients

  /// HCI_LE_Connection_Complete: link 0x0040 of 11:22:33:44:55:66, link 0x0041 of 66:55:44:33:22:11; this host is the
  /// Peripheral. Vol 4, Part E, 7.7.65.1
  private static let connected = [
    "3e 13 01 00 4000 01 00 665544332211 1800 0000 4800 00",
    "3e 13 01 00 4100 01 00 112233445566 1800 0000 4800 00",
  ]
  /// ATT_FIND_INFORMATION_REQ and RSP: handle 4 is a Client Characteristic Configuration. Vol 3, Part F, 3.4.3.1
  private static let discovery = ["<40 04 0400 0400", ">40 05 01 0400 0229"]

  /// Events, and ATT PDUs of a link (`<` received, `>` sent).
  private func session(_ packets: [String]) -> Session {
    var session = Session()
    for (index, packet) in packets.enumerated() {
      var bytes = Hex.bytes(String(packet.drop { "<>".contains($0) })) ?? []
      var record = CaptureRecord()
      (record.kind, record.direction) = (.event, .controllerToHost)
      if let sign = packet.first, "<>".contains(sign) {
        let isReceived = sign == "<"
        let pdu = [UInt8(bytes.count - 1), 0, 4, 0] + bytes.dropFirst()
        bytes = [bytes[0], isReceived ? 0x20 : 0x00, UInt8(pdu.count), 0] + pdu
        record.kind = .acl
        record.direction = isReceived ? .controllerToHost : .hostToController
      }
      record.time = Timestamp(nanoseconds: Int64(index) * 100_000_000)
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      session.dropEvents()
    }
    session.finish()
    return session
  }

  private func clients(_ session: borrowing Session) throws -> [[String]] {
    var out = TextBuffer()
    GATTReport().writeJSON(session, to: &out)
    let object = try JSONSerialization.jsonObject(with: Data(out.bytes)) as? [String: Any]
    let databases = try #require(object?["databases"] as? [[String: Any]])
    let descriptors = databases.flatMap { $0["descriptors"] as? [[String: Any]] ?? [] }
    let uses = descriptors.compactMap { $0["use"] as? [String: Any] }
    return uses.flatMap { $0["clients"] as? [[String: Any]] ?? [] }.map { client in
      ["client", "link", "last_value", "last_frame"].map { "\(client[$0] ?? "")" }
    }
  }

  /// A server has a value for each client. Vol 3, Part G, 3.3.3.3
  @Test func configurationOfEachClient() throws {
    let session = session(
      Self.connected + Self.discovery + [
        "<40 12 0400 0100", ">40 13", "<41 12 0400 0200", ">41 13", "<40 12 0400 0000", ">40 13",
      ])
    #expect(
      try clients(session) == [
        ["66:55:44:33:22:11", "2", "0200", "7"], ["11:22:33:44:55:66", "1", "0000", "9"],
      ])
    var out = TextBuffer()
    GATTReport().write(session, to: &out)
    let lines = out.string.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.contains("3 writes (#5–9)"))
    #expect(lines.contains("client 66:55:44:33:22:11 (#7): 0x0002: Indication"))
    #expect(lines.contains { $0.hasPrefix("client 11:22:33:44:55:66 (#9): 0x0000") })
  }

  /// Writes before the discovery count, too, and so do values that a client read.
  @Test func configurationBeforeTheDiscovery() throws {
    let session = session(
      Self.connected + ["<40 12 0400 0100", ">40 13", "<41 0a 0400", ">41 0b 0000"]
        + Self.discovery)
    #expect(
      try clients(session) == [
        ["11:22:33:44:55:66", "1", "0100", "3"], ["66:55:44:33:22:11", "2", "0000", "6"],
      ])
  }

  /// The same client on two links, and other attributes.
  @Test(arguments: [
    ["<40 12 0400 0100", ">40 13"],
    ["<40 12 0400 0100", ">40 13", "05 04 00 4000 13", connected[0], "<40 12 0400 0000", ">40 13"],
    ["<40 12 0500 0100", ">40 13", "<41 12 0500 0200", ">41 13"],
  ]) func oneConfiguration(_ packets: [String]) throws {
    let session = session(Self.connected + Self.discovery + packets)
    #expect(try clients(session) == [])
  }
}
