import Crypto
import HarkCore
import HarkCrypto
import HarkExport
import HarkPlatform
import HarkRedact

/// The identity of a capture in the tables: its path; its contents show whether it has changed.
struct CaptureIdentity {
  /// The folder that paths are relative to.
  let root: String?
  /// With redaction: the key of the hashes, so that paths cannot be guessed.
  let map: RedactionMap?
  /// A hash of the fingerprints of all keys; `none` without keys.
  private(set) var keys = "none"

  init(root: String?, map: RedactionMap?, keys: KeyRing) {
    (self.root, self.map) = (root, map)
    let fingerprints = Set(keys.entries.map { "\($0.fingerprint)" }).sorted()
    guard !fingerprints.isEmpty else { return }
    self.keys = String(digest(Array(fingerprints.joined(separator: "\n").utf8)).prefix(16))
  }

  /// - Parameter readsContents: Whether to hash the contents, too.
  func file(_ path: String, readsContents: Bool) -> ExportedFile {
    let shown = self.shown(path)
    let key = String(digest(Array(shown.utf8)).prefix(16))
    let hash = readsContents && path != "-" ? ReportInput.hash(path) : nil
    let content = hash.map { map == nil ? $0 : digest(Array($0.utf8)) }
    var status = stat()
    let hasSize = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return ExportedFile(
      key: key, path: map == nil ? shown : nil,
      name: map == nil
        ? shown.fileName
        : "capture-\(key)\(ReportInput.ending(of: path))",
      content: content, size: hasSize ? Int64(status.st_size) : nil, version: Hark.version,
      keys: keys)
  }

  /// Whether the file of a row, below one of `folders` or one of them, is not there any more. Of others, it may only be
  /// that the path was given in another folder.
  func isGone(_ path: String, below folders: [String]) -> Bool {
    guard isBelow(path, folders), path != "-" else { return false }
    let place = path.hasPrefix("/") ? path : root.map { $0 + "/" + path } ?? path
    return unsafe access(place, F_OK) != 0 && errno == ENOENT
  }

  /// Whether the file of a row is below one of `folders` or one of them.
  func isBelow(_ path: String, _ folders: [String]) -> Bool {
    folders.contains { folder in
      let folder = shown(folder)
      if folder.isEmpty { return !path.hasPrefix("/") }
      return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
  }

  private func digest(_ bytes: [UInt8]) -> String {
    Hex.text(map?.digest(of: bytes, count: 32) ?? Array(SHA256.hash(data: bytes)))
  }

  /// The same path for every spelling of a file's path.
  private func shown(_ path: String) -> String {
    let path = Self.plain(path)
    guard let root = root.map(Self.plain) else { return path }
    let folder = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  /// Without `.` and redundant slashes.
  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
