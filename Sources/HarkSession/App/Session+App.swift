import HarkCore
import HarkCrypto

// The app's side, inserted between the records of the capture.
extension Tables {
  /// The device with an address; logs do not show whether it is public or random.
  func known(_ address: BluetoothAddress) -> DeviceID? {
    devices.find(BluetoothAddress(address.value))
      ?? devices.find(BluetoothAddress(address.value, .random))
  }
  /// A log may name many accessories. If it is unknown which one a channel belongs to, only a few are tried.
  private static let mostTried = 4

  /// The possible identifiers of a channel's accessory on the phone.
  func identifiers(of owner: Session.DatabaseKey) -> [String] {
    guard !devices.identifiers.isEmpty else { return [] }
    if case .device(let id) = owner {
      let addresses = devices[devices.current(id)].addresses.map(\.value)
      let own = devices.identifiers.filter { addresses.contains($0.address.value) }
      if !own.isEmpty { return own.map(\.identifier) }
    }
    let all = devices.identifiers
    return all.count <= Self.mostTried ? all.map(\.identifier) : []
  }
}

extension Session {
  /// Takes what has arrived in addition to the capture since its last record.
  public mutating func take(_ update: SessionUpdate) {
    switch update {
    case .advertisers: gatherAdvertisers()
    case .keys(let keys): add(keys)
    case .identifier(let identifier, let address): note(identifier: identifier, of: address)
    case .app(let event, let time, let next): report(event, at: time, before: next)
    case .profileMistake(let mistake, let packets): report(mistake, shownBy: packets)
    }
  }

  /// Whether messages that no key decrypts are kept, so that later keys can decrypt them: for captures that grow.
  public var opensLater: Bool {
    get { traffic.accessory.accessories.keepsLocked }
    set { traffic.accessory.accessories.keepsLocked = newValue }
  }

  /// Adds new keys. With `opensLater`, messages that they decrypt are reported now; what a link encrypted before
  /// stays encrypted.
  public mutating func add(_ keys: [StoredKey]) {
    var moment = PacketContext(
      packet: PacketID(UInt32(clamping: tables.packets.count)),
      time: tables.counts.lastTime ?? Timestamp(nanoseconds: 0), direction: .hostToController,
      controller: 0, cut: 0)
    moment.isUndirected = true
    for key in keys where tables.keys.add(key) {
      guard case .bonding(let key) = key, key.kind == .identityResolvingKey else { continue }
      tables.learn(key, of: key.address.map { .identity($0) } ?? .unknown, moment)
    }
    traffic.accessory.reopen(moment, &tables)
  }

  /// Reports an event of the app's side, after the last indexed record.
  /// - Parameters:
  ///   - time: By the clock of the capture.
  ///   - next: The time of the record that is indexed next.
  public mutating func report(_ app: AppEvent, at time: Timestamp, before next: Timestamp) {
    if tables.counts.firstTime == nil { tables.counts.firstTime = next }
    tables.flushActivity()
    let packet = PacketID(UInt32(truncatingIfNeeded: tables.packets.count))
    let device =
      app.address.flatMap { tables.known($0) }
      ?? app[.identifier].flatMap { identifier in
        tables.devices.identifiers.first { $0.identifier == identifier.uppercased() }
          .flatMap { tables.known($0.address) }
      }
    var app = app
    app.configuration = appConfigurations.take(app, at: packet, of: device)
    if let change = app.configuration?.change {
      app.configuration?.remarks += traffic.accessory.reversals(
        in: change, isOfApp: true, tables)
    }
    tables.report(
      Event(
        time: time, frames: Event.Frames(behind: packet), device: device, severity: app.severity,
        content: .app(app)),
      as: packet)
    tables.log.appTime = max(tables.log.appTime ?? time, time)
  }

  /// Takes CoreBluetooth's identifier of a device, from which phones derive keys.
  public mutating func note(identifier: String, of address: BluetoothAddress) {
    let known = (address, identifier.uppercased())
    guard tables.devices.identifiers.count < Self.mostIdentifiers,
      !tables.devices.identifiers.contains(where: { $0 == known })
    else { return }
    tables.devices.identifiers.append((address: known.0, identifier: known.1))
  }

  static let mostIdentifiers = 1_024
}
