import HarkDissection
import HarkSession

// Questions of several rules about events of links.
extension Event {
  /// Whether it is the end of a link that was lost. That is a finding; data that then never arrived is not.
  var isLoss: Bool {
    guard case .link(.closed(let closed)) = content else { return false }
    return HCIErrorCode(closed.reason)?.isLoss == true
  }
}

extension Link {
  /// Why what came first on it cannot be judged; nil if the capture contains its beginning.
  var unseenBeginning: FindingText? {
    if certainty == .seen { return nil }
    return wasOpenBefore
      ? "the link was open before the capture began"
      : "the beginning of the link is not in the capture"
  }
}

extension LinkLayerEvent.Rejected {
  /// Nil also for a PDU that the specification does not name.
  var pdu: LLControlPDU.Opcode? { opcode.flatMap(LLControlPDU.Opcode.init) }
}
