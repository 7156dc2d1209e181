import Foundation
import HarkTestSupport
import Testing

/// What an input may take, whatever it unpacks to.
@Suite struct MemoryTests {
  /// A btsnoop file (RFC 1761) of HCI_Number_Of_Completed_Packets events with `filler` more bytes, over and
  /// over.
  static func capture(_ count: Int, filler: Int) -> Data {
    let packet: [UInt8] = [0x04, 0x13, UInt8(1 + filler), 0] + [UInt8](repeating: 0, count: filler)
    let size = UInt8(packet.count)
    let record: [UInt8] =
      [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0xE1, 0x24, 0, 0, 0, 0, 0] + packet
    var data = Data("btsnoop\0".utf8) + Data([0, 0, 0, 1, 0, 0, 0x03, 0xEA])
    let block = Data(repeatElement(record, count: 1_000).joined())
    for _ in 0..<(count / 1_000) { data += block }
    return data
  }

  /// 22 MB that pack to a hundredth: more than 64 MiB of memory allow, less than the usual limit.
  @Test func unpacksToTooMuch() throws {
    let folder = try TestFolder()
    try Self.capture(100_000, filler: 200).write(to: folder.url.appending(path: "a.btsnoop"))
    _ = try OtherProgram.run("/usr/bin/env", ["gzip", "-9", folder.path("a.btsnoop")])
    let path = folder.path("a.btsnoop.gz")
    let (text, stated, code) = try HarkProgram.run("info", path, "--memory", "64M")
    #expect(code == 2)
    #expect(
      stated.last?.contains(
        "decompress to more than a capture would, and hark reads no further: set a larger limit")
        == true)
    #expect(text.contains("packets"))
    let whole = try HarkProgram.run("info", path)
    #expect(whole.code == 0 && whole.stated.isEmpty)
  }

  /// What is kept of packets may not take more than was allowed.
  @Test func holdsNoMore() throws {
    let folder = try TestFolder()
    try Self.capture(1_500_000, filler: 0).write(to: folder.url.appending(path: "a.btsnoop"))
    let (_, stated, code) = try HarkProgram.run("info", folder.path("a.btsnoop"), "--memory", "64M")
    #expect(code == 2)
    #expect(
      stated.last?.contains(
        "hark reached its memory limit (64 MiB) and stopped reading: set a larger limit with --memory"
      )
        == true)
  }

  /// Files that are read as a whole end where the memory does, also a pipe or device without end.
  @Test func wholeFilesThatDoNotEnd() throws {
    let folder = try TestFolder()
    let (_, stated, code) = try HarkProgram.run(
      "redact", Project.capture("formats/h4.btsnoop"), folder.path("out.btsnoop"), "--map",
      "/dev/zero", "--memory", "64M")
    #expect(code == 1)
    #expect(
      stated.contains { $0.contains("/dev/zero: hark reached its memory limit (64 MiB)") },
      "\(stated)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.btsnoop")))
  }

  @Test(arguments: [
    ("1k", "--memory must be at least 64M, not '1k'"),
    ("x", "--memory takes a size such as 2G, not 'x'"),
  ])
  func sizes(_ text: String, _ complaint: String) throws {
    let (_, stated, code) = try HarkProgram.run(
      "info", Project.capture("formats/h4.btsnoop"), "--memory", text)
    #expect(code == 64)
    #expect(stated.joined().contains(complaint))
  }

  /// A folder that holds far more than layouts is reported, and the command continues without it.
  @Test func foldersThatDoNotEnd() throws {
    let folder = try TestFolder()
    for number in 0..<20_001 {
      _ = FileManager.default.createFile(atPath: folder.path("\(number)"), contents: nil)
    }
    let root = folder.url.path()
    let (_, stated, code) = try HarkProgram.run(
      "info", Project.capture("formats/h4.btsnoop"), "--dissectors", root)
    #expect(code == 0)
    #expect(
      stated.filter {
        $0.contains(": more than 20000 files and folders; name the folder with the layouts")
      }
      .count == 1)
  }
}

/// Names and texts of a capture can do nothing to whoever reads what hark writes, whatever the form.
@Suite struct HazardousTextTests {
  /// A C1 control character, a mark of direction and the end of a line; in UTF-8.
  private static let hazard = "N\u{9B}31m\u{202E}txt\u{2028}\u{2066}end"

  /// A connection with a device of that name, which it gives in its advertising, when it is asked for it, and
  /// as the value of Device Name.
  private static func capture() -> Data {
    let name = Array(hazard.utf8)
    func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
      [4, code, UInt8(parameters.count)] + parameters
    }
    let address: [UInt8] = [1, 2, 3, 4, 5, 0xC6]
    let data = [UInt8(name.count + 1), 9] + name
    var value: [UInt8] = [0x0B] + name
    value = [UInt8(value.count), 0, 4, 0] + value
    let packets: [[UInt8]] = [
      event(0x3E, [2, 1, 0, 1] + address + [UInt8(data.count)] + data + [0xC4]),
      event(0x3E, [1, 0, 1, 0, 0, 1] + address + [24, 0, 0, 0, 0xF4, 1, 0]),
      event(0x07, [0] + address + name + [UInt8](repeating: 0, count: 248 - name.count)),
      [2, 1, 0, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0],
      [2, 1, 0x20, UInt8(value.count), 0] + value,
      event(0x05, [0, 1, 0, 0x13]),
    ]
    var data2 = Data("btsnoop\0".utf8) + Data([0, 0, 0, 1, 0, 0, 0x03, 0xEA])
    for (number, packet) in packets.enumerated() {
      let flags: UInt8 = packet[0] == 4 ? 3 : number == 3 ? 0 : 1
      let size = UInt8(truncatingIfNeeded: packet.count)
      let high = UInt8(packet.count >> 8)
      data2 += Data([0, 0, high, size, 0, 0, high, size, 0, 0, 0, flags, 0, 0, 0, 0])
      data2 += Data([0, 0xE1, 0x24, 0, 0, 0, 0, UInt8(number)]) + Data(packet)
    }
    return data2
  }

  @Test(arguments: [
    "timeline", "timeline -f json", "packets", "packets -f json", "packets -e hci.evt.remoteName",
    "show 3",
    "show 3 -f json", "gatt", "gatt -f json", "info", "info -f json", "streams", "streams -f json",
    "findings", "findings -f json", "findings -f sarif", "findings -f junit", "doctor",
    "doctor -f json",
    "report -f html -o -", "report -f md -o -", "report -f json -o -", "packets -f tsv",
    "packets -Y 'text contains \"N\"'",
  ])
  func outputs(_ command: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a.btsnoop")
    try Self.capture().write(to: URL(filePath: path))
    var words = HarkProgram.words(command)
    words.insert(path, at: 1)
    let text = try HarkProgram.transcript(words)
    #expect(!text.hasSuffix("? 64\n"), "\(text)")
    let found = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n" && scalar != "\t"
      case .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isBidiControl
      }
    }
    #expect(found.isEmpty, "\(found.map { String($0.value, radix: 16) })")
  }
}
