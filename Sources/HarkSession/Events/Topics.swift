/// The topics of captures. A rule judges only if one of its topics occurs: nothing can be said about what is not in a
/// capture.
public struct Topics: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let links = Topics(rawValue: 1 << 0)
  /// Connections received over the air: in other captures, link encryption hides nothing.
  package static let air = Topics(rawValue: 1 << 1)
  package static let pairing = Topics(rawValue: 1 << 2)
  /// Dynamic L2CAP channels, and what RFCOMM carries.
  package static let channels = Topics(rawValue: 1 << 3)
  package static let attributes = Topics(rawValue: 1 << 4)
  /// The Apple Notification Center Service, or a search for it.
  package static let notificationCenter = Topics(rawValue: 1 << 5)
  package static let keyExchange = Topics(rawValue: 1 << 6)
  package static let accessoryMessages = Topics(rawValue: 1 << 7)
  package static let sealedMessages = Topics(rawValue: 1 << 8)
  /// Sealed messages that a key decrypts.
  package static let openedMessages = Topics(rawValue: 1 << 9)
  package static let notifications = Topics(rawValue: 1 << 10)
  package static let sessions = Topics(rawValue: 1 << 11)
  /// Of audio accessories, in the terms of AudioAccessoryKit.
  package static let configuration = Topics(rawValue: 1 << 12)
  package static let networkSharing = Topics(rawValue: 1 << 13)
  package static let externalAccessory = Topics(rawValue: 1 << 14)
  /// The Apple Accessory Protocol of headphones.
  package static let accessoryProtocol = Topics(rawValue: 1 << 15)
  /// Of A2DP.
  package static let media = Topics(rawValue: 1 << 16)
  package static let isochronous = Topics(rawValue: 1 << 17)
  /// Of LE Audio.
  package static let endpoints = Topics(rawValue: 1 << 18)
  package static let calls = Topics(rawValue: 1 << 19)
  package static let logs = Topics(rawValue: 1 << 20)
  package static let declaration = Topics(rawValue: 1 << 21)
  /// Advertising that only holders of its key can read.
  package static let encryptedAdvertising = Topics(rawValue: 1 << 22)
  package static let periodicAdvertising = Topics(rawValue: 1 << 23)
  /// Of Bluetooth Mesh.
  package static let mesh = Topics(rawValue: 1 << 24)
  /// APNs payloads.
  package static let internetMessages = Topics(rawValue: 1 << 25)

  /// Their names for people, in the order in which they are listed.
  private static let names: [(topic: Topics, name: String)] = [
    (.links, "links"), (.air, "over-the-air connections"), (.pairing, "pairing"),
    (.channels, "L2CAP channels"), (.attributes, "attributes"),
    (.notificationCenter, "ANCS traffic"), (.keyExchange, "key exchange"),
    (.accessoryMessages, "accessory messages"), (.sealedMessages, "encrypted messages"),
    (.openedMessages, "encrypted messages that a key decrypts"), (.notifications, "notifications"),
    (.sessions, "transport sessions"),
    (.configuration, "configurations of audio accessories"),
    (.networkSharing, "Wi-Fi sharing"), (.externalAccessory, "iAP2 traffic"),
    (.accessoryProtocol, "Apple Accessory Protocol traffic"), (.media, "A2DP streams"),
    (.isochronous, "isochronous streams"), (.endpoints, "LE Audio endpoints"),
    (.calls, "Hands-Free calls"), (.logs, "logs of the app's side (--app-log)"),
    (.declaration, "declarations of an app (--app-info)"),
    (.encryptedAdvertising, "encrypted advertising"),
    (.periodicAdvertising, "periodic advertising"), (.mesh, "Bluetooth Mesh traffic"),
    (.internetMessages, "messages over the internet (--apns)"),
  ]

  package var names: [String] { Self.names.filter { contains($0.topic) }.map(\.name) }

  /// What an encrypted link does not hide.
  private static let inTheClear: Topics = [
    .links, .air, .pairing, .logs, .declaration, .encryptedAdvertising, .periodicAdvertising,
    .internetMessages,
  ]
  /// What sealed messages say.
  private static let inMessages: Topics = [
    .notifications, .sessions, .configuration, .networkSharing,
  ]

  /// Whether some of them may be after encryption of a link.
  package var canBeLocked: Bool { !subtracting(Self.inTheClear).isEmpty }
  /// Whether some of them may be in data packets of links.
  package var canBeTruncated: Bool {
    !subtracting(Self.inTheClear.subtracting(.pairing)).isEmpty
  }
  /// Whether some of them may be in messages that no key decrypts.
  package var canBeSealed: Bool { !isDisjoint(with: Self.inMessages) }
}
