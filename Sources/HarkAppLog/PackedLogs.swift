import HarkCapture
import HarkCore

/// The logs in a sysdiagnose, an archive or a folder: every text in it that is a log of the app's side.
public struct PackedLogs: Sendable {
  public private(set) var logs: [AppLog] = []
  /// What is not read of it and why, a sentence each.
  public private(set) var missing: [String] = []

  /// More than a sysdiagnose has.
  private static let most = 64
  private static let mostArchives = 4
  /// Text has no zero byte within this many bytes.
  private static let look = 1 << 12

  /// - Returns: Nil if `path` is neither a folder nor a tar archive.
  /// - Throws: `AppLogError` where there is no log in it.
  public init?(
    path: String, name: String? = nil, own: AppNames, near: Timestamp
  ) throws(AppLogError) {
    guard AppLog.archive(path) == nil, let files = PackedFiles(path: path) else { return nil }
    let label = name ?? path
    let isFolder = Directory.isFolder(path)
    var archives: [String] = []
    var omitted = 0
    while let file = files.nextFile(where: { !$0.hasSuffix(".pklg") }) {
      if let end = file.name.utf8Range(of: ".logarchive/") {
        let archive = String(file.name[..<file.name.utf8.index(before: end.upperBound)])
        if archives.count < Self.mostArchives, !archives.contains(archive) {
          archives.append(archive)
        }
        continue
      }
      guard let head = Self.text(of: file, files) else { continue }
      var lines: [AppLog.Line] = []
      let inner =
        name == nil
        ? (isFolder ? Self.joined(path, file.name) : "\(path):\(file.name)")
        : "\(label)-\(logs.count + 1)"
      let log = AppLog(
        ifKnown: LogLines(head, then: { files.read(1 << 16) }), inner, own, near, &lines)
      guard let log, !log.entries.isEmpty else { continue }
      if logs.count < Self.most { logs.append(log) } else { omitted += 1 }
    }
    if let problem = files.problem { missing.append("\(label): \(problem)") }
    for name in files.sparse {
      missing.append("\(label): \(name) is a sparse file, which hark does not read")
    }
    if omitted > 0 { missing.append("\(label): \(omitted) more logs than hark reads") }
    for archive in archives {
      let unpack = isFolder ? "" : "extract it with 'tar -xf \(path)', and "
      let place = isFolder ? Self.joined(path, archive) : archive
      missing.append(
        "\(label): \(archive) in it is an Apple log archive, which hark does not read: \(unpack)on a Mac, export it "
          + "with '\(AppLog.export(place))'")
    }
    guard logs.isEmpty else { return }
    missing.append("\(label): no app log that hark recognizes")
    throw AppLogError(missing.joined(separator: "\n"))
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The beginning of a file that may be text; nil if it cannot be.
  private static func text(of file: PackedFiles.File, _ files: PackedFiles) -> [UInt8]? {
    guard file.count > 0 else { return nil }
    var head: [UInt8] = []
    while head.count < look {
      let piece = files.read(look - head.count)
      if piece.isEmpty { break }
      head += piece
    }
    return head.isEmpty || head.contains(0) ? nil : head
  }
}
