import HarkCore
import HarkCrypto
import HarkDissection

/// What the Apple Accessory Protocol tells. An accessory's ears, hosts and audio source are told as
/// AudioAccessoryKit would have them.
public enum AAPEvent: Sendable {
  case connect(major: UInt16, minor: UInt16)
  /// With the time since the host asked, in nanoseconds, where that was seen.
  case connected(major: UInt16, minor: UInt16, latency: Int64?)
  case connectFailed(status: UInt16)
  /// The accessory never answered. Nothing else works before it does.
  case connectUnanswered
  case disconnected(status: UInt16)
  /// The protocol of a channel whose beginning is not in the capture, by the shape of its messages.
  case recognized(cid: UInt16)
  /// The components whose battery changed.
  case battery([Battery])
  /// The batteries in proximity pairing advertising, which is encrypted.
  case advertisedBattery(ProximityPlaintext)
  case accessoryControl(AccessoryControlDevice.Event, Cause)
  /// The accessory goes on naming an audio source that it says is not connected.
  case audioSourceNotCleared(BluetoothAddress)
  case setting(Setting)
  case smartRouting(peer: BluetoothAddress, isRelayed: Bool, OPACKValue?)
  case information(name: String, model: String, firmware: String)
  case renamed(String)
  case notificationsRequested(mask: [UInt8])
  case featuresRequested(UInt64)
  case featuresAcknowledged
  /// After this the host may set equalizers.
  case hostCapabilities(mask: [UInt8])
  /// Whether the headphone accommodation's equalizer is for calls, and for media.
  case accommodation(phone: UInt8, media: UInt8)
  /// A custom equalizer, whose form is not known, of so many bytes.
  case equalizer(size: Int)
  /// The bits of the keys the host wants.
  case keysRequested(UInt16)
  case stemPress(press: UInt8, bud: UInt8)
  case conversation(level: UInt8)
  /// How many messages of one client there were.
  case customMessages(client: UInt32, count: Int)

  public struct Battery: Equatable, Sendable {
    public let component: UInt8
    /// In percent; 255 where the component is absent.
    public let level: UInt8
    public let status: UInt8
  }

  /// What the accessory said that changes its configuration.
  public enum Cause: Equatable, Sendable {
    case ears(primary: UInt8, secondary: UInt8)
    case audioSource(BluetoothAddress, type: UInt8)
    case connection(BluetoothAddress, state: UInt8, type: UInt8)
    case hosts([Host])
  }

  public struct Host: Equatable, Sendable {
    public let address: BluetoothAddress
    public internal(set) var link: UInt8
  }

  /// A control command.
  public struct Setting: Sendable {
    public enum Step: Sendable {
      /// The host sets it.
      case set
      /// The accessory has done so, so many nanoseconds later.
      case confirmed(latency: Int64)
      /// The accessory answers with another value than the host set.
      case overruled(asked: UInt8)
      /// The accessory tells it by itself; before, it was another.
      case reported(before: UInt8?)
    }

    public let identifier: UInt8
    public let value: UInt8
    public let step: Step
  }
}
