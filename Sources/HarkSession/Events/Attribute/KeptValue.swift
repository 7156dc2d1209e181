import HarkCore
import HarkDissection

/// What an event keeps of a value or an SDU. Without a layout it allocates nothing.
struct KeptValue: Sendable {
  /// The size of the whole value in bytes.
  private(set) var count: Int
  /// How many of its last bytes are missing because the recorder cut them.
  private(set) var cut: Int
  private var beginning: ValueBeginning<4>
  private var reading: LayoutReading?

  /// The longest beginning that is kept.
  static let most = 32

  init(_ value: RawSpan, cut: Int, layout: Entry?) {
    (count, self.cut) = (value.byteCount + cut, cut)
    beginning = ValueBeginning(value)
    reading = layout.map { LayoutReading($0, value, cut: cut) }
  }

  /// Takes a later value.
  mutating func replace(_ value: RawSpan, cut: Int, layout: Entry?) {
    (count, self.cut) = (value.byteCount + cut, cut)
    beginning = ValueBeginning(value)
    if layout != nil || reading != nil {
      reading = layout.map { LayoutReading($0, value, cut: cut) }
    }
  }

  private var isSecret: Bool { reading?.isSecret == true }

  /// The first bytes; empty if a layout names keys among its fields.
  var bytes: [UInt8] { isSecret ? [] : beginning.octets(count - cut) }

  /// - Parameters:
  ///   - type: The type of the attribute.
  ///   - opcode: Of the PDU that carried the value.
  ///   - report: The report of a HID device that the value is.
  func words(
    _ type: BluetoothUUID? = nil, in opcode: ATTOpcode? = nil,
    _ report: HIDReportContext = HIDReportContext()
  ) -> EventSentence {
    AttributeValue(
      bytes, count: count, type, in: opcode, missing: cut, report: report, reading: reading
    ).words
  }

  func describe(to sink: inout some EventSink, _ role: EventRole = .incidental) {
    if !isSecret { sink.octets("value", bytes, role) }
    sink.number("value_count", count, .incidental)
    if cut > 0 { sink.number("value_cut", cut, .incidental) }
    if let reading { sink.phrase("decoded", reading.words?.text) }
  }
}
