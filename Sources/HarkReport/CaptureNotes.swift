import HarkCore
import HarkSession

/// What somebody wrote beside packets of a capture on the web page. The form is described in docs/web.md.
public struct CaptureNotes: Sendable {
  public struct Note: Sendable, Equatable {
    public let first: PacketID
    public let last: PacketID
    /// Empty for a bookmark.
    public let text: String

    /// The note with another text.
    public func restated(_ change: (String) -> String) -> Note {
      Note(first: first, last: last, text: change(text))
    }
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The file that the capture was; empty if that is not said.
  public let capture: String
  public let notes: [Note]

  /// The longest file that is read.
  public static let longest = 4 << 20
  private static let most = 5_000

  /// - Throws: Where `bytes` are not such a file.
  public init(_ bytes: [UInt8]) throws(Failure) {
    let root: JSONNode
    do {
      root = try JSONParser.read(
        bytes, in: 0..<bytes.count,
        JSONParser.Limits(levels: 8, values: Self.most * 8, takesDuplicates: true))
    } catch {
      throw Failure(
        description:
          "not JSON (byte \(error.offset + 1)); --notes takes the file that 'Save notes' on the web page writes"
      )
    }
    guard case .array(let elements)? = root["notes"]?.value else {
      throw Failure(
        description: "no notes; --notes takes the file that 'Save notes' on the web page writes")
    }
    capture = root["capture"]?.text(in: bytes) ?? ""
    var notes: [Note] = []
    for element in elements.prefix(Self.most) {
      guard case .array(let packets)? = element["packets"]?.value, packets.count == 2,
        let first: UInt32 = packets[0].number(in: bytes),
        let last: UInt32 = packets[1].number(in: bytes),
        first > 0, first <= last
      else {
        throw Failure(
          description:
            "note \(notes.count + 1) does not name its packets as [first, last], counted from 1")
      }
      notes.append(
        Note(
          first: PacketID(first), last: PacketID(last),
          text: element["text"]?.text(in: bytes) ?? ""))
    }
    self.notes = notes.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
  }
}

extension ReportedCapture {
  /// A note, and what the timeline says about its packets.
  struct Remark: Sendable {
    let note: CaptureNotes.Note
    let event: String?

    var packets: String { Names.packets(note.first, note.last) }
  }

  /// The notes with the lines that they belong to: the one of the same packets, or else the first that ends with them.
  var remarks: [Remark] {
    notes.map { note in
      let line =
        lines.first { $0.frames.first == note.first && $0.frames.last == note.last }
        ?? lines.first { $0.frames.last == note.last }
      return Remark(
        note: note, event: line.map { "\(BugReportText.time($0.time)) \($0.text)" })
    }
  }
}
