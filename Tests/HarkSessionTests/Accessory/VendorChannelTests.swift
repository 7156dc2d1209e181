import HarkCapture
import HarkCore
import HarkCrypto
import HarkSession
import Testing

/// A framing that tells what it is given: each value is a session's first message of its own.
private struct Recorder: VendorFraming {
  struct Assembler: VendorAssembler {
    mutating func receive(_ value: VendorValue) -> [Framed] {
      let direction: MessageDirection = value.toServer ? .hostToAccessory : .accessoryToHost
      let id = value.bytes.map { String($0, radix: 16) }.joined(separator: " ")
      return [Framed(MessageOrigin(value, direction), .accepted(id: id))]
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }

  var name: String { "Recorder" }
  var service: BluetoothUUID? { nil }
  let channels: [VendorChannel]
  func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  func makeAssembler() -> any VendorAssembler { Assembler() }
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }
}

@Suite struct VendorChannelTests {
  /// What a framing of `channels` is given in a bundled capture: bytes to the server, and from it.
  private static func values(
    _ capture: String, _ channels: [VendorChannel]
  ) throws -> (toServer: [[UInt8]], fromServer: [[UInt8]]) {
    try values(at: "\(Samples.root)/captures/\(capture)/\(capture).btsnoop", channels)
  }

  private static func values(
    at path: String, _ channels: [VendorChannel]
  ) throws -> (toServer: [[UInt8]], fromServer: [[UInt8]]) {
    var session = Session(framings: VendorFramings([Recorder(channels: channels)]))
    var (toServer, fromServer): ([[UInt8]], [[UInt8]]) = ([], [])
    func drain(_ session: inout Session) {
      for event in session.events {
        guard case .accessory(let event) = event.content, case .accepted(let what) = event.content
        else { continue }
        let bytes = what.receiptID.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        if event.direction == .hostToAccessory {
          toServer.append(bytes)
        } else {
          fromServer.append(bytes)
        }
      }
      session.dropEvents()
    }
    let file = try Capture(path: path)
    _ = file.forEachRecord { record, bytes in
      session.index(record, bytes)
      drain(&session)
      return true
    }
    session.finish()
    drain(&session)
    return (toServer, fromServer)
  }

  /// The bytes that `hark streams` counts for the session, as the generator sent them.
  @Test func externalAccessory() throws {
    let (sent, received) = try Self.values(
      "iap2-session", [.externalAccessory("com.acme.speaker.control")])
    #expect(sent.joined().count == 774)
    #expect(received.joined().count == 16)
    #expect(sent.count > 1)
  }

  /// Hands-Free Profile 1.9, 4.2.1: the Hands-Free unit begins with its features.
  @Test func service() throws {
    for channel in [VendorChannel.service(BluetoothUUID(0x111E as UInt16)), .serverChannel(7)] {
      let (sent, received) = try Self.values("hands-free", [channel])
      let all = sent + received
      #expect(all.contains { String(decoding: $0, as: UTF8.self).hasPrefix("AT+BRSF=") })
      #expect(all.contains { String(decoding: $0, as: UTF8.self).contains("+BRSF:") })
      // One of the two sides says all commands.
      let commands = [sent, received].map { side in
        side.contains { String(decoding: $0, as: UTF8.self).hasPrefix("AT+") }
      }
      #expect(commands.filter { $0 }.count == 1)
    }
  }

  /// The SDUs that the two stacks knew they sent; the recorder lost a K-frame of one.
  @Test func psm() throws {
    let truth = try Samples.truth(
      beside: "\(Samples.root)/captures/coc-session/coc-session.btsnoop")
    let events = try #require(truth["events"] as? [[String: Any]])
    func sdus(_ direction: String) -> [String] {
      events.filter { $0["kind"] as? String == "sdu" && $0["direction"] as? String == direction }
        .compactMap { $0["bytes"] as? String }
    }
    let (sent, received) = try Self.values("coc-session", [.psm(0x0081)])
    func text(_ values: [[UInt8]]) -> [String] { values.map { Hex.text($0) } }
    #expect(text(sent) == sdus("HostToAccessory"))
    #expect(Set(text(received)).isSubset(of: sdus("AccessoryToHost")))
    #expect(received.count + 1 == sdus("AccessoryToHost").count)
  }

  // MARK: Advertising and vendor events. Core Specification, Vol 4, Part E, 5.4.4, 7.7.38, 7.7.65.2;
  // Supplement, Part A, 1.4, 1.11

  private static let company = VendorChannel.manufacturerData(0x0075)

