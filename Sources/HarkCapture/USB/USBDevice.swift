import HarkCore

/// One device on a USB bus whose transfers a capture contains: whether it is a Bluetooth controller, and the HCI packets
/// that its transfers carry. Core Specification, Vol 4, Part B.
struct USBDevice {
  let bus: UInt32
  let address: UInt16
  /// Which controller it is, counted as they are recognized; nil as long as it is not known to be one.
  var controller: UInt16?
  /// What its transfers put together: by the kind of packet, and by direction where both have them.
  private var lines: [Line]
  /// Endpoints of the interfaces that are a Bluetooth controller's, by its descriptors; nil without these.
  private var endpoints: [UInt8]?
  /// A command whose data comes in a transfer of its own.
  private var expectsCommand = false
  /// Its interface for accessories of Apple's devices, if it has one.
  var accessory = USBAccessory()

  init(bus: UInt32, address: UInt16) {
    (self.bus, self.address) = (bus, address)
    lines = Line.Key.all.map { Line(key: $0) }
  }

  /// Whether the transfer is of a Bluetooth controller. Where the capture holds no descriptors, its first command, event
  /// or ACL packet shows it.
  mutating func isOfController(_ transfer: USBTransfer, _ record: [UInt8]) -> Bool {
    if transfer.kind == .control, transfer.isFromDevice {
      readDescriptors(transfer, record)
      return false
    }
    if let endpoints {
      return transfer.kind == .control ? !endpoints.isEmpty : endpoints.contains(transfer.endpoint)
    }
    if controller != nil { return true }
    guard let data = transfer.data.first, transfer.data.count == 1 else { return false }
    return switch (transfer.kind, transfer.isFromDevice) {
    case (.control, false): isCommand(transfer, record)
    case (.interrupt, true): Self.isUsualEvent(record[data])
    case (.bulk, _): Self.isACL(record[data])
    default: false
    }
  }

  /// Whether a control transfer is a request that carries an HCI command: of class Bluetooth to the device or, where
  /// that has other functions too, to an interface. Vol 4, Part B, 2.2.2.
  private func isCommand(_ transfer: USBTransfer, _ record: [UInt8]) -> Bool {
    guard let setup = transfer.setup, let data = transfer.data.first, data.count >= 3 else {
      return false
    }
    return Self.isRequest(record[setup])
      && Int(record[data.lowerBound + 2]) + 3 == data.count + transfer.missing
  }

  private static func isRequest(_ setup: ArraySlice<UInt8>) -> Bool {
    let (type, request) = (setup[setup.startIndex], setup[setup.startIndex + 1])
    return (type == 0x20 || type == 0x21) && (request == 0 || request == 0xE0)
  }

  /// Inquiry and disconnection aside, a controller's first event is one of these; a mouse's and a keyboard's
  /// reports are none.
  private static func isUsualEvent(_ data: ArraySlice<UInt8>) -> Bool {
    guard data.count >= 2, let code = data.first else { return false }
    let length = 2 + Int(data[data.startIndex + 1])
    // Of a longer one this is the first part.
    guard length == data.count || length > data.count && data.count >= 16 else { return false }
    return [0x05, 0x0E, 0x0F, 0x13, 0x3E].contains(code) && length > 4
  }

  private static func isACL(_ data: ArraySlice<UInt8>) -> Bool {
    guard data.count > 8 else { return false }
    let bytes = Array(data.prefix(8))
    let length = Int(bytes[2]) | Int(bytes[3]) << 8
    let pdu = Int(bytes[4]) | Int(bytes[5]) << 8
    let boundary = bytes[1] >> 4 & 3
    // The first part of an L2CAP PDU.
    return length + 4 == data.count && boundary != 1 && boundary != 3 && pdu + 4 >= length
      && (bytes[6] != 0 || bytes[7] != 0)
  }

  /// Finds the Bluetooth interfaces in a configuration descriptor: class 0xE0 (Wireless Controller), subclass 1 (RF
  /// Controller), protocol 1 (Bluetooth). USB 2.0 Specification, 9.6.
  private mutating func readDescriptors(_ transfer: USBTransfer, _ record: [UInt8]) {
    guard let data = transfer.data.first, data.count > 9, record[data.lowerBound] == 9,
      record[data.lowerBound + 1] == 2
    else { return }
    var found: [UInt8] = []
    var isBluetooth = false
    var hasOwnClass = false
    var place = data.lowerBound
    while place + 2 <= data.upperBound {
      let length = Int(record[place])
      guard length >= 2, place + length <= data.upperBound else { break }
      if record[place + 1] == 4, length >= 9 {
        isBluetooth = record[(place + 5)..<(place + 8)].elementsEqual([0xE0, 1, 1])
        if record[place + 5] == 0xFF { hasOwnClass = true }
      } else if record[place + 1] == 5, length >= 7, isBluetooth {
        found.append(record[place + 2])
      }
      place += length
    }
    // Some controllers give themselves the vendor's class; their packets show it.
    if !found.isEmpty || !hasOwnClass { endpoints = found }
  }

