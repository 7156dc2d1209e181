import HarkCore

/// What a session borrows from its library.
struct Borrowing: Sendable {
  let library: GATTLibrary
  /// Attributes and channels that are known by number.
  let numbered: NumberedPlaces
  /// The source of attributes that the capture does not show.
  var lenders: [Session.DatabaseKey: GATTLibrary.Lender] = [:]
  /// Databases that turned out to differ from the library.
  var rejects: Set<Session.DatabaseKey> = []
  /// The entries that were used at some time.
  var used: Set<Int> = []
  /// The Database Hashes that clients have read.
  var hashes: [Session.DatabaseKey: [UInt8]] = [:]
  /// One, or none until it is needed: in most captures, links have their beginning.
  private var inference: [Inference] = []
  /// Whether values may have shown what an attribute is.
  var mayHaveRecognized: Bool { !inference.isEmpty }

  init(library: GATTLibrary, numbered: NumberedPlaces) {
    (self.library, self.numbered) = (library, numbered)
  }

  var eliminations: [Elimination] {
    get { inference.first?.eliminations ?? [] }
    _modify {
      if inference.isEmpty { inference.append(Inference()) }
      yield &inference[0].eliminations
    }
  }
  /// Whether a value of a server, or data of a channel, may be searched for a key that no framing describes.
  mutating func mayHintAtKey(
    of key: Session.DatabaseKey, in source: KeySource = .attributes
  ) -> Bool {
    if inference.isEmpty { inference.append(Inference()) }
    guard !inference[0].hinted.contains(key) else { return false }
    return inference[0].keyBudgets.spend(source)
  }

  mutating func hintAtKey(of key: Session.DatabaseKey) { inference[0].hinted.insert(key) }

  /// A cheap check for every value of an unknown attribute: whether it may be kept as a part of a longer message.
  var mayCollectKeyParts: Bool {
    inference.isEmpty || !inference[0].recognition.keyParts.isSpent
  }

  /// A cheap check for every value of an unknown attribute: whether it may prove the attribute's type. It is mutating
  /// so that it works in place: a copy would count the references of its dictionaries for each value.
  mutating func mayRecognize(
    _ value: RawSpan, _ operation: VendorValue.Operation, at handle: UInt16,
    of owner: Session.DatabaseKey, _ framings: VendorFramings
  ) -> Bool {
    if inference.isEmpty { inference.append(Inference()) }
    return inference[0].recognition.isWorthTrying(
      value, operation, at: handle, of: owner, framings)
  }

  /// The server is another one.
  mutating func forget(_ key: Session.DatabaseKey) {
    (lenders[key], hashes[key]) = (nil, nil)
    rejects.remove(key)
    guard !inference.isEmpty else { return }
    inference[0].hinted.remove(key)
    inference[0].recognition.forget(key)
  }

  var recognition: AttributeRecognition {
    get { inference.first?.recognition ?? AttributeRecognition() }
    _modify {
      if inference.isEmpty { inference.append(Inference()) }
      yield &inference[0].recognition
    }
  }
}

/// Where keys are searched for: much data of one must not use up what the other may cost.
enum KeySource {
  case attributes, channels
}

/// How many more values of each source may be examined.
private struct KeyBudgets: Sendable {
  private var attributes = 512
  private var channels = 512

  /// - Returns: Whether one was left.
  mutating func spend(_ source: KeySource) -> Bool {
    switch source {
    case .attributes: Self.spend(&attributes)
    case .channels: Self.spend(&channels)
    }
  }

  private static func spend(_ left: inout Int) -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}

/// What is found out about servers without discovery in the capture.
private struct Inference: Sendable {
  /// For links whose beginning is missing.
  var eliminations: [Elimination] = []
  var recognition = AttributeRecognition()
  /// Servers with a reported key that no framing describes.
  var hinted: Set<Session.DatabaseKey> = []
  var keyBudgets = KeyBudgets()
}

