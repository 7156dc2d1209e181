import HarkCapture
import HarkCore
import Testing

/// Builds capture files byte by byte.
struct Bytes: Sendable {
  var all: [UInt8] = []

  static func + (a: Bytes, b: Bytes) -> Bytes { Bytes(all: a.all + b.all) }

  static func hex(_ text: String) -> Bytes { Bytes(all: Hex.bytes(text) ?? []) }
  static func text(_ text: String) -> Bytes { Bytes(all: Array(text.utf8)) }
  static func zeros(_ count: Int) -> Bytes { Bytes(all: [UInt8](repeating: 0, count: count)) }

  func part(_ range: Range<Int>) -> Bytes { Bytes(all: Array(all[range])) }

  static func number<T: FixedWidthInteger>(_ value: T, big: Bool) -> Bytes {
    var bytes: [UInt8] = []
    for index in 0..<(T.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> T(index * 8)))
    }
    return Bytes(all: big ? bytes.reversed() : bytes)
  }

  static func u16(_ value: UInt16, big: Bool = true) -> Bytes { number(value, big: big) }
  static func u32(_ value: UInt32, big: Bool = true) -> Bytes { number(value, big: big) }
  static func u64(_ value: Int64, big: Bool = true) -> Bytes { number(value, big: big) }
}

/// HCI packets with their H4 indicator.
enum H4 {
  static let reset = Bytes.hex("01 030c 00")
  static let complete = Bytes.hex("04 0e 04 01 030c 00")
  static let sent = Bytes.hex("02 4000 0700 0300 0400 52 2a00")
  static let received = Bytes.hex("02 4020 0700 0300 0400 1b 2a00")
  static let sco = Bytes.hex("03 4100 02 aabb")
  static let iso = Bytes.hex("05 6000 0400 01000200")

  /// An ATT notification of `count` value bytes.
  static func notification(_ count: Int, value: UInt8) -> Bytes {
    let att = UInt16(count + 3)
    let head = Bytes.hex("02 4020") + .u16(att + 4, big: false) + .u16(att, big: false)
    return head + .hex("0400 1b 2a00")
      + Bytes(all: [UInt8](repeating: value, count: count))
  }
}

/// 2026-11-19 10:01:02 in microseconds since 1970, the time of every first record.
let sampleTime: Int64 = 1_795_082_462_000_000

enum Snoop {
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  static func file(_ datalink: UInt32, _ records: [Bytes]) -> Bytes {
    records.reduce(.text("btsnoop\0") + .u32(1) + .u32(datalink), +)
  }

  static func record(
    _ payload: Bytes, flags: UInt32, drops: UInt32 = 0, original: Int? = nil,
    time: Int64 = sampleTime
  ) -> Bytes {
    .u32(UInt32(original ?? payload.all.count)) + .u32(UInt32(payload.all.count)) + .u32(flags)
      + .u32(drops) + .u64(time + epoch) + payload
  }

  static func monitor(_ opcode: UInt32, _ payload: Bytes, index: UInt32 = 0) -> Bytes {
    record(payload, flags: index << 16 | opcode)
  }
}

enum Logger {
  static func record(_ type: UInt8, _ payload: Bytes, big: Bool) -> Bytes {
    .u32(UInt32(9 + payload.all.count), big: big)
      + .u32(UInt32(sampleTime / 1_000_000), big: big) + .u32(0, big: big) + Bytes(all: [type])
      + payload
  }
}

enum PcapFile {
  static func file(
    _ link: UInt32, big: Bool, nanoseconds: Bool = false, _ records: [Bytes]
  ) -> Bytes {
    let header =
      Bytes.u32(nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4, big: big) + .u16(2, big: big)
      + .u16(4, big: big) + .zeros(8) + .u32(65_535, big: big) + .u32(link, big: big)
    return records.reduce(header, +)
  }

  static func record(
    _ payload: Bytes, big: Bool, fraction: UInt32 = 0, original: Int? = nil
  ) -> Bytes {
    .u32(UInt32(sampleTime / 1_000_000), big: big) + .u32(fraction, big: big)
      + .u32(UInt32(payload.all.count), big: big)
      + .u32(UInt32(original ?? payload.all.count), big: big) + payload
  }
}

enum Ng {
  static func block(_ type: UInt32, _ body: Bytes, big: Bool) -> Bytes {
    let body = padded(body)
    let length = Bytes.u32(UInt32(body.all.count + 12), big: big)
    return .u32(type, big: big) + length + body + length
  }

  static func padded(_ body: Bytes) -> Bytes { body + .zeros(-body.all.count & 3) }

  static func option(_ code: UInt16, _ value: Bytes, big: Bool) -> Bytes {
    .u16(code, big: big) + .u16(UInt16(value.all.count), big: big) + padded(value)
  }

