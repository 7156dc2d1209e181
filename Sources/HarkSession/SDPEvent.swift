import HarkCore

/// What SDP tells.
public enum SDPEvent: Sendable {
  /// Services that were not known: the peer's, or this host's own.
  case found([ServiceRecord], isLocal: Bool)
  /// A search without a match.
  case missing(BluetoothUUID?, isLocal: Bool)
  /// SDP_ERROR_RSP.
  case error(UInt16)
}
