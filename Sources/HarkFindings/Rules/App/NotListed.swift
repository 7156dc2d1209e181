import HarkCore
import HarkSession

struct NotListed: Rule {
  static let about = RuleDescription(
    id: "app.not-listed", title: "The app's lists do not name the accessory",
    severity: .warning, needs: .declaration,
    meaning:
      "The picker of AccessorySetupKit does not show the accessory, and the system does not "
      + "connect it with the extension.",
    source: "Apple, AccessorySetupKit: ASDiscoveryDescriptor; NSAccessorySetupBluetoothServices, "
      + "NSAccessorySetupBluetoothNames, NSAccessorySetupBluetoothCompanyIdentifiers",
    fix:
      "List a service that the accessory advertises, a part of the name that it advertises, "
      + "or the company of its manufacturer data, in the app and in each extension. A service "
      + "that is in its GATT database but not in its advertising does not help.")
  static let wants: Set<Event.Family> = [.link, .accessory, .app]

  private var declared: Event?
  /// Devices that speak as an accessory; where this host is it, the phone.
  private var spoken: [DeviceID: (place: Place, isHost: Bool)] = [:]
  private var connected: Set<DeviceID> = []
  private static let most = 64

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if event.declaration != nil { declared = event }
    guard declared != nil, let device = event.device.map({ session.current($0) }) else { return }
    if case .link(.opened) = event.content, connected.count < Self.most {
      connected.insert(device)
    }
    guard case .accessory(let accessory) = event.content, spoken[device] == nil,
      spoken.count < Self.most
    else { return }
    let packet = session.packets[event.frames.last]
    let isSent = packet.map { !$0.flags.contains(.received) } ?? false
    let isHost = accessory.direction == .accessoryToHost ? isSent : !isSent
    spoken[device] = (Place(event), isHost)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let declared, let all = session.advertisers?.all else { return }
    let bundles = (declared.declaration?.bundles ?? []).map(Listed.init).filter { !$0.isEmpty }
    guard !bundles.isEmpty else { return }
    if spoken.isEmpty {
      for bundle in bundles { judge(bundle, all, declared, session, &report) }
      return
    }
    for (device, one) in spoken {
      let heard = all.filter { advertiser in
        guard let address = advertiser.address else { return one.isHost }
        return !one.isHost && session.device(at: address) == device
      }
      let name = one.isHost ? nil : session.devices[Int(device.index)].name
      for bundle in bundles {
        judge(bundle, heard, one.place, name, &report)
      }
    }
  }

  /// There is traffic with the accessory: its advertising is known, or was not captured.
  private func judge(
    _ bundle: Listed, _ heard: [Advertisers.Advertiser], _ place: Place, _ name: String?,
    _ report: inout RuleReport
  ) {
    if heard.contains(where: bundle.names) || name.map(bundle.hasName) ?? false { return }
    if let reason = doubt(heard, report) {
      return report.cannotTell(
        place, reason, cause: "\(bundle.label): \(reason.text)", subject: bundle.label)
    }
    let stated = Self.stated(heard)
    report.found(
      place, observed: "\(bundle.label) lists \(bundle.text)",
      expected: stated.isEmpty
        ? "the accessory's advertising data, which has neither a service nor a name"
        : "something that the accessory advertises: \(stated)",
      confidence: .likely, subject: bundle.label)
  }

  /// There is no traffic with an accessory: it is one of those that advertise, if it is present at all.
  private func judge(
    _ bundle: Listed, _ all: [Advertisers.Advertiser], _ declared: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard !all.contains(where: bundle.names) else { return }
    var silent = false
    for device in connected {
      let services =
        session.database(for: .device(device))?.services.values.compactMap(\.uuid) ?? []
      let name = session.devices[Int(device.index)].name
      if name.map(bundle.hasName) ?? false || !bundle.services.isDisjoint(with: services) { return }
      let isHeard = all.contains { one in
        one.address.flatMap { session.device(at: $0) } == device
      }
      if !isHeard { silent = true }
    }
    let candidates = all.filter { $0.isConnectable && $0.address != nil }
    if let reason = doubt(silent ? [] : candidates, report) {
      return report.cannotTell(Place(declared), reason, subject: bundle.label)
    }
    let others = candidates.count == 1 ? "the one device" : "all \(candidates.count) devices"
    report.found(
      Place(declared, and: candidates.prefix(Place.mostFrames).map(\.first)),
      observed: "\(bundle.label) lists \(bundle.text)",
      expected: "something that the accessory advertises; \(others) to connect to: "
        + (candidates.count == 1 ? "\(Self.stated(candidates))" : "not one of these"),
      severity: candidates.count == 1 ? .warning : .info,
      confidence: candidates.count == 1 ? .likely : .possible, subject: bundle.label)
  }

  /// Why nothing can be said about what was received; nil if all is there.
  private func doubt(_ heard: [Advertisers.Advertiser], _ report: RuleReport) -> FindingText? {
    guard let first = heard.map(\.first).min() else {
      return "the capture has no advertising of the accessory"
    }
    if heard.contains(where: \.lacksScanResponse) {
      return "the scan response of the advertiser is not in the capture, and may name it"
    }
    return report.coverage.gap(since: first).map {
      "\($0): the rest of the advertising may be in that gap"
    }
  }

  /// `0xFED9, “Acme Watch”, company 0x004C`
  private static func stated(_ heard: [Advertisers.Advertiser]) -> String {
    let services = Set(heard.flatMap(\.services)).map(\.description).sorted()
    let names = Set(heard.flatMap { $0.names.union($0.shortNames) }).sorted().map { "“\($0)”" }
    let companies = Set(heard.flatMap(\.companies)).sorted().map {
      "company 0x" + Hex.text([UInt8($0 >> 8), UInt8($0 & 0xFF)])
    }
    return (services + names + companies).prefix(8).joined(separator: ", ")
  }
}

/// What a bundle lists for the picker.
private struct Listed {
  let label: String
  /// As they are spelt.
  let text: String
  let services: Set<BluetoothUUID>
  private let parts: [String]
  private let companies: Set<UInt16>

  init(_ bundle: AppDeclaration.Bundle) {
    label = bundle.label
    services = Set(bundle.services.compactMap { BluetoothUUID($0) })
    parts = bundle.names.map { $0.lowercased() }.filter { !$0.isEmpty }
    companies = Set(bundle.companies.compactMap { UInt16(exactly: $0) })
    text =
      (bundle.services + bundle.names.map { "“\($0)”" }
      + companies.sorted().map { "company 0x" + Hex.text([UInt8($0 >> 8), UInt8($0 & 0xFF)]) })
      .joined(separator: ", ")
  }

  var isEmpty: Bool { text.isEmpty }

  /// Which case counts is for the app's descriptor to say.
  func hasName(_ name: String) -> Bool {
    let name = name.lowercased()
    return parts.contains { name.contains($0) }
  }

  /// Whether the picker can find the advertiser by something that is listed.
  func names(_ advertiser: Advertisers.Advertiser) -> Bool {
    !services.isDisjoint(with: advertiser.services)
      || !companies.isDisjoint(with: advertiser.companies)
      || advertiser.names.contains(where: hasName)
      || advertiser.shortNames.contains { short in
        // The rest of it may be what is listed.
        hasName(short) || parts.contains { $0.hasPrefix(short.lowercased()) }
      }
  }
}
