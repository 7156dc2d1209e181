import CPcap
import HarkCapture
import HarkPlatform

/// The sources that this machine has, and why one cannot be opened.
enum DeviceList {
  struct Device: Equatable {
    var name: String
    var description: String
    /// Why it cannot be opened, and what to do about that; nil if it can.
    var problem: RecordError?
    /// What one should know of it all the same.
    var warning: String?
  }

  static func all(buffer: Int) -> [Device] {
    var devices = [
      device("monitor", "all controllers of this machine") { () throws(RecordError) in
        try MonitorSocket(buffer: buffer)
      }
    ]
    for (name, description) in pcapDevices()
    where name.hasPrefix("bluetooth") || name.hasPrefix("usbmon") {
      devices.append(
        device(name, description) { () throws(RecordError) in
          let device = try PcapDevice(name, buffer: buffer)
          if let warning = device.warning { throw RecordError(name, warning) }
          return device
        })
    }
    return devices + sniffers
  }

  /// Sniffers on serial lines. None is opened: that may restart it.
  private static var sniffers: [Device] {
    SerialDevices().sniffers.map { found in
      Device(
        name: found.source, description: found.description,
        problem: found.problem.map {
          RecordError(found.source, $0, advice: SerialDevices.permissionAdvice)
        })
    }
  }

  private static func device(
    _ name: String, _ description: String, _ open: () throws(RecordError) -> any RecordSource
  ) -> Device {
    var device = Device(name: name, description: description)
    do {
      device.warning = try open().warning
    } catch {
      device.problem = error
    }
    return device
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

  /// The list for people.
  static func text(_ devices: [Device]) -> String {
    let width = devices.map(\.name.count).max() ?? 0
    return devices.map { device in
      let name = device.name + String(repeating: " ", count: width - device.name.count)
      let blanks = String(repeating: " ", count: width)
      let state =
        device.problem.map { problem in
          "cannot be opened: \(problem.problem)" + (problem.advice.map { "; \($0)" } ?? "")
        } ?? "can be opened" + (device.warning.map { ", but \($0)" } ?? "")
      return "\(name)  \(device.description)\n\(blanks)  \(state)\n"
    }.joined()
  }

  /// The list for programs: name, description, problem, advice and warning of a device on a line, with
  /// tabs between.
  static func table(_ devices: [Device]) -> String {
    devices.map { device in
      let columns = [
        device.name, device.description, device.problem?.problem, device.problem?.advice,
        device.warning,
      ]
      return columns.map { text in
        String((text ?? "").map { $0 == "\t" || $0.isNewline ? " " : $0 })
      }.joined(separator: "\t") + "\n"
    }.joined()
  }
}
