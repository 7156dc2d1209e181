import Foundation
import HarkTestSupport
import Testing

/// `-hark-stream` at an attribute: messages over several notifications, and several in one.
@Suite struct AttributeStreamTests {
  /// A length of two octets, then so many: total is that and 3, with a type in front.
  private static let layout = """
    meta:
      id: sensor
      endian: be
    -hark-attach:
      - gatt-handle: 0x0031
      - gatt-handle: 0x0033
    -hark-stream:
      header: 3
      total: len_body + 3
    seq:
      - id: kind
        contents: [0xa5]
      - id: len_body
        type: u2
      - id: body
        size: len_body
        type: str
        encoding: ASCII
    """

  private static func message(_ text: String) -> [UInt8] {
    [0xA5, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static func run(
    _ values: [(isReceived: Bool, bytes: [UInt8])], _ arguments: [String]
  ) throws -> String {
    let folder = try TestFolder()
    let layouts = folder.path("layouts")
    try FileManager.default.createDirectory(atPath: layouts, withIntermediateDirectories: true)
    try layout.write(toFile: layouts + "/sensor.ksy", atomically: true, encoding: .utf8)
    let path = try AttributeValues.capture(values, named: "stream", in: folder)
    let words = [arguments[0], path] + arguments.dropFirst() + ["--dissectors", layouts]
    return try OtherProgram.run(HarkProgram.url.path, words).text
  }

  /// “one” and the beginning of “second” in the first value, its middle in the next, its end with “3” in the last; between
  /// them a message of the other side.
  private static var pieces: [(isReceived: Bool, bytes: [UInt8])] {
    let stream = message("one") + message("second") + message("3")
    return [
      (true, Array(stream[..<8])), (false, message("ask")), (true, Array(stream[8..<11])),
      (true, Array(stream[11...])),
    ]
  }

  @Test func messages() throws {
    let first = try Self.run(Self.pieces, ["show", "1"])
    #expect(first.contains("body: \"one\""), "\(first)")
    #expect(!first.contains("second") && !first.contains("malformed"), "\(first)")
    let last = try Self.run(Self.pieces, ["show", "4"])
    #expect(last.contains("Reassembled message (9 bytes from packets 1, 3, 4)"), "\(last)")
    #expect(last.contains("body: \"second\""))
    #expect(last.contains("body: \"3\""))
    #expect(try Self.run(Self.pieces, ["show", "2"]).contains("body: \"ask\""))
    let fields = try Self.run(Self.pieces, ["packets", "-e", "frame.number", "-e", "sensor.body"])
    #expect(fields.contains("second"), "\(fields)")
  }

  @Test func filtered() throws {
    let found = try Self.run(Self.pieces, ["packets", "-Y", "sensor.body == \"second\""])
    #expect(found.split(separator: "\n").count == 1, "\(found)")
  }

  /// A message that never ends, and bytes that begin no message.
  @Test func faults() throws {
    let cut = try Self.run([(true, Array(Self.message("never").dropLast()))], ["timeline"])
    #expect(
      cut.contains(
        "PDU incomplete: 7 bytes received, 1 missing: values of attribute 0x0031 (sensor)"),
      "\(cut)"
    )
    let wrong = try Self.run(
      [(true, [1, 2, 3, 4]), (true, Self.message("again"))], ["timeline"])
    #expect(wrong.contains("sensor"), "\(wrong)")
  }

  @Test func listed() throws {
    let streams = try Self.run(Self.pieces, ["streams"])
    #expect(streams.contains("handle 0x0031"), "\(streams)")
  }
}
