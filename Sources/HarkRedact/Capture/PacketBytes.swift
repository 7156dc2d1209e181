import HarkCapture

/// What a redaction looks through and changes: of most captures the file as it is; of one with frames of
/// a UART its packets, which are put into the frames again.
struct PacketBytes {
  let name: String
  private(set) var bytes: [UInt8]
  private let uart: UARTCapture?

  init(_ file: CaptureBytes) throws {
    name = file.name
    uart = try UARTCapture(file.bytes, name: file.name)
    bytes = uart?.packets ?? file.bytes
  }

  /// Releases the packets, so that the code that changes them holds the only reference.
  mutating func release() { bytes = [] }

  var isFramed: Bool { uart != nil }

  /// Bytes that are sent as two.
  var escaped: Set<UInt8> { uart?.escaped ?? [] }

  /// The file with other packets, how many of its records have other lengths then, and how many bytes
  /// between its frames were overwritten.
  func file(of packets: [UInt8]) throws -> (bytes: [UInt8], resized: Int, blanked: Int) {
    guard let uart else { return (packets, 0, 0) }
    let made = try uart.framing(packets)
    return (made.file, made.resized, made.blanked)
  }
}
