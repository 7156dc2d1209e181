import HarkCore
import Testing

@testable import HarkDissection

/// What values of LE Audio say as messages. Bytes by hand from the sections named.
@Suite struct LEAudioValueTests {
  private func value(
    _ type: AttributeType, _ opcode: ATTOpcode, _ text: String
  ) -> LEAudioValue {
    LEAudioValue(hex(text).raw, of: type, in: opcode)
  }

  /// ASCS 1.0.1, 4.1, table 4.3: LC3, 48 kHz, 10 ms, Front Left, 120 octets
  @Test func codecConfigured() throws {
    let text =
      "03 01 00 02 0d 64 00 40 9c 00 40 9c 00 40 9c 00 40 9c 00 06 00 00 00 00 "
      + "10 02 01 08 02 02 01 05 03 01 00 00 00 03 04 78 00"
    guard case .endpoint(let endpoint, isSink: true) = value(.sinkASE, .readResponse, text) else {
      Issue.record("no endpoint")
      return
    }
    #expect(endpoint.id == 3 && endpoint.state == .codecConfigured)
    let codec = try #require(endpoint.codec)
    #expect(codec.format == 6 && codec.samplingFrequencies == [8])
    #expect(codec.frameDurations == [1])
    #expect(codec.locations == 1 && codec.octets == 120...120)
    #expect(endpoint.quality == nil && endpoint.contexts == nil)
  }

  /// 4.1: what a list makes malformed leaves what is in front of it.
  @Test func codecConfiguredWithALongStructure() throws {
    let text =
      "03 01 00 02 0d 64 00 40 9c 00 40 9c 00 40 9c 00 40 9c 00 06 00 00 00 00 "
      + "05 02 01 08 09 02"
    guard case .endpoint(let endpoint, isSink: false) = value(.sourceASE, .readResponse, text)
    else {
      Issue.record("no endpoint")
      return
    }
    #expect(endpoint.codec?.samplingFrequencies == [8])
    #expect(endpoint.codec?.frameDurations == [])
  }

