import Crypto
import FoundationEssentials
import HarkCore
import HarkCrypto
import HarkProfile

@testable import HarkSession

/// Feeds a channel with values, numbering the packets from 1 and letting 10 ms pass between them.
struct Air {
  var channel: AccessoryChannel
  var keys = KeyRing()
  var packet: UInt32 = 0
  var isLinkWhole = false

  init(_ framing: any VendorFraming) { channel = AccessoryChannel(framing) }

  mutating func send(
    _ bytes: [UInt8], on characteristic: BluetoothUUID,
    _ operation: VendorValue.Operation = .write, missing: Int = 0, link: UInt32 = 0
  ) -> [AccessoryEvent] {
    packet += 1
    let isClient =
      switch operation {
      case .write, .writeCommand, .refused: true
      default: false
      }
    var value = VendorValue(
      frames: [PacketID(packet)], time: Timestamp(microseconds: Int64(packet) * 10_000),
      channel: .characteristic(characteristic), toServer: isClient, operation: operation,
      bytes: bytes, missingBytes: missing, link: link)
    value.isLinkWhole = isLinkWhole
    return channel.receive(value, keys: &keys)
  }

  mutating func close(
    _ reason: Interruption = .linkClosed, link: UInt32 = 0
  ) -> [AccessoryEvent] {
    channel.linkClosed(reason, link: link, keys: &keys)
  }
}

extension AccessoryEvent {
  var message: TransportedMessage? {
    if case .message(let message) = content { message } else { nil }
  }
  var gap: Gap? { if case .incomplete(let gap) = content { gap } else { nil } }
  var problem: FramingProblem? {
    if case .unreadable(let message) = content { message.problem } else { nil }
  }
  var observation: Observation? {
    if case .observation(let odd) = content { odd.observation } else { nil }
  }
  var publicKey: PublicKeyEvent? {
    if case .publicKey(let event) = content { event } else { nil }
  }
  var encapsulatedKey: EncapsulatedKeyEvent? {
    if case .encapsulatedKey(let event) = content { event } else { nil }
  }
  var flowControl: FlowControl? {
    if case .flowControl(let control) = content { control } else { nil }
  }
  var acceptance: Acceptance? {
    if case .accepted(let acceptance) = content { acceptance } else { nil }
  }
}

func hex(_ text: String) -> [UInt8] { Hex.bytes(text) ?? [] }

/// The bundled profile of Pebble.
enum Pebble {
  static let profile = Profile.bundled.first { $0.id == "pebble" }
  static let name = "Pebble"
  /// A missing profile would make every test of it fail.
  static let framing: any VendorFraming = profile?.framing ?? ANCS.framing
  static let service = uuid(0)
  /// Accessory to phone, notified.
  static let transmit = uuid(1)
  /// Phone to accessory, written.
  static let receive = uuid(2)

  /// 5000000x-328E-0FBB-C642-1AA6699BDADA.
  private static func uuid(_ number: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x5000_0000_328E_0FBB | number << 32, low: 0xC642_1AA6_699B_DADA)
  }

  static func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    framing.decode(plaintext: plaintext, direction: direction)
  }
}

/// The bundled profile of NotifBridge.
enum NotifBridge {
  static let name = "NotifBridge"
  /// A missing profile would make every test of it fail.
  static let framing: any VendorFraming =
    Profile.bundled.first { $0.id == "notifbridge" }?.framing ?? ANCS.framing
  static let service = uuid(0x44)

  /// The last byte of the characteristics' UUIDs.
  enum Role: UInt64, CaseIterable {
    case keySharing = 0x46
    case notification = 0x47
    case keySharingNotify = 0x48
    case notificationNotify = 0x49
    case reverseWrite = 0x4A
    case reverseNotify = 0x4B
  }

  /// D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8Cxx.
  static func uuid(_ last: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0xD5E1_2B7A_7D8E_4F12, low: 0x9B5C_3F0A_1E6D_8C00 | last)
  }

  static func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    framing.decode(plaintext: plaintext, direction: direction)
  }
}

extension String? {
  /// Nil for a text without characters: the framings send one for what is not there.
  var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}

/// A P-256 session whose keys were computed outside of this project: accessory key 01 repeated,
/// ephemeral key 02 repeated.
enum PebbleSession {
  static let publicKey = hex(
    """
    6ff03b949241ce1dadd43519e6960e0a85b41a69a05c328103aa2bce1594ca16
    3c4f753a55bf01dc53f6c0b0c7eee78b40c6ff7d25a96e2282b989cef71c144a
    """)
  static let encapsulated = hex(
    """
    04550f471003f3df97c3df506ac797f6721fb1a1fb7b8f6f83d224498a65c88e24
    136093d7012e509a73715cbd0b00a3cc0ff4b5c01b3ffa196ab1fb327036b8e6
    """)
  static let identifier = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
  static let session = "ABCDEF12-3456-7890-ABCD-EF0123456789"
  static let toAccessoryKey = hex(
    "0a3dc9698c4e61c6ffcf8d9c3a08952bbf01466bdccd9d075a99b5f8595a9eaf")
  static let toHostKey = hex("0405e3eed597040e2b51afc77d42d35911f46f014f7f3d787b64b57407985c12")
  /// "hello" under both keys.
  static let toAccessory = hex(
    "000102030405060708090a0b ea477addd8 fda705d19d3ce34eeae099375366b6d0")
  static let toHost = hex("000102030405060708090a0b 608d981543 14f44b900eaf430b48d4ea10fdde8d9c")
  /// With the context of Apple's sample code taken literally.
  static let sampleCodeKey = hex(
    "16dcb063cbdc1b1eee226d04aeab4e28160889059da2133e2b2fae316e59a3a5")
  static let lowerVersionKey = hex(
    "3274ced4a7ed130e6ff1c089c42dd69b46d18965e74a0e6d631e848b150bb738")

  static func privateKey() throws -> AccessoryKey {
    var bytes = [UInt8](repeating: 1, count: 32)
    return try AccessoryKey(.p256, privateKey: &bytes, name: "watch", origin: .file("test"))
  }

  static var sessionValue: [UInt8] {
    [0x02] + encapsulated + [UInt8(identifier.utf8.count)] + Array(identifier.utf8)
  }

  static func message(_ blob: [UInt8], session: String = session) -> [UInt8] {
    [UInt8(session.utf8.count)] + Array(session.utf8) + blob
  }

  /// The blob of a plaintext: IV, ciphertext, tag.
  static func seal(_ plaintext: [UInt8], _ key: [UInt8], iv: UInt8) throws -> [UInt8] {
    let nonce = try AES.GCM.Nonce(data: [UInt8](repeating: iv, count: 12))
    let box = try AES.GCM.seal(plaintext, using: SymmetricKey(data: key), nonce: nonce)
    return Array(nonce) + Array(box.ciphertext) + Array(box.tag)
  }
}
