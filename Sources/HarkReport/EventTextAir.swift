import HarkSession

// Connections heard on the air: Core Specification, Vol 6, Part B.
extension EventText {
  /// `LE connection 0x8a3b21f0 from C0:… to Watch (C1:…), interval …`
  static func openedOnAir(
    _ link: Link, _ air: Link.Air, _ session: borrowing Session
  ) -> String {
    var text = "LE connection \(Names.hex(air.accessAddress))"
    if let central = air.central {
      let name = air.centralDevice.flatMap { session.devices[Int($0.index)].name }
      text += " from Central " + (name.map { "\($0) (\(central))" } ?? "\(central)")
    }
    if let peer = link.peer {
      let name = link.device.flatMap { session.devices[Int($0.index)].name }
      text += " to Peripheral " + (name.map { "\($0) (\(peer))" } ?? "\(peer)")
    }
    if let interval = link.interval {
      text += ", \(parameters(interval, link.latency, link.supervisionTimeout))"
    }
    if let map = air.channelMap { text += ", \(map.nonzeroBitCount) of 37 channels" }
    if let hop = air.hop { text += ", hop \(hop)" }
    return text
  }
}
