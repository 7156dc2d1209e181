import HarkCore
import HarkDissection

/// What users specify about attributes and channels by number, regardless of the capture.
public struct AssignedPlaces: Sendable {
  /// The types of attributes, by handle.
  public var types: [UInt16: BluetoothUUID]
  /// The CIDs of channels that are read by number, even if the capture shows why they were opened.
  public var cids: Set<UInt16>

  public init(types: [UInt16: BluetoothUUID] = [:], cids: Set<UInt16> = []) {
    (self.types, self.cids) = (types, cids)
  }
}

/// The attributes and channels that layouts, profiles and users name by number.
struct NumberedPlaces: Sendable {
  /// The types of attributes whose types are not in the capture, by handle.
  let types: [UInt16: BluetoothUUID]
  /// The types that apply regardless of the capture.
  let overriding: [UInt16: BluetoothUUID]
  /// Whether a layout cuts the values of an attribute into messages.
  let hasAttributeStreams: Bool
  private let cids: Set<UInt16>
  private let overridingCIDs: Set<UInt16>

  init(_ catalog: Catalog, _ framings: VendorFramings) {
    let (layouts, vendors) = (catalog.numbered, framings.numbered)
    overriding = framings.assigned.types
    hasAttributeStreams = catalog.hasAttributeStreams
    types = Dictionary(
      (layouts.handles + vendors.handles).map { ($0, BluetoothUUID(handle: $0)) },
      uniquingKeysWith: { first, _ in first }
    ).merging(overriding) { _, assigned in assigned }
    overridingCIDs = framings.assigned.cids
    cids = overridingCIDs.union(layouts.cids).union(vendors.cids)
  }

  /// Whether frames with `cid` are read by number.
  /// - Parameter isKnown: Whether the capture shows why the channel was opened.
  func reads(cid: UInt16, isKnown: Bool) -> Bool {
    !cids.isEmpty && (isKnown ? overridingCIDs : cids).contains(cid)
  }
}

extension GATTDatabase {
  /// The type if the capture or a library shows it; nil for a type that stands for the handle.
  public func knownType(of handle: UInt16) -> BluetoothUUID? {
    type(of: handle).flatMap { $0.handle == nil ? $0 : nil }
  }

  /// The attribute types of all characteristics, and those assigned to attributes by number.
  func hasType(where isWanted: (BluetoothUUID) -> Bool) -> Bool {
    characteristics.values.contains { isWanted($0.uuid) } || given.values.contains(where: isWanted)
  }
}
