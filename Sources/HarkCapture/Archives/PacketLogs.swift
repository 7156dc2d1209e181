import HarkCore

/// The packet logs that an iPhone puts into a sysdiagnose, `logs/Bluetooth/bluetoothd-hci-….pklg`, as one capture.
/// PacketLogger's files have no header, so one after the other they are one file. They are read where they are,
/// in the archive or the folder: as often from its beginning as a later one precedes an earlier one.
final class PacketLogs {
  private struct Log {
    let index: Int
    let name: String
    let count: Int64
    /// The beginning of the first record.
    let head: [UInt8]

    var isBigEndian: Bool { head.starts(with: [0, 0]) }

    /// When the first packet was recorded; PacketLogger writes most significant octets first on some systems.
    var time: UInt64 {
      guard head.count >= 12 else { return .max }
      func number(_ from: Int) -> UInt64 {
        let four = head[from..<(from + 4)]
        return isBigEndian
          ? four.reduce(0) { $0 << 8 | UInt64($1) }
          : four.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      return number(4) << 32 | number(8)
    }
  }

  private static let most = 64

  private let open: () -> PackedFiles?
  private var files: PackedFiles?
  /// The index of the file that `files` gave last.
  private var index = -1
  private var logs: [Log] = []
  private var next = 0
  private var isInside = false
  /// Bytes that were read and not given, and how many of them are whole records.
  private var waiting: [UInt8] = []
  private var whole = 0
  /// Why reading ended, where it was not the end of the last log; what is wrong with the archive is known only then.
  private(set) var problem: CaptureDamage.Reason?
  private let problemOfScan: CaptureDamage.Reason?
  let isCompressed: Bool
  private(set) var position: Int64 = 0

  /// A capture of the packet logs at `path`, and what they are called.
  /// - Returns: Nil if that is no folder and no tar archive.
  /// - Throws: `CaptureError` where there is no packet log in it, or the folder is not that of a sysdiagnose: its captures
  ///   are not one.
  static func source(at path: String) throws(CaptureError) -> (source: Source, origin: String)? {
    guard path != "-", !Connection.isMeant(path) else { return nil }
    let isFolder = Directory.isFolder(path)
    let archive = isFolder ? nil : PackedFiles.archive(at: path)
    guard isFolder || archive != nil else { return nil }
    let logs = PacketLogs {
      if isFolder { return PackedFiles(path: path, deepest: 3) }
      return archive.flatMap { Source(again: $0) }.map { PackedFiles(archive: $0) }
    }
    if isFolder, logs.logs.isEmpty { return nil }
    // Of a sysdiagnose, someone may have kept only the folder with the logs.
    guard
      !isFolder || isSysdiagnose(path)
        || logs.logs.allSatisfy({ $0.name.hasPrefix("bluetoothd-hci") })
    else {
      throw CaptureError(
        path, "a directory", expected: "a capture", advice: "name a file in it")
    }
    guard !logs.logs.isEmpty else {
      if let problem = logs.problemOfScan {
        throw CaptureError(
          path, "an archive without a packet log (.pklg): \(problem)", expected: "one")
      }
      throw CaptureError(
        path, "an archive without a packet log (.pklg)", expected: "one",
        advice:
          "install Apple's Bluetooth logging profile on the device, and take another sysdiagnose",
        isOtherFile: true)
    }
    let source = Source(
      logs, name: path, size: archive?.size ?? logs.logs.reduce(0) { $0 &+ $1.count },
      modified: archive?.modified)
    return (source, logs.origin)
  }

  /// Whether a folder has the name or the contents of an unpacked sysdiagnose, or holds nothing else.
  static func isSysdiagnose(_ path: String) -> Bool {
    let mark = "sysdiagnose_"
    let names = (Directory.names(in: path) ?? []).filter { !$0.hasPrefix(".") }
    return path.fileName.hasPrefix(mark) || names.contains("system_logs.logarchive")
      || !names.isEmpty
        && names.allSatisfy { $0.hasPrefix(mark) && Directory.isFolder("\(path)/\($0)") }
  }

  private init(_ open: @escaping () -> PackedFiles?) {
    self.open = open
    let scan = open()
    var found: [Log] = []
    var index = 0
    while let file = scan?.nextFile(where: Self.isLog) {
      defer { index += 1 }
      scan?.unpackFile()
      var head: [UInt8] = []
      while head.count < 64, let scan {
        let piece = scan.read(64 - head.count)
        if piece.isEmpty { break }
        head += piece
      }
      // The one that is being written may be there twice, as a file and as the latest.
      let isThere = found.contains { $0.count == file.count && $0.head == head }
      guard !head.isEmpty, !isThere, found.count < Self.most else { continue }
      found.append(Log(index: index, name: file.name.fileName, count: file.count, head: head))
    }
    problemOfScan =
      scan?.problem ?? (scan?.sparse.contains(where: Self.isLog) == true ? .archiveSparse : nil)
    isCompressed = scan?.isCompressed ?? false
    logs = found.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
  }

  /// `bluetoothd-hci-latest.pklg in a sysdiagnose`.
  private var origin: String {
    var names = logs.prefix(4).map(\.name).joined(separator: ", ")
    if logs.count > 4 { names += " and \(logs.count - 4) more" }
    return names + " in a sysdiagnose"
  }

  /// The next bytes of all logs, `most` at most; none at the end.
  func read(_ most: Int) -> [UInt8] {
    while next < logs.count {
      if whole > 0 {
        let piece = Array(waiting.prefix(min(whole, most)))
        waiting.removeFirst(piece.count)
        whole -= piece.count
        return piece
      }
      guard isInside || seek(to: logs[next].index) else { break }
      isInside = true
      let piece = files?.read(1 << 16) ?? []
      position = max(position, files?.position ?? 0)
      waiting += piece
      if piece.isEmpty {
        endLog()
      } else {
        findRecords()
      }
    }
    problem = files?.problem ?? problemOfScan ?? cut
    return []
  }

  /// Of a record that its log does not have whole, nothing may go before the first of the next log.
  private func endLog() {
    if next == logs.count - 1, !waiting.isEmpty {
      whole = waiting.count
      return
    }
    if !waiting.isEmpty, cut == nil {
      cut = .cutRecord(present: waiting.count, expected: 4 + (length(at: 0) ?? 0))
    }
    waiting = []
    isInside = false
    next += 1
  }

  /// A record that was cut at the end of an earlier log.
  private var cut: CaptureDamage.Reason?
  private static let longest = 1 << 17

  /// Notes how many of the bytes are whole records. Where no record can be, the reader of records is to find the next.
  private func findRecords() {
    while let length = length(at: whole) {
      guard 9...Self.longest ~= length else {
        whole = waiting.count
        return
      }
      guard whole + 4 + length <= waiting.count else { return }
      whole += 4 + length
    }
  }

  private func length(at place: Int) -> Int? {
    guard place + 4 <= waiting.count else { return nil }
    let four = waiting[place..<(place + 4)]
    return logs[next].isBigEndian
      ? four.reduce(0) { $0 << 8 | Int($1) } : four.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func seek(to wanted: Int) -> Bool {
    if files == nil || index >= wanted { (files, index) = (open(), -1) }
    while index < wanted {
      guard files?.nextFile(where: Self.isLog) != nil else { return false }
      index += 1
    }
    files?.unpackFile()
    return true
  }

  /// In a folder that is more than a sysdiagnose, captures beside it are others.
  private static func isLog(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return (name.hasSuffix(".pklg") || name.hasSuffix(".pklg.gz"))
      && (parts.count == 1 || parts.dropLast().last == "Bluetooth")
  }
}
