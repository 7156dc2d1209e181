import Testing

@testable import HarkLayout

/// What the loader says about layouts that are wrong, and where.
@Suite struct LoaderTests {
  static func errors(_ text: String, importing others: [String: String] = [:]) -> [String] {
    let files = MemoryFiles(texts: others.merging(["a.ksy": text]) { a, _ in a })
    do throws(LayoutErrors) {
      return try Layout.load("a.ksy", from: files).warnings.map(\.description)
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test func everythingAtOnce() {
    let found = Self.errors(
      """
      meta:
        id: a
        endian: le
      seq:
        - id: Foo
          type: u2
        - id: bar
          type: u4
          size: 2
        - id: baz
          type: nothing
        - id: qux
          size: baz2 + 1
          process: aes(1)
        - id: last
          type: u1
          -hark-colour: red
      """)
    #expect(
      found == [
        "a.ksy:5:9: error: /seq/0/id: invalid attribute ID: 'Foo', expected /^[a-z][a-z0-9_]*$/",
        """
        a.ksy:9:5: error: /seq/1/size: unknown key found, expected: consume, doc, doc-ref, enum, \
        eos-error, id, if, include, repeat, terminator, type, valid
        """,
        "a.ksy:11:11: error: /seq/2/type: unable to find type 'nothing', searching from a",
        "a.ksy:13:11: error: /seq/3/size: unable to access 'baz2' in a context (did you mean 'baz'?)",
        "a.ksy:14:14: error: /seq/3/process: custom processing (`aes`) is not supported",
        """
        a.ksy:17:5: error: /seq/4/-hark-colour: unknown key found, expected: -hark-checksum, \
        -hark-format, -hark-personal, -hark-severity, -hark-unit, \
        -hark-with-next
        """,
      ])
  }

  @Test(arguments: [
    // YAML 1.1 would take these for truth values and numbers: they are strings in Kaitai.
    ("on", true), ("yes", true), ("off", true), ("n", true), ("true1", true), ("1on", false),
  ])
  func scalars(_ name: String, _ isTaken: Bool) {
    let found = Self.errors(
      "meta: {id: a}\nenums:\n  e:\n    1: \(name)\nseq:\n  - {id: x, type: u1, enum: e}\n")
    #expect(found.isEmpty == isTaken, "\(found)")
  }

  @Test func integers() {
    for (text, value) in [
      ("12", 12), ("-1", -1), ("0x1F", 31), ("0x0b", 11), ("0b101", 5), ("0o17", 15),
      ("1_000", 1000), ("0xffff_ffff", 0xFFFF_FFFF),
    ] as [(String, Int128)] {
      #expect(Integer(literal: text)?.wide == value, "\(text)")
    }
    #expect(Integer(literal: "18446744073709551615")?.wide == Int128(UInt64.max))
    #expect(Integer(literal: "-9223372036854775808")?.wide == Int128(Int64.min))
    for text in ["", "-", "0x", "_1", "1.5", "18446744073709551616", "-9223372036854775809", "0b2"]
    {
      #expect(Integer(literal: text) == nil, "\(text)")
    }
  }

  @Test func yaml() {
    #expect(
      Self.errors("meta:\n  id: a\n    seq:\n") == [
        "a.ksy:3:8: error: mapping values are not allowed in this context"
      ])
    #expect(
      Self.errors("meta:\n  id: a\nseq: []\ndoc: x\nseq: []\n") == [
        "a.ksy:5:1: error: found duplicate key seq"
      ])
    #expect(
      Self.errors("meta:\n  id: &x a\ndoc: *x\n") == [
        "a.ksy:3:6: error: YAML anchors and aliases are not supported"
      ])
    // A file of 300 bytes that stands for more than memory holds.
    let bomb = (0..<12).map { level in
      "k\(level): &a\(level) [" + String(repeating: "*a\(level - 1), ", count: level == 0 ? 0 : 9)
        + "x]"
    }
    #expect(Self.errors(bomb.joined(separator: "\n")).count == 1)
    let deep = String(repeating: "[", count: 100_000)
    let errors = Self.errors("meta: " + deep)
    #expect(errors.count == 1 && errors.first?.contains("nested deeper than") == true)
    let long = Self.errors(String(repeating: "x", count: 1_000)).first
    #expect(long?.hasSuffix("expected map, got '\(String(repeating: "x", count: 60))…'") == true)
    let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(Self.errors("meta: " + nested).first?.contains("nested deeper") == true)
    #expect(Self.errors("{").count == 1)
    #expect(Self.errors("\u{0}").count == 1)
    #expect(Self.errors("--- a\n--- b").count == 1)
  }

  /// What ends too early is wrong at the end of its last line, which a caret can stand under.
  @Test(arguments: [
    ("meta: [", "1:8"), ("meta: [\n\n", "1:8"), ("meta:\n  id: \"a\n", "2:9"),
    ("meta: {id: a}\nseq:\n  - {id: x, type: u1", "3:21"), ("seq: {\u{2028}a: [", "2:5"),
  ])
  func ends(_ text: String, _ place: String) {
    let found = Self.errors(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("a.ksy:\(place): error: ") == true, "\(found)")
  }

  @Test func depths() {
    func layout(_ value: String) -> String { "meta: {id: a}\ninstances: {x: {value: '\(value)'}}" }
    #expect(Self.errors(layout(String(repeating: "(", count: 5000))).count == 1)
    #expect(Self.errors(layout(String(repeating: "not ", count: 5000) + "true")).count == 1)
    #expect(Self.errors(layout(String(repeating: "-", count: 5000) + "1")).count == 1)
    #expect(Self.errors(layout("1" + String(repeating: " + 1", count: 5000))).count == 1)
    #expect(Self.errors(layout("x" + String(repeating: ".x", count: 5000))).count == 1)
    #expect(Self.errors(layout("1" + String(repeating: " ? 1 : 1", count: 5000))).count == 1)
    // An instance that needs the next, a thousand times.
    var chain = "meta: {id: a}\ninstances:\n"
    for index in 0..<2000 { chain += "  i\(index): {value: i\(index + 1)}\n" }
    #expect(!Self.errors(chain + "  i2000: {value: 1}\n").isEmpty)
    #expect(
      Self.errors("meta: {id: a}\ninstances: {x: {value: y}, y: {value: x}}")
        == ["a.ksy:2:16: error: /instances/x: its type depends on itself"])
  }

  @Test func imports() {
    let other = "meta: {id: b}\ntypes: {t: {seq: [{id: x, type: u1}]}}\nseq: [{id: y, type: u1}]\n"
    let user = "meta: {id: a, imports: [b]}\nseq: [{id: m, type: b}, {id: n, type: 'b::t'}]\n"
    #expect(Self.errors(user, importing: ["b.ksy": other]).isEmpty)
    #expect(
      Self.errors(user) == [
        "a.ksy:1:25: error: /meta/imports/0: b.ksy (No such file or directory)",
        "a.ksy:2:21: error: /seq/0/type: unable to find type 'b', searching from a",
        "a.ksy:2:39: error: /seq/1/type: unable to find type 'b::t', searching from a",
      ])
    #expect(
      Self.errors(user, importing: ["b.ksy": "meta: {id: b}\nseq: [{id: y, type: u2}]\n"]) == [
        "a.ksy:2:39: error: /seq/1/type: unable to find type 'b::t', searching from a",
        "b.ksy:2:21: error: /seq/0/type: unable to use type 'u2' without default endianness",
      ])
  }

  @Test func model() throws {
    let files = MemoryFiles(texts: ["a.ksy": Samples.earbud])
    let layout = try Layout.load("a.ksy", from: files)
    #expect(layout.id == "acme_earbud" && layout.title == "Acme Earbud control link")
    #expect(layout.references == ["Acme Control Protocol 1.2, section 3"])
    #expect(
      layout.attachments == [
        .rfcommService("5e6a0001-8c1d-4f7b-9a53-2f0d6c1b7e42"), .l2capPSM(0x1001),
      ])
    #expect(layout.streamHeader == 3)
    #expect(
      layout.fields.map(\.path) == [
        "sequence", "kind", "len_body", "body", "battery.left", "battery.is_charging",
        "battery.reserved", "battery.is_low",
      ])
    let left = try #require(layout.fields.first { $0.name == "left" })
    #expect(left.unit == "percent" && left.location == SourceLocation(line: 35, column: 9))
    #expect(layout.fields[2].severity == .error)
    #expect(layout.enums[0].members[2]?.name == "on")
  }

  @Test(arguments: [
    ("-hark-attach: [{rfcomm-service: 5e6a}, {l2cap-psm: 70000}, {usb: 1}]", 2),
    ("-hark-stream: {header: 0, total: '\"x\"'}", 2),
    ("-hark-stream: 3", 1),
    ("seq: [{id: x, type: u1, -hark-format: octal}]", 1),
    ("seq: [{id: x, type: u1, -hark-severity: error}]", 1),
    ("seq: [{id: x, type: u1, -hark-checksum: {algorithm: md5, over: x}}]", 2),
    ("-hark-unit: ms", 1),
    ("seq: [{id: x, type: u1, -hark-unit: -0.5 dB}, {id: y, type: f4le, -hark-unit: °C}]", 0),
    ("seq: [{id: x, type: s1, -hark-unit: 1e300 ms}, {id: y, type: u1, -hark-unit: -inf ms}]", 2),
    ("seq: [{id: x, type: u1, -hark-unit: 0 ms}, {id: y, type: u1, -hark-unit: nan ms}]", 2),
    ("seq: [{id: x, size: 16, -hark-format: uuid-le}, {id: y, size: 16, -hark-format: uuid}]", 0),
    ("-vendor: anything", 0),
  ])
  func extras(_ text: String, _ count: Int) {
    let found = Self.errors("meta: {id: a}\n" + text)
    #expect(found.count == count, "\(found)")
  }
}
