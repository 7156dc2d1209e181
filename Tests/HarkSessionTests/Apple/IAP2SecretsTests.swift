import HarkCore
import Testing

@testable import HarkSession

/// Messages of iAP2 that may hold a key: no packet with a part of one is shown, however it is split.
@Suite struct IAP2SecretsTests {
  private typealias Conversation = IAP2Conversation

  /// RequestWiFiInformation's answer, by public implementations; what no other byte pair here is.
  private static let key: [UInt8] = Array(0xE1...0xF8)
  private static let message = Conversation.message(
    0x5703,
    Conversation.parameter(1, Array("Net\0".utf8)) + Conversation.parameter(2, key))

  /// What may hold a passphrase is marked in every packet it comes in.
  @Test func keysAreConcealed() {
    let message = Conversation.message(
      0x5703,
      Conversation.parameter(1, Array("Net\0".utf8))
        + Conversation.parameter(2, Array("passphrase\0".utf8)))
    var conversation = Conversation()
    conversation.begin()
    let first = UInt32(conversation.records.count + 1)
    conversation.send(.accessory, 0x2C, 0x65, session: 1, message, frames: 20)
    let session = MadeRecord.session(conversation.records)
    for packet in first...UInt32(conversation.records.count) {
      #expect(session.packets[packet]?.flags.contains(.secret) == true)
    }
    #expect(session.packets[first - 1]?.flags.contains(.secret) == false)
  }

  /// So are the fragments of an L2CAP PDU, each as soon as it comes.
  @Test func fragmentsOfKeysAreConcealed() throws {
    let message = Conversation.message(
      0x5703, Conversation.parameter(2, Array("passphrase, a long one\0".utf8)))
    var conversation = Conversation()
    conversation.begin()
    conversation.send(.accessory, 0x2C, 0x65, session: 1, message)
    var records = conversation.records
    let whole = try #require(Hex.bytes(records.removeLast().hex))
    let data = whole.dropFirst(4)
    let parts = [data.prefix(27), data.dropFirst(27).prefix(10), data.dropFirst(37)]
    for (index, part) in parts.enumerated() {
      let header: [UInt8] = [0x0B, index == 0 ? 0x20 : 0x10, UInt8(part.count), 0]
      records.append(
        MadeRecord(kind: .acl, isReceived: true, hex: Hex.text(header + Array(part))))
    }
    var flagged: [Bool] = []
    _ = MadeRecord.session(records) { session, index in
      flagged.append(session.packets[UInt32(index + 1)]?.flags.contains(.secret) == true)
    }
    #expect(flagged.suffix(4) == [false, true, true, true])
  }

  /// The numbers of the packets that hold two bytes of the key in a row, and were not marked when
  /// they had been read.
  private func leaks(_ records: [MadeRecord], cut: Set<Int> = []) -> [Int] {
    var found: [Int] = []
    _ = MadeRecord.session(records, cut: cut) { session, index in
      let bytes = Hex.bytes(records[index].hex) ?? []
      let holdsKey = zip(bytes, bytes.dropFirst()).contains {
        Self.key.dropLast().contains($0) && $1 == $0 &+ 1
      }
      let isMarked = session.packets[UInt32(index + 1)]?.flags.contains(.secret) == true
      if holdsKey, !isMarked { found.append(index + 1) }
    }
    return found
  }

  /// The message in link packets with `payload` bytes each.
  private func send(_ payload: Int, frames: Int, to conversation: inout Conversation) {
    var sequence: UInt8 = 0x2C
    for start in stride(from: 0, to: Self.message.count, by: payload) {
      let part = Self.message[start..<min(Self.message.count, start + payload)]
      conversation.send(.accessory, sequence, 0x65, session: 1, Array(part), frames: frames)
      sequence += 1
    }
  }

  /// Every way to split it over link packets and RFCOMM frames.
  @Test func splits() {
    for payload in 1...Self.message.count {
      for size in 1...(payload + 10) {
        var conversation = Conversation()
        conversation.begin(window: 100)
        send(payload, frames: size, to: &conversation)
        let found = leaks(conversation.records)
        #expect(found == [], "link packets of \(payload), frames of \(size) bytes")
      }
    }
  }

  /// Every frame once more in fragments of ACL data.
  @Test(arguments: [8, 14, 23, 46]) func fragments(_ payload: Int) {
    for size in [5, 14, 60] {
      var conversation = Conversation()
      conversation.begin(window: 100)
      let opening = conversation.records.count
      send(payload, frames: size, to: &conversation)
      for count in 1...40 {
        let records =
          conversation.records[..<opening]
          + conversation.records[opening...].flatMap { $0.fragments(of: count) }
        let found = leaks(Array(records))
        #expect(found == [], "\(payload), frames of \(size), fragments of \(count) bytes")
      }
    }
  }

  /// A link packet that is missing, one that comes again, one that the recorder cut.
  @Test(arguments: [5, 6, 7, 14, 23]) func faults(_ payload: Int) {
    for size in [7, 20, 60] {
      var conversation = Conversation()
      conversation.begin(window: 100)
      let opening = conversation.records.count
      send(payload, frames: size, to: &conversation)
      let whole = conversation.records
      for index in opening..<whole.count {
        var missing = whole
        missing.remove(at: index)
        if size == 60 { #expect(leaks(missing) == [], "\(payload): without \(index)") }
        #expect(leaks(whole, cut: [index]) == [], "\(payload), \(size): \(index) cut")
      }
      send(payload, frames: size, to: &conversation)
      #expect(leaks(conversation.records) == [], "\(payload), \(size): sent again")
    }
  }

  /// The capture begins when the link has long been open.
  @Test(arguments: [20, 46]) func withoutSynchronization(_ payload: Int) {
    for size in [12, 60] {
      var conversation = Conversation()
      conversation.send(.accessory, 0x2B, 0x65)
      send(payload, frames: size, to: &conversation)
      #expect(leaks(conversation.records) == [], "\(payload), frames of \(size)")
    }
  }

  /// Other messages, and the data of apps, are shown.
  @Test func restIsShown() {
    var conversation = Conversation()
    conversation.begin()
    for size in [7, 60] {
      conversation.send(
        .accessory, 0x2C, 0x65, session: 1, Conversation.message(0xAE03, Self.key), frames: size)
      conversation.send(.accessory, 0x2D, 0x65, session: 2, [0, 7] + Self.key, frames: size)
      #expect(leaks(conversation.records).count >= 2)
    }
  }
}
