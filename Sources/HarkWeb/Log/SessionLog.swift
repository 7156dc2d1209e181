import HarkCapture
import HarkCore
import HarkDissection
import HarkPlatform
import HarkSession
import Synchronization

/// A session's input, in order, so that another session can process it again: in a
/// temporary file.
///
/// One thread appends; others read.
public final class SessionLog: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var written: Int64 = 0
    /// Why nothing more is stored; set once.
    var failure: Int32?
    /// Input between records stays in memory, because it contains keys; entries of the file refer to it.
    var updates: [SessionUpdate] = []
    var updateSize = 0
  }

  private static let bufferSize = 1 << 16
  /// Limits disk use.
  static let largest: Int64 = 1 << 34
  /// The limit of the updates' texts.
  private static let largestUpdates = 1 << 27
  private static let mostUpdates = 1 << 20

  fileprivate let file: TemporaryFile
  private let state = Mutex(State())

  /// - Throws: If there is no room for temporary files.
  public init() throws(CaptureError) { file = try TemporaryFile(name: "the page") }

  enum Tag: UInt8 { case record, damage, undatedDamage, comment, update, end, close }

  public func record(_ record: CaptureRecord, _ bytes: RawSpan) {
    append(.record, record, bytes)
  }

  public func damage(_ text: String, at time: Timestamp?) {
    var record = CaptureRecord()
    if let time { record.time = time }
    append(time == nil ? .undatedDamage : .damage, record, text)
  }

  /// - Parameter source: The source of the key, as the session reports it.
  public func comment(_ text: String, of source: String = "comment") {
    append(.comment, CaptureRecord(), source + "\0" + text)
  }

  /// Input between records.
  public func update(_ update: SessionUpdate) {
    var record = CaptureRecord()
    record.number = state.withLock { state in
      state.updates.append(update)
      state.updateSize += update.size
      if state.updateSize > Self.largestUpdates || state.updates.count > Self.mostUpdates {
        state.failure = state.failure ?? EFBIG
      }
      return UInt32(state.updates.count - 1)
    }
    append(.update, record, "")
  }

  /// The update that an entry refers to.
  func update(_ number: UInt32) -> SessionUpdate? {
    state.withLock { state in
      Int(number) < state.updates.count ? state.updates[Int(number)] : nil
    }
  }

  /// The session reported what was still open.
  public func finish() { append(.end, CaptureRecord(), "") }

  /// The log is complete.
  public func close() { append(.close, CaptureRecord(), "") }

  private func append(_ tag: Tag, _ record: CaptureRecord, _ text: String) {
    append(tag, record, Array(text.utf8).raw)
  }

  private func append(_ tag: Tag, _ record: CaptureRecord, _ bytes: RawSpan) {
    state.withLock { state in
      guard state.failure == nil else { return }
      var header = Header(tag, record)
      header.size = UInt32(clamping: bytes.byteCount)
      unsafe withUnsafeBytes(of: header) { unsafe state.pending.append(contentsOf: $0) }
      unsafe bytes.withUnsafeBytes { unsafe state.pending.append(contentsOf: $0) }
      if state.pending.count >= Self.bufferSize { flush(&state) }
    }
  }

  private func flush(_ state: inout State) {
    if state.failure == nil {
      let (count, code) = unsafe state.pending.withUnsafeBytes { unsafe file.append($0) }
      state.written += Int64(count)
      state.failure = code
    }
    state.pending.removeAll(keepingCapacity: true)
    if state.written > Self.largest, state.failure == nil { state.failure = EFBIG }
  }

  /// Why later packets cannot be shown; nil if all can.
  public var failure: String? {
    state.withLock { $0.failure }.map { unsafe String(cString: strerror($0)) }
  }

  /// The number of bytes of complete entries in the file, with everything appended.
  fileprivate var size: Int64 {
    state.withLock { state in
      flush(&state)
      return state.written
    }
  }

  /// An entry in the file, which only this process reads: in its own byte order.
  struct Header: BitwiseCopyable {
    var time: Int64
    var offset: Int64
    var count: UInt32
    var originalCount: UInt32
    var number: UInt32
    var dropped: UInt32
    var formatCode: UInt32
    var size: UInt32 = 0
    var controller: UInt16
    var tag: UInt8
    var kind: UInt8
    var direction: UInt8
    var flags: UInt8
    var rest: UInt16 = 0

    init(_ tag: Tag, _ record: CaptureRecord) {
      self.tag = tag.rawValue
      time = record.time.nanoseconds
      offset = record.offset
      count = UInt32(clamping: record.count)
      originalCount = UInt32(clamping: record.originalCount)
      number = record.number
      dropped = record.dropped
      formatCode = record.formatCode
      controller = record.controller
      kind = record.kind.rawValue
      direction = record.direction.rawValue
      flags = record.flags.rawValue
    }

    var record: CaptureRecord {
      var record = CaptureRecord()
      record.time = Timestamp(nanoseconds: time)
      record.offset = offset
      record.count = Int(count)
      record.originalCount = Int(originalCount)
      record.number = number
      record.dropped = dropped
      record.formatCode = formatCode
      record.controller = controller
      record.kind = PacketKind(rawValue: kind) ?? .other
      record.direction = Direction(rawValue: direction) ?? .hostToController
      record.flags = CaptureRecord.Flags(rawValue: flags)
      return record
    }
  }
}

extension SessionLog {
  /// Reads the log from its beginning to its current end.
  struct Reader {
    private let log: SessionLog
    /// The last entry that `next` found.
    private(set) var window: [UInt8] = []
    private var taken = 0
    private var position: Int64 = 0
    private var size: Int64 = 0

    init(_ log: SessionLog) { self.log = log }

    func update(_ number: UInt32) -> SessionUpdate? { log.update(number) }

    /// Takes the next entry, whose bytes are in `window` until the next call; nil if there is none
    /// yet.
    mutating func next() -> (tag: Tag, record: CaptureRecord, bytes: Range<Int>)? {
      let headerCount = MemoryLayout<Header>.size
      guard fill(headerCount) else { return nil }
      let header = unsafe window.withUnsafeBytes { bytes in
        unsafe bytes.loadUnaligned(fromByteOffset: taken, as: Header.self)
      }
      let whole = headerCount + Int(header.size)
      guard fill(whole), let tag = Tag(rawValue: header.tag) else { return nil }
      let bytes = (taken + headerCount)..<(taken + whole)
      taken += whole
      return (tag, header.record, bytes)
    }

    /// Loads `count` bytes from `taken` on into the window, if the log has them.
    private mutating func fill(_ count: Int) -> Bool {
      if window.count - taken >= count { return true }
      window.removeFirst(taken)
      taken = 0
      if size - position < Int64(count - window.count) { size = log.size }
      guard size - position >= Int64(count - window.count) else { return false }
      let wanted = max(count - window.count, Int(min(1 << 18, size - position)))
      let start = window.count
      window.append(contentsOf: repeatElement(0, count: wanted))
      let filled = unsafe window.withUnsafeMutableBytes { room in
        unsafe log.file.read(
          at: position, into: UnsafeMutableRawBufferPointer(rebasing: room[start...]))
      }
      window.removeLast(wanted - filled)
      position += Int64(filled)
      return window.count >= count
    }
  }
}
