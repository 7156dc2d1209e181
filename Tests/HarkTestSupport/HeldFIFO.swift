import Foundation

/// A FIFO with a capture in it that does not end with its last packet, as that of a phone does not. The test
/// holds it open itself: no process can be left behind.
public final class HeldFIFO {
  private var descriptor: Int32

  /// Makes the FIFO.
  /// - Throws: Where that fails, and where the capture is too large for it.
  public init(_ path: String, holding capture: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: capture))
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    // For reading, too, or it would wait for a reader.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else {
      close()
      throw CocoaError(.fileWriteOutOfSpace)
    }
  }

  deinit { close() }

  /// Ends it, so that its reader sees the end.
  public func close() {
    guard descriptor >= 0 else { return }
    Foundation.close(descriptor)
    descriptor = -1
  }
}
