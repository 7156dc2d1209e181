import HarkCore
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// Property lists, Protocol Buffers and OPACK, as others write them.
struct EncodingTests {
  static func bytes(_ hex: String) -> [UInt8] { Hex.bytes(hex) ?? [] }

  static func value(
    _ text: String, of message: DecodedMessage, _ names: (any NamedValues)? = nil
  ) throws -> ProfileValue {
    var evaluator = Evaluator(message.value)
    return evaluator.value(
      try Formula(try ExpressionParser.parse(text), Formula.Context(names: names)))
  }

  // MARK: MessagePack

  /// By msgpack 1.2.4 of Python: msgpack.packb({"op": "sealed", "id": 7, "neg": -3, "low": -200, "wide": -40000, "far":
  /// -3000000000, "min": -2**63, "max": 2**64-1, "u8": 200, "u16": 40000, "u32": 3000000000, "f": 1.5, "on": True, "off":
  /// False, "no": None, "box": b"\x01\x02\xff", "list": [1, "zwei", {"x": []}], "long":
  /// "0123456789abcdefXYZ0123456789abcdef", 3: "three", "ext": ExtType(5, b"\xaa\xbb\xcc"), "when": Timestamp(1795192865)}).
  private static let pack = bytes(
    "de0015a26f70a67365616c6564a2696407a36e6567fda36c6f77d1ff38a477696465d2ffff63c0a3666172d3ffff"
      + "ffff4d2fa200a36d696ed38000000000000000a36d6178cfffffffffffffffffa27538ccc8a3753136cd9c40"
      + "a3753332ceb2d05e00a166cb3ff8000000000000a26f6ec3a36f6666c2a26e6fc0a3626f78c4030102ffa46c"
      + "6973749301a47a77656981a17890a46c6f6e67d923303132333435363738396162636465665859"
      + "5a3031323334353637383961626364656603a57468726565a3657874c70305aabbcca47768656ed6ff6b007821"
  )

  @Test(arguments: [
    ("op", .text("sealed")), ("id", ProfileValue(7)), ("neg", ProfileValue(-3)),
    ("low", ProfileValue(-200)), ("wide", ProfileValue(-40_000)),
    ("far", ProfileValue(-3_000_000_000)), ("min", .int(Integer(Int64.min))),
    ("max == 18446744073709551615", .bool(true)), ("u8", ProfileValue(200)),
    ("u16", ProfileValue(40_000)), ("u32", ProfileValue(3_000_000_000)), ("f", .float(1.5)),
    ("on and not off", .bool(true)), ("no", .null), ("box", .bytes([1, 2, 0xFF])),
    ("list[1]", .text("zwei")), ("list[2].x", .array([])), ("long.length", ProfileValue(35)),
    ("_[3]", .text("three")), ("_[\"op\"]", .text("sealed")), ("_[4]", .null),
    ("ext", .bytes([0xAA, 0xBB, 0xCC])), ("when", .bytes([0x6B, 0x00, 0x78, 0x21])),
  ]) func messagePack(_ text: String, _ expected: ProfileValue) throws {
    let message = MessagePackReader.read(Self.pack)
    #expect(message.problem == nil && message.trailing == nil)
    #expect(try Self.value(text, of: message) == expected)
  }

