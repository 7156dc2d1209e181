import HarkCore
import HarkCrypto
import HarkDissection

/// Recognizes undiscovered attributes by their values. An encapsulated key in a complete message of a framing proves a
/// characteristic if it is a point on the curve. So does a public key with a header of the framing's own; after a single
/// byte, as Pebble has it, it may be any vendor's, and proves one only if an encapsulated key follows. Other attributes of
/// that framing nearby are recognized by their headers, messages between sentinels by the sentinels, and Apple's
/// services, HID and Battery by the relations between their values.
struct AttributeRecognition {
  /// How a framing would read the values of an attribute.
  fileprivate struct Candidate {
    let framing: String
    let characteristic: BluetoothUUID
    var assembler: any VendorAssembler
  }

  /// An attribute that was recognized.
  struct Finding {
    let framing: String
    let handle: UInt16
    let characteristic: BluetoothUUID
    let evidence: AttributeEvent.Recognized.Evidence
    /// How many other attributes of the framing it may be instead.
    var others = 0
    /// The earlier values that belong to its message.
    var earlier: [(value: VendorValue, moment: PacketContext)] = []
  }

  /// A public key in the form of a framing.
  private struct Announcement {
    let finding: Finding
    let value: VendorValue
    let moment: PacketContext
  }

  /// A public key of which nothing else was seen so far.
  struct UnclaimedKey {
    let owner: Session.DatabaseKey
    let handle: UInt16
    var uuid: BluetoothUUID?
    let shape: KeyShape
    let moment: PacketContext
  }

  private var conversations: [Session.DatabaseKey: ANCSRecognition] = [:]
  private var announcements: [Session.DatabaseKey: [Announcement]] = [:]
  /// A key that takes several values.
  private var partialKeys: [Session.DatabaseKey: UnclaimedKey] = [:]
  var keyParts = KeyParts()
  /// For servers that may have other services.
  private var services = Slots<Session.DatabaseKey, Services> { _ in Services() }
  /// Whether any attribute was recognized.
  var hasFound: Bool { !found.isEmpty }
  private var found: [Session.DatabaseKey: [(framing: String, place: AttributePlace)]] = [:]
  /// How many more values may be examined, in the whole capture.
  private(set) var budget = 4_096
  private var serviceBudget = 16_384

  /// What is known so far about a server with unknown attributes.
  private struct Services {
    var ams = AMSRecognition()
    var hid = HIDRecognition()
    var battery = BatteryRecognition()
    var sentinels = SentinelRecognition()

    /// Takes a value that completes no message between sentinels.
    mutating func take(
      _ value: VendorValue, at handle: UInt16, _ moment: PacketContext
    ) -> [Finding] {
      if sentinels.isCollecting(at: handle) { return [] }
      let found = ams.take(value, at: handle, moment) + hid.take(value, at: handle)
      guard found.isEmpty else { return found }
      let isHID = hid.hasMap && !hid.hasReports(of: value.bytes.count)
      return battery.take(value, at: handle, isHID: isHID)
    }
  }

  private typealias AttributePlace = (handle: UInt16, characteristic: BluetoothUUID)

  private static let mostConversations = 64
  private static let mostAnnouncements = 8
  /// A framing's attributes belong to one service.
  private static let nearby = 16

  /// The server is another one.
  mutating func forget(_ owner: Session.DatabaseKey) {
    (conversations[owner], announcements[owner], partialKeys[owner]) = (nil, nil, nil)
    (services[owner], found[owner]) = (Services(), nil)
  }

  /// A cheap check for every value of an unknown attribute: whether it may prove anything.
  mutating func isWorthTrying(
    _ value: RawSpan, _ operation: VendorValue.Operation, at handle: UInt16,
    of owner: Session.DatabaseKey, _ framings: VendorFramings
  ) -> Bool {
    if budget > 0, operation != .read,
      hasFound || value.byteCount >= KeyShape.p256.size || ANCSRecognition.isWorthTrying(value)
    {
      return true
    }
    return serviceBudget > 0 && mayBeOfService(value, operation, at: handle, of: owner, framings)
  }

