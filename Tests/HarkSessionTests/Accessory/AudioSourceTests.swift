import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession
import Testing

/// A framing each of whose values says that the audio source is at `address`.
private struct Speaker: VendorFraming {
  struct Assembler: VendorAssembler {
    let address: [UInt8]

    mutating func receive(_ value: VendorValue) -> [Framed] {
      var change = AccessoryControlDevice.Change()
      change.primaryAudioSourceDeviceIdentifier = .value(address)
      let content = AccessoryContent.configuration(.init(.update(.init()), change))
      let message = PlainMessage(content, BluetoothUUID(high: 0, low: 0), bytes: [])
      return [Framed(MessageOrigin(value, .accessoryToHost), .plain(message))]
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }

  let address: [UInt8]
  var name: String { "Speaker" }
  var service: BluetoothUUID? { nil }
  var channels: [VendorChannel] = [.serverChannel(7)]
  func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  func makeAssembler() -> any VendorAssembler { Assembler(address: address) }
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }
}

@Suite struct AudioSourceTests {
  private static func remarks(
    _ address: (BluetoothAddress) -> [UInt8]
  ) throws -> (AccessoryControlDevice.Report, Event.Severity, BluetoothAddress)? {
    let peer = try #require(try Self.peer())
    let file = try Self.capture()
    var session = Session(framings: VendorFramings([Speaker(address: address(peer))]))
    var found: (AccessoryControlDevice.Report, Event.Severity)?
    _ = file.forEachRecord { record, bytes in
      session.index(record, bytes)
      for event in session.events where found == nil {
        guard case .accessory(let accessory) = event.content,
          case .plain(let message) = accessory.content,
          case .configuration(let report) = message.contents.first
        else { continue }
        found = (report, event.severity)
      }
      session.dropEvents()
      return true
    }
    return found.map { ($0.0, $0.1, peer) }
  }

  private static func capture() throws -> Capture {
    try Capture(path: "\(Samples.root)/captures/hands-free/hands-free.btsnoop")
  }

  private static func peer() throws -> BluetoothAddress? {
    var session = Session()
    _ = try capture().forEachRecord { record, bytes in
      session.index(record, bytes)
      return true
    }
    return session.devices.first?.address
  }

  static func octets(_ address: BluetoothAddress) -> [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: address.value >> (40 - $0 * 8)) }
  }

  @Test func asWritten() throws {
    let (report, severity, peer) = try #require(try Self.remarks { Self.octets($0) })
    #expect(report.configuration?.primaryAudioSourceDeviceIdentifier == Self.octets(peer))
    #expect(report.remarks.isEmpty)
    #expect(severity == .info)
  }

  @Test func reversed() throws {
    let (report, severity, peer) = try #require(try Self.remarks { Self.octets($0).reversed() })
    #expect(report.remarks == [.reversed(.primaryAudioSourceDeviceIdentifier, peer)])
    #expect(severity == .warning)
  }

  /// The app names the source that the accessory reports, least significant octet first; no device of the capture has it.
  @Test func reversedByTheApp() throws {
    var session = Session(framings: VendorFramings([Speaker(address: [1, 2, 3, 4, 5, 6])]))
    let file = try Self.capture()
    _ = file.forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      return true
    }
    var app = AppEvent(.configurationUpdated, AppEvent.Origin(file: "app.ndjson", line: 1))
    app[.primarySource] = "06:05:04:03:02:01"
    let time = Timestamp(microseconds: 0)
    session.report(app, at: time, before: time)
    let reports = session.events.compactMap { event in
      if case .app(let app) = event.content { app.configuration } else { nil }
    }
    let right = BluetoothAddress(octets: [1, 2, 3, 4, 5, 6])
    #expect(
      reports.last?.remarks.contains(.reversed(.primaryAudioSourceDeviceIdentifier, right))
        == true)
  }

  /// Recorded at headphones, which lose the link to C0:DE:00:00:00:07 and continue naming it
  /// (captures/aria-faults/truth.json, audioSourceNotCleared).
  @Test(arguments: [(UInt8(7), 1), (1, 0), (9, 0)]) func notCleared(
    _ last: UInt8, _ expected: Int
  ) throws {
    let service = try #require(BluetoothUUID("8E4B7A10-35C2-4D0F-9C61-0B5F2A94D7E3"))
    let speaker = Speaker(address: [0xC0, 0xDE, 0, 0, 0, last], channels: [.service(service)])
    var session = Session(framings: VendorFramings([speaker]))
    var reported: [Event] = []
    let file = try Capture(path: "\(Samples.root)/captures/aria-faults/aria-faults.btsnoop")
    _ = file.forEachRecord { record, bytes in
      session.index(record, bytes)
      reported += session.events.filter {
        if case .audioSourceNotCleared = $0.content { true } else { false }
      }
      session.dropEvents()
      return true
    }
    session.finish()
    #expect(reported.count == expected)
    #expect(reported.allSatisfy { $0.severity == .warning && $0.frames.first == PacketID(208) })
  }

  /// Two phones are told that the source is 11:22:33:44:55:66, which leaves: the other one is never told. The order
  /// in which they were told makes no difference.
  @Test(arguments: [[UInt8(0x0B), 0x0C], [0x0C, 0x0B]]) func notClearedForOther(
    _ links: [UInt8]
  ) {
    let speaker = Speaker(address: [0x11, 0x22, 0x33, 0x44, 0x55, 0x66], channels: [.cid(0x38)])
    var records: [MadeRecord] = [
      .event("03 0b 00 0b00 665544332211 01 00"), .event("03 0b 00 0c00 665544332212 01 00"),
    ]
    records += links.map { .pdu(0x38, "01", received: false, link: $0) }
    records.append(.event("05 04 00 0b00 13"))
    var later = MadeRecord.event("13 05 01 0c00 0100")
    later.time = 40
    records.append(later)
    let session = MadeRecord.session(records, framings: VendorFramings([speaker]))
    let events = session.events.filter {
      if case .audioSourceNotCleared = $0.content { true } else { false }
    }
    #expect(events.map { $0.link.map { session.links[Int($0.index)].handle } } == [0x0C])
  }

  @Test func ofAnotherDevice() throws {
    let (report, _, _) = try #require(try Self.remarks { _ in [1, 2, 3, 4, 5, 6] })
    #expect(report.remarks.isEmpty)
  }
}
