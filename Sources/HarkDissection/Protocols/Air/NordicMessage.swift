import HarkCore

/// What Nordic's nRF Sniffer for Bluetooth LE says beside the packets that it hears.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol, versions 0 to 3.
package struct NordicMessage: Message {
  /// Where a text for people is in the record.
  package internal(set) var text: Range<Int>?

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the message to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = NordicBLE.message(bytes, isCut: isCut).message
  }
}
