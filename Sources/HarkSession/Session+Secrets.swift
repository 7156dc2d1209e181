import HarkCore
import HarkDissection

// Values that may be private keys. Nobody who shows packets knows which they are: the session marks
// their packets.
extension Session {
  func carriesKeys(_ characteristic: BluetoothUUID) -> Bool {
    Self.holdsKeys(characteristic)
      || accessories.framing(of: characteristic)?.carriesKeys(.characteristic(characteristic))
        ?? false
  }

  /// Characteristics of the SIG's that are keys, or have one among their fields: Set Identity Resolving
  /// Key, Encrypted Data Key Material, Broadcast Audio Scan Control Point and Broadcast Receive State
  /// (a Broadcast_Code), AP Sync Key Material, ESL Response Key Material.
  static func holdsKeys(_ characteristic: BluetoothUUID?) -> Bool {
    switch characteristic?.short {
    case 0x2B84, 0x2B88, 0x2BC7, 0x2BC8, 0x2BF7, 0x2BF8: true
    default: false
    }
  }

  func carriesKeys(_ handle: UInt16, _ key: DatabaseKey) -> Bool {
    guard let slot = databaseTable.find(key),
      let type = databaseTable.values[slot].type(of: handle)
    else { return false }
    return carriesKeys(type)
  }

  /// For values that do not say of themselves where they belong.
  func carriesKeysAnywhere(_ key: DatabaseKey) -> Bool {
    guard let slot = databaseTable.find(key) else { return false }
    return databaseTable.values[slot].types.contains { carriesKeys($0) }
  }

  /// Marks the packet that is being read, the fragments of its PDU, and the attribute at `handle`.
  mutating func conceal(_ handle: UInt16?, _ key: DatabaseKey, _ moment: PacketContext) {
    row.flags.insert(.secret)
    if let handle { databaseTable[key].conceal(handle) }
    guard endsFragments(moment), let link = moment.link else { return }
    for part in linkTable[link].assembly[moment.stream].packets {
      packets.update(part) { $0.flags.insert(.secret) }
    }
  }

  /// Marks the packets of the PDU that is being read.
  mutating func concealPDU(_ moment: PacketContext) {
    for packet in packetsOfPDU(moment) {
      if packet > packets.count {
        row.flags.insert(.secret)
      } else {
        packets.update(packet) { $0.flags.insert(.secret) }
      }
    }
    row.flags.insert(.secret)
  }

  /// Responses with several values, and the one that repeats a prepared write.
  mutating func concealAnswer(
    _ opcode: ATTPDU.Opcode, _ request: ATTState.Request, _ key: DatabaseKey,
    _ moment: PacketContext
  ) {
    let isSecret =
      opcode == .prepareWriteResponse ? carriesKeys(request.handle, key) : carriesKeysAnywhere(key)
    if isSecret { conceal(nil, key, moment) }
  }

  /// Marks a piece of a PDU of which the rest is still to come: who shows packets while they are
  /// read cannot wait for it.
  mutating func concealFragment(_ fragment: RawSpan, _ link: LinkID, _ moment: PacketContext) {
    let assembly = linkTable[link].assembly[moment.stream]
    guard let last = assembly.packets.last, last != moment.packet.number else {
      return concealBeginning(fragment, link, moment)
    }
    let goesOn = packets[last]?.flags.contains(.secret) ?? false
    if goesOn || holdsIAP2Key(fragment, behind: assembly.bytes, link, moment.direction) {
      row.flags.insert(.secret)
    }
  }

  /// Marks the first piece of a PDU.
  mutating func concealBeginning(_ fragment: RawSpan, _ link: LinkID, _ moment: PacketContext) {
    let request = linkTable[link].att.requests[1 - moment.side].map { ($0.handle, $0.type) }
    if isBeginningOfKey(fragment, link, moment.direction, answering: request) {
      row.flags.insert(.secret)
    }
  }

  /// Marks a piece of a PDU whose beginning is not in the capture.
  mutating func concealOrphan(_ link: LinkID) {
    if mayCarryKeys(link) { row.flags.insert(.secret) }
  }

  /// Forgets the values of attributes that turned out to be keys after they were used.
  mutating func concealUsed(_ handles: some Sequence<UInt16>, _ key: DatabaseKey) {
    for handle in handles where carriesKeys(handle, key) { databaseTable[key].conceal(handle) }
  }

  /// Whether keys pass over the link: those of vendors, or those of its pairing.
  func mayCarryKeys(_ link: LinkID) -> Bool {
    let pairing = linkTable[link].pairing
    return pairing.request != nil || pairing.response != nil
      || linkTable[link].channels.values.contains { isAAP($0) }
      || [Direction.hostToController, .controllerToHost].contains {
        carriesKeysAnywhere(server(on: link, client: $0))
      }
  }

  /// The database of the server that a client asks, of what the device turned out to be.
  private func server(on link: LinkID, client: Direction) -> DatabaseKey {
    let key = database(link, clientDirection: client)
    guard case .device(let device) = key else { return key }
    return .device(deviceTable.current(device))
  }

  /// Whether an L2CAP PDU or its beginning has a key in it, by all that is known now: once the
  /// capture was read, that is more than when the packet came.
  /// - Parameter request: What a response answers.
  func isBeginningOfKey(
    _ bytes: RawSpan, _ link: LinkID, _ direction: Direction,
    answering request: (handle: UInt16, type: BluetoothUUID?)?
  ) -> Bool {
    if isBeginningOfProximityKeys(bytes) { return true }
    // Too little to tell where it belongs.
    guard bytes.byteCount >= 7 else { return mayCarryKeys(link) }
    let code = bytes.byte(at: 4)
    switch bytes.unsigned(at: 2, 2) {
    // Keys of a bond, on LE and BR/EDR. Core Specification, Vol 3, Part H, 3.6.
    case 0x0006, 0x0007: return code == 0x06 || code == 0x08 || code == 0x0A
    case 0x0004:
      return isBeginningOfKey(
        ATTPDU(bytes.extracting(4..<bytes.byteCount), isCut: true), link, direction,
        answering: request)
    case 0x0040...: return holdsIAP2Key(bytes, link, direction)
    default: return false
    }
  }

  private func isBeginningOfKey(
    _ pdu: ATTPDU, _ link: LinkID, _ direction: Direction,
    answering request: (handle: UInt16, type: BluetoothUUID?)?
  ) -> Bool {
    let client = server(on: link, client: direction)
    let server = server(on: link, client: direction.opposite)
    return switch pdu.opcode {
    case .writeRequest, .prepareWriteRequest, .writeCommand, .signedWriteCommand:
      carriesKeys(pdu.handle, client)
    case .prepareWriteResponse, .handleValueNotification, .handleValueIndication:
      carriesKeys(pdu.handle, server)
    case .readResponse, .readBlobResponse: carriesKeys(request?.handle ?? 0, server)
    case .readByTypeResponse:
      request?.type.map { carriesKeys($0) } ?? carriesKeysAnywhere(server)
    case .readMultipleResponse, .readMultipleVariableResponse, .multipleHandleValueNotification:
      carriesKeysAnywhere(server)
    default: false
    }
  }

  /// The keys of AAP, whatever is known of the channel, as far as the bytes go.
  private func isBeginningOfProximityKeys(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount > 4, bytes.unsigned(at: 2, 2) >= 0x40 else { return false }
    let count = min(6, bytes.byteCount - 4)
    return bytes.unsigned(at: 4, count) == 0x0031_0004_0004 & (1 << (UInt64(count) * 8) - 1)
  }
}
