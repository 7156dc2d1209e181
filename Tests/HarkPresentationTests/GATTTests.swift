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
}
