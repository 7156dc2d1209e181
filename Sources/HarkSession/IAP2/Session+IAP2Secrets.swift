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
    iap2States[index].sides[moment.side].mayGoOnWithKey =
      head.mayGoOnWithKey || side.buffer.isSkipping && side.mayGoOnWithKey
  }

  /// Marks a packet that the recorder cut: what is left of its frames cannot be put together.
  mutating func concealCut(_ bytes: RawSpan, _ index: Int, _ moment: Moment) {
    let side = iap2States[index].sides[moment.side]
    if side.mayGoOnWithKey || Self.holdsHeadOfKey(bytes) { row.flags.insert(.secret) }
  }

  /// Marks a link packet of the control session that counts no more: it was sent before.
  mutating func concealRepeated(_ payload: RawSpan, _ packets: [UInt32]) {
    var head = IAP2Head([])
    head.add(payload.array(0..<min(IAP2Head.count, payload.byteCount)))
    if head.mayHoldKey { conceal(packets) }
  }

  /// Whether bytes of an L2CAP PDU, on a link with iAP2, are of a message which may hold a key. They
  /// come behind `before`: messages begin anywhere in a PDU.
  func holdsIAP2Key(
    _ bytes: RawSpan, behind before: [UInt8] = [], _ link: LinkID, _ direction: Direction
  ) -> Bool {
    let side = Int(direction.rawValue)
    var isOnLink = false
    for state in iap2States where state.link == link {
      if state.sides[side].mayGoOnWithKey { return true }
      isOnLink = true
    }
    return isOnLink && Self.holdsHeadOfKey(bytes, behind: before)
  }

  private static func holdsHeadOfKey(_ bytes: RawSpan, behind before: [UInt8] = []) -> Bool {
    // The last six bytes.
    var last: UInt64 = 0
    for byte in before.suffix(IAP2Head.count - 1) { last = last << 8 | UInt64(byte) }
    for index in 0..<bytes.byteCount {
      last = (last << 8 | UInt64(bytes.byte(at: index))) & 0xFFFF_FFFF_FFFF
      if last >> 32 == 0x4040, Catalog.mayHoldKeys(iAP2: UInt16(truncatingIfNeeded: last)) {
        return true
      }
    }
    return false
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
