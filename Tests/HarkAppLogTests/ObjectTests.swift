import Foundation
import HarkCore
import Testing

@testable import HarkAppLog

/// Property lists are what Python's plistlib writes, XPC objects what pymobiledevice3 11.45 does.
@Suite struct ObjectTests {
  /// `{a: [1, 2.5, True, b'xy', {k: 'ü'}], u: UID(3)}`
  private static let list =
    "62706c6973743030d20102030b51615175a50405060708100123400400000000000009427879d1090a516b6100fc8003"
    + "080d0f111719222326292b2e0000000000000101000000000000000c00000000000000000000000000000030"
  private static let archive =
    "62706c6973743030d401020304050613165924617263686976657258246f626a656374735424746f7058247665727369"
    + "6f6e5f100f4e534b657965644172636869766572a307080d55246e756c6cd2090a0b0c5624636c617373546e616d65"
    + "80025178d20e0f10115824636c61737365735a24636c6173736e616d65a211125b41434d454d657373616765584e53"
    + "4f626a656374d1141554726f6f74800112000186a008111b24293244484e535a5f616368717c7f8b94979c9e000000"
    + "00000001010000000000000017000000000000000000000000000000a3"
  /// `{op: 3 (unsigned), delta: -7, name: 'Acme Büds', ok: True, no: False, data: 0…4,
  /// list: ['a', 2**63 (unsigned), {}]}`, message 9, wanting a reply.
  private static let request =
    "920bb02901010100bc000000000000000900000000000000423713420500000000f00000ac000000070000006f700000"
    + "00400000030000000000000064656c746100000000300000f9ffffffffffffff6e616d6500000000009000000b0000"
    + "0041636d652042c3bc647300006f6b000000200000010000006e6f0000002000000000000064617461000000000080"
    + "00000500000000010203040000006c6973740000000000e00000280000000300000000900000020000006100000000"
    + "400000000000000000008000f000000400000000000000"
  private static let empty =
    "920bb0290100000014000000000000000100000000000000423713420500000000f000000400000000000000"
  private static let object =
    "423713420500000000f000004c000000040000006964000000a00000f47f6db424d5596d93bc29da8905416177686"
    + "56e00000000007000000097633af2ca86186e696c000010000068616c660000000000500000000000000000e0bf"
  /// `{body: {k: 'v'}}`, the inner one as a binary property list.
  private static let nested =
    "920bb0290101000058000000000000000200000000000000423713420500000000f000004800000001000000626f6479"
    + "00000000008000003200000062706c6973743030d10102516b5176080b0d0000000000000101000000000000000300"
    + "00000000000000000000000000000f0000"

  private static func file(_ hex: String) -> ObjectFile { ObjectFile(Hex.bytes(hex) ?? []) }

  @Test func propertyList() throws {
    let root = try #require(Self.file(Self.list).nodes.first)
    #expect(root.brief == #"{a: [1, 2.5, true, 7879, {k: "ü"}], u: 3}"#)
    // 0x23 and eight bytes, at the offset that the table has for the third of the array's objects.
    let real = root.children[0].children[1]
    #expect(real.kind == "real" && real.range == 25..<34)
    #expect(root.children[1].kind == "UID")
  }

  @Test func archive() throws {
    let root = try #require(Self.file(Self.archive).nodes.first)
    #expect(root.kind == "NSKeyedArchiver")
    let objects = try #require(root.children.first { $0.name == "$objects" })
    #expect(objects.children[1].kind == "ACMEMessage")
  }

