import HarkCore
import HarkCrypto
import HarkSession

/// What is encrypted in a capture, why it cannot be read, and what would open it.
public struct Explanation: Sendable {
  /// Something encrypted that one reason explains.
  struct Item: Sendable {
    enum Layer: String, Sendable { case link, message, address, advertising }

    let layer: Layer
    let subject: String
    let link: LinkID?
    /// A name that stays, for programs: `opened`, or what is missing.
    var reason: String
    var sentence: String
    var isOpened = false
    var first: PacketID
    var last: PacketID
    /// How many messages or addresses; 1 of a link.
    var count = 1
    /// The key that opens it, and where it is from.
    var key: (fingerprint: Fingerprint, origin: String)?
    /// The public key whose private key is missing.
    var missing: Fingerprint?
    var found: [String] = []
    var tried: [String] = []
    var firstLost: String?
    var remedies: [String] = []
    /// Whether the packet that was asked for is one of it.
    var hasPacket = false
    /// Whether it turned out later that nothing is missing.
    var isSettled = false

    static let start = "encryption-agreed"
    /// Whether a link agreed on encryption, and nothing encrypted followed: refused, or lost.
    var isOnlyAgreed: Bool { reason == Self.start }
  }

  /// Of which packet alone it is; nil for all.
  let packet: PacketID?
  var items: [Item] = []
  /// Whether there are more items than are kept.
  var isCut = false
  /// What key exchanges showed, by device.
  private var exchanges: [DeviceID?: [String]] = [:]
  /// Which item explains a link, or messages.
  private var links: [LinkID: Int] = [:]
  private var messages: [MessageGroup: Int] = [:]
  var addresses = UnresolvedAddresses()
  /// Of the user's own profiles: each may be why messages are locked.
  var mistakes: [(mistake: CaptureEvent.ProfileMistake, packets: Event.Frames)] = []

  private struct MessageGroup: Hashable {
    let device: DeviceID?
    let reason: String
    let key: Fingerprint?
  }

  static let mostItems = 1_000
  private static let mostFacts = 6

  public init(packet: PacketID? = nil) { self.packet = packet }

  /// Takes what happened with the record indexed last. To be called after each record, and once after the last.
  public mutating func take(_ session: borrowing Session) {
    for event in session.events {
      switch event.content {
      case .linkLayer(let content): take(content, event, session)
      case .accessory(let content): take(content, event, session)
      case .accessoryProtocol(let content): take(content, event, session)
      case .security(.keyInCapture(let key)) where key.keyKind == .identityResolvingKey:
        tryIRK(key.fingerprint, session)
      case .capture(.profileMistake(let mistake)) where mistakes.count < Self.mostItems:
        mistakes.append((mistake, event.frames))
      default: break
      }
    }
    takeAddresses(session)
  }

  // MARK: Links

  private mutating func take(
    _ content: LinkLayerEvent, _ event: Event, _ session: borrowing Session
  ) {
    guard let link = event.link else { return }
    switch content {
    case .encryptionRequested(let request):
      let key =
        switch request.isShortTerm {
        case true?: "the key of a pairing"
        case false?: "the LTK of a bond"
        case nil: "the key of a pairing or of an LE Secure Connections bond"
        }
      add(
        Item(
          layer: .link, subject: Self.subject(link, event, session), link: link,
          reason: Item.start, sentence: "its encryption starts", first: event.frames.first,
          last: event.frames.last,
          found: ["#\(event.frames.first.number): LL_ENC_REQ with \(key)"]), of: link)
    case .opened(let opened):
      let place = place(of: link, event, session)
      guard let place else { return }
      items[place].isOpened = true
      items[place].reason = "opened"
      switch opened.key {
      case .longTermKey(let fingerprint):
        items[place].key = (fingerprint, Self.origin(of: fingerprint, session))
        items[place].sentence = "LTK \(fingerprint) decrypts it"
      case .shortTermKey(let hasPasskey):
        items[place].sentence =
          hasPasskey
          ? "hark found the pairing's passkey, and the STK decrypts it"
          : "the pairing used no passkey, and the STK decrypts it"
      case .temporaryKey(let fingerprint):
        items[place].key = (fingerprint, Self.origin(of: fingerprint, session))
        items[place].sentence = "the STK made with temporary key \(fingerprint) decrypts it"
      case .secureConnections(let fingerprint, let isDebugKey):
        items[place].key = (fingerprint, Self.origin(of: fingerprint, session))
        items[place].sentence =
          "LTK \(fingerprint), computed with "
          + (isDebugKey ? "the debug key" : "a private key of the pairing") + ", decrypts it"
      }
    case .locked(let locked):
      guard var place = place(of: link, event, session) else { return }
      if items[place].isOpened {
        // What it opened stays opened.
        let opened = items[place]
        add(
          Item(
            layer: .link, subject: opened.subject, link: link, reason: opened.reason, sentence: "",
            first: locked.since ?? event.frames.first, last: event.frames.last,
            key: locked.counter == nil ? nil : opened.key), of: link)
        guard !isCut else { return }
        place = items.count - 1
      }
      lock(place, locked, event, session)
    default: break
    }
  }

