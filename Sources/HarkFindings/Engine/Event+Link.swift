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

extension LinkLayerEvent.Rejected {
  /// Nil also for a PDU that the specification does not name.
  var pdu: LLControlPDU.Opcode? { opcode.flatMap(LLControlPDU.Opcode.init) }
}
