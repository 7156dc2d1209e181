import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// What is wrong with a profile is reported at once, with its place.
struct LoaderTests {
  static let layout = """
    meta:
      id: acme
      endian: be
    seq:
      - id: kind
        type: u1
        enum: kind
      - id: data
        size-eos: true
    enums:
      kind:
        1: hello
    """

  static func errors(_ profile: String) -> [String] {
    let files = MadeFiles(texts: ["a/profile.yaml": profile, "a/acme.ksy": layout])
    do throws(LayoutErrors) {
      _ = try Profile.load("a/profile.yaml", from: files)
      return []
    } catch {
      return error.diagnostics.map { "\($0.location.line):\($0.location.column) \($0.message)" }
    }
  }

  @Test func everythingAtOnce() {
    let found = Self.errors(
      """
      profile:
        id: acme
        colour: red
      channels:
        - gatt-characteristic: 12
          from: moon
          encoding: acme.ksy
          messages:
            - when: kind == kind::bye
              is: transport.message
              session-id: nam
              data: data.hexx()
              receipt: 1
            - is: transport.massage
            - is: fragment
              first: (kind
              more: false
              body: data
              encoding: none.ksy
              messages: []
        - l2cap-psm: 70000
          encoding: acme.ksy::inner
          messages: []
      """)
    let expected = [
      (3, 3, "unknown key"), (5, 26, "UUID"), (6, 11, "phone or accessory"),
      (9, 15, "no enum member 'kind::bye'"), (11, 21, "no member 'nam'"),
      (12, 15, "unknown method 'hexx'"), (13, 9, "unknown key"), (14, 13, "unknown kind"),
      (16, 16, "'(kind'"), (21, 16, "1 to 65535"), (22, 15, "no type 'inner'"),
      (1, 1, "no such file"),
    ]
    #expect(found.count == expected.count, "\(found)")
    for (line, column, words) in expected {
      #expect(
        found.contains { $0.hasPrefix("\(line):\(column) ") && $0.contains(words) },
        "\(line):\(column) \(words) in \(found)")
    }
  }

  /// Where messages pass that belong to no link.
  @Test func placesWithoutLink() throws {
    let text = """
      profile: {id: acme}
      channels:
        - {advertising-company: 0x0075, encoding: raw, messages: []}
        - {advertising-service-data: FE2C, encoding: raw, messages: []}
        - {hci-vendor-event: 0x54, encoding: raw, messages: []}
      """
    let profile = try Profile.load("profile.yaml", from: MadeFiles(texts: ["profile.yaml": text]))
    #expect(
      profile.framing.channels == [
        .manufacturerData(0x0075), .serviceData(BluetoothUUID(0xFE2C as UInt16)),
        .vendorEvent(0x54),
      ])
    #expect(
      Self.errors(
        """
        profile: {id: acme}
        channels:
          - {advertising-company: 0x10000, encoding: raw, messages: []}
          - {hci-vendor-event: 256, encoding: raw, messages: []}
        """
      ).map { $0.prefix { $0 != " " } } == ["3:27", "4:24"])
  }

  /// Configurations, and networks with their passwords.
  @Test func kinds() {
    let found = Self.errors(
      """
      profile: {id: acme}
      channels:
        - l2cap-psm: 0x81
          encoding: json
          messages:
            - is: configuration.update
              primary-audio-source-device-identifier: a
            - is: configuration.register
              address-order: middle
              cleared: {key: true}
            - is: configuration.error
              address-order: big-endian
            - is: wifi.network
              ssid: a
            - is: external-accessory.data
              session-identifier: a.flags("none")
              data: b
      plaintext:
        - encoding: json
          secret: true
          messages:
            - {is: wifi.network, ssid: a}
            - {is: transport.session-request}
            - {is: transport.message, session-id: a, data: b}
      """)
    let expected = [
      "7:49 an address needs 'address-order'", "9:24 expected big-endian or little-endian",
      "10:19 unknown key", "11:9 missing key 'error'", "12:9 unknown key",
      "13:9 this message contains a password", "16:29 'a.flags", "24:14 unknown kind",
    ]
    #expect(found.count == expected.count, "\(found)")
    for words in expected {
      #expect(found.contains { $0.hasPrefix(words) }, "\(words) in \(found)")
    }
  }

  /// Misspelt keys, kinds, methods and members are named with what was meant.
  @Test func misspelt() {
    let found = Self.errors(
      """
      profile: {id: acme, nmae: Acme}
      channels:
        - l2cap-psm: 0x81
          encoding: jsno
          messages: [{is: nothing}]
        - l2cap-psm: 0x83
          encoding: json
          messages:
            - is: notification.ad
            - is: accepted
              id: a.base46
            - is: accepted
              id: a.bse64()
      """)
    let expected = [
      "1:21 unknown key found (did you mean 'name'?)", "4:15 expected json",
      "9:13 unknown kind 'notification.ad' (did you mean 'notification.add'?)",
      "13:13 'a.bse64()': unknown method 'bse64' (did you mean 'base64'?)",
    ]
    #expect(found.count == expected.count, "\(found)")
    for words in expected {
      #expect(found.contains { $0.hasPrefix(words) }, "\(words) in \(found)")
    }
    #expect(found.contains { $0.hasSuffix("got 'jsno' (did you mean 'json'?)") }, "\(found)")
  }

  /// A channel without a place: its messages are read.
  @Test func misspelledPlace() {
    let found = Self.errors(
      """
      profile: {id: acme}
      channels:
        - l2cap-pms: 0x81
          encoding: json
          messages:
            - is: notification.ad
      """)
    let expected = [
      "3:5 unknown key found (did you mean 'l2cap-psm'?)", "3:5 expected one of: ",
      "6:13 unknown kind 'notification.ad' (did you mean 'notification.add'?)",
    ]
    #expect(found.count == expected.count, "\(found)")
    for words in expected {
      #expect(found.contains { $0.hasPrefix(words) }, "\(words) in \(found)")
    }
  }

  /// Constants for members that have Apple's words: another word makes the message unreadable, or is kept.
  @Test func words() throws {
    let found = Self.errors(
      """
      profile: {id: acme}
      tables:
        errors: {1: invalidated, 2: brokn}
      channels:
        - l2cap-psm: 0x81
          secret: true
          encoding: json
          messages:
            - is: configuration.error
              error: '"invalidatd"'
            - is: wifi.network
              ssid: a
              credentials: 'b ? "password" : "pasword"'
            - is: configuration.error
              error: c.named("errors")
      """)
    let expected = [
      "10:16 'invalidatd' is not a word for 'error' (did you mean 'invalidated'?), expected: ",
      "13:22 'pasword' is not a word for 'credentials' (did you mean 'password'?), expected: none, "
        + "password, enterprise",
      "15:16 'brokn' is not a word for 'error', expected: ",
    ]
    #expect(found.count == expected.count, "\(found)")
    for words in expected {
      #expect(found.contains { $0.hasPrefix(words) }, "\(words) in \(found)")
    }
    let profile = try Profile.load(
      "p.yaml",
      from: MadeFiles(texts: [
        "p.yaml": """
        profile: {id: acme}
        channels:
          - l2cap-psm: 0x81
            encoding: json
            messages: [{is: configuration.update, device-placement: '"onEar"'}]
        """
      ]))
    #expect(
      profile.warnings.map(\.message) == [
        "'onEar' is not a word for 'device-placement' (did you mean 'inEar'?), expected: inEar, "
          + "onHead, overTheEar, offHead"
      ])
  }

  @Test func forms() {
    let found = Self.errors(
      """
      profile:
        id: acme
      forms:
        loop:
          encoding: json
          messages:
            - is: envelope
              body: a
              form: loop
        part:
          colour: red
      channels:
        - l2cap-psm: 0x81
          form: loop
          encoding: raw
        - l2cap-psm: 0x83
          form: nothing
        - l2cap-psm: 0x85
          encoding: json
          switch-on: a
          versions: [1]
          sent-at: a
          messages:
            - case: a + 1
              is: notification.remove-all
              form: part
      """)
    let expected = [
      (9, 15, "contains itself"), (11, 5, "unknown key"), (15, 15, "already defines this"),
      (17, 11, "unknown form"), (21, 15, "'message-version'"), (22, 14, "only sealed messages"),
      (24, 15, "a constant"),
    ]
    #expect(found.count == expected.count, "\(found)")
    for (line, column, words) in expected {
      #expect(
        found.contains { $0.hasPrefix("\(line):\(column) ") && $0.contains(words) },
        "\(line):\(column) \(words) in \(found)")
    }
  }

  /// A layout that is wrong hides nothing that is wrong with the messages it reads; their names are
  /// not told as unknown.
  @Test func withBrokenLayout() {
    let text = """
      profile: {id: acme}
      channels:
        - l2cap-psm: 0x81
          assembly: {length: {header: 2, encoding: acme.ksy, total: 'size +'}}
          encoding: acme.ksy
          switch-on: kind
          messages:
            - {case: 'kind::a', is: nothin}
            - {case: 'kind::b', is: transport.message, session-id: id, data: '('}
            - {case: 'kind::c', is: accepted}
      """
    let files = MadeFiles(texts: ["p.yaml": text, "acme.ksy": "meta: {id: acme}\nseq: 3\n"])
    #expect {
      _ = try Profile.load("p.yaml", from: files)
    } throws: { error in
      let found = (error as? LayoutErrors)?.diagnostics.map { "\($0)" } ?? []
      let expected = [
        "acme.ksy:2:6: ", "p.yaml:4:63: ", "p.yaml:8:31: ", "p.yaml:9:72: ", "p.yaml:10:9: ",
      ]
      return found.count == expected.count
        && expected.allSatisfy { place in found.contains { $0.hasPrefix(place) } }
    }
  }

  @Test(arguments: ["", "[]", "profile: x", "channels: {}", "a: &b 1", "profile: [\n"])
  func documents(_ text: String) { #expect(!Self.errors(text).isEmpty) }

  @Test func damaged() throws {
    let text = try #require(ProjectFiles().text(at: "dissectors/pebble/profile.yaml"))
    let layout = try #require(ProjectFiles().text(at: "dissectors/pebble/pebble.ksy"))
    var random = Random(state: 3)
    var sound = 0
    for _ in 0..<60 {
      let damaged = String(decoding: random.mutate(Array(text.utf8)), as: UTF8.self)
      let files = MadeFiles(texts: ["p/profile.yaml": damaged, "p/pebble.ksy": layout])
      guard let profile = try? Profile.load("p/profile.yaml", from: files) else { continue }
      sound += 1
      for bytes in [[], [1], [1, 7, 3, 1, 0, 0], [2, 65]] as [[UInt8]] {
        _ = profile.framing.decode(plaintext: bytes, direction: .hostToAccessory)
      }
    }
    // Many damages only change a comment, a name or a number.
    #expect(sound > 0 && sound < 60)
  }
}
