import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors list`, whichever layouts and profiles are built in.
@Suite struct DissectorsListTests {
  @Test func listsWhatIsBoundAndWhere() throws {
    let output = try HarkProgram.transcript(
      ["dissectors", "list", "--dissectors", "Tests/Layouts/good"])
    let lines = output.split(separator: "\n").map(String.init)
    let folder = Project.root.appending(path: "dissectors").path
    let profiles = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix("profile.yaml") }
    #expect(lines.count { $0.hasSuffix("\tbuilt in") } == profiles.count)
    let place = "GATT characteristic 5000000"
    let end = "-328E-0FBB-C642-1AA6699BDADA"
    #expect(
      lines.contains("pebble\tprofile\t\(place)2\(end), \(place)1\(end)\tbuilt in"))
    #expect(
      lines.suffix(2) == [
        "pebble_transport\tlayout\t\(place)1\(end), \(place)2\(end)\t"
          + "Tests/Layouts/good/pebble_transport.ksy",
        "? 0",
      ])
  }
}