  static func section(_ options: Bytes = Bytes(), big: Bool) -> Bytes {
    block(
      0x0A0D_0D0A,
      .u32(0x1A2B_3C4D, big: big) + .u16(1, big: big) + .u16(0, big: big) + .u64(-1, big: big)
        + options, big: big)
  }

  static func interface(_ link: UInt16, _ options: Bytes = Bytes(), big: Bool) -> Bytes {
    block(1, .u16(link, big: big) + .u16(0, big: big) + .u32(0, big: big) + options, big: big)
  }

  static func packet(
    _ payload: Bytes, interface: UInt32 = 0, units: Int64 = sampleTime, options: Bytes = Bytes(),
    original: Int? = nil, big: Bool
  ) -> Bytes {
    let head =
      Bytes.u32(interface, big: big) + .u32(UInt32(truncatingIfNeeded: units >> 32), big: big)
      + .u32(UInt32(truncatingIfNeeded: units), big: big)
      + .u32(UInt32(payload.all.count), big: big)
      + .u32(UInt32(original ?? payload.all.count), big: big)
    return block(6, head + padded(payload) + options, big: big)
  }
}

enum UART {
  /// A frame of BCSP or H5 between its delimiters.
  static func frame(_ type: UInt8, _ payload: Bytes, crc: UInt16? = nil) -> Bytes {
    let count = payload.all.count
    var head: [UInt8] = [
      crc == nil ? 0x80 : 0xC0, type | UInt8(count & 0xF) << 4, UInt8(count >> 4),
    ]
    head.append(0xFF &- head.reduce(0, &+))
    let tail = crc.map { Bytes.u16($0) } ?? Bytes()
    var escaped: [UInt8] = [0xC0]
    for byte in (Bytes(all: head) + payload + tail).all {
      switch byte {
      case 0xC0: escaped += [0xDB, 0xDC]
      case 0xDB: escaped += [0xDB, 0xDD]
      case 0x11: escaped += [0xDB, 0xDE]
      default: escaped.append(byte)
      }
    }
    return Bytes(all: escaped + [0xC0])
  }
}

enum Gzip {
  /// One gzip member with its data stored as it is.
  static func member(_ data: Bytes) -> Bytes {
    var body = Bytes.hex("1f8b 08 00 00000000 00 03")
    var rest = data.all[...]
    repeat {
      let piece = rest.prefix(60_000)
      rest = rest.dropFirst(piece.count)
      let count = UInt16(piece.count)
      body =
        body + Bytes(all: [rest.isEmpty ? 1 : 0]) + .u16(count, big: false)
        + .u16(~count, big: false) + Bytes(all: Array(piece))
    } while !rest.isEmpty
    return body + .u32(crc(data.all), big: false) + .u32(UInt32(data.all.count), big: false)
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }
}

/// What was read from a capture, as text.
struct Reading {
  var lines: [String] = []
  var end: CaptureEnd?
  var error: String?
  var info = CaptureInfo()
  var messages: [String] = []

  var status: CaptureEnd.Status? { end?.status }

  init(_ capture: Capture) {
    let ended = capture.forEachRecord { record, bytes in
      lines.append(Self.line(record, bytes, capture))
      return true
    }
    end = ended
    info = capture.info
    messages = ended.damages.map { capture.message($0) }
  }

  init(error: CaptureError) { self.error = "\(error)" }

  init(_ bytes: Bytes, name: String = "test") {
    do throws(CaptureError) {
      self.init(try Capture(bytes: bytes.all, name: name))
    } catch {
      self.init(error: error)
    }
  }

  /// `event < 0e0401030c00` and what is not usual about the record.
  static func line(_ record: CaptureRecord, _ bytes: RawSpan, _ capture: Capture) -> String {
    var text = "\(record.kind) \(record.direction == .hostToController ? ">" : "<") "
    text += bytes.byteCount > 40 ? "\(bytes.byteCount) bytes" : Hex.text(bytes.array)
    if record.originalCount != record.count { text += " of \(record.originalCount)" }
    if record.controller != 0 { text += " @\(record.controller)" }
    if record.dropped != 0 { text += " dropped \(record.dropped)" }
    let time = record.time.since(Timestamp(microseconds: sampleTime))
    if time != 0, !record.flags.contains(.timeUnknown) { text += " \(time) ns" }
    for (flag, name) in [
      (CaptureRecord.Flags.directionUnknown, "?"), (.timeUnknown, "untimed"),
      (.damaged, "damaged"), (.afterDamage, "gap"),
    ] where record.flags.contains(flag) {
      text += " \(name)"
    }
    for comment in capture.comments { text += " '\(comment)'" }
    if bytes.byteCount != record.count || record.count > record.originalCount { text += " WRONG" }
    return text
  }
}

struct Sample: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: Bytes
  var lines: [String]

  var testDescription: String { name }
}
