import HarkCore
import Testing

@testable import HarkDissection

/// The bytes are those that Bumble's `rfcomm.py` makes.
@Suite struct RFCOMMTests {
  static func frame(_ lines: [String]) -> [String] { ["RFCOMM", "  EA: 1"] + lines }

  static let vectors = [
    Vector(
      "TS 27.010, 5.4.1", .psm(3), "0b 3f 01 59",
      frame([
        "  C/R: 1", "  DLCI: 2", "  Server Channel: 1", "  Frame Type: SABM (0x2f)", "  P/F: 1",
        "  Length: 0", "  FCS: 0x59",
      ])),
    Vector(
      "TS 27.010, 5.3.4", .psm(3), "09 1f 01 12",
      frame([
        "  C/R: 0", "  DLCI: 2", "  Server Channel: 1", "  Frame Type: DM (0x0f)", "  P/F: 1",
        "  Length: 0", "  FCS: 0x12",
      ])),
    Vector(
      "RFCOMM, 6.5.2: credits", .psm(3), "0b ff 07 05 41 54 0d 86",
      frame([
        "  C/R: 1", "  DLCI: 2", "  Server Channel: 1", "  Frame Type: UIH (0xef)", "  P/F: 1",
        "  Length: 3", "  Credits: 5", "  Information: 41540d", "  FCS: 0x86",
      ])),
    Vector(
      "RFCOMM, 5.5.3", .psm(3), "03 ef 15 83 11 02 f0 07 00 de 03 00 07 70",
      frame([
        "  C/R: 1", "  DLCI: 0", "  Frame Type: UIH (0xef)", "  P/F: 0", "  Length: 10",
        "  Command: DLC parameter negotiation (PN) (0x20)", "  C/R: Command (1)",
        "  EA: 1", "  Command Length: 8", "  Target DLCI: 2", "  Type of frame for information: 0",
        "  Convergence Layer: credit based flow control, request (0x0f)", "  Priority: 7",
        "  Acknowledgement Timer: 0", "  Maximum Frame Size: 990 bytes",
        "  Maximum Number of Retransmissions: 0", "  Initial Credits: 7", "  FCS: 0x70",
      ])),
    Vector(
      "TS 27.010, 5.4.6.3.7", .psm(3), "03 ef 09 e3 05 0b 8d 70",
      frame([
        "  C/R: 1", "  DLCI: 0", "  Frame Type: UIH (0xef)", "  P/F: 0", "  Length: 4",
        "  Command: Modem Status Command (MSC) (0x38)", "  C/R: Command (1)",
        "  EA: 1", "  Command Length: 2", "  Target DLCI: 2", "  EA: 1",
        "  V.24 Signals: 0x8c: RTC, RTR, DV", "  EA: 1", "  FCS: 0x70",
      ])),
    Vector(
      "TS 27.010, 5.4.6.3.9", .psm(3), "03 ef 15 93 11 0b 03 03 00 11 13 7f 3f 70",
      frame([
        "  C/R: 1", "  DLCI: 0", "  Frame Type: UIH (0xef)", "  P/F: 0", "  Length: 10",
        "  Command: Remote Port Negotiation (RPN) (0x24)", "  C/R: Command (1)",
        "  EA: 1", "  Command Length: 8", "  Target DLCI: 2", "  EA: 1",
        "  Bit Rate: 9600 bit/s (3)", "  Data Bits: 8 bits (3)", "  Stop Bits: 1 stop bit (0)",
        "  Parity: no parity (0)", "  Parity Type: odd (0)", "  Flow Control: 0x00",
        "  XON Character: 0x11", "  XOFF Character: 0x13",
        """
          Parameter Mask: 0x3f7f: bit rate, data bits, stop bits, parity, parity type, XON \
        character, XOFF character, XON/XOFF on input, XON/XOFF on output, RTR on input, RTR on \
        output, RTC on input, RTC on output
        """, "  FCS: 0x70",
      ])),
    Vector(
      "TS 27.010, 5.4.6.3.10", .psm(3), "03 ef 09 53 05 0b 03 70",
      frame([
        "  C/R: 1", "  DLCI: 0", "  Frame Type: UIH (0xef)", "  P/F: 0", "  Length: 4",
        "  Command: Remote Line Status (RLS) (0x14)", "  C/R: Command (1)",
        "  EA: 1", "  Command Length: 2", "  Target DLCI: 2", "  EA: 1",
        "  Line Status: 0x03: error, overrun error", "  FCS: 0x70",
      ])),
    Vector(
      "TS 27.010, 5.4.6.3.8", .psm(3), "01 ef 07 11 03 83 aa",
      frame([
        "  C/R: 0", "  DLCI: 0", "  Frame Type: UIH (0xef)", "  P/F: 0", "  Length: 3",
        "  Command: Non Supported Command Response (NSC) (0x04)",
        "  C/R: Response (0)", "  EA: 1", "  Command Length: 1",
        "  Unsupported Command: DLC parameter negotiation (PN) (0x20)",
        "  C/R: Command (1)", "  EA: 1", "  FCS: 0xaa",
      ])),
  ]

