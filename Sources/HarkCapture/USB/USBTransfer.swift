import HarkCore

/// How a USB capture describes a transfer in front of its data, by the registered link type.
/// Numbers: https://www.tcpdump.org/linktypes.html
enum USBLayout: Equatable {
  /// 189: the 48 bytes of Linux' usbmon. 220: 64 bytes, then 16 for each isochronous packet. Both in the byte order
  /// of the machine that wrote the file. https://docs.kernel.org/usb/usbmon.html
  case linux(headerSize: Int)
  /// 249: USBPcap on Windows, little-endian. https://desowin.org/usbpcap/captureformat.html
  case windows
  /// 266: macOS, little-endian. https://www.tcpdump.org/linktypes/LINKTYPE_USB_DARWIN.html
  case darwin

  init?(linkType number: UInt32) {
    switch number {
    case 189: self = .linux(headerSize: 48)
    case 220: self = .linux(headerSize: 64)
    case 249: self = .windows
    case 266: self = .darwin
    default: return nil
    }
  }

  /// The registered link type.
  var linkType: UInt32 {
    switch self {
    case .linux(let headerSize): headerSize == 48 ? 189 : 220
    case .windows: 249
    case .darwin: 266
    }
  }
}

/// One USB transfer, as far as it carries data: what the host sent when it was submitted, or what the device sent when
/// it was completed.
struct USBTransfer: Equatable {
  /// As `bmAttributes` of an endpoint descriptor has it. USB 2.0 Specification, 9.6.6.
  enum Kind: UInt8 {
    case control
    case isochronous
    case bulk
    case interrupt
  }

  var bus: UInt32
  var device: UInt16
  /// The number of the endpoint; bit 7 is set where the device sends.
  var endpoint: UInt8
  var kind: Kind
  /// The 8 bytes that begin a control transfer. USB 2.0 Specification, 9.3.
  var setup: Range<Int>?
  /// Where the data is in the record: one range, or one for each isochronous packet.
  var data: [Range<Int>] = []
  /// How many bytes of data the recorder left out at the end.
  var missing = 0

  var isFromDevice: Bool { endpoint & 0x80 != 0 }
}

extension USBTransfer {
  /// Reads the description in front of a transfer.
  /// - Returns: Nil if the record is too short for it or says what no recorder writes.
  init?(_ record: [UInt8], _ layout: USBLayout, _ order: CaptureInfo.ByteOrder) {
    let reader = Reader(bytes: record, order: order)
    switch layout {
    case .linux(let headerSize):
      guard let transfer = Self.linux(reader, headerSize) else { return nil }
      self = transfer
    case .windows:
      guard let transfer = Self.windows(Reader(bytes: record, order: .littleEndian)) else {
        return nil
      }
      self = transfer
    case .darwin:
      guard let transfer = Self.darwin(Reader(bytes: record, order: .littleEndian)) else {
        return nil
      }
      self = transfer
    }
  }

  private static func linux(_ reader: Reader, _ headerSize: Int) -> USBTransfer? {
    // The two kinds have other numbers here than in a descriptor.
    let kinds: [Kind] = [.isochronous, .interrupt, .control, .bulk]
    guard reader.bytes.count >= headerSize, reader.bytes[9] < 4,
      let bus = reader.u16(12)
    else { return nil }
    var transfer = USBTransfer(
      bus: UInt32(bus), device: UInt16(reader.bytes[11]), endpoint: reader.bytes[10],
      kind: kinds[Int(reader.bytes[9])])
    let isSubmission = reader.bytes[8] == UInt8(ascii: "S")
    if isSubmission, transfer.kind == .control, reader.bytes[14] == 0 { transfer.setup = 40..<48 }
    // A letter or `=` here says that no data follows.
    let hasData = reader.bytes[15] == 0
    guard hasData, isSubmission != transfer.isFromDevice else { return transfer }
    var start = headerSize
    var pieces: [Range<Int>] = []
    if headerSize == 64, transfer.kind == .isochronous, let count = reader.u32(60) {
      // At most as many as usbmon describes.
      guard count <= 128 else { return nil }
      start += Int(count) * 16
      for index in 0..<Int(count) {
        guard let offset = reader.u32(64 + index * 16 + 4),
          let length = reader.u32(64 + index * 16 + 8)
        else { return nil }
        pieces.append(Int(offset)..<(Int(offset) + Int(length)))
      }
    }
    let present = reader.bytes.count - start
    guard present >= 0 else { return nil }
    if pieces.isEmpty {
      // How many bytes moved, and how many of them were recorded.
      let moved = Int(reader.u32(32) ?? 0)
      let recorded = min(Int(reader.u32(36) ?? 0), present)
      transfer.data = [start..<(start + recorded)]
      transfer.missing = max(0, min(moved, longestRecord) - recorded)
    } else {
      transfer.setPieces(pieces, from: start, upTo: reader.bytes.count)
    }
    return transfer
  }

