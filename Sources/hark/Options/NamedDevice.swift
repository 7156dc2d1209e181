import ArgumentParser
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkSession

/// The device that `--device` asks for: by an address, or by a part of its name in whatever case.
struct NamedDevice {
  let wanted: String

  init?(_ wanted: String?) {
    guard let wanted else { return nil }
    self.wanted = wanted
  }

  /// Every address of each device that is meant, as far as the session knows by now.
  func addresses(_ session: borrowing Session) -> [BluetoothAddress] {
    var found: [BluetoothAddress] = []
    var isKnown: Set<BluetoothAddress> = []
    for device in session.devices where device.mergedInto == nil && isMeant(device) {
      found += device.addresses.filter { isKnown.insert($0).inserted }
    }
    return found
  }

  private func isMeant(_ device: Device) -> Bool {
    let wanted = wanted.lowercased()
    return device.label.lowercased().contains(wanted)
      || device.addresses.contains { $0.description.lowercased().contains(wanted) }
  }

  /// Reads captures to their ends to find the device, so that what it did before it was named is known
  /// to be its own.
  /// - Returns: Its addresses; nil if one of the captures can be read only once.
  /// - Throws: `ExitCode.failure`, after telling that it is in none, or that one cannot be opened.
  func addresses(
    in captures: [CaptureOptions], _ keys: KeyRing, _ framings: VendorFramings
  ) throws -> [BluetoothAddress]? {
    guard captures.map(\.capture).allSatisfy(Self.isFile) else { return nil }
    var found: [BluetoothAddress] = []
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
      found += addresses(session)
      if let problem = end.problem { complaints.append("\(capture.name): \(problem)") }
      if let complaint = complaint(session) { complaints.append("\(capture.name): \(complaint)") }
    }
    guard found.isEmpty else { return found }
    for complaint in complaints { Console.complain(complaint) }
    throw ExitCode.failure
  }

  /// Whether it is a file, which can be read twice: standard input may be one, too.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    let code = unsafe path == "-" ? fstat(0, &status) : stat(path, &status)
    return code == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Says which devices there are, where none is the one that is meant; nil if one is.
  func complaint(_ session: borrowing Session) -> String? {
    guard addresses(session).isEmpty else { return nil }
    let devices = session.devices.filter { $0.mergedInto == nil }
    let named = devices.filter { $0.name != nil } + devices.filter { $0.name == nil }
    return Self.complaint(
      wanted,
      among: named.map { device in
        device.name.map { "\($0) (\(device.address))" } ?? "\(device.address)"
      })
  }

  /// So many devices are named.
  private static let most = 8

  static func complaint(_ wanted: String, among devices: [String]) -> String {
    guard !devices.isEmpty else {
      return "no device matches “\(wanted)”: the capture has no devices"
    }
    let more = devices.count > most ? " and \(devices.count - most) more" : ""
    return "no device matches “\(wanted)”: there \(devices.count == 1 ? "is" : "are") "
      + devices.prefix(most).joined(separator: ", ") + more
  }
}
