import HarkCore

/// Apple's AudioAccessoryKit (iOS 26.4 and later): what an audio accessory reported about itself to the phone. It is
/// never sent in this form; logs, journals, AAP and the vendor's own frames contain it.
public enum AccessoryControlDevice {
  public enum Placement: String, Hashable, Sendable, CaseIterable {
    case inEar
    case onHead
    case overTheEar
    case offHead
  }

  /// A set rather than bits: Apple does not publish the bits.
  public enum Capability: String, Hashable, Sendable, CaseIterable {
    case audioSwitching
    case placement
    /// iOS 27.
    case audioSpatialization
    /// iOS 27.
    case headTracking
  }

  public struct Configuration: Hashable, Sendable {
    public var deviceCapabilities: Set<Capability>
    /// Meaningful only with the placement capability.
    public var devicePlacement: Placement?
    /// A Bluetooth address, 6 bytes in an order that Apple does not state. A single source is this one; nil without
    /// audioSwitching.
    public var primaryAudioSourceDeviceIdentifier: [UInt8]?
    public var secondaryAudioSourceDeviceIdentifier: [UInt8]?
    /// iOS 27.
    public var spatialExtensionDescription: String?

    public init(
      deviceCapabilities: Set<Capability> = [], devicePlacement: Placement? = nil,
      primaryAudioSourceDeviceIdentifier: [UInt8]? = nil,
      secondaryAudioSourceDeviceIdentifier: [UInt8]? = nil,
      spatialExtensionDescription: String? = nil
    ) {
      self.deviceCapabilities = deviceCapabilities
      self.devicePlacement = devicePlacement
      self.primaryAudioSourceDeviceIdentifier = primaryAudioSourceDeviceIdentifier
      self.secondaryAudioSourceDeviceIdentifier = secondaryAudioSourceDeviceIdentifier
      self.spatialExtensionDescription = spatialExtensionDescription
    }
  }

  public enum Error: String, Hashable, Sendable, CaseIterable {
    case accessoryNotCapable
    case invalidRequest
    case invalidated
    case unknown
  }

  /// A call and its result.
  public enum Event: Hashable, Sendable {
    case register(Configuration)
    case update(Configuration)
    case failed(Error)
  }
}

extension AccessoryControlDevice.Configuration: CustomStringConvertible {
  /// The members that are set. The order of a set differs from run to run; this order does not.
  public var description: String {
    let members = [
      "[\(capabilityNames.joined(separator: ", "))]", devicePlacement?.rawValue,
      primaryAudioSourceDeviceIdentifier.map { "primary \(Hex.text($0))" },
      secondaryAudioSourceDeviceIdentifier.map { "secondary \(Hex.text($0))" },
      spatialExtensionDescription,
    ]
    return members.compactMap { $0 }.joined(separator: ", ")
  }
}
