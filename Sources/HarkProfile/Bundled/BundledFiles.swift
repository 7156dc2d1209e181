import HarkCore
import HarkCrypto
import HarkLayout
import HarkSession
import Synchronization

/// The profiles and layouts that come with hark, by their path in `dissectors`.
public struct BundledFiles: LayoutFiles {
  /// What is known about a profile without loading it.
  struct Head: Sendable {
    let path: String
    let name: String
    let service: String
    /// The key of each channel, and its value.
    let channels: [(String, String)]
    /// What its messages begin and end with, if that is whole values.
    let sentinels: [(String, String)]
  }

  public init() {}

  public static var paths: [String] { texts.keys.sorted() }

  public func text(at path: String) -> String? { Self.texts[path] }

  public func bytes(at path: String) -> [UInt8]? {
    Self.texts[path].map { Array($0.utf8) } ?? Self.binaries[path].flatMap { Hex.bytes($0) }
  }
}

/// A framing that comes with hark. Its profile is loaded when a capture has a message for it:
/// reading all of them takes as long as everything else that hark does before the first packet.
final class BundledFraming: VendorFraming {
  let name: String
  let service: BluetoothUUID?
  let channels: [VendorChannel]
  let sentinels: [Sentinels]
  private let path: String
  private let loaded = Mutex<ProfileFraming?>(nil)

  init(_ head: BundledFiles.Head) {
    (path, name) = (head.path, head.name)
    service = BluetoothUUID(head.service)
    channels = head.channels.compactMap { Self.channel($0, $1) }
    sentinels = head.sentinels.map {
      Sentinels(framing: head.name, start: Array($0.utf8), end: Array($1.utf8))
    }
  }

  private static func channel(_ key: String, _ value: String) -> VendorChannel? {
    switch key {
    case "gatt-characteristic": BluetoothUUID(value).map { .characteristic($0) }
    case "rfcomm-service": BluetoothUUID(value).map { .service($0) }
    case "l2cap-psm": UInt16(written: value).map { .psm($0) }
    case "gatt-handle": UInt16(written: value).map { .handle($0) }
    case "cid": UInt16(written: value).map { .cid($0) }
    case "rfcomm-channel":
      UInt16(written: value).map { .serverChannel(UInt8(truncatingIfNeeded: $0)) }
    case "advertising-company": UInt16(written: value).map { .manufacturerData($0) }
    case "advertising-service-data": BluetoothUUID(value).map { .serviceData($0) }
    case "hci-vendor-event":
      UInt16(written: value).map { .vendorEvent(UInt8(truncatingIfNeeded: $0)) }
    case "hci-vendor-command": UInt16(written: value).map { .vendorCommand($0) }
    case "tcp-port": UInt16(written: value).map { .tcpPort($0) }
    case "service": .networkService(value)
    default: .externalAccessory(value)
    }
  }

  private var framing: ProfileFraming? {
    loaded.withLock { loaded in
      if loaded == nil {
        loaded = (try? Profile.load(path, from: BundledFiles())).map { ProfileFraming($0) }
      }
      return loaded
    }
  }

  var statedTexts: Set<String> { framing?.statedTexts ?? [] }

  func carriesKeys(_ channel: VendorChannel) -> Bool { framing?.carriesKeys(channel) ?? false }

  func makeAssembler() -> any VendorAssembler {
    guard let framing else { preconditionFailure("\(path) is not a profile") }
    return framing.makeAssembler()
  }

  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    framing?.decode(plaintext: plaintext, direction: direction) ?? DecodedPlaintext()
  }

  func values(plaintext: [UInt8], direction: MessageDirection) -> [MessageValue] {
    framing?.values(plaintext: plaintext, direction: direction) ?? []
  }
}

extension Profile {
  /// What a profile's file is called.
  public static let fileName = "profile.yaml"

  /// Those that come with hark. That all of them load is tested.
  public static var bundled: [Profile] {
    BundledFiles.heads.compactMap { try? Profile.load($0.path, from: BundledFiles()) }
  }
}

extension VendorFramings {
  /// All that hark knows by itself.
  public static let known = VendorFramings(
    builtIn.all + BundledFiles.heads.map { BundledFraming($0) })

  /// The same and those of a user's `profiles`, which take the channels they name.
  public static func known(with profiles: [Profile]) -> VendorFramings {
    profiles.isEmpty ? known : VendorFramings(known.all + profiles.map(\.framing))
  }
}
