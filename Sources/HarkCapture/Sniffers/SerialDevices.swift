import HarkCore
import HarkPlatform

/// The serial devices on a USB that may be a sniffer, by what sysfs says about them.
public struct SerialDevices {
  public struct Device: Equatable, Sendable {
    /// As `hark live` takes it: `nrf:/dev/ttyACM0`.
    public let source: String
    public let description: String
    /// Why this user cannot open it; nil if that is possible.
    public let problem: String?
  }

  /// How a user gets the permission for serial devices.
  public static let permissionAdvice =
    "'sudo usermod -aG dialout $USER', then log in again"

  private let folder: String
  private let devices: String

  /// - Parameters:
  ///   - folder: Where sysfs lists the terminals.
  ///   - devices: Where their files are.
  public init(folder: String = "/sys/class/tty", devices: String = "/dev") {
    (self.folder, self.devices) = (folder, devices)
  }

  /// Vendor, product, the sniffer whose firmware may be on it, and what it is. A board may have other firmware.
  private static let known:
    [(vendor: String, product: String?, model: Sniffer.Model, title: String)] = [
      ("1915", "522a", .nrf, "nRF Sniffer for Bluetooth LE"),
      ("1366", nil, .nrf, "a J-Link board, which may be an nRF Sniffer"),
      ("0451", "bef3", .sniffle, "a LaunchPad of Texas Instruments, which may run Sniffle"),
      ("10c4", "ea60", .sniffle, "a CP2102 serial line, which may be a Sniffle"),
    ]

  /// Those that may be a sniffer.
  public var sniffers: [Device] {
    let names = (Directory.names(in: folder) ?? []).filter {
      $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB")
    }
    return names.sorted().compactMap { name in
      guard let (vendor, product) = identity(of: name),
        let known = Self.known.first(where: {
          $0.vendor == vendor && ($0.product ?? product) == product
        })
      else { return nil }
      let path = "\(devices)/\(name)"
      let code = unsafe access(path, R_OK | W_OK) == 0 ? 0 : errno
      let reason = (code == EACCES ? "not permitted: " : "") + systemMessage(code)
      return Device(
        source: "\(known.model.rawValue):\(path)", description: known.title,
        problem: code == 0 ? nil : reason)
    }
  }

  /// Whether a serial device is a CP2102, whose fastest rate is 921,600 baud.
  static func isCP2102(_ path: String) -> Bool {
    let name = path.fileName
    guard let (vendor, product) = SerialDevices().identity(of: name) else { return false }
    return vendor == "10c4" && ["ea60", "ea61", "ea62", "ea63"].contains(product)
  }

  /// idVendor and idProduct of the USB device: of the interface's folder, it is the parent, or the parent of that.
  private func identity(of name: String) -> (vendor: String, product: String)? {
    for parent in ["device/..", "device/../.."] {
      let place = "\(folder)/\(name)/\(parent)"
      if let vendor = WholeFile.firstWord(of: place + "/idVendor"),
        let product = WholeFile.firstWord(of: place + "/idProduct")
      {
        return (vendor.lowercased(), product.lowercased())
      }
    }
    return nil
  }
}
