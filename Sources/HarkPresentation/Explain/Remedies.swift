import HarkCore
import HarkCrypto
import HarkSession

/// What a user can do to read what is locked: commands, and interfaces that give the key.
enum Remedies {
  static func link(
    _ lock: LinkLayerEvent.Lock, _ trial: KeyTrial, peer: String
  ) -> [String] {
    switch lock {
    case .startNotHeard:
      [
        "record again, starting before the devices connect: no key helps without LL_ENC_REQ and LL_ENC_RSP"
      ]
    case .keysDoNotFit:
      ["record again, with the sniffer between the two devices and close to both"]
    case .truncated:
      ["no key helps: record again, with the full packet length and without gaps"]
    case .longTermKey, .secureConnections, .outOfBand, .temporaryKey, .searchLimited,
      .pairingIncomplete:
      (trial.untried > 0
        ? [
          "give fewer LTKs, or each with the address of its device: hark tries those of the link's devices first, "
            + "even beyond the limit"
        ] : [])
        + (lock == .searchLimited
          ? [
            "hark timeline CAPTURE --passkey PASSKEY", "hark convert CAPTURE PART --device ADDRESS",
          ]
          : [])
        + [
          "hark timeline CAPTURE --ltk KEY\(peer)",
          "a Linux host: hark keys import KEYS.harkkeys /var/lib/bluetooth",
          "an Android host: hark keys import KEYS.harkkeys bt_config.conf",
          "an HCI capture of either device while they pair or reconnect: hark keys import "
            + "KEYS.harkkeys HCI-CAPTURE",
          "Zephyr firmware: CONFIG_BT_LOG_SNIFFER_INFO=y, then hark keys import KEYS.harkkeys LOG",
          "then: hark timeline CAPTURE --keys KEYS.harkkeys",
        ]
    }
  }

  /// What gives the IRK of a device. Vol 3, Part H, 3.6.4; Vol 4, Part E, 7.8.38.
  static let address = [
    "hark timeline CAPTURE --irk KEY@IDENTITY-ADDRESS",
    "a Linux host that has the bond: hark keys import KEYS.harkkeys /var/lib/bluetooth",
    "an Android host that has the bond: hark keys import KEYS.harkkeys bt_config.conf",
    "an HCI capture of either device while they pair (Identity Information), or while a host gives its bonds to "
      + "the controller (HCI_LE_Add_Device_To_Resolving_List): hark keys import KEYS.harkkeys HCI-CAPTURE",
    "then: hark timeline CAPTURE --keys KEYS.harkkeys",
  ]

  /// What gives the key of proximity pairing advertising, as librepods and other public projects observed it.
  static func advertising(
    _ lock: AAPEvent.LockedAdvertising.Lock, _ address: BluetoothAddress
  ) -> [String] {
    let renewed: String? =
      if case .keyDoesNotFit = lock {
        "the headphones were reset or paired again since: request their keys again"
      } else {
        nil
      }
    return [
      renewed,
      "an HCI capture of a host that requests the headphones' proximity keys over AAP (Proximity Keys Request, "
        + "0x0030): the answer has the IRK and the encryption key, and hark uses both immediately",
      "the same keys from another capture: hark keys import KEYS.harkkeys HCI-CAPTURE, then hark timeline CAPTURE "
        + "--keys KEYS.harkkeys",
      "by hand: a key file with proximityKeys: address, encryptionKey and identityResolvingKey",
    ].compactMap { $0 }
  }

  static let damaged = [
    "a key decrypts other messages of this accessory: look for parts of these messages that were lost, repeated, "
      + "reordered or changed",
    "if all messages of one direction fail, and those of the other do not: compare how both sides derive its key",
  ]

  static func message(
    _ verdict: Verdict, session: String, _ direction: MessageDirection
  ) -> [String] {
    switch verdict {
    case .tooShort, .incomplete:
      return ["no key helps: a part is missing, or the bytes are not an encrypted message"]
    case .notEncrypted:
      return ["no key helps: encrypt the message with the key of the session before it is sent"]
    case .cutByCapture:
      return ["no key helps: record again with the full packet length"]
    case .noPrivateKey(let suite, _):
      return [
        "hark keys add KEYS.harkkeys --kind accessory --suite \(suite.rawValue), then "
          + "hark timeline CAPTURE --keys KEYS.harkkeys"
      ] + sessionKey(session, direction)
    case .noEncapsulatedKey, .unusableEncapsulatedKey:
      return [
        "record again, starting before pairing, so that the capture contains the key exchange"
      ]
        + sessionKey(session, direction)
    case .sessionKeysFail, .unknownSession: return sessionKey(session, direction)
    case .wrongForm:
      return [
        "no other key helps: send what AES.GCM.seal(_:using:) combines (12 bytes of IV, ciphertext, 16 bytes of tag), "
          + "without additional data"
      ]
    case .keysOfOther:
      return [
        "encrypt the message with the keys of the device that receives it; if both devices are one, add its IRK with "
          + "--keys"
      ]
    case .keysRefused:
      return ["no key helps: use an encapsulated key only after the accessory has accepted it"]
    case .partRefused:
      return ["no key helps: send a refused part again, or discard the message"]
    case .partsInterleaved:
      return ["no key helps: send all parts of a message before another message begins"]
    case .partRepeated:
      return [
        "no key helps: send each part once, or number the parts, so that the receiver drops repetitions"
      ]
    case .tagFails:
      return ["exchange keys again on both sides, and record the exchange"]
        + sessionKey(session, direction)
    }
  }

  /// The key of one session, where the private key stays in the accessory.
  private static func sessionKey(_ session: String, _ direction: MessageDirection) -> [String] {
    // The text is the capture's, and people copy commands into a shell.
    let name = session.utf8.count == 36 && BluetoothUUID(session) != nil ? session : "UUID"
    return [
      "hark keys add KEYS.harkkeys --kind session --session \(name) --direction "
        + "\(direction.rawValue), with the result of HPKE.Recipient.exportSecret(context:outputByteCount:)",
      "live: HarkKeyLog in the app, and hark live SOURCE --key-log FILE",
    ]
  }
}
