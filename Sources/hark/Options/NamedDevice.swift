import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkSession

/// The device that `--device` selects: by an address, or by a part of its name in any case.
struct NamedDevice {
  let wanted: String

  init?(_ wanted: String?) {
    guard let wanted else { return nil }
    self.wanted = wanted
  }

  /// How packets show a device: by its addresses, or by its links if its address is unknown.
  struct Traces {
    var addresses: [BluetoothAddress] = []
    /// The numbers of its links, from 1; unknown if several captures are read as one.
    var links: [Int] = []
    /// What it is called on those links.
    var names: [String] = []

    var isEmpty: Bool { addresses.isEmpty && names.isEmpty }
  }

  /// Where the session shows the selected devices so far.
  func traces(_ session: borrowing Session) -> Traces {
    var traces = Traces(addresses: addresses(session))
    for link in session.links where link.device == nil {
      guard let name = link.peerName, isMeant([name], []) else { continue }
      traces.links.append(Int(link.id.index) + 1)
      if !traces.names.contains(name) { traces.names.append(name) }
    }
    return traces
  }

  /// All addresses of each selected device, as far as the session knows them so far.
  private func addresses(_ session: borrowing Session) -> [BluetoothAddress] {
    var found: [BluetoothAddress] = []
    var isKnown: Set<BluetoothAddress> = []
    for device in session.devices
    where device.mergedInto == nil && isMeant([device.label], device.addresses) {
      found += device.addresses.filter { isKnown.insert($0).inserted }
    }
    let advertisers = session.advertisingAddresses
    let identities = advertisers.map { session.identity(of: $0.address) ?? .address($0.address) }
    var meant: Set<AddressIdentity> = []
    for (advertiser, identity) in zip(advertisers, identities)
    where isMeant([advertiser.name ?? ""], [advertiser.address] + Self.address(identity)) {
      meant.insert(identity)
    }
    for (advertiser, identity) in zip(advertisers, identities) where meant.contains(identity) {
      // Packets with an address that resolves to an identity name that, too.
      let address = Self.address(identity).first ?? advertiser.address
      if isKnown.insert(address).inserted { found.append(address) }
    }
    return found
  }

  private static func address(_ identity: AddressIdentity) -> [BluetoothAddress] {
    if case .address(let address) = identity { [address] } else { [] }
  }

  private func isMeant(_ names: [String], _ addresses: [BluetoothAddress]) -> Bool {
    let isAddress = BluetoothAddress(wanted).map { wanted in
      addresses.contains { $0.value == wanted.value }
    }
    return isAddress == true
      || (names + addresses.map(\.description)).contains {
        $0.lowercased().contains(wanted.lowercased())
      }
  }

  /// Reads captures to their ends to find the device, so that what it did before it was named is known
  /// to be its own.
  /// - Returns: How they show it; nil if one of the captures can be read only once.
  /// - Throws: `ExitCode.failure`, after reporting that it is in none, or that one cannot be opened.
  func traces(
    in captures: [CaptureOptions], _ keys: KeyRing, _ framings: VendorFramings
  ) throws -> Traces? {
    guard captures.map(\.capture).allSatisfy(Self.isFile) else { return nil }
    var found = Traces()
    var complaints: [String] = []
    for options in captures {
      let capture = try Reading.open(options)
      var session = Session(keys: keys, framings: framings, library: GATTFiles.library)
      var progress = Progress(isStreaming: false)
      let end = capture.forEachRecord { record, bytes in
        session.index(record, bytes)
        session.dropEvents()
        progress.report(capture, every: session.packets.count)
        return true
      }
      progress.finish()
      session.finish()
      let traces = traces(session)
      found.addresses += traces.addresses
      found.names += traces.names
      if captures.count == 1 { found.links = traces.links }
      if let problem = end.problem { complaints.append("\(capture.name): \(problem)") }
      if let complaint = complaint(session) { complaints.append("\(capture.name): \(complaint)") }
    }
    guard found.isEmpty else { return found }
    for complaint in complaints { Console.complain(complaint) }
    throw ExitCode.failure
  }

  /// Whether it is a file, which can be read twice; standard input may be one, too.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    let code = unsafe path == "-" ? fstat(0, &status) : stat(path, &status)
    return code == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// An error that lists the devices, if none matches; nil if one does.
  func complaint(_ session: borrowing Session) -> String? {
    guard traces(session).isEmpty else { return nil }
    let devices = session.devices.filter { $0.mergedInto == nil }
    let named = devices.filter { $0.name != nil } + devices.filter { $0.name == nil }
    let advertisers = session.advertisingAddresses.filter { one in
      !devices.contains { $0.addresses.contains(one.address) }
    }
    let others = advertisers.filter { $0.name != nil } + advertisers.filter { $0.name == nil }
    var onLinks: [String] = []
    for link in session.links where link.device == nil {
      if let name = link.peerName, !onLinks.contains(name) { onLinks.append(name) }
    }
    return Self.complaint(
      wanted,
      among: onLinks
        + (named.map { ($0.name, $0.address) } + others.map { ($0.name, $0.address) }).map {
          name, address in name.map { "\($0) (\(address))" } ?? "\(address)"
        })
  }

  /// The largest number of devices listed.
  private static let most = 8

  static func complaint(_ wanted: String, among devices: [String]) -> String {
    guard !devices.isEmpty else {
      return "no device matches '\(wanted)': the capture has no devices"
    }
    let more = devices.count > most ? " and \(devices.count - most) more" : ""
    return "no device matches '\(wanted)': the capture has "
      + devices.prefix(most).joined(separator: ", ") + more
  }
}
