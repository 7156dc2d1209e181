import HarkCore

/// What a session borrows from its library.
struct Borrowing: Sendable {
  let library: GATTLibrary
  /// Who lends a database what the capture does not show.
  var lenders: [Session.DatabaseKey: GATTLibrary.Lender] = [:]
  /// Databases that turned out to differ from what the library says.
  var rejects: Set<Session.DatabaseKey> = []
  /// The Database Hashes that clients read.
  var hashes: [Session.DatabaseKey: [UInt8]] = [:]
}

// What the library knows of a server, where the capture does not show it. Asked when a link opens, when a
// device becomes better known, and when its Database Hash is read, and never for other packets.
extension Tables {
  /// Looks the device of a link up.
  mutating func borrow(on link: LinkID, _ moment: PacketContext) {
    guard !devices.borrowing.library.isEmpty, let device = links[link].device else { return }
    borrow(for: device, at: links[link].peer, moment)
  }

  mutating func borrow(
    for device: DeviceID, at peer: BluetoothAddress? = nil, _ moment: PacketContext
  ) {
    guard !devices.borrowing.library.isEmpty else { return }
    let device = devices.current(device)
    let key = Session.DatabaseKey.device(device)
    guard devices.borrowing.lenders[key] == nil, !devices.borrowing.rejects.contains(key),
      let lender = devices.borrowing.library.lender(of: devices[device], peer: peer)
    else { return }
    if let hash = devices.borrowing.hashes[key],
      let other = devices.borrowing.library.entries[lender.entry].hash, other != hash
    {
      return
    }
    borrow(from: lender, for: key, moment)
  }

  /// A client read the Database Hash. Vol 3, Part G, 7.3
  mutating func learn(hash: [UInt8], of key: Session.DatabaseKey, _ moment: PacketContext) {
    guard hash.count == GATTLibrary.hashCount else { return }
    devices.borrowing.hashes[key] = hash
    guard !devices.borrowing.library.isEmpty else { return }
    if let lender = devices.borrowing.lenders[key] {
      guard let known = devices.borrowing.library.entries[lender.entry].hash, known != hash else {
        return
      }
      databases[key].returnBorrowed()
      returnBorrowed(key, moment)
    }
    if let lender = devices.borrowing.library.lender(hash: hash) {
      borrow(from: lender, for: key, moment)
    }
  }

  private mutating func borrow(
    from lender: GATTLibrary.Lender, for key: Session.DatabaseKey, _ moment: PacketContext
  ) {
    guard databases[key].borrow(devices.borrowing.library.entries[lender.entry].database) else {
      return
    }
    devices.borrowing.lenders[key] = lender
    let lent = devices.borrowing.library.entries[lender.entry].database
    concealUsed(Array(databases[key].uses.keys), key)
    emit(
      .attribute(
        .borrowed(
          .init(
            source: lender.source, match: lender.match, services: lent.services.count,
            characteristics: lent.characteristics.count, descriptors: lent.descriptors.count))),
      moment, device: device(of: key))
  }

  /// Discovery showed that the server is not as the library has it.
  mutating func notePossibleReturn(of key: Session.DatabaseKey, _ moment: PacketContext) {
    guard !devices.borrowing.library.isEmpty, devices.borrowing.lenders[key] != nil,
      !databases[key].hasBorrowed
    else { return }
    returnBorrowed(key, moment)
  }

  private mutating func returnBorrowed(_ key: Session.DatabaseKey, _ moment: PacketContext) {
    guard let lender = devices.borrowing.lenders.removeValue(forKey: key) else { return }
    devices.borrowing.rejects.insert(key)
    emit(
      .attribute(.returned(.init(source: lender.source))), moment, severity: .warning,
      device: device(of: key))
  }

  private func device(of key: Session.DatabaseKey) -> DeviceID? {
    if case .device(let device) = key { device } else { nil }
  }

  /// Two devices are one: what was borrowed for either is looked up again.
  mutating func returnBeforeMerge(_ key: Session.DatabaseKey) {
    guard devices.borrowing.lenders.removeValue(forKey: key) != nil else { return }
    databases[key].returnBorrowed()
  }
}

extension GATTLibrary {
  /// What a session shows of each device's database, for the library of another one.
  public static func entries(of session: borrowing Session, source: String) -> [Entry] {
    func order(_ key: Session.DatabaseKey) -> UInt32 {
      if case .device(let id) = key { id.index } else { .max }
    }
    let devices = session.devices
    let hashes = session.tables.devices.borrowing.hashes
    return session.databases.sorted { order($0.key) < order($1.key) }.compactMap { key, database in
      guard case .device(let id) = key, !database.isEmpty else { return nil }
      let device = devices[Int(id.index)]
      var entry = Entry(source: source, name: device.name)
      entry.addresses = device.addresses
      entry.hash = hashes[key]
      entry.database = database
      return entry
    }
  }
}
