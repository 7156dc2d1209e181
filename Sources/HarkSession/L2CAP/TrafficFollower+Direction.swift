import HarkCore
import HarkDissection

// Link type 187 does not record the direction of data. It is inferred if the data shows it, and otherwise stays
// unknown. Core Specification, Vol 4, Part E, 5.4.2.
extension TrafficFollower {
  /// Infers the direction of the ACL data packet `bytes`, whose record has none.
  mutating func inferDirection(
    _ bytes: RawSpan, _ facts: Facts, _ moment: inout PacketContext, _ tables: inout Tables
  ) {
    let direction =
      if let link = moment.link { direction(of: bytes, facts, link, moment, &tables) } else {
        // Controllers send their own logs with handles that belong to no link.
        facts.handle == Facts.noHandle && !facts.isMalformed ? Direction.controllerToHost : nil
      }
    if let direction {
      moment.direction = direction
      moment.isUndirected = false
      tables.record.row.flags.remove(.directionUnknown)
      tables.record.row.flags.insert(.directionInferred)
      tables.counts.directionUnknown -= 1
      tables.counts.directionInferred += 1
    } else {
      moment.direction = Self.likelyDirection(ACLBeginning(bytes).frame, bytes)
    }
    if moment.isFromPeer {
      tables.record.row.flags.insert(.received)
      // Its fields were read as if it had been sent.
      tables.record.isInTree = false
    }
  }

  private mutating func direction(
    of bytes: RawSpan, _ facts: Facts, _ link: LinkID, _ moment: PacketContext,
    _ tables: inout Tables
  ) -> Direction? {
    let data = ACLBeginning(bytes)
    let cid = data.frame.cid ?? 0
    var transport = tables.links[link].transport
    if transport == .unknown {
      transport = FixedChannel(rawValue: cid)?.isOfLE == true ? .le : .brEDR
    }
    switch data.boundary {
    case .firstNotFlushable:
      // First packet, not automatically flushable: "not allowed" from controller to host.
      tables.controllers.update(moment.controller) { $0.marksOwnData.insert(transport) }
      return .hostToController
    case .continuing: return direction(continuing: facts.payload.count, link, tables)
    case .firstFlushable, .complete:
      if let sender = Self.sender(cid, data.frame.code(bytes)), let role = tables.links[link].role {
        return sender == role ? .hostToController : .controllerToHost
      }
      let marksOwnData = tables.controllers[moment.controller].marksOwnData.contains(transport)
      if transport != .brEDR || !FixedChannel.isDynamic(cid) {
        return marksOwnData ? .controllerToHost : nil
      }
      return direction(ofChannel: cid, link, marksOwnData: marksOwnData, tables)
    }
  }

  /// A fragment belongs to the only open PDU that has room for it, or to the one that it completes.
  private func direction(continuing count: Int, _ link: LinkID, _ tables: borrowing Tables)
    -> Direction?
  {
    var (fitting, completed) = ([Int](), [Int]())
    for (stream, assembly) in tables.links[link].assembly.enumerated() where assembly.isOpen {
      if assembly.missing >= count { fitting.append(stream) }
      if assembly.missing == count { completed.append(stream) }
    }
    let streams = fitting.count == 1 ? fitting : completed
    return streams.count == 1 ? Direction(rawValue: UInt8(streams[0])) : nil
  }

  /// The CID is that of the receiver. If both sides chose the same number, frames that are not marked as the host's
  /// own were received, except for media, which hosts let their controllers flush.
  private func direction(
    ofChannel cid: UInt16, _ link: LinkID, marksOwnData: Bool, _ tables: borrowing Tables
  ) -> Direction? {
    let sent = tables.links.channel(on: link, Tables.key(cid, .hostToController))
    let received = tables.links.channel(on: link, Tables.key(cid, .controllerToHost))
    switch (sent, received) {
    case (.some, nil): return .hostToController
    case (nil, .some): return .controllerToHost
    case (let sent?, .some):
      let isMedia = FixedPSM(rawValue: tables.channels[Int(sent.index)].psm) == .avdtp
      return marksOwnData && !isMedia ? .controllerToHost : nil
    case (nil, nil): return nil
    }
  }

  /// The only side that may send a PDU. Vol 3, Part H, 2.4.6 and 3.5.1; Part A, 4.20 and 4.21.
  private static func sender(_ cid: UInt16, _ code: UInt8) -> Link.Role? {
    switch FixedChannel(rawValue: cid) {
    case .securityManager:
      switch SMPMessage.Code(rawValue: code) {
      case .pairingRequest: .central
      case .pairingResponse, .securityRequest: .peripheral
      default: nil
      }
    case .leSignaling:
      switch SignalingCommand.Code(rawValue: code) {
      case .connectionParameterUpdateRequest: .peripheral
      case .connectionParameterUpdateResponse: .central
      default: nil
      }
    default: nil
    }
  }

  /// Reads an L2CAP frame of unknown direction as if the host were the client, so that responses find their requests.
  /// Vol 3, Part F, 3.3; Part A, 4.
  /// - Parameter frame: Its header, read from `bytes`.
  static func likelyDirection(_ frame: L2CAPBeginning, _ bytes: RawSpan) -> Direction {
    let code = frame.code(bytes)
    let isReceived =
      switch frame.cid.flatMap({ FixedChannel(rawValue: $0) }) {
      case .attributeProtocol: ATTOpcode.isOfServer(code)
      case .signaling, .leSignaling: SignalingCommand.Code.isResponse(code)
      case .securityManager, .securityManagerOfBREDR, nil: false
      }
    return isReceived ? .controllerToHost : .hostToController
  }
}
