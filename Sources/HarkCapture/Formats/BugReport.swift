import HarkCore

/// Bug reports of Android, as text or as the ZIP archive that `adb bugreport` makes: the Bluetooth log
/// in them is read as if it were the file.
enum BugReport {
  private static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
  private static let end = Array("--- END:BTSNOOP".utf8)
  /// What a bug report, or a part of one, has at its beginning.
  private static let marks = [
    "--- BEGIN:BTSNOOP", "== dumpstate:", "DUMP OF SERVICE", "Bluetooth Status",
  ].map { Array($0.utf8) }

  /// The log in `source`, and what it was in; nil if `source` is no bug report.
  static func log(in source: Source) throws(CaptureError) -> (bytes: [UInt8], origin: String)? {
    guard source.isRandomAccess, let size = source.size, size > 4,
      let head = source.piece(0, Int(min(size, 4096)))
    else { return nil }
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return try archived(source) }
    // No text has a zero at its beginning, and nearly every capture has one.
    guard !head.prefix(32).contains(0) else { return nil }
    guard marks.contains(where: { find($0, in: head, from: 0) != nil }) else { return nil }
    guard let text = source.piece(0, Int(min(size, Int64(largest)))),
      let found = try summary(text, source.name)
    else {
      throw CaptureError(
        source.name, "a bug report without a Bluetooth log", expected: "one",
        advice:
          "turn on \u{201C}Bluetooth HCI snoop log\u{201D} in Android's developer options, turn Bluetooth "
          + "off and on, and take another bug report", isOtherFile: true)
    }
    return (found.bytes, found.origin + " in a bug report")
  }

  private static let largest = 512 << 20

  /// The logs in a ZIP archive: the files of the recorder, oldest first, or else the summary in the
  /// report itself. Nil if there is neither.
  private static func archived(
    _ source: Source
  ) throws(CaptureError) -> (bytes: [UInt8], origin: String)? {
    guard let archive = ZipArchive(source) else { return nil }
    guard !archive.overlaps else {
      throw CaptureError(
        source.name, "a ZIP archive whose files share bytes", expected: "a bug report",
        advice: "it was crafted to decompress to far more than its size")
    }
    let logs = archive.members.filter { $0.name.fileName.hasPrefix("btsnoop") }
      .map { (member: $0, head: archive.beginning(of: $0, fileHeader + 24)) }
      .filter { isLog($0.head) }
      .sorted { time($0.head) < time($1.head) }
    if let first = logs.first {
      // Those of one recorder follow each other; another one's would need a header of its own.
      let same = logs.filter { $0.head[..<fileHeader] == first.head[..<fileHeader] }.map(\.member)
      let names = same.map(\.name.fileName).joined(separator: ", ")
      let limit = min(2 * MemoryBudget.unpacked, largest)
      guard let all = joined(same, of: archive, limit) else {
        throw .unpacksToTooMuch(source.name, limit: limit)
      }
      return (all, names + " in a bug report")
    }
    for member in archive.members
    where member.name.hasSuffix(".txt") && isReport(member.name.fileName) {
      let limit = min(2 * MemoryBudget.unpacked, largest)
      var isTooMuch = false
      var text: [UInt8] = []
      text.reserveCapacity(min(archive.mostSize(of: member), limit))
      archive.forEachPiece(of: member) { piece in
        isTooMuch = text.count + piece.count > limit
        if !isTooMuch { text += piece }
        return !isTooMuch
      }
      if let found = try summary(text, source.name) {
        return (found.bytes, found.origin + " in a bug report")
      }
      if isTooMuch { throw .unpacksToTooMuch(source.name, limit: limit) }
    }
    return nil
  }

  /// The records of all logs after the header of the first; nil if they have more than `limit` bytes.
  private static func joined(
    _ members: [ZipArchive.Member], of archive: ZipArchive, _ limit: Int
  ) -> [UInt8]? {
    var all: [UInt8] = []
    all.reserveCapacity(members.reduce(0) { min(limit, $0 + archive.mostSize(of: $1)) })
    for member in members {
      var header = all.isEmpty ? 0 : fileHeader
      let isWhole = archive.forEachPiece(of: member) { piece in
        let skipped = min(header, piece.count)
        header -= skipped
        guard all.count + piece.count <= limit else { return false }
        all += piece.dropFirst(skipped)
        return true
      }
      if !isWhole { return nil }
    }
    return all
  }

  private static func isReport(_ name: String) -> Bool {
    name.hasPrefix("bugreport") || name.hasPrefix("dumpstate")
  }

  // MARK: Files of the recorder

  private static let fileHeader = 16

  private static func isLog(_ bytes: [UInt8]) -> Bool {
    bytes.count >= fileHeader && bytes.starts(with: Array("btsnoop\0".utf8))
  }

  /// The time of the first record, as it is written there; the maximum if there is none.
  private static func time(_ bytes: [UInt8]) -> UInt64 {
    guard bytes.count >= fileHeader + 24 else { return .max }
    return bytes[(fileHeader + 16)..<(fileHeader + 24)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: The summary

  /// The log that is in the text of a bug report, as btsnoop.
  private static func summary(
    _ text: [UInt8], _ name: String
  ) throws(CaptureError) -> (bytes: [UInt8], origin: String)? {
    guard let mark = find(begin, in: text, from: 0),
      let start = text[mark...].firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let stop = find(end, in: text, from: start) ?? text.count
    let limit = min(MemoryBudget.unpacked / 4, largest)
    do throws(Btsnooz.TooMuch) {
      guard stop - start <= limit else { throw Btsnooz.TooMuch() }
      guard let log = try Btsnooz.btsnoop(decoded(text[start..<stop]), atMost: limit) else {
        return nil
      }
      return (log.file, "btsnooz \(log.version)")
    } catch {
      throw .unpacksToTooMuch(name, limit: limit)
    }
  }

  /// What base64 stands for; other characters, such as ends of lines, are passed over.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var assembler = Base64.Assembler()
    for character in text {
      guard let value = Base64.value(of: character) else { continue }
      if let byte = assembler.byte(with: value) { bytes.append(byte) }
    }
    return bytes
  }

  private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count - start >= pattern.count else { return nil }
    return (start...(bytes.count - pattern.count)).first { position in
      bytes[position] == pattern[0] && bytes[position..<(position + pattern.count)] == pattern[...]
    }
  }
}
