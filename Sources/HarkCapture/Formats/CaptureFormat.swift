import HarkCore

/// The capture formats, in the order in which a file's content is held against them.
/// A format is one file and one line here.
struct CaptureFormat: Sendable {
  let name: String
  /// What it is called as a format to write, and the endings of its files.
  let outputName: String
  let endings: [String]
  /// Whether the bytes at the window's beginning are of this format.
  let recognises: @Sendable (inout Window) -> Bool
  /// Reads what precedes the first record.
  let open: @Sendable (inout Window, Journal) throws(CaptureError) -> any RecordReader

  static let all = [
    CaptureFormat(
      name: "btsnoop", outputName: "btsnoop", endings: ["btsnoop", "log", "cfa"],
      recognises: Btsnoop.recognises, open: Btsnoop.open),
    CaptureFormat(
      name: "pcap", outputName: "pcap", endings: ["pcap", "cap"],
      recognises: Pcap.recognises, open: Pcap.open),
    CaptureFormat(
      name: "pcapng", outputName: "pcapng", endings: ["pcapng", "ntar"],
      recognises: Pcapng.recognises, open: Pcapng.open),
    // Last, because it has no magic number.
    CaptureFormat(
      name: "PacketLogger", outputName: "pklg", endings: ["pklg"],
      recognises: PacketLogger.recognises, open: PacketLogger.open),
  ]

  /// Those with a magic number.
  private static let marked = all.dropLast()

  /// Finds the format of the capture in the window and opens it.
  static func open(
    _ window: inout Window, _ journal: Journal
  ) throws(CaptureError) -> any RecordReader {
    // Its zeros also read as the headers of other formats.
    if isEventTrace(&window) { throw unknown(&window) }
    for format in marked where format.recognises(&window) {
      return try format.open(&window, journal)
    }
    // Records that are still to come are not waited for, as those of PacketLogger may be recognized earlier.
    if !window.source.isAwaited, let reader = Btsnoop.openRecords(&window, journal) {
      return reader
    }
    if PacketLogger.recognises(&window) { return try PacketLogger.open(&window, journal) }
    if let reader = Btsnoop.openRecords(&window, journal) { return reader }
    throw unknown(&window)
  }

  /// Whether a file is in one of the formats.
  static func isRecognized(_ source: Source) -> Bool {
    guard source.isRandomAccess else { return false }
    var window = Window(source)
    return !isEventTrace(&window)
      && (all.contains { $0.recognises(&window) } || datalinkOfRecords(&window) != nil)
  }

  /// The datalink of a btsnoop file without its file header; nil if it is something else.
  static func datalinkOfRecords(_ window: inout Window) -> Btsnoop.Datalink? {
    marked.contains { $0.recognises(&window) } ? nil : Btsnoop.datalink(ofRecordsAt: 0, &window)
  }

  /// Whether a file is named as captures are: then it should be one, though its content does not show it. Logs of all
  /// kinds end in `.log`.
  static func isNameOfCapture(_ path: String) -> Bool {
    var name = path.fileName.lowercased()
    if let ending = packedEndings.first(where: name.hasSuffix) { name.removeLast(ending.count) }
    return name.hasPrefix("btsnoop")
      || all.flatMap(\.endings).contains { $0 != "log" && name.hasSuffix("." + $0) }
  }

  private static let packedEndings = [".gz", ".xz", ".zst", ".lz4"]

  private static func unknown(_ window: inout Window) -> CaptureError {
    var error = reasonOfUnknown(&window)
    // An empty file of a recorder that failed, for example.
    if isNameOfCapture(error.name) { error.isOtherFile = false }
    return error
  }

