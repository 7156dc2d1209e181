import HarkCapture
import HarkSession

/// Completions of `--device`: the devices in the captures on the command line.
enum DeviceCompletion {
  /// The largest number of packets read, so that completions are fast.
  private static let most = 50_000

  /// - Parameters:
  ///   - words: The words of the command line.
  ///   - prefix: The beginning of the word to complete.
  static func candidates(_ words: [String], _ prefix: String) -> [String] {
    var found: [String] = []
    for word in words.dropFirst() where word != "-" && NamedDevice.isFile(word) {
      guard let capture = try? Capture(path: word) else { continue }
      found += devices(capture)
    }
    var isKnown: Set<String> = []
    let prefix = prefix.lowercased()
    return found.filter { $0.lowercased().hasPrefix(prefix) && isKnown.insert($0).inserted }
  }

  /// The names, then the addresses.
  private static func devices(_ capture: Capture) -> [String] {
    var session = Session()
    var count = 0
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      count += 1
      return count < most
    }
    session.finish()
    let devices = session.devices.filter { $0.mergedInto == nil }
    let onLinks = session.links.filter { $0.device == nil }.compactMap(\.peerName)
    return devices.compactMap(\.name) + onLinks + devices.map { "\($0.address)" }
  }
}
