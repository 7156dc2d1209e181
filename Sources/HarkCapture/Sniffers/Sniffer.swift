import HarkCore
import HarkPlatform

/// A sniffer on a serial line: which one, where, and what it listens to. `nrf:/dev/ttyACM0`,
/// `sniffle:/dev/ttyUSB0,follow=C0:DE:00:00:00:01,channels=38`.
public struct Sniffer: Sendable, Equatable {
  public enum Model: String, CaseIterable, Sendable {
    /// Nordic's nRF Sniffer for Bluetooth LE.
    case nrf
    /// NCC Group's Sniffle.
    case sniffle

    /// The format of what it sends.
    var format: StreamFormat { self == .nrf ? .nrf : .sniffle }
  }

  public let model: Model
  /// The serial device.
  public let path: String
  /// The only device to listen to, with its connections.
  var follow: BluetoothAddress?
  /// The primary advertising channels, in the order of hopping; empty for the sniffer's usual ones.
  var channels: [UInt8] = []
  /// Whether it follows extended advertising to its secondary channels.
  var isExtended = false
  /// Whether it listens to LE Coded on the primary channels.
  var isCoded = false
  /// Nil for the model's usual rate.
  var baud: Int?

  /// What is wrong with a text that names a sniffer.
  struct Mistake: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// Whether `text` begins as the name of a sniffer does, complete or not.
  static func isMeant(_ text: String) -> Bool { model(of: text) != nil }

  /// The sniffer that `text` begins with.
  static func model(of text: String) -> Model? {
    Model.allCases.first { text.hasPrefix($0.rawValue + ":") }
  }

  init(_ text: String) throws(Mistake) {
    guard let model = Self.model(of: text) else {
      throw Mistake("not a sniffer: write nrf:DEVICE or sniffle:DEVICE")
    }
    self.model = model
    let parts = text.dropFirst(model.rawValue.count + 1).split(
      separator: ",", omittingEmptySubsequences: false)
    path = String(parts.first ?? "")
    guard !path.isEmpty else {
      throw Mistake("incomplete: write \(model.rawValue):DEVICE, such as /dev/ttyACM0")
    }
    for part in parts.dropFirst() { try set(part) }
    try check()
  }

  /// The names of the options.
  private static let options = ["follow", "channels", "extended", "coded", "baud"]

  private mutating func set(_ option: Substring) throws(Mistake) {
    let name = option.prefix { $0 != "=" }
    let value = option.dropFirst(name.count + 1)
    switch (name, value.isEmpty) {
    case ("follow", false): follow = try Self.address(value)
    case ("channels", false): channels = try Self.channels(value)
    case ("baud", false):
      guard let rate = Int(value), SerialLine.rates.contains(rate) else {
        let rates = SerialLine.rates.map(String.init).joined(separator: ", ")
        throw Mistake("no support for baud rate '\(value)': use one of \(rates)")
      }
      baud = rate
    case ("extended", true): isExtended = true
    case ("coded", true): isCoded = true
    case ("follow", true), ("channels", true), ("baud", true):
      throw Mistake("no value for '\(name)': write \(name)=VALUE")
    case ("extended", false), ("coded", false): throw Mistake("'\(name)' takes no value: omit it")
    default:
      let hint = String(name).hint(among: Self.options)
      throw Mistake(
        "no option '\(name)'\(hint): use follow, channels, extended, coded or baud")
    }
  }

  /// `C0:DE:00:00:00:01`, which is random unless `/public` follows.
  private static func address(_ text: Substring) throws(Mistake) -> BluetoothAddress {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let found = BluetoothAddress(parts[0]),
      parts.count == 1 || ["public", "random"].contains(parts[1])
    else {
      throw Mistake(
        "needs an address, not '\(text)': write follow=C0:DE:00:00:00:01, or follow=00:11:22:33:44:55/public"
      )
    }
    return BluetoothAddress(found.value, parts.last == "public" ? .public : .random)
  }

  /// `37`, or `38+39`.
  private static func channels(_ text: Substring) throws(Mistake) -> [UInt8] {
    let numbers = text.split(separator: "+", omittingEmptySubsequences: false).map {
      UInt8($0) ?? 0
    }
    guard numbers.count <= 3, numbers.allSatisfy({ (37...39).contains($0) }),
      Set(numbers).count == numbers.count
    else {
      throw Mistake(
        "needs advertising channels, not '\(text)': write channels=37, or channels=37+38+39")
    }
    return numbers
  }

  private func check() throws(Mistake) {
    guard model == .sniffle, channels.count > 1 else { return }
    throw Mistake(
      "listens on one advertising channel, or with 'follow' hops over all: write channels=37, or omit it"
    )
  }

  /// Opens the serial line and starts the sniffer.
  func open(_ name: String) throws(CaptureError) -> Int32 {
    let line = try SerialLine(
      path, baud: baud ?? usualBaud, hasFlowControl: model == .nrf, name: name)
    do {
      try line.write(startCommands, name: name)
    } catch {
      close(line.descriptor)
      throw error
    }
    return line.descriptor
  }

  /// What it is sent to listen.
  var startCommands: [UInt8] {
    switch model {
    case .nrf: NordicCommands.start(self)
    case .sniffle: SniffleCommands.start(self)
    }
  }

  private var usualBaud: Int {
    switch model {
    case .nrf: 1_000_000
    case .sniffle: SerialDevices.isCP2102(path) ? 921_600 : 2_000_000
    }
  }
}
