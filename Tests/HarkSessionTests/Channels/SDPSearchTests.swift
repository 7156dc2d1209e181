import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// What an SDP response says about the services of a device. Core Specification, Vol 3, Part B, 2.5.2, 3, 4.5 to 4.7
@Suite struct SDPSearchTests {
  private static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return [0x35, UInt8(content.count)] + content
  }
  private static func number(_ value: UInt16) -> [UInt8] {
    [0x09, UInt8(value >> 8), UInt8(value & 0xFF)]
  }
  private static func uuid(_ value: UInt16) -> [UInt8] {
    [0x19, UInt8(value >> 8), UInt8(value & 0xFF)]
  }
  private static func text(_ value: String) -> [UInt8] {
    [0x25, UInt8(value.utf8.count)] + value.utf8
  }

  /// ProtocolDescriptorList of a server channel.
  private static func protocols(_ channel: UInt8) -> [UInt8] {
    number(4) + sequence(sequence(uuid(0x0100)), sequence(uuid(0x0003), [0x08, channel]))
  }
  private static func handle(_ value: UInt8) -> [UInt8] { number(0) + [0x0A, 0, 1, 0, value] }
  private static func classes(_ value: UInt16) -> [UInt8] { number(1) + sequence(uuid(value)) }

  private static func pdu(_ id: UInt8, _ transaction: UInt8, _ parameters: [UInt8]) -> MadeRecord {
    let isRequest = [2, 4, 6].contains(id)
    return .pdu(
      isRequest ? 0x41 : 0x40,
      Hex.text([id, 0, transaction, 0, UInt8(parameters.count)] + parameters),
      received: !isRequest)
  }

  /// SDP_SERVICE_SEARCH_ATTR_REQ for all of `uuids`, and its response.
  private static func search(
    _ uuids: [UInt16], _ lists: [UInt8], transaction: UInt8 = 1
  ) -> [MadeRecord] {
    let pattern = uuids.flatMap(uuid)
    return [
      pdu(
        6, transaction,
        sequence(pattern) + [0x02, 0x00] + sequence([0x0A, 0, 0, 0xFF, 0xFF]) + [0]),
      pdu(7, transaction, [0, UInt8(lists.count)] + lists + [0]),
    ]
  }

  /// SDP_SERVICE_ATTR_REQ for the name of a record, and its response.
  private static func name(_ handle: UInt8, _ name: String, transaction: UInt8) -> [MadeRecord] {
    let list = sequence(number(0x0100), text(name))
    return [
      pdu(4, transaction, [0, 1, 0, handle, 0x02, 0x00] + sequence(number(0x0100)) + [0]),
      pdu(5, transaction, [0, UInt8(list.count)] + list + [0]),
    ]
  }

  private static let begun: [MadeRecord] = [
    .pdu(0x0001, "02 01 04 00 01 00 40 00", received: false),
    .pdu(0x0001, "03 01 08 00 41 00 40 00 00 00 00 00", received: true),
  ]

  /// A list that states one octet more than there is says nothing about the services of the device.
  @Test func damagedLists() {
    let whole = Self.sequence(Self.sequence(Self.handle(1) + Self.classes(0x111F)))
    var damaged = whole
    damaged[1] += 1
    #expect(reported(Self.search([0x111F], damaged)).isEmpty)
    #expect(reported(Self.search([0x111F], whole)).count == 1)
    #expect(reported(Self.search([0x111F], Self.sequence())).count == 1)
  }

  private func reported(_ records: [MadeRecord]) -> [String] {
    MadeRecord.session(Self.begun + records).events.compactMap { event in
      guard case .sdp(let content) = event.content else { return nil }
      switch content {
      case .found(let it):
        return it.records.map { record in
          let classes = record.classes.map { String($0.short ?? 0, radix: 16) }
          return "\(classes.joined()) \(record.name ?? "") \(record.serverChannel ?? 0)"
        }.joined(separator: "; ")
      case .missing(let it):
        return "no \(it.uuids.map { String($0.short ?? 0, radix: 16) }.joined(separator: " "))"
      case .error, .unanswered: return nil
      }
    }
  }

  /// Each record that matches has an attribute list, even if it has none of the attributes. 4.7.2
  @Test func matchingWithoutAttributes() {
    let empty = Self.sequence()
    #expect(reported(Self.search([0x1101], Self.sequence(empty, empty))) == [])
    #expect(reported(Self.search([0x1101], empty)) == ["no 1101"])
  }

  /// A record matches a pattern if it contains all UUIDs of it. 2.5.2
  @Test func pattern() {
    #expect(reported(Self.search([0x1101, 0x1124], Self.sequence())) == ["no 1101 1124"])
  }

  /// UUIDs of protocols are in the records of many services: they are no class. 2.5.2
  @Test func searchForProtocol() {
    let lists = Self.sequence(
      Self.sequence(Self.protocols(3)), Self.sequence(Self.protocols(5)))
    #expect(reported(Self.search([0x0100], lists)) == ["  3;   5"])
    #expect(reported(Self.search([0x1002], lists)) == ["  3;   5"])
    #expect(reported(Self.search([0x1101], lists)) == ["1101  3; 1101  5"])
  }

  /// A request for the name of a record adds it to what is known of the record.
  @Test func attributeOfKnownRecord() {
    let list = Self.sequence(
      Self.sequence(Self.handle(2), Self.classes(0x1101), Self.protocols(5)))
    #expect(
      reported(Self.search([0x1101], list) + Self.name(2, "New", transaction: 2))
        == ["1101  5", "1101 New 5"])
    #expect(reported(Self.name(2, "New", transaction: 2)) == [" New 0"])
  }

  /// A server may give a handle to another record, on another connection at the latest. 2.4
  @Test func anotherRecordWithTheHandle() {
    let gateway = Self.sequence(
      Self.sequence(
        Self.handle(1), Self.number(1) + Self.sequence(Self.uuid(0x111F), Self.uuid(0x1203)),
        Self.protocols(9), Self.number(0x0100), Self.text("Gateway")))
    let serial = Self.sequence(
      Self.sequence(Self.handle(1), Self.classes(0x1101), Self.protocols(6)))
    #expect(
      reported(Self.search([0x111F], gateway) + Self.search([0x1101], serial, transaction: 2))
        == ["111f1203 Gateway 9", "1101  6"])
    // The class that a search is for is not the list of classes: it may be any UUID of the record. 2.5.2
    let channel = Self.sequence(Self.sequence(Self.handle(1), Self.protocols(7)))
    #expect(
      reported(Self.search([0x111F], gateway) + Self.search([0x1203], channel, transaction: 2))
        == ["111f1203 Gateway 9", "111f1203 Gateway 7"])
  }

  /// The parts of attribute lists, each with its request: Continuation Information 01, and the number of the part. 4.3
  private static func parts(_ lists: [UInt8], of count: Int) -> [[MadeRecord]] {
    let starts = Array(stride(from: 0, to: lists.count, by: count))
    return starts.enumerated().map { index, start in
      let part = Array(lists[start..<min(lists.count, start + count)])
      let transaction = UInt8(index + 1)
      let asked: [UInt8] = index == 0 ? [0] : [1, UInt8(index)]
      let next: [UInt8] = index == starts.count - 1 ? [0] : [1, UInt8(index + 1)]
      return [
        pdu(
          6, transaction,
          sequence(uuid(0x1101)) + [0x02, 0x00] + sequence([0x0A, 0, 0, 0xFF, 0xFF]) + asked),
        pdu(7, transaction, [0, UInt8(part.count)] + part + next),
      ]
    }
  }

  /// A request, a response or both of a part are not in the capture.
  @Test func missingParts() {
    let lists = Self.sequence(
      Self.sequence(
        Self.handle(1), Self.classes(0x1101), Self.protocols(3), Self.number(0x0100),
        Self.text("Serial")))
    func incomplete(_ records: [MadeRecord]) -> [Int] {
      MadeRecord.session(Self.begun + records).events.compactMap { event in
        if case .capture(.incompletePDU(let it)) = event.content { it.have } else { nil }
      }
    }
    let parts = Self.parts(lists, of: 12)
    #expect(parts.count == 4)
    #expect(reported(parts.flatMap { $0 }) == ["1101 Serial 3"])
    #expect(incomplete(parts.flatMap { $0 }) == [])
    // The response, the exchange, the request of the second part; the whole first part.
    #expect(incomplete(parts[0] + [parts[1][0]] + parts[2] + parts[3]) == [12])
    #expect(incomplete(parts[0] + parts[2] + parts[3]) == [12])
    #expect(incomplete(parts[0] + [parts[1][1]] + parts[2] + parts[3]) == [12])
    #expect(incomplete(parts[1] + parts[2] + parts[3]) == [0])
    // SDP_ERROR_RSP: Invalid Continuation State. 4.4.1
    let error = Self.pdu(1, 2, [0, 5])
    #expect(incomplete(parts[0] + [parts[1][0], error]) == [12])
    // A client may stop, and the recorder may cut a response.
    #expect(incomplete(parts[0]) == [])
    #expect(
      incomplete([parts[0][0], parts[0][1].losing(2)] + parts[1] + parts[2] + parts[3]) == [])
  }

  /// A request for attributes that a record lacks is no search. 4.6.2
  @Test func attributesThatARecordLacks() {
    #expect(
      reported([
        Self.pdu(4, 1, [0, 1, 0, 2, 0x02, 0x00] + Self.sequence(Self.number(9)) + [0]),
        Self.pdu(5, 1, [0, 2] + Self.sequence() + [0]),
      ]) == [])
  }
}
