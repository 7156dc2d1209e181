import HarkCore

/// The frame both UART transports share: 4 bytes of header (sequence numbers, packet type, 12 bits
/// of length, checksum), payload, and a CRC if the header says so.
/// Core Specification, Vol 4, Part D, 4.
struct UARTFrame: Equatable {
  var type: UInt8
  var payload: Range<Int>
  /// The CRC in the frame, where it has one and it is wrong.
  var wrongChecksum: UInt16?

  /// Takes a frame apart, or says what is wrong with it.
  static func parse(_ frame: [UInt8]) -> Result<UARTFrame, Flaw> {
    guard frame.count >= 4, frame[..<4].reduce(0, &+) == 0xFF else { return .failure(.header) }
    let length = Int(frame[1] >> 4) | Int(frame[2]) << 4
    let hasChecksum = frame[0] & 0x40 != 0
    guard frame.count == 4 + length + (hasChecksum ? 2 : 0) else { return .failure(.length) }
    var parsed = UARTFrame(type: frame[1] & 0x0F, payload: 4..<(4 + length))
    if hasChecksum {
      let found = UInt16(frame[4 + length]) << 8 | UInt16(frame[5 + length])
      if checksum(frame[..<(4 + length)]) != found { parsed.wrongChecksum = found }
    }
    return .success(parsed)
  }

  enum Flaw: Error {
    case header
    case length
  }

  /// CRC-CCITT over bits sent least significant first, from 0xFFFF; its own bits are sent most
  /// significant first. Vol 4, Part D, 5.2.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var value: UInt16 = 0xFFFF
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x8408 : value >> 1 }
    }
    var reversed: UInt16 = 0
    for bit in 0..<16 where value >> UInt16(bit) & 1 == 1 { reversed |= 0x8000 >> UInt16(bit) }
    return reversed
  }
}

/// The packet types of the Three-wire UART Transport Layer (H5). Vol 4, Part D, 4.4.
enum H5 {
  static func kind(_ type: UInt8) -> PacketKind {
    switch type {
    case 1: .command
    case 2: .acl
    case 3: .sco
    case 4: .event
    case 5: .iso
    // 0 acknowledgment, 14 vendor specific, 15 link control.
    default: .threeWire
    }
  }
}

/// H5 frames as they pass on a line, of one direction.
@safe struct H5Stream: RecordReader {
  private var line = SLIP()
  /// What the last record delivered: kept here because its bytes must outlive the call.
  private var packet = KeptBytes()

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while let byte = window.next() {
      switch line.take(byte) {
      case nil: break
      case .frame:
        if let bytes = unsafe deliver(journal, &record, at: window.offset) { return unsafe bytes }
      case .badEscape(let byte):
        journal.report(
          .frameEscape(byte), &record, at: window.offset - 1, resumedAt: window.offset)
      case .tooLong:
        journal.report(
          .frameLength(SLIP.longestFrame + 1), &record, at: window.offset - 1,
          resumedAt: window.offset)
      }
    }
    if line.isInFrame {
      journal.report(.frameCut(line.frame.count), &record, at: window.offset, resumedAt: nil)
      line = SLIP()
    }
    return nil
  }

  /// The packet of the frame that ended; nil for acknowledgements and link control.
  private mutating func deliver(
    _ journal: Journal, _ record: inout CaptureRecord, at offset: Int64
  ) -> UnsafeRawBufferPointer? {
    switch UARTFrame.parse(line.frame) {
    case .failure(let flaw):
      journal.report(
        flaw == .header ? .frameHeader : .frameLength(line.frame.count), &record, at: offset,
        resumedAt: offset)
      return nil
    case .success(let parsed):
      let kind = H5.kind(parsed.type)
      guard kind.isHCI else { return nil }
      if let found = parsed.wrongChecksum {
        journal.report(.frameChecksum(found), &record, at: offset, resumedAt: offset)
      }
      record.time = .now
      record.kind = kind
      record.formatCode = UInt32(parsed.type)
      record.direction = kind == .event ? .controllerToHost : .hostToController
      if kind != .command, kind != .event { record.flags.insert(.directionUnknown) }
      record.controller = 0
      record.offset = offset
      record.count = parsed.payload.count
      record.originalCount = parsed.payload.count
      return unsafe packet.keep(line.frame[parsed.payload])
    }
  }
}

/// A buffer for bytes that are handed out.
@safe final class KeptBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  init() { unsafe buffer = .allocate(byteCount: longestRecord, alignment: 16) }

  deinit { unsafe buffer.deallocate() }

  /// Valid until the next call. At most `longestRecord` bytes are kept.
  func keep(_ bytes: ArraySlice<UInt8>) -> UnsafeRawBufferPointer {
    let bytes = bytes.prefix(longestRecord)
    unsafe buffer.copyBytes(from: bytes)
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count])
  }
}
