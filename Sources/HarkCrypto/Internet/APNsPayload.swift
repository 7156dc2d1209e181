import HarkCore

/// What a vendor's server sends to a phone for an accessory: the payload of an APNs notification with push type
/// `accessory`, or the message as it goes to the accessory. Apple, "Forwarding notifications to your accessory using the
/// internet transport type".
public struct APNsPayload: Sendable {
  /// The first four bytes of SHA-384 of the accessory's public key, most significant first.
  public let keyID: UInt32
  public let messageIndex: UInt32
  public let sessionIdentifier: String?
  /// IV, ciphertext and tag.
  public let encryptedData: [UInt8]
  /// `time` or `timestamp` beside `aps`, as it is written: a payload itself has no time.
  public let time: String?
  /// From 1; nil if the text is one JSON value.
  public let line: Int?

  /// Why a text holds no payload: a sentence.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// Payloads of one file, at most.
  private static let most = 1 << 16

  /// Whether a text looks like payloads: then `read` says what is wrong with it.
  public static func isMeant(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
    return text.contains("\"aps\"") && text.contains("\"encryptedData\"")
  }

  /// The payloads of a JSON text: an object, an array of them, or an object in each line.
  public static func read(_ bytes: [UInt8]) throws(Failure) -> [APNsPayload] {
    let limits = JSONParser.Limits(levels: 16, values: 1 << 20, takesDuplicates: true)
    if let root = try? JSONParser.read(bytes, in: bytes.indices, limits) {
      let nodes = if case .array(let nodes) = root.value { nodes } else { [root] }
      return try payloads(nodes.map { ($0, nil) }, bytes)
    }
    var nodes: [(JSONNode, Int?)] = []
    var start = 0
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      defer { start += line.count + 1 }
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let node = try? JSONParser.read(bytes, in: start..<(start + line.count), limits) else {
        throw Failure(description: "line \(number + 1) is not JSON")
      }
      nodes.append((node, number + 1))
    }
    return try payloads(nodes, bytes)
  }

  private static func payloads(
    _ nodes: [(node: JSONNode, line: Int?)], _ bytes: [UInt8]
  ) throws(Failure) -> [APNsPayload] {
    guard nodes.count <= most else {
      throw Failure(description: "it has more than \(most) payloads")
    }
    var payloads: [APNsPayload] = []
    for (index, (node, line)) in nodes.enumerated() {
      do throws(Failure) {
        payloads.append(try APNsPayload(node, bytes, line: line))
      } catch {
        let place = line.map { "line \($0)" } ?? "payload \(index + 1)"
        throw Failure(description: "\(place): \(error)")
      }
    }
    return payloads
  }

  private init(_ node: JSONNode, _ bytes: [UInt8], line: Int?) throws(Failure) {
    guard let aps = node["aps"] else {
      throw Failure(description: "it has no aps")
    }
    func text(_ name: String) -> [UInt8]? {
      guard case .string(let range)? = aps[name]?.value else { return nil }
      return Array(JSONParser.string(range, in: bytes).utf8)
    }
    guard let data = text("encryptedData").flatMap({ Base64.decode($0) }) else {
      throw Failure(description: "aps.encryptedData is not base64")
    }
    guard aps["keyID"] != nil else { throw Failure(description: "aps.keyID is missing") }
    guard let id = text("keyID").flatMap({ Base64.decode($0) }), id.count == 4 else {
      throw Failure(description: "aps.keyID is not the base64 of 4 bytes")
    }
    guard case .number(let range)? = aps["messageIndex"]?.value,
      let index = UInt32(String(decoding: bytes[range], as: UTF8.self))
    else { throw Failure(description: "aps.messageIndex is not a number from 0 to 4294967295") }
    keyID = id.reduce(0) { $0 << 8 | UInt32($1) }
    (messageIndex, encryptedData) = (index, data)
    self.line = line
    time = (node["time"] ?? node["timestamp"]).flatMap { node in
      switch node.value {
      case .string(let range): JSONParser.string(range, in: bytes)
      case .number(let range): String(decoding: bytes[range], as: UTF8.self)
      case .null: nil
      default: "of another type"
      }
    }
    sessionIdentifier = text("sessionIdentifier").map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The ratchets of all internet keys that are known.
public struct InternetRatchets: Sendable {
  private var ratchets: [(key: InternetKey, ratchet: InternetRatchet)]
  /// The tags of the messages that were opened, by key ID and index.
  private var opened = RecentValues<UInt64, [UInt8]>(capacity: 1 << 14)

  public init(_ keys: [InternetKey]) { ratchets = keys.map { ($0, InternetRatchet($0)) } }

  public var isEmpty: Bool { ratchets.isEmpty }

  /// Why no key opens a payload.
  public enum Problem: Hashable, Sendable {
    /// The keys that the phone decrypts with, those from the accessory to the host, do not include the payload's.
    case noKey
    /// The same message was opened before.
    case sentAgain
    /// What happens with each key from the accessory to the host.
    /// - Parameter isNamed: Whether the keys have the payload's key ID, and do not lack one.
    case refused(InternetRatchet.Failure, isNamed: Bool)
    /// Several keys fail for different reasons.
    case several
  }

  public struct Failure: Error, Sendable, CustomStringConvertible {
    public let problem: Problem
    /// A sentence.
    public let description: String
  }

  /// The plaintext of a payload, and the key that opened it. Payloads go from the accessory to the phone; a key whose
  /// direction is the other one is tried last.
  public mutating func open(
    _ payload: APNsPayload
  ) throws(Failure) -> (plaintext: [UInt8], key: InternetKey) {
    let meant = ratchets.indices.filter { ratchets[$0].key.keyID ?? payload.keyID == payload.keyID }
    guard !meant.isEmpty else {
      throw Failure(
        problem: .noKey,
        description:
          "no internet key has key ID \(InternetKey.text(keyID: payload.keyID)): "
          + "add the root key to the key file, as internetKeys, or give the accessory's private key and a capture of the "
          + "key exchange")
    }
    let number = UInt64(payload.keyID) << 32 | UInt64(payload.messageIndex)
    let tag = Array(payload.encryptedData.suffix(16))
    var failures: [String] = []
    var refusals: [InternetRatchet.Failure] = []
    for isUsual in [true, false] {
      for place in meant where (ratchets[place].key.direction == .accessoryToHost) == isUsual {
        do throws(InternetRatchet.Failure) {
          let plaintext = try ratchets[place].ratchet.open(
            payload.encryptedData, index: payload.messageIndex)
          opened.set(number, tag)
          return (plaintext, ratchets[place].key)
        } catch {
          if isUsual { refusals.append(error) }
          failures.append("\(ratchets[place].key.fingerprint): \(error)")
        }
      }
    }
    throw Failure(
      problem: opened[number] == tag ? .sentAgain : problem(refusals, payload, meant),
      description: failures.joined(separator: "; "))
  }

  private func problem(
    _ refusals: [InternetRatchet.Failure], _ payload: APNsPayload, _ meant: [Int]
  ) -> Problem {
    guard let first = refusals.first else { return .noKey }
    guard refusals.allSatisfy({ $0 == first }) else { return .several }
    let isNamed = meant.contains {
      ratchets[$0].key.direction == .accessoryToHost && ratchets[$0].key.keyID == payload.keyID
    }
    return .refused(first, isNamed: isNamed)
  }
}