  /// What a framing of `channels` is given of records, and of which address.
  private static func values(
    _ records: [MadeRecord], _ channels: [VendorChannel]
  ) -> [String] {
    var found: [String] = []
    let framings = VendorFramings([Recorder(channels: channels)])
    _ = MadeRecord.session(records, framings: framings) { session, _ in
      defer { session.dropEvents() }
      for event in session.events {
        guard case .accessory(let what) = event.content, case .accepted(let id) = what.content
        else { continue }
        let device = event.device.map { "\(session.devices[Int($0.index)].address)" } ?? "none"
        found.append("\(device) \(id.receiptID)")
      }
    }
    return found
  }

  /// A legacy advertising report of a device with a random address.
  private static func report(_ address: String, _ data: String) -> MadeRecord {
    let count = (Hex.bytes(data) ?? []).count
    let head = "02 01 00 01 \(address) " + Hex.text([UInt8(count)])
    return .event("3e " + Hex.text([UInt8(count + 12)]) + " \(head) \(data) c0")
  }

  @Test func advertisersAreDistinguished() {
    let (one, other) = ("01 02 03 04 05 c6", "01 02 03 04 05 c7")
    #expect(
      Self.values(
        [
          Self.report(one, "02 01 06 05 ff 75 00 aa bb"),
          // Said before; of another company; cut off; said by another; something else.
          Self.report(one, "02 01 06 05 ff 75 00 aa bb"),
          Self.report(one, "05 ff 76 00 aa bb"),
          Self.report(one, "02 01 06 06 ff 75 00 aa bb"),
          Self.report(one, "03 ff 75"),
          Self.report(other, "02 01 06 05 ff 75 00 aa bb"),
          Self.report(one, "05 ff 75 00 cc dd"),
        ], [Self.company]) == [
          "C6:05:04:03:02:01 aa bb", "C7:05:04:03:02:01 aa bb", "C6:05:04:03:02:01 cc dd",
        ])
  }

  @Test func serviceData() throws {
    let long = try #require(BluetoothUUID("5e6a0001-8c1d-4f7b-9a53-2f0d6c1b7e42"))
    let data = "05 16 2c fe 01 02 13 21 42 7e 1b 6c 0d 2f 53 9a 7b 4f 1d 8c 01 00 6a 5e 0a 0b"
    let records = [Self.report("01 02 03 04 05 c6", data)]
    #expect(
      Self.values(records, [.serviceData(BluetoothUUID(0xFE2C as UInt16))])
        == ["C6:05:04:03:02:01 1 2"])
    #expect(Self.values(records, [.serviceData(long)]) == ["C6:05:04:03:02:01 a b"])
    #expect(Self.values(records, [Self.company]).isEmpty)
  }

  /// Two reports in one event; an extended inquiry response.
  @Test func otherEvents() {
    let several =
      "3e 21 02 02 00 01 01 02 03 04 05 c6 06 05 ff 75 00 aa bb c0"
      + " 00 01 01 02 03 04 05 c7 05 04 ff 75 00 cc c0"
    #expect(
      Self.values([.event(several)], [Self.company])
        == ["C6:05:04:03:02:01 aa bb", "C7:05:04:03:02:01 cc"])
    let response = "05 ff 75 00 aa bb" + String(repeating: " 00", count: 234)
    let inquiry = "2f ff 01 01 02 03 04 05 06 01 00 04 04 24 00 00 c0 " + response
    #expect(Self.values([.event(inquiry)], [Self.company]) == ["06:05:04:03:02:01 aa bb"])
  }

  /// Core Specification, Vol 4, Part E, 7.7.65.13: an extended report of advertising set 3.
  private static func extended(_ address: String, status: UInt8, _ data: String) -> MadeRecord {
    let count = UInt8((Hex.bytes(data) ?? []).count)
    let head =
      "0d 01 \(Hex.text([status << 5])) 00 01 \(address) 01 02 03 7f c0 00 00 00"
      + " 00 00 00 00 00 00 \(Hex.text([count]))"
    return .event("3e " + Hex.text([count + 26]) + " \(head) \(data)")
  }

  /// Data over several events: parts of one advertiser are not mixed with another's.
  @Test func splitReports() {
    let (one, other) = ("01 02 03 04 05 c6", "01 02 03 04 05 c7")
    let records = [
      Self.extended(one, status: 1, "02 01 06 07 ff 75"), Self.extended(other, status: 1, "03"),
      Self.extended(one, status: 1, "00 aa bb"), Self.extended(one, status: 0, "cc dd 02 0a 00"),
      Self.extended(other, status: 0, "ff 75 00"),
      // Truncated by the controller: what is whole of it counts.
      Self.extended(other, status: 1, "05 ff 75 00 01"),
      Self.extended(other, status: 2, "02 09 41"),
      Self.extended(one, status: 0, "05 ff 75 00 aa ee"),
    ]
    #expect(
      Self.values(records, [Self.company]) == [
        "C6:05:04:03:02:01 aa bb cc dd", "C7:05:04:03:02:01 ", "C7:05:04:03:02:01 1 2",
        "C6:05:04:03:02:01 aa ee",
      ])
    // 1,650 octets are the most there is: 7.8.54. Zeros fill up the data: Vol 3, Part C, 11.
    let zeros = String(repeating: " 00", count: 200)
    let first = "05 ff 75 00 aa bb" + zeros
    func parts(_ count: Int, _ later: String) -> [MadeRecord] {
      (1...count).map {
        Self.extended(one, status: $0 == count ? 0 : 1, $0 == 1 ? first : later)
      }
    }
    let value = "C6:05:04:03:02:01 aa bb"
    #expect(Self.values(parts(8, zeros), [Self.company]) == [value])
    #expect(Self.values(parts(12, zeros), [Self.company]).isEmpty)
    // All parts are of one advertising event: what begins as the first part did is of another one.
    #expect(Self.values(parts(12, first), [Self.company]) == [value])
  }

  /// 7.7.65.14, 7.7.65.15, 7.7.65.16: whose train it is only the event at its beginning tells.
  @Test func periodicAdvertising() {
    func report(_ train: String, status: UInt8, _ data: String) -> MadeRecord {
      let count = UInt8((Hex.bytes(data) ?? []).count)
      return .event(
        "3e " + Hex.text([count + 8]) + " 0f \(train) 00 7f c0 ff " + Hex.text([status, count])
          + " \(data)")
    }
    let records = [
      report("07", status: 0, "05 ff 75 00 01 02"),
      .event("3e 10 0e 00 07 00 03 01 01 02 03 04 05 c6 01 50 00 00"),
      .event("3e 10 0e 3e 08 00 03 01 01 02 03 04 05 c7 01 50 00 00"),
      report("07", status: 1, "05 ff 75"), report("07", status: 0, "00 03 04"),
      report("08", status: 0, "05 ff 75 00 05 06"),
      .event("3e 03 10 07 00"), report("07", status: 0, "05 ff 75 00 07 08"),
    ]
    #expect(Self.values(records, [Self.company]) == ["C6:05:04:03:02:01 3 4"])
  }

  /// 5.4.1 and 7.7.14: what the host sends and what the controller answers.
  @Test func vendorCommand() {
    let records = [
      MadeRecord.command("5d fc 02 01 02"), .event("0e 06 01 5d fc 00 07 08"),
      .command("5e fc 01 03"), .event("0e 04 01 5e fc 0c"), .event("0e 04 01 00 00 00"),
    ]
    #expect(Self.values(records, [.vendorCommand(0xFC5D)]) == ["none 1 2", "none 0 7 8"])
  }

  @Test func vendorEvent() {
    let records = [
      MadeRecord.event("ff 03 54 01 02"), .event("ff 02 55 01"), .event("ff 00"),
      .event("ff 09 54 03"),
    ]
    #expect(Self.values(records, [.vendorEvent(0x54)]) == ["none 54 1 2", "none 54 3"])
  }

  // MARK: Real captures

  /// What tshark shows of each advertiser where it is not what the advertiser said before. Empty data
  /// of 2,871 reports is one value.
  @Test(
    arguments: [(0x0075, 238, 5712), (0x0093, 1, 2), (0x004C, 80, 888)] as [(UInt16, Int, Int)])
  func manufacturerData(_ company: UInt16, _ count: Int, _ bytes: Int) throws {
    let name = "jbravo94+simple-ble-glucose-reader/misc/mysugr_dump/btsnoop_hci.log"
    // Where it is absent, `manifest` says so.
    guard let file = Samples.manifest.first(where: { $0.file == name }) else { return }
    let (sent, values) = try Self.values(at: file.path, [.manufacturerData(company)])
    #expect(sent.isEmpty)
    #expect(values.count == count)
    #expect(values.joined().count == bytes)
  }

  /// tshark: 272 vendor-specific events whose parameters begin with 0x58, and 229 with 0x90.
  @Test(arguments: [(0x58, 272), (0x90, 229), (0x01, 0)] as [(UInt8, Int)])
  func vendorEvents(_ first: UInt8, _ count: Int) throws {
    let name = "whoisbe+pongbot-mcp/captures/btsnoop_hci.log.last"
    guard let file = Samples.manifest.first(where: { $0.file == name }) else { return }
    let (sent, values) = try Self.values(at: file.path, [.vendorEvent(first)])
    #expect(sent.isEmpty)
    #expect(values.count == count)
    #expect(values.allSatisfy { $0.first == first })
  }

  @Test func channelsOfOthersAreLeftAlone() throws {
    let (sent, received) = try Self.values("coc-session", [.psm(0x0099)])
    #expect(sent.isEmpty && received.isEmpty)
  }
}
