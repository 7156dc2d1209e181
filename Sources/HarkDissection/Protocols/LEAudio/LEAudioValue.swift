import HarkCore

/// The value of a characteristic of LE Audio, or of another one with a key, as far as somebody follows it. A
/// control point is written with an operation, and notifies its result.
package enum LEAudioValue: Message {
  // ASCS 1.0.1, 4 and 5
  case endpoint(Endpoint, isSink: Bool)
  case endpointOperation(opcode: UInt8, [EndpointOperation])
  case endpointResult(opcode: UInt8, [EndpointResponse])

  // PACS 1.0.1, 3.1 and 3.3
  case capabilities([LEAudioCodec], isSink: Bool)

  // BASS 1.0.1, 3
  case broadcastOperation(opcode: UInt8, source: UInt8?, broadcast: UInt32?)
  case receiveState(ReceiveState)
  /// A Broadcast Receive State without a source.
  case noReceiveState

  // VCS 1.0, 3; MICS 1.0, 3
  case volume(setting: UInt8, mute: UInt8)
  case volumeOperation(opcode: UInt8, setting: UInt8?)
  case microphone(mute: UInt8)

  // MCS 1.0.1, 3
  /// Where the title is, in UTF-8.
  case trackTitle(Range<Int>)
  case mediaState(UInt8)
  case mediaOperation(opcode: UInt8)
  case mediaResult(opcode: UInt8, result: UInt8)

  // TBS 1.0, 3
  case calls([Call])
  /// Where the URI is, in UTF-8.
  case incomingCall(call: UInt8, uri: Range<Int>)
  case callOperation(opcode: UInt8, calls: [UInt8])
  case originateCall(opcode: UInt8, uri: Range<Int>)
  case callResult(opcode: UInt8, call: UInt8, result: UInt8)
  case callEnded(call: UInt8, reason: UInt8)

  // CSIS 1.0.1, 5.1; Core Specification, Vol 3, Part C, 12.6
  /// Where the key is.
  case setIdentityResolvingKey(Range<Int>, isEncrypted: Bool)
  /// Where the Session Key is.
  case keyMaterial(Range<Int>)

  /// It has no follower, or too little of it is present.
  case other

  package init() { self = .other }

  /// - Parameter opcode: Of the PDU that the value passed in.
  package init(_ value: RawSpan, of type: AttributeType, in opcode: ATTOpcode) {
    let uuid = BluetoothUUID(type)
    self =
      switch type {
      case .sinkASE, .sourceASE, .aseControlPoint: ASCS.message(value, of: uuid, in: opcode)
      case .sinkPAC, .sourcePAC: PACS.message(value, of: uuid, in: opcode)
      case .broadcastAudioScanControlPoint, .broadcastReceiveState:
        BASS.message(value, of: uuid, in: opcode)
      case .volumeState, .volumeControlPoint, .mute:
        VolumeControl.message(value, of: uuid, in: opcode)
      case .trackTitle, .mediaState, .mediaControlPoint: MCS.message(value, of: uuid, in: opcode)
      case .callState, .callControlPoint, .terminationReason, .incomingCall:
        TBS.message(value, of: uuid, in: opcode)
      case .setIdentityResolvingKey: CSIS.message(value, of: uuid, in: opcode)
      case .encryptedDataKeyMaterial, .apSyncKeyMaterial, .eslResponseKeyMaterial:
        value.byteCount < Self.sessionKeySize ? .other : .keyMaterial(0..<Self.sessionKeySize)
      default: .other
      }
  }

  /// In octets. Core Specification, Vol 3, Part C, 12.6.1
  private static let sessionKeySize = 16
}

extension LEAudioValue {
  /// ASCS 1.0.1, 4.1, table 4.1.
  package enum State: UInt8, Sendable {
    case idle, codecConfigured, qosConfigured, enabling, streaming, disabling, releasing
  }

  /// An audio stream endpoint (ASE), as its characteristic says that it is. ASCS 1.0.1, 4.1
  package struct Endpoint: Sendable {
    package let id: UInt8
    package let state: State
    /// In the state Codec Configured.
    package internal(set) var codec: LEAudioCodec?
    /// In the state QoS Configured.
    package internal(set) var quality: Quality?
    /// The Streaming_Audio_Contexts of its metadata, in the states that have any.
    package internal(set) var contexts: UInt16?
  }

  /// What is asked of one endpoint. ASCS 1.0.1, 5.1 to 5.8
  package struct EndpointOperation: Equatable, Sendable {
    package let endpoint: UInt8
    package internal(set) var codec: LEAudioCodec?
    package internal(set) var quality: Quality?
    package internal(set) var contexts: UInt16?
  }

  /// 0 as the endpoint answers the operation as a whole. ASCS 1.0.1, 5
  package struct EndpointResponse: Equatable, Sendable {
    package let endpoint: UInt8
    package let code: UInt8
    package let reason: UInt8

    package var isSuccess: Bool { code == 0 }

    /// Whether a response with that code is about metadata, whose type the Reason then is.
    package static func isAboutMetadata(_ code: UInt8) -> Bool { 0x0A...0x0C ~= code }
  }

  /// What a stream is to keep to. ASCS 1.0.1, 5.2.
  package struct Quality: Equatable, Sendable {
    package let cig: UInt8
    package let cis: UInt8
    /// µs.
    package let interval: UInt32
    package let isFramed: Bool
    /// Bits: LE 1M, LE 2M, LE Coded.
    package let phy: UInt8
    package let maxSDU: UInt16
    package let retransmissions: UInt8
    /// ms.
    package let latency: UInt16
    /// µs.
    package let presentationDelay: UInt32
  }

  /// A broadcast that a device listens to. BASS 1.0.1, 3.2
  package struct ReceiveState: Sendable {
    package let source: UInt8
    package let broadcast: UInt32
    package let synchronization: UInt8
    package let encryption: UInt8
    /// The BIS_Sync_State of each subgroup.
    package internal(set) var streams: [UInt32] = []
  }

  /// TBS 1.0, 3.11
  package struct Call: Equatable, Sendable {
    package let index: UInt8
    package let state: UInt8
    package let flags: UInt8
  }

  /// PA_Sync_State. BASS 1.0.1, 3.2
  package enum Synchronization: UInt8, Sendable {
    case notSynchronized, syncInfoRequest, synchronized, failed, noPAST
  }

  /// BIG_Encryption. BASS 1.0.1, 3.2
  package enum Encryption: UInt8, Sendable {
    case notEncrypted, broadcastCodeRequired, decrypting, badCode
  }

  /// The Result Codes by which control points say that something was done. MCS 1.0.1, 3.18.2; TBS 1.0, 3.12.2
  package static let mediaSuccess: UInt8 = 1
  package static let callSuccess: UInt8 = 0
}
