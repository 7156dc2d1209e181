import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession

/// Gives any values to a framing of accessories, and any plaintext: nothing may trap, and what comes
/// out refers to what went in.
///
/// The first byte picks the framing and its keys. Each value has its characteristic, what is known
/// of it, its length, and its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAccessory(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var input = Input(start, count)
  let choice = input.byte()
  let all = VendorFramings.known.all
  let framing = all[Int(choice & 0x7F) % all.count]
  if choice & 0x80 != 0 {
    checkPlaintext(input.all(), framing)
    return 0
  }
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
    let operation = operations[Int(flags & 7) % operations.count]
    let toServer = operation == .write || operation == .writeCommand
    check(
      channel.receive(
        VendorValue(
          frames: [PacketID(packet)], time: Timestamp(microseconds: Int64(packet) * 10_000),
          channel: .characteristic(characteristics[Int(selector) % characteristics.count]),
          toServer: toServer, operation: operation, bytes: bytes,
          missingBytes: flags & 8 == 0 ? 0 : 9, mtu: flags & 16 == 0 ? nil : 185, link: link),
        keys: &ring), packet)
  }
  for link: UInt32 in 0...1 {
    check(channel.linkClosed(.captureEnded, link: link, keys: &ring), packet)
  }
  return 0
}

/// `seeds.py` counts in this order.
private let operations: [VendorValue.Operation] = [
  .write, .writeCommand, .notification, .indication, .read, .subscribe(true), .subscribe(false),
  .refused(0xA2),
]

/// Pebble's two, NotifBridge's six, and one that is nobody's, in the order of `seeds.py`; then those
/// of ANCS and AMS.
private let characteristics: [BluetoothUUID] =
  (1...2).map { BluetoothUUID(high: 0x5000_0000_328E_0FBB | $0 << 32, low: 0xC642_1AA6_699B_DADA) }
  + (0x46...0x4B).map {
    BluetoothUUID(high: 0xD5E1_2B7A_7D8E_4F12, low: 0x9B5C_3F0A_1E6D_8C00 | $0)
  }
  + [BluetoothUUID(0x2A00 as UInt16)]
  + [
    BluetoothUUID(high: 0x9FBF_120D_6301_42D9, low: 0x8C58_25E6_99A2_1DBD),
    BluetoothUUID(high: 0x69D1_D8F3_45E1_49A8, low: 0x9821_9BBD_FDAA_D9D9),
    BluetoothUUID(high: 0x22EA_C6E9_24D6_4BB5, low: 0xBE44_B36A_CE7C_7BFB),
    BluetoothUUID(high: 0x9B3C_81D8_57B1_4A8A, low: 0xB8DF_0E56_F7CA_51C2),
    BluetoothUUID(high: 0x2F7C_ABCE_808D_411F, low: 0x9A0C_BB92_BA96_C102),
    BluetoothUUID(high: 0xC6B2_F38C_23AB_46D8, low: 0xA6AB_A3A8_70BB_D5D7),
  ]

private let keys: KeyRing = {
  do {
    return KeyRing([try KeyFile(path: "captures/pebble-session/accessory.harkkeys")])
  } catch {
    preconditionFailure("run it where the captures are: \(error)")
  }
}()

private func check(_ events: [AccessoryEvent], _ last: UInt32) {
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

private func checkPlaintext(_ bytes: [UInt8], _ framing: any VendorFraming) {
  for direction in MessageDirection.allCases {
    let decoded = framing.decode(plaintext: bytes, direction: direction)
    var end = 0
    for field in decoded.fields {
      precondition(field.range.lowerBound >= end && field.range.upperBound <= bytes.count)
      end = field.range.upperBound
    }
    precondition(!decoded.contents.isEmpty || decoded.problem != nil || bytes.isEmpty)
  }
}
