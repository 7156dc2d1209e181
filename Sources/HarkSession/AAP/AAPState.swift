import HarkCore
import HarkDissection

/// What both sides of an AAP channel have sent so far.
struct AAPState: Sendable {
  struct Asked: Sendable {
    let packet: PacketID
    let time: Timestamp
  }

  struct Setting: Sendable {
    var asked: (value: UInt8, at: Asked)?
    var reported: UInt8?
  }

  /// The direction of the host's messages, once a message shows which side is the host.
  var hostDirection: Direction?
  /// A connection that was requested and not yet answered.
  var connecting: Asked?
  var batteries: [UInt8: AAPEvent.Battery] = [:]
  /// By the identifier of the control command: there are 256 at most.
  var settings: [UInt8: Setting] = [:]
  var ears: (primary: UInt8, secondary: UInt8)?
  var source: (host: BluetoothAddress, type: UInt8)?
  var hosts: [AAPEvent.Host] = []
  /// The hosts that Connection State names as source and secondary.
  var named: [UInt8: BluetoothAddress] = [:]
  var configuration: AccessoryControlDevice.Configuration?
  /// Since when the accessory has named an audio source that is not connected.
  var stale: (host: BluetoothAddress, since: Asked)?
  var isStaleReported = false
  var conversation: UInt8?
  var customMessages: [UInt32: Event.Frames] = [:]

  /// The most that is kept of anything that a message may list in any number.
  static let most = 8
  /// How long an accessory may take to clear an audio source, in nanoseconds: the messages of one
  /// change come within a few milliseconds.
  static let waitLimit: Int64 = 2_000_000_000

  /// The meaning of the accessory's messages in the terms of AudioAccessoryKit.
  func configured() -> AccessoryControlDevice.Configuration {
    var configuration = AccessoryControlDevice.Configuration()
    if let placement {
      configuration.deviceCapabilities.insert(.placement)
      configuration.devicePlacement = placement
    }
    guard source != nil || !hosts.isEmpty || !named.isEmpty else { return configuration }
    configuration.deviceCapabilities.insert(.audioSwitching)
    let primary = primarySource
    configuration.primaryAudioSourceDeviceIdentifier = primary.map(\.octets)
    if primary != nil {
      configuration.secondaryAudioSourceDeviceIdentifier = secondarySource(primary).map(\.octets)
    }
    return configuration
  }

  /// In use while one of two buds is in use; nil if a position that hark does not know may be in use. Accessories with
  /// one battery for both sides are worn over the ears.
  private var placement: AccessoryControlDevice.Placement? {
    let inEar = AAPMessage.EarPosition.inEar.rawValue
    guard let ears else { return nil }
    guard ears.primary == inEar || ears.secondary == inEar else {
      let areKnown = [ears.primary, ears.secondary].allSatisfy {
        AAPMessage.EarPosition(rawValue: $0) != nil
      }
      return areKnown ? .offHead : nil
    }
    let both = batteries[AAPMessage.Component.headphones.rawValue]
    return both.map { $0.level != AAPMessage.absentLevel } ?? false ? .overTheEar : .inEar
  }

  private var primarySource: BluetoothAddress? {
    if let source {
      return source.type == AAPMessage.SourceType.noSource.rawValue ? nil : source.host
    }
    return named[AAPMessage.ConnectionType.source.rawValue]
  }

  private func secondarySource(_ primary: BluetoothAddress?) -> BluetoothAddress? {
    let types: [AAPMessage.ConnectionType] = [.secondary, .source]
    let connected = AAPMessage.LinkState.connected.rawValue
    return types.compactMap { named[$0.rawValue] }.first { $0 != primary }
      ?? hosts.first { $0.link == connected && $0.address != primary }?.address
  }

  /// Whether the accessory says that its audio source is not connected.
  var staleSource: BluetoothAddress? {
    guard let source, source.type != AAPMessage.SourceType.noSource.rawValue else { return nil }
    let host = hosts.first { $0.address == source.host }
    return host?.link == AAPMessage.LinkState.notConnected.rawValue ? source.host : nil
  }
}
