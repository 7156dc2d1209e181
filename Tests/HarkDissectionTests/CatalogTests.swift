import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkDissection

@Suite struct CatalogTests {
  static let sources = Project.root.appending(path: "Sources/HarkDissection")

  /// A protocol is a file and a line in the catalog: no one forgets the line.
  @Test func everyDissectorIsInTheCatalog() throws {
    let catalog = try String(
      contentsOf: Self.sources.appending(path: "Catalog.swift"), encoding: .utf8)
    let files = FileManager.default.enumerator(
      at: Self.sources.appending(path: "Protocols"), includingPropertiesForKeys: nil)
    var count = 0
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?:enum|struct) (\w+): (?:Message)?Dissector {/) {
        count += 1
        #expect(catalog.contains("Entry(\(match.1).self)"), "\(match.1) is not in the catalog")
      }
    }
    #expect(count == Catalog.shared.entries.count)
  }

  @Test func pathsAreUniqueOrShareTheirName() {
    var names: [String: String] = [:]
    for (path, field, _) in Catalog.shared.paths {
      let name = field.name.description
      #expect(names[path] == nil || names[path] == name, "\(path): \(name), \(names[path] ?? "")")
      names[path] = name
    }
  }

  /// What a Result means depends on the command, and every record kind of the monitor may have an
  /// address: one path for all of them.
  @Test func sharedPaths() {
    func fields(_ path: String) -> Set<Field> {
      Set(Catalog.shared.paths.filter { $0.path == path }.map(\.field))
    }
    #expect(fields("l2cap.signal.result").count == 9)
    #expect(fields("l2cap.signal.mtu").count == 1)
    #expect(fields("monitor.address") == [MonitorRecord.shared.address])
  }

  /// Those that are known without a search are those that a search finds.
  @Test func fieldsOfHCI() {
    func fields(_ path: String) -> [Field] { Catalog.shared.fields(at: path) }
    #expect(fields("hci.evt.code").first == HCIFields.eventCode)
    #expect(fields("hci.cmd.opcode").first == HCIFields.commandOpcode)
    #expect(Set(fields("hci.evt.status")) == [HCIFields.status])
    let handles = ["cmd", "evt", "acl", "sco", "iso"].flatMap { fields("hci.\($0).handle") }
    #expect(Set(handles) == Set(HCIFields.handles))
    let phys = fields("hci.evt.txPHY").map { $0.definition.names.mapValues(\.description) }
    #expect(phys == [HCICodes.phys.mapValues(\.description)])
  }

  /// The last protocol at a place would win and hide the other.
  @Test func placesAreTakenOnce() {
    let places = Catalog.shared.entries.flatMap(\.places)
    #expect(Set(places).count == places.count)
  }

  @Test func everyPlaceIsFound() {
    for entry in Catalog.shared.entries {
      for place in entry.places {
        #expect(Catalog.shared[place]?.layer == entry.layer)
      }
    }
  }

  /// Each packet copies a context: more than 128 bytes would take a call.
  @Test func contextIsSmall() { #expect(MemoryLayout<Context>.size <= 128) }
}
