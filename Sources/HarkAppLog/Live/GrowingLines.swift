/// The lines of a file, a FIFO, standard input or a socket to which somebody still writes. Reading never waits.
public struct GrowingLines: Sendable {
  private var bytes: GrowingBytes
  private var splitter = LineSplitter()

  /// - Throws: `AppLogError` where it cannot be opened.
  public init(_ name: String) throws(AppLogError) { bytes = try GrowingBytes(name) }

  /// Calls `body` with each line that is whole since.
  /// - Parameter now: In nanoseconds of the monotonic clock.
  public mutating func take(at now: Int64, _ body: ([UInt8]) -> Void) {
    splitter.take(bytes.read(at: now)) { line, isWhole in body(isWhole ? line : []) }
  }
}
