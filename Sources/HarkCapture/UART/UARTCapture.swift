import HarkCore

/// A btsnoop capture of frames on a UART (1003, 1004), and the packets that are read from it, one after
/// the other: other packets of the same lengths can be put into its frames.
///
/// Frames keep their headers, and checks that were wrong stay wrong. Bytes that need an escape, where
/// others stood that need none, make a record longer, and the other way round.
/// Core Specification, Vol 4, Part D, 3 and 5.
public struct UARTCapture: Sendable {
  /// The bytes of all records, in the order they are read in.
  public let packets: [UInt8]
  /// Bytes that are sent as two.
  public let escaped: Set<UInt8>

  /// The capture as it is.
  public let file: [UInt8]
  private let name: String

  /// - Returns: Nil if it is another capture.
  public init?(_ file: [UInt8], name: String) throws(CaptureError) {
    (self.file, self.name) = (file, name)
    var packets: [UInt8] = []
    var escaped: Set<UInt8> = [0xC0, 0xDB]
    guard file.starts(with: Array("btsnoop\0".utf8)), file.count >= 16,
      [Btsnoop.Datalink.bcsp, .h5].contains(where: { $0.rawValue == Self.u32(file, 12) })
    else { return nil }
    try Self.walk(file, name) { piece in
      packets += piece.delivered
      // Those of software flow control, where they are sent so.
      for (byte, places) in zip(piece.bytes, piece.places) where places.count == 2 {
        escaped.insert(byte)
      }
    }
    (self.packets, self.escaped) = (packets, escaped)
  }

  /// The capture with other packets.
  /// - Parameter packets: As many bytes as its own.
  /// - Returns: The file, how many of its records became longer or shorter, and how many of its bytes, which
  ///   belong to no packet and no frame, became zeros.
  public func framing(
    _ packets: [UInt8]
  ) throws(CaptureError) -> (file: [UInt8], resized: Int, blanked: Int) {
    precondition(packets.count == self.packets.count, "packets of other lengths")
    var out = file
    let blanked = try blankUnframed(&out)
    // What frames became that are complete goes over what their parts became.
    var frames: [(Piece, [UInt8])] = []
    var start = 0
    try Self.walk(file, name) { piece in
      let new = Array(packets[start..<(start + piece.delivered.count)])
      start += new.count
      if piece.places.isEmpty {
        putPart(new, at: piece.chunk.lowerBound, &out)
      } else if new[...] != piece.delivered || piece.isInParts {
        frames.append((piece, new))
      }
    }
    var edits: [Int: [UInt8]] = [:]
    for (piece, new) in frames { put(piece.framing(new), piece, &out, &edits) }
    guard !edits.isEmpty else { return (out, 0, blanked) }
    let (file, resized) = resize(out, edits)
    return (file, resized, blanked)
  }

  /// Overwrites what is neither a header nor read as a frame or a part of one; the bytes that frame and
  /// escape stay, so that the same frames are read.
  private func blankUnframed(_ out: inout [UInt8]) throws(CaptureError) -> Int {
    var isKnown = [Bool](repeating: false, count: file.count)
    func mark(_ range: Range<Int>) {
      for place in range.clamped(to: file.indices) { isKnown[place] = true }
    }
    mark(0..<16)
    for chunk in chunks { mark((chunk.lowerBound - Self.headerSize)..<chunk.lowerBound) }
    try Self.walk(file, name) { piece in
      for place in piece.places { (isKnown[place.first], isKnown[place.last]) = (true, true) }
      if piece.places.isEmpty { mark(piece.chunk) }
    }
    var blanked = 0
    let (marks, escapes): (Set<UInt8>, Set<UInt8>) = ([0xC0, 0xDB], [0xDC, 0xDD, 0xDE, 0xDF])
    for place in file.indices where !isKnown[place] && !marks.contains(file[place]) {
      let isEscape = place > 0 && file[place - 1] == 0xDB && escapes.contains(file[place])
      guard !isEscape, file[place] != 0 else { continue }
      out[place] = 0
      blanked += 1
    }
    return blanked
  }

