import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCapture

/// HCI packets in captures of a USB. `FormatListTests` reads the samples, which tshark decodes too; here is what they
/// do not hold. Core Specification, Vol 4, Part B, 2; Linux' Documentation/usb/usbmon.rst.
@Suite struct USBTests {
  /// A transfer in the 64 bytes of usbmon that carries its data.
  private static func transfer(
    _ endpoint: UInt8, _ kind: UInt8, _ data: Bytes, device: UInt8 = 5, setup: Bytes? = nil,
    frames: [Int] = [], moved: Int? = nil, big: Bool = false
  ) -> Bytes {
    let isIn = endpoint & 0x80 != 0
    var head =
      Bytes.u64(1, big: big) + Bytes(all: [UInt8(ascii: isIn ? "C" : "S"), kind, endpoint, device])
    head =
      head + .u16(1, big: big) + Bytes(all: [setup == nil ? UInt8(ascii: "-") : 0, 0]) + .zeros(16)
    head = head + .u32(UInt32(moved ?? data.all.count), big: big)
    head = head + .u32(UInt32(data.all.count + frames.count * 16), big: big)
    head = head + (setup ?? .zeros(8)) + .zeros(12) + .u32(UInt32(frames.count), big: big)
    var place = 0
    for frame in frames {
      head =
        head + .zeros(4) + .u32(UInt32(place), big: big) + .u32(UInt32(frame), big: big) + .zeros(4)
      place += frame
    }
    return head + data
  }

  private static func event(_ part: Bytes, device: UInt8 = 5) -> Bytes {
    transfer(0x81, 1, part, device: device)
  }

  private static func read(_ transfers: [Bytes], big: Bool = false) -> Reading {
    Reading(PcapFile.file(220, big: big, transfers.map { PcapFile.record($0, big: big) }))
  }

  private static let complete = Bytes.hex("0e 04 01 030c 00")
  /// 20 octets of parameters, so that it comes in parts of 16 and 6.
  private static let long = Bytes.hex("0e 14 01 0000 000102030405060708090a0b0c0d0e0f10")

  private func packets(_ transfers: [Bytes]) throws -> [(CaptureRecord, [UInt8])] {
    var packets: [(CaptureRecord, [UInt8])] = []
    let file = PcapFile.file(220, big: false, transfers.map { PcapFile.record($0, big: false) })
    _ = try Capture(bytes: file.all, name: "usb").forEachRecord { record, bytes in
      packets.append((record, bytes.array))
      return true
    }
    return packets
  }

  @Test func aCommandIsAControlTransfer() throws {
    let found = try packets([
      Self.transfer(0, 2, .hex("030c 00"), setup: .hex("20 00 0000 0000 0300")),
      // CDC's request of the same number carries no command.
      Self.transfer(0, 2, .hex("01020304"), device: 9, setup: .hex("21 00 0000 0000 0400")),
    ])
    #expect(found.map(\.1) == [[0x03, 0x0C, 0x00]])
    #expect(found.first?.0.kind == .command)
    #expect(found.first?.0.direction == .hostToController)
  }

  @Test func anEventInPartsIsPutTogether() throws {
    let found = try packets([
      Self.event(Self.complete), Self.event(Self.long.part(0..<16)),
      Self.event(Self.long.part(16..<22)),
    ])
    #expect(found.map(\.1) == [Self.complete.all, Self.long.all])
  }

  /// What is there of a packet whose rest was lost is kept, and the next is whole.
  @Test func aLostPartCutsOnePacket() throws {
    let completed = Bytes.hex("13 05 01 4000 0100")
    let found = try packets([
      Self.event(Self.long.part(0..<16)), Self.event(completed), Self.event(Self.complete),
    ])
    #expect(found.map(\.1) == [Array(Self.long.all[..<16]), completed.all, Self.complete.all])
    #expect(found.map(\.0.originalCount) == [22, 7, 6])
  }

