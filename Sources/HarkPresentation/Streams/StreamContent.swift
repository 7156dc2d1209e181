import HarkCore
import HarkSession

/// Writes what went over one stream, piece by piece.
public struct StreamContent: Sendable {
  public enum Form: Sendable {
    /// A hex dump of each piece under a line of its own.
    case hex
    /// What both sides said, one under the other, as text.
    case conversation
    /// One JSON object for each piece.
    case json
    /// The bytes alone, without pieces that have a key in them.
    case raw
  }

  /// How many pieces were left out.
  public private(set) var leftOut = 0

  private let form: Form
  private let style: Style
  /// Of the line that is being written as text.
  private var speaker: Direction?

  private static let bytesInRow = 16

  public init(_ form: Form, style: Style = .plain) {
    self.form = form
    self.style = style
  }

  /// - Parameter session: As it was when the piece was read.
  public mutating func write(
    _ piece: StreamPiece, _ session: borrowing Session, to out: inout TextBuffer
  ) {
    let time = piece.time.since(session.firstTime ?? piece.time)
    let isSecret = Self.isSecret(piece, session)
    switch form {
    case .hex: dump(piece, time, isSecret, to: &out)
    case .conversation: say(piece, isSecret, to: &out)
    case .json: object(piece, time, isSecret, to: &out)
    case .raw where isSecret: leftOut += 1
    case .raw: out.append(piece.bytes)
    }
  }

  /// Ends the last line of a conversation.
  public mutating func finish(to out: inout TextBuffer) {
    guard speaker != nil else { return }
    endLine(to: &out)
  }

  /// Whether keys are in the packet, which are shown nowhere.
  private static func isSecret(_ piece: StreamPiece, _ session: borrowing Session) -> Bool {
    session.row(of: piece.packet.number)?.flags.contains(.secret) ?? false
  }

  private func role(_ direction: Direction) -> Style.Role {
    direction == .hostToController ? .link : .message
  }

  private static func mark(_ direction: Direction) -> StaticString {
    direction == .hostToController ? ">" : "<"
  }

  // MARK: Hex

  private func dump(
    _ piece: StreamPiece, _ time: Int64, _ isSecret: Bool, to out: inout TextBuffer
  ) {
    style.write(role(piece.direction), to: &out) { out in
      out.text(Self.mark(piece.direction))
      out.string(" #\(piece.packet.number)  +")
      out.seconds(time, decimals: 6)
      out.string("  \(Names.count(piece.bytes.count, "byte"))\(isSecret ? ", a key" : "")")
    }
    out.byte(0x0A)
    guard !isSecret else { return }
    for start in stride(from: 0, to: piece.bytes.count, by: Self.bytesInRow) {
      row(piece.bytes[start..<min(start + Self.bytesInRow, piece.bytes.count)], to: &out)
    }
  }

  /// `  0010  41 54 2b 42 …  AT+B`.
  private func row(_ bytes: ArraySlice<UInt8>, to out: inout TextBuffer) {
    out.text("  ")
    style.write(.faint, to: &out) { out in
      out.string(String(Names.hex(UInt16(truncatingIfNeeded: bytes.startIndex)).dropFirst(2)))
    }
    out.text("  ")
    for byte in bytes {
      out.hex(byte)
      out.byte(0x20)
    }
    for _ in bytes.count..<Self.bytesInRow { out.text("   ") }
    out.byte(0x20)
    for byte in bytes { out.byte(0x20...0x7E ~= byte ? byte : UInt8(ascii: ".")) }
    out.byte(0x0A)
  }

  // MARK: Conversation

  private mutating func say(_ piece: StreamPiece, _ isSecret: Bool, to out: inout TextBuffer) {
    if let speaker, speaker != piece.direction { endLine(to: &out) }
    if isSecret {
      begin(piece.direction, to: &out)
      out.string("(a key, \(Names.count(piece.bytes.count, "byte")))")
      return endLine(to: &out)
    }
    for byte in piece.bytes {
      // Lines end with either or both.
      if byte == 0x0D || byte == 0x0A {
        if speaker != nil { endLine(to: &out) }
        continue
      }
      if speaker == nil { begin(piece.direction, to: &out) }
      if 0x20...0x7E ~= byte, byte != UInt8(ascii: "\\") {
        out.byte(byte)
      } else {
        out.text("\\x")
        out.hex(byte)
      }
    }
  }

  private mutating func begin(_ direction: Direction, to out: inout TextBuffer) {
    speaker = direction
    if style.isColored { out.text(role(direction).begin) }
    out.text(Self.mark(direction))
    out.byte(0x20)
  }

  private mutating func endLine(to out: inout TextBuffer) {
    if style.isColored { out.text(Style.end) }
    out.byte(0x0A)
    speaker = nil
  }

  // MARK: JSON

  private func object(
    _ piece: StreamPiece, _ time: Int64, _ isSecret: Bool, to out: inout TextBuffer
  ) {
    var json = JSONText()
    json.object { json in
      json.number("frame", piece.packet.number)
      json.recorded("time", piece.time)
      json.seconds("time_relative", time)
      json.string("direction", piece.direction == .hostToController ? "sent" : "received")
      json.number("length", piece.bytes.count)
      if !isSecret { json.hex("bytes", piece.bytes) }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }
}
