import HarkCore

/// Why a message cannot be read, and what would help.
public enum Verdict: Hashable, Sendable, CustomStringConvertible {
  /// Fewer bytes than an IV and a tag take.
  case tooShort(bytes: Int)
  /// The message was not put together completely; `missing` says what is missing: `fragment 2 of 5`.
  case incomplete(missing: String)
  /// The recorder truncated a packet of it, or the capture lacks one.
  case cutByCapture(missingBytes: Int)
  /// No encapsulated key of this accessory was seen; the fingerprint is of its public key. Whether the
  /// capture has the link from its beginning.
  case noEncapsulatedKey(publicKey: Fingerprint?, isLinkWhole: Bool = false)
  /// The encapsulated key that was seen cannot be one.
  case unusableEncapsulatedKey(reason: String)
  /// No private key for the public key of the exchange; the fingerprint is nil if the capture
  /// does not show that public key.
  case noPrivateKey(CipherSuite, publicKey: Fingerprint?)
  /// The keys that the key file lists for the session do not open it, and no exchange of the capture yields others.
  /// `lacking` is the direction of the message if the file lists keys for the other direction only.
  case sessionKeysFail(count: Int, lacking: MessageDirection?)
  /// The message does not say its session, and no session seen so far fits.
  case unknownSession(candidates: Int)
  /// The tag matches no candidate. The messages of an AccessoryWorker are not encrypted, and look the same.
  /// `isLimited` shows that not all candidates were tried: the message is long, keys are many, or the search for
  /// others took long enough.
  case tagFails(candidates: Int, generations: Int, isLimited: Bool)
  /// It is not encrypted: it says without a key what the vendor's messages say.
  case notEncrypted
  /// One of the keys is right, but the message has another form than the other side opens.
  case wrongForm(WrongForm)
  /// The keys of another device's exchange open it, which is in this packet.
  case keysOfOther(exchange: PacketID)
  /// The keys of an encapsulated key open it that the accessory refused; in this packet.
  case keysRefused(exchange: PacketID)
  /// The accessory refused this part of the message, and it was not sent again.
  case partRefused(PacketID)
  /// A part of the message was sent twice; without the repetition, a key opens it.
  case partRepeated(Repetition)
  /// The parts of two messages alternate; alone, those of the one that begins in this packet give a message that a key
  /// opens.
  case partsInterleaved(PacketID)

  /// Whether a key that comes later may open the message.
  public var mayOpenLater: Bool {
    switch self {
    case .tooShort, .incomplete, .cutByCapture, .notEncrypted, .wrongForm, .keysOfOther,
      .keysRefused,
      .partRefused, .partRepeated, .partsInterleaved:
      false
    case .noEncapsulatedKey, .unusableEncapsulatedKey, .noPrivateKey, .sessionKeysFail,
      .unknownSession, .tagFails:
      true
    }
  }

  /// Whether keys for the message are known, but do not give the right tag: the message may be damaged.
  public var isWrongTag: Bool {
    switch self {
    case .tagFails, .sessionKeysFail: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .tooShort(let bytes):
      "\(bytes) \(bytes == 1 ? "byte" : "bytes"), "
        + (bytes < 16
          ? "shorter than the tag alone: IV and tag take 12 and 16"
          : "but IV and tag alone take 28")
    case .incomplete(let missing):
      "the message is incomplete: \(missing) is missing"
    case .cutByCapture(let bytes):
      "\(bytes) bytes of the message are not in the capture"
    case .noEncapsulatedKey(let publicKey?, _):
      "the accessory announced public key \(publicKey), but the phone's encapsulated key is not in the "
        + "capture; add the session key to the key file"
    case .noEncapsulatedKey(nil, false):
      "the capture starts after the key exchange; record again, starting before pairing, or add the "
        + "session key to the key file"
    case .noEncapsulatedKey(nil, true):
      "the capture has this link from its start but no key exchange, which took place on an earlier "
        + "link or is missing; record again, starting before pairing, or add the session key to the "
        + "key file"
    case .unusableEncapsulatedKey(let reason):
      "the encapsulated key cannot be used: \(reason)"
    case .noPrivateKey(let suite, let publicKey?):
      "the private key of public key \(publicKey) (\(suite.name)) is missing; add it to a key file"
    case .noPrivateKey(let suite, nil):
      "the accessory's private key (\(suite.name)) is missing, and the capture has no public key; add "
        + "the private key to the key file"
    case .sessionKeysFail(let count, let lacking?):
      "the key file has no key of this session for \(lacking.rawValue), and "
        + (count == 1 ? "its key" : "its \(count) keys")
        + " for the other direction \(count == 1 ? "does" : "do") not decrypt the message; add the session key"
    case .sessionKeysFail(let count, nil):
      (count == 1 ? "the session key" : "each of the \(count) session keys")
        + " of the key file for this session gives a wrong tag: the key is that of another exchange, or the data is "
        + "damaged"
    case .unknownSession(let candidates):
      "the message has no session UUID, and \(candidates) candidates built from earlier sessions do "
        + "not fit"
    case .tagFails(let candidates, let generations, let isLimited):
      "no key gives the right tag (\(candidates) derived from \(generations) key "
        + (generations == 1 ? "generation)" : "generations)")
        + (isLimited
          ? "; the search was limited by a long message, many keys or many failures" : "")
        + "; the key is wrong, or the data is damaged or not encrypted"
    case .notEncrypted:
      "the message is not encrypted: it can be read without a key"
    case .wrongForm(let form):
      "the key is right, but the other side cannot open the message: \(form)"
    case .keysOfOther(let packet):
      "the keys of another device's exchange in packet \(packet.number) decrypt the message: it is meant for that "
        + "device, or both are one device with two addresses"
    case .keysRefused(let packet):
      "the message is encrypted with the encapsulated key of packet \(packet.number), which the accessory refused"
    case .partRefused(let packet):
      "packet \(packet.number), a part of the message, was refused and not sent again"
    case .partRepeated(let repetition):
      "packet \(repetition.packet.number) repeats packet \(repetition.original.number), a part of the message; without "
        + "the repetition, the message can be decrypted"
    case .partsInterleaved(let packet):
      "the parts of two messages alternate; the message that begins in packet \(packet.number) can be decrypted if only "
        + "its own parts are reassembled"
    }
  }
}
