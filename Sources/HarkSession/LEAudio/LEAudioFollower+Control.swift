import HarkCore

// Volume, media and calls of LE Audio. A control point is written with an operation, and notifies
// its result.
extension LEAudioFollower {
  /// VCS 1.0, 3; MICS 1.0, 3.
  static func volume(
    _ type: UInt16, _ reader: inout ValueReader, isWrite: Bool
  ) -> LEAudioEvent? {
    guard let first = reader.u8() else { return nil }
    switch type {
    case 0x2B7D:
      guard let mute = reader.u8() else { return nil }
      return .volume(.init(setting: first, mute: mute))
    case 0x2B7E:
      // The Change_Counter comes in between.
      guard reader.u8() != nil else { return nil }
      return .volumeOperation(.init(opcode: first, setting: first == 4 ? reader.u8() : nil))
    default: return .microphone(.init(mute: first))
    }
  }

  /// MCS 1.0.1, 3.
  static func media(
    _ type: UInt16, _ reader: inout ValueReader, isWrite: Bool
  ) -> LEAudioEvent? {
    if type == 0x2B97 { return .trackTitle(.init(title: reader.text())) }
    guard let first = reader.u8() else { return nil }
    if type == 0x2BA3 { return .mediaState(.init(state: first)) }
    if isWrite { return .mediaOperation(.init(opcode: first)) }
    return reader.u8().map { .mediaResult(.init(opcode: first, result: $0)) }
  }

  /// TBS 1.0, 3.
  static func call(
    _ type: UInt16, _ reader: inout ValueReader, isWrite: Bool
  ) -> LEAudioEvent? {
    if type == 0x2BBD {
      var calls: [LEAudioEvent.Calls.Call] = []
      while let index = reader.u8(), let state = reader.u8(), let flags = reader.u8() {
        calls.append(.init(index: index, state: state, flags: flags))
      }
      return .calls(.init(all: calls))
    }
    guard let first = reader.u8() else { return nil }
    switch type {
    case 0x2BBE where isWrite && first == 4:
      return .callOperation(.init(opcode: first, calls: [], uri: reader.text()))
    case 0x2BBE where isWrite:
      return .callOperation(
        .init(opcode: first, calls: reader.take(reader.remaining) ?? [], uri: nil))
    case 0x2BBE:
      guard let call = reader.u8(), let result = reader.u8() else { return nil }
      return .callResult(.init(opcode: first, call: call, result: result))
    case 0x2BC0: return reader.u8().map { .callEnded(.init(call: first, reason: $0)) }
    case 0x2BC1: return .incomingCall(.init(call: first, uri: reader.text()))
    default: return nil
    }
  }
}
