import HarkCore
import HarkDissection

// Keys in messages of iAP2. A message may begin and end anywhere in the packets that carry it, and who
// shows packets while they are read cannot wait for its end.
extension Session {
  /// Marks the packet that is being read, and those before that hold a part of the same message.
  mutating func conceal(_ parts: [UInt32]) {
    row.flags.insert(.secret)
    for part in parts { packets.update(part) { $0.flags.insert(.secret) } }
  }

  /// Marks the packet where it holds a part of a message that may hold a key and ends later.
  mutating func concealRest(_ index: Int, _ moment: Moment) {
    let side = iap2States[index].sides[moment.side]
    let rest = side.buffer.bytes[side.buffer.rest]
    var head = IAP2Head(side.message.bytes)
    let payload = rest.dropFirst(IAP2Head.linkHeader)
    if !payload.isEmpty {
      let type = iap2States[index].sessions[Int(rest[rest.startIndex + 7])]
      // A session that no SYN declared is told by how its messages begin.
      if type ?? (payload.first == 0x40 ? 0 : 1) == 0 { head.add(payload) }
    }
    let isRestOfMissing = iap2States[index].isIAP2 && side.buffer.skipped > 0
    if head.mayHoldKey || isRestOfMissing { row.flags.insert(.secret) }
    iap2States[index].sides[moment.side].mayGoOnWithKey = head.mayGoOnWithKey
  }

  /// The recorder cut the packet: what is left of its frames cannot be put together.
  mutating func cutOff(_ bytes: RawSpan, _ index: Int, _ moment: Moment) {
    let side = iap2States[index].sides[moment.side]
    if side.mayGoOnWithKey || Self.holdsHeadOfKey(bytes) { row.flags.insert(.secret) }
    iap2States[index].sides[moment.side].buffer.removeAll()
  }

  /// Marks a link packet of the control session that counts no more: it was sent before.
  mutating func concealRepeated(_ payload: RawSpan, _ packets: [UInt32]) {
    var head = IAP2Head([])
    head.add(payload.array(0..<min(IAP2Head.count, payload.byteCount)))
    if head.mayHoldKey { conceal(packets) }
  }

  /// Whether an L2CAP PDU or its beginning, on a link with iAP2, holds a part of a message which
  /// may hold a key.
  func beginsIAP2Key(_ bytes: RawSpan, _ link: LinkID, _ direction: Direction) -> Bool {
    let side = Int(direction.rawValue)
    var isOnLink = false
    for state in iap2States where state.link == link {
      if state.sides[side].mayGoOnWithKey { return true }
      isOnLink = true
    }
    return isOnLink && Self.holdsHeadOfKey(bytes)
  }

  /// The same for a fragment that comes behind others: messages begin anywhere in a PDU.
  func continuesIAP2Key(
    _ fragment: RawSpan, behind bytes: [UInt8], _ link: LinkID, _ direction: Direction
  ) -> Bool {
    guard !iap2States.isEmpty else { return false }
    let around = bytes.suffix(IAP2Head.count - 1) + fragment.array
    return beginsIAP2Key(Array(around).raw, link, direction)
  }

  private static func holdsHeadOfKey(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= IAP2Head.count else { return false }
    return (0...(bytes.byteCount - IAP2Head.count)).contains { start in
      bytes.byte(at: start) == 0x40 && bytes.byte(at: start + 1) == 0x40
        && Catalog.mayHoldKeys(
          iAP2: UInt16(bytes.byte(at: start + 4)) << 8 | UInt16(bytes.byte(at: start + 5)))
    }
  }
}

/// The first bytes of what should be a message of the control session, as far as they have come:
/// 40 40, length, identifier.
struct IAP2Head {
  static let count = 6
  /// How many bytes come before the payload of a link packet.
  static let linkHeader = 9

  private var bytes: UInt64 = 0
  private var found = 0

  init(_ bytes: some Collection<UInt8>) { add(bytes) }

  mutating func add(_ more: some Collection<UInt8>) {
    for byte in more.prefix(Self.count - found) { bytes = bytes << 8 | UInt64(byte) }
    found = min(Self.count, found + more.count)
  }

  /// Whether what follows it may be a key: no message begins so, and it is the rest of one whose
  /// beginning is missing, or it is one of those that may.
  var mayHoldKey: Bool {
    guard found > 0 else { return false }
    let start = found == 1 ? bytes << 8 | 0x40 : bytes >> UInt64((found - 2) * 8)
    guard start == 0x4040 else { return true }
    return found == Self.count && Catalog.mayHoldKeys(iAP2: UInt16(truncatingIfNeeded: bytes))
  }

  /// Whether the bytes that come next may be a key.
  var mayGoOnWithKey: Bool { found > 0 && found < Self.count || mayHoldKey }
}
