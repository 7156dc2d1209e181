import HarkSession

// The names of values that filters compare, the same in every output.
extension PacketRow {
  /// `sent` by the host, `received` by it, or `unknown`.
  package var directionName: StaticString {
    if flags.contains(.directionUnknown) { return "unknown" }
    return direction == .hostToController ? "sent" : "received"
  }
}

extension Event.Severity {
  /// `info`, `warning`, `error`.
  public var name: StaticString {
    switch self {
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
