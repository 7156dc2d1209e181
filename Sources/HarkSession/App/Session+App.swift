import HarkCore

// The app's side, told between the records of the capture.
extension Session {
  /// Tells of something that happened on the app's side, behind the record indexed last.
  /// - Parameters:
  ///   - time: By the clock of the capture.
  ///   - next: The time of the record that is indexed next.
  public mutating func tell(_ app: AppEvent, at time: Timestamp, before next: Timestamp) {
    if counts.firstTime == nil { counts.firstTime = next }
    flushActivity()
    let packet = PacketID(UInt32(truncatingIfNeeded: packets.count))
    let device =
      app.address.flatMap { known($0) }
      ?? app[.identifier].flatMap { identifier in
        identifiers.first { $0.identifier == identifier.uppercased() }
          .flatMap { known($0.address) }
      }
    var app = app
    app.configuration = appConfigurations.take(app, at: packet)
    if let change = app.configuration?.change {
      app.configuration?.remarks += reversals(in: change)
    }
    tell(
      Event(
        time: time, frames: Event.Frames(behind: packet), device: device, severity: app.severity,
        content: .app(app)),
      as: packet)
    appTime = max(appTime ?? time, time)
  }

  /// The device with an address, of which logs do not tell whether it is public or random.
  private func known(_ address: BluetoothAddress) -> DeviceID? {
    deviceTable.find(BluetoothAddress(address.value))
      ?? deviceTable.find(BluetoothAddress(address.value, .random))
  }

  /// Takes what CoreBluetooth calls a device, which phones derive keys with.
  public mutating func note(identifier: String, of address: BluetoothAddress) {
    let known = (address, identifier.uppercased())
    guard identifiers.count < Self.mostIdentifiers, !identifiers.contains(where: { $0 == known })
    else { return }
    identifiers.append((address: known.0, identifier: known.1))
  }

  static let mostIdentifiers = 1_024
  /// A log may name many accessories; of those that a channel cannot be told apart from, only few
  /// are tried.
  private static let mostTried = 4

  /// What phones may call the accessory of a channel.
  func identifiers(of owner: DatabaseKey) -> [String] {
    guard !identifiers.isEmpty else { return [] }
    if case .device(let id) = owner {
      let addresses = deviceTable[deviceTable.current(id)].addresses.map(\.value)
      let own = identifiers.filter { addresses.contains($0.address.value) }
      if !own.isEmpty { return own.map(\.identifier) }
    }
    return identifiers.count <= Self.mostTried ? identifiers.map(\.identifier) : []
  }
}
