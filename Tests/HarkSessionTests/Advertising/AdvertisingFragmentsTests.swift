import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Advertising data in several reports, commands or PDUs. Core Specification, Vol 4, Part E, 7.7.65.13, 7.7.65.15, 7.8.54,
/// 7.8.62; Vol 6, Part B, 2.3.4.
@Suite struct AdvertisingFragmentsTests {
  private static let address = BluetoothAddress(0xC122_3344_5566, .random)
  /// Complete Local Name "Living Room".
  private static let name = "0c 09 4c 69 76 69 6e 67 20 52 6f 6f 6d"
  /// Service Data of the Basic Audio Announcement, 0x1851: 40 000 µs, one subgroup with one BIS, LC3. Basic Audio Profile
  /// 1.0.1, 3.7.2.2
  private static let announcement = "11 16 51 18 40 9c 00 01 01 06 00 00 00 00 00 00 01 00"

  /// Hexadecimal digits of some of the octets.
  private static func part(_ hex: String, _ range: Range<Int>) -> String {
    Hex.text(Array((Hex.bytes(hex) ?? [])[range]))
  }

  private static func report(_ status: UInt8, _ data: String, sid: UInt8 = 2) -> [UInt8] {
    let data = Hex.bytes(data) ?? []
    return [status << 5, 0, 1, 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1, 1, 1, sid, 0x7F, 0xC4]
      + [UInt8](repeating: 0, count: 9) + [UInt8(data.count)] + data
  }

  private static func extended(_ reports: [UInt8]...) -> MadeRecord {
    let parameters = [0x0D, UInt8(reports.count)] + reports.joined()
    return .event(Hex.text([0x3E, UInt8(parameters.count)] + parameters))
  }

  private static func expectName(
    _ records: [MadeRecord], _ location: SourceLocation = #_sourceLocation
  ) {
    let session = MadeRecord.session(records)
    #expect(session.counts.malformed == 0, sourceLocation: location)
    #expect(session.advertisingAddresses.count == 1, sourceLocation: location)
    #expect(session.advertisingAddresses.first?.name == "Living Room", sourceLocation: location)
  }

  @Test func reports() {
    // In separate events, in one event, and with the report of another set between them.
    Self.expectName([
      Self.extended(Self.report(1, Self.part(Self.name, 0..<5))),
      Self.extended(Self.report(1, Self.part(Self.name, 5..<9))),
      Self.extended(Self.report(0, Self.part(Self.name, 9..<13))),
    ])
    Self.expectName([
      Self.extended(
        Self.report(1, Self.part(Self.name, 0..<5)), Self.report(0, Self.part(Self.name, 5..<13)))
    ])
    Self.expectName([
      Self.extended(Self.report(1, Self.part(Self.name, 0..<5))),
      Self.extended(Self.report(0, "02 01 06", sid: 3)),
      Self.extended(Self.report(0, Self.part(Self.name, 5..<13))),
    ])
  }

  /// HCI_LE_Periodic_Advertising_Response_Report of set 1, subevent 2: TX power, RSSI, CTE type, response slot, Data_Status, data.
  /// 7.7.65.37
  private static func responses(_ list: (slot: UInt8, status: UInt8, data: String)...) -> MadeRecord
  {
    let reports = list.flatMap { response -> [UInt8] in
      let data = Hex.bytes(response.data) ?? []
      return [0x7F, 0xC8, 0xFF, response.slot, response.status, UInt8(data.count)] + data
    }
    let parameters = [0x28, 0x01, 0x02, 0x00, UInt8(list.count)] + reports
    return .event(Hex.text([0x3E, UInt8(parameters.count)] + parameters))
  }

