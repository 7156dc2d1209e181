import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors try` with profiles: the bundled ones on their samples, and copies with a mistake in them.
@Suite struct TryProfileTests {
  private static let capture = Project.capture("pebble-session/pebble-session.btsnoop")
  private static let keys = Project.capture("pebble-session/accessory.harkkeys")

  private static func run(_ profile: String, _ capture: String, _ options: String...) throws -> (
    text: String, stated: [String], code: Int32
  ) {
    try OtherProgram.run(
      HarkProgram.url.path, ["dissectors", "try", profile, capture] + options)
  }

  /// A copy of a bundled profile with other words in it.
  private static func copy(
    _ name: String, _ words: (old: String, new: String), in folder: TestFolder
  ) throws -> String {
    let copy = folder.path(name)
    try FileManager.default.copyItem(
      at: Project.root.appendingPathComponent("dissectors/\(name)"),
      to: URL(fileURLWithPath: copy))
    let path = copy + "/profile.yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(words.old))
    try text.replacingOccurrences(of: words.old, with: words.new)
      .write(toFile: path, atomically: true, encoding: .utf8)
    return copy
  }

  /// Each message with its rule, and each expression with its value; of absent ones the line and column, which the
  /// file has them at.
  @Test func rules() throws {
    let profile = Project.root.appendingPathComponent("dissectors/pebble").path
    let (text, stated, code) = try Self.run(
      profile, Self.capture, "--keys", Self.keys, "--messages", "100")
    #expect(code == 0, "\(stated) \(text)")
    let lines = try String(contentsOfFile: profile + "/profile.yaml", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var places = 0
    for line in text.split(separator: "\n") {
      guard let found = line.firstMatch(of: /^ +([a-z.-]+) .*\(.*profile\.yaml:(\d+):(\d+)\)$/),
        let row = Int(found.2), let column = Int(found.3), !line.contains("= ")
      else { continue }
      places += 1
      let source = lines[row - 1]
      let isRule = source.dropFirst(column - 1).hasPrefix("when:") || source.contains("is:")
      #expect(isRule || source.contains("\(found.1): "), "\(line) is not at \(source)")
    }
    #expect(places > 10)
    // Frames 144, 151, and 154 with 155, of the sample's ORIGIN.md and truth.json.
    #expect(text.contains("security.public-key"))
    #expect(text.contains("identifier = \"F47F6DB4-24D5-596D-93BC-29DA89054161\""))
    #expect(text.contains("first = true"))
    #expect(text.contains("title = \"Mara Lindqvist\""))
    #expect(text.contains("encrypted messages decrypted"), "\(text)")
    #expect(!text.contains("Likely mistake"))
  }

  /// The actions of the sample's first notification, which its truth.json has in its plaintext, and an attachment.
  @Test func itemsOfLists() throws {
    let profile = Project.root.appendingPathComponent("dissectors/notifbridge").path
    let version1 = try Self.run(
      profile, Project.capture("notifbridge-v1/notifbridge-v1.btsnoop"), "--messages", "100")
    let file = try String(contentsOfFile: profile + "/profile.yaml", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(
      version1.text.firstMatch(of: /actions: 3 items  \(.*profile\.yaml:(\d+):\d+\)/))
    #expect(file[(Int(place.1) ?? 1) - 2].hasSuffix("actions:"))
    for (identifier, title) in [("reply", "Reply"), ("read", "Mark as Read"), ("dismiss", "Close")]
    {
      #expect(
        version1.text.contains(
          "      -\n        identifier = \"\(identifier)\"\n        title = \"\(title)\"\n"))
    }
    let version0 = try Self.run(
      profile, Project.capture("notifbridge-v0/notifbridge-v0.btsnoop"), "--messages", "100")
    #expect(version0.text.contains("    attachments: 1 item  ("), "\(version0.text)")
    #expect(version0.text.contains("        uti = \"public."))
  }

  @Test func firstAlways() throws {
    let folder = try TestFolder()
    let profile = try Self.copy("pebble", ("first: body.is_first", "first: 'true'"), in: folder)
    let (text, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    #expect(
      text.contains(
        /Likely mistake in the profile: .*profile\.yaml:\d+:16: 'first' holds for each of/),
      "\(text)")
  }

  @Test func wrongBytes() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(
      "pebble", ("            data: data", "            data: data.slice(1, data.size)"), in: folder
    )
    let (text, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    // The layout has a length of one byte and the 36 characters of the session in front.
    #expect(
      text.contains(
        /profile\.yaml:\d+:\d+: the profile's 'data' takes [0-9a-f]+… \(\d+ bytes\), but the messages decrypt with the bytes from byte 37 on/
      ), "\(text)")
  }

  /// A derivation with a text that the profile takes from the wrong place. What opens the messages is in the sample's
  /// truth.json.
  @Test(arguments: [
    ("            session-id: session_id", "session-id", "27563CF7-E1EA-5E4F-9566-CFF165355BED"),
    ("        identifier: body.identifier\n", "identifier", "F47F6DB4-24D5-596D-93BC-29DA89054161"),
  ])
  func wrongDerivation(_ words: String, _ member: String, _ used: String) throws {
    let folder = try TestFolder()
    let wrong = "ABCDEF12-3456-7890-ABCD-EF0123456789"
    let text = words.replacing(/: .*/) { _ in ": \"'\(wrong)'\"" }
    let profile = try Self.copy(
      "pebble", (words, text + (words.hasSuffix("\n") ? "\n" : "")), in: folder)
    let (output, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    let place = try #require(
      output.firstMatch(
        of:
          /Likely mistake in the profile: .*profile\.yaml:(\d+):(\d+): the profile's '([a-z-]+)' derives with `([^`]+)`, but the messages decrypt with `([^`]+)`/
      ), "\(output)")
    #expect((String(place.3), String(place.4), String(place.5)) == (member, wrong, used))
    let lines = try String(contentsOfFile: profile + "/profile.yaml", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(Int(place.1).map { lines[$0 - 1] })
    #expect(line.dropFirst((Int(place.2) ?? 1) - 1).hasPrefix("\"'\(wrong)"))
  }

  @Test func wrongVersion() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(
      "pebble",
      (
        "        identifier: body.identifier\n",
        "        identifier: body.identifier\n        version: \"'version1'\"\n"
      ),
      in: folder)
    let (text, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    #expect(
      text.contains("'version' derives with `version1`, but the messages decrypt with `Version1`"),
      "\(text)")
  }

  /// What firmware does otherwise than phones is no mistake of the profile.
  @Test(arguments: ["pebble-wrong-derivation", "pebble-bytes-trap"])
  func wrongFirmware(_ name: String) throws {
    let (text, _, code) = try Self.run(
      Project.root.appendingPathComponent("dissectors/pebble").path,
      Project.capture("\(name)/\(name).btsnoop"), "--keys",
      Project.capture("\(name)/accessory.harkkeys"))
    #expect(code == 0 && !text.contains("Likely mistake"), "\(text)")
  }

  /// A public key whose bytes a profile takes in the wrong order is no point of the curve.
  @Test(arguments: [
    ("body.public_key.reverse", "all of them are"),
    (
      "body.public_key.slice(0, 32).reverse + body.public_key.slice(32, 64).reverse",
      "those of X and of Y are"
    ),
  ])
  func reversedKey(_ expression: String, _ words: String) throws {
    let folder = try TestFolder()
    let profile = try Self.copy(
      "pebble",
      (
        "        key: body.public_key\n",
        "        key: \"\(expression)\"\n"
      ), in: folder)
    let (text, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    #expect(
      text.contains(
        "'key' takes bytes that are a point of P-256 only if \(words) in reverse order: add or remove '.reverse'"
      ), "\(text)")
  }

  @Test func neverMore() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(
      "pebble", ("more: body.has_more", "more: body.flags & 0x80 != 0"), in: folder)
    let (text, _, code) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(code == 1)
    #expect(
      text.contains(
        /'more' never holds in \d+ fragments, although \d+ of them are not the first of a message/),
      "\(text)")
  }

  @Test func swappedLength() throws {
    let folder = try TestFolder()
    let profile = try Self.copy(
      "aria", ("total: len_body + 7", "total: ((len_body & 255) << 8) + (len_body >> 8) + 7"),
      in: folder)
    let (text, _, code) = try Self.run(
      profile, Project.capture("aria-session/aria-session.btsnoop"))
    #expect(code == 1)
    #expect(text.contains("as if the length were read in the wrong byte order"), "\(text)")
  }

  /// What the capture has in place of what the profile names: the samples' PSM and UUIDs, of their truth.json.
  @Test func otherCapture() throws {
    let profile = Project.root.appendingPathComponent("dissectors/pebble").path
    let (text, _, code) = try Self.run(profile, Project.capture("coc-session/coc-session.btsnoop"))
    #expect(code == 1)
    #expect(
      text.contains(
        "GATT characteristic 50000001-328E-0FBB-C642-1AA6699BDADA: no message in this capture"),
      "\(text)")
    #expect(text.contains("This capture has PSM 0x0081, UUIDs "), "\(text)")
  }

  /// The same for a layout, whose PSM is not the one of the capture.
  @Test func layoutOfOtherCapture() throws {
    let folder = try TestFolder()
    let layout = """
      meta: {id: other}
      -hark-attach: [l2cap-psm: 0x91]
      seq: [{id: a, type: u1}]
      """
    try layout.write(toFile: folder.path("other.ksy"), atomically: true, encoding: .utf8)
    let (text, _, code) = try HarkProgram.run(
      "dissectors", "try", folder.path("other.ksy"),
      Project.capture("coc-session/coc-session.btsnoop"))
    #expect(code == 1)
    #expect(text.contains("PSM 0x0091: no message in this capture\nThis capture has PSM 0x0081, "))
  }

  /// The attributes and channels that a capture shows without their types, and how to name them.
  @Test func numbersOfCapture() throws {
    let folder = try TestFolder()
    let profile = folder.path("profile.yaml")
    func run(_ place: String, _ capture: String) throws -> String {
      try "profile: {id: own}\nchannels: [{\(place), encoding: json, messages: [{is: nothing}]}]\n"
        .write(toFile: profile, atomically: true, encoding: .utf8)
      return try Self.run(profile, capture).text
    }
    let values: [(isReceived: Bool, bytes: [UInt8])] = [(true, [1, 2]), (false, [1, 2, 3, 4])]
    let attributes = try AttributeValues.capture(values, named: "attributes", in: folder)
    let uuid = "5E6A0001-8C1D-4F7B-9A53-2F0D6C1B7E42"
    let byType = try run("gatt-characteristic: \(uuid)", attributes)
    #expect(
      byType.contains(
        """
        GATT characteristic \(uuid): no message in this capture
        This capture has GATT handles 0x0031, 0x0033
        It does not show the UUIDs of its GATT handles; to name one, use gatt-handle: 0x0033

        """), "\(byType)")
    let layout = "meta: {id: other}\n-hark-attach: [gatt-characteristic: \(uuid)]\n"
    try layout.write(toFile: folder.path("other.ksy"), atomically: true, encoding: .utf8)
    let byLayout = try Self.run(folder.path("other.ksy"), attributes).text
    #expect(
      byLayout.contains("This capture has GATT handles 0x0031, 0x0033\nIt does not show the UUIDs"))
    let channels = try AttributeValues.capture(
      values, named: "channels", cids: (0x40, 0x41), in: folder)
    let byPSM = try run("l2cap-psm: 0x91", channels)
    #expect(
      byPSM.contains(
        """
        This capture has L2CAP CIDs 0x0040, 0x0041
        It does not show the PSMs of its CIDs; to name one, use cid: 0x0040

        """), "\(byPSM)")
    // The sample's port, of its ORIGIN.md.
    let network = try run("tcp-port: 7", Project.capture("lens-network/lens-network.pcapng"))
    #expect(network.contains("TCP port 7: no message in this capture"))
    #expect(network.contains(/This capture has .*TCP port/), "\(network)")
  }

  /// A server on the network that a profile names by its service and by its port: messages go by one of the names. The
  /// sample's names are of captures/generator/lens_network.py.
  @Test func twoNames() throws {
    let folder = try TestFolder()
    let profile = folder.path("profile.yaml")
    func run(_ places: [String]) throws -> String {
      let channels = places.map {
        "{\($0), assembly: {length: {header: 4, total: _.size}}, encoding: cbor, messages: [{is: nothing}]}"
      }
      try "profile: {id: own}\nchannels: [\(channels.joined(separator: ", "))]\n"
        .write(toFile: profile, atomically: true, encoding: .utf8)
      return try Self.run(profile, Project.capture("lens-network/lens-network.pcapng")).text
    }
    let (service, port) = ("service: _acme-lens._tcp", "tcp-port: 7117")
    #expect(!(try run([service, port])).contains("no message in this capture"))
    let others = try run(["service: _other._tcp", "tcp-port: 7118"])
    #expect(others.contains("network service _other._tcp: no message in this capture"))
    #expect(others.contains("TCP port 7118: no message in this capture"))
    #expect(try run([service, "service: _other._tcp"]).contains("_other._tcp: no message in"))
  }

  /// Only a channel where the capture has all of a message that does not end is accused.
  @Test func endlessMessages() throws {
    let folder = try TestFolder()
    let profile = folder.path("profile.yaml")
    let length = "assembly: {length: {header: 1, total: '_[0] + 1'}}, encoding: raw"
    try """
    profile: {id: own}
    channels:
      - {rfcomm-channel: 9, \(length), messages: [{is: nothing}]}
      - {gatt-handle: 0x0031, \(length), messages: [{is: nothing}]}
      - {gatt-handle: 0x0033, \(length), messages: [{is: nothing}]}
    """.write(toFile: profile, atomically: true, encoding: .utf8)
    func accused(_ values: [[UInt8]], isTruncated: Bool = false) throws -> [String] {
      let capture = try AttributeValues.capture(
        values.map { (false, $0) }, named: "values", in: folder)
      if isTruncated {
        // The last record lacks its last byte. RFC 1761: the included length is a record's second number.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: capture))
        let size = UInt8(12 + (values.last?.count ?? 0))
        bytes[bytes.count - Int(size) - 24 + 7] = size - 1
        bytes.removeLast()
        try bytes.write(to: URL(fileURLWithPath: capture))
      }
      let text = try Self.run(profile, capture).text
      #expect(text.contains("RFCOMM channel 9: no message in this capture"), "\(text)")
      return text.split(separator: "\n").compactMap {
        $0.firstMatch(of: /no message on (.*) ends:/).map { String($0.1) }
      }
    }
    #expect(try accused([[0x7F, 1, 2], [1, 2]]) == ["GATT handle 0x0033"])
    #expect(try accused([[1, 2], [0x7F, 1, 2]]) == [])
    #expect(try accused([[0x7F, 1, 2], [1, 2]], isTruncated: true) == [])
  }

  /// The UUID that was meant is named, before those of the Bluetooth SIG.
  @Test func mistypedUUID() throws {
    let folder = try TestFolder()
    let profile = try Self.copy("pebble", ("50000002-328E", "50000009-328E"), in: folder)
    let (text, _, _) = try Self.run(profile, Self.capture, "--keys", Self.keys)
    #expect(
      text.contains("This capture has UUIDs 50000001-328E-0FBB-C642-1AA6699BDADA, 50000002-"),
      "\(text)")
  }

  /// Bytes that an instance reads are not left over: `pos` of the KSY reference, "Positions". Those after it are.
  @Test(
    arguments: [
      ([2, 3, 5, 6, 7, 9], nil), ([2, 3, 5, 6, 7, 9, 9, 9], "2 bytes left over at byte 6"),
    ] as [([UInt8], String?)])
  func instanceReadsRest(_ value: [UInt8], _ left: String?) throws {
    let folder = try TestFolder()
    let layout = """
      meta: {id: inst, endian: be}
      seq:
        - {id: version, type: u1}
        - {id: ofs, type: u1}
      instances:
        item: {pos: ofs, type: entry}
      types:
        entry:
          seq:
            - {id: a, type: u1}
            - {id: b, type: u2}
      """
    try layout.write(toFile: folder.path("inst.ksy"), atomically: true, encoding: .utf8)
    try """
    profile: {id: own}
    channels:
      - gatt-handle: 0x0033
        encoding: inst.ksy
        messages: [{is: greeting, display-name: item.b.to_s}]
    """.write(toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    let capture = try AttributeValues.capture([(false, value)], named: "value", in: folder)
    let (text, _, code) = try Self.run(folder.path("profile.yaml"), capture)
    #expect(text.contains("display-name = \"1801\""), "\(text)")
    #expect(code == (left == nil ? 0 : 1))
    if let left { #expect(text.contains(left), "\(text)") }
    #expect(text.contains("left over") == (left != nil), "\(text)")
  }

  @Test func mistypedEnumMember() throws {
    let folder = try TestFolder()
    let profile = try Self.copy("pebble", ("kind::session", "kind::sesion"), in: folder)
    let checked = try OtherProgram.run(HarkProgram.url.path, ["dissectors", "check", profile])
    #expect(checked.code == 1)
    #expect(checked.text.contains("'kind::sesion' (did you mean 'kind::session'?)"), "\(checked)")
  }
}
