import HarkCapture

/// Room on a disk that is free again once this process has ended, however it ends.
///
/// What an export wrote last is in a log beside the database, and other programs open a database with a log only if
/// there is room for the log's index.
final class DiskReserve {
  private static let size = 256 << 10

  private let file: TemporaryFile

  /// - Parameter folder: The folder of the database.
  /// - Returns: Nil if there is no room.
  init?(in folder: String) {
    guard let file = try? TemporaryFile(name: folder, in: folder) else { return nil }
    let zeros = [UInt8](repeating: 0, count: Self.size)
    guard unsafe zeros.withUnsafeBytes({ unsafe file.append($0) }).failure == nil else {
      return nil
    }
    self.file = file
  }
}
