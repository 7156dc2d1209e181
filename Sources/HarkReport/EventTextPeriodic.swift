import HarkCore
import HarkSession

// Periodic advertising.
extension EventText {
  static func periodic(_ event: PeriodicEvent) -> String {
    switch event {
    case .started(let set, let parameters):
      own(set) + " started" + (parameters.map { ", " + words($0) } ?? "")
    case .stopped(let set, let wasOn): own(set) + (wasOn ? " stopped" : " is off")
    case .data(let set, let count, let services): "\(own(set)) sends " + said(count, services)
    case .responses(let set, let requests, let heard, let missing):
      "\(own(set)): data asked for \(Names.count(requests, "subevent")), "
        + "\(Names.count(heard, "response")) heard"
        + (missing > 0 ? ", \(missing) not heard or not whole" : "")
    case .handedOver(.set(let set)): "peer told of the \(own(set))"
    case .handedOver(.sync(let sync)): "peer told of the periodic advertising of \(name(sync))"
    case .requested(let advertiser):
      "periodic advertising looked for: "
        + (advertiser.map(words) ?? "of any in the Periodic Advertiser List")
    case .synchronized(let sync, let train):
      "synchronized with periodic advertising, \(name(sync)): \(words(train))"
    case .received(let sync, let train):
      "synchronized with periodic advertising that the peer told of, \(name(sync)): "
        + words(train)
    case .failed(let status, let isTransfer):
      "not synchronized with periodic advertising\(isTransfer ? " that the peer told of" : ""): "
        + Names.status(status)
    case .changed(let sync, let count, let services, let isFirst):
      "\(name(sync)) \(isFirst ? "sends" : "now sends") " + said(count, services)
    case .group(let sync, let group):
      "\(name(sync)) announces a broadcast group: \(Names.count(Int(group.streams), "stream")), "
        + "\(milliseconds(group.isoInterval)), SDUs of up to "
        + "\(Names.count(Int(group.maxSDU), "byte")), "
        + "\(Names.phy(group.phy)), \(group.isEncrypted ? "encrypted" : "not encrypted")"
    case .lost(let sync, let account): "\(name(sync)) lost" + after(account)
    case .ended(let sync, let account): "\(name(sync)) given up by this host" + after(account)
    case .heard(let sync, let account): "\(name(sync)) heard" + after(account)
    }
  }

  private static func own(_ set: UInt8) -> String {
    "periodic advertising of set \(Names.hex(set))"
  }

  private static func name(_ sync: UInt16) -> String { "sync \(Names.hex(sync))" }

  private static func words(_ parameters: PeriodicEvent.Parameters) -> String {
    (parameters.shortest == parameters.longest
      ? "" : milliseconds(parameters.shortest) + " to ")
      + milliseconds(parameters.longest) + words(parameters.subevents)
  }

  private static func words(_ advertiser: PeriodicEvent.Advertiser) -> String {
    "SID \(advertiser.sid) of \(advertiser.address)"
  }

  private static func words(_ train: PeriodicEvent.Train) -> String {
    "\(words(train.advertiser)), \(milliseconds(train.interval)), \(Names.phy(train.phy))"
      + words(train.subevents)
  }

  private static func words(_ subevents: PeriodicEvent.Subevents?) -> String {
    subevents.map {
      ", with responses: \(Names.count(Int($0.count), "subevent")) "
        + milliseconds(UInt16($0.interval))
    } ?? ""
  }

  private static func said(_ count: Int, _ services: [BluetoothUUID]) -> String {
    count == 0
      ? "nothing"
      : Names.count(count, "byte")
        + (services.isEmpty ? "" : ": " + few(services.map { Names.uuid($0) }))
  }

  private static func after(_ account: PeriodicEvent.Account) -> String {
    guard account.reports > 0 else { return "; no report was heard" }
    var text = " after \(Names.count(account.reports, "report"))"
    if account.truncated > 0 { text += ", \(account.truncated) of them not whole" }
    if account.untold > 0 { text += ", \(Names.count(account.untold, "more change")) of its data" }
    if !account.subevents.isEmpty {
      text +=
        ", in " + (account.subevents.count == 1 ? "subevent " : "subevents ")
        + few(account.subevents.map(String.init), most: 8)
    }
    return text
  }
}
