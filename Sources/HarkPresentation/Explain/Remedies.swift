import HarkCore
import HarkCrypto
import HarkSession

/// What a user can do to read what is locked: commands, and interfaces that give the key.
enum Remedies {
  static func link(_ lock: LinkLayerEvent.Lock, peer: String) -> [String] {
    switch lock {
    case .startNotHeard:
      [
        "record again, starting before the devices connect: no key helps without LL_ENC_REQ and LL_ENC_RSP"
      ]
    case .keysDoNotFit:
      ["record again, with the sniffer between the two devices and close to both"]
    case .longTermKey, .secureConnections, .outOfBand, .temporaryKey, .pairingIncomplete:
      [
        "hark timeline CAPTURE --ltk KEY\(peer)",
        "a Linux host: hark keys import RING.harkkeys /var/lib/bluetooth",
        "an Android host: hark keys import RING.harkkeys bt_config.conf",
        "an HCI capture of either device while they pair or reconnect: hark keys import "
          + "RING.harkkeys HCI-CAPTURE",
        "Zephyr firmware: CONFIG_BT_LOG_SNIFFER_INFO=y, then hark keys import RING.harkkeys LOG",
        "then: hark timeline CAPTURE --keys RING.harkkeys",
      ]
    }
  }

  static func message(
    _ verdict: Verdict, session: String, _ direction: MessageDirection
  ) -> [String] {
    switch verdict {
    case .tooShort, .incomplete:
      return ["no key helps: a part is missing, or the bytes are not a sealed message"]
    case .cutByCapture:
      return ["no key helps: record again with the full packet length"]
    case .noPrivateKey(let suite, _):
      return [
        "hark keys add RING.harkkeys --kind accessory --suite \(suite.rawValue), then "
          + "hark timeline CAPTURE --keys RING.harkkeys"
      ] + sessionKey(session, direction)
    case .noEncapsulatedKey, .unusableEncapsulatedKey:
      return [
        "record again, starting before pairing, so that the capture contains the key exchange"
      ]
        + sessionKey(session, direction)
    case .unknownSession: return sessionKey(session, direction)
    case .tagFails:
      return ["exchange keys again on both sides, and record the exchange"]
        + sessionKey(session, direction)
    }
  }

  /// The key of one session, where the private key stays in the accessory.
  private static func sessionKey(_ session: String, _ direction: MessageDirection) -> [String] {
    let name = session.isEmpty ? "UUID" : session
    return [
      "hark keys add RING.harkkeys --kind session --session \(name) --direction "
        + "\(direction.rawValue), with the result of HPKE.Recipient.exportSecret(context:outputByteCount:)",
      "live: HarkKeyLog in the app, and hark live SOURCE --key-log FILE",
    ]
  }
}
