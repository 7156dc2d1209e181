import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// A framing of messages that a test writes itself: the first byte is the direction, the second the number of one of
/// `contents`.
private struct Scripted: VendorFraming {
  struct Assembler: VendorAssembler {
    let contents: [Framed.Content]

    mutating func receive(_ value: VendorValue) -> [Framed] {
      let direction: MessageDirection =
        value.bytes[0] == 0 ? .hostToAccessory : .accessoryToHost
      return [Framed(MessageOrigin(value, direction), contents[Int(value.bytes[1])])]
    }

    mutating func reset(_ reason: Interruption) -> [Framed] { [] }
  }

  let contents: [Framed.Content]
  var name: String { "Scripted" }
  var service: BluetoothUUID? { nil }
  var channels: [VendorChannel] = [.psm(0x81)]
  func carriesKeys(_ channel: VendorChannel) -> Bool { false }
  func makeAssembler() -> any VendorAssembler { Assembler(contents: contents) }
  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    DecodedPlaintext()
  }
}

/// What one side said to one other side, on one link, is no answer to what others said with the same identifier.
@Suite struct ClientMemoryTests {
  private struct Conversation {
    var channel: AccessoryChannel
    var keys = KeyRing()
    var packet: UInt32 = 0

    init(_ contents: [Framed.Content]) { channel = AccessoryChannel(Scripted(contents: contents)) }

    /// - Parameter client: The phone, if the recorded host is the accessory.
    mutating func say(
      _ number: Int, from sender: MessageDirection, link: UInt32 = 0, client: UInt32? = nil
    ) -> [AccessoryEvent.Content] {
      say(number, from: sender, link: link, as: client.map { .device($0) })
    }

    mutating func say(
      _ number: Int, from sender: MessageDirection, link: UInt32, as client: VendorClient?
    ) -> [AccessoryEvent.Content] {
      packet += 1
      var value = VendorValue(
        frames: [PacketID(packet)], time: Timestamp(microseconds: Int64(packet) * 10_000),
        channel: .psm(0x81), toServer: sender == .hostToAccessory, operation: .data,
        bytes: [sender == .hostToAccessory ? 0 : 1, UInt8(number)], link: link)
      value.client = client
      return channel.receive(value, keys: &keys).map(\.content)
    }
  }

  private static func acceptance(_ contents: [AccessoryEvent.Content]) -> Acceptance? {
    contents.compactMap { if case .accepted(let it) = $0 { it } else { nil } }.first
  }

  private static let message = Framed.Content.transport(
    TransportFrame(TransportMessage(sessionID: "S", data: [1, 2, 3]), receiptID: "2"))
  private static let receipt = Framed.Content.accepted(id: "2")

