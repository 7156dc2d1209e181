import HarkCore
import HarkDissection

/// The CISes of controllers: what they are called, and the ACL connections they belong to.
/// Core Specification, Vol 4, Part E, 7.7.65.26, 7.8.97, 7.8.99.
struct IsochronousStreams: Sendable {
  struct Stream: Sendable {
    var link: LinkID?
    var name: IsochronousEvent.Name?
    /// How many octets an SDU may have, by its direction as this host sees it; nil if unknown.
    var maxSDU: [UInt16]?
  }

  private struct Key: Hashable {
    let controller: UInt16
    let handle: UInt16
  }

  /// A BIG of a controller.
  struct Group: Hashable {
    let controller: UInt16
    let big: UInt8

    init(_ controller: UInt16, _ big: UInt8) { (self.controller, self.big) = (controller, big) }
  }

  /// A BIG that is open.
  struct OpenGroup: Sendable {
    /// Those of its BISes.
    let handles: [UInt16]
    /// Whether this host broadcasts it.
    let isOurs: Bool
    /// Its broadcaster, if that is another device.
    let device: DeviceID?
  }

  /// At most 256 of each controller.
  var groups: [Group: OpenGroup] = [:]

  /// Hostile captures name any number of handles: then all is forgotten.
  private static let most = 4_096
  private var streams: [Key: Stream] = [:]
  /// A CIG of a controller.
  private struct ConnectedGroup: Hashable {
    let controller: UInt16
    let cig: UInt8
  }

  /// The CIS_IDs of HCI_LE_Set_CIG_Parameters, whose handles its Command Complete gives in order. At most 256 of each
  /// controller.
  private var asked: [ConnectedGroup: [HCICommandMessage.CISParameters]] = [:]
  /// Max_SDU of HCI_LE_Create_BIG.
  private var askedGroups: [Group: UInt16] = [:]

  subscript(controller: UInt16, handle: UInt16) -> Stream? {
    streams[Key(controller: controller, handle: handle)]
  }

  mutating func name(
    _ handle: UInt16, _ controller: UInt16, _ name: IsochronousEvent.Name
  ) {
    makeRoom()
    streams[Key(controller: controller, handle: handle), default: Stream()].name = name
  }

  mutating func limit(_ handle: UInt16, _ controller: UInt16, maxSDU: [UInt16]) {
    makeRoom()
    streams[Key(controller: controller, handle: handle), default: Stream()].maxSDU = maxSDU
  }

  mutating func connect(_ handle: UInt16, _ controller: UInt16, to link: LinkID?) {
    makeRoom()
    streams[Key(controller: controller, handle: handle), default: Stream()].link = link
  }

  /// The handle is given to a BIS.
  mutating func forget(_ handle: UInt16, _ controller: UInt16) {
    streams[Key(controller: controller, handle: handle)] = nil
  }

  mutating func forget(controller: UInt16) {
    streams = streams.filter { $0.key.controller != controller }
    groups = groups.filter { $0.key.controller != controller }
    askedGroups = askedGroups.filter { $0.key.controller != controller }
    asked = asked.filter { $0.key.controller != controller }
  }

  private mutating func makeRoom() { if streams.count >= Self.most { streams = [:] } }

  mutating func ask(
    _ controller: UInt16, _ cig: UInt8, _ streams: [HCICommandMessage.CISParameters]
  ) {
    asked[ConnectedGroup(controller: controller, cig: cig)] = streams
  }

  mutating func ask(_ group: Group, maxSDU: UInt16) { askedGroups[group] = maxSDU }

  /// The BISes of this host's BIG have these handles.
  mutating func began(_ group: Group, _ open: OpenGroup) {
    groups[group] = open
    guard let most = askedGroups.removeValue(forKey: group), open.isOurs else { return }
    makeRoom()
    for handle in open.handles {
      streams[Key(controller: group.controller, handle: handle), default: Stream()].maxSDU =
        [most, most]
    }
  }

  mutating func answer(_ controller: UInt16, _ cig: UInt8, _ handles: [UInt16]) {
    let group = ConnectedGroup(controller: controller, cig: cig)
    guard let streams = asked.removeValue(forKey: group), streams.count == handles.count
    else { return }
    for (stream, handle) in zip(streams, handles) {
      name(handle, controller, .init(cig: cig, cis: stream.cis))
      // The host that configures a CIG is the Central.
      self.streams[Key(controller: controller, handle: handle)]?.maxSDU =
        [stream.maxSDUToPeripheral, stream.maxSDUToCentral]
    }
  }
}

extension IsochronousFollower {
  /// What the streams are called that the answer, or an event, gives handles.
  mutating func command(
    _ command: HCICommandMessage, _ moment: PacketContext, _ tables: inout Tables
  ) {
    if command.opcode == .leSetCIGParameters, let cig = command.cig {
      streams.ask(moment.controller, cig, command.streams)
    }
    if command.opcode == .leCreateBIG, let big = command.big, let most = command.maxSDU {
      streams.ask(.init(moment.controller, big), maxSDU: most)
    }
    for (stream, link) in command.connectedStreams {
      streams.connect(
        stream, moment.controller, to: tables.links.find(moment.controller, link))
    }
  }

  /// The handles that the controller gives to the streams of a CIG.
  mutating func groupAnswered(_ cig: UInt8, _ handles: [UInt16], _ moment: PacketContext) {
    streams.answer(moment.controller, cig, handles)
  }

  /// Whether a handle belongs to a stream, or did.
  func isIsochronous(_ handle: UInt16, _ moment: PacketContext) -> Bool {
    streams[moment.controller, handle] != nil || hasState(handle, moment)
  }

  /// The ACL connection of a CIS; nil for a BIS.
  func linkOfStream(_ handle: UInt16, _ moment: PacketContext) -> LinkID? {
    streams[moment.controller, handle]?.link
  }
}
