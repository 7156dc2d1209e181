import HarkCore
import HarkDissection

// Channel Sounding over the air: what both sides have agreed upon. Core Specification, Vol 6, Part B, 5.1.23 to 5.1.28
extension AirFollower {
  /// - Parameters:
  ///   - side: The sender, or, if `isGuess`, the likely one.
  mutating func sounding(
    _ index: Int, _ content: LLControlPDU.Content, _ side: Int, isGuess: Bool,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    let event: SoundingEvent
    switch content {
    case .csSecRsp: event = .security(.init())
    case .csConfigReq(let configuration):
      state[index].proposedConfigurations[side] = configuration
      return
    case .csConfigRsp(let config):
      let sides = isGuess ? [1 - side, side] : [1 - side]
      guard
        let asker = sides.first(where: {
          state[index].proposedConfigurations[$0]?.config == config
        }), let proposed = state[index].proposedConfigurations[asker]
      else { return }
      state[index].proposedConfigurations[asker] = nil
      event = .configuration(
        .init(
          config: config, isRemoved: proposed.isRemoved, role: nil, mainMode: proposed.mainMode,
          subMode: proposed.subMode))
    case .csReq(let procedures):
      state[index].proposedProcedures[side] = procedures
      return
    case .csInd(let config):
      // The Central ends its own procedure first: it rejects that of the Peripheral. 5.3
      let asker = [0, 1].first { state[index].proposedProcedures[$0]?.config == config }
      let proposed = asker.flatMap { state[index].proposedProcedures[$0] }
      if let asker { state[index].proposedProcedures[asker] = nil }
      event = .procedures(
        .init(config: config, interval: proposed?.interval, count: proposed?.count))
    case .csTerminateRsp(let config):
      event = .ended(.init(config: config, completed: nil, aborted: nil))
    default: return
    }
    tables.emit(.link(.sounding(event)), moment)
  }

  /// What a side has proposed is not done. With LL_CS_RSP, the procedure of the Central is rejected.
  mutating func soundingRejected(_ index: Int, _ refused: UInt8?, _ byPeripheral: Bool?) {
    guard let byPeripheral else { return }
    let asker = byPeripheral ? 0 : 1
    switch refused.flatMap(LLControlPDU.Opcode.init) {
    case .csConfigReq: state[index].proposedConfigurations[asker] = nil
    case .csReq: state[index].proposedProcedures[asker] = nil
    case .csRsp: state[index].proposedProcedures[0] = nil
    default: break
    }
  }
}
