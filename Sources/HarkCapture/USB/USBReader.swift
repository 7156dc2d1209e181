import HarkCore

/// The HCI packets in a capture of a USB, put together from their transfers, and the data of accessory interfaces.
///
/// A record is numbered where its packet ends, with the time of that transfer. Data of an accessory is a record for each
/// transfer. Other transfers give no record; those of link types other than USB are handed on.
@safe struct USBReader<Inner: RecordReader>: RecordReader {
  private var inner: Inner
  private let order: CaptureInfo.ByteOrder
  private var devices: [USBDevice] = []
  private var controllers: UInt16 = 0
  private var accessories: UInt16 = 0
  /// The record at hand.
  private var current = CaptureRecord()
  private var bytes: [UInt8] = []
  /// Packets that end in it.
  private var queue: [USBPacket] = []
  private var queueTaken = 0
  private var hasEnded = false
  /// What the last record delivered: its bytes must outlive the call.
  private let packet = KeptBytes()

  /// As many devices as the addresses of eight buses.
  private static var mostDevices: Int { 1_024 }

  init(_ inner: Inner, _ order: CaptureInfo.ByteOrder) { (self.inner, self.order) = (inner, order) }

  var holdsRecords: Bool { queueTaken < queue.count || inner.holdsRecords }
  var isInPlace: Bool { false }

  func leastCount(_ window: borrowing Window) -> Int {
    hasEnded ? 1 : inner.leastCount(window)
  }

  mutating func next(
    _ window: inout Window, _ journal: Journal, _ record: inout CaptureRecord
  ) -> UnsafeRawBufferPointer? {
    while true {
      if let bytes = unsafe nextReady(&record) { return unsafe bytes }
      if hasEnded { return nil }
      current.number = record.number
      current.flags = []
      current.dropped = 0
      guard let found = unsafe inner.next(&window, journal, &current) else {
        record.flags.formUnion(current.flags)
        hasEnded = true
        (queue, queueTaken) = ([], 0)
        for index in devices.indices { queue += devices[index].finish() }
        continue
      }
      record.flags.formUnion(current.flags)
      record.dropped &+= current.dropped
      guard current.kind == .other, let layout = USBLayout(linkType: current.formatCode) else {
        let (flags, dropped) = (record.flags, record.dropped)
        record = current
        (record.flags, record.dropped) = (flags, dropped)
        return unsafe found
      }
      bytes.removeAll(keepingCapacity: true)
      unsafe bytes.append(contentsOf: found)
      guard let transfer = USBTransfer(bytes, layout, order) else {
        journal.report(.header, &record, at: current.offset, resumedAt: window.offset)
        continue
      }
      journal.info.usbTransfers += 1
      take(transfer)
    }
  }

  private mutating func take(_ transfer: USBTransfer) {
    (queue, queueTaken) = ([], 0)
    guard let index = index(of: transfer) else { return }
    if var data = devices[index].accessory.take(transfer, bytes) {
      let number = devices[index].accessory.number ?? accessories
      if devices[index].accessory.number == nil { accessories += 1 }
      devices[index].accessory.number = number
      data.controller = number
      queue = [data]
      return
    }
    guard devices[index].isOfController(transfer, bytes) else { return }
    if devices[index].controller == nil {
      devices[index].controller = controllers
      controllers += 1
    }
    queue = devices[index].take(transfer, bytes)
  }

  private mutating func index(of transfer: USBTransfer) -> Int? {
    if let found = devices.firstIndex(where: {
      $0.bus == transfer.bus && $0.address == transfer.device
    }) {
      return found
    }
    guard devices.count < Self.mostDevices else { return nil }
    devices.append(USBDevice(bus: transfer.bus, address: transfer.device))
    return devices.count - 1
  }

  private mutating func nextReady(_ record: inout CaptureRecord) -> UnsafeRawBufferPointer? {
    guard queueTaken < queue.count else { return nil }
    let next = queue[queueTaken]
    queueTaken += 1
    record.time = current.time
    record.offset = current.offset
    record.kind = next.kind
    record.direction = next.direction
    record.formatCode = UInt32(next.kind.rawValue)
    record.controller = next.controller
    if next.isInferred { record.flags.insert(.inferred) }
    let bytes = unsafe packet.keep(next.bytes[...])
    record.count = bytes.count
    record.originalCount = max(next.originalCount, bytes.count)
    return unsafe bytes
  }
}
