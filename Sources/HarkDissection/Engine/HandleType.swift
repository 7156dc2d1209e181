import HarkCore

// Layouts and profiles attach to attributes by type. An attribute whose type the capture does not show may be
// named by its handle instead: it then has a type that stands for the handle, and everything that goes by types
// (protocols, framings, secrets) works as for any other attribute.
extension BluetoothUUID {
  // A random UUID of version 4, whose last two octets are the handle.
  private static let handleHigh: UInt64 = 0xB7C3_0A5E_41D2_4F69
  private static let handleLow: UInt64 = 0x9A1E_6D40_52C8_0000

  /// The type that stands for the attribute at `handle`.
  public init(handle: UInt16) {
    self.init(high: Self.handleHigh, low: Self.handleLow | UInt64(handle))
  }

  /// The handle that the type stands for; nil for all types that attributes really have.
  public var handle: UInt16? {
    high == Self.handleHigh && low & ~0xFFFF == Self.handleLow
      ? UInt16(truncatingIfNeeded: low) : nil
  }
}

extension AttachmentPoint {
  /// The value of the attribute at `handle`, whose type is not known.
  public static func handle(_ handle: UInt16) -> AttachmentPoint {
    .attribute(BluetoothUUID(handle: handle))
  }
}

extension Catalog {
  /// The handles of attributes that layouts name in place of a type, and the CIDs of dynamic channels.
  public var numbered: (handles: [UInt16], cids: [UInt16]) {
    var found: (handles: [UInt16], cids: [UInt16]) = ([], [])
    for place in entries.lazy.filter(\.isLayout).flatMap({ self.concealed.places(of: $0) }) {
      switch place {
      case .attribute(let type): if let handle = type.handle { found.handles.append(handle) }
      case .channel(let cid): found.cids.append(cid)
      default: break
      }
    }
    return found
  }

  /// Whether a layout cuts the values of an attribute into messages.
  public var hasAttributeStreams: Bool {
    layoutsOfAttributes.values.contains { $0.isCut }
  }
}