  /// The parts of a response form one piece of data, also with the response of another slot between them.
  @Test func responses() {
    let (first, last) = (Self.part(Self.name, 0..<5), Self.part(Self.name, 5..<13))
    for records in [
      [Self.responses((3, 1, first)), Self.responses((4, 0, "02 01 06"), (3, 0, last))],
      [Self.responses((3, 1, first), (4, 0, "02 01 06"), (3, 0, last))],
      // The rest is not received; then the response comes once more.
      [
        Self.responses((3, 1, first)), Self.responses((3, 0xFF, "")),
        Self.responses((3, 0, Self.name)),
      ],
    ] {
      let session = MadeRecord.session(records)
      #expect(session.counts.malformed == 0)
    }
    // The whole data lacks an octet.
    let session = MadeRecord.session([
      Self.responses((3, 1, first)), Self.responses((3, 0, Self.part(Self.name, 5..<12))),
    ])
    #expect(session.row(of: UInt32(1))?.flags.contains(.malformed) == false)
    #expect(session.row(of: UInt32(2))?.flags.contains(.malformed) == true)
  }

  /// The Controller gives up on the rest; then the data comes once more.
  @Test func cutReports() {
    Self.expectName([
      Self.extended(Self.report(1, Self.part(Self.name, 0..<5))),
      Self.extended(Self.report(2, Self.part(Self.name, 5..<8))),
      Self.extended(Self.report(0, Self.name)),
    ])
    let cut = MadeRecord.session([Self.extended(Self.report(2, Self.part(Self.name, 0..<5)))])
    #expect(cut.counts.malformed == 0)
  }

  /// Only the whole data can be malformed: an AD structure that is longer than the data.
  @Test func malformed() {
    let session = MadeRecord.session([
      Self.extended(Self.report(1, Self.part(Self.name, 0..<5))),
      Self.extended(Self.report(0, Self.part(Self.name, 5..<10))),
    ])
    #expect(session.counts.malformed == 1)
    #expect(session.row(of: UInt32(1))?.flags.contains(.malformed) == false)
    #expect(session.row(of: UInt32(2))?.flags.contains(.malformed) == true)
  }

  /// The end of the data is not in the capture; later, the same or other data comes in parts or at once: all parts of a
  /// report are from one advertising event.
  @Test func lostEnd() {
    let flags = "02 01 06"
    func later(_ seconds: Int64, _ record: MadeRecord) -> MadeRecord {
      var record = record
      record.time = seconds
      return record
    }
    for pause in [0, 1, 5] as [Int64] {
      // The same data again, in parts, and at once.
      Self.expectName([
        Self.extended(Self.report(1, flags + Self.part(Self.name, 0..<5))),
        later(pause, Self.extended(Self.report(1, flags + Self.part(Self.name, 0..<5)))),
        later(pause, Self.extended(Self.report(0, Self.part(Self.name, 5..<13)))),
      ])
      Self.expectName([
        Self.extended(Self.report(1, flags + Self.part(Self.name, 0..<5))),
        later(pause, Self.extended(Self.report(0, flags + Self.name))),
      ])
      // Other data, of which the join would be malformed.
      Self.expectName([
        Self.extended(Self.report(1, "02 01 06 0b 09 41 63 6d 65")),
        later(pause, Self.extended(Self.report(0, Self.name))),
      ])
    }
    // Other data, of which the join would be well-formed.
    Self.expectName([
      Self.extended(Self.report(1, "02 01 06 05 09 41 63 6d 65")),
      later(5, Self.extended(Self.report(1, "02 01 04 " + Self.part(Self.name, 0..<5)))),
      later(5, Self.extended(Self.report(0, Self.part(Self.name, 5..<13)))),
    ])
  }

  /// Data that is malformed names nothing: its parts may belong to different reports.
  @Test func noNameFromMalformedData() {
    let session = MadeRecord.session([
      Self.extended(Self.report(1, Self.name)), Self.extended(Self.report(0, "09 ff 00")),
    ])
    #expect(session.counts.malformed == 1)
    #expect(session.advertisingAddresses.first?.name == nil)
  }

  /// Packets were lost between the parts.
  @Test func brokenByLoss() {
    var session = Session(framings: .known)
    Self.extended(Self.report(1, Self.part(Self.name, 0..<5))).index(in: &session)
    session.tables.advertising.fragments.breakAll()
    Self.extended(Self.report(0, Self.part(Self.name, 9..<13))).index(in: &session)
    session.finish()
    #expect(session.counts.malformed == 0)
    #expect(session.advertisingAddresses.first?.name == nil)
  }

