import Foundation
import HarkCapture
import HarkCore
import HarkFindings
import HarkSession
import Testing

/// The conversations by hand that are whole in records, as files.
@Suite struct FindingsFileTests {
  static let recorded = FindingsMadeTests.cases.filter { $0.capture() != nil }

  /// What is in records is found in a file of them, too.
  @Test(arguments: recorded) func inFile(_ one: FindingsMadeTests.Case) throws {
    let folder = try ConvertTests.Folder()
    let path = folder.path("made.btsnoop")
    try Data(try #require(one.capture())).write(to: URL(filePath: path))
    let capture = try Capture(path: path)
    var session = Session(framings: .known)
    var findings = Findings()
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      findings.take(session)
      session.dropEvents()
      return true
    }
    #expect(end.problem == nil)
    session.finish()
    findings.take(session)
    findings.finish(session)
    #expect(findings.ids == one.finds)
    #expect(Set(findings.undecided.map(\.rule.id)).sorted() == one.cannotTell)
  }
}

/// A btsnoop file with packets of HCI UART. RFC 1761, with the fields that Symbian gave to it.
struct MadeCapture {
  private(set) var bytes: [UInt8] = Array("btsnoop".utf8) + [0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA]
  private var dropped: UInt32 = 0

  private mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }

  mutating func add(_ record: borrowing CaptureRecord, _ packet: [UInt8]) {
    let indicators: [PacketKind: UInt8] = [.command: 1, .acl: 2, .event: 4, .iso: 5]
    let (kind, isReceived) = (record.kind, record.direction == .controllerToHost)
    let isControl = kind == .command || kind == .event
    dropped += record.dropped
    add(UInt32(packet.count + 1))
    add(UInt32(packet.count + 1))
    add(UInt32((isReceived ? 1 : 0) | (isControl ? 2 : 0)))
    add(dropped)
    // Microseconds since the beginning of the year 0.
    add(record.time.nanoseconds / 1_000 + 0x00DC_DDB3_0F2F_8000)
    bytes.append(indicators[kind] ?? 0)
    bytes += packet
  }
}
