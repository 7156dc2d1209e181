import HarkCore
import HarkDissection
import HarkSession

// What is found and opened over BR/EDR: SDP, RFCOMM.
extension EventText {
  static func classic(_ content: Event.Content) -> String {
    switch content {
    case .sdp(let event): sdp(event)
    case .rfcomm(let event): rfcomm(event)
    case .handsFree(let event): handsFree(event)
    default: ""
    }
  }

  // MARK: SDP

  private static func sdp(_ event: SDPEvent) -> String {
    switch event {
    case .found(let records, let isLocal):
      "\(isLocal ? "this host's " : "")\(records.count == 1 ? "service" : "services"): "
        + few(records.map(service), separator: "; ")
    case .missing(let uuid, let isLocal):
      "\(isLocal ? "this host has" : "has") no service "
        + (uuid.map { Names.uuid($0) } ?? "that was searched for")
    case .error(let code):
      "SDP error: " + (Names.of(code, "sdp.error") ?? "Unknown") + " (\(Names.hex(code)))"
    }
  }

  /// `AG Hands-Free 1.8 “Phone” on RFCOMM channel 7`.
  static func service(_ record: ServiceRecord) -> String {
    var text = record.classes.first.map { Names.uuid($0) } ?? "a service of no class"
    if let version = record.version { text += " \(version >> 8).\(version & 0xFF)" }
    if let name = record.name, !name.isEmpty { text += " “\(name)”" }
    if let channel = record.serverChannel { return text + " on RFCOMM channel \(channel)" }
    if let psm = record.psm { text += " on \(Names.psm(psm))" }
    return text
  }

  // MARK: RFCOMM

  private static func rfcomm(_ event: RFCOMMEvent) -> String {
    switch event {
    case .opened(let link, let byPeer):
      "\(name(link)) opened\(byPeer ? " by peer" : "")"
        + (link.frameSize.map { ", frames of up to \(Names.count(Int($0), "byte"))" } ?? "")
    case .refused(let link): "\(name(link)) refused"
    case .closed(let link): "\(name(link)) closed"
    case .recognized(let link, let name):
      "\(name) on \(self.name(link)), by its first bytes: the capture does not have its service "
        + "record"
    case .creditsExceeded(let link, let byPeer):
      "\(byPeer ? "peer" : "this host") sent more than it had credits for: \(name(link))"
    case .unsupported(let command):
      "RFCOMM command not supported: "
        + (Names.of(command, "rfcomm.command") ?? Names.hex(command))
    case .lineStatus(let link, let status): "\(name(link)): \(errors(status))"
    }
  }

  /// `RFCOMM channel 7 (AG Hands-Free)`.
  static func name(_ link: DataLink) -> String {
    let service = link.service?.classes.first.map { " (\(Names.uuid($0)))" } ?? ""
    return "\(link.isLocalService ? "own " : "")RFCOMM channel \(link.serverChannel)\(service)"
  }

  private static func errors(_ status: UInt8) -> String {
    let names = ["overrun error", "parity error", "framing error"]
    let set = names.enumerated().filter { status >> ($0.offset + 1) & 1 == 1 }.map(\.element)
    return set.isEmpty ? "line error" : set.joined(separator: ", ")
  }
}