  private static func reasonOfUnknown(_ window: inout Window) -> CaptureError {
    let name = window.source.name
    if let problem = window.source.problem { return CaptureError(name, "\(problem)") }
    let expected = "a capture (\(all.map(\.name).joined(separator: ", ")))"
    if !window.ensure(1) {
      return CaptureError(name, CaptureError.nothing, isOtherFile: true)
    }
    let damage = TextDamage.atBeginning(of: &window)
    if damage == .widenedText || TextLog.isText(&window),
      let found = try? TextCapture.forced(in: window.source)
    {
      return CaptureError(
        name, "a text with packets \(found.origin)", expected: expected,
        advice: "read the packets in it with --as text")
    }
    if let damage { return damage.error(name) }
    for (mark, kind, advice) in lookalikes where window.holds(mark) {
      return CaptureError(
        name, kind, offset: 0, expected: expected, advice: advice, isOtherFile: true)
    }
    if window.holds("ustar", at: 257) {
      return CaptureError(
        name, "a tar archive", expected: expected,
        advice: "name it as a file: hark reads the packet logs of a sysdiagnose only from files",
        isOtherFile: true)
    }
    if isEventTrace(&window) {
      return CaptureError(
        name, "an event trace of Windows (ETL)", expected: expected,
        advice: "convert it to pcap with BTETLParse from Microsoft's Bluetooth Test Platform",
        isOtherFile: true)
    }
    if let kind = TextLog.kind(of: &window) {
      return CaptureError(
        name, kind.name, expected: expected, advice: kind.advice, isOtherFile: true)
    }
    if TextLog.isText(&window), window.count >= 64 {
      return CaptureError(
        name, "text", expected: expected,
        advice: "if it was made from a capture, open the capture itself; if it contains packets as "
          + "hcidump --raw, tshark -x or usbmon prints them, use --as text", isOtherFile: true)
    }
    for (mark, kind, advice) in packed where window.holds(mark) {
      return CaptureError(name, kind, expected: expected, advice: advice, isOtherFile: true)
    }
    if window.source.isRandomAccess, let (position, datalink) = Btsnoop.firstRecord(&window) {
      return CaptureError(
        name,
        "\(position) other bytes before the first record of a btsnoop file (\(datalink.name)) without its header",
        expected: expected,
        advice: "remove these bytes: tail -c +\(position + 1) FILE > NEW.btsnoop")
    }
    _ = window.ensure(8)
    let bytes = (0..<min(window.count, 8)).map { hexadecimal(window.byte(at: $0)) }
    return CaptureError(
      name, "bytes " + bytes.joined(separator: " "), offset: 0, expected: expected,
      advice:
        "name the capture itself; for a serial line or a socket, name its format: 'hark live --as'",
      isOtherFile: true)
  }

  /// Whether it is a log of Event Tracing for Windows: the header of a buffer of 72 bytes, whose first member is the
  /// buffer's size, and an event of the system with version 2 and the flags of a system header.
  /// https://learn.microsoft.com/windows/win32/api/evntrace/ns-evntrace-trace_logfile_header
  private static func isEventTrace(_ window: inout Window) -> Bool {
    guard window.ensure(4) else { return false }
    let size = window.u32(at: 0, .littleEndian)
    guard size > 0, size % 1_024 == 0, size <= 16 << 20, window.ensure(76) else { return false }
    return window.u16(at: 72, .littleEndian) == 2 && [1, 2].contains(window.byte(at: 74))
      && window.byte(at: 75) == 0xC0
  }

  /// Files that hark does not decompress, by their first bytes.
  private static let packed: [([UInt8], String, String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz file", "decompress it first (xz -d)"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file", "decompress it first (zstd -d)"),
    ([0x04, 0x22, 0x4D, 0x18], "an LZ4 file", "decompress it first (lz4 -d)"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", "extract it first"),
  ]

  /// What people also try to open.
  private static let lookalikes: [(StaticString, String, String)] = [
    ("PK\u{3}\u{4}", "a ZIP archive", "extract it first and look for btsnoop or pklg files in it"),
    ("BZh", "a bzip2 file", "decompress it first"),
    ("--- BEGIN:BTSNOOP", "a compressed log in a bug report", "save it to a file first"),
    ("<?xml", "an XML file", "open the capture it belongs to"),
  ]
}
