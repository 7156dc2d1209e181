import HarkCore

/// All bytes of a capture, unpacked.
public struct CaptureBytes: Sendable {
  public var name: String
  public let bytes: [UInt8]
  /// Whether it was packed with gzip.
  public private(set) var isCompressed: Bool
  /// Whether it is a text of packets, whatever it looks like.
  let isText: Bool
  /// The lines that hold no whole packet, of the text that it was made of.
  private(set) var unreadLines: [CaptureDamage] = []

  /// The most that is read.
  static let most = 1 << 31

  /// Reads the capture at `path`; `-` is standard input.
  /// - Parameter isText: Whether a file that is in no format of captures is a text of packets, whatever it looks like.
  public init(path: String, isText: Bool = false) throws(CaptureError) {
    let logs = try PacketLogs.source(at: path)
    let source = if let logs { logs.source } else { try Source(Endpoint(path)) }
    var bytes: [UInt8] = []
    // What is reserved and not filled takes no memory.
    if let size = source.size {
      bytes.reserveCapacity(min(Int(clamping: size), MemoryBudget.limit))
    }
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe source.read(into: $0) }
      if count == 0 { break }
      let isFull = bytes.count + count > bytes.capacity
      if isFull, let reason = MemoryBudget.checkGrowth(of: bytes.count + count, source.name) {
        throw CaptureError(source.name, "\(reason)")
      }
      bytes += part[..<count]
      guard bytes.count <= Self.most else {
        throw CaptureError(source.name, "more than 2 GiB", expected: "a shorter capture")
      }
    }
    switch source.problem {
    case nil: break
    case .read(let code)?: throw CaptureError(source.name, errno: code, "cannot read")
    case .memory?, .time?, .unpacked?:
      throw CaptureError(source.name, source.problem.map { "\($0)" } ?? "cannot read")
    // Of a file whose packing is damaged, what could be unpacked is the capture.
    default: break
    }
    (name, self.bytes) = (source.name, bytes)
    // Packet logs lie in an archive; the stream made from them is not one.
    isCompressed = logs == nil && source.isCompressed
    let content = try Source(bytes: bytes, name: source.name)
    self.isText = isText && !CaptureFormat.isRecognized(content)
  }

  public init(_ bytes: [UInt8], name: String) {
    (self.bytes, self.name, isCompressed) = (bytes, name, false)
    isText = false
  }

  /// The Bluetooth log in a bug report, the packets in a text, or the HCI packets in a capture of a USB; nil if it is
  /// something else.
  public func log() throws(CaptureError) -> CaptureBytes? {
    if !isText, let found = try BugReport.log(in: Source(bytes: bytes, name: name)) {
      return CaptureBytes(found.bytes, name: name)
    }
    let source = try Source(bytes: bytes, name: name)
    let found = isText ? try TextCapture.forced(in: source) : TextCapture.capture(in: source)
    if let found {
      let packets = CaptureBytes(found.bytes, name: name)
      var log = packets.packetsOfUSB() ?? packets
      log.unreadLines = found.damages
      return log
    }
    if let packets = packetsOfUSB() { return packets }
    return try withFileHeader()
  }

  /// The records of a btsnoop file without its file header, with one; nil if it is something else.
  private func withFileHeader() throws(CaptureError) -> CaptureBytes? {
    var window = Window(try Source(bytes: bytes, name: name))
    guard let datalink = CaptureFormat.datalinkOfRecords(&window) else { return nil }
    var header = Array("btsnoop\0".utf8)
    for value in [1, datalink.rawValue] as [UInt32] {
      header += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    var whole = CaptureBytes(header + bytes, name: name)
    whole.isCompressed = isCompressed
    return whole
  }
}
