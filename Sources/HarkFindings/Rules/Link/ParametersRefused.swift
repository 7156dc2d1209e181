import HarkSession

struct ParametersRefused: Rule {
  static let about = RuleDescription(
    id: "link.parameters-refused",
    title: "The connection parameters that the accessory wants are refused",
    severity: .warning, needs: .links,
    meaning:
      "The link goes on with the interval it has: slower, or with more current, than the accessory "
      + "was made for.",
    source:
      "Core Specification, Vol 3, Part A, 4.21; Apple, Accessory Design Guidelines, Bluetooth Low "
      + "Energy: Connection Parameters",
    fix: "Ask for parameters that Apple accepts: minimum interval a multiple of 15 ms, "
      + "maximum at least 15 ms above it (or both 15 ms), latency up to 30, supervision "
      + "timeout 6 to 18 s (2 to 6 s in older editions), and maximum × (latency + 1) × 3 "
      + "below the timeout.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    // On the air: LL_REJECT_EXT_IND for LL_CONNECTION_PARAM_REQ. Vol 6, Part B, 5.1.7.
    case .linkParametersRefused, .linkLayer(.rejected(_, opcode: 0x0F, _)):
      report.found(event, session, expected: "parameters that the Central accepts")
    default: break
    }
  }
}
