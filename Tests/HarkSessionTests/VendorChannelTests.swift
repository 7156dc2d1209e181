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
    let file = try Capture(path: "\(Samples.root)/captures/\(capture)/\(capture).btsnoop")
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

  @Test func channelsOfOthersAreLeftAlone() throws {
    let (sent, received) = try Self.values("coc-session", [.psm(0x0099)])
    #expect(sent.isEmpty && received.isEmpty)
  }
}
