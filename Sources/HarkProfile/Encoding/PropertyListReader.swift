/// Reads Apple's property lists, binary (`bplist00`) and XML, whichever it is. Dates are seconds
/// since 2001-01-01 00:00 UTC, as `CFAbsoluteTime`; UIDs are numbers.
enum PropertyListReader {
  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    bytes.starts(with: BinaryPropertyList.magic)
      ? BinaryPropertyList.read(bytes) : XMLPropertyList.read(bytes)
  }
}
