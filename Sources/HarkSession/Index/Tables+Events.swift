import HarkCore

extension Tables {
  // MARK: Events

  mutating func emit(
    _ content: Event.Content, _ moment: PacketContext, frames: Event.Frames? = nil,
    severity: Event.Severity = .info, device: DeviceID? = nil
  ) {
    if !discoveringLinks.isEmpty { endIdleDiscoveries(moment) }
    flushActivity()
    let frames =
      frames ?? moment.command.map { Event.Frames($0, moment.packet, count: 2) }
      ?? Event.Frames(moment.packet)
    report(
      Event(
        // The packet that is being read has no row yet.
        time: packets[frames.last]?.time ?? moment.time, frames: frames,
        controller: moment.controller, link: moment.link,
        device: device ?? moment.link.flatMap { links[$0].device }, severity: severity,
        content: content),
      as: frames.last)
  }

  mutating func report(_ event: consuming Event, as packet: PacketID) {
    log.append(event, as: packet)
  }
}
