import Foundation
import HarkTestSupport
import Testing

/// A packet that matches a filter shows where, if its line does not.
@Suite struct FilterHitTests {
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")

  private static func lines(_ filter: String, _ path: String = capture) throws -> [String] {
    let found = try HarkProgram.run("packets", path, "-Y", filter)
    #expect(found.code == 0, "\(found.stated)")
    return found.text.split(separator: "\n").map(String.init)
  }

  /// A value longer than the line shows, in an ATT notification.
  @Test func showsWhatTheLineCuts() throws {
    let folder = try TestFolder()
    let path = try Self.capture(holding: String(repeating: "x", count: 40) + "Bearer abc", folder)
    let lines = try Self.lines("frame contains \"Bearer\"", path)
    try #require(lines.count == 2, "\(lines)")
    // Header of ACL and L2CAP 4 + 4, opcode and handle 3, 40 letters.
    #expect(
      lines[1].trimmingCharacters(in: .whitespaces).hasPrefix("match in att.value at byte 51: "))
    #expect(lines[1].contains("xBearer abc\""))
    let same = try Self.lines("att.value matches \"bearer [a-z]+\"", path)
    #expect(same.count == 2 && same[1].contains("Bearer abc"))
    // Tables and JSON have no such lines.
    let json = try HarkProgram.run(
      "packets", path, "-Y", "frame contains \"Bearer\"", "--format", "json")
    #expect(json.text.split(separator: "\n").count == 1)
  }

  @Test func showsNothingTwice() throws {
    let folder = try TestFolder()
    let path = try Self.capture(holding: "Bearer", folder)
    // 426561726572 is in the line.
    #expect(try Self.lines("frame contains \"Bearer\"", path).count == 1)
    #expect(try Self.lines("att.handle == 0x0010", path).count == 1)
  }

  /// btsnoop with an ATT notification of handle 0x0010 on connection 0x0040.
  private static func capture(holding text: String, _ folder: TestFolder) throws -> String {
    let value = Array(text.utf8)
    let att = [0x1B, 0x10, 0x00] + value
    let l2cap = [UInt8(att.count), 0, 4, 0] + att
    let acl: [UInt8] = [0x02, 0x40, 0x20, UInt8(l2cap.count), 0] + l2cap
    func big(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let record =
      big(acl.count, 4) + big(acl.count, 4) + big(1, 4) + big(0, 4)
      + big(0x00E0_3AB4_4A67_6000 + 1, 8) + acl
    let file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4) + record
    try Data(file).write(to: folder.url.appending(path: "a.btsnoop"))
    return folder.path("a.btsnoop")
  }
}
