import HarkCore
import HarkCrypto

/// What each side has reported so far about an audio accessory's configuration.
struct ConfigurationMemory: Sendable {
  typealias Control = AccessoryControlDevice

  private var known: [MessageDirection: Control.Configuration] = [:]
  /// The last declared capabilities; nil if the capture does not show them.
  private var declared: Set<Control.Capability>?
  private var invalidated: PacketID?
  /// The members that the accessory set or cleared.
  private var statedByAccessory: Set<Control.Member> = []

  /// Completes a report with earlier values.
  /// - Parameters:
  ///   - packet: The packet that shows it, or after which the app's side reported it.
  ///   - isWhole: Whether a registration is complete; logs may contain less.
  mutating func take(
    _ report: inout Control.Report, by sender: MessageDirection, in packet: PacketID?,
    isWhole: Bool = true
  ) {
    report.sender = sender
    report.before = known[sender]
    let isRegistration: Bool
    switch report.event {
    case .failed(let error):
      if error == .invalidated { invalidated = packet }
      return
    case .register: isRegistration = true
    case .update: isRegistration = false
    }
    let change = report.change
    // A registration is complete.
    var configuration = isRegistration ? .init() : known[sender] ?? .init()
    report.remarks = configuration.apply(change)
    if isRegistration { invalidated = nil }
    if change.says(.deviceCapabilities) != nil || isRegistration && isWhole {
      declared = configuration.deviceCapabilities
    } else if isRegistration {
      declared = nil
    }
    known[sender] = configuration
    report.event = isRegistration ? .register(configuration) : .update(configuration)
    report.remarks += remarks(change, configuration)
    if sender == .accessoryToHost {
      statedByAccessory.formUnion(isRegistration ? Control.Member.allCases : change.members)
    } else {
      report.remarks += disagreements(change, configuration)
    }
  }

  private func remarks(
    _ change: Control.Change, _ configuration: Control.Configuration
  ) -> [Control.Remark] {
    var remarks: [Control.Remark] = []
    if let declared {
      for member in Control.Member.allCases where change.says(member) == true {
        guard let needed = member.capability, !declared.contains(needed) else { continue }
        remarks.append(.notDeclared(member, needed))
      }
    }
    if configuration.secondaryAudioSourceDeviceIdentifier != nil,
      configuration.primaryAudioSourceDeviceIdentifier == nil
    {
      remarks.append(.secondaryWithoutPrimary)
    }
    if let invalidated { remarks.append(.invalidated(invalidated)) }
    return remarks
  }

  private func disagreements(
    _ change: Control.Change, _ configuration: Control.Configuration
  ) -> [Control.Remark] {
    guard let accessory = known[.accessoryToHost] else { return [] }
    return change.members.filter { member in
      guard statedByAccessory.contains(member) else { return false }
      return switch member {
      case .deviceCapabilities:
        configuration.deviceCapabilities != accessory.deviceCapabilities
      case .devicePlacement: configuration.devicePlacement != accessory.devicePlacement
      case .primaryAudioSourceDeviceIdentifier:
        configuration.primaryAudioSourceDeviceIdentifier
          != accessory.primaryAudioSourceDeviceIdentifier
      case .secondaryAudioSourceDeviceIdentifier:
        configuration.secondaryAudioSourceDeviceIdentifier
          != accessory.secondaryAudioSourceDeviceIdentifier
      case .spatialExtensionDescription:
        configuration.spatialExtensionDescription != accessory.spatialExtensionDescription
      }
    }.map { .disagrees($0) }
  }
}

extension AccessoryControlDevice.Configuration {
  typealias Control = AccessoryControlDevice

  /// Takes a message's values; a value that Apple does not define is reported and counts as missing.
  fileprivate mutating func apply(_ change: Control.Change) -> [Control.Remark] {
    var remarks: [Control.Remark] = []
    switch change.deviceCapabilities {
    case .nothing: break
    case .cleared: deviceCapabilities = []
    case .value(let names):
      deviceCapabilities = Set(names.compactMap { Control.Capability(rawValue: $0) })
      remarks += names.filter { Control.Capability(rawValue: $0) == nil }
        .map { .unknownCapability($0) }
    }
    switch change.devicePlacement {
    case .nothing: break
    case .cleared: devicePlacement = nil
    case .value(let name):
      devicePlacement = Control.Placement(rawValue: name)
      if devicePlacement == nil { remarks.append(.unknownPlacement(name)) }
    }
    let sources: [(Control.Member, Control.Stated<[UInt8]>)] = [
      (.primaryAudioSourceDeviceIdentifier, change.primaryAudioSourceDeviceIdentifier),
      (.secondaryAudioSourceDeviceIdentifier, change.secondaryAudioSourceDeviceIdentifier),
    ]
    for (member, stated) in sources {
      if stated == .nothing { continue }
      if let count = stated.value?.count, count != 6 {
        remarks.append(.addressSize(member, count))
      }
      if member == .primaryAudioSourceDeviceIdentifier {
        primaryAudioSourceDeviceIdentifier = stated.value
      } else {
        secondaryAudioSourceDeviceIdentifier = stated.value
      }
    }
    if change.spatialExtensionDescription != .nothing {
      spatialExtensionDescription = change.spatialExtensionDescription.value
    }
    return remarks
  }
}