  private static func periodic(_ status: String, _ data: String) -> MadeRecord {
    let count = (Hex.bytes(data) ?? []).count
    return .event(
      "3e \(Hex.text([UInt8(count + 8)])) 0f 13 00 7f c8 ff \(status) \(Hex.text([UInt8(count)])) "
        + data)
  }

  private static func services(_ session: borrowing Session) -> [[BluetoothUUID]] {
    session.events.compactMap { event in
      guard case .periodic(let content) = event.content else { return nil }
      switch content {
      case .changed(let change): return change.content.services
      case .data(let data): return data.content.services
      default: return nil
      }
    }
  }

  private static let basicAudio = BluetoothUUID(0x1851 as UInt16)

  @Test func trains() {
    let session = MadeRecord.session([
      Self.periodic("01", Self.part(Self.announcement, 0..<3)),
      Self.periodic("00", Self.part(Self.announcement, 3..<18)),
    ])
    #expect(session.counts.malformed == 0)
    #expect(Self.services(session) == [[Self.basicAudio]])
  }

  /// What this host advertises. 7.8.54, 7.8.62
  @Test func ownData() {
    func set(_ opcode: String, _ front: String, _ data: String) -> MadeRecord {
      let parameters = (Hex.bytes(front) ?? []) + [UInt8((Hex.bytes(data) ?? []).count)]
      let bytes = parameters + (Hex.bytes(data) ?? [])
      return .command("\(opcode) \(Hex.text([UInt8(bytes.count)] + bytes))")
    }
    let parts = [0..<3, 3..<6, 6..<18].map { Self.part(Self.announcement, $0) }
    let names = [0..<3, 3..<9, 9..<13].map { Self.part(Self.name, $0) }
    let session = MadeRecord.session(
      MadeRecord.answering([
        set("37 20", "01 01 00", names[0]), set("37 20", "01 00 00", names[1]),
        set("37 20", "01 02 00", names[2]), set("3f 20", "01 01", parts[0]),
        set("3f 20", "01 00", parts[1]), set("3f 20", "01 02", parts[2]),
      ]))
    #expect(session.counts.malformed == 0)
    #expect(Self.services(session) == [[Self.basicAudio]])
  }

  /// The last packet of the data shows all of it.
  @Test func completedData() {
    var session = Session(framings: .known)
    session.keepsCompleted = true
    Self.extended(Self.report(1, Self.part(Self.name, 0..<5))).index(in: &session)
    #expect(session.completed.all.isEmpty)
    Self.extended(Self.report(0, Self.part(Self.name, 5..<13))).index(in: &session)
    #expect(session.completed.all.count == 1)
    for pdu in session.completed.all {
      #expect(Hex.text(Array(session.completed.bytes(of: pdu))) == Hex.text(Hex.bytes(Self.name)!))
      #expect(Array(session.completed.packets(of: pdu)) == [1, 2])
    }
  }

  // MARK: Over the air

  private static func air(_ pdu: String, at microseconds: Int64) -> MadeRecord {
    var record = MadeRecord(
      kind: .leLinkLayer, isReceived: false,
      hex: AirStrangerTests.packet("d6be898e", pdu, crcInit: 0x55_5555))
    record.microseconds = microseconds
    return record
  }

  /// AUX_ADV_IND with AdvA, ADI 0x2123, AuxPtr (channel 9, 600 µs) and the first five octets; then AUX_CHAIN_IND with
  /// the same ADI.
  private static let auxiliary =
    "4712" + "0c19" + "6655443322c1" + "2321" + "091420" + "0c094c6976"
  private static let chained = "070c" + "0308" + "2321" + "696e6720526f6f6d"

  @Test func chains() {
    Self.expectName([Self.air(Self.auxiliary, at: 0), Self.air(Self.chained, at: 620)])
  }

  /// A PDU with the same ADI that comes later is another AUX_ADV_IND: here one with Flags.
  @Test func otherAuxiliaryPDU() {
    let session = MadeRecord.session([
      Self.air(Self.auxiliary, at: 0),
      Self.air("070c" + "0308" + "2321" + "0201060409" + "414243", at: 100_000),
    ])
    #expect(session.counts.malformed == 0)
    #expect(session.tables.record.linkLayer.continuesData == false)
    #expect(session.advertisingAddresses.first?.name == nil)
  }
}
