import HarkCapture

/// Which devices of the USB are Bluetooth controllers, by what sysfs says about their interfaces.
struct USBControllers {
  /// Class, subclass and protocol of a Bluetooth controller: USB-IF's Defined Class Codes.
  private static let codes = ["e0", "01", "01"]
  /// How often it is looked again for a device that is not known, in nanoseconds.
  private static let interval: UInt64 = 1_000_000_000

  private let folder: String
  private var known: Set<UInt32> = []
  private var nextLook: UInt64 = 0

  init(folder: String = "/sys/bus/usb/devices") { self.folder = folder }

  /// Whether a device is one. Devices come and go; their numbers are not used again soon.
  mutating func contains(bus: UInt16, device: UInt8, now: UInt64) -> Bool {
    let key = UInt32(bus) << 8 | UInt32(device)
    if !known.contains(key), now >= nextLook {
      nextLook = now + Self.interval
      look()
    }
    return known.contains(key)
  }

  /// Whether there is one on a bus now, or with 0 on any.
  mutating func isOnBus(_ bus: UInt16) -> Bool {
    look()
    return known.contains { bus == 0 || $0 >> 8 == UInt32(bus) }
  }

  private mutating func look() {
    known = []
    for name in Directory.names(in: folder) ?? [] {
      // `1-4:1.0` is the first interface of the device `1-4`.
      guard let colon = name.firstIndex(of: ":"),
        ["Class", "SubClass", "Protocol"].map({ text("\(name)/bInterface\($0)") }) == Self.codes,
        let bus = UInt32(text("\(name[..<colon])/busnum")),
        let device = UInt32(text("\(name[..<colon])/devnum")), device <= 255, bus <= 0xFFFF
      else { continue }
      known.insert(bus << 8 | device)
    }
  }

  /// The first word of a small file; empty if there is none.
  private func text(_ path: String) -> String {
    WholeFile.firstWord(of: "\(folder)/\(path)") ?? ""
  }
}
