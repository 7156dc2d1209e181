import HarkDissection

/// A command of L2CAP signaling. Core Specification, Vol 3, Part A, 4
struct SignalingCommand: Equatable, Sendable {
  var code: UInt8 = 0
  var identifier: UInt8 = 0
  var psm: UInt16 = 0
  var scids: [UInt16] = []
  var dcids: [UInt16] = []
  var result: UInt16?
  /// Of Command Reject.
  var reason: UInt16?
  var credits: UInt16 = 0
  var mtu: UInt16 = 0
  var mps: UInt16 = 0
  var cid: UInt16 = 0
  var mode: UInt8?
  var fcs: UInt8?
  var maxWindow: UInt16?
  var limits: Channel.Limits.Side {
    Channel.Limits.Side(mtu: mtu, mps: mps, credits: credits)
  }
  var parameters = Parameters()

  /// Of a Connection Parameter Update Request. 4.20
  struct Parameters: Equatable, Sendable {
    var minimum: UInt16 = 0
    var maximum: UInt16 = 0
    var latency: UInt16 = 0
    var timeout: UInt16 = 0
  }

  /// Commands name no more channels. 4.25
  private static let mostChannels = 5

  mutating func note(_ node: Tree.Node, _ paths: borrowing Paths.Signal) {
    let value = UInt16(truncatingIfNeeded: node.value)
    switch node.field {
    case paths.identifier: identifier = UInt8(truncatingIfNeeded: value)
    case paths.psm, paths.spsm: psm = value
    case paths.scid: if scids.count < Self.mostChannels { scids.append(value) }
    case paths.dcid: if dcids.count < Self.mostChannels { dcids.append(value) }
    case paths.intervalMin: parameters.minimum = value
    case paths.intervalMax: parameters.maximum = value
    case paths.latency: parameters.latency = value
    case paths.timeout: parameters.timeout = value
    case paths.credits: credits = value
    case paths.mtu: mtu = value
    case paths.mps: mps = value
    case paths.cid: cid = value
    case paths.mode: mode = UInt8(truncatingIfNeeded: value)
    case paths.fcs: fcs = UInt8(truncatingIfNeeded: value)
    case paths.maxWindow: maxWindow = value
    case paths.reason: reason = value
    case _ where paths.results.contains(node.field): result = value
    default: break
    }
  }
}
