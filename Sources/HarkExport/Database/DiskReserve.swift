import HarkPlatform

/// Room on a disk that is free again once this process has ended, however it ends.
///
/// What an export wrote last is in a log beside the database, and other programs open a database with a log only if
/// there is room for the log's index.
final class DiskReserve {
  private static let size = 256 << 10

  private let descriptor: Int32

  /// - Parameter folder: The folder of the database.
  /// - Returns: Nil if there is no room.
  init?(in folder: String) {
    var name = Array((folder + "/.hark-XXXXXX").utf8CString)
    descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    // Without a name, it goes with its descriptor.
    unsafe unlink(name)
    let zeros = [UInt8](repeating: 0, count: Self.size)
    guard unsafe write(descriptor, zeros, zeros.count) == zeros.count else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
