import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Records that are not written yet, because what they show may be known only when those after them
/// were read. The last few are held; a comment for one that has gone is written on the next.
struct HeldRecords {
  /// One record, with its packet and what stands beside it.
  struct Entry {
    var number: UInt32
    var record: CaptureRecord
    var bytes: [UInt8]
    var origin: RecordOrigin
    /// Whether it is written; otherwise only what was lost before it counts.
    var isWanted: Bool
    /// Whether the output also has a place for it: only then can it carry comments.
    var isHeld = true
  }

  /// So many are held at most.
  private static let most = 1_024

  private var entries: [Entry] = []
  /// How many of the entries have gone.
  private var gone = 0
  /// Comments for whatever is written next.
  private var late: [String] = []
  /// What comments are made of; nil if none are wanted.
  private let remarks: RecordRemarks?
  /// Texts of PacketLogger for the next packet.
  private var notes: [String] = []
  /// How many of them became comments.
  private(set) var noteCount = 0

  /// Whether texts of PacketLogger become comments.
  private let keepsNotes: Bool
  /// Whether the output has a place for a record of a capture.
  private let canHold: (CaptureRecord, CaptureInfo) -> Bool

  init(
    _ remarks: RecordRemarks?, keepsNotes: Bool = false,
    canHold: @escaping (CaptureRecord, CaptureInfo) -> Bool
  ) {
    (self.remarks, self.keepsNotes, self.canHold) = (remarks, keepsNotes, canHold)
  }

  /// How many texts no packet followed or preceded.
  var leftNotes: Int { notes.count }

  /// Takes a record that PacketLogger, which has no comments, uses for a text, as a comment on the next packet.
  /// - Returns: False if it is no such record, or the output has no comments.
  private mutating func takeNote(_ record: CaptureRecord, _ bytes: RawSpan) -> Bool {
    guard keepsNotes, let note = RecordOrigin.note(record, bytes) else { return false }
    notes.append(note)
    return true
  }

  /// Takes the record that `session` has indexed last.
  mutating func take(
    _ record: CaptureRecord, _ bytes: RawSpan, _ origin: RecordOrigin, isWanted: Bool,
    _ session: borrowing Session
  ) {
    let isNote = isWanted && takeNote(record, bytes)
    var entry = Entry(
      number: UInt32(truncatingIfNeeded: session.packets.count), record: record,
      bytes: isWanted && !isNote ? bytes.array : [], origin: origin,
      isWanted: isWanted && !isNote)
    entry.isHeld = !keepsNotes || canHold(record, origin.capture)
    if entry.isWanted, entry.isHeld { addNotes(to: &entry) }
    entries.append(entry)
    comment(session)
  }

  private mutating func addNotes(to entry: inout Entry) {
    entry.origin.comments += notes
    noteCount += notes.count
    notes.removeAll()
  }

  /// Stores what the session has reported since its events were dropped with the packets that show it.
  mutating func comment(_ session: borrowing Session) {
    let remarks = remarks
    remarks?.comments(session) { comment($1, on: $0.number) }
  }

  private mutating func comment(_ text: String, on number: UInt32) {
    guard let first = entries.dropFirst(gone).first?.number, number >= first else {
      late.append(
        RecordOrigin.mark + "(of an earlier packet) " + text.dropFirst(RecordOrigin.mark.count))
      return
    }
    let index = gone + Int(number - first)
    if index < entries.count { entries[index].origin.comments.append(text) }
  }

  /// Hands on those that are held too long; with `all` every one.
  mutating func release(all: Bool = false, _ body: (Entry) throws -> Void) rethrows {
    // After the last packet there may be notes, too.
    if all,
      let last = entries.indices.dropFirst(gone).last(where: {
        entries[$0].isWanted && entries[$0].isHeld
      })
    {
      var entry = entries[last]
      addNotes(to: &entry)
      entries[last] = entry
    }
    while gone < entries.count, all || entries.count - gone > Self.most {
      var entry = entries[gone]
      if entry.isWanted, entry.isHeld, !late.isEmpty {
        entry.origin.comments += late
        late.removeAll()
      }
      try body(entry)
      entries[gone].bytes = []
      gone += 1
    }
    // Now and then, so that moving what is left costs little.
    guard gone == entries.count || gone >= Self.most else { return }
    entries.removeFirst(gone)
    gone = 0
  }
}
