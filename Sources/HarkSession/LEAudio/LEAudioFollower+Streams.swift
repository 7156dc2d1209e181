import HarkCore
import HarkDissection

// Streams of LE Audio: the endpoints of the Audio Stream Control Service and their states.
extension LEAudioFollower {
  /// The value of an endpoint's characteristic.
  mutating func endpoint(
    _ value: LEAudioValue.Endpoint, isSink: Bool, _ key: LEAudioState.Key, isRead: Bool,
    _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let earlier = states[link]?.endpoints[key]
    let endpoint = AudioStreamEndpoint(value, isSink: isSink, after: earlier)
    let isKnown = earlier?.id == endpoint.id
    if isRead, isKnown, earlier == endpoint { return false }
    if states[link]?.endpoints.count ?? 0 < LEAudioState.most || isKnown {
      states[link, default: LEAudioState()].endpoints[key] = endpoint
    }
    let from = isKnown ? earlier?.state : nil
    // What is read was so for a while: the states before it need not be in the capture.
    let isForeseen = isRead || from.map(endpoint.mayFollow) ?? true
    tables.emit(
      .leAudio(
        .endpoint(
          .init(
            endpoint: endpoint, from: from, isForeseen: isForeseen, isLocal: key.isLocal))), moment,
      severity: isForeseen ? .info : .warning)
    return true
  }

  /// How the control point answers an operation.
  func answered(
    _ opcode: UInt8, _ responses: [LEAudioValue.EndpointResponse], isLocal: Bool,
    _ moment: PacketContext, _ tables: inout Tables
  ) {
    for response in responses where !response.isSuccess {
      tables.emit(
        .leAudio(
          .refused(
            .init(
              opcode: opcode, endpoint: response.endpoint, response: response.code,
              reason: response.reason, isLocal: isLocal))), moment, severity: .warning)
    }
    let accepted = responses.filter(\.isSuccess).map(\.endpoint)
    if !accepted.isEmpty {
      tables.emit(
        .leAudio(.accepted(.init(opcode: opcode, endpoints: accepted, isLocal: isLocal))), moment)
    }
  }

  /// The link is gone, and with it every stream that was not released.
  mutating func end(
    _ link: LinkID, _ ending: Ending, _ moment: PacketContext, _ tables: inout Tables
  ) {
    guard let state = states.removeValue(forKey: link), ending == .closed else { return }
    for (key, endpoint) in state.endpoints.sorted(by: { $0.value.id < $1.value.id }) {
      switch endpoint.state {
      case .enabling, .streaming, .disabling:
        tables.emit(.leAudio(.streamEnded(.init(endpoint: endpoint, isLocal: key.isLocal))), moment)
      default: break
      }
    }
  }
}
