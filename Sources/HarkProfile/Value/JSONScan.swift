import HarkSession

/// Where the objects (and arrays) of a text lie, without reading them: distinguishes a truncated text from
/// two texts run together, which a JSON reader does not.
struct JSONScan {
  /// Objects in one text that are looked at.
  static let objectLimit = 16

  /// Of each whole object at the top.
  private(set) var objects: [Range<Int>] = []
  /// Why the scan ended before the end of the text.
  private(set) var problem: FramingProblem?

  private var start = 0
  private var depth = 0
  private var inString = false
  private var isEscaped = false

  init(_ bytes: some RandomAccessCollection<UInt8>) {
    for (offset, byte) in bytes.enumerated() {
      if inString {
        string(byte)
      } else {
        structure(byte, offset)
        if problem != nil { return }
      }
    }
    if depth > 0 {
      problem = .truncatedJSON(offset: start, depth: depth, inString: inString)
    } else if objects.isEmpty {
      problem = .empty
    }
  }

  private mutating func string(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      inString = false
    }
  }

  private mutating func structure(_ byte: UInt8, _ offset: Int) {
    if depth == 0 {
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["),
        objects.count < Self.objectLimit
      else {
        problem = .notJSON(offset: offset)
        return
      }
      start = offset
    }
    switch byte {
    case UInt8(ascii: "\""): inString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      if depth > ByteReader.deepest { problem = .deepJSON(limit: ByteReader.deepest) }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { objects.append(start..<offset + 1) }
    default: break
    }
  }
}
