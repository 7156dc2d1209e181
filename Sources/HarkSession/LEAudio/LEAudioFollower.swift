import HarkCore
import HarkCrypto
import HarkDissection

/// LE Audio: values that change what is received are described in its terms.
struct LEAudioFollower {
  var states: [LinkID: LEAudioState] = [:]

  /// Describes a value in terms of LE Audio.
  /// - Returns: Whether there was something to report: unchanged values stay values like others.
  mutating func take(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ value: RawSpan, isLocal: Bool,
    uuid: BluetoothUUID?,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    guard let type = uuid.flatMap({ AttributeType($0) }), let link = moment.link else {
      return false
    }
    // Only the fingerprint of a key is shown, and nothing of a partial key.
    let isSecret = type.holdsKeys
    guard moment.cut == 0 else { return isSecret }
    let isWrite = opcode.isWrite
    let key = LEAudioState.Key(handle: handle, isLocal: isLocal)
    let content = LEAudioValue(value, of: type, in: opcode)
    switch content {
    case .endpoint(let it, let isSink):
      return endpoint(
        it, isSink: isSink, key, isRead: opcode == .readResponse, link, moment, &tables)
    case .endpointResult(let opcode, let responses):
      answered(opcode, responses, isLocal: isLocal, moment, &tables)
      return true
    case .receiveState(let state):
      // A Broadcast_Code is left out: it is a key.
      let fields = state.fields
      if states[link]?.values[key] == fields { return true }
      note(fields, key, link)
    case .noReceiveState:
      noSource(key, link, moment, &tables)
      return true
    default: break
    }
    guard let event = LEAudioEvent(content, value, type, isLocal: isLocal) else { return isSecret }
    if !isWrite, !isSecret, !isNew(value, key, of: event, link) { return false }
    tables.emit(.leAudio(event), moment, severity: event.isFailure ? .warning : .info)
    return true
  }

  /// A Broadcast Receive State is empty: there is no source, or it was removed. BASS 1.0.1, 3.2
  private mutating func noSource(
    _ key: LEAudioState.Key, _ link: LinkID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let before = states[link]?.values[key]
    guard before?.isEmpty != true else { return }
    note([], key, link)
    tables.emit(
      .leAudio(.noBroadcastSource(.init(removed: before?.first, isLocal: key.isLocal))), moment)
  }

  /// Notes a value, or, where it may hold a key, the part of it that distinguishes it.
  private mutating func note(_ value: [UInt8], _ key: LEAudioState.Key, _ link: LinkID) {
    let known = states[link]?.values
    guard known?[key] != nil || known?.count ?? 0 < LEAudioState.most else { return }
    states[link, default: LEAudioState()].values[key] = value
  }

  /// Results are always new; states are new if they differ.
  private mutating func isNew(
    _ value: RawSpan, _ key: LEAudioState.Key, of event: LEAudioEvent, _ link: LinkID
  ) -> Bool {
    switch event {
    case .mediaResult, .callResult, .callEnded, .incomingCall: return true
    default: break
    }
    let bytes = value.array
    if states[link]?.values[key] == bytes { return false }
    note(bytes, key, link)
    return true
  }
}

extension LEAudioValue.ReceiveState {
  /// What distinguishes two states: the source, and what the event reports.
  fileprivate var fields: [UInt8] {
    let numbers = [broadcast] + streams
    return [source, synchronization, encryption]
      + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
  }
}

