import HarkCore

// Streams of LE Audio: the endpoints of the Audio Stream Control Service and their states.
extension LEAudioFollower {
  /// The value of an endpoint's characteristic.
  mutating func endpoint(
    _ bytes: [UInt8], isSink: Bool, _ key: LEAudioState.Key, isRead: Bool, _ link: LinkID,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    let earlier = states[link]?.endpoints[key]
    guard let endpoint = AudioStreamEndpoint(bytes, isSink: isSink, after: earlier) else {
      return false
    }
    let isKnown = earlier?.id == endpoint.id
    if isRead, isKnown, earlier == endpoint { return false }
    if states[link]?.endpoints.count ?? 0 < LEAudioState.most || isKnown {
      states[link, default: LEAudioState()].endpoints[key] = endpoint
    }
    let from = isKnown ? earlier?.state : nil
    // What is read was so for a while: the states before it need not be in the capture.
    let isForeseen = isRead || from.map(endpoint.mayFollow) ?? true
    tables.emit(
      .leAudio(.endpoint(.init(endpoint: endpoint, from: from, isForeseen: isForeseen))), moment,
      severity: isForeseen ? .info : .warning)
    return true
  }

  /// The control point: an operation, or its response.
  mutating func endpointOperation(
    _ bytes: [UInt8], isWrite: Bool, _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    var reader = ValueReader(bytes)
    guard let opcode = reader.u8(), let count = reader.u8() else { return false }
    if isWrite {
      var operations: [LEAudioEvent.EndpointOperation.Operation] = []
      for _ in 0..<count {
        guard let operation = Self.operation(opcode, &reader) else { return false }
        operations.append(operation)
      }
      tables.emit(.leAudio(.operation(.init(opcode: opcode, operations: operations))), moment)
      return true
    }
    var accepted: [UInt8] = []
    while let id = reader.u8(), let response = reader.u8(), let reason = reader.u8() {
      guard response != 0 else {
        accepted.append(id)
        continue
      }
      tables.emit(
        .leAudio(
          .refused(
            .init(opcode: opcode, endpoint: id, response: response, reason: reason))), moment,
        severity: .warning)
    }
    if !accepted.isEmpty {
      tables.emit(.leAudio(.accepted(.init(opcode: opcode, endpoints: accepted))), moment)
    }
    return true
  }

  /// ASCS 1.0.1, 5.1 to 5.8.
  private static func operation(
    _ opcode: UInt8, _ reader: inout ValueReader
  ) -> LEAudioEvent.EndpointOperation.Operation? {
    guard let id = reader.u8() else { return nil }
    var operation = LEAudioEvent.EndpointOperation.Operation(endpoint: id)
    switch opcode {
    case 1:
      guard reader.take(2) != nil, var codec = LEAudioCodec(&reader),
        let list = reader.counted()
      else { return nil }
      codec.configure(list)
      operation.codec = codec
    case 2:
      guard let quality = AudioStreamEndpoint.Quality(&reader) else { return nil }
      operation.quality = quality
    case 3, 7:
      guard let metadata = reader.counted() else { return nil }
      operation.contexts = AudioStreamEndpoint.contexts(metadata)
    default: break
    }
    return operation
  }

  /// The link is gone, and with it every stream that was not released.
  mutating func end(_ link: LinkID, _ moment: PacketContext, _ tables: inout Tables) {
    guard let state = states.removeValue(forKey: link) else { return }
    for endpoint in state.endpoints.values.sorted(by: { $0.id < $1.id }) {
      switch endpoint.state {
      case .enabling, .streaming, .disabling:
        tables.emit(.leAudio(.streamEnded(.init(endpoint: endpoint))), moment)
      default: break
      }
    }
  }
}
