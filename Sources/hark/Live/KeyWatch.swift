import HarkCapture
import HarkCrypto
import HarkPlatform
import HarkSystem

/// Checks whether key files change while a capture is recorded, and reads new keys.
struct KeyWatch {
  /// What distinguishes one version of a file from another.
  private struct Stamp: Equatable {
    let device, inode: UInt64
    let size, seconds, nanoseconds: Int

    /// Nil if it is not a file: keys from a pipe arrive only once.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      (device, inode, size) = (
        UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino), Int(status.st_size)
      )
      (seconds, nanoseconds) = (status.modified.tv_sec, status.modified.tv_nsec)
    }
  }

  private var files: [(path: String, stamp: Stamp)]
  private var opener: KeyFileOpener
  private var known: Set<StoredKey.Identity> = []
  private var nextLook: UInt64 = 0

  /// The time between two checks, in nanoseconds.
  private static let pause: UInt64 = 500_000_000

  /// - Parameter opener: The opener that read the files, and knows their passphrases.
  init(_ paths: [String], _ opener: KeyFileOpener) {
    files = paths.compactMap { path in Stamp(path).map { (path, $0) } }
    self.opener = opener
  }

  /// Whether there is a file to check.
  var isWatching: Bool { !files.isEmpty }

  /// Programs replace a file with a new one: these folders must stay readable.
  var folders: [String] { files.map { FileTarget.folder(of: $0.path) } }

  /// The keys of files that changed since the last check. Keys that the session already has do no harm.
  mutating func take() -> [StoredKey] {
    let now = monotonicTime
    guard now >= nextLook else { return [] }
    nextLook = now + Self.pause
    var keys: [StoredKey] = []
    for index in files.indices {
      // A file that is missing for a moment is being replaced.
      guard let stamp = Stamp(files[index].path), stamp != files[index].stamp else { continue }
      files[index].stamp = stamp
      guard let file = opener.reopen(files[index].path) else { continue }
      let new = file.keys.filter { known.insert($0.identity).inserted }
      let count = file.count == 1 ? "1 key" : "\(file.count) keys"
      Console.complain("\(files[index].path): read again, \(count)")
      keys += new
    }
    return keys
  }
}
