import HarkCore
import HarkDissection
import HarkSession

// What was spoken above HCI.
extension CaptureReport {
  /// What a link carried, by its fixed channels. Core Specification, Vol 3, Part A, 2.1.
  private static let fixedChannels: [(cid: Int, name: String)] = [
    (4, "ATT"), (6, "SMP"), (7, "SMP over BR/EDR"), (5, "L2CAP signaling (LE)"),
    (1, "L2CAP signaling (BR/EDR)"), (2, "connectionless L2CAP"),
  ]

  /// Protocols by name with the PDUs they had, the fixed channels first, then by how much was said.
  /// What a protocol carries for another one is counted for both.
  func protocols(_ session: borrowing Session) -> [(name: String, pdus: Int)] {
    var pdus: [String: Int] = [:]
    for stream in session.streams {
      let isLE = session.links[Int(stream.link.index)].transport == .le
      guard let name = name(of: stream, isLE: isLE) else { continue }
      pdus[name, default: 0] += stream.packets.reduce(0, +)
    }
    let linkManager = session.counts.air.linkManagerPDUs
    let ofLinks: [(name: String, pdus: Int)] = linkManager > 0 ? [("LMP", linkManager)] : []
    return ofLinks
      + Self.fixedChannels.map { ($0.name, session.counts.channels[$0.cid]) }
      .filter { $0.1 > 0 }
      + pdus.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Nil for sound, which is no protocol.
  private func name(of stream: HarkSession.Stream, isLE: Bool) -> String? {
    switch stream.kind {
    // The only profile over AVCTP.
    case .channel(0x0017): return "AVRCP (over AVCTP)"
    case .channel(0x001B): return "AVRCP browsing (over AVCTP)"
    case .channel(let psm):
      // Numbers that devices hand out themselves are named by the service, if at all.
      if stream.name == Session.accessoryProtocolName { return "AAP" }
      let name = Names.of(psm, "l2cap.psm").flatMap { $0 == "dynamic" ? nil : $0 }
      return name ?? Names.psm(psm, stream.name, isSimplified: isLE)
    case .dataLink(let channel):
      guard let name = tally.dataLinks[stream.id] else {
        return stream.name ?? "RFCOMM channel \(channel)"
      }
      let isIAP1 = tally.iap1.contains(stream.link) && !tally.iap2.contains(stream.link)
      return name == "iAP2" && isIAP1 ? "iAP1" : name
    case .unknownChannel: return "L2CAP channels of unknown PSM"
    case .externalAccessory: return "External Accessory" + (stream.name.map { " \($0)" } ?? "")
    case .tcp(let port): return stream.name ?? "TCP port \(port)"
    case .usbAccessory: return "iAP2 over USB"
    case .synchronous, .isochronous, .attribute: return nil
    }
  }
}