  /// Takes the data of a transfer.
  /// - Returns: The packets that end in it.
  mutating func take(_ transfer: USBTransfer, _ record: [UInt8]) -> [USBPacket] {
    var packets: [USBPacket] = []
    if transfer.kind == .control {
      guard !transfer.isFromDevice, let data = transfer.data.first else { return [] }
      if let setup = transfer.setup { expectsCommand = Self.isRequest(record[setup]) }
      guard expectsCommand, !data.isEmpty else { return [] }
      expectsCommand = false
      packets.append(
        USBPacket(
          .command, bytes: Array(record[data]), originalCount: data.count + transfer.missing))
    } else if let key = Line.Key(transfer) {
      let last = transfer.data.indices.last
      for (index, data) in transfer.data.enumerated() {
        lines[key.index].take(
          record[data], missing: index == last ? transfer.missing : 0, into: &packets)
      }
    }
    for index in packets.indices { packets[index].controller = controller ?? 0 }
    return packets
  }

  /// What began and did not end.
  mutating func finish() -> [USBPacket] {
    var packets: [USBPacket] = []
    for index in lines.indices { lines[index].finish(into: &packets) }
    for index in packets.indices { packets[index].controller = controller ?? 0 }
    return packets
  }
}

/// What transfers carried: an HCI packet without an indicator, or data of an accessory.
struct USBPacket {
  let kind: PacketKind
  let direction: Direction
  let bytes: [UInt8]
  /// How many bytes it had.
  let originalCount: Int
  /// Of the controller, or of the accessory.
  var controller: UInt16 = 0
  /// Whether what it is follows from its bytes, not from the device's descriptors.
  var isInferred = false

  init(_ line: USBDevice.Line.Key, bytes: [UInt8], originalCount: Int) {
    (kind, direction) = (line.kind, line.direction)
    (self.bytes, self.originalCount) = (bytes, originalCount)
  }

  init(accessory transfer: USBTransfer, bytes: [UInt8], isInferred: Bool) {
    kind = .usbAccessory
    direction = transfer.isFromDevice ? .controllerToHost : .hostToController
    self.bytes = bytes
    originalCount = bytes.count + transfer.missing
    self.isInferred = isInferred
  }
}

extension USBDevice {
  /// The packets of one kind in one direction, which transfers carry in parts.
  struct Line {
    enum Key: CaseIterable {
      case command, event, dataOut, dataIn, voiceOut, voiceIn

      static let all = allCases
      var index: Int { Self.all.firstIndex(of: self) ?? 0 }

      /// Nil for control transfers and of what the host sends to an interrupt endpoint.
      init?(_ transfer: USBTransfer) {
        switch (transfer.kind, transfer.isFromDevice) {
        case (.interrupt, true): self = .event
        case (.bulk, let isIn): self = isIn ? .dataIn : .dataOut
        case (.isochronous, let isIn): self = isIn ? .voiceIn : .voiceOut
        default: return nil
        }
      }

      var kind: PacketKind {
        switch self {
        case .command: .command
        case .event: .event
        case .dataOut, .dataIn: .acl
        case .voiceOut, .voiceIn: .sco
        }
      }

      var direction: Direction {
        switch self {
        case .command, .dataOut, .voiceOut: .hostToController
        case .event, .dataIn, .voiceIn: .controllerToHost
        }
      }
    }

    let key: Key
    private var pending: [UInt8] = []
    /// How many bytes its first part had.
    private var partCount = 0

    init(key: Key) { self.key = key }

    /// Whether this many bytes can be the next part of the packet: its rest, or as many as its first part had. No transfer
    /// holds the end of one packet and the beginning of the next.
    private func continues(_ count: Int) -> Bool {
      guard let length = length(pending[...]) else { return true }
      let rest = length - pending.count
      return count == rest || count == partCount && count < rest
    }

    /// How long the packet is that begins with `bytes`, by its own header; nil if that is not there.
    private func length(_ bytes: ArraySlice<UInt8>) -> Int? {
      let start = bytes.startIndex
      switch key {
      case .command, .voiceOut, .voiceIn:
        return bytes.count >= 3 ? 3 + Int(bytes[start + 2]) : nil
      case .event: return bytes.count >= 2 ? 2 + Int(bytes[start + 1]) : nil
      case .dataOut, .dataIn:
        guard bytes.count >= 4 else { return nil }
        return 4 + (Int(bytes[start + 2]) | Int(bytes[start + 3]) << 8)
      }
    }

    mutating func take(
      _ data: ArraySlice<UInt8>, missing: Int, into packets: inout [USBPacket]
    ) {
      if !pending.isEmpty, !continues(data.count + missing) { finish(into: &packets) }
      if pending.isEmpty { partCount = data.count }
      pending += data
      var start = 0
      while let length = length(pending[start...]), length <= pending.count - start {
        packets.append(
          USBPacket(
            key, bytes: Array(pending[start..<(start + length)]), originalCount: length))
        start += length
      }
      pending.removeFirst(start)
      if missing > 0 { finish(into: &packets) }
    }

    mutating func finish(into packets: inout [USBPacket]) {
      guard !pending.isEmpty else { return }
      packets.append(
        USBPacket(
          key, bytes: pending, originalCount: max(length(pending[...]) ?? 0, pending.count)))
      pending.removeAll(keepingCapacity: true)
    }
  }
}
