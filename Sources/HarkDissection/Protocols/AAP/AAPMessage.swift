import HarkCore

/// A PDU of AAP: a handshake, or a message. What it is read by, `AAP` cites.
package struct AAPMessage: Message {
  package enum Opcode: UInt16, Sendable {
    case readCapabilities = 0x01
    case capabilities = 0x02
    case battery = 0x04
    case getEarDetection = 0x05
    case earDetection = 0x06
    case roleState = 0x08
    case controlCommand = 0x09
    case connectionState = 0x0C
    case audioSource = 0x0E
    case requestNotifications = 0x0F
    case smartRouting = 0x10
    case smartRoutingRelayed = 0x11
    case sendConnectedMAC = 0x14
    case customMessage = 0x17
    case stemPress = 0x19
    case rename = 0x1A
    case deviceInformation = 0x1D
    /// As other sources have it.
    case renameDevice = 0x1E
    case hostCapabilities = 0x29
    case featureFlagsAcknowledged = 0x2B
    case connectedDevices = 0x2E
    case proximityKeysRequest = 0x30
    case proximityKeys = 0x31
    case sensorSubscription = 0x44
    case conversationalAwareness = 0x4B
    case setFeatureFlags = 0x4D
    case headphoneAccommodation = 0x53
    case customEqualizer = 0x63
  }

  /// What the PDU says, as far as somebody follows it. Ranges are those of its bytes.
  package enum Content: Sendable {
    case connect(Version)
    case connectResponse(status: UInt16, Version)
    case disconnect(status: UInt16)
    case battery([Battery])
    case earDetection(primary: UInt8, secondary: UInt8)
    /// Of the values of a setting the first.
    case controlCommand(identifier: UInt8, value: UInt8)
    case connectionState(host: BluetoothAddress, state: UInt8, type: UInt8)
    case audioSource(host: BluetoothAddress, type: UInt8)
    case connectedDevices([Host])
    case requestNotifications(Range<Int>)
    case smartRouting(SmartRouting)
    case customMessage(client: UInt32)
    case stemPress(press: UInt8, bud: UInt8)
    case rename(name: Range<Int>)
    case deviceInformation(Information)
    case hostCapabilities(Range<Int>)
    case featureFlagsAcknowledged
    case proximityKeysRequest(keys: UInt16)
    case proximityKeys([Key])
    case conversationalAwareness(level: UInt8)
    case setFeatureFlags(UInt64)
    case headphoneAccommodation(phone: UInt8, media: UInt8)
    /// In bytes.
    case customEqualizer(size: Int)
    case other
  }

  // What values mean, as far as somebody follows them. `AAP`'s fields name the others.
  package enum Component: UInt8, Sendable {
    case headphones = 0x01
    case right = 0x02
    case left = 0x04
    case box = 0x08
  }

  package enum EarPosition: UInt8, Sendable {
    case inEar, outOfEar, inCase, disconnected
  }

  package enum SourceType: UInt8, Sendable {
    case noSource, call, media
  }

  package enum LinkState: UInt8, Sendable {
    case notConnected, connecting, connected
  }

  /// What a connected host is to the accessory.
  package enum ConnectionType: UInt8, Sendable {
    case source = 1
    case secondary = 2
  }

  /// The Connection State of a host that is connected.
  package static let connected: UInt8 = 1
  /// The level of a component that is not there.
  package static let absentLevel: UInt8 = 0xFF

  package struct Version: Sendable {
    package let major: UInt16
    package let minor: UInt16
  }

  package struct Battery: Sendable {
    package let component: UInt8
    /// In percent.
    package let level: UInt8
    package let status: UInt8
  }

  package struct Host: Sendable {
    package let address: BluetoothAddress
    package let link: UInt8
  }

  package struct SmartRouting: Sendable {
    package let peer: BluetoothAddress
    /// Whether the accessory passes it on.
    package let isRelayed: Bool
    /// Where the OPACK object is; empty if there is none.
    package let object: Range<Int>
  }

  package struct Information: Sendable {
    package internal(set) var name = 0..<0
    package internal(set) var model = 0..<0
    package internal(set) var firmware = 0..<0
  }

  package enum KeyType: UInt8, Sendable {
    case identityResolvingKey = 1
    case encryptionKey = 4
  }

  package struct Key: Sendable {
    /// Nil if its meaning is unknown.
    package let type: KeyType?
    package let range: Range<Int>
  }

  /// Nil for handshakes, and for messages of unknown meaning.
  package internal(set) var opcode: Opcode?
  package internal(set) var content = Content.other
  /// Whether all of the PDU could be read.
  package internal(set) var isWhole = false
  /// Why not, if it is the message itself that ends early, and not an object in it that has no meaning.
  package internal(set) var failure: Malformed?

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    var context = Context()
    context.isTruncated = isCut
    isWhole = PDU.reading(bytes, out: Summary(), context) { pdu in
      // What was read before an error stays.
      do throws(Malformed) { try AAP.read(&pdu, &self) } catch { failure = error }
      return failure == nil && !pdu.facts.isMalformed
    }
  }

  /// What the PDU lacks of the fields that its type begins with, or of a length or a count that it states itself; nil if
  /// it lacks nothing, or if that is unknown: content without a known meaning is no mistake.
  package var lack: Malformed? {
    // Which layout they have is in dispute.
    guard opcode != .rename, opcode != .renameDevice, case .truncated = failure?.reason else {
      return nil
    }
    return failure
  }

  /// Whether the host sends the PDU, and not the accessory; nil if both may.
  package var isFromHost: Bool? {
    switch content {
    case .connect: return true
    case .connectResponse: return false
    default: break
    }
    switch opcode {
    case .readCapabilities, .getEarDetection, .requestNotifications, .smartRouting, .rename,
      .renameDevice, .hostCapabilities, .proximityKeysRequest, .sensorSubscription,
      .setFeatureFlags:
      return true
    case .capabilities, .battery, .earDetection, .roleState, .connectionState, .audioSource,
      .smartRoutingRelayed, .stemPress, .deviceInformation, .featureFlagsAcknowledged,
      .connectedDevices, .proximityKeys, .conversationalAwareness:
      return false
    case .controlCommand, .sendConnectedMAC, .customMessage, .headphoneAccommodation,
      .customEqualizer, nil:
      return nil
    }
  }
}
