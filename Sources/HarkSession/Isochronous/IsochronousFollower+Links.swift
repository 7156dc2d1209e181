import HarkCore
import HarkDissection

// Each CIS and BIS has a handle, and is a link of the controller, which counts its packets. Core Specification, Vol 4,
// Part E, 5.4.5.
extension IsochronousFollower {
  /// Begins the link of a stream.
  /// - Parameters:
  ///   - acl: The ACL connection of a CIS.
  ///   - device: The broadcaster of a BIS.
  func open(
    _ handle: UInt16, on acl: LinkID?, device: DeviceID?, name: String?,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let early = tables.earlyLink(handle, .iso, moment)
    if let early {
      tables.confirm(early: early, .iso)
    } else if let old = tables.links.find(moment.controller, handle) {
      guard tables.links[old].transport == .iso else { return }
      tables.isReplaced(old, moment)
      close(old, reason: nil, moment, &tables)
    }
    guard
      let link = early
        ?? tables.links.open(moment.controller, handle, .iso, moment.packet, .seen)
    else { return }
    tables.links[link].device = acl.map { tables.links[$0].device } ?? device
    if let acl {
      (tables.links[link].peer, tables.links[link].role) =
        (tables.links[acl].peer, tables.links[acl].role)
    }
    if let early, let stream = tables.links[early].sound {
      tables.streams[Int(stream.index)].name = name
      tables.releaseEvents(ofEarly: early)
    }
    _ = tables.isochronousStream(of: link, name: name, moment)
  }

  func close(
    _ link: LinkID, reason: UInt8?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.closeIsochronous(link, reason: reason, moment)
  }

  /// The end of an ACL connection ends its CISes. Vol 4, Part E, 7.1.6
  mutating func end(
    on acl: LinkID, reason: UInt8?, _ moment: PacketContext, _ tables: inout Tables
  ) {
    for link in tables.links.live(on: moment.controller) where tables.links[link].transport == .iso
    {
      let handle = tables.links[link].handle
      guard linkOfStream(handle, moment) == acl else { continue }
      tables.endsWithACL(link, of: acl)
      ended(handle, link, reason: reason, moment, &tables)
    }
  }

  /// The streams of a BIG end with it.
  /// - Returns: The group; nil if its beginning is not in the capture.
  mutating func groupClosed(
    _ big: UInt8, reason: UInt8, _ moment: PacketContext, _ tables: inout Tables
  ) -> IsochronousStreams.OpenGroup? {
    let group = streams.groups.removeValue(forKey: .init(moment.controller, big))
    for handle in group?.handles ?? [] {
      guard let link = tables.links.find(moment.controller, handle),
        tables.links[link].transport == .iso
      else { continue }
      forget(handle, moment, &tables)
      close(link, reason: reason, moment, &tables)
    }
    return group
  }

  /// HCI_Reset, or the end of a controller, ends all its streams and groups without events. 7.3.2
  func closeAll(
    by end: Link.ControllerEnd, _ moment: PacketContext, _ tables: inout Tables
  ) {
    var grouped: Set<UInt16> = []
    let groups = streams.groups.filter { $0.key.controller == moment.controller }
    for (key, group) in groups.sorted(by: { $0.key.big < $1.key.big }) {
      grouped.formUnion(group.handles)
      tables.emit(
        .isochronous(
          .groupEnded(
            .init(big: key.big, isOurs: group.isOurs, reason: nil, controllerEnd: end))), moment,
        device: group.device)
    }
    for link in tables.links.live(on: moment.controller) where tables.links[link].transport == .iso
    {
      let handle = tables.links[link].handle
      tables.links[link].controllerEnd = end
      close(link, reason: nil, moment, &tables)
      guard !grouped.contains(handle) else { continue }
      var moment = moment
      moment.link = linkOfStream(handle, moment)
      tables.emit(
        .isochronous(.ended(.init(handle: handle, reason: nil, controllerEnd: end))), moment)
    }
  }
}

extension Tables {
  /// The stream of an isochronous stream's data; nil on other links.
  mutating func isochronousStream(
    of link: LinkID, name: String? = nil, _ moment: PacketContext
  ) -> StreamID? {
    if let stream = links[link].sound { return stream }
    guard links[link].transport == .iso else { return nil }
    let stream = openStream(.isochronous, link, name: name, moment)
    links[link].sound = stream
    return stream
  }

  /// Ends the link of a stream, and its data.
  mutating func closeIsochronous(_ link: LinkID, reason: UInt8?, _ moment: PacketContext) {
    if let stream = links[link].sound { streams[Int(stream.index)].closed = moment.packet }
    links.close(link, moment.packet, reason: reason)
  }
}
