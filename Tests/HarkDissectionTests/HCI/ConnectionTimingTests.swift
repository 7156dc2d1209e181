import HarkCore
import Testing

@testable import HarkDissection

/// Core Specification, Vol 4, Part E, 7.8.12, 7.8.18; Vol 3, Part A, 4.20: intervals from 6 to 3200,
/// latencies up to 499, timeouts from 10 to 3200, and more than (1 + latency) × interval × 2.
@Suite struct ConnectionTimingTests {
  @Test(
    arguments: [
      (6, 6, 0, 10, []), (3_200, 3_200, 0, 3_200, []), (24, 40, 4, 72, []),
      (5, 40, 0, 72, [.interval]), (6, 3_201, 0, 3_200, [.interval]),
      (0, 0, 0, 0, [.interval, .timeout]),
      (40, 24, 0, 72, [.order]), (6, 6, 500, 3_200, [.latency]), (6, 6, 0, 9, [.timeout]),
      (6, 6, 0, 3_201, [.timeout]),
      // 40 ms, latency 4: more than 400 ms are needed.
      (32, 32, 4, 40, [.timeoutForLatency]), (32, 32, 4, 41, []),
      // 4 s, latency 0: more than 8 s.
      (3_200, 3_200, 0, 800, [.timeoutForLatency]), (3_200, 3_200, 0, 801, []),
      (0xFFFF, 0xFFFF, 0, 0xFFFF, [.interval, .timeout]),
    ] as [(UInt16, UInt16, UInt16, UInt16, [ConnectionTiming.Fault])])
  func faults(
    _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16,
    _ faults: [ConnectionTiming.Fault]
  ) {
    #expect(
      ConnectionTiming.faults(
        shortest: shortest, longest: longest, latency: latency, timeout: timeout) == faults)
  }

  /// Vol 3, Part C, 12.3: the characteristic has 0xFFFF for no specific value.
  @Test func anyValue() {
    #expect(
      ConnectionTiming.faults(
        shortest: 0xFFFF, longest: 0xFFFF, latency: 0, timeout: 0xFFFF, hasAny: true
      ).isEmpty)
  }

  private func notes(_ place: AttachmentPoint, _ hex: String) -> [String] {
    var tree = Tree()
    let bytes = Hex.bytes(hex) ?? []
    Catalog.shared.describe(bytes.raw, place, Context(), into: &tree)
    return tree.notes.map(\.text.description)
  }

  /// Packets with parameters that are not allowed say so; those that failed have none.
  @Test func packets() {
    let interval = "\(ConnectionTiming.Fault.interval.remark)"
    #expect(notes(.record(.event), "3e 0a 03 00 40 00 05 00 00 00 48 00") == [interval])
    #expect(notes(.record(.event), "3e 0a 03 00 40 00 06 00 00 00 48 00").isEmpty)
    #expect(notes(.record(.event), "3e 0a 03 3b 40 00 00 00 00 00 00 00").isEmpty)
    #expect(
      notes(.record(.event), "3e 13 01 00 40 00 00 00 66 55 44 33 22 11 00 00 00 00 48 00 00")
        == [interval])
    #expect(
      notes(.record(.event), "3e 13 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
        .isEmpty)
    #expect(
      notes(.record(.command), "13 20 0e 40 00 05 00 06 00 00 00 0a 00 00 00 00 00") == [interval])
    #expect(notes(.channel(5), "12 01 08 00 05 00 06 00 00 00 0a 00") == [interval])
    // LE credit based: MTU and MPS of at least 23. 4.22
    #expect(
      notes(.channel(5), "14 01 0a 00 80 00 40 00 16 00 16 00 01 00")
        == ["is less than 23", "is less than 23"])
    #expect(notes(.channel(5), "15 01 0a 00 00 00 00 00 00 00 00 00 02 00").isEmpty)
    // Credit based: of at least 64. 4.25
    #expect(
      notes(.channel(5), "17 01 0a 00 80 00 3f 00 40 00 01 00 40 00") == ["is less than 64"])
    // ATT_MTU. Vol 3, Part F, 3.4.2
    #expect(notes(.channel(4), "02 16 00") == ["is less than 23"])
    #expect(notes(.channel(4), "02 17 00").isEmpty)
  }

  /// No client may write a declaration. Vol 3, Part G, 3.1 to 3.3.1
  @Test(arguments: ["12", "52", "d2"]) func declarations(_ opcode: String) {
    func notes(_ type: UInt16) -> [String] {
      var (tree, context) = (Tree(), Context())
      context.attributeType = BluetoothUUID(type)
      let signature = opcode == "d2" ? "00 00 00 00 00 00 00 00 00 00 00 00" : ""
      let bytes = Hex.bytes("\(opcode) 02 00 01 \(signature)") ?? []
      Catalog.shared.describe(bytes.raw, .channel(4), context, into: &tree)
      return tree.notes.map(\.text.description)
    }
    for type in 0x2800...0x2803 as ClosedRange<UInt16> { #expect(notes(type).count == 1) }
    #expect(notes(0x2902).isEmpty)
  }
}
