import HarkCore
import HarkCrypto

/// What the app's calls of AudioAccessoryKit have reported so far of each accessory, according to its logs and journals.
/// Lines rarely name it: those that do not are about the accessory of the call before.
struct AppConfigurations: Sendable {
  /// The device, or what a line calls one that the capture does not show.
  enum Accessory: Equatable, Sendable {
    case device(DeviceID)
    case named(String)

    /// - Parameter device: Which one the event is about, if the capture shows it.
    init?(_ app: AppEvent, _ device: DeviceID?) {
      if let device {
        self = .device(device)
      } else if let name = app.address?.description ?? app[.identifier]?.uppercased() {
        self = .named(name)
      } else {
        return nil
      }
    }
  }

  private static let most = 64

  /// The last one is the accessory of the last call.
  private var all: [(accessory: Accessory?, calls: AppCalls)] = []

  /// The effect of a call; nil if the event is not a call.
  /// - Parameters:
  ///   - packet: The packet after which it was reported.
  ///   - device: The accessory, if it is known.
  mutating func take(
    _ app: AppEvent, at packet: PacketID, of device: DeviceID?
  ) -> AccessoryControlDevice.Report? {
    guard AppCalls.areCalled(by: app.kind) else { return nil }
    select(Accessory(app, device))
    return all[all.count - 1].calls.take(app, at: packet)
  }

  private mutating func select(_ accessory: Accessory?) {
    if let last = all.last, accessory == nil || last.accessory == accessory { return }
    if let index = all.firstIndex(where: { $0.accessory == accessory }) {
      all.append(all.remove(at: index))
    } else if all.count == 1, all[0].accessory == nil {
      // It is the one that the lines before did not name.
      all[0].accessory = accessory
    } else {
      if all.count == Self.most { all.removeFirst() }
      all.append((accessory, AppCalls()))
    }
  }
}

/// What the app's calls have reported of one accessory.
private struct AppCalls: Sendable {
  typealias Control = AccessoryControlDevice

  private var memory = ConfigurationMemory()
  /// Whether the primary source is known, from a registration or a later call.
  private var knowsPrimary = false
  /// Whether a source was reported without its address.
  private var hasHiddenSource = false

  static func areCalled(by kind: AppEvent.Kind) -> Bool {
    [.configurationRegistered, .configurationUpdated, .configurationFailed].contains(kind)
  }

  /// The effect of a call; nil if the event is not a call.
  /// - Parameter packet: The packet after which it was reported.
  mutating func take(_ app: AppEvent, at packet: PacketID) -> Control.Report? {
    var report: Control.Report
    switch app.kind {
    case .configurationRegistered:
      (knowsPrimary, hasHiddenSource) = (true, false)
      report = Control.Report(.register(.init()), change(app))
    case .configurationUpdated: report = Control.Report(.update(.init()), change(app))
    case .configurationFailed:
      guard let error = app[.error].flatMap(Control.Error.init) else { return nil }
      report = Control.Report(.failed(error))
    default: return nil
    }
    memory.take(&report, by: .hostToAccessory, in: packet, isWhole: false)
    // A log that begins in the middle does not show the primary source.
    if !knowsPrimary { report.remarks.removeAll { $0 == .secondaryWithoutPrimary } }
    return report
  }

  // MARK: What a line says

  /// A hidden value is not reported.
  private mutating func change(_ app: AppEvent) -> Control.Change {
    var change = Control.Change()
    if let names = app[.capabilities], !Self.isHidden(names) {
      change.deviceCapabilities = .value(
        names.split { ", []".contains($0) }.map { Self.lastPart(String($0)) })
    }
    if let name = app[.placement], !Self.isHidden(name) {
      change.devicePlacement = Self.isNothing(name) ? .cleared : .value(Self.lastPart(name))
    }
    let primary = source(app[.primarySource])
    let secondary = source(app[.secondarySource])
    // If one of the two is unknown, nothing follows for the other.
    guard !hasHiddenSource else { return change }
    change.primaryAudioSourceDeviceIdentifier = primary
    knowsPrimary = knowsPrimary || app[.primarySource] != nil
    // An update contains a whole configuration: if it names one source, it names both.
    let namesBoth = app[.secondarySource] == nil && app[.primarySource] != nil
    change.secondaryAudioSourceDeviceIdentifier = namesBoth ? .cleared : secondary
    return change
  }

  private mutating func source(_ text: String?) -> Control.Stated<[UInt8]> {
    guard let text else { return .nothing }
    if Self.isNothing(text) { return .cleared }
    guard let octets = Hex.bytes(text.filter { $0 != ":" && $0 != "-" }), !octets.isEmpty else {
      hasHiddenSource = true
      return .nothing
    }
    return octets.allSatisfy { $0 == 0 } ? .cleared : .value(octets)
  }

  private static func isNothing(_ text: String) -> Bool { text.isEmpty || text == "nil" }

  /// `Capabilities(rawValue: 3)`, `<private>`: Apple does not publish the numbers.
  private static func isHidden(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "(")) || text.utf8.contains(UInt8(ascii: "<"))
  }

  /// `AccessoryControlDevice.Placement.inEar` → `inEar`
  private static func lastPart(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}