  /// 4.1, tables 4.4 and 4.5
  @Test func laterStates() {
    guard
      case .endpoint(let configured, _) = value(
        .sinkASE, .handleValueNotification, "01 02 07 01 10 27 00 01 02 78 00 05 14 00 40 9c 00"),
      case .endpoint(let streaming, _) = value(
        .sinkASE, .handleValueNotification, "01 04 07 01 04 03 02 04 00"),
      case .other = value(.sinkASE, .handleValueNotification, "01 02 07 01 10"),
      case .other = value(.sinkASE, .handleValueNotification, "01 09")
    else {
      Issue.record("another message")
      return
    }
    #expect(
      configured.quality
        == .init(
          cig: 7, cis: 1, interval: 10_000, isFramed: true, phy: 2, maxSDU: 120,
          retransmissions: 5, latency: 20, presentationDelay: 40_000))
    #expect(streaming.state == .streaming && streaming.contexts == 4)
  }

  /// 5.3 and 5, table 5.1.2
  @Test func endpointOperations() {
    guard
      case .endpointOperation(opcode: 3, let operations) = value(
        .aseControlPoint, .writeCommand, "03 02 01 04 03 02 04 00 02 00"),
      case .endpointResult(opcode: 3, let responses) = value(
        .aseControlPoint, .handleValueNotification, "03 02 01 00 00 02 0b 02"),
      case .other = value(.aseControlPoint, .writeRequest, "03 02 01 00")
    else {
      Issue.record("another message")
      return
    }
    #expect(operations.map(\.endpoint) == [1, 2] && operations.map(\.contexts) == [4, nil])
    #expect(responses.map(\.isSuccess) == [true, false] && responses[1].reason == 2)
    #expect(LEAudioValue.EndpointResponse.isAboutMetadata(responses[1].code))
  }

  /// PACS 1.0.1, 3.1; Assigned Numbers, 6.12.4
  @Test func capabilities() {
    guard
      case .capabilities(let codecs, isSink: true) = value(
        .sinkPAC, .readResponse,
        "02 06 00 00 00 00 0d 03 01 84 00 02 02 12 05 04 1a 00 9b 00 04 03 01 06 00 "
          + "ff 0a 00 01 00 02 aa bb 00")
    else {
      Issue.record("no capabilities")
      return
    }
    #expect(codecs.map(\.samplingFrequencies) == [[3, 8], []])
    #expect(codecs[0].frameDurations == [1] && codecs[0].octets == 26...155)
    #expect(codecs[1].company == 10 && codecs[1].vendorCodec == 1)
  }

  /// BASS 1.0.1, 3.1.1.4, 3.1.1.6, 3.2
  @Test func broadcasts() {
    let receiveState = value(
      .broadcastReceiveState, .handleValueNotification,
      "01 00 06 05 04 03 02 01 02 56 34 12 02 02 01 03 00 00 00 00")
    guard
      case .broadcastOperation(opcode: 2, source: nil, broadcast: 0x12_3456) = value(
        .broadcastAudioScanControlPoint, .writeRequest,
        "02 00 06 05 04 03 02 01 02 56 34 12 01 ff ff 00"),
      case .broadcastOperation(opcode: 5, source: 1, broadcast: nil) = value(
        .broadcastAudioScanControlPoint, .writeRequest, "05 01"),
      case .receiveState(let state) = receiveState
    else {
      Issue.record("another message")
      return
    }
    #expect(state.source == 1 && state.broadcast == 0x12_3456 && state.streams == [3])
    #expect(LEAudioValue.Synchronization(rawValue: state.synchronization) == .synchronized)
    #expect(LEAudioValue.Encryption(rawValue: state.encryption) == .decrypting)
  }

  /// VCS 1.0, 3.1, 3.2.2.5; MICS 1.0, 3.1
  @Test func volume() {
    guard case .volume(setting: 128, mute: 1) = value(.volumeState, .readResponse, "80 01 05"),
      case .volumeOperation(opcode: 4, setting: 100) = value(
        .volumeControlPoint, .writeRequest, "04 05 64"),
      case .volumeOperation(opcode: 6, setting: nil) = value(
        .volumeControlPoint, .writeRequest, "06 05"),
      case .microphone(mute: 2) = value(.mute, .readResponse, "02"),
      case .other = value(.volumeState, .readResponse, "80")
    else {
      Issue.record("another message")
      return
    }
  }

  /// MCS 1.0.1, 3.5, 3.17, 3.18
  @Test func media() {
    guard case .trackTitle(0..<4) = value(.trackTitle, .readResponse, "68 61 72 6b"),
      case .mediaState(1) = value(.mediaState, .handleValueNotification, "01"),
      case .mediaOperation(opcode: 0x10) = value(
        .mediaControlPoint, .writeCommand, "10 e8 03 00 00"),
      case .mediaResult(opcode: 1, result: 4) = value(
        .mediaControlPoint, .handleValueNotification, "01 04")
    else {
      Issue.record("another message")
      return
    }
  }

  /// TBS 1.0, 3.11 to 3.15
  @Test func calls() {
    guard
      case .calls(let calls) = value(
        .callState, .handleValueNotification, "01 03 01 02 00 00 03"),
      case .callOperation(opcode: 5, calls: [1, 2]) = value(
        .callControlPoint, .writeRequest, "05 01 02"),
      case .originateCall(opcode: 4, uri: 1..<6) = value(
        .callControlPoint, .writeRequest, "04 74 65 6c 3a 31"),
      case .callResult(opcode: 0, call: 1, result: 4) = value(
        .callControlPoint, .handleValueNotification, "00 01 04"),
      case .callEnded(call: 1, reason: 2) = value(
        .terminationReason, .handleValueNotification, "01 02"),
      case .incomingCall(call: 1, uri: 1..<6) = value(
        .incomingCall, .handleValueNotification, "01 74 65 6c 3a 31")
    else {
      Issue.record("another message")
      return
    }
    #expect(
      calls == [.init(index: 1, state: 3, flags: 1), .init(index: 2, state: 0, flags: 0)])
  }

  /// CSIS 1.0.1, 5.1; Core Specification, Vol 3, Part C, 12.6.1
  @Test func keys() {
    let key = String(repeating: "5a", count: 16)
    guard
      case .setIdentityResolvingKey(1..<17, isEncrypted: false) = value(
        .setIdentityResolvingKey, .readResponse, "01" + key),
      case .keyMaterial(0..<16) = value(
        .encryptedDataKeyMaterial, .readResponse, key + "0102030405060708"),
      case .other = value(.encryptedDataKeyMaterial, .readResponse, "5a"),
      case .other = value(.deviceName, .readResponse, "68 61 72 6b")
    else {
      Issue.record("another message")
      return
    }
  }
}
