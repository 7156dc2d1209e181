extension LLControlPDU {
  /// 2.4.2
  package enum Opcode: UInt8, Sendable {
    case connectionUpdateInd = 0x00
    case channelMapInd = 0x01
    case terminateInd = 0x02
    case encReq = 0x03
    case encRsp = 0x04
    case startEncReq = 0x05
    case startEncRsp = 0x06
    case unknownRsp = 0x07
    case featureReq = 0x08
    case featureRsp = 0x09
    case pauseEncReq = 0x0A
    case pauseEncRsp = 0x0B
    case versionInd = 0x0C
    case rejectInd = 0x0D
    case peripheralFeatureReq = 0x0E
    case connectionParamReq = 0x0F
    case connectionParamRsp = 0x10
    case rejectExtInd = 0x11
    case pingReq = 0x12
    case pingRsp = 0x13
    case lengthReq = 0x14
    case lengthRsp = 0x15
    case phyReq = 0x16
    case phyRsp = 0x17
    case phyUpdateInd = 0x18
    case minUsedChannelsInd = 0x19
    case cteReq = 0x1A
    case cteRsp = 0x1B
    case periodicSyncInd = 0x1C
    case clockAccuracyReq = 0x1D
    case clockAccuracyRsp = 0x1E
    case cisReq = 0x1F
    case cisRsp = 0x20
    case cisInd = 0x21
    case cisTerminateInd = 0x22
    case powerControlReq = 0x23
    case powerControlRsp = 0x24
    case powerChangeInd = 0x25
    case subrateReq = 0x26
    case subrateInd = 0x27
    case channelReportingInd = 0x28
    case channelStatusInd = 0x29
    case periodicSyncWRInd = 0x2A
    case featureExtReq = 0x2B
    case featureExtRsp = 0x2C
    case csSecRsp = 0x2D
    case csCapabilitiesReq = 0x2E
    case csCapabilitiesRsp = 0x2F
    case csConfigReq = 0x30
    case csConfigRsp = 0x31
    case csReq = 0x32
    case csRsp = 0x33
    case csInd = 0x34
    case csTerminateReq = 0x35
    case csFAEReq = 0x36
    case csFAERsp = 0x37
    case csChannelMapInd = 0x38
    case csSecReq = 0x39
    case csTerminateRsp = 0x3A
    case frameSpaceReq = 0x3B
    case frameSpaceRsp = 0x3C
  }

  package enum Side: Int, Sendable {
    case central = 0
    case peripheral = 1
  }
}

// Which side sends a PDU, and which PDUs it answers. 5.1
extension LLControlPDU.Opcode {
  /// The only side that sends the PDU; nil if both do.
  package var sender: LLControlPDU.Side? {
    switch self {
    case .connectionUpdateInd, .channelMapInd, .encReq, .featureReq, .pauseEncReq, .phyUpdateInd,
      .cisReq, .cisInd, .subrateInd, .channelReportingInd, .csSecReq:
      .central
    case .encRsp, .startEncReq, .peripheralFeatureReq, .connectionParamRsp, .phyRsp,
      .minUsedChannelsInd, .cisRsp, .subrateReq, .channelStatusInd, .csSecRsp:
      .peripheral
    default: nil
    }
  }

  /// Whether both sides send the same PDU, one after the other.
  package var isEcho: Bool { self == .versionInd || self == .startEncRsp }

  /// Whether the other side answers the PDU. In procedures with three steps, the second step waits too.
  package var isAnswered: Bool {
    switch self {
    case .encReq, .startEncReq, .startEncRsp, .featureReq, .pauseEncReq, .versionInd,
      .peripheralFeatureReq, .connectionParamReq, .connectionParamRsp, .pingReq, .lengthReq,
      .phyReq, .phyRsp, .cteReq, .clockAccuracyReq, .cisReq, .cisRsp, .powerControlReq,
      .subrateReq, .featureExtReq, .csCapabilitiesReq, .csConfigReq, .csReq, .csRsp,
      .csTerminateReq, .csFAEReq, .csSecReq, .frameSpaceReq:
      true
    default: false
    }
  }

  /// Whether the PDU ends the wait for an answer to `asked`.
  /// - Parameter named: The opcode that LL_UNKNOWN_RSP or LL_REJECT_EXT_IND names.
  func answers(
    _ asked: LLControlPDU.Opcode, naming named: LLControlPDU.Opcode?
  ) -> Bool {
    switch (self, asked) {
    case (.unknownRsp, _), (.rejectExtInd, _): named == asked
    // Versions are never refused.
    case (.rejectInd, _): asked != .versionInd
    case (.connectionUpdateInd, .connectionParamReq), (.connectionUpdateInd, .connectionParamRsp),
      (.startEncRsp, .encReq), (.startEncRsp, .startEncReq), (.startEncRsp, .startEncRsp),
      (.featureRsp, .featureReq), (.featureRsp, .peripheralFeatureReq),
      (.pauseEncRsp, .pauseEncReq), (.versionInd, .versionInd),
      (.connectionParamRsp, .connectionParamReq), (.pingRsp, .pingReq), (.lengthRsp, .lengthReq),
      (.phyRsp, .phyReq), (.phyUpdateInd, .phyReq), (.phyUpdateInd, .phyRsp), (.cteRsp, .cteReq),
      (.clockAccuracyRsp, .clockAccuracyReq), (.cisRsp, .cisReq), (.cisInd, .cisRsp),
      (.powerControlRsp, .powerControlReq), (.subrateInd, .subrateReq),
      (.featureExtRsp, .featureExtReq), (.csSecRsp, .csSecReq),
      (.csCapabilitiesRsp, .csCapabilitiesReq), (.csConfigRsp, .csConfigReq), (.csRsp, .csReq),
      (.csInd, .csReq), (.csInd, .csRsp), (.csTerminateRsp, .csTerminateReq),
      (.csFAERsp, .csFAEReq), (.frameSpaceRsp, .frameSpaceReq):
      true
    default: false
    }
  }
}
