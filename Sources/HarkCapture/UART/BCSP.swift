import HarkCore

/// The channels of CSR's BlueCore Serial Protocol, which H5 was made from.
enum BCSP {
  static func kind(_ channel: UInt8, _ direction: Direction) -> PacketKind {
    switch channel {
    case 5: direction == .hostToController ? .command : .event
    case 6: .acl
    case 7: .sco
    // 0 acknowledgement, 1 link establishment, 2 BCCMD, 3 HQ and others of the vendor's.
    default: .bcsp
    }
  }
}

/// btsnoop 1003 and 1004: records whose bytes are what went over a UART.
///
/// Each frame becomes a record of its own, numbered where it ends and with that btsnoop record's
/// time. A btsnoop record in which no frame ends becomes one record of kind `other` with its bytes
/// as they are. So every btsnoop record gives one record at least, and usually exactly one.
/// A frame that carries no HCI packet is a record of kind `threeWire` or `bcsp`, with its header.
@safe struct UARTReader: RecordReader {
  enum Transport {
    case bcsp
    case h5
  }

  private var snoop: Btsnoop
  private let transport: Transport
  private var lines = [SLIP(), SLIP()]
  /// The UART bytes of the btsnoop record at hand, and how many of them are decoded.
  private var chunk: [UInt8] = []
  private var chunkTaken = 0
  private var current = CaptureRecord()
  /// What the last record delivered: kept here because its bytes must outlive the call.
  private let packet = KeptBytes()

  init(_ snoop: Btsnoop, _ transport: Transport) {
    self.snoop = snoop
    self.transport = transport
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while true {
      if let bytes = unsafe nextFrame(journal, &record) { return unsafe bytes }
      // Numbers and flags belong to the record that will come out, not to the btsnoop record.
      current.number = record.number
      current.flags = []
      current.dropped = 0
      guard let bytes = unsafe snoop.next(&window, journal, &current) else {
        record.flags.formUnion(current.flags)
        reportOpenFrames(journal, &record, at: window.offset)
        return nil
      }
      record.flags.formUnion(current.flags)
      record.dropped &+= current.dropped
      chunk.removeAll(keepingCapacity: true)
      unsafe chunk.append(contentsOf: bytes)
      chunkTaken = 0
      hasFrame = false
    }
  }

  private var hasFrame = true

  var isInPlace: Bool { false }
  var holdsRecords: Bool { chunkTaken < chunk.count || !hasFrame }

  /// The next frame that ends in the chunk, or the chunk itself if none did; nil when it is done.
  private mutating func nextFrame(
    _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    let line = current.direction == .hostToController ? 0 : 1
    while chunkTaken < chunk.count {
      let byte = chunk[chunkTaken]
      chunkTaken += 1
      let flaw: CaptureDamage.Reason
      switch lines[line].take(byte) {
      case nil: continue
      case .frame:
        hasFrame = true
        return unsafe deliver(lines[line].frame, journal, &record)
      case .badEscape(let byte): flaw = .frameEscape(byte)
      case .tooLong: flaw = .frameLength(SLIP.longestFrame + 1)
      }
      let place = current.offset + Int64(chunkTaken)
      journal.report(flaw, &record, at: current.offset, resumedAt: place)
    }
    guard !hasFrame else { return nil }
    hasFrame = true
    fill(&record, .other, UInt32(UInt8.max))
    return unsafe keep(chunk[...], &record)
  }

  /// Describes a frame as a record and returns its payload.
  private mutating func deliver(
    _ frame: [UInt8], _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer {
    switch UARTFrame.parse(frame) {
    case .failure(let flaw):
      journal.report(
        flaw == .header ? .frameHeader : .frameLength(frame.count), &record, at: current.offset,
        resumedAt: current.offset)
      fill(&record, .other, UInt32(UInt8.max))
      return unsafe keep(frame[...], &record)
    case .success(let parsed):
      let kind =
        transport == .h5 ? H5.kind(parsed.type) : BCSP.kind(parsed.type, current.direction)
      fill(&record, kind, UInt32(parsed.type))
      if let found = parsed.wrongChecksum {
        journal.report(
          .frameChecksum(found), &record, at: current.offset, resumedAt: current.offset)
      }
      // What acknowledges and sets up the link says so in its header.
      return unsafe keep(kind.isHCI ? frame[parsed.payload] : frame[...], &record)
    }
  }

  private func fill(_ record: inout CaptureRecord, _ kind: PacketKind, _ code: UInt32) {
    record.time = current.time
    record.direction = current.direction
    record.kind = kind
    record.formatCode = code
    record.offset = current.offset
  }

  private func keep(
    _ bytes: ArraySlice<UInt8>, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer {
    record.count = bytes.count
    record.originalCount = bytes.count
    return unsafe packet.keep(bytes)
  }

  private mutating func reportOpenFrames(
    _ journal: Journal, _ record: inout CaptureRecord, at offset: Int64
  ) {
    for line in lines.indices where lines[line].isInFrame {
      journal.report(.frameCut(lines[line].frame.count), &record, at: offset, resumedAt: nil)
      lines[line] = SLIP()
    }
  }
}