  /// Both sides count from 1: the accessory confirms the phone's message, although its own is newer.
  @Test func receiptOfSender() {
    var it = Conversation([Self.message, Self.receipt])
    _ = it.say(0, from: .hostToAccessory)
    _ = it.say(0, from: .accessoryToHost)
    let accepted = Self.acceptance(it.say(1, from: .accessoryToHost))
    #expect(accepted?.answers?.packet == PacketID(1))
    #expect(accepted?.answers?.latency == 20_000_000)
    #expect(
      Self.acceptance(it.say(1, from: .hostToAccessory))?.answers?.packet == PacketID(2))
  }

  /// The accessory confirms nothing of what only the accessory sent.
  @Test func ownMessage() {
    var it = Conversation([Self.message, Self.receipt])
    _ = it.say(0, from: .accessoryToHost)
    #expect(Self.acceptance(it.say(1, from: .accessoryToHost))?.subject == nil)
  }

  /// The phone confirms the public key, not its own encapsulated key with the same identifier.
  @Test func keyOfSender() {
    let step = SecurityStep(
      SecurityMessage(keyType: .publicKey, cipherSuite: .p256, key: [4, 1, 2]), receiptID: "2")
    var answer = step
    answer.message.keyType = .encapsulatedKey
    var it = Conversation([.security(step), .security(answer), Self.receipt])
    _ = it.say(0, from: .accessoryToHost)
    _ = it.say(1, from: .hostToAccessory)
    let contents = it.say(2, from: .hostToAccessory)
    #expect(Self.acceptance(contents)?.answers?.packet == PacketID(1))
    #expect(
      !contents.contains { if case .keyExchangeComplete = $0 { true } else { false } })
  }

  /// Two phones of one accessory, and then a new link: each counts from 1.
  @Test func receiptOfLink() {
    var it = Conversation([Self.message, Self.receipt])
    _ = it.say(0, from: .hostToAccessory, link: 1, client: 1)
    _ = it.say(0, from: .hostToAccessory, link: 2, client: 2)
    let first = Self.acceptance(it.say(1, from: .accessoryToHost, link: 1, client: 1))
    let second = Self.acceptance(it.say(1, from: .accessoryToHost, link: 2, client: 2))
    #expect(first?.answers?.packet == PacketID(1))
    #expect(second?.answers?.packet == PacketID(2))
    let later = Self.acceptance(it.say(1, from: .accessoryToHost, link: 3, client: 1))
    #expect(later != nil && later?.answers == nil)
  }

  // MARK: Configurations

  private static func configuration(
    _ contents: [AccessoryEvent.Content]
  ) -> AccessoryControlDevice.Report? {
    for case .plain(let message) in contents {
      for case .configuration(let report) in message.contents { return report }
    }
    return nil
  }

  private static func plain(_ content: AccessoryContent) -> Framed.Content {
    .plain(PlainMessage(content, BluetoothUUID(high: 0, low: 0), bytes: []))
  }

  private static func registration(_ capabilities: [String]) -> Framed.Content {
    var change = AccessoryControlDevice.Change()
    change.deviceCapabilities = .value(capabilities)
    return plain(.configuration(.init(.register(.init()), change)))
  }

  private static var placement: Framed.Content {
    var change = AccessoryControlDevice.Change()
    change.devicePlacement = .value("inEar")
    return plain(.configuration(.init(.update(.init()), change)))
  }

  /// Only the second phone was not told of placement.
  @Test func configurations() {
    var it = Conversation([
      Self.registration(["placement"]), Self.registration(["audioSwitching"]), Self.placement,
    ])
    _ = it.say(0, from: .accessoryToHost, link: 1, client: 1)
    _ = it.say(2, from: .accessoryToHost, link: 1, client: 1)
    _ = it.say(1, from: .accessoryToHost, link: 2, client: 2)
    let first = Self.configuration(it.say(2, from: .accessoryToHost, link: 1, client: 1))
    #expect(first?.before?.devicePlacement == .inEar)
    #expect(first?.remarks == [])
    let second = Self.configuration(it.say(2, from: .accessoryToHost, link: 2, client: 2))
    #expect(second?.before?.devicePlacement == nil)
    #expect(second?.remarks == [.notDeclared(.devicePlacement, .placement)])
  }

  /// Two links of unknown devices turn out to be one phone's.
  @Test func merging() {
    var it = Conversation([Self.registration(["placement"]), Self.placement])
    _ = it.say(0, from: .accessoryToHost, link: 1, client: 1)
    it.channel.mergeClients(.device(1), into: .device(2))
    let report = Self.configuration(it.say(1, from: .accessoryToHost, link: 1, client: 2))
    #expect(report?.before?.deviceCapabilities == [.placement])
  }

  /// The phone of a link becomes known only after its first message.
  @Test func lateDevice() {
    var it = Conversation([Self.registration(["placement"]), Self.placement])
    _ = it.say(0, from: .accessoryToHost, link: 1, as: .link(1))
    let report = Self.configuration(it.say(1, from: .accessoryToHost, link: 1, as: .device(4)))
    #expect(report?.before?.deviceCapabilities == [.placement])
  }

  // MARK: Notifications

  /// Both phones' notifications are number 7, with another action each.
  @Test func offers() {
    let id = AccessoryNotification.Identifier(notificationIdentifier: "7")
    let added = ["reply", "ok"].map { action in
      var notification = AccessoryNotification()
      notification.identifier = id
      notification.actions = [.init(identifier: action, title: nil, type: .background)]
      return Self.plain(.add(notification))
    }
    let response = Self.plain(
      .response(NotificationResponse(identifier: id, actionIdentifier: "reply", userText: nil)))
    var it = Conversation(added + [response])
    _ = it.say(0, from: .hostToAccessory, link: 1, client: 1)
    _ = it.say(1, from: .hostToAccessory, link: 2, client: 2)
    func doubt(_ contents: [AccessoryEvent.Content]) -> NotificationResponse.Doubt? {
      for case .plain(let message) in contents {
        for case .response(let response) in message.contents { return response.doubt }
      }
      return nil
    }
    #expect(doubt(it.say(2, from: .accessoryToHost, link: 1, client: 1)) == nil)
    #expect(doubt(it.say(2, from: .accessoryToHost, link: 2, client: 2)) == .notOffered)
  }

  /// A phone's name for a session is its own; a UUID is the same session everywhere.
  @Test func sessions() {
    let uuid = "ABCDEF12-3456-7890-ABCD-EF0123456777"
    let messages = ["1", uuid].map {
      Framed.Content.transport(TransportFrame(TransportMessage(sessionID: $0, data: [1, 2, 3])))
    }
    var it = Conversation(messages)
    func isSeen(_ contents: [AccessoryEvent.Content]) -> Bool {
      contents.contains { if case .sessionSeen = $0 { true } else { false } }
    }
    for number in messages.indices {
      #expect(isSeen(it.say(number, from: .hostToAccessory, link: 1, client: 1)))
      #expect(
        isSeen(it.say(number, from: .hostToAccessory, link: 2, client: 2)) == (number == 0))
    }
  }
}
