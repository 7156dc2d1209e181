import HarkSession

extension PacketRow {
  /// `sent` by the host, `received` by it, or `unknown`.
  var directionName: StaticString {
    if flags.contains(.directionUnknown) { return "unknown" }
    return direction == .hostToController ? "sent" : "received"
  }

  /// The direction as a sign of one column, dashed where it is inferred.
  var arrow: StaticString {
    if flags.contains(.directionUnknown) { return "–" }
    let isSent = direction == .hostToController
    if flags.contains(.directionInferred) { return isSent ? "⇢" : "⇠" }
    return isSent ? "→" : "←"
  }
}
