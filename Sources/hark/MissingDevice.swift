import HarkSession

/// What is said where nothing matched because the device that was named is not there: which are.
enum MissingDevice {
  private static let most = 8

  /// The end of a sentence; empty where a device is called so, or none was named.
  static func remark(_ wanted: String?, _ session: borrowing Session) -> String {
    guard let wanted else { return "" }
    let devices = session.devices.filter { $0.mergedInto == nil }
    // As `device contains` asks.
    let isThere = devices.contains { device in
      device.label.contains(wanted)
        || device.addresses.contains { $0.description.contains(wanted.uppercased()) }
    }
    guard !isThere else { return "" }
    guard !devices.isEmpty else { return "; there is no device in it" }
    let named = devices.filter { $0.name != nil } + devices.filter { $0.name == nil }
    let shown = named.prefix(most).map { device in
      device.name.map { "\($0) (\(device.address))" } ?? "\(device.address)"
    }
    let more = devices.count > most ? " and \(devices.count - most) more" : ""
    return "; no device is called “\(wanted)”: there \(devices.count == 1 ? "is" : "are") "
      + shown.joined(separator: ", ") + more
  }
}
