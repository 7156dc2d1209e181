import HarkCore
import Testing

@testable import HarkDissection

/// Declarations that are read by their handles. Core Specification, Vol 3, Part G, 3.1 to 3.3.
@Suite struct DeclarationTests {
  static func about(_ types: [(UInt16, Int)], isFromStart: Bool = true) -> Context {
    var context = Context()
    if types.count == 1 {
      context.attributeType = BluetoothUUID(types[0].0)
    } else {
      for (type, size) in types { context.attributeTypes.append(BluetoothUUID(type), size: size) }
    }
    context.isFromStart = isFromStart
    return context
  }

  static func lines(_ hex: String, _ context: Context) -> [String] {
    let bytes = Hex.bytes(hex) ?? []
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .channel(0x0004), context, into: &tree)
    return Catalog.shared.lines(tree, of: bytes.raw).map { String($0.drop { $0 == " " }) }
  }

  static let declaration = [
    "Characteristic Properties: 0x0a: Read, Write", "Characteristic Value Handle: 0x0005",
    "UUID: 0x2A01 (Appearance)",
  ]

  @Test func characteristic() {
    let read = Self.lines("0b 0a 05 00 01 2a", Self.about([(0x2803, 0)]))
    #expect(read.suffix(3) == Self.declaration)
    let blob = Self.lines("0d 0a 05 00 01 2a", Self.about([(0x2803, 0)]))
    #expect(blob.suffix(3) == Self.declaration)
    // The last five octets of a longer one.
    let rest = Self.lines("0d 0a 05 00 01 2a", Self.about([(0x2803, 0)], isFromStart: false))
    #expect(!rest.contains { $0.hasPrefix("Characteristic Properties") })
  }

  @Test func several() {
    let hex = "0f 02 03 00 00 2a 0a 05 00 01 2a 48 69"
    let known = Self.lines(hex, Self.about([(0x2803, 5), (0x2803, 5), (0x2A00, 0)]))
    #expect(known.contains("UUID: 0x2A00 (Device Name)"))
    #expect(known.contains("UUID: 0x2A01 (Appearance)"))
    #expect(known.last == "Device Name: \"Hi\"")
    // How long the first is tells no one.
    let unknown = Self.lines(hex, Self.about([(0x2A00, 0), (0x2803, 5), (0x2803, 5)]))
    #expect(!unknown.contains { $0.hasPrefix("UUID") })
  }

  @Test func service() {
    let read = Self.lines("0b 00 18", Self.about([(0x2800, 0)]))
    #expect(read.last == "UUID: 0x1800 (GAP)")
    let include = Self.lines("0b 10 00 1f 00 00 18", Self.about([(0x2802, 0)]))
    #expect(
      include.suffix(3) == [
        "Included Service Attribute Handle: 0x0010", "Group End Handle: 0x001f",
        "UUID: 0x1800 (GAP)",
      ])
  }
}