  /// Puts bytes in place of a part of a frame, but for those that frame it.
  private func putPart(_ part: [UInt8], at start: Int, _ out: inout [UInt8]) {
    let marks: Set<UInt8> = [0xC0, 0xDB]
    for (index, byte) in part.enumerated() where !marks.contains(byte) {
      let place = start + index
      guard !marks.contains(file[place]) else { continue }
      // An invalid code after an escape byte stays invalid.
      if index > 0, file[place - 1] == 0xDB {
        if !(0xDC...0xDF).contains(file[place]) { out[place] = 0 }
        continue
      }
      out[place] = byte
    }
  }

  /// Puts the bytes of a frame where those were that it had.
  /// - Parameter edits: Of bytes of the file, what they become where that is not one byte.
  private func put(
    _ frame: [UInt8], _ piece: Piece, _ out: inout [UInt8], _ edits: inout [Int: [UInt8]]
  ) {
    for (index, byte) in frame.enumerated() {
      let places = piece.places[index]
      guard byte != piece.bytes[index] else {
        (out[places.first], out[places.last]) = (file[places.first], file[places.last])
        continue
      }
      guard escaped.contains(byte), let mark = SLIP.escape(byte) else {
        if places.count == 2 { edits[places.first] = [] }
        out[places.last] = byte
        continue
      }
      if places.count == 2 {
        (out[places.first], out[places.last]) = (0xDB, mark)
      } else {
        edits[places.last] = [0xDB, mark]
      }
    }
  }

