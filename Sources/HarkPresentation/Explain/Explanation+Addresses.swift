import HarkCore
import HarkCrypto
import HarkSession

// Resolvable private addresses that no IRK resolves, and advertising for which a key is missing. Core Specification,
// Vol 6, Part B, 1.3.2.3; Vol 3, Part H, 2.4.2.1.
extension Explanation {
  /// What is known about addresses so far.
  struct UnresolvedAddresses: Sendable {
    /// Which item explains a device on a link.
    var devices: [DeviceID: Int] = [:]
    /// Which item explains encrypted advertising, by the address.
    var advertisers: [BluetoothAddress: Int] = [:]
    /// Devices that were looked at, and what they were called then.
    fileprivate var seen = 0
    fileprivate var changes = 0
  }

  // MARK: Devices

  /// Takes devices that came with a resolvable private address, and those whose identity is known by now.
  mutating func takeAddresses(_ session: borrowing Session) {
    let devices = session.devices
    while addresses.seen < devices.count {
      let device = devices[addresses.seen]
      addresses.seen += 1
      guard device.address.isResolvablePrivate else { continue }
      guard items.count < Self.mostItems else {
        isCut = true
        continue
      }
      addresses.devices[device.id] = items.count
      items.append(item(of: device, session))
    }
    guard session.nameChanges != addresses.changes else { return }
    addresses.changes = session.nameChanges
    for (id, place) in addresses.devices {
      if !devices[Int(id.index)].address.isResolvablePrivate { items[place].isSettled = true }
    }
  }

  /// Tries an IRK that the capture just showed on the addresses that no other resolved.
  mutating func tryIRK(_ fingerprint: Fingerprint, _ session: borrowing Session) {
    let left = addresses.devices.filter { !items[$0.value].isSettled }
    let irk = session.keys.bondingKeys.last {
      $0.kind == .identityResolvingKey && $0.fingerprint == fingerprint
    }
    guard let irk, !left.isEmpty else { return }
    let tried = Self.tried(session, .identityResolvingKey)
    let resolved = irk.resolves(left.map { session.devices[Int($0.key.index)].address })
    for ((_, place), isResolved) in zip(left, resolved) {
      items[place].tried = tried
      if isResolved { items[place].isSettled = true }
    }
  }

  private func item(of device: Device, _ session: borrowing Session) -> Item {
    Item(
      layer: .address, subject: "address \(device.address)", link: nil, reason: "irk",
      sentence: Self.unresolved, first: device.firstSeen, last: device.firstSeen,
      found: [
        "#\(device.firstSeen.number): a resolvable private address, which changes"
      ],
      tried: Self.tried(session, .identityResolvingKey), remedies: Remedies.address)
  }

  private static let unresolved =
    "no known IRK resolves it: the IRK that this device distributed during pairing shows its identity"

  /// The keys of a kind that there are.
  private static func tried(_ session: borrowing Session, _ kind: BondingKey.Kind) -> [String] {
    let keys = session.keys.bondingKeys.filter { $0.kind == kind }
    guard !keys.isEmpty else {
      return ["no \(kind.rawValue): none was given, and the capture has none"]
    }
    let named = keys.prefix(4).map { "\($0.fingerprint) (\($0.origin))" }
    return [
      "\(Names.count(keys.count, kind.rawValue)), but no match: "
        + named.joined(separator: ", ")
        + (keys.count > 4 ? ", …" : "")
    ]
  }

  /// All that only advertised, in one item: there may be any number of them around.
  func unresolvedAdvertisers(_ session: borrowing Session) -> [Item] {
    let all = session.unresolvedAdvertisers()
    guard let first = all.first, let last = all.last else { return [] }
    let named = all.prefix(4).map { "\($0.address)" }.joined(separator: ", ")
    return [
      Item(
        layer: .address,
        subject: all.count == 1
          ? "address \(first.address)" : "\(all.count) private addresses that advertise",
        link: nil, reason: "irk",
        sentence: all.count == 1
          ? Self.unresolved
          : "no known IRK resolves them: only their IRKs show which devices they are, and how many",
        first: first.first, last: last.first, count: all.count,
        found: all.count == 1 ? [] : [named + (all.count > 4 ? ", …" : "")],
        tried: Self.tried(session, .identityResolvingKey), remedies: Remedies.address)
    ]
  }

  // MARK: Advertising

  mutating func take(_ content: AAPEvent, _ event: Event, _ session: borrowing Session) {
    switch content {
    case .lockedAdvertising(let locked):
      lock(locked, event, session)
    case .advertisedBattery(let opened):
      open(opened.plaintext.key, event, session)
    default: break
    }
  }

  private mutating func lock(
    _ locked: AAPEvent.LockedAdvertising, _ event: Event, _ session: borrowing Session
  ) {
    guard addresses.advertisers[locked.address] == nil else { return }
    guard items.count < Self.mostItems else {
      isCut = true
      return
    }
    addresses.advertisers[locked.address] = items.count
    var tried = Self.tried(session, .proximityPairingKey)
    if case .unresolved = locked.lock { tried = Self.tried(session, .identityResolvingKey) + tried }
    items.append(
      Item(
        layer: .advertising, subject: "proximity pairing advertising of \(locked.address)",
        link: nil, reason: locked.lock.name.description, sentence: locked.lock.words.description,
        first: event.frames.first, last: event.frames.last,
        found: [
          "#\(event.frames.first.number): 16 encrypted bytes, with the batteries of buds and case"
        ],
        tried: tried, remedies: Remedies.advertising(locked.lock, locked.address),
        hasPacket: packet == event.frames.first))
  }

  /// The key of one advertiser came to light.
  private mutating func open(
    _ key: Fingerprint, _ event: Event, _ session: borrowing Session
  ) {
    guard let device = event.device.map({ session.devices[Int($0.index)] }) else { return }
    let place =
      (device.addresses + [device.address]).compactMap { addresses.advertisers[$0] }.first
    let hasPacket = packet == event.frames.first
    if let place {
      items[place].isOpened = true
      items[place].reason = "opened"
      items[place].sentence = "proximity pairing key \(key) decrypts it"
      items[place].key = (key, Self.origin(of: key, session))
      items[place].last = max(items[place].last, event.frames.last)
      (items[place].tried, items[place].remedies) = ([], [])
      if hasPacket { items[place].hasPacket = true }
      return
    }
    guard items.count < Self.mostItems else {
      isCut = true
      return
    }
    addresses.advertisers[device.address] = items.count
    items.append(
      Item(
        layer: .advertising, subject: "proximity pairing advertising of \(device.address)",
        link: nil, reason: "opened", sentence: "proximity pairing key \(key) decrypts it",
        isOpened: true, first: event.frames.first, last: event.frames.last,
        key: (key, Self.origin(of: key, session)), hasPacket: hasPacket))
  }
}
