import HarkCore
import HarkDissection

/// The links of a capture, found by controller and handle.
struct Links {
  private(set) var all: [Link] = []
  /// Index + 1 of the live link at each handle, for each controller.
  private var live = Slots<UInt16, [UInt16]> { _ in [UInt16](repeating: 0, count: 4096) }

  /// The last link that was closed, by controller and handle.
  private var closed: [UInt32: LinkID] = [:]

  /// The last BR/EDR link to each device.
  private var byPeer: [Peer: LinkID] = [:]

  private struct Peer: Hashable {
    let controller: UInt16
    let address: BluetoothAddress
  }

  /// The controllers whose index another one has got, in the order of their ends.
  var formerControllers: [(index: UInt16, controller: Session.Controller)] = []

  static let most = 65_534
  /// Each controller needs a table of all handles.
  static let mostControllers = 256

  subscript(id: LinkID) -> Link {
    @inline(__always)
    _read { yield all[Int(id.index)] }
    @inline(__always)
    _modify { yield &all[Int(id.index)] }
  }

  /// The live link at `handle`.
  @inline(__always)
  func find(_ controller: UInt16, _ handle: UInt16) -> LinkID? {
    guard handle < 4096, let slot = live.find(controller) else { return nil }
    let number = live.values[slot][Int(handle)]
    return number == 0 ? nil : LinkID(Int(number) - 1)
  }

  /// The live channel whose frames have `key`. Reads in place: a link is too large to be lent out.
  @inline(__always)
  func channel(on id: LinkID, _ key: UInt32) -> ChannelID? { all[Int(id.index)].channels[key] }

  /// As `channel`, for each frame.
  @inline(__always)
  mutating func channelOfFrame(on id: LinkID, _ key: UInt32) -> ChannelID? {
    all[Int(id.index)].channels.find(key)
  }

  /// Whether the link is certainly of a transport without the fixed channel. Vol 3, Part A, 2.1, tables 2.1, 2.2
  func lacks(_ channel: FixedChannel, _ id: LinkID) -> Bool {
    let index = Int(id.index)
    guard all[index].certainty == .seen, !all[index].isReported else { return false }
    return switch all[index].transport {
    case .le: !channel.isOfLE
    case .brEDR: channel.isOfLE
    case .sco, .esco, .iso, .tcp, .usb, .unknown: false
    }
  }

  // In place too, because each request and response of ATT needs it.
  @inline(__always)
  func request(on id: LinkID, _ side: Int) -> ATTState.Request? {
    all[Int(id.index)].att.requests[side]
  }

  @inline(__always)
  func elimination(on id: LinkID) -> Int? { all[Int(id.index)].att.elimination }

  @inline(__always)
  func longRead(on id: LinkID, _ side: Int) -> ATTState.LongRead? {
    all[Int(id.index)].att.reads[side]
  }

  /// Whether a link with this handle was closed before.
  func wasClosed(_ controller: UInt16, _ handle: UInt16) -> Bool {
    lastClosed(controller, handle) != nil
  }

  /// The last link with this handle that was closed.
  func lastClosed(_ controller: UInt16, _ handle: UInt16) -> LinkID? {
    closed[UInt32(controller) << 16 | UInt32(handle)]
  }

  /// Begins a link; nil once a capture has more links than ids.
  mutating func open(
    _ controller: UInt16, _ handle: UInt16, _ transport: Link.Transport, _ packet: PacketID,
    _ certainty: Certainty
  ) -> LinkID? {
    guard all.count < Self.most, handle < 4096,
      live.keys.count < Self.mostControllers || live.find(controller) != nil
    else { return nil }
    let id = LinkID(all.count)
    all.append(
      Link(
        id: id, controller: controller, handle: handle, transport: transport, opened: packet,
        certainty: certainty))
    self[id].isAfterEnd = certainty == .inferred && wasClosed(controller, handle)
    live[controller][Int(handle)] = id.index + 1
    return id
  }

  /// Begins a connection over the local network, which is found by its ends, not here; nil once a capture has
  /// more links than ids.
  mutating func open(
    _ network: Link.Network, _ packet: PacketID, _ certainty: Certainty
  ) -> LinkID? {
    guard all.count < Self.most else { return nil }
    let id = LinkID(all.count)
    all.append(
      Link(
        id: id, controller: .max, handle: .max, transport: .tcp, opened: packet,
        certainty: certainty))
    self[id].network = network
    return id
  }

  /// Begins the data of a USB interface for accessories; nil once a capture has more links than ids.
  mutating func open(usbAccessory number: UInt16, _ packet: PacketID) -> LinkID? {
    guard all.count < Self.most else { return nil }
    let id = LinkID(all.count)
    all.append(
      Link(
        id: id, controller: .max, handle: .max, transport: .usb, opened: packet, certainty: .seen))
    self[id].usbAccessory = number
    return id
  }

  mutating func close(_ id: LinkID, _ packet: PacketID, reason: UInt8?) {
    let link = self[id]
    if link.network == nil, link.usbAccessory == nil {
      if live[link.controller][Int(link.handle)] == id.index + 1 {
        live[link.controller][Int(link.handle)] = 0
      }
      closed[UInt32(link.controller) << 16 | UInt32(link.handle)] = id
    }
    self[id].closed = packet
    self[id].reason = reason
    self[id].assembly = PDUAssembly.none
    self[id].att = ATTState()
    self[id].bearers = [:]
    self[id].misplaced = []
  }

  mutating func setPeer(_ peer: BluetoothAddress, on id: LinkID) {
    self[id].peer = peer
    if self[id].transport == .brEDR {
      byPeer[Peer(controller: self[id].controller, address: peer)] = id
    }
  }

  /// The live BR/EDR link to a device, which events of security name by its address.
  func brEDR(to peer: BluetoothAddress, on controller: UInt16) -> LinkID? {
    let id = byPeer[Peer(controller: controller, address: peer)]
    return id.flatMap { self[$0].closed == nil ? $0 : nil }
  }

  /// The live synchronous links that the ACL connection `id` carries: they end with it. Vol 4, Part E, 7.1.6
  func synchronous(on id: LinkID) -> [LinkID] {
    let transport = self[id].transport
    guard transport == .brEDR || transport == .unknown, !self[id].isSynchronous else { return [] }
    let live = live(on: self[id].controller)
    let synchronous = live.filter { self[$0].isSynchronous }
    guard !synchronous.isEmpty else { return [] }
    // Without its beginning, it belongs to the only connection that there is.
    let isOnly = !live.contains {
      $0 != id && !self[$0].isSynchronous && [.brEDR, .unknown].contains(self[$0].transport)
    }
    return synchronous.filter { carried in
      guard let peer = self[carried].peer, let own = self[id].peer else { return isOnly }
      return peer == own
    }
  }

  /// Another controller has the index: a handle of it was never that of a link that was closed.
  mutating func forgetClosed(on controller: UInt16) {
    closed = closed.filter { UInt16($0.key >> 16) != controller }
  }

  /// The live links of a controller.
  func live(on controller: UInt16) -> [LinkID] {
    guard let slot = live.find(controller) else { return [] }
    return live.values[slot].compactMap { $0 == 0 ? nil : LinkID(Int($0) - 1) }
  }
}
