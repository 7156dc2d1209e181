import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession

/// `seeds.py` counts in this order.
let operations: [VendorValue.Operation] = [
  .write, .writeCommand, .notification, .indication, .read, .subscribe(true), .subscribe(false),
  .refused(0xA2),
]

/// The keys of a capture, so that some messages open.
let keys: KeyRing = {
  do {
    return KeyRing([try KeyFile(path: "captures/pebble-session/accessory.harkkeys")])
  } catch {
    preconditionFailure("run it where the captures are: \(error)")
  }
}()

/// Gives values to a channel of `framing`: a selector, which `channels` it picks from, what is known
/// of each, its length, and its bytes.
func feed(_ input: inout Input, _ framing: any VendorFraming, _ channels: [VendorChannel]) {
  guard !channels.isEmpty else { return }
  var channel = AccessoryChannel(framing)
  var ring = keys
  var packet: UInt32 = 0
  while !input.isEmpty, packet < 4_096 {
    packet += 1
    let selector = input.byte()
    let flags = input.byte()
    let bytes = input.bytes()
    let link = UInt32(flags >> 6 & 1)
    if flags & 0x80 != 0 {
      check(channel.linkClosed(.linkClosed, link: link, keys: &ring), packet)
    }
    let place = channels[Int(selector) % channels.count]
    let isValue = if case .characteristic = place { true } else { false }
    let operation = isValue ? operations[Int(flags & 7) % operations.count] : .data
    let toServer = isValue ? operation == .write || operation == .writeCommand : flags & 1 == 0
    check(
      channel.receive(
        VendorValue(
          frames: [PacketID(packet)], time: Timestamp(microseconds: Int64(packet) * 10_000),
          channel: place, toServer: toServer, operation: operation, bytes: bytes,
          missingBytes: flags & 8 == 0 ? 0 : 9, mtu: flags & 16 == 0 ? nil : 185, link: link),
        keys: &ring), packet)
  }
  for link: UInt32 in 0...1 {
    check(channel.linkClosed(.captureEnded, link: link, keys: &ring), packet)
  }
}

private func check(_ events: [AccessoryEvent], _ last: UInt32) {
  #if FAST
    return
  #endif
  for event in events {
    precondition(!event.frames.isEmpty, "each event has packets that show it")
    for (frame, next) in zip(event.frames, event.frames.dropFirst()) {
      precondition(frame <= next, "the packets are in order")
    }
    precondition(event.frames.allSatisfy { (1...last).contains($0.number) }, "and were given")
    precondition(event.origin.started <= event.origin.ended)
    if case .message(let message) = event.content {
      precondition((message.opened == nil) != (message.verdict == nil))
      if let opened = message.opened {
        precondition(opened.plaintext.count + 28 == message.size, "IV and tag have 28 bytes")
      }
    }
  }
}

extension Profile {
  /// Whether it knows plaintexts of a direction that say nothing, or none at all.
  func mayBeSilent(_ direction: MessageDirection) -> Bool {
    let plaintexts = outlines.filter { outline in
      outline.channel == nil && outline.direction ?? direction == direction
    }
    return plaintexts.isEmpty
      || plaintexts.contains { outline in
        outline.messages.contains { $0.kind == "nothing" || $0.kind == "several" }
      }
  }
}

/// Reads any plaintext: it says something, or there is a reason why not.
/// - Parameter profile: The framing's; nil for what is written in Swift, which has no plaintexts.
func checkPlaintext(_ bytes: [UInt8], _ framing: any VendorFraming, _ profile: Profile?) {
  for direction in MessageDirection.allCases {
    let decoded = framing.decode(plaintext: bytes, direction: direction)
    #if FAST
      continue
    #endif
    if profile?.mayBeSilent(direction) == false {
      precondition(
        !decoded.contents.isEmpty || decoded.problem != nil, "there are contents or a problem")
    }
    var end = 0
    for field in decoded.fields {
      precondition(field.range.lowerBound >= end && field.range.upperBound <= bytes.count)
      end = field.range.upperBound
    }
  }
}