  @Test(arguments: vectors) func vector(_ vector: Vector) { vector.check() }

  /// 130 octets take a length of two; the FCS 0x9a covers address and control of UIH frames only.
  @Test func longFrame() {
    let bytes: [UInt8] = [0x0B, 0xEF, 0x04, 0x01] + [UInt8](repeating: 0x78, count: 130) + [0x9A]
    var tree = Tree()
    let facts = Catalog.shared.describe(bytes.raw, .psm(3), Context(), into: &tree)
    #expect(facts.payload == 4..<134)
    #expect(tree.failures.isEmpty && tree.notes.isEmpty)
    let frame = RFCOMMFrame(bytes.raw, isCut: false)
    #expect(frame.isWhole && frame.dlci == 2 && frame.type == .uih)
    #expect(frame.information == 4..<134)
  }

  /// RFCOMM, 6.5.2 and 5.5.3
  @Test func messages() {
    let data = RFCOMMFrame(
      ([0x0B, 0xFF, 0x07, 0x05, 0x41, 0x54, 0x0D, 0x86] as [UInt8]).raw, isCut: false)
    #expect(data.credits == 5 && data.information == 4..<7 && data.missing == 0)
    let negotiation: [UInt8] = [
      0x03, 0xEF, 0x15, 0x83, 0x11, 0x02, 0xF0, 0x07, 0x00, 0xDE, 0x03, 0x00, 0x07, 0x70,
    ]
    guard
      case .parameterNegotiation(let parameters) = RFCOMMFrame(negotiation.raw, isCut: false)
        .command
    else {
      Issue.record("no PN")
      return
    }
    #expect(parameters.dlci == 2 && parameters.maximumFrameSize == 990)
    #expect(parameters.initialCredits == 7 && parameters.flowControl == .creditsRequested)
  }

  /// What the recorder kept of a frame is read, and how much of it is missing is known.
  @Test func cutFrame() {
    let bytes: [UInt8] = [0x0B, 0xEF, 0x09, 0x41, 0x54]
    let frame = RFCOMMFrame(bytes.raw, isCut: true)
    #expect(frame.isWhole && frame.information == 3..<5 && frame.missing == 2)
    let header = RFCOMMFrame(bytes.raw.extracting(0..<2), isCut: true)
    #expect(!header.isWhole && header.dlci == 2 && header.type == .uih)
  }

  @Test(arguments: [[0x0B, 0x3F, 0x01, 0x58], [0x09, 0x73, 0x01, 0xF2]] as [[UInt8]])
  func wrongCheckSequence(_ bytes: [UInt8]) {
    var tree = Tree()
    Catalog.shared.describe(bytes.raw, .psm(3), Context(), into: &tree)
    #expect(tree.notes.map { "\($0.text) \($0.range)" } == ["does not fit the header 3..<4"])
  }
}
