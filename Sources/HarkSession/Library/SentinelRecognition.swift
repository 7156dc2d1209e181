import HarkCore
import HarkCrypto
import HarkDissection

/// Recognizes attributes whose framing puts messages between two constant values: it collects all values of a
/// message, and a key exchange in the message proves the framing. X-Wing keys have 1216 and 1120 bytes and never fit
/// into one value.
struct SentinelRecognition {
  typealias Earlier = (value: VendorValue, moment: PacketContext)

  private struct Collection {
    let framing: String
    let start: [UInt8]
    let end: [UInt8]
    var values: [Earlier] = []
    var count = 0
  }

  /// A framing that was recognized on a server.
  private struct Known {
    let framing: String
    /// By handle, in the order of the framing's channels.
    var places: [(handle: UInt16, channel: Int)]
    /// Whether the server's client is the phone.
    let isClientPhone: Bool
  }

  private var collections: [UInt16: Collection] = [:]
  private var known: Known?

  private static let mostCollections = 8
  private static let mostValues = 512
  private static let mostBytes = 1 << 16
  /// How many handles a characteristic has: its declaration and value, usually with one or two descriptors.
  private static let handles = 2...4
  /// What a framing may put before a sentinel.
  private static let longestWrapper = 32

  /// Whether a message has begun on the attribute.
  func isCollecting(at handle: UInt16) -> Bool { collections[handle] != nil }

  /// A cheap check which framing's message the value may begin.
  static func sentinels(_ value: RawSpan, _ framings: VendorFramings) -> Sentinels? {
    framings.sentinels.first { sentinels in
      let start = sentinels.start
      let before = value.byteCount - start.count
      guard (0...longestWrapper).contains(before) else { return false }
      return start.indices.allSatisfy { value.byte(at: before + $0) == start[$0] }
    }
  }

  /// - Returns: The attribute, if the value ends a message that proves its type.
  mutating func take(
    _ value: VendorValue, at handle: UInt16, _ moment: PacketContext, _ framings: VendorFramings
  ) -> AttributeRecognition.Finding? {
    switch value.operation {
    case .write, .writeCommand, .notification, .indication: break
    default: return nil
    }
    if let sentinels = Self.sentinels(value.bytes.raw, framings) {
      // Confirmations of parts of a message may arrive before its end.
      if known?.framing == sentinels.framing {
        let begun = Collection(
          framing: sentinels.framing, start: sentinels.start, end: sentinels.end)
        if let finding = prove(begun, value, handle, framings) { return finding }
      }
      guard collections[handle] != nil || collections.count < Self.mostCollections else {
        return nil
      }
      collections[handle] = Collection(
        framing: sentinels.framing, start: sentinels.start, end: sentinels.end)
    }
    guard var collection = collections.removeValue(forKey: handle) else { return nil }
    collection.count += value.bytes.count
    guard collection.values.count < Self.mostValues, collection.count <= Self.mostBytes else {
      return nil
    }
    let isEnd = value.bytes.suffix(collection.end.count) == collection.end[...]
    guard isEnd else {
      collection.values.append((value, moment))
      collections[handle] = collection
      return nil
    }
    return prove(collection, value, handle, framings)
  }

  private mutating func prove(
    _ collection: Collection, _ last: VendorValue, _ handle: UInt16, _ framings: VendorFramings
  ) -> AttributeRecognition.Finding? {
    guard let framing = framings.all.first(where: { $0.name == collection.framing }) else {
      return nil
    }
    let values = collection.values.map(\.value) + [last]
    var found: [(channel: Int, uuid: BluetoothUUID, proof: Proof)] = []
    for (number, channel) in framing.channels.enumerated() {
      guard case .characteristic(let uuid) = channel, allows(number, handle, collection.framing),
        let proof = Proof(values, framing, channel, isBeginning: values.count == 1)
      else { continue }
      found.append((number, uuid, proof))
    }
    // The first message must be a key exchange, and the later ones have the directions that it implies.
    found.removeAll { one in
      guard let known else { return one.proof.key == nil }
      return (one.proof.direction == .hostToAccessory) != (last.toServer == known.isClientPhone)
    }
    // If several attributes have messages of one form, servers usually place the one for their own messages last.
    let isLast = known?.isClientPhone == true && !last.toServer
    guard let first = isLast ? found.last : found.first else { return nil }
    let isClientPhone = (first.proof.direction == .hostToAccessory) == last.toServer
    if known == nil {
      known = Known(framing: framing.name, places: [], isClientPhone: isClientPhone)
    }
    known?.places.append((handle, first.channel))
    let evidence: AttributeEvent.Recognized.Evidence =
      if let key = first.proof.key {
        .key(
          key.message.keyType, key.message.cipherSuite, count: key.message.key.count,
          values: values.count)
      } else if values.count == 1, let beside = known?.places.first?.handle {
        .header(beside: beside)
      } else {
        .message(values: values.count)
      }
    return AttributeRecognition.Finding(
      framing: framing.name, handle: handle, characteristic: first.uuid, evidence: evidence,
      others: found.count - 1, earlier: collection.values)
  }

  /// Whether the attribute may be the framing's channel of that number: the characteristics of a service are usually
  /// in the order of its description.
  private func allows(_ channel: Int, _ handle: UInt16, _ framing: String) -> Bool {
    guard let known else { return true }
    guard known.framing == framing else { return false }
    return known.places.allSatisfy { place in
      let (handles, channels) = (Int(handle) - Int(place.handle), channel - place.channel)
      guard handles != 0, channels != 0, (handles > 0) == (channels > 0) else { return false }
      let (low, high) = (Self.handles.lowerBound, Self.handles.upperBound)
      return (abs(channels) * low...abs(channels) * high).contains(abs(handles))
    }
  }

  /// How a channel reads a message, if it is complete and has a meaning.
  private struct Proof {
    let direction: MessageDirection
    var key: SecurityStep?

    /// - Parameter isBeginning: Whether the message is incomplete so far.
    init?(
      _ values: [VendorValue], _ framing: any VendorFraming, _ channel: VendorChannel,
      isBeginning: Bool
    ) {
      var assembler = framing.makeAssembler()
      var framed: [Framed] = []
      for value in values {
        var value = value
        value.channel = channel
        framed += assembler.receive(value)
      }
      if isBeginning {
        for one in framed { if case .unreadable = one.content { return nil } }
        guard let begun = assembler.reset(.captureEnded).first ?? framed.first else { return nil }
        direction = begun.origin.direction
        return
      }
      var direction: MessageDirection?
      for one in framed {
        switch one.content {
        case .security(let step):
          guard step.message.hasExpectedSize else { return nil }
          key = key ?? step
        case .transport, .exposedKey, .accepted: break
        case .unreadable, .incomplete: return nil
        default: continue
        }
        direction = direction ?? one.origin.direction
      }
      guard let direction else { return nil }
      self.direction = direction
    }
  }
}

/// The constant values between which a framing puts its messages.
public struct Sentinels: Sendable, Hashable {
  public let framing: String
  public let start: [UInt8]
  public let end: [UInt8]

  public init(framing: String, start: [UInt8], end: [UInt8]) {
    (self.framing, self.start, self.end) = (framing, start, end)
  }
}