extension LEAudioEvent {
  /// Nil if the value does not have an event of its own.
  /// - Parameter value: The bytes from which `content` was read.
  fileprivate init?(
    _ content: LEAudioValue, _ value: RawSpan, _ type: AttributeType, isLocal: Bool
  ) {
    switch content {
    case .endpointOperation(let opcode, let operations):
      self = .operation(.init(opcode: opcode, operations: operations, isLocal: isLocal))
    case .capabilities(let codecs, let isSink):
      self = .capabilities(.init(codecs: codecs, isSink: isSink, isLocal: isLocal))
    case .broadcastOperation(let opcode, let source, let broadcast):
      self = .broadcastOperation(
        .init(opcode: opcode, source: source, broadcast: broadcast, isLocal: isLocal))
    case .receiveState(let state):
      self = .broadcastSource(
        .init(
          id: state.source, broadcast: state.broadcast, synchronization: state.synchronization,
          encryption: state.encryption, streams: state.streams, isLocal: isLocal))
    case .volume(let setting, let mute):
      self = .volume(.init(setting: setting, mute: mute, isLocal: isLocal))
    case .volumeOperation(let opcode, let setting):
      self = .volumeOperation(.init(opcode: opcode, setting: setting, isLocal: isLocal))
    case .microphone(let mute): self = .microphone(.init(mute: mute, isLocal: isLocal))
    case .setIdentityResolvingKey(let place, let isEncrypted):
      self = .setKey(
        .init(key: Self.fingerprint(value, place), isEncrypted: isEncrypted, isLocal: isLocal))
    case .keyMaterial(let place):
      self = .keyMaterial(
        .init(type: BluetoothUUID(type), key: Self.fingerprint(value, place), isLocal: isLocal))
    case .endpoint, .endpointResult, .noReceiveState, .other: return nil
    default:
      guard let event = Self.media(content, value, isLocal) ?? Self.call(content, value, isLocal)
      else { return nil }
      self = event
    }
  }

  private static func media(
    _ content: LEAudioValue, _ value: RawSpan, _ isLocal: Bool
  ) -> LEAudioEvent? {
    switch content {
    case .trackTitle(let title): .trackTitle(.init(title: value.utf8(title), isLocal: isLocal))
    case .mediaState(let state): .mediaState(.init(state: state, isLocal: isLocal))
    case .mediaOperation(let opcode): .mediaOperation(.init(opcode: opcode, isLocal: isLocal))
    case .mediaResult(let opcode, let result):
      .mediaResult(.init(opcode: opcode, result: result, isLocal: isLocal))
    default: nil
    }
  }

  private static func call(
    _ content: LEAudioValue, _ value: RawSpan, _ isLocal: Bool
  ) -> LEAudioEvent? {
    switch content {
    case .calls(let calls): .calls(.init(all: calls, isLocal: isLocal))
    case .incomingCall(let call, let uri):
      .incomingCall(.init(call: call, uri: value.utf8(uri), isLocal: isLocal))
    case .callOperation(let opcode, let calls):
      .callOperation(.init(opcode: opcode, calls: calls, uri: nil, isLocal: isLocal))
    case .originateCall(let opcode, let uri):
      .callOperation(.init(opcode: opcode, calls: [], uri: value.utf8(uri), isLocal: isLocal))
    case .callResult(let opcode, let call, let result):
      .callResult(.init(opcode: opcode, call: call, result: result, isLocal: isLocal))
    case .callEnded(let call, let reason):
      .callEnded(.init(call: call, reason: reason, isLocal: isLocal))
    default: nil
    }
  }

  private static func fingerprint(_ value: RawSpan, _ place: Range<Int>) -> Fingerprint {
    var key = value.array(place)
    return Fingerprint(Secret(taking: &key))
  }

  /// Whether a request was not carried out.
  fileprivate var isFailure: Bool {
    switch self {
    case .refused: return true
    case .mediaResult(let it): return it.result != LEAudioValue.mediaSuccess
    case .callResult(let it): return it.result != LEAudioValue.callSuccess
    case .broadcastSource(let source):
      switch LEAudioValue.Synchronization(rawValue: source.synchronization) {
      case .failed, .noPAST: return true
      default:
        return LEAudioValue.Encryption(rawValue: source.encryption) == .badCode
          || source.hasFailedStreams
      }
    default: return false
    }
  }
}
