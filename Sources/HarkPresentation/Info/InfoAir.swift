import HarkCapture
import HarkCore
import HarkSession

// What a sniffer received, and what it missed.
extension CaptureReport {
  /// Channels and what was wrong with packets; nil if none is from the air.
  func air(_ counts: Session.Counts) -> String? {
    let air = counts.air
    let brEDR = air.brEDRChannels.count { $0 > 0 }
    guard brEDR > 0 || air.channels.contains(where: { $0 > 0 }) else { return nil }
    var parts: [String] = []
    let primary = (37...39).filter { air.channels[$0] > 0 }
    if !primary.isEmpty {
      parts.append("advertising channels " + primary.map(String.init).joined(separator: ", "))
    }
    let others = air.channels[..<37].count { $0 > 0 }
    if others > 0 { parts.append(Names.count(others, "other channel")) }
    if brEDR > 0 { parts.append(Names.count(brEDR, "BR/EDR channel")) }
    if parts.isEmpty { parts.append("unknown channels") }
    if air.retransmissions > 0 {
      parts.append(Names.count(air.retransmissions, "packet") + " sent again")
    }
    if air.encrypted > 0 {
      parts.append(
        "\(Names.count(air.encrypted, "encrypted packet")), "
          + "\(Names.count(air.opened)) of them decrypted")
    }
    return parts.joined(separator: ", ")
  }

  func airFindings(_ counts: Session.Counts) -> [CaptureCaveat] {
    let air = counts.air
    var findings: [CaptureCaveat] = []
    if air.wrongCRCs > 0 {
      findings.append(
        CaptureCaveat(
          kind: "wrong-crc",
          text:
            "\(Names.count(air.wrongCRCs, "packet has", "packets have")) a wrong CRC, so "
            + "\(air.wrongCRCs == 1 ? "it was" : "they were") not received correctly: hark ignores "
            + "\(air.wrongCRCs == 1 ? "it" : "them")."))
    }
    if air.missing > 0 {
      findings.append(
        CaptureCaveat(
          kind: "not-heard",
          text: "At least \(Names.count(air.missing, "packet")) of the connections "
            + "\(air.missing == 1 ? "was" : "were") not captured, according to sequence numbers."))
    }
    if air.wrongMICs > 0 {
      findings.append(
        CaptureCaveat(
          kind: "wrong-mic",
          text:
            "\(Names.count(air.wrongMICs, "encrypted packet has", "encrypted packets have")) a wrong MIC, though the "
            + "key of the connection decrypts those around \(air.wrongMICs == 1 ? "it" : "them"): received with "
            + "errors, or changed."
        ))
    }
    if air.strange > 0 {
      findings.append(
        CaptureCaveat(
          kind: "strange-address",
          text: "\(Names.count(air.strange, "packet has", "packets have")) an access address that "
            + "belongs to no known connection: poorly received connections, or noise."))
    }
    if air.unannounced > 0 {
      findings.append(
        CaptureCaveat(
          kind: "unannounced-streams",
          text:
            "\(Names.count(air.unannounced, "packet belongs", "packets belong")) to isochronous streams whose "
            + "beginning (BIGInfo or LL_CIS_IND) was not received: hark does not follow these streams."
        ))
    }
    let locked = air.encrypted - air.opened - air.wrongMICs
    if locked > 0 {
      findings.append(
        CaptureCaveat(
          kind: "link-encrypted",
          text: "\(Names.count(locked, "packet is", "packets are")) encrypted "
            + "and not decrypted: `hark explain` shows what is missing."))
    }
    return findings
  }
}
