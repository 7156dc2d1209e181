import HarkCore
import HarkDissection

/// Names that are looked up in the tables of the Assigned Numbers, kept as text once they were
/// found: advertising names the same few companies and services again and again.
struct PacketNames {
  private struct Slot {
    var key: UInt64 = .max
    var start: UInt32 = 0
    var count: UInt32 = 0
  }

  private static let slotCount = 256
  /// When the texts of all names found so far are longer than this, they are dropped.
  private static let most = 1 << 16
  /// Stands for UUIDs in place of a field's id.
  private static let uuids: UInt64 = 0xFFFF
  private static let attributeTypes: UInt64 = 0xFFFE

  private var slots = [Slot](repeating: Slot(), count: slotCount)
  private var arena: [UInt8] = []

  /// Appends the name of the code `value` of a field with a lookup, and returns whether it has one.
  mutating func append(
    _ value: UInt64, _ field: Field, _ catalog: Catalog, to text: inout TextPen
  ) -> Bool {
    append(value << 16 | UInt64(field.id), to: &text) {
      catalog.definitions[Int(field.id)].name(of: value)
    }
  }

  /// Appends the name of `uuid`, and returns whether it has one.
  mutating func append(
    _ uuid: BluetoothUUID, isAttributeType: Bool, to text: inout TextPen
  ) -> Bool {
    guard let short = uuid.short else {
      guard let name = AssignedNumbers.name(of: uuid) else { return false }
      text.string(name)
      return true
    }
    if isAttributeType {
      return append(UInt64(short) << 16 | Self.attributeTypes, to: &text) {
        AssignedNumbers.name(ofAttributeType: uuid)
      }
    }
    return append(UInt64(short) << 16 | Self.uuids, to: &text) { AssignedNumbers.name(of: uuid) }
  }

  @inline(__always)
  private mutating func append(
    _ key: UInt64, to text: inout TextPen, _ name: () -> String?
  ) -> Bool {
    let index = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 56)
    if slots[index].key != key { slots[index] = slot(key, name()) }
    let slot = slots[index]
    text.append(arena, Int(slot.start)..<Int(slot.start &+ slot.count))
    return slot.count > 0
  }

  private mutating func slot(_ key: UInt64, _ name: String?) -> Slot {
    if arena.count > Self.most {
      arena.removeAll(keepingCapacity: true)
      slots = [Slot](repeating: Slot(), count: Self.slotCount)
    }
    let start = arena.count
    arena += (name ?? "").utf8
    return Slot(key: key, start: UInt32(start), count: UInt32(arena.count - start))
  }
}

extension BluetoothUUID {
  /// The UUID of `node`; nil if its bytes are not a UUID.
  init?(_ node: borrowing Tree.Node, of bytes: RawSpan, bigEndian: Bool) {
    guard node.range.upperBound <= bytes.byteCount else { return nil }
    if let uuid = node.inferredUUID {
      self = uuid
      return
    }
    let octets = bytes.extracting(node.range)
    if bigEndian { self.init(bigEndian: octets) } else { self.init(littleEndian: octets) }
  }
}

extension Tree.Node {
  /// The bytes of a `.text` value up to its first NUL, if they are ASCII that needs no escape in any
  /// format; nil if they have to be looked at as characters.
  func plainText(of bytes: RawSpan) -> Range<Int>? {
    let range = self.range.clamped(to: 0..<bytes.byteCount)
    for offset in range {
      switch bytes.byte(at: offset) {
      case 0: return range.lowerBound..<offset
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return nil
      case 0x20..<0x7F: continue
      default: return nil
      }
    }
    return range
  }
}