  /// packb(1.5, use_single_float=True); a binary of 300 bytes; each prefix; what is never used; maps in maps.
  @Test func messagePackLimits() {
    #expect(MessagePackReader.read(Self.bytes("ca3fc00000")).value == .float(1.5))
    let long = Self.bytes("c5012c") + [UInt8](repeating: 0x78, count: 300)
    #expect(MessagePackReader.read(long).value == .bytes([UInt8](repeating: 0x78, count: 300)))
    for count in 0..<Self.pack.count {
      #expect(MessagePackReader.read(Array(Self.pack.prefix(count))).problem != nil, "\(count)")
    }
    #expect(MessagePackReader.read([0xC1]).problem == .framing(.wrong(field: "MessagePack")))
    let deep = [UInt8](repeating: 0x91, count: 100)
    #expect(
      MessagePackReader.read(deep).problem
        == .framing(.tooDeep(encoding: "MessagePack", limit: 64)))
    #expect(MessagePackReader.read(Self.bytes("ddffffffff")).problem != nil)
    #expect(MessagePackReader.read(Self.bytes("c6ffffffff")).problem != nil)
  }

  /// RFC 8949, Appendix A: {1: 2, 3: 4}, and (_ h'0102', h'030405') and {_ "a": 1, "b": [_ 2, 3]} of unknown length.
  @Test func integerKeys() throws {
    let numbers = CBORReader.read(Self.bytes("a201020304"))
    #expect(try Self.value("_[1]", of: numbers) == ProfileValue(2))
    #expect(try Self.value("_[3]", of: numbers) == ProfileValue(4))
    #expect(try Self.value("_[2]", of: numbers) == .null)
    let negative = CBORReader.read(Self.bytes("a1200a"))
    #expect(try Self.value("_[-1]", of: negative) == ProfileValue(10))
    #expect(CBORReader.read(Self.bytes("5f42010243030405ff")).value == .bytes([1, 2, 3, 4, 5]))
    let open = CBORReader.read(Self.bytes("bf61610161629f0203ffff"))
    #expect(try Self.value("b[1]", of: open) == ProfileValue(3))
  }

  /// RFC 8949, Appendix A: the least negative number that 64 bits do not hold, and the least of all. 3.2.3: chunks have the
  /// type of their string. 3.4: a tag has a content. Keys of any type, and what is empty, as lines.
  @Test func unusualCBOR() {
    #expect(CBORReader.read(Self.bytes("3b7fffffffffffffff")).value == .int(Integer(Int64.min)))
    #expect(CBORReader.read(Self.bytes("3bffffffffffffffff")).value == .float(-0x1p64))
    #expect(CBORReader.read(Self.bytes("7f4161ff")).problem != nil)
    #expect(CBORReader.read(Self.bytes("9fc1ff")).problem != nil)
    let map = CBORReader.read(Self.bytes("a4f501f40260036161a0"))
    #expect(map.value.lines() == ["true: 1", "false: 2", ": 3", "a (empty)"])
    #expect(CBORReader.read([0xA0]).value.lines() == ["(empty)"])
  }

  // MARK: Property lists

  /// By Python 3.11's plistlib: plistlib.dumps({"name": "Acme", "n": -3, "big": 2**63+5, "small":
  /// 300, "on": True, "off": False, "f": 1.5, "bytes": b"\x01\x02\xff", "when":
  /// datetime(2026, 11, 20, 16, 41, 5), "list": [1, "zwei", {"x": []}], "wide": "Grüße 😀", "long":
  /// "0123456789abcdefXYZ", "min": -2**63}, fmt=plistlib.FMT_BINARY).
  static let binaryList = bytes(
    "62706c6973743030dd0102030405060708090a0b0c0d0e0f10111718191a1b1c1d1e1f536269"
      + "675562797465735166546c697374546c6f6e67536d696e516e546e616d65536f6666526f6e55"
      + "736d616c6c547768656e54776964651400000000000000008000000000000005430102ff233f"
      + "f8000000000000a31213141001547a776569d115165178a05f10133031323334353637383961"
      + "626364656658595a13800000000000000013fffffffffffffffd5441636d65080911012c3341"
      + "c85857d0800000680047007200fc00df00650020d83dde000823272d2f34393d3f44484b5156"
      + "5b6c70797d7f8487898aa0a9b2b7b8b9bcc50000000000000101000000000000002000000000"
      + "0000000000000000000000d6")

  /// The same as plistlib.FMT_XML.
  static let xmlList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>big</key>
    \t<integer>9223372036854775813</integer>
    \t<key>bytes</key>
    \t<data>
    \tAQL/
    \t</data>
    \t<key>f</key>
    \t<real>1.5</real>
    \t<key>list</key>
    \t<array>
    \t\t<integer>1</integer>
    \t\t<string>zwei</string>
    \t\t<dict>
    \t\t\t<key>x</key>
    \t\t\t<array/>
    \t\t</dict>
    \t</array>
    \t<key>long</key>
    \t<string>0123456789abcdefXYZ</string>
    \t<key>min</key>
    \t<integer>-9223372036854775808</integer>
    \t<key>n</key>
    \t<integer>-3</integer>
    \t<key>name</key>
    \t<string>Acme</string>
    \t<key>off</key>
    \t<false/>
    \t<key>on</key>
    \t<true/>
    \t<key>small</key>
    \t<integer>300</integer>
    \t<key>when</key>
    \t<date>2026-11-20T16:41:05Z</date>
    \t<key>wide</key>
    \t<string>Grüße 😀</string>
    </dict>
    </plist>

    """

  @Test(arguments: [
    ("name", .text("Acme")), ("n", ProfileValue(-3)), ("small", ProfileValue(300)),
    ("big == 9223372036854775813", .bool(true)), ("min", .int(Integer(Int64.min))),
    ("on and not off", .bool(true)), ("f", .float(1.5)), ("bytes", .bytes([1, 2, 0xFF])),
    // (datetime(2026, 11, 20, 16, 41, 5) - datetime(2001, 1, 1)).total_seconds()
    ("when", .float(816_885_665)), ("list[1]", .text("zwei")), ("list[2].x", .array([])),
    ("wide", .text("Grüße 😀")), ("long.length", ProfileValue(19)),
  ]) func propertyLists(_ text: String, _ expected: ProfileValue) throws {
    for bytes in [Self.binaryList, Array(Self.xmlList.utf8)] {
      let message = PropertyListReader.read(bytes)
      #expect(message.problem == nil && message.trailing == nil)
      #expect(try Self.value(text, of: message) == expected)
    }
  }

  /// plistlib.dumps({"u": plistlib.UID(258), "e": []}, fmt=plistlib.FMT_BINARY)
  @Test func uid() throws {
    let message = PropertyListReader.read(
      Self.bytes(
        "62706c6973743030d20102030451655175a0810102080d0f111200000000000001010000000000000005"
          + "00000000000000000000000000000015"))
    #expect(try Self.value("u", of: message) == ProfileValue(258))
    #expect(try Self.value("e", of: message) == .array([]))
  }

  @Test(arguments: [
    ("<string>a &lt;&#38;&#x1F600; <![CDATA[<b>]]><!-- c -->d</string>", .text("a <&😀 <b>d")),
    ("<plist><integer> 0x1F </integer></plist>", ProfileValue(31)),
    ("<array><true/><string/><data/></array>", .array([.bool(true), .text(""), .bytes([])])),
    ("<date>2001-01-01T00:00:00Z</date>", .float(0)),
    ("<date>2000-02-29T12:00:00Z</date>", .float(-26_481_600)),
  ]) func xml(_ text: String, _ expected: ProfileValue) {
    let message = PropertyListReader.read(Array(text.utf8))
    #expect(message.problem == nil)
    #expect(message.value == expected)
  }

  @Test(arguments: [
    "", "plain", "<plist>", "<plist><string>a</plist>", "<dict><string>a</string></dict>",
    "<integer>x</integer>", "<date>2026-13-01T00:00:00Z</date>", "<data>A</data>",
    "<date>2026-02-30T00:00:00Z</date>",
    "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
    "<string>&a;</string>", "<string>&#xD800;</string>", "<nothing/>", "bplist00",
  ]) func noPropertyList(_ text: String) {
    #expect(PropertyListReader.read(Array(text.utf8)).problem != nil)
  }

  /// Objects in each other, and many that are many.
  @Test func endlessPropertyLists() {
    // An array that holds itself.
    let own =
      Self.bytes("62706c6973743030a100") + [8] + [UInt8](repeating: 0, count: 6)
      + [1, 1] + Self.big(1) + Self.big(0) + Self.big(10)
    #expect(
      PropertyListReader.read(own).problem
        == .framing(.tooDeep(encoding: "property list", limit: 64)))
    // 40 arrays, each with the next one twice: 2^40 values.
    var bytes = Self.bytes("62706c6973743030")
    for number in 0..<40 { bytes += [0xA2, UInt8(number + 1), UInt8(number + 1)] }
    bytes.append(0x09)
    let table = bytes.count
    for number in 0...40 { bytes.append(UInt8(8 + number * 3)) }
    bytes +=
      [UInt8](repeating: 0, count: 6) + [1, 1] + Self.big(41) + Self.big(0)
      + Self.big(UInt64(table))
    #expect(
      PropertyListReader.read(bytes).problem
        == .framing(.tooMany(encoding: "property list", limit: 65_536)))
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(
      PropertyListReader.read(Array(deep.utf8)).problem
        == .framing(.tooDeep(encoding: "property list", limit: 64)))
  }

  private static func big(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
  }

  // MARK: Protocol Buffers

  /// By protoc of grpcio-tools 1.85: `--descriptor_set_out` of a file with the package acme, in
  /// proto3: enum Kind {NONE, STATE, NETWORK}; message Address {bytes octets = 1; sint32 rssi = 2;};
  /// message State {enum Wear {OFF = 0; IN_EAR = 1; LOST = -1;} Kind kind = 1; Wear wear = 2;
  /// repeated Address sources = 3; repeated uint32 levels = 4; map<string, int32> names = 5;
  /// optional uint32 sequence = 6; string title = 7; double gain = 8; fixed32 token = 9;
  /// sfixed64 offset = 10; int64 delta = 11; bool ready = 12; oneof what {string text = 13;
  /// float ratio = 14;} repeated string tags = 15; State inner = 16;}
  static let descriptors = bytes(
    "0ac3050a0a61636d652e70726f746f120461636d6522350a074164647265737312160a066f63"
      + "7465747318012001280c52066f637465747312120a0472737369180220012811520472737369"
      + "22c5040a055374617465121e0a046b696e6418012001280e320a2e61636d652e4b696e645204"
      + "6b696e6412240a047765617218022001280e32102e61636d652e53746174652e576561725204"
      + "7765617212270a07736f757263657318032003280b320d2e61636d652e416464726573735207"
      + "736f757263657312160a066c6576656c7318042003280d52066c6576656c73122c0a056e616d"
      + "657318052003280b32162e61636d652e53746174652e4e616d6573456e74727952056e616d65"
      + "73121f0a0873657175656e636518062001280d4801520873657175656e636588010112140a05"
      + "7469746c6518072001280952057469746c6512120a046761696e18082001280152046761696e"
      + "12140a05746f6b656e1809200128075205746f6b656e12160a066f6666736574180a20012810"
      + "52066f666673657412140a0564656c7461180b20012803520564656c746112140a0572656164"
      + "79180c200128085205726561647912140a0474657874180d2001280948005204746578741216"
      + "0a05726174696f180e2001280248005205726174696f12120a0474616773180f200328095204"
      + "7461677312210a05696e6e657218102001280b320b2e61636d652e53746174655205696e6e65"
      + "721a380a0a4e616d6573456e74727912100a036b657918012001280952036b657912140a0576"
      + "616c7565180220012805520576616c75653a023801222e0a045765617212070a034f46461000"
      + "120a0a06494e5f454152100112110a044c4f535410ffffffffffffffffff0142060a04776861"
      + "74420b0a095f73657175656e63652a280a044b696e6412080a044e4f4e45100012090a055354"
      + "4154451001120b0a074e4554574f524b1002620670726f746f33")

  /// By Python's google.protobuf, of that type: kind=STATE, wear=LOST, two sources
  /// (010203040506, −70; none, 5), levels=[3, 270, 86942], names={"x": 7, "y": -1}, title="Grüße",
  /// gain=1.5, token=0xDEADBEEF, offset=-2, delta=-3, ready=True, ratio=0.25, tags=["a", "b"],
  /// inner.title="in".
  static let state = bytes(
    "080110ffffffffffffffffff011a0b0a06010203040506108b011a02100a2206038e029ea705"
      + "2a050a017810072a0e0a017910ffffffffffffffffff013a074772c3bcc39f65410000000000"
      + "00f83f4defbeadde51feffffffffffffff58fdffffffffffffffff016001750000803e7a0161"
      + "7a01628201043a02696e")

  @Test(arguments: [
    ("kind == Kind::STATE", .bool(true)), ("wear == Wear::LOST", .bool(true)),
    ("inner.kind == acme::Kind::NONE", .bool(true)), ("inner.wear", ProfileValue(0)),
    ("sources.size", ProfileValue(2)), ("sources[0].octets", .bytes([1, 2, 3, 4, 5, 6])),
    ("sources[0].rssi", ProfileValue(-70)), ("sources[1].octets", .bytes([])),
    ("levels", .array([ProfileValue(3), ProfileValue(270), ProfileValue(86942)])),
    ("names.x", ProfileValue(7)), ("names.y", ProfileValue(-1)),
    ("sequence.exists", .bool(false)), ("title", .text("Grüße")), ("gain", .float(1.5)),
    ("token", ProfileValue(0xDEAD_BEEF)), ("offset", ProfileValue(-2)),
    ("delta", ProfileValue(-3)), ("ready", .bool(true)), ("text.exists", .bool(false)),
    ("ratio", .float(0.25)), ("tags.last", .text("b")), ("inner.title", .text("in")),
    ("inner.tags.size", ProfileValue(0)), ("inner.inner.exists", .bool(false)),
  ]) func protobuf(_ text: String, _ expected: ProfileValue) throws {
    let schema = try #require(ProtobufSchema(Self.descriptors))
    let type = try #require(schema.message(named: "acme.State"))
    let message = ProtobufReader.read(Self.state, schema, type: type)
    #expect(message.problem == nil)
    let context = Formula.Context(names: Members(schema))
    var evaluator = Evaluator(message.value)
    #expect(
      evaluator.value(try Formula(try ExpressionParser.parse(text), context)) == expected)
  }

  /// Keys of maps are names, too.
  private struct Members: NamedValues {
    let schema: ProtobufSchema
    init(_ schema: ProtobufSchema) { self.schema = schema }
    var enumMembers: [String] { schema.enumMembers }
    var kind: String { schema.kind }
    var names: Set<String> { schema.names.union(["x", "y"]) }
    func value(of member: String, in path: TypePath) -> Integer? {
      schema.value(of: member, in: path)
    }
  }

  @Test(arguments: [
    ("f1", ProfileValue(1)), ("f2.signed", ProfileValue(-1)), ("f3.size", ProfileValue(2)),
    ("f3[0].message.f1", .bytes([1, 2, 3, 4, 5, 6])),
    ("f3[0].message.f2.zigzag", ProfileValue(-70)),
    ("f4.packed", .array([ProfileValue(3), ProfileValue(270), ProfileValue(86942)])),
    ("f4.all.size", ProfileValue(1)), ("f99.all.size", ProfileValue(0)),
    ("f7.to_s", .text("Grüße")), ("f8.double", .float(1.5)), ("f9", ProfileValue(0xDEAD_BEEF)),
    ("f10.signed", ProfileValue(-2)), ("f14.float", .float(0.25)),
    ("f16.message.f7.to_s", .text("in")), ("f1.message", .null),
  ]) func protobufWithoutSchema(_ text: String, _ expected: ProfileValue) throws {
    let message = ProtobufReader.read(Self.state)
    #expect(message.problem == nil)
    #expect(try Self.value(text, of: message) == expected)
  }

  /// protobuf.dev, "Encoding": 150 in field 1; "testing" in field 2; a group in field 3, with 1.
  @Test func wire() throws {
    let message = ProtobufReader.read(Self.bytes("089601 120774657374696e67 1b0801 1c"))
    #expect(try Self.value("f1", of: message) == ProfileValue(150))
    #expect(try Self.value("f2.to_s", of: message) == .text("testing"))
    #expect(try Self.value("f3.f1", of: message) == ProfileValue(1))
  }

  @Test(arguments: [
    "08", "0a05", "0a", "00", "0f", "0c", "1b0801", "1b080124", "08ffffffffffffffffffffff01",
    "0afeffffffffffffff7f01",
  ]) func noProtobuf(_ hex: String) {
    #expect(ProtobufReader.read(Self.bytes(hex)).problem != nil)
  }

  @Test func endlessProtobuf() {
    let groups = [UInt8](repeating: 0x0B, count: 100_000)
    #expect(
      ProtobufReader.read(groups).problem == .framing(.tooDeep(encoding: "protobuf", limit: 64)))
    let many = [UInt8](repeating: 8, count: 1_000_000)
    #expect(
      ProtobufReader.read(many).problem
        == .framing(.tooMany(encoding: "protobuf", limit: 65_536)))
  }

  @Test func noDescriptors() {
    #expect(ProtobufSchema([]) == nil)
    #expect(ProtobufSchema([1, 2, 3]) == nil)
    #expect(ProtobufSchema(Array(Self.descriptors.dropLast(9))) == nil)
  }

  private static func profile(_ encoding: String, _ key: String) throws -> Profile {
    let text = """
      profile: {id: acme}
      channels:
        - l2cap-psm: 0x81
          encoding: \(encoding)
          messages:
            - when: kind == Kind::STATE
              is: application
              identifier: \(key)
      """
    return try Profile.load(
      "a/p.yaml",
      from: MadeFiles(
        texts: ["a/p.yaml": text, "a/text.desc": "text"], binaries: ["a/acme.desc": descriptors]))
  }

  @Test func profileWithDescriptors() throws {
    var assembler = try Self.profile("acme.desc::acme.State", "title").framing.makeAssembler()
    let framed = assembler.receive(
      VendorValue(
        frames: [PacketID(0)], time: Timestamp(microseconds: 0), channel: .psm(0x81),
        toServer: true, operation: .data, bytes: Self.state))
    guard case .plain(let message) = framed.first?.content else {
      Issue.record("\(framed)")
      return
    }
    #expect(message.contents == [.application(identifier: "Grüße", displayName: nil)])
  }

  @Test(arguments: [
    (
      "acme.desc", "title", "4:15 a/acme.desc has no message '', expected after '::': acme.Address"
    ),
    ("acme.desc::State", "title", "4:15 a/acme.desc has no message 'State'"),
    ("none.desc::acme.State", "title", "4:15 no such file: a/none.desc"),
    ("text.desc::acme.State", "title", "4:15 a/text.desc is not a descriptor set"),
    ("acme.desc::acme.State", "tidle", "8:21 'tidle': the descriptor set has no member 'tidle'"),
    ("protobuf", "f7", "6:15 'kind == Kind::STATE': 'Kind::STATE' needs a layout or a descriptor"),
    ("proto", "f7", "4:15 expected json, cbor, plist, opack, msgpack, protobuf, raw, a layout"),
  ]) func wrongUse(_ encoding: String, _ key: String, _ expected: String) {
    do {
      _ = try Self.profile(encoding, key)
      Issue.record("\(encoding) is taken")
    } catch {
      let reported = (error as? LayoutErrors)?.diagnostics.first
      let text = reported.map { "\($0.location.line):\($0.location.column) \($0.message)" } ?? ""
      #expect(text.hasPrefix(expected), "\(text)")
    }
  }

  // MARK: OPACK

  /// Tags as the pyatv project's documentation of protocols has them.
  @Test(arguments: [
    ("e1 4161 0c", "a", ProfileValue(4)), ("e1 4161 d2 08 4474657374", "a[1]", .text("test")),
    ("30ff", "_", ProfileValue(255)), ("7301 0203", "_", .bytes([1, 2, 3])),
    ("01", "_", .bool(true)),
    ("d2 4474657374 a0", "_[1]", .text("test")),
    ("05 12345678123456781234567812345678", "uuid", .text("12345678-1234-5678-1234-567812345678")),
  ]) func opack(_ hex: String, _ text: String, _ expected: ProfileValue) throws {
    let message = OPACKReader.read(Self.bytes(hex))
    #expect(message.problem == nil && message.trailing == nil)
    #expect(try Self.value(text == "uuid" ? "_.uuid" : text, of: message) == expected)
  }

  @Test func noOPACK() {
    #expect(OPACKReader.read([]).problem != nil)
    #expect(OPACKReader.read([0xE1, 0x41]).problem != nil)
    #expect(OPACKReader.read([1, 1]).trailing == 1..<2)
  }

  // MARK: Truncated

  /// {"a": 4, "b": {"c": [5, 6], "d": three bytes}} without its last byte, as each encoding has it: see above.
  @Test(arguments: [
    ("OPACK", "e2 4161 0c 4162 e2 4163 d2 0d 0e 4164 73 0102"),
    ("CBOR", "a2 6161 04 6162 a2 6163 82 05 06 6164 43 0102"),
    ("MessagePack", "82 a161 04 a162 82 a163 92 05 06 a164 c403 0102"),
  ]) func truncated(_ encoding: String, _ hex: String) throws {
    let bytes = Self.bytes(hex)
    let message =
      switch encoding {
      case "OPACK": OPACKReader.read(bytes)
      case "CBOR": CBORReader.read(bytes)
      default: MessagePackReader.read(bytes)
      }
    #expect(
      message.problem
        == .framing(
          .tooShort(field: encoding, needed: bytes.count + 1, available: bytes.count)))
    #expect(message.trailing == nil)
    #expect(try Self.value("a", of: message) == ProfileValue(4))
    #expect(try Self.value("b.c[1]", of: message) == ProfileValue(6))
    #expect(try Self.value("b.d", of: message) == .null)
    #expect(
      message.lines == [
        "a: 4", "b", "  c", "    [0]: 5", "    [1]: 6",
        "… \(encoding) needs \(bytes.count + 1) bytes, \(bytes.count) available",
      ])
    // Of each length, a message or its beginning with a problem.
    for count in bytes.indices {
      let part = Array(bytes.prefix(count))
      #expect(OPACKReader.read(part).problem != nil || encoding != "OPACK")
      #expect(CBORReader.read(part).problem != nil || encoding != "CBOR")
      #expect(MessagePackReader.read(part).problem != nil || encoding != "MessagePack")
    }
  }

  // MARK: All

  /// Whatever comes, all of them end, and none traps.
  @Test func mutations() throws {
    let schema = try #require(ProtobufSchema(Self.descriptors))
    let type = try #require(schema.message(named: "acme.State"))
    let xml = Array(Self.xmlList.utf8)
    var random = Random(state: 11)
    var sound = 0
    for _ in 0..<300 {
      let messages = [
        PropertyListReader.read(random.mutate(Self.binaryList)),
        PropertyListReader.read(random.mutate(xml)), ProtobufReader.read(random.mutate(Self.state)),
        ProtobufReader.read(random.mutate(Self.state), schema, type: type),
        OPACKReader.read(
          random.mutate(Self.bytes("e2 4161 d2 08 4474657374 4162 e1 a0 7301 0203"))),
        CBORReader.read(random.mutate(Self.bytes("a2616101616282025f420102ff"))),
        JSONReader.read(random.mutate(Array(#"{"a": [1, 2.5, "x\u00e9"], "b": null}"#.utf8))),
      ]
      sound += messages.count { $0.problem == nil }
      _ = ProtobufSchema(random.mutate(Self.descriptors))
    }
    #expect(sound > 300)
    for count in Self.binaryList.indices {
      #expect(PropertyListReader.read(Array(Self.binaryList.prefix(count))).problem != nil)
    }
    for count in xml.indices.dropLast(2) {
      #expect(PropertyListReader.read(Array(xml.prefix(count))).problem != nil)
    }
  }
}
