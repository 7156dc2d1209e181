import HarkSession

extension PacketRow {
  /// The direction as a sign of one column, dashed where it is inferred.
  var arrow: StaticString {
    if flags.contains(.directionUnknown) { return "–" }
    let isSent = direction == .hostToController
    if flags.contains(.directionInferred) { return isSent ? "⇢" : "⇠" }
    return isSent ? "→" : "←"
  }
}