  private mutating func lock(
    _ place: Int, _ locked: LinkLayerEvent.Locked, _ event: Event, _ session: borrowing Session
  ) {
    items[place].isOpened = false
    items[place].reason = locked.lock.name.description
    items[place].sentence = locked.lock.words.description
    items[place].last = event.frames.last
    if let key = items[place].key, locked.counter != nil {
      items[place].tried = [
        "\(key.fingerprint) (\(key.origin)) with the packet counters that follow"
      ]
    } else if locked.lock != .startNotHeard {
      items[place].tried = Self.tried(locked, session)
    }
    if let counter = locked.counter {
      let who = locked.byPeripheral == true ? "Peripheral" : "Central"
      items[place].firstLost =
        "packet counter \(counter) of the \(who), before #\(items[place].first.number)"
    }
    let peer = session.links[Int(event.link?.index ?? 0)].peer.map { "@\($0)" } ?? ""
    items[place].remedies = Remedies.link(locked.lock, locked.trial, peer: peer)
  }

  /// The item of a link whose encryption began before, or is not in the capture.
  private mutating func place(
    of link: LinkID, _ event: Event, _ session: borrowing Session
  ) -> Int? {
    if let place = links[link] { return place }
    add(
      Item(
        layer: .link, subject: Self.subject(link, event, session), link: link,
        reason: Item.start, sentence: "its encryption starts", first: event.frames.first,
        last: event.frames.last), of: link)
    return links[link]
  }

  private mutating func add(_ item: Item, of link: LinkID) {
    guard items.count < Self.mostItems else {
      isCut = true
      return
    }
    links[link] = items.count
    items.append(item)
  }

  private static func subject(
    _ link: LinkID, _ event: Event, _ session: borrowing Session
  ) -> String {
    let known = session.links[Int(link.index)]
    let peer = (known.peer.map { "\($0)" } ?? known.peerName).map { " to \($0)" } ?? ""
    return "link \(known.designation)\(peer)"
  }

  static func origin(of fingerprint: Fingerprint, _ session: borrowing Session) -> String {
    session.keys.entries.first { $0.fingerprint == fingerprint }?.origin.description
      ?? "the capture"
  }

  // MARK: Messages

  private mutating func take(
    _ content: AccessoryEvent, _ event: Event, _ session: borrowing Session
  ) {
    let number = event.frames.last.number
    switch content.content {
    case .publicKey(let key):
      note(
        "#\(number): public key \(key.fingerprint) (\(key.step.message.cipherSuite.name))"
          + (key.hasPrivateKey ? ", whose private key is known" : ""), event.device)
    case .encapsulatedKey(let key):
      note("#\(number): encapsulated key, generation \(key.generation)", event.device)
    case .exposedKey(let key):
      note("#\(number): private key of \(key.fingerprint), in the clear", event.device)
    case .message(let message): take(message, content, event, session)
    default: break
    }
  }

  private mutating func note(_ fact: String, _ device: DeviceID?) {
    guard exchanges.count < Self.mostItems || exchanges[device] != nil else { return }
    var facts = exchanges[device] ?? []
    // The last exchange counts.
    if facts.count == Self.mostFacts { facts.removeFirst() }
    facts.append(fact)
    exchanges[device] = facts
  }

