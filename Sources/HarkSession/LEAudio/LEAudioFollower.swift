import HarkCore
import HarkCrypto
import HarkDissection

/// LE Audio: values that change what is heard are told in its words.
struct LEAudioFollower {
  var states: [LinkID: LEAudioState] = [:]

  /// Characteristics by which servers answer what was written, also before they confirm the write.
  static func answersLEAudio(_ uuid: BluetoothUUID?) -> Bool {
    switch uuid?.short {
    case 0x2BC4, 0x2BC5, 0x2BC6, 0x2BC8, 0x2B7D, 0x2BA3, 0x2BA4, 0x2BBD, 0x2BBE, 0x2BC0: true
    default: false
    }
  }

  /// Tells of a value in the words of LE Audio.
  /// - Returns: Whether there was something to tell: what is not new stays a value like others.
  mutating func take(
    _ opcode: ATTPDU.Opcode, _ handle: UInt16, _ value: RawSpan, isLocal: Bool,
    uuid: BluetoothUUID?,
    _ moment: PacketContext, _ tables: inout Tables
  ) -> Bool {
    guard let short = uuid?.short, 0x2B7D...0x2BF8 ~= short, let link = moment.link else {
      return false
    }
    // Of a key only its fingerprint is shown, and of a part of one not even that.
    let isSecret = Tables.holdsKeys(uuid)
    guard moment.cut == 0 else { return isSecret }
    let isWrite = opcode.isWrite
    let bytes = value.array
    let key = LEAudioState.Key(handle: handle, isLocal: isLocal)
    switch short {
    case 0x2BC4, 0x2BC5:
      return endpoint(
        bytes, isSink: short == 0x2BC4, key, isRead: opcode == .readResponse, link, moment, &tables)
    case 0x2BC6: return endpointOperation(bytes, isWrite: isWrite, moment, &tables)
    default: break
    }
    guard let event = Self.event(short, bytes, isWrite: isWrite) else { return isSecret }
    if !isWrite, !isSecret, !isNew(bytes, key, of: event, link) { return false }
    tables.emit(.leAudio(event), moment, severity: event.isFailure ? .warning : .info)
    return true
  }

  /// Results are always new; states are where they differ.
  private mutating func isNew(
    _ bytes: [UInt8], _ key: LEAudioState.Key, of event: LEAudioEvent, _ link: LinkID
  ) -> Bool {
    switch event {
    case .mediaResult, .callResult, .callEnded, .incomingCall: return true
    default: break
    }
    if states[link]?.values[key] == bytes { return false }
    if states[link]?.values.count ?? 0 < LEAudioState.most {
      states[link, default: LEAudioState()].values[key] = bytes
    }
    return true
  }

  private static func event(
    _ type: UInt16, _ bytes: [UInt8], isWrite: Bool
  ) -> LEAudioEvent? {
    var reader = ValueReader(bytes)
    switch type {
    case 0x2BC9, 0x2BCB: return capabilities(&reader, isSink: type == 0x2BC9)
    case 0x2BC7: return isWrite ? broadcastOperation(&reader) : nil
    case 0x2BC8: return broadcastSource(&reader)
    case 0x2B84:
      guard let kind = reader.u8(), var sirk = reader.take(16) else { return nil }
      return .setKey(.init(key: Fingerprint(Secret(taking: &sirk)), isEncrypted: kind == 0))
    case 0x2B88, 0x2BF7, 0x2BF8:
      guard var key = reader.take(16) else { return nil }
      return .keyMaterial(
        .init(type: BluetoothUUID(type), key: Fingerprint(Secret(taking: &key))))
    case 0x2B7D, 0x2B7E, 0x2BC3: return volume(type, &reader, isWrite: isWrite)
    case 0x2B97, 0x2BA3, 0x2BA4: return media(type, &reader, isWrite: isWrite)
    case 0x2BBD...0x2BC1: return call(type, &reader, isWrite: isWrite)
    default: return nil
    }
  }

  // MARK: PACS 1.0.1, 3.1

  private static func capabilities(
    _ reader: inout ValueReader, isSink: Bool
  ) -> LEAudioEvent? {
    guard let count = reader.u8() else { return nil }
    var codecs: [LEAudioCodec] = []
    for _ in 0..<count {
      guard var codec = LEAudioCodec(&reader), let list = reader.counted(),
        reader.counted() != nil
      else { return nil }
      codec.limit(list)
      codecs.append(codec)
    }
    return .capabilities(.init(codecs: codecs, isSink: isSink))
  }

  // MARK: BASS 1.0.1, 3

  private static func broadcastOperation(_ reader: inout ValueReader) -> LEAudioEvent? {
    guard let opcode = reader.u8() else { return nil }
    switch opcode {
    case 2:
      // Advertiser_Address_Type, Advertiser_Address, Advertising_SID.
      guard reader.take(8) != nil, let broadcast = reader.number(3) else { return nil }
      return .broadcastOperation(.init(opcode: opcode, source: nil, broadcast: broadcast))
    case 3, 4, 5:
      return .broadcastOperation(.init(opcode: opcode, source: reader.u8(), broadcast: nil))
    default: return .broadcastOperation(.init(opcode: opcode, source: nil, broadcast: nil))
    }
  }

  private static func broadcastSource(_ reader: inout ValueReader) -> LEAudioEvent? {
    guard let id = reader.u8(), reader.take(8) != nil, let broadcast = reader.number(3),
      let synchronization = reader.u8(), let encryption = reader.u8()
    else { return nil }
    if encryption == 3, reader.take(16) == nil { return nil }
    guard let count = reader.u8() else { return nil }
    var streams: [UInt32] = []
    for _ in 0..<count {
      guard let state = reader.number(4), reader.counted() != nil else { return nil }
      streams.append(state)
    }
    return .broadcastSource(
      .init(
        id: id, broadcast: broadcast, synchronization: synchronization, encryption: encryption,
        streams: streams))
  }
}

extension LEAudioEvent {
  /// Whether something that was asked for is not done.
  var isFailure: Bool {
    switch self {
    case .refused: true
    case .mediaResult(let it): it.result != 1
    case .callResult(let it): it.result != 0
    case .broadcastSource(let source):
      source.synchronization == 3 || source.synchronization == 4 || source.encryption == 3
    default: false
    }
  }
}
