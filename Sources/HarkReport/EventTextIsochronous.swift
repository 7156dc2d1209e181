import HarkCore
import HarkSession

// Isochronous streams.
extension EventText {
  static func isochronous(_ event: IsochronousEvent) -> String {
    switch event {
    case .requested(let handle, let cig, let cis):
      "\(stream(handle)) requested: CIG \(cig), CIS \(cis)"
    case .established(let handle, let name, let interval, let toPeripheral, let toCentral):
      "\(stream(handle)) established: "
        + (name.map { "CIG \($0.cig), CIS \($0.cis), " } ?? "")
        + "\(milliseconds(interval)); to the Peripheral "
        + "\(way(toPeripheral)), to the Central \(way(toCentral))"
    case .failed(let handle, let status):
      "\(stream(handle)) not established: \(Names.status(status))"
    case .ended(let handle, let reason): "\(stream(handle)) ended: \(Names.status(reason))"
    case .group(let big, let isOurs, let interval, let maxPDU, let handles):
      "\(group(big)) \(isOurs ? "created" : "synchronized"): \(milliseconds(interval)), PDUs of "
        + "\(Names.count(Int(maxPDU), "byte")); streams "
        + handles.map(Names.hex).joined(separator: ", ")
    case .groupFailed(let big, let isOurs, let status):
      "\(group(big)) not \(isOurs ? "created" : "synchronized"): \(Names.status(status))"
    case .groupEnded(let big, isOurs: false, reason: 0x16):
      "\(group(big)) given up by this host"
    case .groupEnded(let big, let isOurs, let reason):
      "\(group(big)) \(isOurs ? "ended" : "lost"): \(Names.status(reason))"
    case .gap(let handle, let missing, let isSent):
      "\(stream(handle)): \(Names.count(missing, "SDU")) of \(isSent ? "this host" : "the peer") "
        + "missing by the sequence numbers"
    case .lost(let handle, let count, _):
      "\(stream(handle)): the controller did not receive \(Names.count(count, "SDU")) whole"
    case .timestampBack(let handle, let back):
      "\(stream(handle)): the time stamp "
        + (back == 0 ? "stands still" : "goes back by \(back) µs") + " while the SDUs go on"
    case .sduLength(let handle, let expected, let found):
      "\(stream(handle)): an SDU of \(Names.count(expected, "byte")) has \(found)"
    }
  }

  private static func stream(_ handle: UInt16) -> String {
    "isochronous stream \(Names.hex(handle))"
  }

  private static func group(_ big: UInt8) -> String { "broadcast group \(big)" }

  /// Of an interval in units of 1.25 ms.
  static func milliseconds(_ interval: UInt16) -> String {
    guard interval > 0 else { return "no interval told" }
    let hundredths = Int(interval) * 125
    let fraction = hundredths % 100
    let digits =
      fraction == 0 ? "" : "." + (fraction % 10 == 0 ? "\(fraction / 10)" : "\(fraction)")
    return "every \(hundredths / 100)\(digits) ms"
  }

  /// Of a number of microseconds.
  private static func milliseconds(_ microseconds: UInt32) -> String {
    microseconds % 1_000 == 0 ? "\(microseconds / 1_000) ms" : "\(microseconds) µs"
  }

  private static func way(_ way: IsochronousEvent.Way) -> String {
    way.maxPDU == 0
      ? "nothing"
      : "\(Names.count(Int(way.maxPDU), "byte")), latency \(milliseconds(way.latency)), \(Names.phy(way.phy))"
  }
}

extension TimelineJSON {
  static func isochronous(
    _ event: IsochronousEvent, to json: inout JSONText
  ) -> StaticString {
    switch event {
    case .requested(let handle, let cig, let cis):
      json.number("handle", handle)
      json.number("cig", cig)
      json.number("cis", cis)
      return "isochronous-requested"
    case .established(let handle, let name, let interval, let toPeripheral, let toCentral):
      json.number("handle", handle)
      json.number("cig", name?.cig)
      json.number("cis", name?.cis)
      json.number("interval_1250_us", interval)
      way("to_peripheral", toPeripheral, to: &json)
      way("to_central", toCentral, to: &json)
      return "isochronous-established"
    case .failed(let handle, let status):
      json.number("handle", handle)
      json.number("status", status)
      return "isochronous-failed"
    case .ended(let handle, let reason):
      json.number("handle", handle)
      json.number("reason", reason)
      return "isochronous-ended"
    case .group(let big, let isOurs, let interval, let maxPDU, let handles):
      json.number("big", big)
      json.flag("ours", isOurs)
      json.number("interval_1250_us", interval)
      json.number("max_pdu", maxPDU)
      json.array("handles") { json in for handle in handles { json.element(UInt32(handle)) } }
      return "broadcast-group"
    case .groupFailed(let big, let isOurs, let status):
      json.number("big", big)
      json.flag("ours", isOurs)
      json.number("status", status)
      return "broadcast-group-failed"
    case .groupEnded(let big, let isOurs, let reason):
      json.number("big", big)
      json.flag("ours", isOurs)
      json.number("reason", reason)
      return "broadcast-group-ended"
    case .gap(let handle, let missing, let isSent):
      json.number("handle", handle)
      json.number("count", missing)
      json.flag("sent", isSent)
      return "isochronous-gap"
    case .lost(let handle, let count, let isBetween):
      json.number("handle", handle)
      json.number("count", count)
      json.flag("between", isBetween)
      return "isochronous-lost"
    case .timestampBack(let handle, let back):
      json.number("handle", handle)
      json.number("microseconds", back)
      return "isochronous-timestamp-back"
    case .sduLength(let handle, let expected, let found):
      json.number("handle", handle)
      json.number("expected", expected)
      json.number("found", found)
      return "isochronous-sdu-length"
    }
  }

  private static func way(
    _ name: StaticString, _ way: IsochronousEvent.Way, to json: inout JSONText
  ) {
    json.object(name) { json in
      json.number("latency_us", way.latency)
      json.string("phy", Names.phy(way.phy))
      json.number("max_pdu", way.maxPDU)
    }
  }
}
