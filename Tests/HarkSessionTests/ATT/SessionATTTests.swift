import HarkCapture
import HarkCore
import HarkProfile
import Testing

@testable import HarkSession

/// Exchanges made by hand, and the events they must give. Core Specification, Vol 3, Part F, 3.4.
struct SessionATTTests {
  /// One packet: `>` from the client, `<` from the server, and the ATT PDU.
  static func session(_ packets: [String], keepsValues: Bool = false) -> Session {
    var session = Session(framings: .known)
    session.keepsValues = keepsValues
    for (index, packet) in packets.enumerated() {
      let pdu = hex(String(packet.dropFirst()))
      let bytes = acl(pdu, isFirst: packet.hasPrefix(">"))
      var record = CaptureRecord()
      record.kind = .acl
      record.count = bytes.count
      record.originalCount = bytes.count
      record.time = Timestamp(microseconds: Int64(index) * 1000)
      record.direction = packet.hasPrefix(">") ? .hostToController : .controllerToHost
      session.index(record, bytes.raw)
    }
    session.finish()
    return session
  }

  static func events(_ packets: [String]) -> [String] {
    var session = session(packets)
    var texts: [String] = []
    session.takeEvents { if let text = text($0) { texts.append(text) } }
    return texts
  }

  /// Of values that follow each other the last is reported with their number; each where that is wanted.
  @Test func valuesAreCountedOrKept() {
    let packets = ["<1b2a0055", "<1b2a0056", "<1b2a0057", "<1d2b0001", ">1e", "<1d2b0002", ">1e"]
    func reported(_ session: consuming Session) -> [String] {
      var texts: [String] = []
      session.takeEvents { event in
        switch event.content {
        case .attribute(.value(let value)):
          texts.append("\(event.frames.last.number) \(value.bytes)")
        case .attribute(.repeated(let it)):
          texts.append("\(event.frames.last.number) \(it.value.bytes) of \(it.times)")
        default: break
        }
      }
      return texts
    }
    #expect(
      reported(Self.session(packets)) == ["1 [85]", "3 [87] of 2", "4 [1]", "6 [2] of 1"])
    #expect(
      reported(Self.session(packets, keepsValues: true))
        == ["1 [85]", "2 [86]", "3 [87]", "4 [1]", "6 [2]"])
    let uses = Self.session(packets).databases.values.first?.uses
    #expect(uses?[0x2A]?.notifications == 3)
    #expect(uses?[0x2A]?.indications == 0)
    #expect(uses?[0x2B]?.notifications == 0)
    #expect(uses?[0x2B]?.indications == 2)
  }

  /// How the last value of an attribute was transferred.
  @Test func lastOperations() {
    func last(_ packets: [String], _ handle: UInt16) -> String? {
      Self.session(packets).databases.values.first?.uses[handle]?.lastOperation
    }
    #expect(last([">0a2a00", "<0b55"], 0x2A) == "read")
    #expect(last([">0a2a00", "<0b55", "<1b2a0056"], 0x2A) == "notification")
    #expect(last(["<1b2a0056", ">122a0001", "<13"], 0x2A) == "write")
    #expect(last([">522a0001"], 0x2A) == "write")
    #expect(last(["<1d2b0001", ">1e"], 0x2B) == "indication")
  }

  private static func acl(_ pdu: [UInt8], isFirst: Bool) -> [UInt8] {
    let flags: UInt8 = isFirst ? 0x00 : 0x20
    return [0x40, flags, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 4, 0] + pdu
  }

  /// The number of the first packet and what happened.
  private static func text(_ event: Event) -> String? {
    let frame = "\(event.frames.first.number)"
    switch event.content {
    case .attribute(.value(let value)):
      return "\(frame) value \(value.opcode) \(value.handle) \(Hex.text(value.bytes))"
    case .attribute(.repeated(let it)):
      return "\(frame) again \(it.value.opcode) \(it.times)"
    case .attribute(.attError(let it)):
      return "\(frame) error \(it.request) \(it.handle) \(it.error)"
    case .attribute(.subscription(let it)):
      return "\(frame) subscription \(it.handle) \(it.bits)"
    case .capture(.incompletePDU(let pdu)): return "\(frame) broken \(pdu.missing) \(pdu.have)"
    case .attribute(.discovery(let it)):
      return "\(frame) discovery \(it.services) \(it.characteristics)"
    case .attribute(.mtu(let it)): return "\(frame) mtu\(it.isRepeated ? " again" : "")"
    case .attribute(.wrongResponse(let it)):
      return "\(frame) wrong \(it.request) \(it.handle) \(it.response.rawValue)"
    case .attribute(.preparedDiffers(let it)):
      return "\(frame) differs \(it.handle) \(it.offset) \(it.size)"
    case .attribute(.partWritten(let it)):
      return "\(frame) part \(it.handle) \(it.offset) \(it.size)"
    case .attribute(.writeCancelled(let it)):
      return "\(frame) cancelled \(it.handle) \(it.size)"
    case .attribute(.requestUnanswered(let it)):
      return "\(frame) unanswered \(it.request) \(it.handle)"
    case .attribute(.sentEarly(let it)): return "\(frame) early \(it.request) \(it.handle)"
    case .attribute(.readMultiple(let it)):
      return "\(frame) together \(it.attributes.map(\.handle)) \(Hex.text(it.value))"
    default: return nil
    }
  }

  /// Both sides request the MTU: each value belongs to the request that contains it. 3.4.2
  @Test(arguments: [[0, 1, 2, 3], [0, 1, 3, 2], [1, 0, 2, 3], [1, 0, 3, 2]])
  func crossingMTUs(_ order: [Int]) {
    let packets = [">026400", "<02c800", ">036400", "<03c800"]
    let session = Self.session(order.map { packets[$0] })
    let found = session.events.compactMap { event -> String? in
      guard case .attribute(.mtu(let it)) = event.content else { return nil }
      return "\(it.client) \(it.server)"
    }
    #expect(found.sorted() == ["100 200", "200 100"])
    #expect(session.links.first?.mtu == 100)
  }

  static let exchanges: [([String], [String])] = [
    // An error names the request it answers.
    ([">0a0300", "<0112030001", "<0b01"], ["3 value 11 3 01"]),
    ([">0a0300", "<010a030002"], ["1 error 10 3 2"]),
    // The response names another attribute than the only one requested, or none. Core Specification, Vol 3, Part F,
    // 3.4.1.1
    ([">0a0300", "<010a050002"], ["1 wrong 10 3 1"]),
    ([">12030001", "<0112050003"], ["1 wrong 18 3 1"]),
    ([">160300000001", "<0116050003"], ["1 wrong 22 3 1"]),
    ([">0e03000500", "<010e050002"], ["1 error 14 5 2"]),
    ([">0e03000500", "<010e070002"], ["1 wrong 14 0 1"]),
    ([">0a0300", "<010a000006"], ["1 error 10 3 6"]),
    // Read Multiple Variable: the last value is cut by the sender. 3.4.4.12
    (
      [">20030005000700", "<210200aabb0100cc040011"],
      ["2 value 11 3 aabb", "2 value 11 5 cc"]
    ),
    // A response to another request: the client continues. 3.3.2, 3.4.9
    ([">0a1500", "<0d41", ">0a1800", "<0b4232"], ["1 wrong 10 21 13", "4 value 11 24 4232"]),
    ([">12030001", "<17030000", ">0a0300", "<0b01"], ["1 wrong 18 3 23", "4 value 11 3 01"]),
    // An Error Response about another request: the next request shows that it was the answer. 3.4.1.1
    (
      [">0a1500", "<0112150003", ">0a1800", "<0b4232"], ["1 wrong 10 21 1", "4 value 11 24 4232"]
    ),
    // Read Using Characteristic UUID. Part G, 4.8.2
    ([">080100ffff192a", "<0903080055"], ["2 value 11 8 55"]),
    ([">080100ffff192a", "<09030800550a0044"], ["2 value 11 8 55", "2 value 11 10 44"]),
    ([">080100ffff192a", "<0902" + "0800"], ["2 value 11 8 "]),
    // With MTU 23, a value of 19 bytes may be longer. 3.4.4.2
    (
      [
        ">080100ffff002a", "<0915" + "0300" + String(repeating: "61", count: 19), ">0c03001300",
        "<0d6262",
      ], ["2 value 11 3 " + String(repeating: "61", count: 19) + "6262"]
    ),
    // A client requests the MTU once. 3.4.2.1
    ([">02b900", "<033200", ">02b900", "<033200"], ["1 mtu", "3 mtu again"]),
    ([">02b900", "<033200", "<023200", ">03b900"], ["1 mtu", "3 mtu"]),
    // A value that is shorter than its Value Length. 3.4.7.4
    (["<23160009000048"], ["1 value 27 22 0048"]),
    // Read Multiple: nothing says where one value ends. 3.4.4.8
    ([">0e03000500", "<0faabbcc"], ["2 together [3, 5] aabbcc"]),
    ([">0e03000500", "<010e030002"], ["1 error 14 3 2"]),
    // A write counts once it is confirmed, and as of when it was sent.
    ([">12030001", "<13"], ["1 value 18 3 01"]),
    ([">12030001", "<0112030003"], ["1 error 18 3 3"]),
    ([">12030001", "<1b040002", "<13"], ["2 value 27 4 02", "1 value 18 3 01"]),
    // Without an answer no one knows whether it was done. 3.3.2, 3.4.5.1
    ([">12030001"], ["1 unanswered 18 3"]),
    ([">12030001", ">0a0300", "<0b01"], ["1 unanswered 18 3", "3 value 11 3 01"]),
    ([">0a0300"], ["1 unanswered 10 3"]),
    // A client that does not wait gets its responses in order. 3.3.2
    (
      [">0a0300", ">0a0500", "<0b41", "<0b42"],
      ["1 early 10 5", "3 value 11 3 41", "4 value 11 5 42"]
    ),
    (
      [">0a0300", ">12050001", "<0b41", "<13"],
      ["1 early 18 5", "3 value 11 3 41", "2 value 18 5 01"]
    ),
    (
      [">0a0300", ">0a0500", ">0a0700", "<0b41", "<0b42", "<0b43"],
      ["1 early 10 5", "4 value 11 3 41", "5 value 11 5 42", "6 value 11 7 43"]
    ),
    // Each request is sent when the response to the last but one has come.
    (
      [">0a0300", ">0a0500", "<0b41", ">0a0700", "<0b42", "<0b43"],
      ["1 early 10 5", "3 value 11 3 41", "5 value 11 5 42", "6 value 11 7 43"]
    ),
    // A capture that lacks a response looks the same: nothing is certain, until a response fits one request alone.
    ([">0a0300", ">0a0500", "<0b42", ">0a0700", "<0b43"], []),
    ([">0a0300", ">0a0500", "<0b42"], []),
    (
      [">0a0300", ">0a0500", "<0b42", ">040100ffff", "<010401000a", ">0a0700", "<0b43"],
      ["7 value 11 7 43"]
    ),
    // Both would say the same.
    ([">0a0300", ">0a0300", "<0b42"], ["3 value 11 3 42", "2 unanswered 10 3"]),
    // An Error Response names its request. 3.4.1.1
    (
      [">0a0300", ">0a0500", "<010a030002", "<0b42"],
      ["1 early 10 5", "1 error 10 3 2", "4 value 11 5 42"]
    ),
    (
      [">0a0300", ">0a0500", "<0b41", "<010a050002"],
      ["1 early 10 5", "3 value 11 3 41", "2 error 10 5 2"]
    ),
    ([">0a0300", ">12050001", "<13"], ["1 unanswered 10 3", "2 value 18 5 01"]),
    // The same for indications. 3.4.7.2
    (
      ["<1d030001", "<1d030002", ">1e", ">1e"],
      ["1 value 29 3 01", "2 again 29 1", "1 early 29 3"]
    ),
    (
      ["<1d030001", "<1d030002", ">1e", "<1d030003", ">1e"],
      ["1 value 29 3 01", "2 again 29 2"]
    ),
    (["<1d030001"], ["1 value 29 3 01", "1 unanswered 29 3"]),
    (["<1d030001", ">1e"], ["1 value 29 3 01"]),
    // A Client Characteristic Configuration, refused and repeated.
    (
      [">0404000400", "<050104000229", ">1204000100", "<011204000f", ">1204000100", "<13"],
      ["1 discovery 0 0", "3 error 18 4 15", "5 subscription 4 1"]
    ),
    // Both sides have a server: values of the same handle are of different attributes.
    (
      ["<1b08000050", ">1b080051", "<1b08000052", ">1b080053"],
      ["1 value 27 8 0050", "2 value 27 8 51", "3 again 27 1", "4 again 27 1"]
    ),
    // Every value of one notification; a signed write without its signature.
    (["<230300010001040002000203"], ["1 value 27 3 01", "1 value 27 4 0203"]),
    ([">d203000102" + "00112233445566778899aabb"], ["1 value 210 3 0102"]),
    // What is malformed names no attribute.
    ([">12", "<0112000004", "<1b", ">520a", "<2303"], ["1 error 18 0 4"]),
    // Prepared writes to two attributes, each of which may lack a slice.
    (
      [
        ">160300000001", "<170300000001", ">160400000002", "<170400000002", ">160300010003",
        "<170300010003", ">1801", "<19",
      ], ["7 value 24 3 0103", "7 value 24 4 02"]
    ),
    (
      [">160300000001", "<170300000001", ">160300050002", "<170300050002", ">1801", "<19"],
      ["1 part 3 0 1", "1 part 3 5 1"]
    ),
    // A client may write the parts in any order, also twice: the queue is executed in order. 3.4.6.3
    (
      [
        ">160300000001", "<170300000001", ">160300020003", "<170300020003", ">160300010002",
        "<170300010002", ">1801", "<19",
      ], ["7 value 24 3 010203"]
    ),
    (
      [
        ">16030000000102", "<17030000000102", ">1603000100ff03", "<1703000100ff03", ">1801", "<19",
      ], ["5 value 24 3 01ff03"]
    ),
    // The capture begins in the middle.
    ([">160300050002", "<170300050002", ">1801", "<19"], ["1 broken 5 1"]),
    ([">160300000001", "<170300000001", ">1800", "<19"], ["1 cancelled 3 1"]),
    // The server returns another value, and the client cancels. 3.4.6.2, 3.4.6.3; Part G, 4.9.5
    (
      [">16030000000102", "<17030000000103", ">1800", "<19"],
      ["1 differs 3 0 2", "1 cancelled 3 2"]
    ),
    (
      [">16030000000102", "<17030001000102", ">1801", "<19"],
      ["1 differs 3 0 2", "3 value 24 3 0102"]
    ),
    ([">160300000001", "<170300000001", ">1801"], ["1 unanswered 24 3"]),
    (
      [">160300000001", ">160300010002", "<170300010002", ">1801", "<19"],
      ["1 unanswered 22 3", "1 unanswered 24 3"]
    ),
    // A long value is one read, with MTU 23.
    (
      [
        ">0a0300", "<0b" + String(repeating: "aa", count: 22), ">0c03001600", "<0dbb",
        ">0c03001700", "<010c030007",
      ], ["2 value 11 3 " + String(repeating: "aa", count: 22) + "bb", "5 error 12 3 7"]
    ),
    (
      [">0a0300", "<0b" + String(repeating: "aa", count: 22), ">0a0400", "<0b01"],
      ["2 value 11 3 " + String(repeating: "aa", count: 22), "4 value 11 4 01"]
    ),
    ([">160300000001", "<0116030009", ">1801", "<19"], ["1 error 22 3 9"]),
  ]

  @Test func indicationAndConfirmation() {
    let session = Self.session(["<1d030001", ">1e"])
    #expect(session.packets[1]?.related == 2)
    #expect(session.packets[2]?.related == 1)
  }

  @Test func valueShorterThanItsLength() throws {
    var session = Self.session(["<23160009000048"])
    var values: [AttributeEvent.Value] = []
    session.takeEvents { event in
      if case .attribute(.value(let value)) = event.content { values.append(value) }
    }
    #expect(values.map(\.count) == [9] && values.map(\.cut) == [7])
  }

  @Test func discoveryByType() throws {
    let session = Self.session([
      ">060100ffff00280d18", "<0701000900", ">080100ffff002a", "<0905030048656a",
      ">080100ffff192a", "<09030800" + "63",
    ])
    let database = try #require(session.databases.values.first)
    #expect(database.services[1]?.uuid == BluetoothUUID(UInt16(0x180D)))
    #expect(database.type(of: 3) == BluetoothUUID(UInt16(0x2A00)))
    #expect(database.type(of: 8) == BluetoothUUID(UInt16(0x2A19)))
  }

  /// Slices of a vendor's message by Write Requests and, before they are answered, by Write Commands:
  /// the server takes them in the order they were sent, and none of a write it refuses. 3.3.2, 3.4.5
  @Test(arguments: [
    // START waits for its answer, the text and END behind it do not.
    ([write(0x12, start), write(0x52, text), write(0x52, end), "<13"], "4-6 unreadable"),
    // It is reported before the server has answered: by what the accessory says, or by the end.
    (
      [write(0x12, start), write(0x52, text), write(0x52, end), "<1b0300" + text],
      "4-6 unreadable"
    ),
    ([write(0x12, start), write(0x52, text), write(0x52, end)], "4-6 unreadable"),
    (
      [write(0x12, start), write(0x52, text), write(0x52, end), write(0x12, start), "<13"],
      "4-6 unreadable"
    ),
    ([write(0x52, start), write(0x12, text), "<13", write(0x52, end)], "4-7 unreadable"),
    // The server refuses START: what comes behind is of no message.
    (
      [write(0x12, start), write(0x52, text), write(0x52, end), "<0112030003"],
      "5-6 endWithoutStart"
    ),
  ])
  func commandsBehindWrites(_ packets: [String], _ expected: String) {
    var session = Self.session(
      [">080100ffff0328", "<091502000a0300" + Self.type, ">1e"] + packets)
    var reported: [String] = []
    session.takeEvents { event in
      guard case .accessory(let event) = event.content else { return }
      let frames = "\(event.frames.first?.number ?? 0)-\(event.frames.last?.number ?? 0)"
      switch event.content {
      case .unreadable: reported.append("\(frames) unreadable")
      case .incomplete(let gap): reported.append("\(frames) \(gap)")
      default: break
      }
    }
    #expect(reported.first == expected)
  }

  /// NotifBridge's notification characteristic, least significant octet first.
  private static let type = "478c6d1e0a3f5c9b124f8e7d7a2be1d5"
  private static let (start, end) = (
    Hex.text(Array("--START--".utf8)), Hex.text(Array("--END--".utf8))
  )
  private static let text = Hex.text(Array("no JSON".utf8))

  private static func write(_ opcode: UInt8, _ value: String) -> String {
    ">" + Hex.text([opcode, 3, 0]) + value
  }

  /// Device Name in two parts: the packet with the last one completes it. 3.4.4.5
  @Test func readInParts() {
    let name = String(repeating: "61", count: 22)
    let packets = [
      ">080100ffff0328", "<0907" + "020002" + "0300002a", ">0a0300", "<0b" + name, ">0c03001600",
      "<0d6262",
    ]
    #expect(Self.completed(packets) == ["6 attribute value \(name)6262"])
  }

  /// The same by prepared writes: the response to their execution completes it, and what was cancelled
  /// is no value. 3.4.6
  @Test func writtenInParts() {
    let packets = [
      ">080100ffff0328", "<0907" + "02000a" + "0300002a",
      ">16030000006161", "<17030000006161", ">160300020062", "<170300020062", ">1801", "<19",
      ">16030000006363", "<17030000006363", ">1800", "<19",
    ]
    #expect(Self.completed(packets) == ["8 attribute value 616162"])
  }

  private static func completed(_ packets: [String]) -> [String] {
    var session = Session(framings: .known)
    session.keepsFields = true
    var completed: [String] = []
    for (index, packet) in packets.enumerated() {
      let bytes = Self.acl(hex(String(packet.dropFirst())), isFirst: packet.hasPrefix(">"))
      var record = CaptureRecord()
      record.kind = .acl
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      record.direction = packet.hasPrefix(">") ? .hostToController : .controllerToHost
      session.index(record, bytes.raw)
      completed += session.completed.all.map {
        "\(index + 1) \($0.name) \(Hex.text(Array(session.completed.bytes(of: $0))))"
      }
    }
    return completed
  }

  @Test(arguments: exchanges) func exchange(_ packets: [String], _ expected: [String]) {
    #expect(Self.events(packets) == expected)
  }
}
