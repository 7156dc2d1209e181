import Foundation
import Testing

@testable import HarkDissection

/// What `hark fields` lists is what some packet has. A field is listed under a path where no packet has it if
/// no one reads it, or if it is of a structure that several protocols share and only others of them read it.
@Suite struct FieldReachTests {
  /// Each field that a protocol declares is named a second time: where it is read.
  @Test func eachIsRead() throws {
    let files = try #require(
      FileManager.default.enumerator(at: CatalogTests.sources, includingPropertiesForKeys: nil))
    var words: [Substring: Int] = [:]
    var declared: Set<Substring> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      for line in lines where !line.contains("//") {
        for match in line.matches(of: /[A-Za-z_][A-Za-z0-9_]*/) {
          words[match.0, default: 0] += 1
        }
        if let match = line.firstMatch(of: /let ([A-Za-z0-9_]+) = Field\(/) {
          declared.insert(match.1)
        }
      }
    }
    #expect(declared.count > 2_000)
    #expect(declared.filter { words[$0, default: 0] < 2 }.sorted() == [])
  }

  /// Vol 4, Part E, 7.8.10 and 7.7.65.2: LE_Scan_Interval is a parameter of commands, RSSI of reports.
  /// Public Broadcast Profile 1.0, 5.1, and BASS 1.0, 3.1: metadata, and no codec.
  @Test(arguments: [
    ("hci.cmd.scanInterval", "hci.evt.scanInterval"), ("hci.evt.rssi", "hci.cmd.rssi"),
    ("base.samplingFrequency", "pba.samplingFrequency"),
    ("pacs.supportedSamplingFrequencies", "ascs.supportedSamplingFrequencies"),
    ("base.codec", "bass.codec"),
  ])
  func sharedOnesAreListedWhereTheyAre(_ listed: String, _ other: String) {
    let paths = Set(Catalog.shared.paths.map(\.path))
    #expect(paths.contains(listed))
    #expect(!paths.contains(other))
  }
}
