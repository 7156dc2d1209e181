import HarkPresentation
import HarkSession

/// The channels that a capture has, for people whose layout or profile names others.
struct CapturePlaces {
  private var uuids: Set<String> = []
  /// How many bytes passed at attributes whose types the capture does not show.
  private var handles: [UInt16: Int] = [:]

  private static let mostUUIDs = 1_024
  private static let mostNamed = 16

  mutating func take(_ event: Event) {
    guard case .attribute(.value(let value)) = event.content else { return }
    if let uuid = value.uuid {
      if uuids.count < Self.mostUUIDs { uuids.insert(uuid.description) }
    } else {
      handles[value.handle, default: 0] += value.count
    }
  }

  /// The channels of a profile that the capture has no message on, each once.
  static func absent(
    _ channels: [VendorChannel], _ hasMessage: (VendorChannel) -> Bool
  ) -> [VendorChannel] {
    var seen: Set<String> = []
    return channels.filter { channel in
      guard !hasMessage(channel), seen.insert(channel.described).inserted else { return false }
      // One channel may have two names, for captures with and without its opening; messages go by one of them.
      return !channels.contains { $0.isOtherName(of: channel) && hasMessage($0) }
    }
  }

  /// What people read about the channels of a profile.
  func lines(without absent: [VendorChannel], _ session: borrowing Session) -> [String] {
    guard !absent.isEmpty else { return [] }
    return lines(
      without: absent.map(\.described), isAttribute: absent.contains { $0.isAttribute },
      isPSM: absent.contains { if case .psm = $0 { true } else { false } }, session)
  }

  /// - Parameters:
  ///   - absent: The channels that it lacks.
  ///   - isAttribute: Whether an attribute's type is among them.
  ///   - isPSM: Whether a PSM is.
  func lines(
    without absent: [String], isAttribute: Bool, isPSM: Bool, _ session: borrowing Session
  ) -> [String] {
    let cids = cids(session)
    var lines = absent.map { "\($0): no message in this capture" }
    lines.append("This capture has \(contents(of: session, cids))")
    if isAttribute,
      let most = handles.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
    {
      lines.append(
        "It does not show the UUIDs of its GATT handles; to name one, use gatt-handle: "
          + Names.hex(most.key))
    }
    if isPSM, let first = cids.first {
      lines.append(
        "It does not show the PSMs of its CIDs; to name one, use cid: \(Names.hex(first))")
    }
    return lines
  }

  /// Of the channels that it does not show the opening of.
  private func cids(_ session: borrowing Session) -> [UInt16] {
    let found = session.streams.compactMap { stream -> UInt16? in
      if case .unknownChannel(let cid) = stream.kind { cid } else { nil }
    }
    return Set(found).sorted()
  }

  /// `PSM 0x0083, UUIDs 50000001-…`
  private func contents(of session: borrowing Session, _ cids: [UInt16]) -> String {
    var psms: Set<UInt16> = []
    for index in 0..<session.channels.count {
      if let psm = session.channels[index].knownPSM { psms.insert(psm) }
    }
    var (serverChannels, ports): (Set<UInt8>, Set<UInt16>) = ([], [])
    for stream in session.streams {
      switch stream.kind {
      case .dataLink(let serverChannel): serverChannels.insert(serverChannel)
      case .tcp(let port): ports.insert(port)
      default: break
      }
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
      list(cids.map { Names.hex($0) }, "L2CAP CID", "L2CAP CIDs"),
      list(serverChannels.sorted().map { "\($0)" }, "RFCOMM channel", "RFCOMM channels"),
      list(ports.sorted().map { "\($0)" }, "TCP port", "TCP ports"),
      list(names, "UUID", "UUIDs"),
      list(handles.keys.sorted().map { Names.hex($0) }, "GATT handle", "GATT handles"),
    ]
    let found = parts.compactMap(\.self)
    return found.isEmpty
      ? "no channel that a layout or profile can name" : found.joined(separator: ", ")
  }
}

extension VendorChannel {
  /// Whether it is named by the UUID of an attribute.
  fileprivate var isAttribute: Bool {
    if case .characteristic(let uuid) = self { uuid.handle == nil } else { false }
  }

  /// Whether one of them is a type and the other a number that the channel may have. Attributes are not meant: a profile
  /// has several, and some may have no type.
  fileprivate func isOtherName(of other: VendorChannel) -> Bool {
    switch (self, other) {
    case (.psm, .cid), (.cid, .psm), (.service, .serverChannel), (.serverChannel, .service),
      (.networkService, .tcpPort), (.tcpPort, .networkService):
      true
    default: false
    }
  }
}
