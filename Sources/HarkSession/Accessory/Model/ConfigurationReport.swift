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

    /// Without which a change of it means nothing; nil where Apple asks for none.
    public var capability: Capability? {
      switch self {
      case .devicePlacement: .placement
      case .primaryAudioSourceDeviceIdentifier, .secondaryAudioSourceDeviceIdentifier:
        .audioSwitching
      case .deviceCapabilities, .spatialExtensionDescription: nil
      }
    }
  }

  /// What a message says of a member.
  public enum Said<Value: Hashable & Sendable>: Hashable, Sendable {
    case nothing
    /// That there is none.
    case cleared
    case value(Value)

    public var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  /// In which order a vendor's message has the octets of an address.
  public enum AddressOrder: String, Hashable, Sendable, CaseIterable {
    /// As addresses are written.
    case bigEndian = "big-endian"
    /// As HCI sends them.
    case littleEndian = "little-endian"
  }

  /// What a message says of a configuration, as it spells it: names that are none of Apple's and
  /// addresses of any length included.
  public struct Change: Hashable, Sendable {
    public var deviceCapabilities = Said<[String]>.nothing
    public var devicePlacement = Said<String>.nothing
    /// The most significant octet first, whatever the message's order is.
    public var primaryAudioSourceDeviceIdentifier = Said<[UInt8]>.nothing
    public var secondaryAudioSourceDeviceIdentifier = Said<[UInt8]>.nothing
    public var spatialExtensionDescription = Said<String>.nothing
    /// Of the message.
    public var addressOrder: AddressOrder?

    public init() {}

    /// The members of which it says something.
    public var members: [Member] { Member.allCases.filter { says($0) != nil } }

    /// Whether it says that the member is there; nil where it says nothing.
    public func says(_ member: Member) -> Bool? {
      func known<Value>(_ said: Said<Value>) -> Bool? {
        switch said {
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

  /// What is odd about a configuration. A fact of the message; it is for others to judge it.
  public enum Remark: Hashable, Sendable {
    /// The member is given, and the capability it needs was not declared.
    case notDeclared(Member, Capability)
    case secondaryWithoutPrimary
    /// An address of so many octets, not 6.
    case addressSize(Member, Int)
    /// The address is no device's of the capture; with its octets in the other order it is.
    case reversed(Member, BluetoothAddress)
    case unknownPlacement(String)
    case unknownCapability(String)
    /// The registration was invalidated, in this packet, and not made anew.
    case invalidated(PacketID)
    /// The phone says another value than the accessory last did.
    case disagrees(Member)
  }

  /// A message of a vendor about the accessory's configuration, with what it amounts to.
  public struct Report: Hashable, Sendable {
    /// With the configuration as its sender has it now, by all it said so far.
    public var event: Event
    public var change: Change
    /// Who says it. The channel sets this and what follows.
    public internal(set) var sender: MessageDirection?
    /// What the sender had before; nil where it said nothing yet.
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
  /// The audio sources that are given.
  var sources: [(AccessoryControlDevice.Member, [UInt8])] {
    let all: [(AccessoryControlDevice.Member, [UInt8]?)] = [
      (.primaryAudioSourceDeviceIdentifier, primaryAudioSourceDeviceIdentifier.value),
      (.secondaryAudioSourceDeviceIdentifier, secondaryAudioSourceDeviceIdentifier.value),
    ]
    return all.compactMap { member, octets in octets.map { (member, $0) } }
  }
}