  private mutating func take(
    _ message: TransportedMessage, _ content: AccessoryEvent, _ event: Event,
    _ session: borrowing Session
  ) {
    let use = message.opened?.keyUse
    let group = MessageGroup(
      device: event.device, reason: message.verdict?.reason ?? "opened",
      key: use.map { $0.exchange?.privateKey ?? $0.key })
    let hasPacket = packet.map { content.frames.contains($0) } ?? false
    if let place = messages[group] {
      items[place].count += 1
      items[place].last = max(items[place].last, event.frames.last)
      if hasPacket { items[place].hasPacket = true }
      return
    }
    guard items.count < Self.mostItems else {
      isCut = true
      return
    }
    let label =
      event.device.map { session.devices[Int($0.index)].label }
      ?? event.link.flatMap { session.peerLabel(of: $0) } ?? "an accessory"
    var item = Item(
      layer: .message, subject: "messages of \(label)", link: event.link, reason: group.reason,
      sentence: "", first: event.frames.first, last: event.frames.last,
      found: exchanges[event.device] ?? [], hasPacket: hasPacket)
    if let use {
      item.isOpened = true
      let fingerprint = use.exchange?.privateKey ?? use.key
      item.key = (fingerprint, use.origin.description)
      item.sentence =
        use.exchange == nil
        ? "session key \(fingerprint) decrypts them"
        : "the private key of public key \(fingerprint) decrypts them"
    } else if let verdict = message.verdict {
      item.sentence = verdict.description
      if case .noPrivateKey(_, let publicKey) = verdict { item.missing = publicKey }
      item.tried = Self.tried(session, verdict, session: message.sessionID)
      item.remedies = Remedies.message(verdict, session: message.sessionID, content.direction)
    }
    messages[group] = items.count
    items.append(item)
  }

  // MARK: What is shown

  /// The number of the item that explains why an event is locked; nil for any other event.
  public func place(of event: Event) -> Int? {
    switch event.content {
    case .linkLayer(.locked): return event.link.flatMap { links[$0] }
    case .accessory(let content):
      guard case .message(let message) = content.content, let verdict = message.verdict else {
        return nil
      }
      return messages[MessageGroup(device: event.device, reason: verdict.reason, key: nil)]
    case .accessoryProtocol(.lockedAdvertising(let locked)):
      return addresses.advertisers[locked.address]
    case .link(.opened): return event.device.flatMap { addresses.devices[$0] }
    default: return nil
    }
  }

  /// The items that explain the packet that was asked for; all where none was.
  func shown(_ session: borrowing Session) -> [Item] {
    // Addresses come last: they hide the least.
    var items =
      items.filter { !$0.isSettled && !$0.isOnlyAgreed && $0.layer != .address }
      + items.filter { !$0.isSettled && $0.layer == .address }
    addUnopened(to: &items, session)
    Self.adviseOnDamage(&items)
    guard let packet else { return items + unresolvedAdvertisers(session) }
    let link = session.row(of: packet)?.link
    let device = link.flatMap { session.device(of: $0) }
    let place = device.flatMap { addresses.devices[$0] }
    // A link may be encrypted more than once.
    let stretch = items.last { $0.layer == .link && $0.link == link && $0.first <= packet }?.first
    return items.filter { item in
      item.hasPacket
        || place != nil && item.layer == .address && item.subject == self.items[place ?? 0].subject
        || item.layer == .link && item.link != nil && item.link == link && item.first == stretch
    }
  }

  /// If a key opens other messages of an accessory, no other key is needed for those with a wrong tag.
  private static func adviseOnDamage(_ items: inout [Item]) {
    let opened = Set(items.filter { $0.layer == .message && $0.isOpened }.map(\.subject))
    for index in items.indices
    where items[index].layer == .message && items[index].reason == wrongTag
      && opened.contains(items[index].subject)
    {
      items[index].remedies = Remedies.damaged
    }
  }

  /// `Verdict.reason` of a message that no key opens.
  private static let wrongTag = "tag-fails"

  /// Packets of links that a key opens, but for these: they are counted by link, and stand with its last part.
  private func addUnopened(to items: inout [Item], _ session: borrowing Session) {
    for link in links.keys {
      guard let air = session.links[Int(link.index)].air, air.unopened > 0,
        let place = items.lastIndex(where: { $0.link == link && $0.layer == .link }),
        items[place].isOpened
      else { continue }
      let wrong =
        air.wrongMICs > 0 ? ", \(Names.count(air.wrongMICs)) of them with a wrong MIC" : ""
      items[place].found.append(
        Names.count(air.unopened, "encrypted packet") + " that the key does not decrypt" + wrong)
    }
  }

  /// Whether what was asked for is locked.
  public func isLocked(_ session: borrowing Session) -> Bool {
    shown(session).contains { !$0.isOpened }
  }

  /// What to know where the capture is of HCI: nil for one from the air.
  func remark(_ session: borrowing Session) -> String? {
    guard session.links.contains(where: { $0.air == nil }), !session.links.isEmpty else {
      return nil
    }
    return "This is an HCI capture, recorded above link encryption: link data is in the clear, "
      + "and needs no LTK or link key. Messages that apps and accessories encrypt stay encrypted."
  }
}