  /// A part that looks like a packet by itself: its second octet is 14, and 16 are there.
  @Test func aPartMayLookLikeAPacket() throws {
    let parameters = [UInt8](repeating: 0x0E, count: 30)
    let event = Bytes(all: [0x0E, 30] + parameters)
    let found = try packets([Self.event(event.part(0..<16)), Self.event(event.part(16..<32))])
    #expect(found.map(\.1) == [event.all])
  }

  @Test func whatTheRecorderLeftOutIsMissing() throws {
    let data = Bytes.hex("4000 1c00 1800 0400 1b 2a00 0102030405")
    let found = try packets([Self.event(Self.complete), Self.transfer(2, 3, data, moved: 32)])
    #expect(found.last?.0.count == 16)
    #expect(found.last?.0.originalCount == 32)
    #expect(found.last?.0.kind == .acl)
  }

  /// A SCO packet goes through three frames of the alternate settings. Vol 4, Part B, 2.1.1.
  @Test func voiceIsPutTogether() throws {
    let packet = Bytes.hex("0100 18 000102030405060708090a0b0c0d0e0f1011121314151617")
    let found = try packets([
      Self.event(Self.complete), Self.transfer(0x83, 0, packet, frames: [9, 9, 9]),
    ])
    #expect(found.last?.1 == packet.all)
    #expect(found.last?.0.kind == .sco)
    #expect(found.last?.0.direction == .controllerToHost)
  }

  @Test func controllersAreCounted() throws {
    let found = try packets([
      Self.event(Self.complete, device: 7), Self.event(Self.complete, device: 5),
      Self.event(Self.complete, device: 7),
    ])
    #expect(found.map(\.0.controller) == [0, 1, 0])
  }

  /// A keyboard's and a mouse's reports, and a command of USB mass storage.
  @Test func otherDevicesAreNone() throws {
    let found = try packets([
      Self.event(.hex("0000 04 0000000000"), device: 2), Self.event(.hex("01 02 00 05"), device: 3),
      Self.transfer(
        2, 3, .hex("55534243 01000000 24000000 80 00 06 120000002400 00000000000000000000"),
        device: 4),
    ])
    #expect(found.isEmpty)
  }

  @Test func bigEndianMachinesWriteTheirOrder() throws {
    let record = Self.transfer(0x81, 1, Self.complete, big: true)
    let reading = Self.read([record], big: true)
    #expect(reading.lines.count == 1)
    #expect(reading.status == .complete)
  }

  @Test func aRecordShorterThanItsHeaderIsDamage() {
    let reading = Self.read([Self.event(Self.complete), .zeros(40), Self.event(Self.complete)])
    #expect(reading.lines.count == 2)
    #expect(reading.status == .damaged)
  }

  @Test(arguments: ["usb-189.pcap", "usb-220.pcap", "usb-249.pcapng", "usb-266.pcap"])
  func mutated(_ name: String) throws {
    let file = try CaptureBytes(path: Project.captures.appending(path: "formats/\(name)").path)
      .bytes
    var dice = Dice(state: 91)
    for _ in 0..<200 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...20, using: &dice) {
        bytes[Int.random(in: 24..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
      }
      guard let capture = try? Capture(bytes: bytes, name: name) else { continue }
      _ = capture.forEachRecord { record, packet in
        #expect(record.count == packet.byteCount && record.originalCount >= record.count)
        return true
      }
    }
  }

  /// For redaction: nothing of other devices is in it.
  @Test func packetsAsBtsnoop() throws {
    let mouse = Bytes.hex("01 02 77 78")
    let file = PcapFile.file(
      220, big: false,
      [Self.event(Self.complete), Self.event(mouse, device: 3)].map {
        PcapFile.record($0, big: false)
      })
    let log = try #require(try CaptureBytes(file.all, name: "usb").log())
    #expect(Reading(Bytes(all: log.bytes)).lines.count == 1)
    #expect(!log.bytes.contains(0x77) && !log.bytes.contains(0x78))
  }
}