  private func mayBeOfService(
    _ value: RawSpan, _ operation: VendorValue.Operation, at handle: UInt16,
    of owner: Session.DatabaseKey, _ framings: VendorFramings
  ) -> Bool {
    if operation == .read {
      return HIDRecognition.isWorthTrying(value) || BatteryRecognition.isWorthTrying(value)
    }
    let isNotification = operation == .notification
    if isNotification && BatteryRecognition.isWorthTrying(value)
      || AMSRecognition.isWorthTrying(value, isWrite: !isNotification)
      || SentinelRecognition.sentinels(value, framings) != nil
    {
      return true
    }
    guard let place = services.find(owner) else { return false }
    // To read a property of an array's element copies the element, but not through a span.
    let known = services.values.span
    return known[place].hid.hasMap && isNotification
      || known[place].sentinels.isCollecting(at: handle)
  }

  /// - Parameter value: Its channel is replaced.
  /// - Returns: What it proves, with this attribute last.
  mutating func recognize(
    _ value: VendorValue, at handle: UInt16, of owner: Session.DatabaseKey,
    _ moment: PacketContext, by framings: VendorFramings
  ) -> [Finding] {
    if serviceBudget > 0 {
      let findings = recognizeService(value, at: handle, of: owner, moment, framings)
      if !findings.isEmpty { return findings }
    }
    guard budget > 0, value.operation != .read else { return [] }
    let findings = recognizeFraming(value, handle, owner, moment, framings)
    if !findings.isEmpty { return findings }
    guard ANCSRecognition.isWorthTrying(value.bytes.raw),
      conversations[owner] != nil || conversations.count < Self.mostConversations
    else { return [] }
    budget -= 1
    return conversations[owner, default: ANCSRecognition()].take(value, at: handle, moment)
  }

  private mutating func recognizeService(
    _ value: VendorValue, at handle: UInt16, of owner: Session.DatabaseKey,
    _ moment: PacketContext, _ framings: VendorFramings
  ) -> [Finding] {
    guard mayBeOfService(value.bytes.raw, value.operation, at: handle, of: owner, framings),
      services.find(owner) != nil || services.values.count < Self.mostConversations
    else { return [] }
    serviceBudget -= 1
    if let finding = services[owner].sentinels.take(value, at: handle, moment, framings) {
      return [note(finding, owner)]
    }
    return services[owner].take(value, at: handle, moment)
  }

  private mutating func recognizeFraming(
    _ value: VendorValue, _ handle: UInt16, _ owner: Session.DatabaseKey,
    _ moment: PacketContext, _ framings: VendorFramings
  ) -> [Finding] {
    if let known = found[owner], let finding = neighbor(of: known, value, handle, framings) {
      return [note(finding, owner)]
    }
    guard KeyShape.point(in: value.bytes.raw, reach: Self.longestHeader) != nil else { return [] }
    budget -= 1
    for var candidate in candidates(framings) {
      let untouched = candidate
      guard let (type, evidence) = candidate.prove(value, values: 1) else { continue }
      let finding = Finding(
        framing: candidate.framing, handle: handle, characteristic: candidate.characteristic,
        evidence: evidence)
      guard type == .publicKey, untouched.marks(in: value) < Self.leastMarks else {
        return announced(before: finding, owner).map { note($0, owner) } + [note(finding, owner)]
      }
      announce(Announcement(finding: finding, value: value, moment: moment), owner)
    }
    return []
  }

  private mutating func announce(_ one: Announcement, _ owner: Session.DatabaseKey) {
    guard announcements[owner] != nil || announcements.count < Self.mostConversations else {
      return
    }
    var known = announcements.removeValue(forKey: owner) ?? []
    known.removeAll {
      $0.finding.framing == one.finding.framing
        && $0.finding.characteristic == one.finding.characteristic
    }
    if known.count == Self.mostAnnouncements { known.removeFirst() }
    announcements[owner] = known + [one]
  }

  /// The attributes whose public keys an encapsulated key of their framing confirms.
  private mutating func announced(
    before finding: Finding, _ owner: Session.DatabaseKey
  ) -> [Finding] {
    (announcements.removeValue(forKey: owner) ?? []).compactMap { one in
      guard one.finding.framing == finding.framing, one.finding.handle != finding.handle,
        Self.isNear(one.finding.handle, finding.handle)
      else { return nil }
      var confirmed = one.finding
      confirmed.earlier = [(one.value, one.moment)]
      return confirmed
    }
  }

  /// Whether a value of the attribute contains a public key that a framing may still claim.
  func mayClaimKey(at handle: UInt16, of owner: Session.DatabaseKey) -> Bool {
    announcements[owner]?.contains { $0.finding.handle == handle } == true
  }

