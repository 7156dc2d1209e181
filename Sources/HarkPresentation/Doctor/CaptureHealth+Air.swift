import HarkSession

// What a sniffer received of connections. The sender of a packet, and how long it was, is no matter of its
// settings: those checks are of recorders beside a controller.
extension CaptureHealth {
  static func airChecks(_ session: borrowing Session) -> [DoctorCheck] {
    [airData(session), airLosses(session)]
  }

  private static func airData(_ session: borrowing Session) -> DoctorCheck {
    let links = session.links.count
    guard links > 0 else {
      return DoctorCheck("data", .info, "The capture contains no connections, so no data either.")
    }
    let air = session.counts.air
    let heard = "\(Names.count(links, "connection was", "connections were")) captured"
    let sealed = air.encrypted - air.opened
    guard sealed > 0 else { return DoctorCheck("data", .ok, "\(heard).") }
    return DoctorCheck(
      "data", .info,
      "\(heard); \(Names.count(sealed, "packet is", "packets are")) encrypted and not decrypted.",
      fix: "hark timeline CAPTURE --keys FILE, with the LTK under longTermKeys in FILE")
  }

  private static func airLosses(_ session: borrowing Session) -> DoctorCheck {
    let missing = session.counts.air.missing
    guard missing > 0 else {
      return DoctorCheck(
        "losses", .ok, "No connection shows a missing packet.")
    }
    return DoctorCheck(
      "losses", .warning,
      "At least \(Names.count(missing, "packet")) of the connections "
        + "\(missing == 1 ? "was" : "were") not captured, according to sequence numbers.",
      fix: "put the sniffer between the two devices, close to both")
  }
}