  /// Makes the edits, and the lengths in the headers of the records fit.
  private func resize(_ out: [UInt8], _ edits: [Int: [UInt8]]) -> (file: [UInt8], resized: Int) {
    var file: [UInt8] = []
    file.reserveCapacity(out.count + edits.count)
    var (place, resized) = (0, 0)
    let sorted = edits.keys.sorted()
    var next = 0
    for chunk in chunks {
      let mine = sorted[next...].prefix { $0 < chunk.upperBound }
      next += mine.count
      let growth = mine.reduce(0) { $0 + (edits[$1]?.count ?? 1) - 1 }
      let header = chunk.lowerBound - Self.headerSize
      let start = file.count + header - place
      file += out[place..<chunk.lowerBound]
      place = chunk.lowerBound
      for edit in mine {
        file += out[place..<edit]
        file += edits[edit] ?? []
        place = edit + 1
      }
      file += out[place..<chunk.upperBound]
      place = chunk.upperBound
      guard growth != 0 else { continue }
      resized += 1
      for field in [0, 4] {
        let length = UInt32(clamping: Int(Self.u32(out, header + field)) + growth)
        for byte in 0..<4 {
          file[start + field + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - byte * 8))
        }
      }
    }
    return (file + out[place...], resized)
  }

  private static let headerSize = 24

  private static func u32(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

// MARK: Frames

extension UARTCapture {
  /// What one record is read from: a frame, or a part of one that did not end there.
  private struct Piece {
    /// Of the btsnoop record in which it ends, in the file.
    let chunk: Range<Int>
    /// Of a frame, without escapes; of a part of one, as it is.
    let bytes: [UInt8]
    /// Where each byte of a frame is in the file; empty of a part of one.
    let places: [Places]
    /// Which of the bytes are the record's.
    let range: Range<Int>
    /// Whether its header is right.
    let isSound: Bool

    var delivered: ArraySlice<UInt8> { bytes[range] }

    /// Whether it began in an earlier btsnoop record than it ends in.
    var isInParts: Bool { places.first.map { $0.first < chunk.lowerBound } ?? false }

    /// The frame with other bytes in its record: its header stays, and its check is as right as it was.
    func framing(_ new: [UInt8]) -> [UInt8] {
      var frame = bytes
      frame.replaceSubrange(range, with: new)
      guard isSound else { return frame }
      frame.replaceSubrange(..<4, with: bytes[..<4])
      guard bytes[0] & 0x40 != 0 else { return frame }
      let check = bytes.count - 2
      let wrong =
        UInt16(bytes[check]) << 8 | UInt16(bytes[check + 1])
        ^ UARTFrame.checksum(bytes[..<check])
      let sum = UARTFrame.checksum(frame[..<check]) ^ wrong
      (frame[check], frame[check + 1]) = (UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum))
      return frame
    }
  }

  /// Where a byte is in the file: one place, or that of an escape and of what stands after it.
  private struct Places {
    let first: Int
    let last: Int

    var count: Int { first == last ? 1 : 2 }
  }

  /// A line in one direction.
  private struct Line {
    var slip = SLIP()
    var places: [Places] = []
    var escape: Int?

    mutating func take(_ byte: UInt8, at place: Int) -> SLIP.Outcome? {
      let outcome = slip.take(byte)
      switch outcome {
      case .frame: break
      case .badEscape, .tooLong: (places, escape) = ([], nil)
      case nil:
        if slip.isEscaped {
          escape = place
        } else if slip.frame.count == places.count + 1 {
          places.append(Places(first: escape ?? place, last: place))
          escape = nil
        } else {
          (places, escape) = ([], nil)
        }
      }
      return outcome
    }
  }

  /// Where the bytes of btsnoop records are.
  private var chunks: [Range<Int>] {
    var chunks: [Range<Int>] = []
    try? Self.forEachChunk(file, name) { chunk, _ in
      chunks.append(chunk)
      return 1
    }
    return chunks
  }

  /// Calls `body` for what each record is read from, as `UARTReader` reads it.
  private static func walk(
    _ file: [UInt8], _ name: String, _ body: (Piece) -> Void
  ) throws(CaptureError) {
    var lines = [Line(), Line()]
    try forEachChunk(file, name) { chunk, direction in
      let line = direction == .hostToController ? 0 : 1
      var count: UInt32 = 0
      for place in chunk {
        guard lines[line].take(file[place], at: place) == .frame else { continue }
        body(piece(lines[line], direction, chunk, file))
        lines[line].places = []
        count += 1
      }
      guard count == 0 else { return count }
      body(
        Piece(
          chunk: chunk, bytes: Array(file[chunk]), places: [], range: 0..<chunk.count,
          isSound: false))
      return 1
    }
  }

  private static func piece(
    _ line: Line, _ direction: Direction, _ chunk: Range<Int>, _ file: [UInt8]
  ) -> Piece {
    let frame = line.slip.frame
    guard case .success(let parsed) = UARTFrame.parse(frame) else {
      return Piece(
        chunk: chunk, bytes: frame, places: line.places, range: 0..<frame.count, isSound: false)
    }
    let isH5 = u32(file, 12) == Btsnoop.Datalink.h5.rawValue
    let kind = isH5 ? H5.kind(parsed.type) : BCSP.kind(parsed.type, direction)
    return Piece(
      chunk: chunk, bytes: frame, places: line.places,
      range: kind.isHCI ? parsed.payload : 0..<frame.count, isSound: true)
  }

  /// Calls `body` for each btsnoop record, with where its bytes are; it returns how many records are read
  /// from those.
  private static func forEachChunk(
    _ file: [UInt8], _ name: String, _ body: (Range<Int>, Direction) -> UInt32
  ) throws(CaptureError) {
    var window = Window(try Source(bytes: file, name: name))
    guard window.ensure(16), let datalink = Btsnoop.Datalink(rawValue: u32(file, 12)) else {
      return
    }
    window.advance(16)
    var snoop = Btsnoop(datalink: datalink)
    let journal = Journal()
    var record = CaptureRecord()
    record.number = 1
    while unsafe snoop.next(&window, journal, &record) != nil {
      let start = Int(record.offset)
      record.number &+= body(start..<(start + record.count), record.direction)
      if !record.flags.isEmpty { journal.clear() }
      (record.flags, record.dropped) = ([], 0)
    }
  }
}
