import HarkCore
import HarkDissection

/// A service record in SDP, as far as it shows how to reach the service. Core Specification, Vol 3, Part B, 2.2, 5.1.
public struct ServiceRecord: Equatable, Sendable {
  /// Nil if it was not requested.
  public internal(set) var handle: UInt32?
  /// In the order of the record; if they were not requested, the classes that the search was for.
  public internal(set) var classes: [BluetoothUUID] = []
  /// Whether the classes are only those that the search was for.
  var hasSearchedClasses = false
  /// The name in the record's first language.
  public internal(set) var name: String?
  /// The PSM of the service itself, not that of RFCOMM.
  public internal(set) var psm: UInt16?
  /// For services over RFCOMM: 1 to 30.
  public internal(set) var serverChannel: UInt8?
  /// The version of its profile: 0x0108 for 1.8.
  public internal(set) var version: UInt16?

  init() {}

  /// - Parameter bytes: The attribute lists that contain the record.
  init(_ record: SDPAttributeLists.Record, _ bytes: RawSpan) {
    (handle, classes, psm) = (record.handle, record.classes, record.psm)
    (serverChannel, version) = (record.serverChannel, record.version)
    name = record.name.map { bytes.utf8($0) }
  }

  /// Adds the content of another answer about the same record: each contains what was requested. A list of classes is
  /// always complete: with another list, it is another record, which has got the handle since then. 2.4
  mutating func update(with other: ServiceRecord) {
    let (isKnown, isStated) = (
      !classes.isEmpty && !hasSearchedClasses, !other.classes.isEmpty && !other.hasSearchedClasses
    )
    if isKnown, isStated, classes != other.classes {
      self = other
      return
    }
    if isStated || !isKnown && !other.classes.isEmpty {
      (classes, hasSearchedClasses) = (other.classes, other.hasSearchedClasses)
    }
    name = other.name ?? name
    psm = other.psm ?? psm
    serverChannel = other.serverChannel ?? serverChannel
    version = other.version ?? version
  }
}

/// The services of each device, in the order they were found.
struct ServiceRecords {
  private var all: [Session.DatabaseKey: [ServiceRecord]] = [:]

  /// Real devices have fewer than 30.
  static let most = 256

  /// Takes a record; returns all that is known of it, or nil if it is nothing new.
  mutating func learn(_ record: ServiceRecord, of owner: Session.DatabaseKey) -> ServiceRecord? {
    var records = all[owner] ?? []
    if let index = records.firstIndex(where: { $0.handle != nil && $0.handle == record.handle }) {
      let before = records[index]
      records[index].update(with: record)
      all[owner] = records
      return records[index] == before ? nil : records[index]
    }
    guard !records.contains(record), records.count < Self.most else { return nil }
    records.append(record)
    all[owner] = records
    return record
  }

  /// The server is another one.
  mutating func forget(_ owner: Session.DatabaseKey) { all[owner] = nil }

  /// The service at an RFCOMM server channel, as found last.
  func find(serverChannel: UInt8, of owner: Session.DatabaseKey) -> ServiceRecord? {
    let there = (all[owner] ?? []).filter { $0.serverChannel == serverChannel }
    return there.last { !$0.classes.isEmpty } ?? there.last
  }

  /// The service at a PSM that the device assigns itself.
  func find(psm: UInt16, of owner: Session.DatabaseKey) -> ServiceRecord? {
    let there = (all[owner] ?? []).filter { $0.psm == psm }
    return there.last { !$0.classes.isEmpty } ?? there.last
  }
}
