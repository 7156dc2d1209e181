import FoundationEssentials
import HarkCapture
import HarkCore
import HarkLayout
import HarkSession
import Testing

@testable import HarkProfile

/// What is guessed of the traffic of protocols that are known.
@Suite struct GuessTests {
  /// All that passed on vendors' channels of a bundled capture, as if no framing were known.
  static func traffic(_ name: String) throws -> [Traffic] {
    let listener = TrafficListener()
    _ = try Sample.events(name, VendorFramings([], listener: listener), withKeys: false)
    return listener.traffic
  }

  static func guess(_ name: String, _ channel: VendorChannel) throws -> ChannelGuess {
    let traffic = try #require(try traffic(name).first { $0.channel == channel })
    return ChannelGuess(traffic, id: "acme")
  }

  private static func pebble(_ number: UInt64) -> VendorChannel {
    .characteristic(
      BluetoothUUID(high: 0x5000_0000_328E_0FBB | number << 32, low: 0xC642_1AA6_699B_DADA))
  }

  private static func notifBridge(_ last: UInt64) -> VendorChannel {
    .characteristic(
      BluetoothUUID(high: 0xD5E1_2B7A_7D8E_4F12, low: 0x9B5C_3F0A_1E6D_8C00 | last))
  }

  /// dissectors/pebble/pebble.ksy: kinds, flags of fragments, sizes of keys, text before what is
  /// sealed. How many messages there are is in truth.json.
  @Test func pebbleSession() throws {
    let guess = try Self.guess("pebble-session", Self.pebble(2))
    #expect(guess.values.cases.map(\.value) == [0x02, 0x03])
    let session = try #require(guess.values.cases.first).structure
    #expect(session.fields.map(\.meaning.name) == ["key", "length", "sized-text"])
    #expect(session.fields.first?.evidence.contains("uncompressed") == true)
    let data = try #require(guess.values.cases.last).structure
    let fragments = try #require(data.fragments)
    #expect((fragments.first, fragments.more) == (0x02, 0x01))
    #expect(fragments.evidence == "13 parts make 9 messages")
    #expect(fragments.message.fields.map(\.meaning.name) == ["length", "sized-text", "sealed"])
    let answers = try Self.guess("pebble-session", Self.pebble(1))
    // Three values: only the key, which is a point of the curve, is reported.
    #expect(answers.values.fields.map(\.meaning.name) == ["unknown"])
    #expect(
      answers.keys == ["Packet 144, from byte 1 on: a point of P-256 (X and Y are on the curve)"])
  }

  /// The profile that is guessed follows the key exchange and names what is sealed, as Pebble's own
  /// does: all it lacks is the accessory's side, of which there are too few values.
  @Test func pebbleProfileWorks() throws {
    let guesses = [try Self.guess("pebble-session", Self.pebble(2))]
    let files = MadeFiles(texts: [
      "profile.yaml": ProfileWriter.text(of: guesses, id: "acme"), "acme.ksy": guesses[0].layout,
    ])
    let profile = try Profile.load("profile.yaml", from: files)
    let events = try Sample.events(
      "pebble-session", VendorFramings([profile.framing]), withKeys: true)
    let own = try Sample.events(
      "pebble-session", VendorFramings([try Profile.project("pebble").framing]), withKeys: true)
    func sizes(_ events: [Event]) -> [Int] {
      events.compactMap { event in
        guard case .accessory(let event) = event.content,
          case .message(let message) = event.content,
          event.direction == .hostToAccessory
        else { return nil }
        return message.opened.map(\.plaintext.count)
      }
    }
    #expect(sizes(events).count == 9)
    #expect(sizes(events) == sizes(own))
  }

  /// NotifBridge's sentinels, wrapper, JSON and keys: github.com/shinvou/NotifBridge.
  @Test func notifBridge() throws {
    let keys = try Self.guess("notifbridge-v1", Self.notifBridge(0x46))
    guard case .sentinels(let sentinels) = keys.assembly, case .json(let members) = keys.encoding
    else {
      Issue.record("\(keys.summary)")
      return
    }
    #expect(sentinels.start == Array("--START--".utf8))
    #expect(sentinels.end == Array("--END--".utf8))
    #expect(sentinels.header == 0)
    #expect(members.first { $0.name == "publicKey" }?.key == .xWing)
    #expect(members.first { $0.name == "encapsulatedKey" }?.key == .xWingEncapsulated)
    #expect(members.first { $0.name == "privateKeySeed" }?.holds == "base64 of 32 bytes")
    let wrapped = try Self.guess("notifbridge-v1", Self.notifBridge(0x47))
    guard case .sentinels(let inner) = wrapped.assembly else {
      Issue.record("\(wrapped.summary)")
      return
    }
    #expect(inner.prefix == Array("NBW1".utf8))
    #expect(inner.header == 20)
    #expect(wrapped.messageCount == 4)
  }

  /// Accessory Interface Specification, iAP2 link packet: FF 5A, and the length of the packet, most
  /// significant octet first, header and checksums included.
  @Test func linkPackets() throws {
    let service = try #require(BluetoothUUID("00000000-DECA-FADE-DECA-DEAFDECACAFF"))
    let guess = try Self.guess("iap2-session", .service(service))
    let packets = try #require(guess.values.cases.first { $0.value == 0x5A }).structure
    guard case .length(let minus) = packets.fields.first?.meaning else {
      Issue.record("\(guess.details)")
      return
    }
    #expect(packets.fields.first?.size == .integer(.u2be))
    #expect(minus == 4)
  }

  @Test func text() throws {
    let guess = try Self.guess("coc-session", .psm(0x0081))
    #expect(guess.values.fields.map(\.meaning.name) == ["text"])
  }

  static let samples = [
    "a2dp-session", "aap-session", "ams-session", "ancs-session", "coc-session", "eatt-session",
    "ertm-session", "hands-free", "iap2-session", "notifbridge-lost-chunk", "notifbridge-v0",
    "notifbridge-v1", "pebble-faults", "pebble-reboot", "pebble-rekey", "pebble-session",
  ]

  /// What is written loads, and its profile reads the traffic it was made of.
  @Test(arguments: samples) func filesAreSound(_ name: String) throws {
    let traffic = try Self.traffic(name)
    #expect(!traffic.isEmpty)
    let guesses = zip(traffic, traffic.layoutNames).map { ChannelGuess($0, id: $1) }
    var files = MadeFiles(texts: ["profile.yaml": ProfileWriter.text(of: guesses, id: "acme")])
    for guess in guesses { files.texts["\(guess.id).ksy"] = guess.layout }
    for guess in guesses {
      let layout = try Layout.load("\(guess.id).ksy", from: files)
      #expect(layout.warnings.isEmpty)
    }
    let profile = try Profile.load("profile.yaml", from: files)
    let events = try Sample.events(
      name, VendorFramings([profile.framing]), withKeys: false)
    for event in events {
      guard case .accessory(let event) = event.content,
        case .unreadable(let problem) = event.content
      else { continue }
      Issue.record("\(event.frames): \(problem)")
    }
  }
}