// What the library knows about a server and the capture does not show. It is consulted when a link opens, when more
// becomes known about a device, and when its Database Hash is read, and never for other packets.
extension Tables {
  /// Looks up the device of a link.
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
    let earlier = devices.borrowing.hashes.updateValue(hash, forKey: key)
    databases[key].tookHash(isOther: earlier.map { $0 != hash } ?? false, moment.packet)
    guard !devices.borrowing.library.isEmpty else { return }
    if let lender = devices.borrowing.lenders[key],
      let known = devices.borrowing.library.entries[lender.entry].hash
    {
      guard known != hash else { return }
      databases[key].returnBorrowed()
      returnBorrowed(key, moment)
    }
    if let lender = devices.borrowing.library.lender(hash: hash) {
      // The hash is more certain than the match of an entry without a hash.
      if let earlier = devices.borrowing.lenders[key] {
        if earlier.entry == lender.entry {
          devices.borrowing.lenders[key] = lender
          return
        }
        databases[key].returnBorrowed()
      }
      borrow(from: lender, for: key, moment)
    }
  }

  /// - Returns: Whether it borrowed: not if the capture shows something else.
  @discardableResult
  mutating func borrow(
    from lender: GATTLibrary.Lender, for key: Session.DatabaseKey, _ moment: PacketContext
  ) -> Bool {
    guard databases[key].borrow(devices.borrowing.library.entries[lender.entry].database) else {
      return false
    }
    devices.borrowing.lenders[key] = lender
    devices.borrowing.used.insert(lender.entry)
    let lent = devices.borrowing.library.entries[lender.entry].database
    concealUsed(Array(databases[key].uses.keys), key)
    emit(
      .attribute(
        .borrowed(
          .init(
            source: lender.source, match: lender.match, services: lent.services.count,
            characteristics: lent.characteristics.count, descriptors: lent.descriptors.count))),
      moment, device: device(of: key))
    return true
  }

  /// Discovery showed that the server differs from the library.
  mutating func notePossibleReturn(of key: Session.DatabaseKey, _ moment: PacketContext) {
    guard !devices.borrowing.library.isEmpty, devices.borrowing.lenders[key] != nil,
      !databases[key].hasBorrowed
    else { return }
    returnBorrowed(key, moment)
  }

  mutating func returnBorrowed(_ key: Session.DatabaseKey, _ moment: PacketContext) {
    guard let lender = devices.borrowing.lenders.removeValue(forKey: key) else { return }
    devices.borrowing.rejects.insert(key)
    emit(
      .attribute(.returned(.init(source: lender.source))), moment, severity: .warning,
      device: device(of: key))
    if case .link(let link) = key { eliminate(lender.entry, on: link, moment) }
  }

  private func device(of key: Session.DatabaseKey) -> DeviceID? {
    if case .device(let device) = key { device } else { nil }
  }

  /// Two devices turned out to be one: what was borrowed for either is looked up again.
  mutating func returnBeforeMerge(_ key: Session.DatabaseKey) {
    guard devices.borrowing.lenders.removeValue(forKey: key) != nil else { return }
    databases[key].returnBorrowed()
  }
}

extension GATTLibrary {
  /// What a session shows of each device's database, for the library of another session.
  public static func entries(of session: borrowing Session, source: String) -> [Entry] {
    func order(_ key: Session.DatabaseKey) -> (Int, UInt32) {
      switch key {
      case .device(let id): (0, id.index)
      case .link(let id): (1, UInt32(id.index))
      case .local: (2, 0)
      }
    }
    let devices = session.devices
    let hashes = session.tables.devices.borrowing.hashes
    return session.databases.sorted { order($0.key) < order($1.key) }.compactMap { key, database in
      let found = database.discovered
      guard key.isPeer, found.services + found.characteristics + found.descriptors > 0 else {
        return nil
      }
      var entry = Entry(source: source)
      if case .device(let id) = key {
        let device = devices[Int(id.index)]
        entry.name = device.name
        entry.addresses = device.addresses
      }
      entry.hash = hashes[key]
      entry.database = database
      return entry
    }
  }
}
