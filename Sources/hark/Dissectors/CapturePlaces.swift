import HarkPresentation
import HarkSession

/// The channels that a capture has, for people whose layout or profile names others.
struct CapturePlaces {
  private var uuids: Set<String> = []

  private static let mostUUIDs = 1_024
  private static let mostNamed = 16

  mutating func take(_ event: Event) {
    if case .attribute(.value(let value)) = event.content, let uuid = value.uuid,
      uuids.count < Self.mostUUIDs
    {
      uuids.insert(uuid.description)
    }
  }

  /// - Parameter absent: The channels that it lacks.
  func lines(without absent: [String], _ session: borrowing Session) -> [String] {
    absent.map { "\($0): no message in this capture" }
      + ["This capture has \(contents(of: session))"]
  }

  /// `PSM 0x0083, UUIDs 50000001-…`
  private func contents(of session: borrowing Session) -> String {
    var psms: Set<UInt16> = []
    for index in 0..<session.channels.count {
      if let psm = session.channels[index].knownPSM { psms.insert(psm) }
    }
    func list(_ names: [String], _ one: String, _ several: String) -> String? {
      guard !names.isEmpty else { return nil }
      let more = names.count > Self.mostNamed ? " and \(names.count - Self.mostNamed) more" : ""
      return "\(names.count == 1 ? one : several) "
        + names.prefix(Self.mostNamed).joined(separator: ", ") + more
    }
    // A framing takes values that are then no values of attributes: the databases name theirs.
    var uuids = uuids
    for database in session.databases.values {
      uuids.formUnion(database.characteristics.values.map { "\($0.uuid)" })
    }
    // Vendors' own first: those that a profile is about are among them.
    let names = uuids.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    let parts = [
      list(psms.sorted().map { Names.hex($0) }, "PSM", "PSMs"),
      list(names, "UUID", "UUIDs"),
    ]
    let found = parts.compactMap(\.self)
    return found.isEmpty
      ? "no dynamic L2CAP channels and no values of known attributes"
      : found.joined(separator: ", ")
  }
}
