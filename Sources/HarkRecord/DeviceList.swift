import CPcap
import Glibc

/// The sources that this machine has, and why one cannot be opened.
enum DeviceList {
  struct Device: Equatable {
    var name: String
    var description: String
    /// nil where it can be opened.
    var problem: String?
  }

  static func all(buffer: Int) -> [Device] {
    var devices = [
      Device(
        name: "monitor", description: "all controllers of this machine",
        problem: problem { () throws(RecordError) in _ = try MonitorSocket(buffer: buffer) })
    ]
    for (name, description) in pcapDevices()
    where name.hasPrefix("bluetooth") || name.hasPrefix("usbmon") {
      devices.append(
        Device(
          name: name, description: description,
          problem: problem { () throws(RecordError) in
            let device = try PcapDevice(name, buffer: buffer)
            if let warning = device.warning { throw RecordError(name, warning) }
          }))
    }
    return devices
  }

  private static func problem(_ open: () throws(RecordError) -> Void) -> String? {
    do {
      try open()
      return nil
    } catch {
      return error.problem + (error.advice.map { "; \($0)" } ?? "")
    }
  }

  private static func pcapDevices() -> [(String, String)] {
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    var list: UnsafeMutablePointer<pcap_if_t>?
    guard unsafe pcap_findalldevs(&list, &text) == 0 else { return [] }
    defer { unsafe pcap_freealldevs(list) }
    var devices: [(String, String)] = []
    var next = unsafe list
    while let device = unsafe next?.pointee {
      let description = unsafe device.description.map { unsafe String(cString: $0) }
      devices.append((unsafe String(cString: device.name), description ?? ""))
      unsafe next = device.next
    }
    return devices
  }

  /// The list as a table.
  static func text(_ devices: [Device]) -> String {
    let width = devices.map(\.name.count).max() ?? 0
    return devices.map { device in
      let name = device.name + String(repeating: " ", count: width - device.name.count)
      let blanks = String(repeating: " ", count: width)
      return "\(name)  \(device.description)\n\(blanks)  "
        + (device.problem.map { "cannot be opened: \($0)" } ?? "can be opened") + "\n"
    }.joined()
  }
}
