import HarkCore

/// The ACL and ISO data packets that a host has sent to its controller and that were not yet reported as completed. Core
/// Specification, Vol 4, Part E, 4.1.1.
struct HostBuffers: Sendable {
  /// Buffers of one kind.
  struct Pool: Sendable {
    /// How many packets it accepts; nil if the controller did not report it.
    var size: Int?
    var used = 0
    /// Whether an overflow was reported, and not all packets have completed since.
    var isExceeded = false
  }

  /// By `index(of:)`.
  private var pools = [Pool(), Pool(), Pool()]
  /// Whether LE data uses the buffers of BR/EDR. 7.8.2
  private var isShared = false
  /// Packets by the handle of their link.
  private var pending = [UInt16](repeating: 0, count: 4096)
  /// The link that they are of, and its pool, by its handle.
  private var owners = [LinkID?](repeating: nil, count: 4096)
  private var poolOfOwner = [UInt8](repeating: 0, count: 4096)
  /// Whether the last packet began with an ATT_WRITE_CMD, or continues one.
  var isCommand = false

  private func index(of transport: Link.Transport) -> Int? {
    switch transport {
    case .brEDR: 0
    case .le: isShared ? 0 : 1
    case .iso: 2
    default: nil
    }
  }

  /// HCI_Read_Buffer_Size. 7.4.5
  mutating func learnClassic(_ count: Int) { pools[0].size = count > 0 ? count : nil }

  /// HCI_LE_Read_Buffer_Size: if length or count is 0, LE data uses the other buffers. 7.8.2
  mutating func learnLE(length: Int, count: Int) {
    isShared = length == 0 || count == 0
    pools[1].size = isShared ? nil : count
  }

  /// HCI_LE_Read_Buffer_Size [v2]: 0 if the controller does not support isochronous streams. 7.8.2
  mutating func learnIsochronous(_ count: Int) { pools[2].size = count > 0 ? count : nil }

  /// Whether the next packet would be too much, which has not been reported.
  func isFull(_ transport: Link.Transport) -> Bool {
    guard let index = index(of: transport), let size = pools[index].size else { return false }
    return pools[index].used >= size && !pools[index].isExceeded
  }

  /// The links with outstanding packets.
  var owing: [LinkID] { pending.indices.compactMap { pending[$0] > 0 ? owners[$0] : nil } }

  /// The host sends a packet; true if it is the first one for which there is no room.
  mutating func give(_ handle: UInt16, of link: LinkID, _ transport: Link.Transport) -> Bool {
    guard let index = index(of: transport), let size = pools[index].size, handle < 4096,
      pending[Int(handle)] < .max
    else { return false }
    if owners[Int(handle)] != link {
      // The handle was that of another link, which has ended.
      takeBack(.max, handle, from: Int(poolOfOwner[Int(handle)]))
      (owners[Int(handle)], poolOfOwner[Int(handle)]) = (link, UInt8(index))
    }
    pending[Int(handle)] += 1
    pools[index].used += 1
    guard pools[index].used > size, !pools[index].isExceeded else { return false }
    pools[index].isExceeded = true
    return true
  }

  /// The controller has completed packets of a link; packets from before the capture are not counted.
  mutating func takeBack(_ count: Int, _ handle: UInt16, _ transport: Link.Transport) {
    guard let index = index(of: transport), handle < 4096 else { return }
    takeBack(count, handle, from: index)
  }

  private mutating func takeBack(_ count: Int, _ handle: UInt16, from index: Int) {
    let known = min(count, Int(pending[Int(handle)]))
    pending[Int(handle)] -= UInt16(known)
    pools[index].used = max(0, pools[index].used - known)
    if pools[index].used == 0 { pools[index].isExceeded = false }
  }

  /// The link has ended: its outstanding packets are flushed.
  mutating func flush(_ handle: UInt16, _ transport: Link.Transport) {
    takeBack(.max, handle, transport)
  }

  /// It is no longer known what has completed: no packet counts as outstanding.
  mutating func forget() {
    for index in pools.indices { (pools[index].used, pools[index].isExceeded) = (0, false) }
    for index in pending.indices { pending[index] = 0 }
  }

  /// How many packets are outstanding, and for how many there is room.
  func state(_ transport: Link.Transport) -> (used: Int, size: Int)? {
    guard let index = index(of: transport), let size = pools[index].size else { return nil }
    return (pools[index].used, size)
  }
}
