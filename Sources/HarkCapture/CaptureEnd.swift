/// How a capture ended.
public struct CaptureEnd: Sendable, Equatable {
  public enum Status: Sendable {
    /// The reader of the records wanted no more.
    case stopped
    /// The capture was read to its end and nothing was wrong.
    case complete
    /// Everything was read but the last record, of which the capture holds only a part.
    case truncated
    /// A part of the capture could not be read, or a checksum is wrong.
    case damaged
  }

  public var status: Status
  /// How many records were delivered.
  public var records: UInt32
  /// What was wrong, in the order of the capture: the first `Journal.limit` findings.
  public var damages: [CaptureDamage]
  /// How many findings there were in all.
  public var damageCount: Int
  /// Why hark read no further though there is more, where that is so: it holds as much as it may.
  public var limit: CaptureDamage.Reason?

  /// What is wrong with the capture, and how much of it was read; nil if nothing is.
  public var problem: String? {
    switch status {
    case .complete, .stopped: nil
    case .truncated:
      "truncated: \(damages.first.map { "\($0)" } ?? "it has no end"); "
        + (records == 0
          ? "nothing precedes it"
          : records == 1
            ? "hark read the record before it" : "hark read the \(records) records before it")
    // Of a copy without the damaged places.
    case .damaged where damageCount == 0:
      "damaged; \(records) \(records == 1 ? "record was" : "records were") read"
    case .damaged:
      "damaged in \(damageCount) \(damageCount == 1 ? "place" : "places"); first: "
        + "\(damages.first.map { "\($0)" } ?? "unknown"); \(records) \(records == 1 ? "record was" : "records were") read"
        + (limit.map { "; then \($0)" } ?? "")
    }
  }
}

/// One place where a capture is not as it should be.
public struct CaptureDamage: Sendable, Equatable {
  /// The number of the record it is about: the one that is cut or would have come here, or, if
  /// nothing was left out, the one that holds it.
  public var record: UInt32
  /// Where it begins, in bytes from the beginning of the capture, after decompression.
  public var offset: Int64
  public var reason: Reason
  /// Where reading went on, in the same count; nil if nothing readable follows.
  public var resumedAt: Int64?
  /// Whether the offsets count unpacked bytes, because the file is packed with gzip.
  public var isUnpacked = false

  /// What is wrong. Text is made from it only when it is shown.
  public enum Reason: Sendable, Equatable {
    case length(UInt32)
    case header
    /// Of btsnoop: the capture begins with a record, of this kind.
    case noFileHeader(String)
    /// Of a record: its time cannot be one.
    case timestamp(seconds: UInt32, microseconds: UInt32)
    case cutHeader(present: Int, expected: Int)
    case cutRecord(present: Int, expected: Int)
    case blockTrailer(UInt32)
    case sectionHeader
    case unknownInterface(UInt32)
    case frameHeader
    case frameLength(Int)
    case frameEscape(UInt8)
    case frameChecksum(UInt16)
    case frameCut(Int)
    case sniffer(SnifferFlaw)
    case gzipCut
    case gzipData
    case gzipTrailer
    /// Of an archive that holds packet logs.
    case archiveCut
    case archiveHeader
    case archiveSparse
    case read(Int32)
    /// The device of a serial line.
    case disconnected
    case store(Int32)
    /// The process holds as much as it may.
    case memory(Int)
    /// Reading takes far longer than that of a capture of this size.
    case time(seconds: Int)
    /// So many bytes unpack to more than captures do.
    case unpacked(packed: Int64)
    /// A source that may have no end sent this many bytes without a record.
    case noRecord(bytes: Int)
    /// A line of a text that begins as a packet does.
    case textLine(Int)
  }

  /// Whether the capture simply stops here, with no contradiction before.
  public var isTruncation: Bool {
    switch reason {
    case .cutHeader, .cutRecord, .gzipCut, .archiveCut, .memory, .time, .unpacked, .noRecord,
      .disconnected:
      true
    default: false
    }
  }
}

extension CaptureDamage: CustomStringConvertible {
  /// `record 12 at byte 4711: length 2863311530 is implausible (damaged?); continued at byte 5000`.
  public var description: String {
    let place = isUnpacked ? "byte \(offset) of the decompressed capture" : "byte \(offset)"
    var text = "record \(record) at \(place): \(reason)"
    if let resumedAt {
      if resumedAt > offset { text += "; continued at byte \(resumedAt)" }
    } else if !isTruncation {
      text += "; nothing readable follows"
    }
    return text
  }
}

extension CaptureDamage.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .length(let length): "length \(length) is implausible (damaged?)"
    case .header: "the header fits neither the record nor the next one (damaged?)"
    case .noFileHeader(let kind):
      "the file header is missing, as in a part of a rotated or cut log; hark reads the records as btsnoop (\(kind))"
    case .timestamp(let seconds, let microseconds) where microseconds < 1_000_000:
      "its time (\(seconds) s) is far from those before and after it (damaged?); hark uses the time before it"
    case .timestamp(_, let microseconds):
      "its time has \(microseconds) µs of a second (damaged?); hark uses the time of the record next to it"
    case .cutHeader(let present, let expected):
      "the capture ends after \(present) of \(expected) header bytes"
    case .cutRecord(let present, let expected):
      "the capture ends after \(present) of the record's \(expected) bytes"
    case .blockTrailer(let found): "the block's length is not repeated at its end (\(found))"
    case .sectionHeader: "the section header is unreadable (damaged?)"
    case .unknownInterface(let number): "interface \(number) is not described in this section"
    case .frameHeader: "the UART frame's header checksum is wrong"
    case .frameLength(let count):
      "the UART frame has \(count) \(count == 1 ? "byte" : "bytes"), but its header gives another length"
    case .frameEscape(let byte): "0xdb 0x\(hexadecimal(byte)) is not a SLIP escape"
    case .frameChecksum(let found): "the UART frame's CRC is wrong (\(found))"
    case .frameCut(let count):
      "the last UART frame has no end (\(count) \(count == 1 ? "byte" : "bytes"))"
    case .sniffer(let flaw): "\(flaw)"
    case .gzipCut: "the gzip stream is truncated"
    case .gzipData: "the gzip stream is damaged"
    case .gzipTrailer: "the data after the gzip stream is not gzip"
    case .archiveCut: "the archive is truncated"
    case .archiveHeader: "a file's header in the archive is damaged, and the file is missing"
    case .archiveSparse:
      "hark does not read sparse files in archives, such as a packet log in this one: unpack the archive, and name the folder"
    case .read(let code): "cannot continue reading: \(systemMessage(code))"
    case .disconnected: "the device was disconnected"
    case .store(let code): "cannot store the bytes in a temporary file: \(systemMessage(code))"
    case .memory(let limit):
      "hark reached its memory limit (\(MemoryBudget.words(limit))) and stopped reading: "
        + MemoryBudget.advice
    case .time(let seconds):
      "hark has worked for \(seconds) s, far longer than a capture of this size needs, and stopped "
        + "reading: --memory removes this limit"
    case .unpacked(let packed):
      "the first \(packed) bytes of the file decompress to more than a capture would, and hark reads no "
        + "further: \(MemoryBudget.advice)"
    case .noRecord(let bytes):
      "\(MemoryBudget.words(bytes)) without a record, and hark reads no further: save the capture, and give hark "
        + "the file"
    case .textLine(let number): "line \(number) does not contain a whole packet"
    }
  }
}

func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
