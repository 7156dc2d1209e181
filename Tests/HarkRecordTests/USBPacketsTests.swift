import Foundation
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkRecord

/// Records as pcap/usb.h describes them, put together byte by byte.
@Suite struct USBPacketsTests {
  let folder: TestFolder

  /// A bus 3 with a controller (7), and a keyboard (8), as sysfs shows them.
  init() throws {
    folder = try TestFolder()
    for (device, number, codes) in [("3-1", "7", "e0 01 01"), ("3-2", "8", "03 01 01")] {
      let codes = codes.split(separator: " ").map(String.init)
      try write("\(device)/busnum", "3")
      try write("\(device)/devnum", number)
      for (name, code) in zip(["Class", "SubClass", "Protocol"], codes) {
        try write("\(device):1.0/bInterface\(name)", code)
      }
    }
  }

  private func write(_ path: String, _ text: String) throws {
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: file)
  }

  /// id 8, event 1, transfer 1, endpoint 1, device 1, bus 2, flags 2, time 12, status 4, lengths 8,
  /// setup 8, interval 4, frame 4, transfer flags 4, descriptors 4: 64 bytes, little-endian here.
  private func record(
    _ event: Character, _ transfer: UInt8, _ endpoint: UInt8, _ data: [UInt8], device: UInt8 = 7,
    request: UInt8? = nil, urbCount: Int? = nil
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      Traffic.big(UInt64(value), count).reversed()
    }
    var bytes =
      [UInt8](repeating: 0xEE, count: 8) + [event.asciiValue ?? 0, transfer, endpoint, device]
    bytes += little(3, 2) + [request == nil ? UInt8(ascii: "-") : 0, data.isEmpty ? 0x3C : 0]
    bytes += little(1, 8) + little(2, 4) + little(0, 4)
    bytes += little(urbCount ?? data.count, 4) + little(data.count, 4)
    bytes += [request ?? 0] + [UInt8](repeating: 0, count: 23)
    return bytes + data
  }

  private func packets(_ records: [[UInt8]]) -> [String] {
    var usb = USBPackets(USBControllers(folder: folder.url.path()))
    return records.flatMap { record in
      unsafe record.withUnsafeBytes { unsafe usb.take($0, now: 1) }.map {
        "\($0.kind) \($0.direction == .hostToController ? ">" : "<") \(Hex.text($0.bytes))"
      }
    }
  }

  /// Vol 4, Part B, 2.1: commands over the control endpoint, events over an interrupt endpoint, ACL
  /// data over bulk endpoints.
  @Test func packetsOfAllKinds() {
    let found = packets([
      record("S", 2, 0, [0x03, 0x0C, 0x00], request: 0x20),
      record("C", 2, 0, []),
      record("S", 1, 0x81, []),
      record("C", 1, 0x81, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
      record("S", 3, 0x02, [0x40, 0x00, 0x02, 0x00, 0xAA, 0xBB]),
      record("C", 3, 0x02, []),
      record("C", 3, 0x82, [0x40, 0x20, 0x01, 0x00, 0xCC]),
    ])
    #expect(
      found == [
        "command > 030c00", "event < 0e0401030c00", "acl > 40000200aabb", "acl < 40200100cc",
      ])
  }

  @Test func packetsInSeveralTransfers() {
    let found = packets([
      record("C", 1, 0x81, [0x0E, 0x04, 0x01]),
      record("C", 3, 0x82, [0x40]),
      record("C", 1, 0x81, [0x03, 0x0C, 0x00, 0x13, 0x01, 0x55, 0x0E]),
      record("C", 3, 0x82, [0x20, 0x01, 0x00, 0xCC]),
    ])
    #expect(found == ["event < 0e0401030c00", "event < 130155", "acl < 40200100cc"])
  }

  @Test func whatIsNoPacket() {
    let event: [UInt8] = [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    #expect(
      packets([
        record("C", 1, 0x81, event, device: 8), record("C", 1, 0x81, event, device: 9),
        record("E", 1, 0x81, event), record("S", 2, 0, event, request: 0x00),
        record("C", 0, 0x83, event), record("C", 1, 0x81, event, urbCount: 99),
        Array(record("C", 1, 0x81, event).prefix(64)), [],
      ]) == [])
    // Behind a transfer of which a part is missing, the next begins again.
    #expect(
      packets([record("C", 1, 0x81, [0x0E, 0x04], urbCount: 6), record("C", 1, 0x81, event)])
        == ["event < 0e0401030c00"])
  }

  @Test func controllersOfABus() {
    for (path, bus, isThere) in [
      (folder.url.path(), UInt16(3), true), (folder.url.path(), 0, true),
      (folder.url.path(), 2, false), ("/nonexistent", 0, false),
    ] {
      var controllers = USBControllers(folder: path)
      let found = controllers.isOnBus(bus)
      #expect(found == isThere, "\(path), bus \(bus)")
    }
  }
}
