import HarkCore
import HarkProfile

/// What is to be known of the lines of a log to replace what people wrote in them.
extension AppLog {
  /// Whether a line is an object of JSON.
  package static func isObject(_ line: [UInt8]) -> Bool {
    guard line.first(where: { $0 != 0x20 }) == UInt8(ascii: "{") else { return false }
    if case .object? = DataReading.json(line) { return true } else { return false }
  }

  /// Where the head of a line of text begins after its time, and where its message does; with the
  /// words in the head that say whose line it is. Nil for a line without a head.
  package static func head(
    of line: [UInt8]
  ) -> (time: Int, message: Int, words: [String], process: String?)? {
    var format = LogText(near: Timestamp(nanoseconds: 0))
    guard case .record(let record) = format.read(line) else { return nil }
    let count = record.message.utf8.count
    guard line.suffix(count).elementsEqual(record.message.utf8) else { return nil }
    let time = LogTime(line, near: Timestamp(nanoseconds: 0))?.count ?? 0
    let message = line.count - count
    return (
      min(time, message), message,
      // Of a name with blanks, the beginning may be the phone's.
      [
        record.process?.split(separator: " ").last.map(String.init), record.library,
        record.subsystem, record.category,
      ].compactMap { $0 }, record.process
    )
  }

  /// Parts of words by which hark recognizes what a line says, in lower case.
  package static var readWords: [String] { Meaning.readWords }
}
