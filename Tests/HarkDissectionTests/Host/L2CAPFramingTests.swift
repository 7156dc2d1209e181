import HarkCore
import HarkLaws
import Testing

@testable import HarkDissection

/// Frames that are not in basic mode. Core Specification, Vol 3, Part A, 3.3, 3.4.
@Suite struct L2CAPFramingTests {
  private func context(
    _ mode: L2CAPFraming.Mode, hasFCS: Bool = true, isExtended: Bool = false,
    beginsSDU: Bool = false
  ) -> Context {
    var context = Context()
    context.framing.mode = mode
    context.framing.hasFCS = hasFCS
    context.framing.isExtended = isExtended
    context.framing.beginsSDU = beginsSDU
    return context
  }

  private func tree(_ bytes: [UInt8], _ context: Context) -> Tree {
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .l2cap, context, into: &tree)
    #expect(Laws.violations(bytes, .l2cap, context).isEmpty)
    return tree
  }

  private func hex(_ text: String) -> [UInt8] { Hex.bytes(text) ?? [] }

  private func value(_ path: String, _ tree: Tree) -> UInt64? {
    Catalog.shared.fields(at: "l2cap." + path).lazy.compactMap { tree.value($0) }.first
  }

  /// The examples of 3.3.5: an I-frame and an S-frame (RR).
  @Test(arguments: ["0e00 4000 0200 00010203040506070809 3861", "0400 4000 0101 d414"])
  func frameCheckSequence(_ frame: String) {
    var bytes = hex(frame)
    #expect(tree(bytes, context(.enhancedRetransmission)).notes.isEmpty)
    bytes[5] ^= 0x10
    #expect(tree(bytes, context(.enhancedRetransmission)).notes.count == 1)
  }

  /// 3.3.2, figures 3.3 and 3.4: bits of the Enhanced Control Field, from the least significant.
  @Test func enhancedControlField() {
    // TxSeq 5, F 1, ReqSeq 33, SAR 1; SDU Length 6
    let first = tree(hex("0700 4100 8a61 0600 010203"), context(.streaming, hasFCS: false))
    #expect(value("txSeq", first) == 5)
    #expect(value("final", first) == 1)
    #expect(value("reqSeq", first) == 33)
    #expect(value("sar", first) == 1)
    #expect(value("sduLength", first) == 6)
    // S-frame, S 2 (RNR), P 1, ReqSeq 2
    let supervisory = tree(
      hex("0200 4100 1902"), context(.enhancedRetransmission, hasFCS: false))
    #expect(value("function", supervisory) == 2)
    #expect(value("poll", supervisory) == 1)
    #expect(value("reqSeq", supervisory) == 2)
  }

  /// Figures 3.5 and 3.6: the Extended Control Field.
  @Test func extendedControlField() {
    // F 1, ReqSeq 0x1234, SAR 2, TxSeq 0x2345
    let word: UInt32 = 1 << 1 | 0x1234 << 2 | 2 << 16 | 0x2345 << 18
    let octets = (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    let last = tree(
      hex("0500 4100") + octets + [0xAA],
      context(.enhancedRetransmission, hasFCS: false, isExtended: true))
    #expect(value("txSeq", last) == 0x2345)
    #expect(value("reqSeq", last) == 0x1234)
    #expect(value("final", last) == 1)
    #expect(value("sar", last) == 2)
  }

  /// 3.4.3: only the first K-frame of an SDU has an SDU Length.
  @Test func creditBased() {
    let first = tree(hex("0500 4100 0900 010203"), context(.creditBased, beginsSDU: true))
    #expect(value("sduLength", first) == 9)
    let next = tree(hex("0500 4100 0900 010203"), context(.creditBased))
    #expect(value("sduLength", next) == nil)
  }
}
