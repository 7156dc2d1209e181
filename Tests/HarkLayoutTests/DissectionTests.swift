import HarkCore
import HarkDissection
import HarkLaws
import HarkTestSupport
import Testing

@testable import HarkLayout

/// Layouts as protocols: run through the same two sinks as the built-in ones.
@Suite struct DissectionTests {
  private static func lines(_ text: String, _ packet: [UInt8]) throws -> [String] {
    let entry = Entry(try MachineTests.layout(text))
    let catalog = Catalog.shared.adding([entry])
    var tree = Tree()
    let bytes = packet.span.bytes
    catalog.describe(bytes, entry, Context(), into: &tree)
    let broken = Laws.violations(bytes, entry, Context(), &tree, catalog: catalog)
    #expect(broken.isEmpty)
    return catalog.lines(tree, of: bytes)
      + tree.notes.map { "\($0.severity): \($0.text) @\($0.range)" }
      + tree.failures.map(\.description)
  }

  @Test func earbud() throws {
    #expect(
      try Self.lines(Samples.earbud, Samples.packet) == [
        "Acme Earbud control link", "  sequence: 7", "  kind: battery (1)", "  len_body: 2",
        "  body", "    left: 100 percent", "    is_charging: true (1)", "    reserved: 0",
        "    is_low: false (0) [inferred]",
      ])
    #expect(
      try Self.lines(Samples.earbud, [7, 3, 2, 1, 2, 3]) == [
        "Acme Earbud control link", "  sequence: 7", "  kind: Unknown (3)", "  len_body: 2",
        "  body: 0102", "  Undecoded: 03",
      ])
    #expect(
      try Self.lines(Samples.earbud, [7, 1, 9, 100]) == [
        "Acme Earbud control link", "  sequence: 7", "  kind: battery (1)", "  len_body: 9",
        "  Undecoded: 64",
        """
        Acme Earbud control link: body needs 9 bytes, 1 available (limited by the message) at byte 3
        """,
      ])
  }

  /// Numbers that are computed from a key or read over it are keys: a0 a1 a2 a3 at byte 1.
  @Test func partsOfKeys() throws {
    let text = """
      meta: {id: locked, endian: le}
      seq:
        - {id: kind, type: u1}
        - {id: secret, size: 4, -hark-personal: key}
        - {id: level, type: u1}
        - {id: inner, type: 'inner(secret[1])'}
      instances:
        whole: {pos: 0, size: 6}
        half: {pos: 1, type: u2}
        first: {value: 'secret[0]'}
        next: {value: first + 1}
        other: {value: half + 1}
        doubled: {value: level * 2}
        len_secret: {value: secret.size}
      types:
        inner:
          params: [{id: given, type: u1}]
          instances:
            copy: {value: given}
      """
    let read = [
      "locked", "  kind: 1", "  secret: 4 secret bytes", "  level: 7", "  inner",
      "  doubled: 14 [inferred]", "  len_secret: 4 [inferred]",
    ]
    #expect(try Self.lines(text, [1, 0xA0, 0xA1, 0xA2, 0xA3, 7]) == read)
    // What could not be read may be a part of the key.
    let cut = try Self.lines(text, [1, 0xA0, 0xA1])
    #expect(cut.prefix(3) == ["locked", "  kind: 1", "  Undecoded: 2 secret bytes"])
    // A key that another member reads first.
    let late = """
      meta: {id: late, endian: le}
      instances:
        all: {pos: 0, size: 3}
        secret: {pos: 1, size: 2, -hark-personal: key}
      """
    #expect(try Self.lines(late, [1, 2, 3]) == ["late", "  all: 3 secret bytes"])
  }

  @Test func everything() throws {
    let bytes: [UInt8] =
      Array(1...7) + Array("name\0".utf8) + [0x41, 0, 0x20, 0, 0, 0] + [9, 9, 0] + [1, 2]
      + [1, 2, 0, 5, 6, 7]
    let lines = try Self.lines(Samples.everything, bytes)
    #expect(
      lines == [
        "everything", "  numbers: 258", "  numbers: 772", "  flags: 5", "  more: 12",
        "  name: \"name\"", "  padded: 410020000000", "  mixed: 090900", "  turned: 0102",
        "  items",
        "    kind: last (1)", "    body", "      number: 2", "  rest: 050607",
        "  order: 1 [inferred]", "  sum: 3600 [inferred]", "  ratio: 5400.0 [inferred]",
        "warning: is not one of the values that its layout allows @2..<4",
      ])
  }

  /// Only a field that may share bytes with a key is declared twice: not the key, and nothing that is computed.
  @Test func keysAreDeclaredOnce() throws {
    let layout = try MachineTests.layout(
      """
      meta: {id: keyed, endian: be}
      seq:
        - {id: kind, type: u1}
        - {id: secret, size: 2, -hark-personal: key}
        - {id: tail, type: u1}
      instances:
        first: {value: 'secret[0]'}
        next: {value: 'kind + 1'}
      """)
    let dissector = LayoutDissector(layout)
    let twice = layout.fields.indices.filter { dissector.fields[$0] != dissector.concealing[$0] }
    #expect(twice.map { layout.fields[$0].path } == ["kind", "tail"])
  }

  /// IEEE 754, 6.1 and 6.2: only medical devices mean a missing value by NaN.
  @Test func numbersThatAreNone() throws {
    let text = """
      meta: {id: floats, endian: be}
      seq:
        - {id: small, type: f4, -hark-unit: °C}
        - {id: large, type: f8}
        - {id: most, type: f4, -hark-unit: °C}
        - {id: least, type: f8}
      """
    let bytes: [UInt8] = [
      0x7F, 0xC0, 0, 0, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1, 0x7F, 0x80, 0, 0, 0xFF, 0xF0, 0, 0, 0, 0, 0,
      0,
    ]
    #expect(
      try Self.lines(text, bytes) == [
        "floats", "  small: NaN", "  large: NaN", "  most: infinity", "  least: -infinity",
      ])
  }

  /// The UUID is that of RFC 9562, section 4; the address is written as IEEE 802 does.
  @Test func unitsAndFormats() throws {
    let text = """
      meta: {id: units, endian: be}
      seq:
        - {id: state, type: s1, enum: state}
        - {id: other, type: s1, enum: state}
        - {id: loss, type: s1, -hark-unit: -0.5 dB}
        - {id: large, type: s1, -hark-unit: 1000000000 ns}
        - {id: warmth, type: f4, -hark-unit: °C}
        - {id: name, size: 16, -hark-format: uuid}
        - {id: turned, size: 16, -hark-format: uuid-le}
        - {id: address, size: 6, -hark-format: address}
        - {id: sender, size: 6, -hark-format: address-be}
      enums: {state: {-2: absent, 1: there}}
      """
    let uuid: [UInt8] = [
      0xF8, 0x1D, 0x4F, 0xAE, 0x7D, 0xEC, 0x11, 0xD0, 0xA7, 0x65, 0x00, 0xA0, 0xC9, 0x1E, 0x6B,
      0xF6,
    ]
    let bytes =
      [0xFE, 0xF0, 0xFD, 0x80, 0x41, 0xAC, 0, 0] + uuid + uuid.reversed() + [
        0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
      ]
    #expect(
      try Self.lines(text, bytes) == [
        "units", "  state: absent (-2)", "  other: -16", "  loss: -3 (1.5 dB)",
        "  large: -128 (-128000000000 ns)",
        "  warmth: 21.5 °C", "  name: F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
        "  turned: F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "  address: 11:22:33:44:55:66",
        "  sender: 11:22:33:44:55:66",
      ])
  }

  @Test func personal() throws {
    let text = """
      meta: {id: said}
      seq:
        - {id: owner, type: str, size: 3, encoding: ASCII, -hark-personal: name}
        - {id: key, size: 2, -hark-personal: key}
        - {id: rest, size: 1}
      """
    let catalog = Catalog.shared.adding([Entry(try MachineTests.layout(text))])
    func definition(_ path: String) throws -> Field.Definition {
      try #require(catalog.fields(at: path).first).definition
    }
    #expect(try definition("said.owner").personal == .name)
    #expect(try definition("said.key").personal == .key)
    #expect(try definition("said.key").secret)
    #expect(try definition("said.rest").personal == nil)
  }

  @Test func paths() throws {
    let catalog = Catalog.shared.adding([Entry(try MachineTests.layout(Samples.earbud))])
    let field = try #require(catalog.fields(at: "acme_earbud.battery_left").first)
    #expect(catalog.label(of: field) == "battery_left")
    #expect(catalog.entry(forPSM: 0x1001)?.name.description == "Acme Earbud control link")
    #expect(
      catalog.entry(
        at: .service(
          BluetoothUUID("5e6a0001-8c1d-4f7b-9a53-2f0d6c1b7e42") ?? BluetoothUUID(0 as UInt16)))?
        .path.description == "acme_earbud")
  }

  /// Where layouts hang that are no data of a link. Core Specification, Vol 4, Part E, 5.4.1, 5.4.4;
  /// Supplement, Part A, 1.11.
  @Test func placesWithoutLink() throws {
    let text = """
      meta:
        id: vendor
        endian: le
      -hark-attach:
        - hci-vendor-event: 0x54
        - hci-vendor-command: 0xFD54
        - service-data: 5e6a0001-8c1d-4f7b-9a53-2f0d6c1b7e42
        - service-data: "0xFDF0"
        - manufacturer-data: 0x0075
      seq:
        - id: first
          type: u1
        - id: rest
          size-eos: true
      """
    let catalog = Catalog.shared.adding([Entry(try MachineTests.layout(text))])
    func lines(_ bytes: [UInt8], _ place: AttachmentPoint) -> [String] {
      var tree = Tree()
      catalog.describe(bytes.span.bytes, place, Context(), into: &tree)
      let lines = catalog.lines(tree, of: bytes.span.bytes)
      let start = lines.firstIndex { $0.hasSuffix("vendor") } ?? lines.endIndex
      return lines[start...].map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }
    let found = ["vendor", "first: 84", "rest: 0102"]
    #expect(lines([0xFF, 3, 0x54, 1, 2], .record(.event)) == found)
    #expect(lines([0xFF, 3, 0x55, 1, 2], .record(.event)) == [])
    #expect(lines([0x54, 0xFD, 3, 0x54, 1, 2], .record(.command)) == found)
    #expect(lines([0x55, 0xFD, 3, 0x54, 1, 2], .record(.command)) == [])
    let uuid: [UInt8] = [
      0x42, 0x7E, 0x1B, 0x6C, 0x0D, 0x2F, 0x53, 0x9A, 0x7B, 0x4F, 0x1D, 0x8C, 1, 0, 0x6A, 0x5E,
    ]
    #expect(lines([20, 0x21] + uuid + [0x54, 1, 2], .advertisingData) == found)
    #expect(lines([6, 0x16, 0xF0, 0xFD, 0x54, 1, 2], .advertisingData) == found)
    #expect(lines([6, 0xFF, 0x75, 0, 0x54, 1, 2], .advertisingData) == found)
    #expect(lines([6, 0xFF, 0x76, 0, 0x54, 1, 2], .advertisingData) == [])
  }

  /// Every layout of the suite, over its own data, what that begins with, and damaged data.
  @Test(.enabled(if: Suite.folder != nil, "no Kaitai Struct test suite beside the project"))
  func laws() throws {
    let folder = try #require(Suite.folder)
    var random = SplitMix(seed: 3)
    var broken: [String] = []
    for name in Suite.files(in: "spec/ks", ending: ".kst") {
      guard let spec = Suite.text(of: "\(folder)/spec/ks/\(name)"),
        let data = spec.split(separator: "\n").first(where: { $0.hasPrefix("data: ") })?.dropFirst(
          6),
        let layout = try? Layout.load(
          "\(folder)/formats/\(name.dropLast(4)).ksy", importPaths: [folder + "/formats/ks_path"],
          from: DiskFiles())
      else { continue }
      let entry = Entry(layout)
      let catalog = Catalog.shared.adding([entry])
      var tree = Tree()
      let whole = Array(Suite.bytes(of: "\(folder)/src/\(data)").prefix(80))
      for round in 0..<(whole.count + 12) {
        var bytes = Array(whole.prefix(round))
        if round > whole.count, !bytes.isEmpty {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        broken += Laws.violations(bytes.span.bytes, entry, Context(), &tree, catalog: catalog)
          .map { "\(name): \($0)" }
      }
    }
    #expect(broken.isEmpty, "\(broken.count): \(broken.prefix(20).joined(separator: "\n"))")
  }
}
