import HarkCore
import HarkCrypto
import HarkDissection

// Keys that pass between host and kernel over the Linux Bluetooth management interface, which the
// monitor records. BlueZ's documentation of that interface (mgmt-api).
extension Session {
  /// A list of keys: after `start` bytes so many entries of `size`, each with the address of whose
  /// key it is in front and the key's value at `value`.
  private struct KeyList {
    let kind: BondingKey.Kind
    let start: Int
    let size: Int
    let value: Int
    /// Whether the two bytes before it count the keys; else there is one.
    var isCounted = false
  }

  /// Address, Address_Type, Key_Type, Value, PIN_Length.
  private static let linkKeys = (size: 25, value: 8)
  /// Address, Address_Type, Key_Type, Central, Encryption_Size, Encrypted_Diversifier,
  /// Random_Number, Value.
  private static let longTermKeys = (size: 36, value: 20)
  /// Address, Address_Type, Value.
  private static let identityResolvingKeys = (size: 23, value: 7)
  /// Address, Address_Type, Type, Value.
  private static let signatureResolvingKeys = (size: 24, value: 8)

  /// The keys in the parameters of a command, behind cookie and opcode.
  private static func keyList(ofCommand opcode: UInt16) -> KeyList? {
    switch opcode {
    // Load Link Keys: Debug_Keys is in front.
    case 0x0012:
      KeyList(
        kind: .linkKey, start: 3, size: linkKeys.size, value: linkKeys.value, isCounted: true)
    case 0x0013:
      KeyList(
        kind: .longTermKey, start: 2, size: longTermKeys.size, value: longTermKeys.value,
        isCounted: true)
    case 0x0030:
      KeyList(
        kind: .identityResolvingKey, start: 2, size: identityResolvingKeys.size,
        value: identityResolvingKeys.value, isCounted: true)
    default: nil
    }
  }

  /// The key in the parameters of an event, behind Store_Hint, and Random_Address with an IRK.
  private static func keyList(ofEvent code: UInt16) -> KeyList? {
    switch code {
    case 0x0009:
      KeyList(kind: .linkKey, start: 1, size: linkKeys.size, value: linkKeys.value)
    case 0x000A:
      KeyList(kind: .longTermKey, start: 1, size: longTermKeys.size, value: longTermKeys.value)
    case 0x0018:
      KeyList(
        kind: .identityResolvingKey, start: 7, size: identityResolvingKeys.size,
        value: identityResolvingKeys.value)
    case 0x0019:
      KeyList(
        kind: .signatureResolvingKey, start: 1, size: signatureResolvingKeys.size,
        value: signatureResolvingKeys.value)
    default: nil
    }
  }

  /// Where a key is in the bytes of a control command or event, which begin with its cookie.
  package struct ManagementKeyPlace {
    package let key: Range<Int>
    /// Of whose key it is; nil for this host's own.
    package let address: Range<Int>?
    package let isRandom: Bool
    let kind: BondingKey.Kind

    package var isIRK: Bool { kind == .identityResolvingKey }
  }

  package static func managementKeyPlaces(
    _ bytes: RawSpan, _ kind: PacketKind
  ) -> [ManagementKeyPlace] {
    guard bytes.byteCount > 6 else { return [] }
    let code = UInt16(truncatingIfNeeded: bytes.unsigned(at: 4, 2))
    let size = bytes.byteCount - 6
    // Set Privacy: Privacy, and the IRK of this host.
    if kind == .controlCommand, code == 0x002F, size >= 17 {
      return [
        ManagementKeyPlace(
          key: 7..<23, address: nil, isRandom: false, kind: .identityResolvingKey)
      ]
    }
    let found =
      kind == .controlCommand ? Self.keyList(ofCommand: code) : Self.keyList(ofEvent: code)
    guard let list = found, size >= list.start else { return [] }
    let count = list.isCounted ? Int(bytes.unsigned(at: 6 + list.start - 2, 2)) : 1
    return (0..<min(count, (size - list.start) / list.size)).map { index in
      let start = 6 + list.start + index * list.size
      return ManagementKeyPlace(
        key: (start + list.value)..<(start + list.value + 16), address: start..<(start + 6),
        // Address_Type: BR/EDR, LE Public, LE Random.
        isRandom: bytes.byte(at: start + 6) == 2, kind: list.kind)
    }
  }

  /// Takes the keys of a control command or event, whose bytes begin with its cookie.
  mutating func managementKeys(_ bytes: RawSpan, _ kind: PacketKind, _ moment: Moment) {
    for place in Self.managementKeyPlaces(bytes, kind) {
      guard let at = place.address else {
        captured(place.kind, bytes.array(place.key), moment, isOurs: true)
        continue
      }
      let address = BluetoothAddress(
        bytes.unsigned(at: at.lowerBound, 6), place.isRandom ? .random : .public)
      let key = captured(
        place.kind, bytes.array(place.key), moment, deviceTable.find(address), of: address)
      if place.isIRK, let key { learn(key, of: .identity(address), moment) }
    }
  }

  /// What the kernel refused, in words: Command Complete and Command Status with another Status than
  /// Success; nil for all else.
  func managementRefusal(_ bytes: RawSpan) -> String? {
    guard bytes.byteCount >= 9, 1...2 ~= bytes.unsigned(at: 4, 2), bytes.byte(at: 8) != 0 else {
      return nil
    }
    let command = bytes.unsigned(at: 6, 2)
    let status = UInt64(bytes.byte(at: 8))
    let name = Paths.Monitor.command.definition.name(of: command) ?? "Unknown (\(command))"
    let reason = Paths.Monitor.status.definition.name(of: status) ?? "Unknown (\(status))"
    return "\(name) failed: \(reason)"
  }
}
