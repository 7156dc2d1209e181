import HarkCore

/// GATT databases that are known from other sources: earlier captures, a host's memory, or maps written by hand. If a
/// capture began after discovery, a session borrows from them what is missing.
public struct GATTLibrary: Sendable {
  /// What is known about one server.
  public struct Entry: Sendable {
    /// The source file, for people.
    public var source: String
    public var name: String?
    public var addresses: [BluetoothAddress] = []
    /// Vol 3, Part G, 7.3
    public var hash: [UInt8]?
    public var database = GATTDatabase()

    public init(source: String, name: String? = nil) { (self.source, self.name) = (source, name) }

    /// Whether both are about a device with a common address: BlueZ, for example, keeps two files for one device.
    func isOfSameDevice(as other: Entry) -> Bool {
      addresses.contains { address in other.addresses.contains { $0.value == address.value } }
    }
  }

  /// What shows that an entry is about a device, the most certain first.
  public enum Match: String, Sendable {
    case databaseHash = "Database Hash"
    case address
    case identity
    case name
    /// It is the only entry, for a link whose beginning is missing.
    case onlyEntry = "the only entry"
    /// As above, but the traffic on the link rules out all other entries.
    case onlyFit = "the only entry that fits"

    static let certain: [Match] = [.databaseHash, .address, .identity, .name]

    var isByElimination: Bool { self == .onlyEntry || self == .onlyFit }

    /// Its text: `matched by address`.
    public var words: String {
      switch self {
      case .databaseHash, .address, .identity, .name: "matched by \(rawValue)"
      case .onlyEntry: "the only entry of the library"
      case .onlyFit: "the only entry of the library that fits the link's traffic"
      }
    }
  }

  /// The source of attributes that a database does not show itself.
  public struct Lender: Sendable {
    public let source: String
    public let match: Match
    let entry: Int
  }

  /// What entries match by: `Database Hash, address, identity, name`.
  public static var matches: String { Match.certain.map(\.rawValue).joined(separator: ", ") }

  public private(set) var entries: [Entry] = []

  /// Folders may hold any number of files.
  public static let mostEntries = 4_096
  /// In octets. Vol 3, Part G, 7.3
  static let hashCount = 16

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }

  /// Adds an entry, unless it knows no attribute or there are too many.
  /// - Returns: Whether it was added.
  @discardableResult
  public mutating func add(_ entry: Entry) -> Bool {
    guard !entry.database.isEmpty, entries.count < Self.mostEntries else { return false }
    entries.append(entry)
    return true
  }

  /// The entry with this Database Hash. If several have it, the one given last is preferred.
  func lender(hash: [UInt8]) -> Lender? {
    lender(.databaseHash) { $0.hash == hash }
  }

  /// The entry about a device.
  /// - Parameter peer: The address on the link, which may be a private one.
  func lender(of device: Device, peer: BluetoothAddress?) -> Lender? {
    func has(_ address: BluetoothAddress) -> Lender.Test {
      { $0.addresses.contains { $0.value == address.value } }
    }
    if let peer, let lender = lender(.address, where: has(peer)) { return lender }
    for address in [device.address] + device.addresses {
      if let lender = lender(.identity, where: has(address)) { return lender }
    }
    guard let name = device.name else { return nil }
    // If two devices have the same name, it is unknown which one this is.
    let named = entries.indices.filter { entries[$0].name == name }
    guard let last = named.last,
      named.allSatisfy({ entries[$0].database.hasSameAttributes(as: entries[last].database) })
    else { return nil }
    return Lender(source: entries[last].source, match: .name, entry: last)
  }

  private func lender(_ match: Match, where isMeant: Lender.Test) -> Lender? {
    entries.lastIndex(where: isMeant).map {
      Lender(source: entries[$0].source, match: match, entry: $0)
    }
  }
}

extension GATTLibrary.Lender {
  fileprivate typealias Test = (GATTLibrary.Entry) -> Bool
}
