import HarkCore
import HarkCrypto

extension AccessoryControlDevice {
  /// The members of a configuration.
  public enum Member: String, Hashable, Sendable, CaseIterable {
    case deviceCapabilities
    case devicePlacement
    case primaryAudioSourceDeviceIdentifier
    case secondaryAudioSourceDeviceIdentifier
    case spatialExtensionDescription

    /// The capability without which a change of it is meaningless; nil if Apple requires none.
    public var capability: Capability? {
      switch self {
      case .devicePlacement: .placement
      case .primaryAudioSourceDeviceIdentifier, .secondaryAudioSourceDeviceIdentifier:
        .audioSwitching
      case .deviceCapabilities, .spatialExtensionDescription: nil
      }
    }
  }

  /// The value of a member in a message.
  public enum Stated<Value: Hashable & Sendable>: Hashable, Sendable {
    case nothing
    /// The message clears the member.
    case cleared
    case value(Value)

    public var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  /// The order of an address's octets in a vendor's message.
  public enum AddressOrder: String, Hashable, Sendable, CaseIterable {
    /// As addresses are written.
    case bigEndian = "big-endian"
    /// As HCI sends them.
    case littleEndian = "little-endian"
  }

  /// A configuration in a message, unchanged: including names that Apple does not define, and
  /// addresses of any length.
  public struct Change: Hashable, Sendable {
    public var deviceCapabilities = Stated<[String]>.nothing
    public var devicePlacement = Stated<String>.nothing
    /// The most significant octet first, whatever the order in the message.
    public var primaryAudioSourceDeviceIdentifier = Stated<[UInt8]>.nothing
    public var secondaryAudioSourceDeviceIdentifier = Stated<[UInt8]>.nothing
    public var spatialExtensionDescription = Stated<String>.nothing
    /// The order in the message.
    public var addressOrder: AddressOrder?

    public init() {}

    /// The members that it contains.
    public var members: [Member] { Member.allCases.filter { says($0) != nil } }

    /// Whether it sets the member, false if it clears it; nil if it does not contain it.
    public func says(_ member: Member) -> Bool? {
      func known<Value>(_ stated: Stated<Value>) -> Bool? {
        switch stated {
        case .nothing: nil
        case .cleared: false
        case .value: true
        }
      }
      return switch member {
      case .deviceCapabilities: known(deviceCapabilities)
      case .devicePlacement: known(devicePlacement)
      case .primaryAudioSourceDeviceIdentifier: known(primaryAudioSourceDeviceIdentifier)
      case .secondaryAudioSourceDeviceIdentifier: known(secondaryAudioSourceDeviceIdentifier)
      case .spatialExtensionDescription: known(spatialExtensionDescription)
      }
    }
  }

  /// An oddity of a configuration. It is a fact about the message; rules judge it.
  public enum Remark: Hashable, Sendable {
    /// The member is present, but the capability that it needs was not declared.
    case notDeclared(Member, Capability)
    case secondaryWithoutPrimary
    /// An address of this many octets instead of 6.
    case addressSize(Member, Int)
    /// No device of the capture has the address; one has it with its octets in the other order.
    case reversed(Member, BluetoothAddress)
    case unknownPlacement(String)
    case unknownCapability(String)
    /// The registration was invalidated in this packet, and not renewed.
    case invalidated(PacketID)
    /// The phone reports a different value from the accessory's last one.
    case disagrees(Member)
  }

  /// A vendor's message about the accessory's configuration, with its meaning.
  public struct Report: Hashable, Sendable {
    /// Includes the sender's current configuration, from all its messages so far.
    public var event: Event
    public var change: Change
    /// The sender. The channel sets this and the members that follow.
    public internal(set) var sender: MessageDirection?
    /// The sender's previous values; nil if there are none.
    public internal(set) var before: Configuration?
    public internal(set) var remarks: [Remark] = []

    public init(_ event: Event, _ change: Change = Change()) {
      (self.event, self.change) = (event, change)
    }

    /// Nil for a failure.
    public var configuration: Configuration? {
      switch event {
      case .register(let configuration), .update(let configuration): configuration
      case .failed: nil
      }
    }
  }
}

extension AccessoryControlDevice.Change {
  /// The audio sources that are present.
  var sources: [(AccessoryControlDevice.Member, [UInt8])] {
    let all: [(AccessoryControlDevice.Member, [UInt8]?)] = [
      (.primaryAudioSourceDeviceIdentifier, primaryAudioSourceDeviceIdentifier.value),
      (.secondaryAudioSourceDeviceIdentifier, secondaryAudioSourceDeviceIdentifier.value),
    ]
    return all.compactMap { member, octets in octets.map { (member, $0) } }
  }
}
