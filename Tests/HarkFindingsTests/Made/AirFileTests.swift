import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkFindings
import HarkSession
import Testing

/// Conversations over the air by hand, in files of the link type LINKTYPE_BLUETOOTH_LE_LL (251).
@Suite struct AirFileTests {
  static let finds: Set<String> = ["link.instant-passed"]

  /// LL_CHANNEL_MAP_IND in connection event 30 with the instant 20. Core Specification, Vol 6, Part B, 5.1.2
  @Test func instantPassed() throws {
    var air = AirFile()
    air.events(to: 30)
    air.event("01 ffff00001f 1400")
    air.events(to: 34)
    air.event("02 13")
    #expect(try air.findings() == ["link.instant-passed"])
  }

  /// The same with the instant 40.
  @Test func instantAhead() throws {
    var air = AirFile()
    air.events(to: 30)
    air.event("01 ffff00001f 2800")
    air.events(to: 44)
    air.event("02 13")
    #expect(try air.findings() == [])
  }
}

/// The packets of a connection with an interval of 30 ms, as a sniffer records them.
private struct AirFile {
  private static let accessAddress: [UInt8] = [0xE9, 0xC3, 0xA7, 0x50]
  private static let crcInit: UInt32 = 0x5A_17C3

  private var bytes: [UInt8] = []
  /// connEventCount of the next event.
  private var count = 0
  /// SN and NESN of both sides: each acknowledges what the other has sent.
  private var numbers: [UInt8] = [0, 0]

  /// CONNECT_IND: Access Address, CRCInit, WinSize 2, WinOffset 9, Interval 24, Latency 0, Timeout 72, ChM, Hop 11 and SCA.
  /// Vol 6, Part B, 2.3.3.1
  init() {
    add32(0xA1B2_C3D4)
    bytes += [2, 0, 4, 0]
    for value in [0, 0, 65_535, 251] as [UInt32] { add32(value) }
    let addresses: [UInt8] = [5, 4, 3, 2, 1, 0xC0, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC1]
    let data: [UInt8] =
      Self.accessAddress + [0xC3, 0x17, 0x5A, 2, 9, 0, 24, 0, 0, 0, 72, 0]
      + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x2B]
    add(
      [0xD6, 0xBE, 0x89, 0x8E], [0xC5, 34] + addresses + data, LinkLayerCRC.advertising, at: 0)
  }

  /// An event in which the Central sends `hex`, or an empty PDU, and the Peripheral an empty one.
  mutating func event(_ hex: String = "") {
    let payload = Hex.bytes(hex) ?? []
    // 352 µs, transmitWindowDelay 1.25 ms, and WinOffset 9 × 1.25 ms; within the window of 2.5 ms. 4.5.3
    let start = UInt32(13_500 + 30_000 * count)
    send(0, payload.isEmpty ? 1 : 3, payload, at: start)
    send(1, 1, [], at: start + 230)
    count += 1
  }

  mutating func events(to last: Int) { while count < last { event() } }

  private mutating func send(_ side: Int, _ llid: UInt8, _ payload: [UInt8], at time: UInt32) {
    let header = llid | numbers[side] << 3 | numbers[1 - side] << 2
    numbers[side] ^= 1
    add(Self.accessAddress, [header, UInt8(payload.count)] + payload, Self.crcInit, at: time)
  }

  private mutating func add(
    _ address: [UInt8], _ pdu: [UInt8], _ crcInit: UInt32, at microseconds: UInt32
  ) {
    let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: crcInit)
    let packet = address + pdu + (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
    add32(1_700_000_000 + microseconds / 1_000_000)
    add32(microseconds % 1_000_000)
    for _ in 0..<2 { add32(UInt32(packet.count)) }
    bytes += packet
  }

  private mutating func add32(_ value: UInt32) {
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The rules that find something in the file.
  func findings() throws -> [String] { try FindingsFileTests.findings(bytes, "made.pcap").ids }
}
