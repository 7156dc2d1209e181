import HarkCore
import HarkSession

struct NotListed: Rule {
  static let about = RuleDescription(
    id: "app.not-listed", title: "The app's lists do not name the accessory",
    severity: .warning, needs: .declaration,
    meaning: "The picker of AccessorySetupKit does not show the accessory, and the system does not "
      + "bring it and the extension together.",
    source: "Apple, AccessorySetupKit: NSAccessorySetupBluetoothServices, "
      + "NSAccessorySetupBluetoothNames",
    fix:
      "List a service that the accessory advertises, or a part of its name, in the app and in each "
      + "extension.")

  private var declaration: AppDeclaration?
  private var spoken: [DeviceID: Place] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration { self.declaration = declaration }
    guard declaration != nil, case .accessory = event.content, let device = event.device,
      spoken.count < 64
    else { return }
    let id = session.current(device)
    if spoken[id] == nil { spoken[id] = Place(event) }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let bundles = declaration?.bundles else { return }
    for (device, place) in spoken {
      let services =
        session.database(for: .device(device))?.services.values.compactMap(\.uuid) ?? []
      let name = session.devices[Int(device.index)].name
      for bundle in bundles where !(bundle.services.isEmpty && bundle.names.isEmpty) {
        let hasService = bundle.services.contains { text in
          BluetoothUUID(text).map(services.contains) ?? false
        }
        let hasName = name.map { name in bundle.names.contains { name.contains($0) } } ?? false
        // Without services or a name nothing can be compared.
        guard !hasService, !hasName, bundle.names.isEmpty || name != nil,
          bundle.services.isEmpty || !services.isEmpty
        else { continue }
        report.found(
          place,
          observed:
            "\(bundle.label) lists \((bundle.services + bundle.names).joined(separator: ", "))",
          expected: "a service of the accessory"
            + (name.map { " or a part of its name, “\($0)”" } ?? ""),
          confidence: .likely, subject: bundle.label)
      }
    }
  }
}
