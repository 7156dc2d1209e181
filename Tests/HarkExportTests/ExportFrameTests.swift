import Testing

@testable import HarkExport

/// What passes between the process that reads a capture and the one that writes.
@Suite struct ExportFrameTests {
  static let frames: [ExportFrame] = [
    .rows([1, 2, 3]), .lines(.event, day: "2026-11-20", [0x1F, 0x8B]),
    .lines(.capture, day: nil, []), .map(Array("# map".utf8)), .end,
  ]

  @Test(arguments: [1, 2, 3, 7, 1_000]) func pieces(_ size: Int) throws {
    let bytes = Self.frames.flatMap(\.bytes)
    var reader = ExportFrame.Reader()
    var found: [ExportFrame] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      found += try reader.take(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    #expect(found == Self.frames)
  }

  /// A process that was taken over names no other folder.
  @Test(arguments: [
    [9, 0, 0, 0, 0], [1, 3, 0, 0, 0, 0, 1, UInt8(ascii: "/")], [1, 1, 0, 0, 0, 0],
    [1, 2, 0, 0, 0, 77, 0], [0, 0xFF, 0xFF, 0xFF, 0xFF], [3, 1, 0, 0, 0, 0],
  ])
  func refused(_ bytes: [UInt8]) {
    var reader = ExportFrame.Reader()
    #expect(throws: ExportFrame.Reader.Problem.self) { try reader.take(bytes) }
  }

  @Test func rows() throws {
    var sink = RowBytes()
    sink.begin(.device)
    sink.text("capture", "é")
    for column in ["device", "identity"] as [StaticString] { sink.integer(column, -2) }
    for column in ["address", "name", "label", "addresses"] as [StaticString] {
      sink.text(column, "é")
    }
    for column in ["class_of_device", "connected"] as [StaticString] { sink.integer(column, -2) }
    for column in ["manufacturer", "model", "hardware", "firmware"] as [StaticString] {
      sink.text(column, nil)
    }
    sink.word("software", "é")
    sink.integer("first_packet", -2)
    let frame = try #require(try ExportFrame.Reader.all(sink.takeFrames(all: true, day: nil)).first)
    guard case .rows(let rows) = frame else { throw RowBytes.Problem() }
    var count = 0
    try RowBytes.forEach(rows) { table, values in
      count += 1
      #expect(table == .device && values[1] == .integer(-2))
      guard case .text(let range) = values[0] else { throw RowBytes.Problem() }
      #expect(String(decoding: rows[range], as: UTF8.self) == "é")
    }
    #expect(count == 1)
    for end in rows.indices {
      #expect(throws: RowBytes.Problem.self, "\(end)") {
        try RowBytes.forEach(end == 0 ? [200] : Array(rows[..<end])) { _, _ in }
      }
    }
  }
}

extension ExportFrame.Reader {
  static func all(_ bytes: [UInt8]) throws -> [ExportFrame] {
    var reader = ExportFrame.Reader()
    return try reader.take(bytes)
  }
}
