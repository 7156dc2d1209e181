import HarkCore

/// A capture of HCI packets, made by hand in one of the formats.
struct MadeCapture {
  enum Container: CaseIterable {
    case monitor, h4, h5, bcsp, packetLogger, pcap, pcapng
    /// pcap that does not say which way a packet went.
    case undirected
  }

  let container: Container
  private(set) var bytes: [UInt8]
  private var time: UInt64 = 1_700_000_000_000_000
  private var sequence: UInt8 = 0

  init(_ container: Container = .monitor) {
    self.container = container
    let snoop = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0]
    switch container {
    case .monitor: bytes = snoop + [0x07, 0xD1]
    case .h4: bytes = snoop + [0x03, 0xEA]
    case .bcsp: bytes = snoop + [0x03, 0xEB]
    case .h5: bytes = snoop + [0x03, 0xEC]
    case .packetLogger: bytes = []
    // https://www.tcpdump.org/linktypes.html, 201 and 187
    case .pcap, .undirected:
      bytes = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
      bytes += [0xFF, 0xFF, 0, 0, container == .pcap ? 201 : 187, 0, 0, 0]
    case .pcapng:
      bytes = [0x0A, 0x0D, 0x0D, 0x0A] + Self.little(28) + [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0]
      bytes += [UInt8](repeating: 0xFF, count: 8) + Self.little(28)
      bytes += Self.little(1) + Self.little(20) + Self.little(201) + [0, 0, 4, 0] + Self.little(20)
    }
  }

  /// - Parameter opcode: What the Linux monitor calls the packet; formats that have no place for such a
  ///   one leave it out.
  mutating func add(_ opcode: UInt8, _ payload: [UInt8]) {
    time += 1_000
    // HCI_Command, HCI_Event, ACL sent and received, SCO sent and received.
    let types: [UInt8: (type: UInt8, isReceived: Bool)] = [
      2: (1, false), 3: (4, true), 4: (2, false), 5: (2, true), 6: (3, false), 7: (3, true),
    ]
    if container == .monitor { return snoop(UInt32(opcode), payload) }
    guard let (type, isReceived) = types[opcode] else { return }
    let direction: UInt8 = isReceived ? 1 : 0
    switch container {
    case .monitor: break
    case .h4: snoop(flags(type, direction), [type] + payload)
    case .h5, .bcsp:
      snoop(flags(type, direction), Self.slip(frame(type, payload)))
    case .packetLogger:
      let code: UInt8 = type == 1 ? 0 : type == 4 ? 1 : type == 2 ? 2 + direction : 8 + direction
      bytes += Self.big(9 + payload.count) + Self.big(Int(time / 1_000_000))
      bytes += Self.big(Int(time % 1_000_000)) + [code] + payload
    case .pcap, .undirected:
      let head = (container == .pcap ? [0, 0, 0, direction] : []) + [type]
      let count = Self.little(head.count + payload.count)
      bytes += Self.little(Int(time / 1_000_000)) + Self.little(Int(time % 1_000_000))
      bytes += count + count + head + payload
    case .pcapng:
      let count = payload.count + 5
      let padding = [UInt8](repeating: 0, count: (4 - count % 4) % 4)
      let length = 32 + count + padding.count
      bytes += Self.little(6) + Self.little(length) + Self.little(0)
      bytes += Self.little(Int(time >> 32)) + Self.little(Int(time & 0xFFFF_FFFF))
      bytes += Self.little(count) + Self.little(count) + [0, 0, 0, direction, type] + payload
      bytes += padding + Self.little(length)
    }
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    add(3, [code, UInt8(parameters.count)] + parameters)
  }

  mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) {
    add(2, [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters)
  }

  /// An L2CAP PDU on a channel.
  mutating func l2cap(_ channel: UInt16, _ pdu: [UInt8], isReceived: Bool = true) {
    let size = [UInt8(pdu.count & 0xFF), UInt8(pdu.count >> 8)]
    let data = size + [UInt8(channel & 0xFF), UInt8(channel >> 8)] + pdu
    let header = [0x40, isReceived ? 0x20 : 0, UInt8(data.count & 0xFF), UInt8(data.count >> 8)]
    add(isReceived ? 5 : 4, header + data)
  }

  private mutating func snoop(_ flags: UInt32, _ payload: [UInt8]) {
    bytes += Self.big(payload.count) + Self.big(payload.count) + Self.big(Int(flags))
    bytes += [0, 0, 0, 0]
    let stamp = time + 0x00DC_DDB3_0F2F_8000
    bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: stamp >> (UInt64($0) * 8)) }
    bytes += payload
  }

  private func flags(_ type: UInt8, _ direction: UInt8) -> UInt32 {
    UInt32(direction) | (type == 1 || type == 4 ? 2 : 0)
  }

  private static func big(_ value: Int) -> [UInt8] { little(value).reversed() }

  private static func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  // MARK: Frames of a UART. Core Specification, Vol 4, Part D, 3 to 5.

  private mutating func frame(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let kinds: [UInt8: UInt8] =
      container == .bcsp ? [1: 5, 4: 5, 2: 6, 3: 7] : [1: 1, 2: 2, 3: 3, 4: 4]
    let first = 0xC0 | sequence & 7
    sequence &+= 1
    let second = kinds[type, default: 0] | UInt8(payload.count & 15) << 4
    let third = UInt8(payload.count >> 4)
    let frame = [first, second, third, 0xFF &- (first &+ second &+ third)] + payload
    let check = Self.check(frame)
    return frame + [UInt8(check >> 8), UInt8(check & 0xFF)]
  }

  /// x^16 + x^12 + x^5 + 1 from all ones, least significant bit of each octet first.
  static func check(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt16 = 0xFFFF
    for byte in bytes {
      for bit in 0..<8 {
        let isSet = sum >> 15 ^ UInt16(byte >> bit & 1) == 1
        sum = sum << 1 ^ (isSet ? 0x1021 : 0)
      }
    }
    return sum
  }

  static func slip(_ frame: [UInt8]) -> [UInt8] {
    [0xC0] + frame.flatMap { $0 == 0xC0 ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] } + [0xC0]
  }

  /// The frames in the records of a btsnoop file, without their escapes.
  static func frames(_ file: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var place = 16
    while place + 24 <= file.count {
      let count = file[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      let line = file[(place + 24)..<(place + 24 + count)]
      var frame: [UInt8] = []
      var isEscaped = false
      for byte in line where byte != 0xC0 {
        if byte == 0xDB {
          isEscaped = true
        } else {
          frame.append(isEscaped ? (byte == 0xDC ? 0xC0 : 0xDB) : byte)
          isEscaped = false
        }
      }
      frames.append(frame)
      place += 24 + count
    }
    return frames
  }
}
