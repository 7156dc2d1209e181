import HarkCore
import HarkSession

// The values of events of periodic advertising.
extension TimelineJSON {
  static func periodic(_ event: PeriodicEvent, to json: inout JSONText) -> StaticString {
    switch event {
    case .started(let set, let parameters):
      json.number("set", set)
      json.number("interval_min_1250_us", parameters?.shortest)
      json.number("interval_max_1250_us", parameters?.longest)
      write(parameters?.subevents, to: &json)
      return "periodic-advertising-started"
    case .stopped(let set, let wasOn):
      json.number("set", set)
      json.flag("was_on", wasOn)
      return "periodic-advertising-stopped"
    case .data(let set, let count, let services):
      json.number("set", set)
      write(count, services, to: &json)
      return "periodic-advertising-data"
    case .responses(let set, let requests, let heard, let missing):
      json.number("set", set)
      json.number("requests", requests)
      json.number("responses", heard)
      json.number("missing", missing)
      return "periodic-advertising-responses"
    case .handedOver(let source):
      switch source {
      case .set(let set): json.number("set", set)
      case .sync(let sync): json.number("sync", sync)
      }
      return "periodic-advertising-handed-over"
    case .requested(let advertiser):
      if let advertiser { write(advertiser, to: &json) }
      return "periodic-sync-requested"
    case .synchronized(let sync, let train):
      write(sync, train, to: &json)
      return "periodic-sync-established"
    case .received(let sync, let train):
      write(sync, train, to: &json)
      return "periodic-sync-received"
    case .failed(let status, let isTransfer):
      json.number("status", status)
      json.flag("transfer", isTransfer)
      return "periodic-sync-failed"
    case .changed(let sync, let count, let services, let isFirst):
      json.number("sync", sync)
      write(count, services, to: &json)
      json.flag("first", isFirst)
      return "periodic-data-changed"
    case .group(let sync, let group):
      json.number("sync", sync)
      write(group, to: &json)
      return "broadcast-group-announced"
    case .lost(let sync, let account):
      write(sync, account, to: &json)
      return "periodic-sync-lost"
    case .ended(let sync, let account):
      write(sync, account, to: &json)
      return "periodic-sync-ended"
    case .heard(let sync, let account):
      write(sync, account, to: &json)
      return "periodic-sync-heard"
    }
  }

  private static func write(
    _ advertiser: PeriodicEvent.Advertiser, to json: inout JSONText
  ) {
    json.number("sid", advertiser.sid)
    json.described("address", advertiser.address)
  }

  private static func write(
    _ sync: UInt16, _ train: PeriodicEvent.Train, to json: inout JSONText
  ) {
    json.number("sync", sync)
    write(train.advertiser, to: &json)
    json.string("phy", Names.phy(train.phy))
    json.number("interval_1250_us", train.interval)
    write(train.subevents, to: &json)
  }

  private static func write(_ subevents: PeriodicEvent.Subevents?, to json: inout JSONText) {
    json.number("subevents", subevents?.count)
    json.number("subevent_interval_1250_us", subevents?.interval)
  }

  private static func write(
    _ count: Int, _ services: [BluetoothUUID], to json: inout JSONText
  ) {
    json.number("length", count)
    json.array("services") { json in for uuid in services { json.element(uuid.description) } }
  }

  private static func write(_ group: PeriodicEvent.Group, to json: inout JSONText) {
    json.number("streams", group.streams)
    json.number("interval_1250_us", group.isoInterval)
    json.number("sdu_interval_us", group.sduInterval)
    json.number("max_sdu", group.maxSDU)
    json.number("max_pdu", group.maxPDU)
    json.string("phy", Names.phy(group.phy))
    json.flag("encrypted", group.isEncrypted)
  }

  private static func write(
    _ sync: UInt16, _ account: PeriodicEvent.Account, to json: inout JSONText
  ) {
    json.number("sync", sync)
    json.number("reports", account.reports)
    json.number("truncated", account.truncated)
    json.number("untold", account.untold)
    guard !account.subevents.isEmpty else { return }
    json.array("heard_subevents") { json in
      for subevent in account.subevents { json.element(UInt32(subevent)) }
    }
  }
}