  @Test func request() throws {
    let file = Self.file(Self.request)
    #expect(file.problem == nil)
    let message = try #require(file.nodes.first)
    #expect(message.range == 0..<file.count)
    #expect(message.children[0].value == "0x00010101 (always set, data present, wanting reply)")
    #expect(message.children[2].value == "9")
    #expect(
      message.children[3].brief
        == #"{op: 3, delta: -7, name: "Acme Büds", ok: true, no: false, data: 0001020304, "#
        + #"list: ["a", 9223372036854775808, dictionary]}"#)
    #expect(
      message.children[3].children.map(\.kind) == [
        "uint64", "int64", "string", "bool", "bool", "data", "array",
      ])
  }

  @Test func several() throws {
    let file = Self.file(Self.empty + Self.request)
    #expect(file.nodes.count == 2 && file.problem == nil)
    #expect(file.nodes[1].range.lowerBound == Self.empty.count / 2)
  }

  @Test func types() throws {
    let file = Self.file(Self.object)
    #expect(
      file.nodes.first?.brief
        == "{id: F47F6DB4-24D5-596D-93BC-29DA89054161, when: 2026-01-02 03:04:05.500000, nil: null, "
        + "half: -0.5}")
  }

  @Test func listInside() throws {
    let body = try #require(Self.file(Self.nested).nodes.first?.children[3].children.first)
    #expect(body.children.first?.brief == #"{k: "v"}"#)
    #expect(body.children.first?.range == 60..<110)
  }

  /// As logs have it.
  @Test func spelled() throws {
    #expect(ObjectFile(Array(Self.list.utf8)).spelling == "hexadecimal")
    #expect(Bodies.found(in: "request \(Self.nested) sent") == ["XPC " + Self.brief(Self.nested)])
    #expect(Bodies.found(in: "plist=<\(Self.list)>").count == 1)
    #expect(Bodies.found(in: "nothing but words 62706c6973") == [])
  }

  /// Data as Foundation prints it, and behind a label without quotes.
  @Test func printed() throws {
    let groups = stride(from: 0, to: Self.list.count, by: 8).map { at in
      String(Self.list.dropFirst(at).prefix(8))
    }.joined(separator: " ")
    let brief = "plist " + Self.brief(Self.list)
    #expect(Bodies.found(in: "body <\(groups)> of it") == [brief])
    #expect(Bodies.found(in: "{length = 95, bytes = 0x\(groups)}") == [brief])
    // What is left out in the middle cannot be read.
    #expect(Bodies.found(in: "{length = 95, bytes = 0x62706c69 73743030 ... 00000030 }") == [])
    #expect(Bodies.found(in: "<62706c69 and words>") == [])
    let base64 = Data(Hex.bytes(Self.list) ?? []).base64EncodedString()
    #expect(Bodies.found(in: "got data=\(base64) now") == [brief])
    #expect(ObjectFile(Array("body <\(groups)>".utf8)).nodes.count == 1)
  }

  /// Of what is cut, or has something in it that is not known, the rest is shown with where it stops.
  @Test func partial() throws {
    let bytes = Hex.bytes(Self.request) ?? []
    let cut = ObjectFile(Array(bytes.dropLast(8)))
    #expect(cut.problem != nil)
    #expect(
      cut.nodes.first?.children[3].brief
        == #"{op: 3, delta: -7, name: "Acme Büds", ok: true, no: false, data: 0001020304, "#
        + #"list: ["a", 9223372036854775808, unreadable]}"#)
    var other = bytes
    // The type of `no`: an error object.
    let place = try #require(Self.place(of: [0x6E, 0x6F, 0, 0, 0, 0x20, 0, 0], in: bytes))
    (other[place + 5], other[place + 6]) = (0, 1)
    let unknown = ObjectFile(other)
    #expect(unknown.problem?.description.contains("error") == true)
    #expect(
      unknown.nodes.first?.children[3].brief
        == #"{op: 3, delta: -7, name: "Acme Büds", ok: true, …: unreadable}"#)
    #expect(ObjectFile(bytes).problem == nil)
  }

  private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: part) }
  }

  /// An older form of NSXPC's and damaged lists are named as such.
  @Test func otherLists() {
    let body = ObjectFile(Array("bplist15".utf8) + [0xD0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(body.nodes.map(\.value) == ["bplist15, 17 bytes of NSXPC"])
    #expect(body.problem?.description.contains("NSXPC") == true)
    let damaged = ObjectFile(Array("bplist00".utf8) + [1, 2, 3])
    #expect(damaged.nodes.isEmpty)
    #expect(damaged.problem?.description.contains("property list") == true)
    #expect(ObjectFile(Array("<?xml version=\"1.0\"?><plist><dict>".utf8)).problem != nil)
  }

  /// In lines of a log, and between other bytes: the places are those of the file then.
  @Test func inside() throws {
    let log = ObjectFile(Array("Nov 20 a\nNov 20 request \(Self.nested) sent\n".utf8))
    #expect(log.problem == nil && log.spelling == nil)
    #expect(log.nodes.map(\.name) == ["line 2, RemoteXPC"])
    let message = Hex.bytes(Self.request) ?? []
    let stream = ObjectFile([0, 0, 0x29, 0x92, 0x0B] + message + [7] + message)
    #expect(stream.problem == nil)
    #expect(
      stream.nodes.map(\.range) == [
        5..<5 + message.count, 6 + message.count..<6 + 2 * message.count,
      ])
    #expect(ObjectFile(Array("Nov 20 nothing at all\n".utf8)).problem != nil)
  }

  private static func brief(_ hex: String) -> String { file(hex).nodes.first?.brief ?? "" }

  /// Each prefix and each flipped bit is read or told, and never more than there is is shown.
  @Test func mutations() throws {
    for hex in [Self.list, Self.archive, Self.request, Self.object, Self.nested] {
      let bytes = Hex.bytes(hex) ?? []
      var problems = 0
      for index in bytes.indices {
        for bit in 0..<8 {
          var mutant = bytes
          mutant[index] ^= 1 << UInt8(bit)
          let file = ObjectFile(mutant)
          #expect(file.nodes.allSatisfy { Self.lies($0, inside: file.count) })
        }
        if ObjectFile(Array(bytes[..<index])).problem != nil { problems += 1 }
      }
      #expect(problems > bytes.count / 2)
    }
  }

  private static func lies(_ node: ObjectNode, inside count: Int) -> Bool {
    node.range.lowerBound >= 0 && node.range.upperBound <= count
      && node.children.allSatisfy { lies($0, inside: count) }
  }
}
