import HarkCapture
import HarkCore

/// Makes the records of a file of those that are in chunks, which are btsnoop. One encoder makes one
/// file; its copy can make the next.
struct RecordEncoder {
  /// Whole records that are to be written.
  private(set) var bytes: [UInt8] = []
  /// Where each of them ends.
  private(set) var ends: [Int] = []
  /// Records that are not in the file: it has no place for them, or they are comments.
  private(set) var leftOut = 0
  private let chunks: BtsnoopWriter
  /// Whether the file is btsnoop, too, and holds all that its records say.
  private let isCopied: Bool
  /// Whether a record takes as many bytes in the file as in a chunk.
  private let isBtsnoop: Bool
  private var writer: CaptureWriter
  private let origin: RecordOrigin
  /// Texts of PacketLogger, which are comments on the next packet in pcapng.
  private var notes: [String] = []
  private var lostNotes = 0
  private static let mostNotes = 256
  /// The cumulative drops of the last record, and of the last record of the file before.
  private var lastDrops: UInt32 = 0
  private var baseDrops: UInt32 = 0

  /// - Parameter source: What the source says about itself, if it is a capture.
  init(
    _ format: RecordingFormat, _ datalink: BtsnoopWriter.Datalink, of source: CaptureInfo? = nil
  ) {
    chunks = BtsnoopWriter(datalink, isUnderway: true)
    let info = chunks.info(of: source)
    origin = RecordOrigin(info, controller: 0)
    let output = format.output(for: info) ?? .btsnoop
    isBtsnoop = output.isBtsnoop
    isCopied = isBtsnoop && !chunks.isUnderway
    writer = CaptureWriter(output, of: [info], application: "hark record")
  }

  /// What is to be said at the end of what the files could not hold.
  var losses: [String] {
    func sentence(_ count: Int, _ reason: String) -> [String] {
      let texts = count == 1 ? "1 text" : "\(count) texts"
      return count == 0 ? [] : ["\(texts) of PacketLogger not written: \(reason)"]
    }
    return writer.losses.sentences + sentence(lostNotes, "too much before one packet")
      + sentence(notes.count, "no packet follows")
  }

  /// What the file begins with.
  /// - Parameter state: btsnoop records that are to be its first.
  mutating func begin(with state: [UInt8] = []) -> [UInt8] {
    clear()
    writer.beginAnother(to: &bytes)
    // Those of `state` say about no drops.
    let drops = lastDrops
    (lastDrops, baseDrops) = (0, 0)
    var at = 0
    while at < state.count {
      let header = BtsnoopWriter.header(state, at: at)
      append(state, at: at, header)
      at += BtsnoopWriter.headerCount + header.count
    }
    (lastDrops, baseDrops) = (drops, drops)
    defer { clear() }
    return bytes
  }

  /// At most this many bytes does a record take.
  func room(for header: BtsnoopWriter.Header) -> Int {
    // In pcapng an interface may have to be described first.
    (isBtsnoop ? BtsnoopWriter.headerCount : 256) + header.count
      + notes.reduce(0) { $0 + $1.utf8.count + 8 }
  }

  /// Appends the record at `offset` of a chunk.
  mutating func append(_ chunk: [UInt8], at offset: Int, _ header: BtsnoopWriter.Header) {
    let end = offset + BtsnoopWriter.headerCount + header.count
    let start = bytes.count
    if isCopied {
      bytes += chunk[offset..<end]
      if baseDrops != 0 {
        BtsnoopWriter.setDrops(header.drops &- baseDrops, &bytes, at: start)
      }
    } else {
      let record = chunks.record(chunk, at: offset, after: lastDrops)
      let packet = chunk.raw.extracting((end - record.count)..<end)
      append(record, packet)
    }
    lastDrops = header.drops
    if bytes.count > start { ends.append(bytes.count) }
  }

  private mutating func append(_ record: CaptureRecord, _ packet: RawSpan) {
    if writer.output == .pcapng, takeNote(record, packet) {
      leftOut += 1
    } else if notes.isEmpty || !writer.canHold(record, of: origin.capture) {
      if !writer.append(record, packet, origin, to: &bytes) { leftOut += 1 }
    } else {
      var origin = origin
      origin.comments = notes
      notes.removeAll()
      if !writer.append(record, packet, origin, to: &bytes) { leftOut += 1 }
    }
  }

  /// Keeps a text of PacketLogger for the next packet.
  /// - Returns: False if it is no text.
  private mutating func takeNote(_ record: CaptureRecord, _ packet: RawSpan) -> Bool {
    guard let note = RecordOrigin.note(record, packet) else { return false }
    let size = notes.reduce(note.utf8.count) { $0 + $1.utf8.count }
    if notes.count < Self.mostNotes, size <= RecordOrigin.mostComments {
      notes.append(note)
    } else {
      lostNotes += 1
    }
    return true
  }

  /// The last end of a record that is at `limit` or before it; `start` without one.
  func lastEnd(upTo limit: Int, from start: Int) -> Int {
    ends.last { $0 <= limit && $0 > start } ?? start
  }

  /// How many records end after `start`.
  func count(after start: Int) -> Int { ends.count { $0 > start } }

  /// Forgets what is written.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