  /// Keeps a part of a key: the other parts may show that a framing uses the attribute.
  mutating func hold(_ key: UnclaimedKey) {
    guard partialKeys[key.owner] == nil, partialKeys.count < Self.mostConversations else { return }
    partialKeys[key.owner] = key
  }

  /// The public keys that no framing claimed, one for each server.
  var unclaimedKeys: [UnclaimedKey] {
    let whole = announcements.compactMap { owner, all in
      all.first.map { one in
        UnclaimedKey(owner: owner, handle: one.finding.handle, shape: .p256, moment: one.moment)
      }
    }
    let parts = partialKeys.values.filter { key in
      announcements[key.owner] == nil
        && found[key.owner]?.contains { $0.place.handle == key.handle } != true
    }
    return (whole + parts).sorted { $0.moment.packet.number < $1.moment.packet.number }
  }

  private static func isNear(_ handle: UInt16, _ other: UInt16) -> Bool {
    abs(Int(handle) - Int(other)) <= nearby
  }

  private mutating func note(_ finding: Finding, _ owner: Session.DatabaseKey) -> Finding {
    found[owner, default: []].append((finding.framing, (finding.handle, finding.characteristic)))
    return finding
  }

  /// Another attribute of a framing that was recognized on this server.
  private mutating func neighbor(
    of known: [(framing: String, place: AttributePlace)], _ value: VendorValue,
    _ handle: UInt16, _ framings: VendorFramings
  ) -> Finding? {
    for one in known where Self.isNear(one.place.handle, handle) {
      budget -= 1
      var reading: [BluetoothUUID] = []
      for var candidate in candidates(framings) where candidate.framing == one.framing {
        let isTaken = known.contains { $0.place.characteristic == candidate.characteristic }
        if !isTaken, candidate.reads(value) { reading.append(candidate.characteristic) }
      }
      // A framing may have several attributes with messages of one form.
      guard reading.count == 1 else { continue }
      return Finding(
        framing: one.framing, handle: handle, characteristic: reading[0],
        evidence: .header(beside: one.place.handle))
    }
    return nil
  }

  /// Apple's own services have no keys.
  private func candidates(_ framings: VendorFramings) -> [Candidate] {
    let builtIn = Set(VendorFramings.builtIn.all.map(\.name))
    return framings.all.filter { !builtIn.contains($0.name) }.flatMap { framing in
      framing.channels.compactMap { channel in
        guard case .characteristic(let uuid) = channel else { return nil }
        return Candidate(
          framing: framing.name, characteristic: uuid, assembler: framing.makeAssembler())
      }
    }
  }

  private static let longestHeader = 48
  /// Bytes of a header that show whose message it is.
  private static let leastMarks = 2
}

extension AttributeRecognition.Candidate {
  private static let longestMarks = 8

  /// What the value completes, if that is a key exchange with a complete key.
  fileprivate mutating func prove(
    _ value: VendorValue, values: Int
  ) -> (type: SecurityMessage.KeyType, evidence: AttributeEvent.Recognized.Evidence)? {
    for framed in assembler.receive(at(value)) {
      guard case .security(let step) = framed.content, step.message.hasExpectedSize else {
        continue
      }
      return (
        step.message.keyType,
        .key(
          step.message.keyType, step.message.cipherSuite, count: step.message.key.count,
          values: values)
      )
    }
    return nil
  }

  /// How many of the first bytes the framing needs to find a key in the value.
  fileprivate func marks(in value: VendorValue) -> Int {
    (0..<min(Self.longestMarks, value.bytes.count)).count { place in
      var (other, fresh) = (value, self)
      other.bytes[place] = ~value.bytes[place]
      return fresh.prove(other, values: 1) == nil
    }
  }

  /// Whether the value is a message of the framing, or begins one.
  fileprivate mutating func reads(_ value: VendorValue) -> Bool {
    let whole = assembler.receive(at(value))
    for framed in whole {
      switch framed.content {
      case .unreadable, .incomplete: return false
      default: continue
      }
    }
    return !whole.isEmpty || !assembler.reset(.captureEnded).isEmpty
  }

  private func at(_ value: VendorValue) -> VendorValue {
    var value = value
    value.channel = .characteristic(characteristic)
    return value
  }
}
