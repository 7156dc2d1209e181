import HarkCapture
import HarkCore

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

  /// The file as it was.
  var original: CaptureBytes { CaptureBytes(uart?.file ?? bytes, name: name) }

  /// Expects a packet of the file at a place, as long as the packets are not released: with damaged bytes between frames
  /// overwritten, others may be read.
  /// - Throws: `RedactionError.damaged` if it is another one.
  func expect(_ packet: RawSpan, at place: Int) throws {
    guard bytes.isEmpty || bytes[place...].starts(with: packet.array) else {
      throw RedactionError.damaged(name)
    }
  }

  func expectEnd(at place: Int) throws {
    guard !isFramed || bytes.isEmpty || place == bytes.count else {
      throw RedactionError.damaged(name)
    }
  }

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