  private static func windows(_ reader: Reader) -> USBTransfer? {
    guard let size = reader.u16(0).map(Int.init), size >= 27, reader.bytes.count >= size,
      let kind = Kind(windows: reader.bytes[22]), let bus = reader.u16(17),
      let device = reader.u16(19), let length = reader.u32(23)
    else { return nil }
    var transfer = USBTransfer(
      bus: UInt32(bus), device: device, endpoint: reader.bytes[21], kind: kind)
    let isCompletion = reader.bytes[16] & 1 == 1
    var start = size
    if kind == .control {
      guard size >= 28 else { return nil }
      // 0: what begins it, and in newer captures what the host sends with it. 1: data. 3: the end, with data.
      if reader.bytes[27] == 0, reader.bytes.count >= size + 8 {
        transfer.setup = size..<(size + 8)
        transfer.endpoint = reader.bytes[size] & 0x80
        start += 8
      } else {
        transfer.endpoint = isCompletion ? 0x80 : 0
      }
    }
    guard isCompletion == transfer.isFromDevice else { return transfer }
    let end = min(reader.bytes.count, size + Int(length))
    guard start <= end else { return transfer }
    if kind == .isochronous, size >= 39, let count = reader.u32(31) {
      guard 39 + Int(count) * 12 <= size else { return nil }
      var pieces: [Range<Int>] = []
      for index in 0..<Int(count) {
        guard let offset = reader.u32(39 + index * 12),
          let length = reader.u32(39 + index * 12 + 4)
        else { return nil }
        pieces.append(Int(offset)..<(Int(offset) + Int(length)))
      }
      transfer.setPieces(pieces, from: size, upTo: end)
    } else {
      transfer.data = [start..<end]
      transfer.missing = max(0, size + min(Int(length), longestRecord) - end)
    }
    return transfer
  }

  private static func darwin(_ reader: Reader) -> USBTransfer? {
    guard reader.bytes.count >= 32, let kind = Kind(rawValue: reader.bytes[31]),
      let length = reader.u32(4), let location = reader.u32(24)
    else { return nil }
    let size = Int(reader.bytes[2])
    guard size >= 32, reader.bytes.count >= size else { return nil }
    var transfer = USBTransfer(
      bus: location >> 24, device: UInt16(reader.bytes[29]), endpoint: reader.bytes[30], kind: kind)
    let isSubmission = reader.bytes[3] == 0
    if kind == .isochronous {
      guard isSubmission != transfer.isFromDevice else { return transfer }
      transfer.data = darwinFrames(reader, from: (size + 3) & ~3, count: reader.u32(12) ?? 0)
      return transfer
    }
    var start = size
    if kind == .control {
      transfer.endpoint = isSubmission ? 0 : 0x80
      if isSubmission, reader.bytes.count >= size + 8 {
        transfer.setup = size..<(size + 8)
        start += 8
        guard reader.bytes[size] & 0x80 == 0 else { return transfer }
        transfer.data = [start..<reader.bytes.count]
        return transfer
      }
    }
    guard isSubmission != transfer.isFromDevice else { return transfer }
    transfer.data = [start..<reader.bytes.count]
    transfer.missing = max(0, min(Int(length), longestRecord) - (reader.bytes.count - start))
    return transfer
  }

  /// Frames with a header each, which says how long it is and how much data follows, aligned to 4 bytes.
  private static func darwinFrames(_ reader: Reader, from start: Int, count: UInt32) -> [Range<Int>]
  {
    var pieces: [Range<Int>] = []
    var place = start
    for _ in 0..<min(count, 1_024) {
      guard let header = reader.u32(place).map(Int.init),
        let length = reader.u32(place + 4).map(Int.init),
        header >= 8, header <= reader.bytes.count, length <= reader.bytes.count
      else { break }
      let data = place + header
      guard data + length <= reader.bytes.count else { break }
      pieces.append(data..<(data + length))
      place = (data + length + 3) & ~3
    }
    return pieces
  }

  /// Takes the isochronous packets that are there as a whole.
  private mutating func setPieces(_ pieces: [Range<Int>], from start: Int, upTo end: Int) {
    for piece in pieces where start + piece.upperBound <= end && !piece.isEmpty {
      data.append((start + piece.lowerBound)..<(start + piece.upperBound))
    }
  }

  /// Numbers in the bytes of a record.
  private struct Reader {
    let bytes: [UInt8]
    let order: CaptureInfo.ByteOrder

    func u16(_ place: Int) -> UInt16? {
      guard place >= 0, place + 2 <= bytes.count else { return nil }
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return order == .bigEndian ? first << 8 | second : second << 8 | first
    }

    func u32(_ place: Int) -> UInt32? {
      guard let first = u16(place).map({ UInt32($0) }),
        let second = u16(place + 2).map({ UInt32($0) })
      else { return nil }
      return order == .bigEndian ? first << 16 | second : second << 16 | first
    }
  }
}

extension USBTransfer.Kind {
  /// USBPcap's numbers.
  fileprivate init?(windows number: UInt8) {
    switch number {
    case 0: self = .isochronous
    case 1: self = .interrupt
    case 2: self = .control
    case 3: self = .bulk
    default: return nil
    }
  }
}
