import HarkCore
import HarkDissection

/// How many packets the host has sent to its controller. Core Specification, Vol 4, Part E, 4.1.1.
struct BufferFollower {
  /// For controllers that reported their buffers.
  private var states = Slots<UInt16, HostBuffers> { _ in HostBuffers() }

  /// The answers to HCI_Read_Buffer_Size (7.4.5) and HCI_LE_Read_Buffer_Size (7.8.2).
  mutating func bufferSizes(_ returns: HCICommandComplete.Returns, _ moment: PacketContext) {
    states.update(moment.controller) { buffers in
      switch returns {
      case .bufferSize(let count): buffers.learnClassic(Int(count))
      case .leBufferSize(let length, let count, let isochronous):
        buffers.learnLE(length: Int(length), count: Int(count))
        if let isochronous { buffers.learnIsochronous(Int(isochronous)) }
      default: break
      }
    }
  }

  /// ACL data from the host. Nothing is kept for controllers that never reported their buffers.
  mutating func hostSent(
    _ bytes: RawSpan, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard moment.direction == .hostToController, !moment.isUndirected,
      let slot = states.find(moment.controller), bytes.byteCount >= ACLBeginning.headerSize
    else { return }
    let (handle, transport) = (tables.links[link].handle, tables.links[link].transport)
    var (isCommand, isTooMuch) = (false, false)
    var state: (used: Int, size: Int)?
    let data = ACLBeginning(bytes)
    let isContinuing = data.boundary == .continuing
    let begins = !isContinuing && Self.isWriteCommand(data.frame, bytes)
    makeSure(slot, transport, tables)
    states.updateValue(slot) { buffers in
      if !isContinuing { buffers.isCommand = begins }
      isTooMuch = buffers.give(handle, of: link, transport)
      if isTooMuch { (isCommand, state) = (buffers.isCommand, buffers.state(transport)) }
    }
    guard isTooMuch, let state else { return }
    tables.emit(
      .controller(
        .buffersExceeded(
          .init(used: state.used, size: state.size, isWriteCommand: isCommand))),
      moment, severity: .warning)
  }

  /// Isochronous data from the host, which has buffers of its own. 7.8.2
  mutating func hostSent(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    guard moment.direction == .hostToController, !moment.isUndirected,
      tables.links[link].transport == .iso, let slot = states.find(moment.controller)
    else { return }
    let handle = tables.links[link].handle
    var state: (used: Int, size: Int)?
    makeSure(slot, .iso, tables)
    states.updateValue(slot) { if $0.give(handle, of: link, .iso) { state = $0.state(.iso) } }
    guard let state else { return }
    tables.emit(
      .controller(
        .buffersExceeded(
          .init(used: state.used, size: state.size, isWriteCommand: false, isIsochronous: true))),
      moment, severity: .warning)
  }

  /// Before a packet counts as too much: what was outstanding on links that have ended, in whatever way, is flushed.
  /// Core Specification, Vol 4, Part E, 4.1.1
  private mutating func makeSure(
    _ slot: Int, _ transport: Link.Transport, _ tables: borrowing Tables
  ) {
    var isFull = false
    states.updateValue(slot) { isFull = $0.isFull(transport) }
    guard isFull else { return }
    for link in states.values[slot].owing where tables.links[link].closed != nil {
      let (handle, transport) = (tables.links[link].handle, tables.links[link].transport)
      states.updateValue(slot) { $0.flush(handle, transport) }
    }
  }

  private static func isWriteCommand(_ frame: L2CAPBeginning, _ bytes: RawSpan) -> Bool {
    guard frame.cid == FixedChannel.attributeProtocol.rawValue else { return false }
    return switch ATTOpcode(rawValue: frame.code(bytes)) {
    case .writeCommand, .signedWriteCommand: true
    default: false
    }
  }

  /// HCI_Number_Of_Completed_Packets. 7.7.19
  mutating func completedPackets(_ bytes: RawSpan, _ moment: PacketContext, _ tables: inout Tables)
  {
    guard let slot = states.find(moment.controller) else { return }
    for index in 0..<HCICompletedPackets.count(bytes) {
      let (handle, count) = HCICompletedPackets.entry(index, of: bytes)
      guard let link = tables.links.find(moment.controller, handle) else { continue }
      let transport = tables.links[link].transport
      states.updateValue(slot) { $0.takeBack(count, handle, transport) }
    }
  }

  mutating func flush(_ link: LinkID, _ tables: inout Tables) {
    guard let slot = states.find(tables.links[link].controller) else { return }
    let (handle, transport) = (tables.links[link].handle, tables.links[link].transport)
    states.updateValue(slot) { $0.flush(handle, transport) }
  }

  /// Another controller has the index: its buffers are not known.
  mutating func forget(controller: UInt16) {
    if let slot = states.find(controller) { states.updateValue(slot) { $0 = HostBuffers() } }
  }

  /// Packets are missing from the capture: the controller's reports of completed packets may be among them.
  mutating func forget() {
    for slot in states.keys.indices { states.updateValue(slot) { $0.forget() } }
  }
}
